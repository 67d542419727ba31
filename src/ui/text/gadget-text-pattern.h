/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetTextPattern:
 *
 * Text to find in other text. Letters are compared in their decomposed form, so that it does not
 * matter how an accent is encoded, and unless the case matters, casefolded: "strasse" finds
 * "Straße", but "a" does not find "ä". Each white-space character is like a space, and characters
 * without a glyph of their own, such as isolates and soft hyphens, are passed over.
 */
typedef struct _GadgetTextPattern GadgetTextPattern;

/* Returns NULL when there is nothing to find in @query. With @whole_words a match begins and ends
 * at the boundary of a word, as Unicode defines it. (transfer full) (nullable) */
GadgetTextPattern *gadget_text_pattern_new  (const char              *query,
                                             gboolean                 match_case,
                                             gboolean                 whole_words);
GadgetTextPattern *gadget_text_pattern_ref  (GadgetTextPattern       *self);
void               gadget_text_pattern_unref (GadgetTextPattern      *self);

/* Finds the first match in @text, valid UTF-8, that does not begin before the offset @from, which
 * is between two characters, and sets the range of its bytes. FALSE when there is none. */
gboolean           gadget_text_pattern_next (GadgetTextPattern       *self,
                                             const char              *text,
                                             gsize                    length,
                                             gsize                    from,
                                             gsize                   *start,
                                             gsize                   *end);

/* Returns FALSE when certainly no match is in what a text with markup (Markdown or JSON) is shown
 * as. That takes about as long as finding a character, where it is read in much longer. */
gboolean           gadget_text_pattern_may_be_in_markup (GadgetTextPattern *self,
                                             const char              *source,
                                             gsize                    length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetTextPattern, gadget_text_pattern_unref)

G_END_DECLS
