/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether TEXT looks like what it is: valid, and without characters that reorder it or cannot be
 * seen (line ends and tabs excepted). */
gboolean  gadget_visible_is_plain  (const char *text);

/* TEXT with all such characters written out, as "\u202e" or "\x1b". (transfer full) */
char     *gadget_visible_dup       (const char *text);

/* The same on one line: line ends and tabs are written out, too. (transfer full) */
char     *gadget_visible_dup_line  (const char *text);

/* How many characters, or bytes that are not UTF-8, gadget_visible_dup () writes out. */
guint     gadget_visible_count     (const char *text);

/* The milder kind, for prose and names: what cannot be seen stays, since it joins letters, makes
 * emoji, or is nothing; only what shows the rest in another order than it is in is made visible.
 *
 * That is an embedding, an override or an isolate (U+202A to U+202E, U+2066 to U+2069) always. The
 * marks U+200F and U+061C are part of ordinary right-to-left prose, in which people type them to
 * put a full stop or a number in its place: in a line that has such letters, they stay. In one that
 * has none they have no work but to deceive, "2 - 1" for "1 - 2". U+200E agrees with such a line,
 * and always stays. */
static inline gboolean
gadget_visible_reorders (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* TEXT with these written out. (transfer full) */
char     *gadget_visible_dup_ordered (const char *text);

/* TEXT with another character for each, of as many bytes: for a text that has offsets. With KEEP
 * U+2068 and U+2069 stay, which Gadget puts around names itself, and which alone reorder nothing.
 * (transfer full) (nullable): NULL when there is none of them */
char     *gadget_visible_dup_covered (const char *text,
                                      gsize       length,
                                      gboolean    keep);

G_END_DECLS
