/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where each chat was left, as long as it is in memory: the row at the top, by what it shows, since
 * rows come and go while the chat is out of sight. One that was left at its end is shown from its
 * end. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

#define POSITION_KEY "gadget-transcript-position"

typedef struct
{
  char *turn_id;
  GadgetRowSpec row;
  double y;
} Position;

static void
position_free (gpointer data)
{
  Position *position = data;

  g_free (position->turn_id);
  g_free (position);
}

/* The chat is about to go out of sight. */
void
_gadget_transcript_keep_position (GadgetTranscript *self)
{
  GObject *session = G_OBJECT (gadget_transcript_model_get_session (self->model));
  Position *position = NULL;
  gboolean last;

  if (!self->following && self->anchor < gadget_transcript_model_get_n_rows (self->model))
    {
      position = g_new0 (Position, 1);
      position->turn_id = g_strdup (
          gadget_turn_get_id (_gadget_transcript_get_turn_of (self, self->anchor, &last)));
      position->row = *gadget_transcript_model_get_row (self->model, self->anchor);
      position->y = self->anchor_y;
    }
  g_object_set_data_full (session, POSITION_KEY, position, position_free);
}

static gboolean
shows_same (const GadgetRowSpec *a, const GadgetRowSpec *b)
{
  return a->kind == b->kind && a->item == b->item && a->scope == b->scope && a->start <= b->start
         && b->start < MAX (a->end, a->start + 1);
}

/* The chat has come into sight. */
void
_gadget_transcript_find_position (GadgetTranscript *self)
{
  GadgetSession *session = gadget_transcript_model_get_session (self->model);
  const Position *position = g_object_get_data (G_OBJECT (session), POSITION_KEY);
  const int turn = position != NULL ? gadget_session_find_turn (session, position->turn_id) : -1;
  guint first, end;

  if (turn < 0)
    return;
  first = gadget_transcript_model_get_turn_row (self->model, (guint) turn);
  end = (guint) turn + 1 < gadget_transcript_model_get_n_turns (self->model)
            ? gadget_transcript_model_get_turn_row (self->model, (guint) turn + 1)
            : gadget_transcript_model_get_n_rows (self->model);
  for (guint i = first; i < end; i++)
    if (shows_same (gadget_transcript_model_get_row (self->model, i), &position->row))
      {
        _gadget_transcript_scroll_to (self, i, position->y);
        return;
      }
  /* What was unfolded is folded again. */
  _gadget_transcript_scroll_to (self, first, 0);
}
