/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures of the transcript in its states, to be looked at: show-transcript DIR [rtl], under
 * with-display. */

#include "config.h"

#include "gadget-test-ui.h"

#include "common/gadget-clock.h"
#include "transcript/gadget-transcript-private.h"

#include <adwaita.h>

static GadgetTurn *
add_turn (GadgetSession *session, const char *prompt, gint64 started_ago)
{
  g_autofree char *id = g_strdup_printf ("turn-%u", gadget_session_get_n_turns (session));
  GadgetTurn *turn = gadget_turn_new (id, prompt);
  const GadgetTurnRecord record = {
    .status = GADGET_TURN_PROCESSING,
    .started_at = gadget_clock_wall_ms () - started_ago,
  };

  gadget_turn_restore (turn, &record);
  gadget_turn_set_model (turn, "ollama", "qwen3:14b");
  gadget_session_append (session, turn);
  g_object_unref (turn);
  return turn;
}

static GadgetItem *
add_text (GadgetTurn *turn, GadgetItemKind kind, const char *text, GadgetItemStatus status)
{
  GadgetItem *item = gadget_item_new (kind);

  gadget_item_append_text (item, text, -1);
  gadget_item_set_started_at (item, 1000);
  gadget_item_set_ended_at (item, 9500);
  gadget_item_set_status (item, status);
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

static GadgetItem *
add_call (GadgetTurn *turn, const char *name, const char *summary, GadgetItemStatus status,
          const char *output)
{
  GadgetItem *item = gadget_item_new_tool_call (name, name);

  gadget_item_append_arguments (item, "{\"command\": \"meson test stream\"}");
  gadget_item_set_summary (item, summary);
  gadget_item_set_started_at (item, gadget_clock_wall_ms () - 6300);
  if (output != NULL)
    gadget_item_append_text (item, output, -1);
  gadget_item_set_status (item, status);
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

static void
end (GadgetTurn *turn, GadgetTurnStatus status, GadgetStopReason reason, gint64 tokens,
     gint64 seconds)
{
  const gint64 started = gadget_turn_get_started_at (turn);
  GadgetTurnRecord record = {
    .status = status,
    .stop_reason = reason,
    .started_at = started,
    .ended_at = started + seconds * 1000,
    .usage = { .output_tokens = tokens },
  };

  if (status == GADGET_TURN_ERROR)
    {
      record.error_code = "provider/unreachable";
      record.error_detail = "connect 127.0.0.1:11434: Connection refused\n3 attempts in 4.1 s";
    }
  gadget_turn_restore (turn, &record);
}

static GadgetSession *
make_conversation (void)
{
  GadgetSession *session = gadget_session_new ("conversation");
  GadgetTurn *turn = add_turn (
      session, "Cancelling a reply leaves the connection open. Find out why and fix it.", 60000);

  add_call (turn, "read_file", "Read \u2068src/provider/stream.c\u2069 · 214 lines",
            GADGET_ITEM_FINISHED, "static void\n");
  add_call (turn, "shell", "Ran \u2068meson test stream\u2069 · 3.2 s", GADGET_ITEM_FINISHED,
            "1/1 stream  OK  3.01s\n\nOk: 1\nFail: 0\n");
  add_call (turn, "edit_file", "Changed \u2068src/provider/stream.c\u2069", GADGET_ITEM_FINISHED,
            NULL);
  add_text (turn, GADGET_ITEM_TEXT,
            "Cancelling only ended the read. The stream itself was still referenced by ReadState, "
            "so the socket lived until that was freed. It is now closed in two steps:\n\n"
            "• wait until the pending read has returned;\n"
            "• close with a NULL cancellable, then drop the reference.\n",
            GADGET_ITEM_FINISHED);
  end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 2140, 14);

  turn = add_turn (session, "Now add a test that fails if the socket stays open.", 6500);
  gadget_turn_set_phase (turn, GADGET_PHASE_STREAMING);
  add_text (turn, GADGET_ITEM_REASONING, "The test needs a server.\nIt must count connections.",
            GADGET_ITEM_FINISHED);
  add_call (turn, "shell", "Running \u2068meson test --suite abort\u2069", GADGET_ITEM_RUNNING,
            "ninja: Entering directory\n");
  add_text (turn, GADGET_ITEM_TEXT,
            "The test starts a server that counts open connections, cancels after the first token "
            "and expects the count to reach zero within 100 ms. It listens on a free port, so it "
            "can",
            GADGET_ITEM_STREAMING);
  return session;
}

static GadgetSession *
make_aborted (void)
{
  GadgetSession *session = gadget_session_new ("aborted");
  GadgetTurn *turn =
      add_turn (session, "Now add a test that fails if the socket stays open.", 9000);
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);
  guint connection = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "Ollama");
  guint process = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "meson test");

  add_call (turn, "edit_file", "Changed \u2068tests/test-abort.c\u2069", GADGET_ITEM_FINISHED,
            NULL);
  add_call (turn, "shell", "Ran \u2068meson test --suite abort\u2069 · interrupted after 6 s",
            GADGET_ITEM_ABORTED, "ninja: Entering directory\n1/3 abort  RUNNING\n");
  gadget_item_set_result (gadget_turn_get_item (turn, 1), "Interrupted by user");
  add_text (turn, GADGET_ITEM_TEXT,
            "The test starts a server that counts open connections, cancels after the first token "
            "and expects the count to reach zero within 100 ms. It listens on a free port, so it "
            "can",
            GADGET_ITEM_ABORTED);
  gadget_receipt_mark_abort (receipt);
  g_usleep (3000);
  gadget_receipt_end (receipt, connection, "closed", 0);
  g_usleep (9000);
  gadget_receipt_end (receipt, process, "ended", 3);
  gadget_receipt_mark_settled (receipt);
  end (turn, GADGET_TURN_ABORTED, GADGET_STOP_USER, 640, 9);
  return session;
}

/* What comes between prompt and answer: a summary, words of the user, limits. */
static GadgetSession *
make_between (gboolean asks)
{
  GadgetSession *session = gadget_session_new ("between");
  GadgetTurn *turn =
      add_turn (session, "Now add a test that fails if the socket stays open.", 9000);
  const char *choices[] = { "Continue Without This Limit", "Raise the Limit by 20 steps", "Stop",
                            NULL };
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_question ("This turn has reached its limit: 20 steps.", choices, FALSE);
  GadgetItem *note;

  add_text (turn, GADGET_ITEM_SUMMARY, "The user wants streams to be closed at once.",
            GADGET_ITEM_FINISHED);
  add_call (turn, "shell", "Ran \u2068meson test --suite abort\u2069 · 3.2 s", GADGET_ITEM_FINISHED,
            NULL);
  add_text (turn, GADGET_ITEM_STEER, "Leave the other tests alone.", GADGET_ITEM_FINISHED);
  add_text (turn, GADGET_ITEM_TEXT, "Then I add it in a file of its own.", GADGET_ITEM_FINISHED);
  note = add_text (turn, GADGET_ITEM_NOTE, "This turn has reached its limit: 20 steps.",
                   GADGET_ITEM_FINISHED);
  if (asks)
    {
      gadget_item_set_prompt (note, prompt);
      gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
      return session;
    }
  gadget_turn_set_limit (turn, "limit/steps", "20");
  gadget_turn_abort (turn, GADGET_STOP_BUDGET);
  return session;
}

static GadgetSession *
make_limited (void)
{
  return make_between (FALSE);
}

static GadgetSession *
make_limit_asking (void)
{
  return make_between (TRUE);
}

static GadgetSession *
make_failed (void)
{
  GadgetSession *session = gadget_session_new ("failed");
  GadgetTurn *turn = add_turn (session, "Go on.", 4000);

  end (turn, GADGET_TURN_ERROR, GADGET_STOP_NONE, 0, 4);
  turn = add_turn (session, "And then it was closed.", 4000);
  add_text (turn, GADGET_ITEM_TEXT, "The half of an ans", GADGET_ITEM_ABORTED);
  end (turn, GADGET_TURN_ABORTED, GADGET_STOP_INTERRUPTED, 0, 4);
  turn = add_turn (session, "What if the disk is full?", 4000);
  add_text (turn, GADGET_ITEM_TEXT, "Then it says so.", GADGET_ITEM_FINISHED);
  add_text (turn, GADGET_ITEM_NOTE, "The model was changed to llama3:8b.", GADGET_ITEM_FINISHED);
  gadget_turn_set_saved (turn, FALSE);
  end (turn, GADGET_TURN_FINISHED, GADGET_STOP_NONE, 12, 4);
  return session;
}

static GadgetSession *
make_asking (void)
{
  static const char *const choices[] = { "In tests/test-abort.c", "In a file of its own", NULL };
  GadgetSession *session = gadget_session_new ("asking");
  GadgetTurn *turn =
      add_turn (session, "Now add a test that fails if the socket stays open.", 12000);
  g_autoptr (GadgetPrompt) question =
      gadget_prompt_new_question ("Where should the new test go?", choices, TRUE);
  g_autoptr (GadgetPrompt) permission = gadget_prompt_new_permission (
      "shell", "Run this command?", "meson test -C build --suite abort",
      "In ~/Projects/gadget · may write there · no network");
  GadgetItem *item;

  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  item = add_call (turn, "ask_user", "Asking", GADGET_ITEM_RUNNING, NULL);
  gadget_item_set_prompt (item, question);
  item = add_call (turn, "shell", "Run", GADGET_ITEM_PENDING, NULL);
  gadget_item_set_prompt (item, permission);
  return session;
}

static GadgetSession *
make_stubborn (void)
{
  GadgetSession *session = gadget_session_new ("stubborn");
  GadgetTurn *turn = add_turn (session, "Search everything.", 8000);
  GadgetItem *item;

  add_text (turn, GADGET_ITEM_REASONING,
            "First I look at the folder.\nThen at each file, one after the other, which takes",
            GADGET_ITEM_STREAMING);
  item = add_call (turn, "search", "Searching \u2068src\u2069", GADGET_ITEM_RUNNING, NULL);
  gadget_item_set_unresponsive (item, TRUE);
  gadget_turn_set_phase (turn, GADGET_PHASE_ABORTING);
  return session;
}

static void
nothing_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
}

/* What the window offers, so that the buttons can be pressed. */
static void
add_actions (GtkWidget *window)
{
  static const GActionEntry session_entries[] = {
    { .name = "continue", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "edit-prompt", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "retry", .activate = nothing_cb, .parameter_type = "s" },
    { .name = "stop-tool", .activate = nothing_cb, .parameter_type = "(ss)" },
    { .name = "stop-waiting", .activate = nothing_cb, .parameter_type = "(ss)" },
    { .name = "save-again", .activate = nothing_cb, .parameter_type = "s" }
  };
  static const GActionEntry window_entries[] = { { .name = "choose-model", .activate = nothing_cb },
                                                 { .name = "preferences",
                                                   .activate = nothing_cb } };
  g_autoptr (GSimpleActionGroup) session = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) win = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (session), session_entries,
                                   G_N_ELEMENTS (session_entries), NULL);
  g_action_map_add_action_entries (G_ACTION_MAP (win), window_entries,
                                   G_N_ELEMENTS (window_entries), NULL);
  gtk_widget_insert_action_group (window, "session", G_ACTION_GROUP (session));
  gtk_widget_insert_action_group (window, "win", G_ACTION_GROUP (win));
}

static void
show (GadgetSession *session, const char *folder, const char *name, int width, gboolean unfold)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *transcript = gadget_transcript_new ();
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autofree char *file = g_strdup_printf ("%s/%s%s-%s-%d.png", folder, name, unfold ? "-open" : "",
                                           dark ? "dark" : "light", width);
  GtkWidget *window;

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), transcript);
  gadget_transcript_set_session (GADGET_TRANSCRIPT (transcript), session);
  gtk_widget_set_size_request (scrolled, width, -1);
  window = gadget_test_window_new (scrolled, width, 720);
  add_actions (window);
  if (unfold)
    {
      GadgetTranscriptModel *model = GADGET_TRANSCRIPT (transcript)->model;

      for (guint i = gadget_transcript_model_get_n_rows (model); i > 0; i--)
        if (gadget_transcript_model_get_row (model, i - 1)->kind != GADGET_BLOCK_FOOTER)
          gadget_transcript_model_set_expanded (model, i - 1, TRUE);
    }
  gadget_test_wait_frames (window, 4);
  gadget_test_shoot (window, file);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    GadgetSession *(*make) (void);
  } states[] = { { "conversation", make_conversation },
                 { "aborted", make_aborted },
                 { "failed", make_failed },
                 { "limited", make_limited },
                 { "limit-asking", make_limit_asking },
                 { "asking", make_asking },
                 { "stubborn", make_stubborn } };

  if (argc < 2 || !gtk_init_check ())
    return 2;
  if (argc > 2 && g_str_equal (argv[2], "rtl"))
    gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  gadget_test_ui_start ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-font-name",
                "Inter 11", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    for (guint dark = 0; dark < 2; dark++)
      {
        g_autoptr (GadgetSession) session = states[i].make ();

        adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                            dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                 : ADW_COLOR_SCHEME_FORCE_LIGHT);
        show (session, argv[1], states[i].name, 720, FALSE);
        show (session, argv[1], states[i].name, 720, TRUE);
        show (session, argv[1], states[i].name, 360, FALSE);
      }
  return 0;
}
