/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-scopes.h"
#include "gadget-transcript-model.h"

G_BEGIN_DECLS

/* A turn that can still change, the chat's own or a subagent's, and what became of it since the
 * last flush. */
typedef struct
{
  GadgetTranscriptModel *model; /* not owned */
  GadgetTurn *turn;
  guint index;       /* among the chat's; not of a subagent's */
  GadgetTurn *root;  /* (nullable) of a subagent's: the chat's turn that waits for it */
  gboolean folded;   /* it has no rows */
  GPtrArray *items;  /* those listened to */
  GPtrArray *grown;  /* those whose text grew since the last flush */
  gboolean reshaped; /* its rows have to be described anew */
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
  GListModel *providers; /* (nullable) of GadgetProviderConfig */
  GadgetChangeBook *book; /* (nullable) */
  guint n_asks;          /* rows that wait for an answer */
  GArray *entries;       /* of GadgetTurnEntry, one a turn */
  GArray *rows;          /* of GadgetRowSpec */
  GPtrArray *lives;      /* of GadgetLiveTurn, not owned: those of all entries, and the nested */
  GHashTable *expanded;  /* set of items and turns, referenced */
  GHashTable *groups;    /* set of items that begin a group which is unfolded, referenced */
  GHashTable *known;     /* set of items that begin a group which was shown, referenced */
  GHashTable *whole;     /* set of items whose difference is not folded, referenced */
  GadgetScopes *scopes;
  GHashTable *nested;  /* GadgetTurn of a subagent → GadgetLiveTurn: those that can change */
  GHashTable *opening; /* GadgetSession of a subagent, being loaded → GadgetTurn of the chat */
  gboolean dirty;
  gboolean urgent; /* not only did texts grow */
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

/* gadget-transcript-model.c */
void _gadget_transcript_model_mark_dirty       (GadgetTranscriptModel *self,
                                                gboolean               urgent);
void _gadget_transcript_model_emit_row_changed (GadgetTranscriptModel *self,
                                                guint                  position);
void _gadget_transcript_model_emit_load_child  (GadgetTranscriptModel *self,
                                                GadgetSession         *child);

/* gadget-transcript-model-rows.c: which rows a turn has */
void _gadget_transcript_model_add_turn         (GadgetTranscriptModel *self,
                                                GArray                *rows,
                                                guint                  turn,
                                                GadgetTurn            *object);
gsize _gadget_transcript_model_cut             (const GadgetRowSpec   *row,
                                                const char            *text,
                                                gsize                  length,
                                                guint32               *next_context);
void _gadget_transcript_model_add_pieces       (GArray                *rows,
                                                GadgetRowSpec          row,
                                                const char            *text,
                                                gsize                  length);

/* gadget-transcript-model-code.c: long blocks of code are folded */
void _gadget_transcript_model_fold_code        (GArray                *rows,
                                                guint                  first,
                                                GadgetItem            *item);
void _gadget_transcript_model_set_code_open    (const GadgetRowSpec   *row,
                                                GadgetItem            *item,
                                                gboolean               open);

/* gadget-transcript-model-changes.c: rows come, go and grow, and that is told */
int  _gadget_transcript_model_find_turn        (GadgetTranscriptModel *self,
                                                GadgetTurn            *turn);
void _gadget_transcript_model_turns_changed    (GadgetTranscriptModel *self,
                                                guint                  position,
                                                guint                  removed,
                                                guint                  added);
void _gadget_transcript_model_reshape_turn     (GadgetTranscriptModel *self,
                                                guint                  turn);
void _gadget_transcript_model_grow_row         (GadgetTranscriptModel *self,
                                                guint                  position,
                                                const char            *text,
                                                gsize                  length);

/* gadget-transcript-model-live.c: listening to turns that can still change */
GadgetLiveTurn *_gadget_live_turn_new          (GadgetTranscriptModel *model,
                                                GadgetTurn            *turn,
                                                guint                  index,
                                                GadgetTurn            *root);
void            _gadget_live_turn_free         (GadgetLiveTurn        *live);
gboolean        _gadget_live_turn_is_needed    (GadgetTurn            *turn);
gboolean        _gadget_live_turn_is_last      (GadgetTranscriptModel *self,
                                                guint                  index);

/* gadget-transcript-model-nested.c: what subagents do, below their calls */
void _gadget_transcript_model_listen_to_child  (GadgetTranscriptModel *self,
                                                GadgetTurn            *child,
                                                GadgetTurn            *root);
void _gadget_transcript_model_fold_nested      (GadgetTranscriptModel *self,
                                                guint                  turn);
void _gadget_transcript_model_need_child       (GadgetTranscriptModel *self,
                                                guint                  position,
                                                GadgetItem            *item);
void _gadget_transcript_model_drop_nested      (GadgetTranscriptModel *self);

G_END_DECLS
