/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether TEXT looks like what it is: it is valid UTF-8, without invisible characters and
 * without those that reorder text. Newlines and tabs are fine. */
gboolean  gadget_visible_is_plain       (const char *text);

/* Returns TEXT with all such characters, and bytes that are not UTF-8, written as "\u202e" or
 * "\x1b" (transfer full). */
char     *gadget_visible_escape         (const char *text);

/* Like gadget_visible_escape (), but also sets N_ESCAPED to the number of escaped characters and
 * bytes (transfer full). */
char     *gadget_visible_escape_counted (const char *text,
                                         guint      *n_escaped);

/* Like gadget_visible_escape (), but newlines and tabs are escaped as well, so that the result is
 * one line (transfer full). */
char     *gadget_visible_escape_line    (const char *text);

G_END_DECLS
