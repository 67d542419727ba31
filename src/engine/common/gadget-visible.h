/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether TEXT looks like what it is: it is valid UTF-8, without invisible characters and
 * without those that reorder text. Newlines and tabs are fine. */
gboolean  gadget_visible_is_plain    (const char *text);

/* Returns TEXT with all such characters, and bytes that are not UTF-8, written as "\u202e" or
 * "\x1b" (transfer full). */
char     *gadget_visible_escape      (const char *text);

/* Like gadget_visible_escape (), but newlines and tabs are escaped as well, so that the result is
 * one line (transfer full). */
char     *gadget_visible_escape_line (const char *text);

/* Returns the number of characters, and of bytes that are not UTF-8, that gadget_visible_escape ()
 * escapes. */
guint     gadget_visible_count       (const char *text);

G_END_DECLS
