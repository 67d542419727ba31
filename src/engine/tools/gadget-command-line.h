/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads LINE as a shell would, as far as it can be sure of that: the simple commands in it, each a
 * GStrv of its plain words, in their order. NULL where anything in it is not fully understood; REASON
 * (nullable) then says what, in English, static. (element-type GStrv) (transfer full) */
GPtrArray *gadget_command_line_read         (const char          *line,
                                             const char         **reason);

/* Whether anything in LINE, however it is quoted, nested or spelled, looks like PREFIX: for refusing,
 * which may err on the side of too much. */
gboolean   gadget_command_line_mentions     (const char          *line,
                                             const char          *prefix);

G_END_DECLS
