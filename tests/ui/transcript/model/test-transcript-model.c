/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "gadget-test-ui.h"

#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/transcript/model/gadget-transcript-model.h"

/* Keeps a copy of the model by its signals alone, and compares. */
typedef struct
{
  GadgetTranscriptModel *model;
  GArray *rows; /* of GadgetRowSpec */
  guint n_spliced;
  guint n_changed;
} Mirror;

static void
spliced_cb (GListModel *model, guint position, guint removed, guint added, Mirror *mirror)
{
  if (removed > 0)
    g_array_remove_range (mirror->rows, position, removed);
  for (guint i = 0; i < added; i++)
    {
      const GadgetRowSpec row = *gadget_transcript_model_get_row (mirror->model, position + i);

      g_array_insert_val (mirror->rows, position + i, row);
    }
  mirror->n_spliced += removed + added;
}

static void
changed_cb (GadgetTranscriptModel *model, guint position, Mirror *mirror)
{
  g_array_index (mirror->rows, GadgetRowSpec, position) =
      *gadget_transcript_model_get_row (model, position);
  mirror->n_changed++;
}

static void
mirror_init (Mirror *mirror, GadgetSession *session)
{
  *mirror = (Mirror) { .model = gadget_transcript_model_new (session) };
  mirror->rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  spliced_cb (G_LIST_MODEL (mirror->model), 0, 0,
              gadget_transcript_model_get_n_rows (mirror->model), mirror);
  mirror->n_spliced = 0;
  g_signal_connect (mirror->model, "items-changed", G_CALLBACK (spliced_cb), mirror);
  g_signal_connect (mirror->model, "row-changed", G_CALLBACK (changed_cb), mirror);
}

static void
mirror_check (Mirror *mirror)
{
  gadget_transcript_model_flush (mirror->model);
  g_assert_cmpuint (mirror->rows->len, ==, gadget_transcript_model_get_n_rows (mirror->model));
  for (guint i = 0; i < mirror->rows->len; i++)
    {
      const GadgetRowSpec *a = &g_array_index (mirror->rows, GadgetRowSpec, i);
      const GadgetRowSpec *b = gadget_transcript_model_get_row (mirror->model, i);

      g_assert_cmpuint (a->kind, ==, b->kind);
      g_assert_cmpuint (a->item, ==, b->item);
      g_assert_cmpuint (a->start, ==, b->start);
      g_assert_cmpuint (a->end, ==, b->end);
      g_assert_cmpuint (a->context, ==, b->context);
      g_assert_cmpuint (b->turn, <, gadget_transcript_model_get_n_turns (mirror->model));
      g_assert_cmpuint (gadget_transcript_model_get_turn_row (mirror->model, b->turn), <=, i);
    }
}

static void
mirror_clear (Mirror *mirror)
{
  g_signal_handlers_disconnect_by_data (mirror->model, mirror);
  g_assert_finalize_object (mirror->model);
  g_array_unref (mirror->rows);
}

static void
note_row_cb (GadgetTranscriptModel *model, guint position, int *last)
{
  *last = (int) position;
}

/* A piece that has become one in the midst shows its end otherwise, though it ends where it did:
 * without a caret, and with the empty line that follows. */
static void
test_piece_closes (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "Hello");
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GString) line = g_string_new (NULL);
  const gsize length = GADGET_MARKDOWN_SEGMENT_BYTES / 2;
  int last = -1;
  Mirror mirror;

  while (line->len < length - 1)
    g_string_append_c (line, 'x');
  g_string_append_c (line, '\n');
  gadget_turn_append (turn, text);
  gadget_session_append (session, turn);
  mirror_init (&mirror, session);
  gadget_item_append_text (text, line->str, -1);
  gadget_item_append_text (text, line->str, -1);
  mirror_check (&mirror);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (mirror.model), ==, 3);
  g_assert_cmpuint (gadget_transcript_model_get_row (mirror.model, 1)->end, ==, 2 * length);

  g_signal_connect (mirror.model, "row-changed", G_CALLBACK (note_row_cb), &last);
  gadget_item_append_text (text, line->str, -1);
  mirror_check (&mirror);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (mirror.model), ==, 4);
  g_assert_cmpuint (gadget_transcript_model_get_row (mirror.model, 1)->end, ==, 2 * length);
  g_assert_cmpint (last, ==, 1);
  g_signal_handlers_disconnect_by_data (mirror.model, &last);
  mirror_clear (&mirror);
}

static GadgetRowKind
kind_at (Mirror *mirror, guint position)
{
  return gadget_transcript_model_get_row (mirror->model, position)->kind;
}

static void
test_kinds (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "Hello");
  g_autoptr (GadgetItem) reasoning = gadget_item_new (GADGET_ITEM_REASONING);
  g_autoptr (GadgetItem) call = gadget_item_new_tool_call ("c", "shell");
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_permission ("shell", "Run?", "ls", NULL);
  Mirror mirror;

  gadget_session_append (session, turn);
  mirror_init (&mirror, session);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (mirror.model), ==, 2);

  gadget_turn_append (turn, reasoning);
  gadget_turn_append (turn, call);
  gadget_turn_append (turn, text);
  mirror_check (&mirror);
  /* What has no text yet is not there. */
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (mirror.model), ==, 3);
  g_assert_cmpint (kind_at (&mirror, 1), ==, GADGET_ROW_KIND_TOOL);

  gadget_item_append_text (reasoning, "Hm.", -1);
  gadget_item_append_text (text, "So.", -1);
  mirror_check (&mirror);
  g_assert_cmpint (kind_at (&mirror, 1), ==, GADGET_ROW_KIND_REASONING);
  g_assert_cmpint (kind_at (&mirror, 3), ==, GADGET_ROW_KIND_TEXT);

  gadget_item_set_prompt (call, prompt);
  mirror_check (&mirror);
  g_assert_cmpint (kind_at (&mirror, 2), ==, GADGET_ROW_KIND_ASK);
  gadget_item_set_prompt (call, NULL);
  gadget_transcript_model_flush (mirror.model);
  gadget_transcript_model_set_expanded (mirror.model, 1, TRUE);
  mirror_check (&mirror);
  g_assert_cmpint (kind_at (&mirror, 2), ==, GADGET_ROW_KIND_REASONING_TEXT);
  gadget_transcript_model_set_expanded (mirror.model, 1, FALSE);
  mirror_check (&mirror);
  g_assert_cmpint (kind_at (&mirror, 2), ==, GADGET_ROW_KIND_TOOL);

  gadget_turn_abort (turn, GADGET_STOP_USER);
  mirror_check (&mirror);
  g_assert_cmpint (kind_at (&mirror, 4), ==, GADGET_ROW_KIND_ABORTED);
  g_assert_cmpint (kind_at (&mirror, 5), ==, GADGET_ROW_KIND_FOOTER);
  mirror_clear (&mirror);
}

/* A text that streams costs its last piece, however much there is above. */
static void
test_streaming (void)
{
  g_autoptr (GadgetSession) session = gadget_test_session_new (2000, 1);
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "Go on");
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);
  Mirror mirror;

  gadget_session_append (session, turn);
  gadget_turn_append (turn, text);
  mirror_init (&mirror, session);
  for (guint frame = 0; frame < 300; frame++)
    {
      for (guint i = 0; i < 30; i++)
        gadget_item_append_text (text, i == 29 ? "again.\n" : "again ", -1);
      mirror.n_spliced = mirror.n_changed = 0;
      gadget_transcript_model_flush (mirror.model);
      g_assert_cmpuint (mirror.n_spliced, <=, 1);
      g_assert_cmpuint (mirror.n_changed, <=, 1);
    }
  mirror_check (&mirror);
  gadget_item_set_status (text, GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
  mirror_check (&mirror);
  mirror_clear (&mirror);
}

/* Turns replaced, as when a chat is read from disk while it is shown. */
static void
test_turns (void)
{
  g_autoptr (GadgetSession) session = gadget_test_session_new (20, 2);
  g_autoptr (GadgetSession) other = gadget_test_session_new (50, 3);
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);
  Mirror mirror;

  mirror_init (&mirror, session);
  mirror_check (&mirror);
  for (guint i = 0; i < 50; i++)
    g_ptr_array_add (turns, g_object_ref (gadget_session_get_turn (other, i)));
  gadget_session_set_turns (session, turns);
  mirror_check (&mirror);
  g_assert_cmpuint (gadget_transcript_model_get_n_turns (mirror.model), ==, 50);
  for (guint i = 0; i < gadget_transcript_model_get_n_rows (mirror.model); i++)
    {
      g_autoptr (GadgetRowData) data = g_list_model_get_item (G_LIST_MODEL (mirror.model), i);
      const guint turn = gadget_transcript_model_get_row (mirror.model, i)->turn;

      g_assert_true (gadget_row_data_get_turn (data) == gadget_session_get_turn (session, turn));
    }
  mirror_clear (&mirror);
}

/* Removes the turn at *@index, once. */
static void
remove_turn_cb (GadgetTranscriptModel *model, guint position, int *index)
{
  const int turn = *index;

  *index = -1;
  if (turn >= 0)
    gadget_session_remove_turn (gadget_transcript_model_get_session (model), (guint) turn);
}

/* Two turns have grown. While the first one is flushed a listener removes a turn: this one, or the
 * one that would be flushed next. */
static void
test_turn_goes_in_flush (void)
{
  for (int index = 0; index < 2; index++)
    {
      g_autoptr (GadgetSession) session = gadget_session_new ("s");
      GadgetItem *texts[2];
      int remove = index;
      Mirror mirror;

      for (guint i = 0; i < 2; i++)
        {
          g_autofree char *id = g_strdup_printf ("turn-%u", i);
          g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "Go on");

          texts[i] = gadget_item_new (GADGET_ITEM_TEXT);
          gadget_turn_append (turn, texts[i]);
          gadget_item_append_text (texts[i], "one", -1);
          gadget_session_append (session, turn);
        }
      mirror_init (&mirror, session);
      for (guint i = 0; i < 2; i++)
        gadget_item_append_text (texts[i], " two", -1);
      g_signal_connect (mirror.model, "row-changed", G_CALLBACK (remove_turn_cb), &remove);
      mirror_check (&mirror);
      g_assert_cmpuint (gadget_transcript_model_get_n_turns (mirror.model), ==, 1);
      gadget_item_append_text (texts[1 - index], " three", -1);
      mirror_check (&mirror);
      g_signal_handlers_disconnect_by_data (mirror.model, &remove);
      mirror_clear (&mirror);
      g_clear_object (&texts[0]);
      g_clear_object (&texts[1]);
    }
}

/* The rows of a subagent come behind its call, live, and go with a fold. */
static void
test_subagent (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "go");
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetTurn) child_turn = gadget_turn_new ("child-turn", "do it");
  g_autoptr (GadgetItem) call = gadget_item_new_tool_call ("c", "task");
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetItem) ask = gadget_item_new_tool_call ("q", "ask_user");
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_question ("Which?", NULL, TRUE);
  Mirror mirror;

  gadget_item_set_status (call, GADGET_ITEM_RUNNING);
  gadget_turn_append (turn, call);
  gadget_session_append (session, turn);
  gadget_session_append (child, child_turn);
  mirror_init (&mirror, session);
  gadget_item_set_child_ids (call, "child", "child-turn");
  gadget_item_set_child (call, child);
  gadget_turn_append (child_turn, text);
  gadget_item_append_text (text, "one", -1);
  mirror_check (&mirror);
  g_assert_cmpuint (mirror.rows->len, ==, 3);

  gadget_transcript_model_set_expanded (mirror.model, 1, TRUE);
  mirror_check (&mirror);
  g_assert_cmpuint (mirror.rows->len, ==, 4);
  g_assert_cmpuint (gadget_transcript_model_get_depth (mirror.model, 1), ==, 0);
  g_assert_cmpuint (gadget_transcript_model_get_depth (mirror.model, 2), ==, 1);
  g_assert_true (gadget_transcript_model_get_item (mirror.model, 2) == text);
  g_assert_true (gadget_transcript_model_get_turn (mirror.model, 2) == child_turn);
  gadget_item_append_text (text, " two", -1);
  mirror_check (&mirror);
  g_assert_cmpuint (gadget_transcript_model_get_row (mirror.model, 2)->end, ==, 7);

  /* What is waited for is unfolded, and found. */
  gadget_transcript_model_set_expanded (mirror.model, 1, FALSE);
  mirror_check (&mirror);
  g_assert_cmpuint (mirror.rows->len, ==, 3);
  gadget_turn_append (child_turn, ask);
  gadget_item_set_prompt (ask, prompt);
  gadget_item_set_asking (call, TRUE);
  mirror_check (&mirror);
  g_assert_cmpint (gadget_transcript_model_find_ask (mirror.model, -1), ==, 3);
  gadget_item_set_prompt (ask, NULL);
  gadget_item_set_asking (call, FALSE);
  gadget_turn_finish (child_turn);
  mirror_check (&mirror);
  g_assert_cmpint (gadget_transcript_model_find_ask (mirror.model, -1), ==, -1);
  g_assert_cmpuint (mirror.rows->len, ==, 5);
  mirror_clear (&mirror);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/transcript-model/kinds", test_kinds);
  g_test_add_func ("/ui/transcript-model/streaming", test_streaming);
  g_test_add_func ("/ui/transcript-model/turns", test_turns);
  g_test_add_func ("/ui/transcript-model/turn-goes-in-flush", test_turn_goes_in_flush);
  g_test_add_func ("/ui/transcript-model/subagent", test_subagent);
  g_test_add_func ("/ui/transcript-model/piece-closes", test_piece_closes);
  return g_test_run ();
}
