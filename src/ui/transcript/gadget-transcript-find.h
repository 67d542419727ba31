/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-transcript.h"
#include "ui/transcript/model/gadget-row-kind.h"

G_BEGIN_DECLS

/* Text that is found in the chat. All matches that are widgets are drawn as found, and one of them
 * is the current match, for which folded rows are unfolded. Signals of the transcript: "found",
 * when the numbers below change; "found-wrapped" (whether forward), when going to a match went
 * round the end of the chat. */

/**
 * gadget_transcript_find:
 * @query: (nullable): what to find; %NULL or "" for nothing
 *
 * The current match is the one that is read now or the next one, else the last one before. It is
 * scrolled to when it is out of sight. What was unfolded for a match stays so when nothing is to be
 * found any more.
 */
void  gadget_transcript_find              (GadgetTranscript *self,
                                           const char       *query,
                                           gboolean          match_case,
                                           gboolean          whole_words);

/**
 * gadget_transcript_find_place:
 * @turn_id: the id of a turn
 * @item: the number of an item in it, -1 for the prompt
 * @text: which text of the item
 * @offset: an offset in that text, as it is stored, in bytes
 *
 * To be called after gadget_transcript_find (): the match at or after the place becomes the current
 * one. For an unknown place nothing changes.
 */
void  gadget_transcript_find_place        (GadgetTranscript *self,
                                           const char       *turn_id,
                                           int               item,
                                           GadgetRowText     text,
                                           gsize             offset);

/* Goes to the next or to the previous match, and announces it. */
void  gadget_transcript_find_step         (GadgetTranscript *self,
                                           gboolean          forward);

/* Returns the number of matches, which may still grow while not @complete. @current: (out): the
 * number of the current match, from 1 on; 0 when there is none or it is not known yet. */
guint gadget_transcript_get_n_found       (GadgetTranscript *self,
                                           guint            *current,
                                           gboolean         *complete);

/* Returns the selected text when it is short enough to be looked for. (transfer full) (nullable) */
char *gadget_transcript_dup_find_query    (GadgetTranscript *self);

G_END_DECLS
