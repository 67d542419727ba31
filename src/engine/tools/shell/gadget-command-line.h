/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Parses @line as a shell would, as far as it can be sure of that. Returns: (transfer full)
 * (element-type GStrv) (nullable): the simple commands in it, in order, each as the list of its
 * plain words. NULL when anything in the line is not fully understood; then @reason (nullable) is
 * set to a static English text. */
GPtrArray *gadget_command_line_read         (const char          *line,
                                             const char         **reason);

/* Returns whether anything in @line, however it is quoted, nested or spelled, looks like @prefix.
 * The function serves rules that deny, so it errs on the side of TRUE. */
gboolean   gadget_command_line_mentions     (const char          *line,
                                             const char          *prefix);

G_END_DECLS
