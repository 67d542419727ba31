/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A card that waits for the user in a whole window: Ctrl+J, the banner, and what folds do to the
 * end of the chat. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "agent/gadget-tools-text.h"
#include "ui/common/gadget-announcer.h"
#include "ui/text/gadget-line.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/ask/gadget-ask-row.h"
#include "ui/transcript/rows/ask/gadget-ask-text.h"

#include <string.h>

#define QUESTION "{\"question\":\"Where to?\",\"choices\":[\"Here\",\"There\"]}"

static gboolean
is_a (GtkWidget *widget, gpointer type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, GPOINTER_TO_SIZE (type));
}

static GtkWidget *
find (TestWindow *self, GType type)
{
  return test_find (GTK_WIDGET (self->window), is_a, GSIZE_TO_POINTER (type));
}

static void
ask (TestWindow *self, guint n_lines)
{
  test_window_send (self, "hello");
  for (guint i = 0; i < n_lines; i++)
    fake_provider_text (self->provider, "A line of the answer.\n");
  fake_provider_call (self->provider, 0, "call", "ask_user", QUESTION);
  fake_provider_end (self->provider);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Where to?") != NULL);
}

static gboolean
is_in_card (TestWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  return focus != NULL && gtk_widget_get_ancestor (focus, GADGET_TYPE_ASK_ROW) != NULL;
}

/* The focus is offered, not taken; from there a digit answers. */
static void
test_key_j (TestWindow *self, gconstpointer data)
{
  test_key ("ctrl+j");
  wait_until (test_window_has_toast (self, "Nothing is waiting for you here"));
  ask (self, 1);
  g_assert_false (is_in_card (self));
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  test_key ("2");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 2);
}

static void
test_banner (TestWindow *self, gconstpointer data)
{
  AdwBanner *banner;
  GtkWidget *button;

  ask (self, 100);
  banner = ADW_BANNER (find (self, ADW_TYPE_BANNER));
  g_assert_false (adw_banner_get_revealed (banner));
  gtk_widget_grab_focus (find (self, GADGET_TYPE_TRANSCRIPT));
  test_key ("Home");
  wait_until (adw_banner_get_revealed (banner));
  wait_until ((button = test_find_label (GTK_WIDGET (banner), "Show")) != NULL);
  test_run_for (400);
  test_click (gtk_widget_get_ancestor (button, GTK_TYPE_BUTTON));
  wait_until (is_in_card (self));
  wait_until (!adw_banner_get_revealed (banner));
}

/* A fold that leaves the end in sight is no reason to lose what comes next, nor to offer a jump. */
static void
test_fold_follows (TestWindow *self, gconstpointer data)
{
  GadgetTranscript *transcript;
  GtkWidget *line;
  guint n_rows;

  ask (self, 1);
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  test_key ("1");
  wait_until (fake_provider_is_waiting (self->provider));
  transcript = GADGET_TRANSCRIPT (find (self, GADGET_TYPE_TRANSCRIPT));
  n_rows = gadget_transcript_model_get_n_rows (transcript->model);
  /* Rows of what was answered come with the next frame. */
  wait_until ((line = find (self, GADGET_TYPE_LINE)) != NULL);
  gtk_widget_grab_focus (test_find (line, is_a, GSIZE_TO_POINTER (GTK_TYPE_BUTTON)));
  test_key ("Return");
  wait_until (gadget_transcript_model_get_n_rows (transcript->model) > n_rows);
  test_run_for (100);
  g_assert_true (gadget_transcript_get_following (transcript));
  g_assert_false (gadget_transcript_get_end_hidden (transcript));
  for (guint i = 0; i < 100; i++)
    fake_provider_text (self->provider, "A line of the answer.\n");
  test_run_for (200);
  g_assert_true (gadget_transcript_get_following (transcript));
  g_assert_false (gadget_transcript_get_end_hidden (transcript));
  gtk_widget_grab_focus (GTK_WIDGET (transcript));
  test_key ("Home");
  wait_until (gadget_transcript_get_end_hidden (transcript));
  test_key ("End");
  wait_until (!gadget_transcript_get_end_hidden (transcript));
}

/* --- Permissions --- */

static GadgetPermissionRules *
get_rules (TestWindow *self)
{
  return gadget_policy_get_rules (gadget_agent_get_policy (gadget_engine_get_agent (self->engine)));
}

static guint
count_rules (TestWindow *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (get_rules (self)));
}

static void
read_outside (TestWindow *self, const char *path)
{
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", path);

  fake_provider_call (self->provider, 0, path, "read_file", arguments);
  fake_provider_end (self->provider);
}

static GtkWidget *
get_focus (TestWindow *self)
{
  return gtk_window_get_focus (GTK_WINDOW (self->window));
}

/* Whether the focus is in a button with such a label. */
static gboolean
is_on (TestWindow *self, const char *label)
{
  return GTK_IS_BUTTON (get_focus (self)) && test_find_label (get_focus (self), label) != NULL;
}

static void
set_folder (TestWindow *self, const char *name)
{
  g_autofree char *path = g_build_filename (g_get_home_dir (), name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  gadget_session_set_workspace (gadget_window_get_session (self->window), path);
}

static void
write_file (TestWindow *self, const char *path)
{
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\",\"content\":\"a\\nb\\n\"}", path);

  fake_provider_call (self->provider, 0, path, "write_file", arguments);
  fake_provider_end (self->provider);
}

/* Where the card warns a digit moves the focus and Enter presses; the answer makes the rule, which
 * the next call meets. */
static void
test_permission_keys (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetRule) rule = NULL;

  set_folder (self, "work");
  test_window_send (self, "hello");
  read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  g_assert_false (is_in_card (self));
  /* In the composer a digit is a digit. */
  test_key ("2");
  test_run_for (100);
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  test_key ("1");
  wait_until (is_on (self, "Allow Once"));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  test_key ("2");
  wait_until (is_on (self, "This Chat"));
  test_run_for (300);
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (count_rules (self), ==, 1);
  rule = g_list_model_get_item (G_LIST_MODEL (get_rules (self)), 0);
  g_assert_cmpstr (gadget_rule_get_data (rule)->subject, ==, "/etc/hostname");
  g_assert_cmpint (gadget_rule_get_data (rule)->scope, ==, GADGET_RULE_SESSION);

  read_outside (self, "/etc/hostname");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 3);
  read_outside (self, "/etc/passwd");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  test_key ("0");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 4);
}

/* Elsewhere the digit answers at once, and the focus goes back to where it was. */
static void
test_digits (TestWindow *self, gconstpointer data)
{
  GtkWidget *before;

  set_folder (self, "work");
  test_window_send (self, "hello");
  before = get_focus (self);
  write_file (self, "a.txt");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Create a.txt?") != NULL);
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  /* There is no such answer. */
  test_key ("4");
  test_run_for (100);
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  test_key ("3");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (count_rules (self), ==, 1);
  wait_until (get_focus (self) == before);
}

/* What the menu of lasting answers shows as keys are keys there. */
static void
test_digits_of_menu (TestWindow *self, gconstpointer data)
{
  const guint n_before = count_rules (self);
  GtkWidget *label;

  set_folder (self, "menu");
  test_window_send (self, "hello");
  write_file (self, "a.txt");
  wait_until ((label = test_find_label (GTK_WIDGET (self->chat), "Allow For…")) != NULL);
  test_run_for (300);
  test_click (gtk_widget_get_ancestor (label, GTK_TYPE_MENU_BUTTON));
  wait_until (test_find_label (GTK_WIDGET (self->chat), "This Folder") != NULL);
  test_run_for (300);
  test_key ("3");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (count_rules (self), ==, n_before + 1);
}

/* A question that follows another about the same call, with no frame between them, has its own
 * card: the one before takes no answer any more. */
static void
test_asked_again (TestWindow *self, gconstpointer data)
{
  static const char *const choices[] = { "Left", "Right", NULL };
  g_autoptr (GadgetPrompt) first = NULL;
  g_autoptr (GadgetPrompt) second = gadget_prompt_new_question ("And then?", choices, FALSE);
  GadgetTurn *turn;
  GadgetItem *item;

  ask (self, 1);
  turn = gadget_session_get_last_turn (gadget_window_get_session (self->window));
  item = gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
  first = g_object_ref (gadget_item_get_prompt (item));
  gadget_item_set_prompt (item, NULL);
  gadget_item_set_prompt (item, second);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "And then?") != NULL);
  g_assert_null (test_find_label (GTK_WIDGET (self->chat), "Where to?"));
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  test_key ("2");
  wait_until (!gadget_prompt_is_open (second));
  gadget_item_set_prompt (item, first);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Where to?") != NULL);
}

static gboolean
is_search (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_SEARCH_ENTRY (widget) && gtk_widget_get_mapped (widget)
         && gtk_widget_get_ancestor (widget, ADW_TYPE_DIALOG) != NULL;
}

/* A file without text is no file of which something is missing. */
static void
test_empty_file (TestWindow *self, gconstpointer data)
{
  set_folder (self, "empty-file");
  test_window_send (self, "hello");
  fake_provider_call (self->provider, 0, "call", "write_file",
                      "{\"path\":\"a.txt\",\"content\":\"\"}");
  fake_provider_end (self->provider);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Create a.txt?") != NULL);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Empty") != NULL);
  g_assert_null (test_find_label (GTK_WIDGET (self->chat), "Show All…"));
}

static void
test_cut_line (TestWindow *self, gconstpointer data)
{
  g_autofree char *line = g_strnfill (100, 'x');
  g_autoptr (GadgetAskText) cut =
      gadget_ask_text_new (GADGET_PROMPT_BODY_PLAIN, line, FALSE, 10, 20);
  g_autoptr (GadgetAskText) whole =
      gadget_ask_text_new (GADGET_PROMPT_BODY_PLAIN, line, FALSE, 10, 200);
  g_autoptr (GadgetAskText) none =
      gadget_ask_text_new (GADGET_PROMPT_BODY_DIFF, "", FALSE, 10, 200);

  g_assert_true (g_str_has_prefix (cut->text, "xxxxx") && g_str_has_suffix (cut->text, "…"));
  g_assert_cmpuint (cut->n_omitted, ==, 1);
  g_assert_cmpstr (whole->text, ==, line);
  g_assert_cmpuint (whole->n_omitted, ==, 0);
  g_assert_cmpuint (none->n_lines, ==, 0);
  g_assert_cmpuint (none->n_omitted, ==, 0);
}

static guint64
get_peak_kb (void)
{
  g_autofree char *status = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, "VmPeak:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (line + strlen ("VmPeak:"), NULL, 10);
}

/* All lines of a short text take no more memory than the text does. */
static void
test_all_lines (TestWindow *self, gconstpointer data)
{
  const guint64 before = get_peak_kb ();
  g_autoptr (GadgetAskText) all =
      gadget_ask_text_new (GADGET_PROMPT_BODY_FILE, "one\ntwo\n", FALSE, G_MAXUINT, G_MAXUINT);

  g_assert_cmpuint (all->n_lines, ==, 2);
  g_assert_cmpuint (all->n_omitted, ==, 0);
  g_assert_cmpuint (get_peak_kb () - before, <, 1024 * 1024);
}

/* Esc in the search of the whole text closes the dialog, and the card still waits. */
static void
test_search_in_all (TestWindow *self, gconstpointer data)
{
  g_autoptr (GString) arguments = g_string_new ("{\"path\":\"a.txt\",\"content\":\"");
  GtkWidget *label;
  GtkWidget *search;

  for (guint i = 0; i < 2000; i++)
    g_string_append (arguments, "line\\n");
  g_string_append (arguments, "\"}");
  set_folder (self, "search-in-all");
  test_window_send (self, "hello");
  fake_provider_call (self->provider, 0, "call", "write_file", arguments->str);
  fake_provider_end (self->provider);
  wait_until ((label = test_find_label (GTK_WIDGET (self->chat), "Show All…")) != NULL);
  test_run_for (300);
  g_signal_emit_by_name (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON), "clicked");
  wait_until ((search = test_find (GTK_WIDGET (self->window), is_search, NULL)) != NULL);
  test_run_for (300);
  gtk_widget_grab_focus (search);
  test_key ("x");
  test_key ("Escape");
  wait_until (test_find (GTK_WIDGET (self->window), is_search, NULL) == NULL);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->chat), "Allow Once"));
}

/* The one that waits longest first, then the next. */
static void
test_oldest_first (TestWindow *self, gconstpointer data)
{
  GtkWidget *first, *second;

  test_window_send (self, "hello");
  fake_provider_call (self->provider, 0, "one", "read_file", "{\"path\":\"/etc/hostname\"}");
  fake_provider_call (self->provider, 1, "two", "read_file", "{\"path\":\"/etc/passwd\"}");
  fake_provider_end (self->provider);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  test_run_for (100);
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  first = gtk_widget_get_ancestor (get_focus (self), GADGET_TYPE_ASK_ROW);
  g_assert_true (first == find (self, GADGET_TYPE_ASK_ROW));
  test_key ("ctrl+j");
  wait_until (gtk_widget_get_ancestor (get_focus (self), GADGET_TYPE_ASK_ROW) != first);
  second = gtk_widget_get_ancestor (get_focus (self), GADGET_TYPE_ASK_ROW);
  g_assert_nonnull (second);
  test_key ("ctrl+j");
  wait_until (gtk_widget_get_ancestor (get_focus (self), GADGET_TYPE_ASK_ROW) == first);
}

/* A key that was meant for something else allows nothing. */
static void
test_too_early (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetClock) clock = gadget_clock_new_manual (G_TIME_SPAN_HOUR);

  _gadget_ask_row_set_guard (clock, 500);
  test_window_send (self, "hello");
  read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  gadget_clock_advance (clock, 499 * G_TIME_SPAN_MILLISECOND);
  test_key ("0");
  test_run_for (200);
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  gadget_clock_advance (clock, G_TIME_SPAN_MILLISECOND);
  test_key ("0");
  wait_until (fake_provider_is_waiting (self->provider));
  _gadget_ask_row_set_guard (NULL, 0);
}

static void
announced_cb (GadgetAnnouncer *announcer, const char *text, guint priority, char **said)
{
  g_free (*said);
  *said = g_strdup (text);
}

/* It is said at once, and what has the focus is known to a screen reader. */
static void
test_heard (TestWindow *self, gconstpointer data)
{
  g_autofree char *said = NULL;
  const gulong handler = g_signal_connect (gadget_announcer_get_default (), "announced",
                                           G_CALLBACK (announced_cb), &said);
  GtkWidget *row;

  set_folder (self, "work");
  test_window_send (self, "hello");
  read_outside (self, "/etc/hostname");
  wait_until (said != NULL && strstr (said, "Ctrl+J") != NULL);
  g_assert_nonnull (strstr (said, "Read this file?"));
  g_assert_nonnull (strstr (said, "/etc/hostname"));
  g_assert_nonnull (strstr (said, "outside of this chat"));
  g_signal_handler_disconnect (gadget_announcer_get_default (), handler);

  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  row = find (self, GADGET_TYPE_ASK_ROW);
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_LABEL, "Read this file?");
  g_assert_true (
      gtk_test_accessible_has_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION));
  /* Each object on the way up to the window has a parent that a screen reader sees. */
  for (GtkWidget *widget = get_focus (self); widget != GTK_WIDGET (self->window);
       widget = gtk_widget_get_parent (widget))
    {
      g_autoptr (GtkAccessible) parent =
          gtk_accessible_get_accessible_parent (GTK_ACCESSIBLE (widget));

      g_assert_nonnull (parent);
    }
}

/* A reason is typed, and digits in it answer nothing. */
static void
test_permission_say_why (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn = test_window_send (self, "hello");
  GtkWidget *card;

  read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  card = find (self, GADGET_TYPE_ASK_ROW);
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  gtk_widget_activate_action (card, "ask.say-why", NULL);
  wait_until (GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (self->window))));
  test_type ("rather line 1 of 2");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_nonnull (
      strstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)), "rather line 1 of 2"));
  g_assert_cmpuint (count_rules (self), ==, 0);
}

/* The menu of modes by keys, and what waits is decided by the mode. */
static void
test_mode_menu (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn = test_window_send (self, "hello");
  GtkWidget *label;

  read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  label = test_find_label (GTK_WIDGET (self->composer), "Ask");
  g_assert_nonnull (label);
  gtk_widget_grab_focus (gtk_widget_get_ancestor (label, GTK_TYPE_TOGGLE_BUTTON));
  test_key ("space");
  wait_until (test_find_label (GTK_WIDGET (self->composer), "Read Only") != NULL);
  test_run_for (300);
  test_key ("Up");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==, GADGET_ITEM_FAILED);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Read Only"));
  read_outside (self, "/etc/hostname");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 3);
}

/* --- What was typed when the card goes --- */

static gboolean
shows (TestWindow *self, const char *text)
{
  g_autofree char *shown = gadget_composer_dup_text (self->composer);

  return g_str_equal (shown, text);
}

static gboolean
is_idle (TestWindow *self)
{
  return gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL;
}

/* Not yet given. */
static void
type_answer (TestWindow *self, const char *text)
{
  ask (self, 1);
  test_key ("ctrl+j");
  wait_until (is_in_card (self));
  test_key ("3");
  wait_until (GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (self->window))));
  test_type (text);
}

/* It comes into the composer, before what was written there. */
static void
test_stopped (TestWindow *self, gconstpointer data)
{
  type_answer (self, "by the long way");
  gadget_composer_prepend (self->composer, "later");
  test_key ("Escape");
  test_key ("Escape");
  wait_until (is_idle (self));
  g_assert_true (shows (self, "by the long way\n\nlater"));
}

/* An earlier message is edited meanwhile, and is not mixed with it. */
static void
test_stopped_editing (TestWindow *self, gconstpointer data)
{
  type_answer (self, "by the long way");
  gadget_composer_prepend (self->composer, "later");
  wait_until (gadget_composer_begin_edit (self->composer, "earlier", NULL));
  test_key ("shift+Escape");
  wait_until (is_idle (self));
  g_assert_true (shows (self, "earlier"));
  gadget_composer_end_edit (self->composer);
  g_assert_true (shows (self, "by the long way\n\nlater"));
}

/* White space is no answer, and one that was given does not come back. */
static void
test_nothing_left (TestWindow *self, gconstpointer data)
{
  type_answer (self, "  ");
  test_key ("Escape");
  test_key ("Escape");
  wait_until (is_idle (self));
  g_assert_true (shows (self, ""));

  type_answer (self, "by the long way");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  test_key ("shift+Escape");
  wait_until (is_idle (self));
  g_assert_true (shows (self, ""));
}

/* Another chat is shown by then: it is a draft of its own chat. */
static void
test_stopped_elsewhere (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  type_answer (self, "by the long way");
  session = gadget_window_get_session (self->window);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  wait_until (gadget_window_get_session (self->window) != session && shows (self, ""));
  gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self->engine),
                                             gadget_session_get_id (session), NULL,
                                             GADGET_STOP_USER));
  wait_until (gadget_session_get_active_run (session) == NULL);
  g_assert_true (shows (self, ""));
  gadget_window_open_session (self->window, session);
  wait_until (shows (self, "by the long way"));
}

/* So does a reason; by another mode, too, the card goes without it. */
static void
test_reason_left (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "hello");
  read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  gtk_widget_activate_action (find (self, GADGET_TYPE_ASK_ROW), "ask.say-why", NULL);
  wait_until (GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (self->window))));
  test_type ("rather line 1");
  gadget_session_set_mode (gadget_window_get_session (self->window), GADGET_MODE_READ_ONLY);
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_true (shows (self, "rather line 1"));
}

/* It is said once that a model cannot be offered all tools. */
static void
test_tools_left_out (TestWindow *self, gconstpointer data)
{
  const guint n = fake_provider_get_n_requests (self->provider);
  g_autofree char *text = NULL;
  guint n_all;
  guint n_offered;

  test_window_send (self, "hello");
  n_all = fake_provider_get_request (self->provider, n)->tools->len;
  fake_provider_fail (self->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                   GADGET_PROVIDER_ERROR_CONTEXT, "too long"));
  wait_until (fake_provider_get_n_requests (self->provider) == n + 2
              && fake_provider_is_waiting (self->provider));
  n_offered = fake_provider_get_request (self->provider, n + 1)->tools->len;
  g_assert_cmpuint (n_offered, <, n_all);
  text = gadget_tools_left_out_dup_text (n_offered, n_all - n_offered);
  g_assert_false (test_window_has_toast (self, text));
  fake_provider_text (self->provider, "Hello.");
  fake_provider_end (self->provider);
  wait_until (test_window_has_toast (self, text));
  wait_until (self->n_completed == 1);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/asking/" path, TestWindow, NULL, test_window_set_up, function,                  \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("key-j", test_key_j);
  add ("banner", test_banner);
  add ("fold-follows", test_fold_follows);
  add ("permission-keys", test_permission_keys);
  add ("digits", test_digits);
  add ("digits-of-menu", test_digits_of_menu);
  add ("asked-again", test_asked_again);
  add ("empty-file", test_empty_file);
  add ("search-in-all", test_search_in_all);
  add ("cut-line", test_cut_line);
  add ("all-lines", test_all_lines);
  add ("oldest-first", test_oldest_first);
  add ("too-early", test_too_early);
  add ("heard", test_heard);
  add ("permission-say-why", test_permission_say_why);
  add ("stopped", test_stopped);
  add ("stopped-editing", test_stopped_editing);
  add ("nothing-left", test_nothing_left);
  add ("stopped-elsewhere", test_stopped_elsewhere);
  add ("reason-left", test_reason_left);
  add ("mode-menu", test_mode_menu);
  add ("tools-left-out", test_tools_left_out);

  return g_test_run ();
}
