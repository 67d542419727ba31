/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-nested-turns.h"
#include "gadget-transcript-model.h"

G_BEGIN_DECLS

/* A turn that can still change (the chat's own or a subagent's), and what changed since the last
 * flush. */
typedef struct
{
  GadgetTranscriptModel *model; /* not owned; NULL once it does not listen any more */
  GadgetTurn *turn;
  guint index;       /* number in the chat; unused for a subagent's turn */
  GadgetTurn *root;  /* (nullable): for a subagent's turn, the chat's turn that contains its call */
  gboolean folded;   /* a subagent's turn that has no rows */
  GPtrArray *items;  /* those whose signals are connected */
  GPtrArray *grown;  /* not owned: those whose text grew since the last flush */
  gboolean needs_rebuild; /* its rows have to be computed again */
} GadgetLiveTurn;

/* A turn of the chat. */
typedef struct
{
  GadgetTurn *turn;
  guint first_row;
  GadgetLiveTurn *live; /* (nullable) */
} GadgetTurnEntry;

struct _GadgetTranscriptModel
{
  GObject parent_instance;

  GadgetSession *session;
  GListModel *providers;    /* (nullable) of GadgetProviderConfig */
  GadgetChangeCache *cache; /* (nullable) */
  guint n_asks;             /* number of ask cards */
  GArray *entries;          /* of GadgetTurnEntry, one for each turn */
  GArray *rows;             /* of GadgetRowSpec */
  GPtrArray *live_turns;    /* of GadgetLiveTurn, not owned: of the entries, and the nested ones */

  /* Sets of what is unfolded, referenced: items and turns; items that begin a group; those that
   * begin a group that had rows before; items with a difference. */
  GHashTable *expanded;
  GHashTable *unfolded_groups;
  GHashTable *shown_groups;
  GHashTable *unfolded_diffs;
  GHashTable *unfolded_calls; /* GadgetItem that calls a subagent, unfolded before the model was made
                               * → GadgetTurn of the chat; until load_children () */

  GadgetNestedTurns *nested_turns;
  GHashTable *nested;  /* GadgetTurn of a subagent → GadgetLiveTurn, while it can change */
  GHashTable *opening; /* GadgetSession of a subagent that is being loaded → GadgetTurn of the
                        * chat */

  gboolean dirty;  /* "dirty" was emitted since the last flush */
  gboolean urgent; /* something other than the length of a text has changed */
};

static inline GadgetTurnEntry *
_gadget_transcript_model_get_entry (GadgetTranscriptModel *self, guint turn)
{
  return &g_array_index (self->entries, GadgetTurnEntry, turn);
}

static inline GadgetRowSpec *
_gadget_transcript_model_peek_row (GadgetTranscriptModel *self, guint position)
{
  return &g_array_index (self->rows, GadgetRowSpec, position);
}

static inline guint
_gadget_transcript_model_get_end_row (GadgetTranscriptModel *self, guint turn)
{
  return turn + 1 < self->entries->len
             ? _gadget_transcript_model_get_entry (self, turn + 1)->first_row
             : self->rows->len;
}

/* gadget-transcript-model.c: emit the signals. _mark_dirty () emits "dirty" at most twice between
 * two flushes: for the first change, and for the first urgent one. */
void            _gadget_transcript_model_mark_dirty       (GadgetTranscriptModel *self,
                                                           gboolean               urgent);
void            _gadget_transcript_model_emit_row_changed (GadgetTranscriptModel *self,
                                                           guint                  position);
void            _gadget_transcript_model_emit_load_child  (GadgetTranscriptModel *self,
                                                           GadgetSession         *child);

/* gadget-transcript-model-rows.c: computes the rows of a turn. _add_turn () appends the rows of
 * @object, the chat's turn number @turn, to @rows; _add_unfolded () those that it would have if
 * nothing was folded, without the ones about its end. _find_chunk_end () returns where a row that
 * begins at row->start ends, and _add_chunks () appends rows for the text behind @row. */
void            _gadget_transcript_model_add_turn         (GadgetTranscriptModel *self,
                                                           GArray                *rows,
                                                           guint                  turn,
                                                           GadgetTurn            *object);
void            _gadget_transcript_model_add_unfolded     (GadgetTranscriptModel *self,
                                                           GArray                *rows,
                                                           guint                  turn);
gsize           _gadget_transcript_model_find_chunk_end   (const GadgetRowSpec   *row,
                                                           const char            *text,
                                                           gsize                  length,
                                                           guint32               *next_context);
void            _gadget_transcript_model_add_chunks       (GArray                *rows,
                                                           GadgetRowSpec          row,
                                                           const char            *text,
                                                           gsize                  length);

/* gadget-transcript-model-code.c: folds long blocks of code. */
void            _gadget_transcript_model_fold_code        (GArray                *rows,
                                                           guint                  first,
                                                           GadgetItem            *item);
void            _gadget_transcript_model_set_code_open    (const GadgetRowSpec   *row,
                                                           GadgetItem            *item,
                                                           gboolean               open);

/* gadget-transcript-model-folds.c: remembers with the session what is unfolded. */
void            _gadget_transcript_model_note_fold        (GadgetTranscriptModel *self,
                                                           const GadgetRowSpec   *row,
                                                           gboolean               expanded);
void            _gadget_transcript_model_apply_folds      (GadgetTranscriptModel *self);

/* gadget-transcript-model-changes.c: replaces and extends rows, and emits the signals for it.
 * _find_turn () returns the number of a turn, or -1. */
int             _gadget_transcript_model_find_turn        (GadgetTranscriptModel *self,
                                                           GadgetTurn            *turn);
void            _gadget_transcript_model_turns_changed    (GadgetTranscriptModel *self,
                                                           guint                  position,
                                                           guint                  removed,
                                                           guint                  added);
void            _gadget_transcript_model_rebuild_turn     (GadgetTranscriptModel *self,
                                                           guint                  turn);
void            _gadget_transcript_model_grow_row         (GadgetTranscriptModel *self,
                                                           guint                  position,
                                                           const char            *text,
                                                           gsize                  length);

/* gadget-transcript-model-live.c: listens to turns that can still change. _new () registers the
 * live turn in model->live_turns, _free () removes it; a flush may hold it a little longer. @index
 * is the number in the chat; for a subagent's turn, @root is the chat's turn. _is_needed () returns
 * whether the turn can still change. */
GadgetLiveTurn *_gadget_live_turn_new                     (GadgetTranscriptModel *model,
                                                           GadgetTurn            *turn,
                                                           guint                  index,
                                                           GadgetTurn            *root);
void            _gadget_live_turn_free                    (GadgetLiveTurn        *live);
gboolean        _gadget_live_turn_is_needed               (GadgetTurn            *turn);
gboolean        _gadget_live_turn_is_last                 (GadgetTranscriptModel *self,
                                                           guint                  index);

/* gadget-transcript-model-nested.c: the rows of subagents, below their calls. */
void            _gadget_transcript_model_listen_to_child  (GadgetTranscriptModel *self,
                                                           GadgetTurn            *child,
                                                           GadgetTurn            *root);
void            _gadget_transcript_model_fold_nested      (GadgetTranscriptModel *self,
                                                           guint                  turn);
void            _gadget_transcript_model_need_child       (GadgetTranscriptModel *self,
                                                           GadgetSession         *session,
                                                           GadgetTurn            *turn,
                                                           GadgetItem            *item);
void            _gadget_transcript_model_drop_nested      (GadgetTranscriptModel *self);

G_END_DECLS
