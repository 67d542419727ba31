/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TRUE when TEXT looks like what it is: it is valid UTF-8, without invisible characters and without
 * those that reorder text. Newlines and tabs are fine. */
gboolean  gadget_visible_is_plain  (const char *text);

/* TEXT with all such characters written out, as "\u202e" or "\x1b". (transfer full) */
char     *gadget_visible_dup       (const char *text);

/* Like gadget_visible_dup (), but on one line: newlines and tabs are written out, too.
 * (transfer full) */
char     *gadget_visible_dup_line  (const char *text);

/* The number of characters, and of bytes that are not UTF-8, that gadget_visible_dup () writes
 * out. */
guint     gadget_visible_count     (const char *text);

/* A milder check for prose and names. Invisible characters stay, since they join letters, form
 * emoji or do nothing; only characters that display text in another order than it has are made
 * visible.
 *
 * Embeddings, overrides and isolates (U+202A to U+202E, U+2066 to U+2069) are always made visible.
 * The marks U+200F and U+061C belong to ordinary right-to-left prose, in which people type them to
 * put a period or a number in its place: they stay in a line that has right-to-left letters. In any
 * other line they can only deceive, by showing "1 - 2" as "2 - 1". U+200E agrees with such a line,
 * and always stays. */
static inline gboolean
gadget_visible_reorders (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* TEXT with these characters written out. (transfer full) */
char     *gadget_visible_dup_ordered (const char *text);

/* TEXT with each of these characters replaced by another of as many bytes, so that offsets into the
 * text stay valid. With KEEP, U+2068 and U+2069 stay: Gadget itself puts them around names, and on
 * their own they reorder nothing. TEXT has to be valid UTF-8. (transfer full) (nullable): NULL when
 * nothing was replaced */
char     *gadget_visible_dup_covered (const char *text,
                                      gsize       length,
                                      gboolean    keep);

G_END_DECLS
