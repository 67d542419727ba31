/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows at the end of a turn: aborted, interrupted, failed, not saved; and its foot. */

#include "config.h"

#include "transcript-rows-fixture.h"
#include "gadget-test-ui.h"

static void
test_aborted (void)
{
  Fixture fixture;
  GadgetReceipt *receipt;
  guint connection, process;
  GtkWidget *row;

  transcript_rows_set_up (&fixture);
  receipt = gadget_turn_get_receipt (fixture.turn);
  connection = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "Ollama");
  process = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "make");
  gadget_receipt_mark_abort (receipt);
  gadget_receipt_end (receipt, connection, "closed", 0);
  gadget_receipt_end (receipt, process, "killed", 2);
  gadget_receipt_mark_settled (receipt);
  gadget_turn_abort (fixture.turn, GADGET_STOP_USER);
  transcript_rows_frames (&fixture);

  row = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_ABORTED);
  g_assert_true (transcript_rows_has_text (row, "The turn was aborted by you."));
  g_assert_true (transcript_rows_has_text (row, "1 connection, 1 command"));
  g_assert_false (transcript_rows_has_text (row, "Connection to Ollama closed"));
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (row, "Connection to Ollama closed"));
  g_assert_true (transcript_rows_has_text (row, "killed, with 2 child processes"));
  transcript_rows_press (&fixture, row, "Continue", "continue turn-1");
  transcript_rows_press (&fixture, row, "Edit Prompt", "edit-prompt turn-1");
  gtk_test_accessible_assert_property (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_FOOTER),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Aborted");
  transcript_rows_tear_down (&fixture);
}

static void
test_interrupted (void)
{
  Fixture fixture;
  GtkWidget *row;

  transcript_rows_set_up (&fixture);
  gadget_turn_abort (fixture.turn, GADGET_STOP_INTERRUPTED);
  transcript_rows_frames (&fixture);
  row = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_ABORTED);
  g_assert_true (transcript_rows_has_text (row, "Gadget was closed before this turn ended."));
  transcript_rows_press (&fixture, row, "Continue", "continue turn-1");
  transcript_rows_tear_down (&fixture);
}

static void
test_error (void)
{
  Fixture fixture;
  g_autoptr (GListStore) providers = g_list_store_new (GADGET_TYPE_PROVIDER_CONFIG);
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "ollama-2", "Ollama", "openai-chat", "http://127.0.0.1:11434/v1", NULL);
  GtkWidget *row;

  transcript_rows_set_up (&fixture);
  g_list_store_append (providers, config);
  gadget_transcript_set_providers (fixture.transcript, G_LIST_MODEL (providers));
  gadget_turn_set_model (fixture.turn, "ollama-2", "qwen3:14b");
  gadget_turn_fail (fixture.turn, "provider/auth", "401 Unauthorized");
  transcript_rows_frames (&fixture);
  row = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_ERROR);
  g_assert_true (transcript_rows_has_text (row, "Ollama did not accept the key."));
  g_assert_false (transcript_rows_has_text (row, "401 Unauthorized"));
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (row, "401 Unauthorized"));
  g_assert_true (gtk_widget_has_css_class (transcript_rows_find_button (row, "Open Preferences"),
                                           "suggested-action"));
  transcript_rows_press (&fixture, row, "Retry", "retry turn-1");
  transcript_rows_press (&fixture, row, "Open Preferences", "preferences ");
  gtk_test_accessible_assert_property (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_FOOTER),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Failed");
  transcript_rows_tear_down (&fixture);
}

static void
test_unsaved (void)
{
  Fixture fixture;

  transcript_rows_set_up (&fixture);
  gadget_turn_set_saved (fixture.turn, FALSE);
  gadget_turn_finish (fixture.turn);
  transcript_rows_frames (&fixture);
  transcript_rows_press (&fixture, transcript_rows_find_row (&fixture, GADGET_ROW_KIND_UNSAVED),
                         "Retry", "save-again turn-1");
  gadget_turn_set_saved (fixture.turn, TRUE);
  transcript_rows_frames (&fixture);
  g_assert_null (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_UNSAVED));
  transcript_rows_tear_down (&fixture);
}

/* The store has its time to save a turn that has ended, and may not have done it then. */
static void
test_unsaved_late (void)
{
  Fixture fixture;

  transcript_rows_set_up (&fixture);
  gadget_turn_abort (fixture.turn, GADGET_STOP_USER);
  transcript_rows_frames (&fixture);
  g_assert_null (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_UNSAVED));
  gadget_turn_set_saved (fixture.turn, FALSE);
  transcript_rows_frames (&fixture);
  transcript_rows_press (&fixture, transcript_rows_find_row (&fixture, GADGET_ROW_KIND_UNSAVED),
                         "Retry", "save-again turn-1");
  gadget_turn_set_saved (fixture.turn, TRUE);
  transcript_rows_frames (&fixture);
  g_assert_null (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_UNSAVED));
  transcript_rows_tear_down (&fixture);
}

static void
add_words (Fixture *fixture, GadgetItemKind kind, const char *words)
{
  g_autoptr (GadgetItem) item = gadget_item_new (kind);

  gadget_item_append_text (item, words, -1);
  gadget_turn_append (fixture->turn, item);
}

/* What the user said into the turn is as lost as the rest of it. */
static void
test_unsaved_copied (void)
{
  Fixture fixture;
  g_autofree char *copied = NULL;

  transcript_rows_set_up (&fixture);
  add_words (&fixture, GADGET_ITEM_TEXT, "I do this.");
  add_words (&fixture, GADGET_ITEM_STEER, "No,\nthat.");
  add_words (&fixture, GADGET_ITEM_TEXT, "Then that.");
  gadget_turn_set_saved (fixture.turn, FALSE);
  gadget_turn_finish (fixture.turn);
  transcript_rows_frames (&fixture);
  g_signal_emit_by_name (transcript_rows_find_button (
                             transcript_rows_find_row (&fixture, GADGET_ROW_KIND_UNSAVED), "Copy"),
                         "clicked");
  copied = gadget_test_read_clipboard (gtk_widget_get_clipboard (fixture.window));
  g_assert_cmpstr (copied, ==, "Do it.\n\nI do this.\n\n> No,\n> that.\n\nThen that.");
  transcript_rows_tear_down (&fixture);
}

/* The status of the turn, in words, as it goes on. */
static void
test_cost (void)
{
  static const struct
  {
    gint64 cost;
    gboolean estimated;
    const char *text;
  } cases[] = {
    { 12300000000, FALSE, "$12.30" }, { 420000000, FALSE, "$0.42" },
    { 42000000, FALSE, "$0.042" },    { 4200000, TRUE, "at least $0.0042" },
    { 1, FALSE, "$0.000000001" },     { 0, FALSE, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const GadgetUsage usage = { .input_tokens = 640,
                                  .cost = cases[i].cost,
                                  .estimated = cases[i].estimated };
      Fixture fixture;
      GtkWidget *footer;

      transcript_rows_set_up (&fixture);
      gadget_turn_set_usage (fixture.turn, &usage);
      gadget_turn_finish (fixture.turn);
      transcript_rows_frames (&fixture);
      footer = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_FOOTER);
      g_assert_true (transcript_rows_has_text (footer, "640 tokens"));
      if (cases[i].text != NULL)
        g_assert_true (transcript_rows_has_text (footer, cases[i].text));
      else
        g_assert_false (transcript_rows_has_text (footer, "$"));
      transcript_rows_tear_down (&fixture);
    }
}

static void
test_footer (void)
{
  static const struct
  {
    GadgetTurnPhase phase;
    const char *word;
  } phases[] = { { GADGET_PHASE_WAITING, "Working" },
                 { GADGET_PHASE_LOADING, "Loading the model" },
                 { GADGET_PHASE_COMPACTING, "Summarizing earlier messages" },
                 { GADGET_PHASE_ASKING, "Waiting for you" },
                 { GADGET_PHASE_ABORTING, "Aborting…" } };
  Fixture fixture;

  transcript_rows_set_up (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    {
      gadget_turn_set_phase (fixture.turn, phases[i].phase);
      transcript_rows_frames (&fixture);
      g_assert_true (transcript_rows_has_text (
          transcript_rows_find_row (&fixture, GADGET_ROW_KIND_FOOTER), phases[i].word));
      gtk_test_accessible_assert_property (
          transcript_rows_find_row (&fixture, GADGET_ROW_KIND_FOOTER),
          GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, phases[i].word);
    }

  /* Counting down, in whole seconds. */
  gadget_turn_set_retry_at (fixture.turn, gadget_clock_wall_ms () + 11500);
  gadget_turn_set_phase (fixture.turn, GADGET_PHASE_RETRYING);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (
      transcript_rows_find_row (&fixture, GADGET_ROW_KIND_FOOTER), "Waiting for the provider"));
  g_assert_true (
      transcript_rows_has_text (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_FOOTER), "12 s")
      || transcript_rows_has_text (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_FOOTER),
                                   "11 s"));
  transcript_rows_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/transcript-rows/aborted", test_aborted);
  g_test_add_func ("/ui/transcript-rows/interrupted", test_interrupted);
  g_test_add_func ("/ui/transcript-rows/error", test_error);
  g_test_add_func ("/ui/transcript-rows/unsaved", test_unsaved);
  g_test_add_func ("/ui/transcript-rows/unsaved-late", test_unsaved_late);
  g_test_add_func ("/ui/transcript-rows/unsaved-copied", test_unsaved_copied);
  g_test_add_func ("/ui/transcript-rows/footer", test_footer);
  g_test_add_func ("/ui/transcript-rows/cost", test_cost);
  return g_test_run ();
}
