/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-block.h"

#include "session/gadget-session.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TRANSCRIPT_MODEL (gadget_transcript_model_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTranscriptModel, gadget_transcript_model, GADGET, TRANSCRIPT_MODEL,
                      GObject)

/**
 * GadgetRowSpec:
 *
 * A row without an object of its own: 24 bytes. @item is counted in its turn, or in the turn of a
 * subagent that @scope stands for (see gadget-scopes.h); @turn is the chat's in any case. @indent
 * counts the groups that the row is in; @folded tells that it stands for lines of code that are not
 * shown. @context is where the block of Markdown begins that the row
 * goes on with, else where the row begins.
 */
typedef struct
{
  guint32 turn;
  guint32 kind : 5;
  guint32 folded : 1;
  guint32 indent : 2;
  guint32 item : 24;
  guint32 start;
  guint32 end;
  guint32 scope;
  guint32 context;
} GadgetRowSpec;

/**
 * GadgetTranscriptModel:
 *
 * A session as one flat #GListModel of #GadgetBlock: what the rows of the transcript show, from
 * top to bottom. Blocks are made when asked for. Turns come and go at once; what happens inside a
 * turn is gathered ("dirty" tells that there is something) until
 * gadget_transcript_model_flush (), which takes time for the change alone.
 *
 * The call of a subagent unfolds to the items of the subagent's turn, live, one level deeper. When
 * that turn is not here yet, "load-child" (GadgetSession) asks for the subagent's chat.
 */
GadgetTranscriptModel *gadget_transcript_model_new          (GadgetSession         *session);
GadgetSession         *gadget_transcript_model_get_session  (GadgetTranscriptModel *self);
guint                  gadget_transcript_model_get_n_rows   (GadgetTranscriptModel *self);
const GadgetRowSpec   *gadget_transcript_model_get_row      (GadgetTranscriptModel *self,
                                                             guint                  position);
GadgetTurn            *gadget_transcript_model_get_turn     (GadgetTranscriptModel *self,
                                                             guint                  position);
guint                  gadget_transcript_model_get_depth    (GadgetTranscriptModel *self,
                                                             guint                  position);
GadgetItem            *gadget_transcript_model_get_item     (GadgetTranscriptModel *self,
                                                             guint                  position);
const char            *gadget_transcript_model_get_source   (GadgetTranscriptModel *self,
                                                             guint                  position,
                                                             gsize                 *length);
guint                  gadget_transcript_model_get_n_turns  (GadgetTranscriptModel *self);
guint                  gadget_transcript_model_get_turn_row (GadgetTranscriptModel *self,
                                                             guint                  turn);
void                   gadget_transcript_model_update_block (GadgetTranscriptModel *self,
                                                             guint                  position,
                                                             GadgetBlock           *block);

/* The providers that the user has, by whose names they are called: a GListModel of
 * #GadgetProviderConfig, or NULL. */
void                   gadget_transcript_model_set_providers (GadgetTranscriptModel *self,
                                                             GListModel            *providers);

/* What turns changed, or NULL. */
void                   gadget_transcript_model_set_book     (GadgetTranscriptModel *self,
                                                             GadgetChangeBook      *book);

/* The last row that waits for an answer, or -1. */
int                    gadget_transcript_model_find_ask     (GadgetTranscriptModel *self,
                                                             int                    after);
void                   gadget_transcript_model_flush        (GadgetTranscriptModel *self);

/* What is unfolded: an item (reasoning, a tool call) or a turn (its card). */
gboolean               gadget_transcript_model_get_expanded (GadgetTranscriptModel *self,
                                                             GObject               *object);
void                   gadget_transcript_model_set_expanded (GadgetTranscriptModel *self,
                                                             guint                  position,
                                                             gboolean               expanded);

G_END_DECLS
