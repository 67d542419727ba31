/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Characters of the Unicode Bidirectional Algorithm (UAX #9) that display text in another order
 * than it has, for prose and names. This is milder than gadget-visible.h: invisible characters
 * stay, since they join letters, form emoji or do nothing.
 *
 * Embeddings, overrides and isolates (U+202A to U+202E, U+2066 to U+2069) are always escaped or
 * replaced. The marks U+200F and U+061C belong to ordinary right-to-left prose, in which people
 * type them to put a period or a number in its place: they stay in a line that has right-to-left
 * letters. In any other line they can only deceive, by showing "1 - 2" as "2 - 1". U+200E agrees
 * with such a line, and always stays. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether C is an embedding, an override or an isolate, or ends one. */
static inline gboolean
gadget_bidi_is_control (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Returns the first of them in TEXT, NULL if there is none. For text that comes in parts, in which
 * it is not known whether a line has right-to-left letters. */
const char *gadget_bidi_find_control (const char *text,
                                      gsize       length);

/* Returns whether gadget_bidi_escape () would escape nothing. */
gboolean    gadget_bidi_is_plain     (const char *text);

/* Returns TEXT with these characters written as "\u202e" (transfer full). If there are none, TEXT
 * is returned as it is; else bytes that are not UTF-8 become U+FFFD. */
char       *gadget_bidi_escape       (const char *text);

/* Returns TEXT with each of these characters replaced by another of as many bytes, so that offsets
 * into the text stay valid (transfer full) (nullable); NULL if nothing is replaced. With
 * KEEP_ISOLATES, U+2068 and U+2069 stay: Gadget itself puts them around names, and on their own
 * they reorder nothing. TEXT has to be valid UTF-8. */
char       *gadget_bidi_replace      (const char *text,
                                      gsize       length,
                                      gboolean    keep_isolates);

G_END_DECLS
