/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "gadget-test-ui.h"
#include "test-window.h"

#include "common/gadget-clock.h"
#include "providers/gadget-provider-config.h"
#include "transcript/gadget-ask-row.h"
#include "transcript/gadget-text-piece-private.h"
#include "transcript/gadget-transcript-private.h"

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GtkWidget *window;
  GadgetTranscript *transcript;
  char *activated; /* the last action and its target */
} Fixture;

static void
activate_cb (GSimpleAction *action, GVariant *parameter, Fixture *fixture)
{
  const char *session = "";
  const char *id = "";

  if (parameter != NULL && g_variant_is_of_type (parameter, G_VARIANT_TYPE ("(ss)")))
    g_variant_get (parameter, "(&s&s)", &session, &id);
  else if (parameter != NULL)
    id = g_variant_get_string (parameter, NULL);
  g_free (fixture->activated);
  fixture->activated = g_strconcat (g_action_get_name (G_ACTION (action)), " ", session,
                                    *session != '\0' ? "/" : "", id, NULL);
}

static void
add_action (GSimpleActionGroup *group, const char *name, Fixture *fixture)
{
  const gboolean is_window = strstr ("choose-model preferences new-chat", name) != NULL;
  g_autoptr (GSimpleAction) action =
      g_simple_action_new (name, is_window                        ? NULL
                                 : strstr (name, "stop-") != NULL ? G_VARIANT_TYPE ("(ss)")
                                                                  : G_VARIANT_TYPE_STRING);

  g_signal_connect (action, "activate", G_CALLBACK (activate_cb), fixture);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
}

static void
set_up (Fixture *fixture)
{
  static const char *const session_actions[] = { "continue",  "edit-prompt",  "retry",
                                                 "stop-tool", "stop-waiting", "save-again" };
  static const char *const window_actions[] = { "choose-model", "preferences", "new-chat" };
  g_autoptr (GSimpleActionGroup) session = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) window = g_simple_action_group_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  *fixture = (Fixture) { .session = gadget_session_new ("s"),
                         .turn = gadget_turn_new ("turn-1", "Do it.") };
  gadget_session_append (fixture->session, fixture->turn);
  fixture->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (fixture->transcript));
  gadget_transcript_set_session (fixture->transcript, fixture->session);
  fixture->window = gadget_test_window_new (scrolled, 720, 600);
  for (guint i = 0; i < G_N_ELEMENTS (session_actions); i++)
    add_action (session, session_actions[i], fixture);
  for (guint i = 0; i < G_N_ELEMENTS (window_actions); i++)
    add_action (window, window_actions[i], fixture);
  gtk_widget_insert_action_group (fixture->window, "session", G_ACTION_GROUP (session));
  gtk_widget_insert_action_group (fixture->window, "win", G_ACTION_GROUP (window));
}

static void
tear_down (Fixture *fixture)
{
  GtkWidget *transcript = GTK_WIDGET (fixture->transcript);

  g_object_add_weak_pointer (G_OBJECT (transcript), (gpointer *) &transcript);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (transcript);
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->turn);
  g_free (fixture->activated);
}

static void
frames (Fixture *fixture)
{
  gadget_test_wait_frames (fixture->window, 3);
}

static GtkWidget *
find_row (Fixture *fixture, GadgetBlockKind kind)
{
  GadgetTranscriptModel *model = fixture->transcript->model;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind == kind)
      {
        GadgetRealised *row = _gadget_transcript_get_realised (fixture->transcript, i);

        return row != NULL ? GTK_WIDGET (row->widget) : NULL;
      }
  return NULL;
}

/* The button in @widget whose accessible name, or label, is @label, if it can be seen. */
static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  if (GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), label) == 0)
    {
      GtkWidget *button = gtk_widget_get_ancestor (widget, GTK_TYPE_BUTTON);

      return button != NULL && gtk_widget_get_mapped (button) ? button : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_text (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL)
    return gtk_widget_get_mapped (widget);
  if (GADGET_IS_TEXT_PIECE (widget)
      && strstr (gadget_text_piece_get_text (GADGET_TEXT_PIECE (widget)), text) != NULL)
    return gtk_widget_get_mapped (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_text (child, text))
      return TRUE;
  return FALSE;
}

static void
press (Fixture *fixture, GtkWidget *row, const char *label, const char *expected)
{
  GtkWidget *button;

  g_assert_nonnull (row);
  button = find_button (row, label);
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_sensitive (button));
  g_clear_pointer (&fixture->activated, g_free);
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpstr (fixture->activated, ==, expected);
}

static GadgetItem *
add_call (Fixture *fixture, GadgetItemStatus status)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call-1", "shell");

  /* A step of its own: several calls of one would be a group. */
  gadget_item_set_step (item, gadget_turn_get_n_items (fixture->turn));
  gadget_item_set_summary (item, "Running \u2068make\u2069");
  gadget_item_set_status (item, status);
  gadget_turn_append (fixture->turn, item);
  return item;
}

static void
test_tool (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;
  GadgetItem *item;
  GtkWidget *row;

  set_up (&fixture);
  item = add_call (&fixture, GADGET_ITEM_RUNNING);
  gadget_item_append_text (item, "cc -c a.c\n", -1);
  frames (&fixture);
  row = find_row (&fixture, GADGET_BLOCK_TOOL);
  press (&fixture, row, "Stop", "stop-tool call-1");
  gadget_transcript_select_all (fixture.transcript);
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_cmpstr (text, ==, "Do it.\n\nRunning make");
  gadget_transcript_unselect (fixture.transcript);
  g_assert_null (find_row (&fixture, GADGET_BLOCK_TOOL_OUTPUT));

  /* Live output, opened. */
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  frames (&fixture);
  g_assert_true (has_text (find_row (&fixture, GADGET_BLOCK_TOOL_OUTPUT), "cc -c a.c"));
  gadget_item_append_text (item, "cc -c b.c\n", -1);
  frames (&fixture);
  g_assert_true (has_text (find_row (&fixture, GADGET_BLOCK_TOOL_OUTPUT), "b.c"));

  /* While aborting there is no Stop; after 3 s there is a warning. */
  gadget_turn_set_phase (fixture.turn, GADGET_PHASE_ABORTING);
  frames (&fixture);
  g_assert_null (find_button (row, "Stop"));
  gadget_item_set_unresponsive (item, TRUE);
  frames (&fixture);
  g_assert_true (has_text (row, "has not stopped for 3 s"));
  press (&fixture, row, "Stop Waiting", "stop-waiting call-1");
  gadget_item_set_unresponsive (item, FALSE);
  gadget_item_set_status (item, GADGET_ITEM_ABORTED);
  frames (&fixture);
  g_assert_null (find_button (row, "Stop Waiting"));
  g_assert_true (has_text (row, "interrupted"));
  tear_down (&fixture);
}

static int
get_least_width (GtkWidget *widget)
{
  int width;

  g_assert_nonnull (widget);
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  return width;
}

/* The name of a tool is one word, which a narrow window has no line for. */
static void
test_long_tool_name (void)
{
  g_autofree char *name = g_strnfill (120, 'x');
  g_autofree char *label = g_strdup_printf ("Allow \u2068%s\u2069 in This Chat", name);
  g_autoptr (GadgetItem) deaf = gadget_item_new_tool_call ("call-2", name);
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_permission (name, "Do this?", "it", NULL);
  Fixture fixture;

  set_up (&fixture);
  gadget_prompt_add_choice (prompt, GADGET_PROMPT_ALLOW_SESSION, label);
  gadget_item_set_prompt (add_call (&fixture, GADGET_ITEM_RUNNING), prompt);
  frames (&fixture);
  g_assert_cmpint (get_least_width (find_row (&fixture, GADGET_BLOCK_ASK)), <=, 330);
  gadget_item_set_prompt (gadget_turn_get_item (fixture.turn, 0), NULL);
  tear_down (&fixture);

  set_up (&fixture);
  gadget_item_set_summary (deaf, "Running");
  gadget_item_set_status (deaf, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture.turn, deaf);
  gadget_item_set_unresponsive (deaf, TRUE);
  frames (&fixture);
  g_assert_true (has_text (find_row (&fixture, GADGET_BLOCK_TOOL), name));
  g_assert_cmpint (get_least_width (find_row (&fixture, GADGET_BLOCK_TOOL)), <=, 330);
  tear_down (&fixture);
}

static gboolean
is_long_piece (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_TEXT_PIECE (widget)
         && strstr (gadget_text_piece_get_text (GADGET_TEXT_PIECE (widget)), user_data) != NULL;
}

/* All of @tail, which a long line ends with, can be read. */
static void
assert_tail_seen (Fixture *fixture, const char *tail)
{
  GtkWidget *piece = test_find (fixture->window, is_long_piece, (gpointer) tail);
  PangoLayout *layout;
  const char *text;
  PangoRectangle before, after;
  int width;

  g_assert_nonnull (piece);
  text = gadget_text_piece_get_text (GADGET_TEXT_PIECE (piece));
  g_assert_true (g_str_has_suffix (text, tail));
  layout = _gadget_text_piece_get_layout (GADGET_TEXT_PIECE (piece));
  g_assert_true (pango_layout_is_ellipsized (layout));
  /* What keeps the code apart from the words is not seen. */
  g_assert_null (strstr (pango_layout_get_text (layout), "\uFFFD"));
  pango_layout_index_to_pos (layout, (int) (strlen (text) - strlen (tail)), &before);
  pango_layout_index_to_pos (layout, (int) strlen (text) - 1, &after);
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_assert_cmpint (width, <=, gtk_widget_get_width (piece));
  /* Bytes that are left out are all at one place. */
  g_assert_cmpint (after.x - before.x, >, (int) (strlen (tail) - 2) * 3 * PANGO_SCALE);
}

/* A long command gives way to how long it has taken. */
static void
test_long_command (void)
{
  Fixture fixture;
  g_autofree char *command = g_strnfill (600, 'x');
  g_autofree char *running = g_strdup_printf ("Running \u2068make %s\u2069", command);
  g_autofree char *ran = g_strdup_printf ("Ran \u2068make %s\u2069 · 75 s", command);
  GadgetItem *item;

  set_up (&fixture);
  item = add_call (&fixture, GADGET_ITEM_RUNNING);
  gadget_item_set_summary (item, running);
  /* Far from the next minute, whatever this machine is busy with. */
  gadget_item_set_started_at (item, gadget_clock_wall_ms () - 62 * 1000);
  frames (&fixture);
  assert_tail_seen (&fixture, gadget_text_piece_get_text (GADGET_TEXT_PIECE (test_find (
                                  fixture.window, is_long_piece, (gpointer) " · 1 min ")))
                                  + strlen (running));
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_item_set_summary (item, ran);
  frames (&fixture);
  assert_tail_seen (&fixture, " · 75 s");
  tear_down (&fixture);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **answer = user_data;

  *answer = gadget_prompt_wait_finish (GADGET_PROMPT (source), result, NULL);
}

static char *
ask (Fixture *fixture, GadgetPrompt *prompt, void (*reply) (Fixture *fixture, GtkWidget *row))
{
  GadgetItem *item = add_call (fixture, GADGET_ITEM_PENDING);
  GtkWidget *row;
  char *answer = NULL;

  gadget_prompt_wait_async (prompt, NULL, answered_cb, &answer);
  gadget_item_set_prompt (item, prompt);
  frames (fixture);
  row = find_row (fixture, GADGET_BLOCK_ASK);
  g_assert_nonnull (row);
  /* The focus is offered, not taken. */
  g_assert_null (gtk_widget_get_focus_child (row));
  reply (fixture, row);
  while (answer == NULL)
    g_main_context_iteration (NULL, TRUE);
  gadget_item_set_prompt (item, NULL);
  frames (fixture);
  g_assert_null (find_row (fixture, GADGET_BLOCK_ASK));
  g_assert_nonnull (find_row (fixture, GADGET_BLOCK_TOOL));
  return answer;
}

static void
reply_button (Fixture *fixture, GtkWidget *row)
{
  g_signal_emit_by_name (find_button (row, "In a new file"), "clicked");
}

static void
reply_text (Fixture *fixture, GtkWidget *row)
{
  GtkWidget *focus;

  g_signal_emit_by_name (find_button (row, "Something Else…"), "clicked");
  frames (fixture);
  focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  g_assert_true (GTK_IS_TEXT (focus));
  gtk_editable_set_text (GTK_EDITABLE (focus), "  Nowhere ");
  g_signal_emit_by_name (focus, "activate");
}

static void
reply_run (Fixture *fixture, GtkWidget *row)
{
  g_assert_true (gadget_transcript_focus_ask (fixture->transcript));
  /* What would be done comes first. */
  g_assert_true (GTK_IS_SCROLLED_WINDOW (gtk_window_get_focus (GTK_WINDOW (fixture->window))));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)), row));
  g_signal_emit_by_name (find_button (row, "Allow Once"), "clicked");
}

static void
reply_deny (Fixture *fixture, GtkWidget *row)
{
  g_signal_emit_by_name (find_button (row, "Deny"), "clicked");
}

static void
test_ask (void)
{
  static const char *const choices[] = { "In the old file", "In a new file", NULL };
  g_autoptr (GadgetPrompt) first = gadget_prompt_new_question ("Where?", choices, FALSE);
  g_autoptr (GadgetPrompt) second = gadget_prompt_new_question ("Where?", choices, TRUE);
  g_autoptr (GadgetPrompt) third =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", "In ~");
  g_autoptr (GadgetPrompt) fourth =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", NULL);
  g_autofree char *answer = NULL;
  Fixture fixture;

  set_up (&fixture);
  g_assert_false (gadget_transcript_focus_ask (fixture.transcript));
  answer = ask (&fixture, first, reply_button);
  g_assert_cmpstr (answer, ==, "In a new file");
  g_free (answer);
  answer = ask (&fixture, second, reply_text);
  g_assert_cmpstr (answer, ==, "Nowhere");
  g_free (answer);
  answer = ask (&fixture, third, reply_run);
  g_assert_cmpstr (answer, ==, GADGET_PROMPT_ALLOW);
  g_free (answer);
  answer = ask (&fixture, fourth, reply_deny);
  g_assert_cmpstr (answer, ==, GADGET_PROMPT_DENY);
  tear_down (&fixture);
}

/* A card out of sight is known of, and can be fetched. */
static void
test_ask_hidden (void)
{
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", NULL);
  Fixture fixture;
  GadgetItem *item;
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);

  set_up (&fixture);
  for (guint i = 0; i < 200; i++)
    gadget_item_append_text (text, "A line of the answer.\n", -1);
  gadget_turn_append (fixture.turn, text);
  item = add_call (&fixture, GADGET_ITEM_PENDING);
  gadget_item_set_prompt (item, prompt);
  frames (&fixture);
  g_assert_false (gadget_transcript_get_ask_hidden (fixture.transcript));
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 4);
  frames (&fixture);
  g_assert_true (gadget_transcript_get_ask_hidden (fixture.transcript));
  g_assert_true (gadget_transcript_focus_ask (fixture.transcript));
  frames (&fixture);
  g_assert_false (gadget_transcript_get_ask_hidden (fixture.transcript));

  /* What has the focus stays, even if it is scrolled away. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 4);
  frames (&fixture);
  g_assert_nonnull (find_row (&fixture, GADGET_BLOCK_ASK));
  g_assert_nonnull (gtk_widget_get_focus_child (GTK_WIDGET (fixture.transcript)));
  gadget_item_set_prompt (item, NULL);
  frames (&fixture);
  g_assert_false (gadget_transcript_get_ask_hidden (fixture.transcript));
  g_assert_true (gtk_widget_is_focus (GTK_WIDGET (fixture.transcript)));
  tear_down (&fixture);
}

static void
test_aborted (void)
{
  Fixture fixture;
  GadgetReceipt *receipt;
  guint connection, process;
  GtkWidget *row;

  set_up (&fixture);
  receipt = gadget_turn_get_receipt (fixture.turn);
  connection = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "Ollama");
  process = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "make");
  gadget_receipt_mark_abort (receipt);
  gadget_receipt_end (receipt, connection, "closed", 0);
  gadget_receipt_end (receipt, process, "killed", 2);
  gadget_receipt_mark_settled (receipt);
  gadget_turn_abort (fixture.turn, GADGET_STOP_USER);
  frames (&fixture);

  row = find_row (&fixture, GADGET_BLOCK_ABORTED);
  g_assert_true (has_text (row, "The turn was aborted by you."));
  g_assert_true (has_text (row, "1 connection, 1 command"));
  g_assert_false (has_text (row, "Connection to Ollama closed"));
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  frames (&fixture);
  g_assert_true (has_text (row, "Connection to Ollama closed"));
  g_assert_true (has_text (row, "killed, with 2 child processes"));
  press (&fixture, row, "Continue", "continue turn-1");
  press (&fixture, row, "Edit Prompt", "edit-prompt turn-1");
  gtk_test_accessible_assert_property (find_row (&fixture, GADGET_BLOCK_FOOTER),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Aborted");
  tear_down (&fixture);
}

static void
test_interrupted (void)
{
  Fixture fixture;
  GtkWidget *row;

  set_up (&fixture);
  gadget_turn_abort (fixture.turn, GADGET_STOP_INTERRUPTED);
  frames (&fixture);
  row = find_row (&fixture, GADGET_BLOCK_ABORTED);
  g_assert_true (has_text (row, "Gadget was closed before this turn ended."));
  press (&fixture, row, "Continue", "continue turn-1");
  tear_down (&fixture);
}

static void
test_error (void)
{
  Fixture fixture;
  g_autoptr (GListStore) providers = g_list_store_new (GADGET_TYPE_PROVIDER_CONFIG);
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "ollama-2", "Ollama", "openai-chat", "http://127.0.0.1:11434/v1", NULL);
  GtkWidget *row;

  set_up (&fixture);
  g_list_store_append (providers, config);
  gadget_transcript_set_providers (fixture.transcript, G_LIST_MODEL (providers));
  gadget_turn_set_model (fixture.turn, "ollama-2", "qwen3:14b");
  gadget_turn_fail (fixture.turn, "provider/auth", "401 Unauthorized");
  frames (&fixture);
  row = find_row (&fixture, GADGET_BLOCK_ERROR);
  g_assert_true (has_text (row, "Ollama did not accept the key."));
  g_assert_false (has_text (row, "401 Unauthorized"));
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  frames (&fixture);
  g_assert_true (has_text (row, "401 Unauthorized"));
  g_assert_true (
      gtk_widget_has_css_class (find_button (row, "Open Preferences"), "suggested-action"));
  press (&fixture, row, "Retry", "retry turn-1");
  press (&fixture, row, "Open Preferences", "preferences ");
  gtk_test_accessible_assert_property (find_row (&fixture, GADGET_BLOCK_FOOTER),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Failed");
  tear_down (&fixture);
}

static void
test_unsaved (void)
{
  Fixture fixture;

  set_up (&fixture);
  gadget_turn_set_saved (fixture.turn, FALSE);
  gadget_turn_finish (fixture.turn);
  frames (&fixture);
  press (&fixture, find_row (&fixture, GADGET_BLOCK_UNSAVED), "Retry", "save-again turn-1");
  gadget_turn_set_saved (fixture.turn, TRUE);
  frames (&fixture);
  g_assert_null (find_row (&fixture, GADGET_BLOCK_UNSAVED));
  tear_down (&fixture);
}

/* The store has its time to save a turn that has ended, and may not have done it then. */
static void
test_unsaved_late (void)
{
  Fixture fixture;

  set_up (&fixture);
  gadget_turn_abort (fixture.turn, GADGET_STOP_USER);
  frames (&fixture);
  g_assert_null (find_row (&fixture, GADGET_BLOCK_UNSAVED));
  gadget_turn_set_saved (fixture.turn, FALSE);
  frames (&fixture);
  press (&fixture, find_row (&fixture, GADGET_BLOCK_UNSAVED), "Retry", "save-again turn-1");
  gadget_turn_set_saved (fixture.turn, TRUE);
  frames (&fixture);
  g_assert_null (find_row (&fixture, GADGET_BLOCK_UNSAVED));
  tear_down (&fixture);
}

static void
read_text_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
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

  set_up (&fixture);
  add_words (&fixture, GADGET_ITEM_TEXT, "I do this.");
  add_words (&fixture, GADGET_ITEM_STEER, "No,\nthat.");
  add_words (&fixture, GADGET_ITEM_TEXT, "Then that.");
  gadget_turn_set_saved (fixture.turn, FALSE);
  gadget_turn_finish (fixture.turn);
  frames (&fixture);
  g_signal_emit_by_name (find_button (find_row (&fixture, GADGET_BLOCK_UNSAVED), "Copy"),
                         "clicked");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (fixture.window), NULL, read_text_cb,
                                 &copied);
  while (copied == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (copied, ==, "Do it.\n\nI do this.\n\n> No,\n> that.\n\nThen that.");
  tear_down (&fixture);
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

      set_up (&fixture);
      gadget_turn_set_usage (fixture.turn, &usage);
      gadget_turn_finish (fixture.turn);
      frames (&fixture);
      footer = find_row (&fixture, GADGET_BLOCK_FOOTER);
      g_assert_true (has_text (footer, "640 tokens"));
      if (cases[i].text != NULL)
        g_assert_true (has_text (footer, cases[i].text));
      else
        g_assert_false (has_text (footer, "$"));
      tear_down (&fixture);
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

  set_up (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    {
      gadget_turn_set_phase (fixture.turn, phases[i].phase);
      frames (&fixture);
      g_assert_true (has_text (find_row (&fixture, GADGET_BLOCK_FOOTER), phases[i].word));
      gtk_test_accessible_assert_property (find_row (&fixture, GADGET_BLOCK_FOOTER),
                                           GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, phases[i].word);
    }

  /* Counting down, in whole seconds. */
  gadget_turn_set_retry_at (fixture.turn, gadget_clock_wall_ms () + 11500);
  gadget_turn_set_phase (fixture.turn, GADGET_PHASE_RETRYING);
  frames (&fixture);
  g_assert_true (has_text (find_row (&fixture, GADGET_BLOCK_FOOTER), "Waiting for the provider"));
  g_assert_true (has_text (find_row (&fixture, GADGET_BLOCK_FOOTER), "12 s")
                 || has_text (find_row (&fixture, GADGET_BLOCK_FOOTER), "11 s"));
  tear_down (&fixture);
}

static void
test_reasoning (void)
{
  Fixture fixture;
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_REASONING);
  GtkWidget *row;

  set_up (&fixture);
  gadget_turn_append (fixture.turn, item);
  gadget_item_set_started_at (item, 1000);
  gadget_item_append_text (item, "First this.\nThen that", -1);
  frames (&fixture);
  row = find_row (&fixture, GADGET_BLOCK_REASONING);
  g_assert_true (has_text (row, "Then that"));
  g_assert_false (has_text (row, "First this"));
  gadget_item_append_text (item, " and those.\n", -1);
  frames (&fixture);
  g_assert_true (has_text (row, "Then that and those."));
  gadget_item_set_ended_at (item, 9300);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  frames (&fixture);
  g_assert_true (has_text (row, "Thought for 8 s"));
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  frames (&fixture);
  g_assert_true (has_text (find_row (&fixture, GADGET_BLOCK_REASONING_TEXT), "First this."));
  tear_down (&fixture);
}

/* What a subagent does, indented, with its own Stop. */
static void
test_subagent (void)
{
  Fixture fixture;
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("child-turn", "Do it");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("task-1", "task");
  g_autoptr (GadgetItem) inner = gadget_item_new_tool_call ("call-1", "shell");
  graphene_rect_t outside, inside;
  GtkWidget *row, *nested;

  set_up (&fixture);
  gadget_item_set_summary (item, "Look closely");
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture.turn, item);
  gadget_session_append (child, turn);
  gadget_item_set_child_ids (item, "child", "child-turn");
  gadget_item_set_child (item, child);
  gadget_item_set_status (inner, GADGET_ITEM_RUNNING);
  gadget_turn_append (turn, inner);
  frames (&fixture);
  row = find_row (&fixture, GADGET_BLOCK_TOOL);
  g_assert_true (has_text (row, "Look closely"));
  press (&fixture, row, "Stop", "stop-tool task-1");

  gadget_item_set_asking (item, TRUE);
  frames (&fixture);
  g_assert_true (has_text (row, "waiting for you"));
  nested = gtk_widget_get_next_sibling (row);
  g_assert_nonnull (nested);
  press (&fixture, nested, "Stop", "stop-tool child/call-1");
  g_assert_true (gtk_widget_compute_bounds (row, GTK_WIDGET (fixture.transcript), &outside));
  g_assert_true (gtk_widget_compute_bounds (nested, GTK_WIDGET (fixture.transcript), &inside));
  g_assert_cmpfloat (inside.origin.x, >, outside.origin.x);
  g_assert_cmpfloat (inside.size.width, <, outside.size.width);
  gadget_item_set_asking (item, FALSE);
  gadget_item_set_status (item, GADGET_ITEM_ABORTED);
  frames (&fixture);
  g_assert_true (has_text (row, "stopped"));
  tear_down (&fixture);
}

static void
assert_begins_at (GtkWidget *row, gboolean right)
{
  PangoLayout *layout = _gadget_text_piece_get_layout (gadget_row_get_piece (GADGET_ROW (row)));
  PangoLayoutIter *iter = pango_layout_get_iter (layout);
  PangoRectangle line;

  pango_layout_iter_get_line_extents (iter, NULL, &line);
  pango_layout_iter_free (iter);
  if (right)
    g_assert_cmpint (line.x + line.width, ==, pango_layout_get_width (layout));
  else
    g_assert_cmpint (line.x, ==, 0);
  g_assert_cmpint (line.width, <, pango_layout_get_width (layout));
}

static GtkWidget *
find_marker (GtkWidget *root)
{
  GtkWidget *found = NULL;

  if (gtk_widget_has_css_class (root, "markdown-marker"))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_marker (child);
  return found;
}

/* The dot stands behind the number of a list that runs from left to right, in any window. */
static void
test_numbers_mirrored (void)
{
  static const struct
  {
    const char *text;
    GtkTextDirection direction;
  } lists[] = { { "9. nine", GTK_TEXT_DIR_LTR }, { "9. תשע", GTK_TEXT_DIR_RTL } };

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      Fixture fixture;
      g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
      GtkWidget *marker;

      set_up (&fixture);
      gadget_item_append_text (item, lists[i].text, -1);
      gadget_turn_append (fixture.turn, item);
      frames (&fixture);
      marker = find_marker (GTK_WIDGET (fixture.transcript));
      g_assert_nonnull (marker);
      g_assert_cmpint (gtk_widget_get_direction (marker), ==, lists[i].direction);
      tear_down (&fixture);
    }
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* In a window that runs from right to left, what a subagent does is indented from there, and each
 * text begins where its own script does. */
static void
test_mirrored (void)
{
  Fixture fixture;
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("child-turn", "Do it");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("task-1", "task");
  g_autoptr (GadgetItem) english = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetItem) hebrew = gadget_item_new (GADGET_ITEM_TEXT);
  graphene_rect_t outside, inside;
  GtkWidget *row, *nested;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  set_up (&fixture);
  gadget_item_set_summary (item, "Look closely");
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture.turn, item);
  gadget_session_append (child, turn);
  gadget_item_set_child_ids (item, "child", "child-turn");
  gadget_item_set_child (item, child);
  gadget_item_append_text (english, "Some words", -1);
  gadget_item_append_text (hebrew, "כמה מילים", -1);
  gadget_turn_append (turn, english);
  gadget_turn_append (turn, hebrew);
  frames (&fixture);
  row = find_row (&fixture, GADGET_BLOCK_TOOL);
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  frames (&fixture);

  nested = find_row (&fixture, GADGET_BLOCK_TEXT);
  g_assert_nonnull (nested);
  g_assert_true (gtk_widget_compute_bounds (row, GTK_WIDGET (fixture.transcript), &outside));
  g_assert_true (gtk_widget_compute_bounds (nested, GTK_WIDGET (fixture.transcript), &inside));
  g_assert_cmpfloat (inside.origin.x, ==, outside.origin.x);
  g_assert_cmpfloat (inside.size.width, <, outside.size.width);
  assert_begins_at (nested, FALSE);
  assert_begins_at (gtk_widget_get_next_sibling (nested), TRUE);
  tear_down (&fixture);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/transcript-rows/tool", test_tool);
  g_test_add_func ("/ui/transcript-rows/long-command", test_long_command);
  g_test_add_func ("/ui/transcript-rows/subagent", test_subagent);
  g_test_add_func ("/ui/transcript-rows/mirrored", test_mirrored);
  g_test_add_func ("/ui/transcript-rows/numbers-mirrored", test_numbers_mirrored);
  g_test_add_func ("/ui/transcript-rows/ask", test_ask);
  g_test_add_func ("/ui/transcript-rows/ask-hidden", test_ask_hidden);
  g_test_add_func ("/ui/transcript-rows/aborted", test_aborted);
  g_test_add_func ("/ui/transcript-rows/interrupted", test_interrupted);
  g_test_add_func ("/ui/transcript-rows/error", test_error);
  g_test_add_func ("/ui/transcript-rows/unsaved", test_unsaved);
  g_test_add_func ("/ui/transcript-rows/unsaved-late", test_unsaved_late);
  g_test_add_func ("/ui/transcript-rows/unsaved-copied", test_unsaved_copied);
  g_test_add_func ("/ui/transcript-rows/long-tool-name", test_long_tool_name);
  g_test_add_func ("/ui/transcript-rows/footer", test_footer);
  g_test_add_func ("/ui/transcript-rows/cost", test_cost);
  g_test_add_func ("/ui/transcript-rows/reasoning", test_reasoning);
  return g_test_run ();
}
