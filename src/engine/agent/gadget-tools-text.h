/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the text of GadgetAgent::tools-left-out for the user. (transfer full) */
char *gadget_tools_left_out_dup_text (guint n_offered,
                                      guint n_left_out);

G_END_DECLS
