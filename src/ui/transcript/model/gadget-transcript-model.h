/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row-data.h"

#include "session/gadget-session.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TRANSCRIPT_MODEL (gadget_transcript_model_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTranscriptModel, gadget_transcript_model, GADGET, TRANSCRIPT_MODEL,
                      GObject)

/**
 * GadgetRowSpec:
 * @turn: the number of the chat's turn, also for a row of a subagent
 * @kind: a #GadgetRowKind
 * @folded: whether the row stands for lines of code that are folded
 * @indent: how many groups the row is in
 * @item: the number of the item in its turn, or in the subagent's turn that @scope stands for
 * @start: where the row's range begins, in bytes of the source (or see #GadgetRowKind)
 * @end: where it ends
 * @scope: 0, or the number of a subagent's turn (see gadget-nested-turns.h)
 * @context: where the block of Markdown begins that the row continues, else @start
 *
 * A row of the model without an object of its own, in 24 bytes.
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
 * A session as one flat #GListModel of #GadgetRowData: the rows of the transcript from top to
 * bottom. The objects are made when they are asked for. Added and removed turns change the rows at
 * once. Changes inside a turn are gathered until gadget_transcript_model_flush (), whose cost
 * depends only on what changed; signal "dirty" is emitted when there is something to flush.
 *
 * The call of a subagent unfolds to the items of the subagent's turn, one level deeper, and they
 * are updated while the subagent works. When that turn is not in memory, "load-child"
 * (#GadgetSession) is emitted to have it loaded.
 */

/* The model keeps a reference to @session. (transfer full) */
GadgetTranscriptModel *gadget_transcript_model_new              (GadgetSession         *session);
GadgetSession         *gadget_transcript_model_get_session      (GadgetTranscriptModel *self);

/* The rows, by their positions: their specification (valid until the rows change), the turn,
 * subagents and groups above them, the item (NULL when the row belongs to its turn), and the source
 * of the text (NULL when there is none). For a row of a subagent, the turn is the subagent's.
 * (transfer none) */
guint                  gadget_transcript_model_get_n_rows       (GadgetTranscriptModel *self);
const GadgetRowSpec   *gadget_transcript_model_get_row          (GadgetTranscriptModel *self,
                                                                 guint                  position);
GadgetTurn            *gadget_transcript_model_get_turn         (GadgetTranscriptModel *self,
                                                                 guint                  position);
guint                  gadget_transcript_model_get_depth        (GadgetTranscriptModel *self,
                                                                 guint                  position);
GadgetItem            *gadget_transcript_model_get_item         (GadgetTranscriptModel *self,
                                                                 guint                  position);
const char            *gadget_transcript_model_get_source       (GadgetTranscriptModel *self,
                                                                 guint                  position,
                                                                 gsize                 *length);

/* The number of the chat's turns, and the first row of a turn. */
guint                  gadget_transcript_model_get_n_turns      (GadgetTranscriptModel *self);
guint                  gadget_transcript_model_get_turn_row     (GadgetTranscriptModel *self,
                                                                 guint                  turn);

/* Updates @data, which was made for the row at @position, to what the row shows now. */
void                   gadget_transcript_model_update_row_data  (GadgetTranscriptModel *self,
                                                                 guint                  position,
                                                                 GadgetRowData         *data);

/* The user's providers, a GListModel of #GadgetProviderConfig, for their names; NULL for none. */
void                   gadget_transcript_model_set_providers    (GadgetTranscriptModel *self,
                                                                 GListModel            *providers);

/* The cache of the changes that turns made, or NULL. */
void                   gadget_transcript_model_set_change_cache (GadgetTranscriptModel *self,
                                                                 GadgetChangeCache     *cache);

/* Returns the first ask card behind the row @after, else the first of all; -1 when there is
 * none. */
int                    gadget_transcript_model_find_ask         (GadgetTranscriptModel *self,
                                                                 int                    after);

/* Applies the gathered changes to the rows. */
void                   gadget_transcript_model_flush            (GadgetTranscriptModel *self);

/* The unfolded state: of an item (reasoning, a tool call) or a turn (the card at its end), and for
 * setting it, of what the row at @position can fold. */
gboolean               gadget_transcript_model_get_expanded     (GadgetTranscriptModel *self,
                                                                 GObject               *object);
void                   gadget_transcript_model_set_expanded     (GadgetTranscriptModel *self,
                                                                 guint                  position,
                                                                 gboolean               expanded);

/* What the user unfolded is kept with the session, and unfolded again by the next model of it. As
 * text it can be kept longer: NULL when nothing is unfolded; load_folds () is to be called before
 * the model is made. load_children () requests the chats of subagents that are unfolded.
 * (transfer full) (nullable) */
char                  *gadget_transcript_model_dup_folds        (GadgetSession         *session);
void                   gadget_transcript_model_load_folds       (GadgetSession         *session,
                                                                 const char            *text);
void                   gadget_transcript_model_load_children    (GadgetTranscriptModel *self);

G_END_DECLS
