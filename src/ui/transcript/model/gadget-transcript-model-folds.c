/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Remembers with the session what the user unfolded, so that it is unfolded again when the chat is
 * shown again, also after a restart. Only what differs from the default is remembered: a new entry
 * for each thing that was unfolded, MAX_FOLDS at most. The items of subagents are not remembered,
 * since their chats are only loaded when somebody unfolds their call. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-transcript-model-private.h"
#include "ui/code/gadget-code.h"

#include <string.h>

#define FOLDS_KEY "gadget-transcript-folds"
#define MAX_FOLDS 256
#define MAX_ID 64

/* What is unfolded; the letters are stored. The first calls of a step that were folded as a group
 * although one of them is unfolded have to be told from a group that nobody has seen. */
typedef enum
{
  FOLD_TURN = 't',
  FOLD_ITEM = 'i',
  FOLD_DIFF = 'd',
  FOLD_CODE = 'c',
  FOLD_GROUP = 'g',
  FOLD_CLOSED_GROUP = 'x'
} FoldKind;

typedef struct
{
  char *turn_id;
  guint32 item;  /* number in the turn; 0 for FOLD_TURN */
  guint32 begin; /* where the block of code begins; else 0 */
  FoldKind kind;
} Fold;

static void
clear_fold (gpointer data)
{
  g_free (((Fold *) data)->turn_id);
}

/* Returns the folds of the session, oldest first. (transfer none) (nullable) */
static GArray *
peek_folds (GadgetSession *session)
{
  return g_object_get_data (G_OBJECT (session), FOLDS_KEY);
}

static GArray *
need_folds (GadgetSession *session)
{
  GArray *folds = peek_folds (session);

  if (folds != NULL)
    return folds;
  folds = g_array_new (FALSE, FALSE, sizeof (Fold));
  g_array_set_clear_func (folds, clear_fold);
  g_object_set_data_full (G_OBJECT (session), FOLDS_KEY, folds, (GDestroyNotify) g_array_unref);
  return folds;
}

/* --- Noting ----------------------------------------------------------------------------------- */

static gboolean
is_group (FoldKind kind)
{
  return kind == FOLD_GROUP || kind == FOLD_CLOSED_GROUP;
}

static gboolean
is_same (const Fold *a, const Fold *b)
{
  return (a->kind == b->kind || (is_group (a->kind) && is_group (b->kind))) && a->item == b->item
         && a->begin == b->begin && g_str_equal (a->turn_id, b->turn_id);
}

static void
forget (GArray *folds, const Fold *fold)
{
  for (guint i = folds->len; i > 0; i--)
    if (is_same (&g_array_index (folds, Fold, i - 1), fold))
      g_array_remove_index (folds, i - 1);
}

static void
remember (GArray *folds, const Fold *fold)
{
  Fold copy = *fold;

  if (folds->len == MAX_FOLDS)
    g_array_remove_index (folds, 0);
  copy.turn_id = g_strdup (fold->turn_id);
  g_array_append_val (folds, copy);
}

static FoldKind
get_kind (const GadgetRowSpec *row, gboolean expanded)
{
  if (gadget_row_kind_is_markdown (row->kind))
    return FOLD_CODE;
  if (row->kind == GADGET_ROW_KIND_GROUP)
    return expanded ? FOLD_GROUP : FOLD_CLOSED_GROUP;
  if (row->kind == GADGET_ROW_KIND_DIFF)
    return FOLD_DIFF;
  return gadget_row_kind_is_of_turn (row->kind) ? FOLD_TURN : FOLD_ITEM;
}

/* Notes that the user folded or unfolded what the row can fold. */
void
_gadget_transcript_model_note_fold (GadgetTranscriptModel *self, const GadgetRowSpec *row,
                                    gboolean expanded)
{
  GadgetTurn *turn = _gadget_transcript_model_get_entry (self, row->turn)->turn;
  GArray *folds = need_folds (self->session);
  Fold fold = {
    .turn_id = (char *) gadget_turn_get_id (turn),
    .kind = get_kind (row, expanded),
  };

  if (row->scope > 0)
    return;
  if (fold.kind != FOLD_TURN)
    fold.item = row->item;
  if (fold.kind == FOLD_CODE)
    fold.begin = row->context;
  forget (folds, &fold);
  if (expanded || fold.kind == FOLD_CLOSED_GROUP)
    remember (folds, &fold);
}

/* --- Applying --------------------------------------------------------------------------------- */

static void
apply_to_item (GadgetTranscriptModel *self, const Fold *fold, GadgetTurn *turn, GadgetItem *item)
{
  switch (fold->kind)
    {
    case FOLD_ITEM:
      g_hash_table_add (self->expanded, g_object_ref (item));
      if (gadget_item_get_child_id (item) != NULL)
        g_hash_table_insert (self->unfolded_calls, g_object_ref (item), g_object_ref (turn));
      break;
    case FOLD_DIFF:
      g_hash_table_add (self->unfolded_diffs, g_object_ref (item));
      break;
    case FOLD_CODE:
      gadget_code_set_open (gadget_code_get (item, fold->begin), TRUE);
      break;
    case FOLD_GROUP:
      g_hash_table_add (self->unfolded_groups, g_object_ref (item));
      g_hash_table_add (self->shown_groups, g_object_ref (item));
      break;
    case FOLD_CLOSED_GROUP:
      g_hash_table_add (self->shown_groups, g_object_ref (item));
      break;
    case FOLD_TURN:
    default:
      break;
    }
}

static void
apply_to_turn (GadgetTranscriptModel *self, const GArray *folds, GadgetTurn *turn)
{
  for (guint i = 0; i < folds->len; i++)
    {
      const Fold *fold = &g_array_index (folds, Fold, i);

      if (!g_str_equal (fold->turn_id, gadget_turn_get_id (turn)))
        continue;
      if (fold->kind == FOLD_TURN)
        g_hash_table_add (self->expanded, g_object_ref (turn));
      else if (fold->item < gadget_turn_get_n_items (turn))
        apply_to_item (self, fold, turn, gadget_turn_get_item (turn, fold->item));
    }
}

/* Unfolds what was unfolded when the chat was left. To be called before the rows are computed. */
void
_gadget_transcript_model_apply_folds (GadgetTranscriptModel *self)
{
  const GArray *folds = peek_folds (self->session);
  g_autoptr (GHashTable) turn_ids = NULL;

  if (folds == NULL)
    return;
  turn_ids = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < folds->len; i++)
    g_hash_table_add (turn_ids, g_array_index (folds, Fold, i).turn_id);
  for (guint i = gadget_session_get_n_turns (self->session);
       i > 0 && g_hash_table_size (turn_ids) > 0; i--)
    {
      GadgetTurn *turn = gadget_session_get_turn (self->session, i - 1);

      if (g_hash_table_remove (turn_ids, gadget_turn_get_id (turn)))
        apply_to_turn (self, folds, turn);
    }
}

/**
 * gadget_transcript_model_load_children:
 *
 * Emits "load-child" for the subagents that were unfolded when the chat was left. To be called once
 * after the signal was connected.
 */
void
gadget_transcript_model_load_children (GadgetTranscriptModel *self)
{
  GHashTableIter iter;
  gpointer item, turn;

  g_return_if_fail (GADGET_IS_TRANSCRIPT_MODEL (self));

  g_hash_table_iter_init (&iter, self->unfolded_calls);
  while (g_hash_table_iter_next (&iter, &item, &turn))
    _gadget_transcript_model_need_child (self, self->session, turn, item);
  g_hash_table_remove_all (self->unfolded_calls);
}

/* --- As text ---------------------------------------------------------------------------------- */

/**
 * gadget_transcript_model_dup_folds:
 *
 * Returns: (transfer full) (nullable): what is unfolded in the chat, words separated by spaces;
 *   %NULL when nothing is. Its length does not depend on the length of the chat
 */
char *
gadget_transcript_model_dup_folds (GadgetSession *session)
{
  const GArray *folds;
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (GADGET_IS_SESSION (session), NULL);

  folds = peek_folds (session);
  for (guint i = 0; folds != NULL && i < folds->len; i++)
    {
      const Fold *fold = &g_array_index (folds, Fold, i);

      if (strlen (fold->turn_id) <= MAX_ID)
        g_string_append_printf (text, "%s%c %s %u %u", text->len > 0 ? " " : "", fold->kind,
                                fold->turn_id, fold->item, fold->begin);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static gboolean
parse_fold (char **words, Fold *fold)
{
  guint64 item, begin;

  if (strlen (words[0]) != 1 || strchr ("tidcgx", words[0][0]) == NULL
      || !g_ascii_string_to_unsigned (words[2], 10, 0, G_MAXUINT32, &item, NULL)
      || !g_ascii_string_to_unsigned (words[3], 10, 0, G_MAXUINT32, &begin, NULL))
    return FALSE;
  fold->kind = (FoldKind) words[0][0];
  fold->turn_id = words[1];
  fold->item = (guint32) item;
  fold->begin = (guint32) begin;
  return TRUE;
}

/**
 * gadget_transcript_model_load_folds:
 * @text: from gadget_transcript_model_dup_folds (), possibly of another version; what is invalid is
 *   ignored
 *
 * Stores with the session what is unfolded, unless it has that already. To be called before the
 * model is made.
 */
void
gadget_transcript_model_load_folds (GadgetSession *session, const char *text)
{
  g_auto (GStrv) words = NULL;
  guint n_words;
  Fold fold;

  g_return_if_fail (GADGET_IS_SESSION (session) && text != NULL);

  if (peek_folds (session) != NULL)
    return;
  words = g_strsplit (text, " ", 4 * MAX_FOLDS + 1);
  n_words = g_strv_length (words);
  for (guint i = 0; i + 4 <= MIN (n_words, 4 * MAX_FOLDS); i += 4)
    if (parse_fold (words + i, &fold))
      remember (need_folds (session), &fold);
}
