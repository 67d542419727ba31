/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Remembers where each chat was left: the row at the top, identified by what it shows, since rows
 * are added and removed while the chat is not shown. A chat that was left at its end is shown from
 * its end. The position is kept with the session object, as what is unfolded in the chat is (see
 * model/gadget-transcript-model-folds.c); as text both can be kept longer than the session is in
 * memory. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

#include <string.h>

#define POSITION_KEY "gadget-transcript-position"

/* A row of the model and where its slot began. The number of the turn in the row is not used. */
typedef struct
{
  char *turn_id;
  char *call_id; /* (nullable): instead of @row, the call whose row is shown */
  GadgetRowSpec row;
  double y;
} Position;

static void
position_free (gpointer data)
{
  Position *position = data;

  g_free (position->turn_id);
  g_free (position->call_id);
  g_free (position);
}

/* Called before the chat is replaced by another one. */
void
_gadget_transcript_save_position (GadgetTranscript *self)
{
  GObject *session = G_OBJECT (gadget_transcript_model_get_session (self->model));
  Position *position = NULL;

  if (!self->following && self->anchor < gadget_transcript_model_get_n_rows (self->model))
    {
      position = g_new0 (Position, 1);
      position->turn_id =
          g_strdup (gadget_turn_get_id (_gadget_transcript_get_turn_of (self, self->anchor)));
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

/* Returns the number of the item with a call, or -1. */
static int
find_call (GadgetTurn *turn, const char *call_id)
{
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    if (g_strcmp0 (gadget_item_get_call_id (gadget_turn_get_item (turn, i)), call_id) == 0)
      return (int) i;
  return -1;
}

/* Returns the row of a call, or of the group that it is folded in: that of the last item up to it.
 */
static guint
find_call_row (GadgetTranscript *self, GadgetTurn *turn, const char *call_id, guint first,
               guint end)
{
  const int item = find_call (turn, call_id);
  guint found = first;
  int found_item = 0;

  for (guint i = first; i < end; i++)
    {
      const GadgetRowSpec *row = gadget_transcript_model_get_row (self->model, i);

      if (row->scope != 0 || (int) row->item > item || (int) row->item <= found_item)
        continue;
      found = i;
      found_item = (int) row->item;
    }
  return found;
}

/* Called when the chat is shown. */
void
_gadget_transcript_restore_position (GadgetTranscript *self)
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
  if (position->call_id != NULL)
    first = find_call_row (self, gadget_transcript_model_get_turn (self->model, (guint) turn),
                           position->call_id, first, end);
  for (guint i = first; position->call_id == NULL && i < end; i++)
    if (shows_same (gadget_transcript_model_get_row (self->model, i), &position->row))
      {
        _gadget_transcript_scroll_to (self, i, position->y);
        return;
      }
  /* The row does not exist any more, for example because its group is folded again; the turn is
   * shown. */
  _gadget_transcript_scroll_to (self, first, 0);
}

/* --- As text ---------------------------------------------------------------------------------- */

/* The version of the format of the position. In the first texts of this version the kind of the row
 * is a number, which is the name of no kind: their position is the beginning of the turn. */
#define FORMAT "1"
#define MAX_ID 64
/* The name of no row kind. */
#define NO_KIND "-"

static char *
dup_position (const Position *position)
{
  char y[G_ASCII_DTOSTR_BUF_SIZE];

  if (position == NULL || strlen (position->turn_id) > MAX_ID)
    return g_strdup ("");
  /* The rows of a subagent come only when its chat is loaded again, so their position is only the
   * turn. */
  return g_strdup_printf (FORMAT " %s %s %u %u %s", position->turn_id,
                          position->row.scope == 0 && position->row.kind < GADGET_N_ROW_KINDS
                              ? gadget_row_kind_to_string (position->row.kind)
                              : NO_KIND,
                          (guint) position->row.item, position->row.start,
                          g_ascii_formatd (y, sizeof y, "%.1f", position->y));
}

/**
 * gadget_transcript_dup_view:
 *
 * Returns: (transfer full) (nullable): where the chat is scrolled to now and what is unfolded in
 * it; %NULL at its end, when nothing is unfolded. At most some kilobytes, however long the chat is
 */
char *
gadget_transcript_dup_view (GadgetTranscript *self)
{
  GadgetSession *session;
  g_autofree char *position = NULL;
  g_autofree char *folds = NULL;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self) && self->model != NULL, NULL);

  _gadget_transcript_save_position (self);
  session = gadget_transcript_model_get_session (self->model);
  position = dup_position (g_object_get_data (G_OBJECT (session), POSITION_KEY));
  folds = gadget_transcript_model_dup_folds (session);
  if (folds != NULL)
    return g_strconcat (position, "\n", folds, NULL);
  return *position != '\0' ? g_steal_pointer (&position) : NULL;
}

static void
load_position (GadgetSession *session, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 7);
  guint64 numbers[2] = { 0 };
  Position *position;

  if (g_strv_length (words) != 6 || !g_str_equal (words[0], FORMAT)
      || g_object_get_data (G_OBJECT (session), POSITION_KEY) != NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!g_ascii_string_to_unsigned (words[3 + i], 10, 0, G_MAXUINT, &numbers[i], NULL))
      return;
  position = g_new0 (Position, 1);
  position->turn_id = g_strdup (words[1]);
  position->row.kind = gadget_row_kind_from_string (words[2]) & 0x1f;
  position->row.item = numbers[0] & 0xffffff;
  position->row.start = (guint32) numbers[1];
  position->y = CLAMP (g_ascii_strtod (words[5], NULL), -1e6, 1e6);
  g_object_set_data_full (G_OBJECT (session), POSITION_KEY, position, position_free);
}

/**
 * gadget_transcript_load_view:
 * @text: from gadget_transcript_dup_view (), possibly of another version; invalid text is ignored
 *
 * Stores with the session where it is scrolled to and what is unfolded, unless it has these
 * already. To be called before the chat is shown.
 */
void
gadget_transcript_load_view (GadgetSession *session, const char *text)
{
  g_auto (GStrv) lines = NULL;

  g_return_if_fail (GADGET_IS_SESSION (session) && text != NULL);

  lines = g_strsplit (text, "\n", 2);
  if (lines[0] == NULL)
    return;
  load_position (session, lines[0]);
  if (lines[1] != NULL)
    gadget_transcript_model_load_folds (session, lines[1]);
}

/**
 * gadget_transcript_begin_at:
 * @call_id: (nullable): a call in the turn; %NULL for its beginning
 *
 * The chat will be shown from a call or the beginning of a turn, also if its turns are not loaded
 * yet. To be called before it is shown.
 */
void
gadget_transcript_begin_at (GadgetSession *session, const char *turn_id, const char *call_id)
{
  Position *position;

  g_return_if_fail (GADGET_IS_SESSION (session) && turn_id != NULL);

  position = g_new0 (Position, 1);
  position->turn_id = g_strdup (turn_id);
  position->call_id = g_strdup (call_id);
  position->row.kind = gadget_row_kind_from_string (NO_KIND) & 0x1f;
  g_object_set_data_full (G_OBJECT (session), POSITION_KEY, position, position_free);
}

/**
 * gadget_transcript_show_call:
 *
 * Scrolls so that a call of that turn of the chat is at the top; the beginning of the turn if it
 * has no such call.
 */
void
gadget_transcript_show_call (GadgetTranscript *self, const char *turn_id, const char *call_id)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self) && self->model != NULL && call_id != NULL);

  gadget_transcript_begin_at (gadget_transcript_model_get_session (self->model), turn_id, call_id);
  _gadget_transcript_restore_position (self);
}
