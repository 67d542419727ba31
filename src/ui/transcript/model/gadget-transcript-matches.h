/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-transcript-model.h"
#include "ui/text/gadget-text-pattern.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TRANSCRIPT_MATCHES (gadget_transcript_matches_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTranscriptMatches, gadget_transcript_matches, GADGET,
                      TRANSCRIPT_MATCHES, GObject)

/**
 * GadgetTranscriptMatch:
 * @turn: the number of the chat's turn
 * @row: the row as it is when nothing is folded; its turn is not used
 * @nth: which one of the matches in that row, from 0 on
 */
typedef struct
{
  guint turn;
  GadgetRowSpec row;
  guint nth;
} GadgetTranscriptMatch;

/**
 * GadgetTranscriptMatches:
 *
 * Where a pattern is in a chat: in the text as it is shown, without markup, and also in what is
 * folded. It is searched in slices when idle, from one turn on to the end and then from there back,
 * and again where the chat changes. Text that is cut into two rows within a line is two texts.
 * Signal "changed": there are other matches, or all are known now.
 */

/* Begins to search at the turn number @turn. The object keeps references. (transfer full) */
GadgetTranscriptMatches *gadget_transcript_matches_new     (GadgetTranscriptModel *model,
                                                            GadgetTextPattern     *pattern,
                                                            guint                  turn);
GadgetTextPattern       *gadget_transcript_matches_get_pattern (GadgetTranscriptMatches     *self);

/* The number of matches that are known, and whether these are all. */
guint                    gadget_transcript_matches_get_n       (GadgetTranscriptMatches     *self);
gboolean                 gadget_transcript_matches_is_complete (GadgetTranscriptMatches     *self);

/* Returns the number of matches in a row, which may show only the beginning of its text. */
guint                    gadget_transcript_matches_count_in    (GadgetTranscriptMatches     *self,
                                                                const GadgetRowSpec         *row);

/* Returns the number of a match in the whole chat, from 1 on; 0 while that is not known. */
guint                    gadget_transcript_matches_get_number  (GadgetTranscriptMatches     *self,
                                                                const GadgetTranscriptMatch *match);

/* Finds the first match from @row of the chat on, without the first @skip ones in it; else the last
 * match before. FALSE when there is none, or none is known yet. */
gboolean                 gadget_transcript_matches_find        (GadgetTranscriptMatches     *self,
                                                                const GadgetRowSpec         *row,
                                                                guint                        skip,
                                                                GadgetTranscriptMatch       *match);

/* Finds the match that is at or else behind an offset of the source of @row. */
gboolean                 gadget_transcript_matches_find_source (GadgetTranscriptMatches     *self,
                                                                const GadgetRowSpec         *row,
                                                                gsize                        offset,
                                                                GadgetTranscriptMatch       *match);

/* Goes to the next or to the previous match, round the end of the chat if need be. FALSE when there
 * is none, or that one is not known yet. */
gboolean                 gadget_transcript_matches_step        (GadgetTranscriptMatches     *self,
                                                                gboolean               forward,
                                                                GadgetTranscriptMatch *match,
                                                                gboolean              *wrapped);

/* Returns the line of text with the match. (transfer full) (nullable) */
char                    *gadget_transcript_matches_dup_line    (GadgetTranscriptMatches     *self,
                                                                const GadgetTranscriptMatch *match);

/* Returns the rows of the chat that the match is folded in, as they are when nothing is folded,
 * from the outermost on, of GadgetRowSpec. (transfer full) */
GArray                  *gadget_transcript_matches_dup_folds   (GadgetTranscriptMatches     *self,
                                                                const GadgetTranscriptMatch *match);

/* Returns the kind of the rows that show a text of @item, NULL for the prompt of a turn. */
GadgetRowKind            gadget_transcript_matches_get_kind    (GadgetItem                  *item,
                                                                GadgetRowText                text);

/* Tells whether both are of the same text, which begins at the same place in both or is cut. */
gboolean                 gadget_row_spec_shows_same            (const GadgetRowSpec         *row,
                                                                const GadgetRowSpec         *other);

G_END_DECLS
