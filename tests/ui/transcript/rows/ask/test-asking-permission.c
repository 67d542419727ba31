/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A card that asks for a permission in a whole window: its keys and digits, all lines of what is to
 * be written, and the rules that come of it. */

#include "config.h"

#include "asking-fixture.h"
#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/transcript/rows/ask/gadget-ask-body.h"
#include "ui/transcript/rows/ask/gadget-ask-field.h"
#include "ui/transcript/rows/ask/gadget-ask-row.h"
#include "ui/transcript/rows/ask/gadget-ask-text.h"
#include "wait.h"

#include <string.h>

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

/* Whether the focus is in a button with such a label. */
static gboolean
is_on (TestWindow *self, const char *label)
{
  return GTK_IS_BUTTON (asking_get_focus (self))
         && test_find_label (asking_get_focus (self), label) != NULL;
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

  asking_set_folder (self, "work");
  test_window_send (self, "hello");
  asking_read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  g_assert_false (asking_is_in_card (self));
  /* In the composer a digit is a digit. */
  test_key ("2");
  test_run_for (100);
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
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

  asking_read_outside (self, "/etc/hostname");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 3);
  asking_read_outside (self, "/etc/passwd");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
  test_key ("0");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 4);
}

/* Elsewhere the digit answers at once, and the focus goes back to where it was. */
static void
test_digits (TestWindow *self, gconstpointer data)
{
  GtkWidget *before;

  asking_set_folder (self, "work");
  test_window_send (self, "hello");
  before = asking_get_focus (self);
  write_file (self, "a.txt");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Create a.txt?") != NULL);
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
  /* There is no such answer. */
  test_key ("4");
  test_run_for (100);
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  test_key ("3");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (count_rules (self), ==, 1);
  wait_until (asking_get_focus (self) == before);
}

/* What the menu of lasting answers shows as keys are keys there. */
static void
test_digits_of_menu (TestWindow *self, gconstpointer data)
{
  const guint n_before = count_rules (self);
  GtkWidget *label;

  asking_set_folder (self, "menu");
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

  asking_ask (self, 1);
  turn = gadget_session_get_last_turn (gadget_window_get_session (self->window));
  item = gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
  first = g_object_ref (gadget_item_get_prompt (item));
  gadget_item_set_prompt (item, NULL);
  gadget_item_set_prompt (item, second);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "And then?") != NULL);
  g_assert_null (test_find_label (GTK_WIDGET (self->chat), "Where to?"));
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
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
  asking_set_folder (self, "empty-file");
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

/* A narrow card has shorter line numbers, so more lines fit; those are the ones that it counts. */
static void
test_narrow_count (TestWindow *self, gconstpointer data)
{
  g_autoptr (GString) diff = g_string_new ("@@ -1,390 +1,390 @@");
  g_autofree char *line = g_strnfill (75, 'x');
  GtkWidget *body, *scrolled, *window;

  for (guint i = 0; i < 389; i++)
    g_string_append_printf (diff, "\n+%s", line);
  body = gadget_ask_body_new (GADGET_PROMPT_BODY_DIFF, NULL, diff->str);
  scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), body);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  g_assert_cmpuint (gadget_ask_body_get_n_omitted (GADGET_ASK_BODY (body)), >, 0);
  window = gadget_test_window_new (scrolled, 300, 400);
  wait_until (gtk_widget_get_width (body) > 0);
  g_assert_cmpuint (gadget_ask_body_get_n_omitted (GADGET_ASK_BODY (body)), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
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

static GtkWidget *
show_field (GadgetPrompt *prompt, int width)
{
  GtkWidget *window = gadget_test_window_new (gadget_ask_field_new (prompt), width, 400);

  gadget_test_wait_frames (window, 5);
  return window;
}

/* A difference that is too long with two numbers in each line, and not with one, is whole in a
 * narrow card: there is nothing more to show. */
static void
test_narrow_whole (void)
{
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_permission ("edit_file", "Edit a.txt?", "a.txt", NULL);
  g_autofree char *line = g_strnfill (100, 'x');
  g_autoptr (GString) diff = g_string_new ("@@ -1,300 +1,300 @@\n");
  g_autoptr (GtkWidget) narrow = NULL;
  g_autoptr (GtkWidget) wide = NULL;

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (diff, " %s\n", line);
  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_DIFF, diff->str);
  wide = show_field (prompt, 800);
  g_assert_nonnull (test_find_label (wide, "Show All…"));
  narrow = show_field (prompt, 360);
  g_assert_null (test_find_label (narrow, "Show All…"));
  gtk_window_destroy (GTK_WINDOW (wide));
  gtk_window_destroy (GTK_WINDOW (narrow));
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
  asking_set_folder (self, "search-in-all");
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
  wait_until (asking_is_in_card (self));
  first = gtk_widget_get_ancestor (asking_get_focus (self), GADGET_TYPE_ASK_ROW);
  g_assert_true (first == asking_find (self, GADGET_TYPE_ASK_ROW));
  test_key ("ctrl+j");
  wait_until (gtk_widget_get_ancestor (asking_get_focus (self), GADGET_TYPE_ASK_ROW) != first);
  second = gtk_widget_get_ancestor (asking_get_focus (self), GADGET_TYPE_ASK_ROW);
  g_assert_nonnull (second);
  test_key ("ctrl+j");
  wait_until (gtk_widget_get_ancestor (asking_get_focus (self), GADGET_TYPE_ASK_ROW) == first);
}

/* A key that was meant for something else allows nothing. */
static void
test_too_early (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetClock) clock = gadget_clock_new_manual (G_TIME_SPAN_HOUR);

  _gadget_ask_row_set_guard (clock, 500);
  test_window_send (self, "hello");
  asking_read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
  gadget_clock_advance (clock, 499 * G_TIME_SPAN_MILLISECOND);
  test_key ("0");
  test_run_for (200);
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  gadget_clock_advance (clock, G_TIME_SPAN_MILLISECOND);
  test_key ("0");
  wait_until (fake_provider_is_waiting (self->provider));
  _gadget_ask_row_set_guard (NULL, 0);
}

/* A reason is typed, and digits in it answer nothing. */
static void
test_permission_say_why (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn = test_window_send (self, "hello");
  GtkWidget *card;

  asking_read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  card = asking_find (self, GADGET_TYPE_ASK_ROW);
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
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

  asking_read_outside (self, "/etc/hostname");
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
  asking_read_outside (self, "/etc/hostname");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 3);
}

/* --- What was typed when the card goes --- */

#define add(path, function)                                                                        \
  g_test_add ("/ui/asking/" path, TestWindow, NULL, test_window_set_up, function,                  \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("permission-keys", test_permission_keys);
  add ("digits", test_digits);
  add ("digits-of-menu", test_digits_of_menu);
  add ("asked-again", test_asked_again);
  add ("empty-file", test_empty_file);
  add ("search-in-all", test_search_in_all);
  add ("cut-line", test_cut_line);
  add ("narrow-count", test_narrow_count);
  g_test_add_func ("/ui/asking/narrow-whole", test_narrow_whole);
  add ("all-lines", test_all_lines);
  add ("oldest-first", test_oldest_first);
  add ("too-early", test_too_early);
  add ("permission-say-why", test_permission_say_why);
  add ("mode-menu", test_mode_menu);

  return g_test_run ();
}
