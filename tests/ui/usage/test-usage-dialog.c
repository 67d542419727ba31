/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The usage of models, with keys: times, the plot, the table, prices, and the file of it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-file-dialog.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/usage/gadget-usage-dialog.h"
#include "wait.h"

#include <string.h>

/* A dialog that opens or goes is animated, for longer with sanitizers. */
#define SETTLE_MS (20 * WAIT_S)

#define UNKNOWN "NULL"

static GtkWidget *
get_root (TestWindow *self)
{
  return GTK_WIDGET (self->window);
}

static AdwDialog *
get_dialog (TestWindow *self)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window));
}

static gboolean
says (TestWindow *self, const char *text)
{
  return test_says (get_root (self), text);
}

/* A request of a reply of its own, DAYS ago. What may be unknown is SQL. */
static void
add (TestWindow *self, int days, const char *model, int input, const char *cached, int output,
     const char *cost)
{
  g_autofree char *sql = g_strdup_printf (
      "INSERT INTO usage (at, ms, session, turn, provider, model, purpose, input_tokens,"
      " cached_tokens, output_tokens, reasoning_tokens, cost, estimated)"
      " VALUES ((strftime ('%%s', 'now') - %d * 86400) * 1000, 60000, 'chat', hex (randomblob (8)),"
      " 'somewhere', '%s', 'reply', %d, %s, %d, NULL, %s, 0)",
      days, model, input, cached, output, cost);

  test_store_run_sql (gadget_engine_get_store (self->engine), sql);
}

static void
add_provider (TestWindow *self)
{
  test_store_run_sql (
      gadget_engine_get_store (self->engine),
      "INSERT INTO provider (id, name, kind, base_url, position)"
      " VALUES ('somewhere', 'Somewhere', 'openai-chat', 'http://127.0.0.1:9/v1', 9)");
}

/* Five models: "one" was used most, "two" cost most, and nothing is known of the others. */
static void
add_models (TestWindow *self)
{
  add_provider (self);
  add (self, 0, "one", 900000, "600000", 100000, "440000000");
  add (self, 3, "one", 500000, "0", 500000, "1000000");
  add (self, 1, "two", 300000, "100000", 20000, "3000000000");
  add (self, 20, "three", 20000, UNKNOWN, 10000, UNKNOWN);
  add (self, 20, "four", 2000, UNKNOWN, 500, UNKNOWN);
  add (self, 20, "five", 200, "0", 50, "0");
}

static void
open_dialog (TestWindow *self)
{
  gtk_widget_activate_action (get_root (self), "win.usage", NULL);
  wait_until (get_dialog (self) != NULL);
  test_run_for (SETTLE_MS);
}

/* Finds the plot by the name of its node. */
static gboolean
is_plot (GtkWidget *widget, gpointer user_data)
{
  return gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_widget_get_css_name (widget), "usage-plot") == 0;
}

static GtkWidget *
find_plot (TestWindow *self)
{
  return test_find (get_root (self), is_plot, NULL);
}

/* Tells whether the name that a screen reader is told has a part. */
static gboolean
is_called (GtkWidget *widget, const char *part)
{
  g_autofree char *difference = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, "a name that nothing has");

  return difference != NULL && strstr (difference, part) != NULL;
}

static gboolean
has_name (GtkWidget *widget, gpointer part)
{
  return GTK_IS_LIST_BOX_ROW (widget) && gtk_widget_get_mapped (widget) && is_called (widget, part);
}

static GtkWidget *
find_row (TestWindow *self, const char *part)
{
  return test_find (get_root (self), has_name, (gpointer) part);
}

/* The day so many days ago, as the plot calls it. */
static char *
dup_day (int days)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) day = g_date_time_add_days (now, -days);

  return g_date_time_format (day, "%b %-d");
}

/* --- What is shown --- */

/* The menu has the dialog, which says that there is nothing, and later that there is nothing of
 * this time. */
static void
test_empty (TestWindow *self, gconstpointer data)
{
  test_key ("F10");
  wait_until (test_find_label (get_root (self), "_Usage") != NULL
              || test_find_label (get_root (self), "Usage") != NULL);
  test_run_for (SETTLE_MS);
  test_key ("u");
  wait_until (get_dialog (self) != NULL);
  wait_until (says (self, "Nothing Used Yet"));
  g_assert_null (find_plot (self));
  g_assert_false (gtk_widget_get_sensitive (test_find_button (get_root (self), "_Export as CSV…")));
  add (self, 50, "one", 100, "0", 50, "0");
  wait_until (says (self, "Nothing Used in the Last 30 Days"));
  test_key ("Escape");
  wait_until (get_dialog (self) == NULL);
}

static void
test_range (TestWindow *self, gconstpointer data)
{
  add_models (self);
  add (self, 200, "one", 4000000, "0", 1000000, "2000000000");
  open_dialog (self);
  wait_until (says (self, "$3.44 in the last 30 days"));
  g_assert_true (says (self, "6 replies in 1 chat read 1.7 million tokens, 700000 of them from the "
                             "cache, and wrote 630550. They worked for 6 min 0 s."));
  test_click (test_find_label (get_root (self), "12 Months"));
  wait_until (says (self, "$5.44 in the last 12 months"));
  test_key ("Left");
  test_key ("Left");
  test_key ("space");
  wait_until (says (self, "$3.44 in the last 7 days"));
  g_assert_null (find_row (self, "three"));
}

/* Rows that come while the dialog is open are shown. */
static void
test_follows (TestWindow *self, gconstpointer data)
{
  GtkWidget *row;

  add (self, 0, "one", 1000, "0", 200, "4000000");
  open_dialog (self);
  wait_until (says (self, "< $0.01 in the last 30 days"));
  add (self, 0, "one", 1000, "0", 200, "1000000000");
  wait_until (says (self, "$1.00 in the last 30 days"));
  add (self, 0, "one", 1000, "0", 200, "1000000000");
  wait_until (says (self, "$2.00 in the last 30 days"));
  /* Nothing is made again for what is no usage. */
  row = find_row (self, "one, ");
  test_store_run_sql (gadget_engine_get_store (self->engine),
                      "INSERT INTO setting (key, value) VALUES ('some', 'thing')");
  test_run_for (SETTLE_MS + 1000);
  g_assert_true (find_row (self, "one, ") == row);
}

/* What is unknown is a word, and nothing is counted for it. */
static void
test_unknown (TestWindow *self, gconstpointer data)
{
  add_provider (self);
  add (self, 0, "one", 8000, UNKNOWN, 2000, UNKNOWN);
  open_dialog (self);
  wait_until (says (self, "10000 tokens in the last 30 days"));
  g_assert_true (says (self, "1 reply in 1 chat read 8000 tokens and wrote 2000."));
  g_assert_true (says (self, "1 model without a price: its tokens are counted, not its money."));
  g_assert_true (gtk_widget_has_css_class (test_find_label (get_root (self), "unknown"), "dimmed"));
  g_assert_true (
      gtk_widget_has_css_class (test_find_label (get_root (self), "No price"), "dimmed"));
  g_assert_nonnull (find_row (self, "one, Somewhere, 10000 tokens, No price, 1 reply"));
}

/* --- Plot --- */

static void
test_plot_keys (TestWindow *self, gconstpointer rtl)
{
  g_autofree char *today = dup_day (0);
  g_autofree char *yesterday = dup_day (1);
  g_autofree char *first = dup_day (29);
  g_autofree char *today_text = g_strdup_printf ("%s, 1000000 tokens, $0.44, 1 reply", today);
  g_autofree char *yesterday_text =
      g_strdup_printf ("%s, 320000 tokens, $3.00, 1 reply", yesterday);
  GtkWidget *plot;

  add_models (self);
  open_dialog (self);
  wait_until ((plot = find_plot (self)) != NULL);
  if (rtl != NULL)
    gtk_widget_set_direction (plot, GTK_TEXT_DIR_RTL);
  g_assert_true (is_called (plot, "Plot of the days by model"));
  gtk_widget_grab_focus (plot);
  wait_until (is_called (plot, today_text));
  test_key (rtl != NULL ? "Right" : "Left");
  wait_until (is_called (plot, yesterday_text));
  test_key (rtl != NULL ? "Left" : "Right");
  wait_until (is_called (plot, today_text));
  /* The end is the end. */
  test_key (rtl != NULL ? "Left" : "Right");
  g_assert_true (gtk_widget_has_focus (plot));
  g_assert_true (is_called (plot, today_text));
  test_key ("Home");
  wait_until (is_called (plot, first));
  test_key ("End");
  wait_until (is_called (plot, today_text));
  /* What is chosen stays while it is the same days. */
  test_key ("Left");
  add (self, 0, "two", 10, "0", 5, "0");
  test_run_for (SETTLE_MS);
  g_assert_true (gtk_widget_has_focus (plot));
}

static void
test_plot_pointer (TestWindow *self, gconstpointer data)
{
  g_autofree char *middle = dup_day (14);
  GtkWidget *plot;

  add_models (self);
  open_dialog (self);
  wait_until ((plot = find_plot (self)) != NULL);
  test_point_at (plot);
  /* The scale is beside the bars, which are a little before the middle then. */
  wait_until (is_called (plot, middle) || !is_called (plot, "Plot of"));
  test_point_at (test_find_label (get_root (self), "Tokens"));
  wait_until (is_called (plot, "Plot of the days by model"));
}

/* --- Table --- */

static double
get_y (TestWindow *self, const char *name)
{
  GtkWidget *row = find_row (self, name);
  graphene_rect_t bounds;

  g_assert_nonnull (row);
  g_assert_true (gtk_widget_compute_bounds (row, get_root (self), &bounds));
  return bounds.origin.y;
}

static gboolean
is_above (TestWindow *self, const char *one, const char *other)
{
  return find_row (self, one) != NULL && find_row (self, other) != NULL
         && get_y (self, one) < get_y (self, other);
}

static gboolean
is_head (GtkWidget *widget, gpointer title)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && gtk_widget_has_css_class (widget, "usage-head")
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), title) == 0;
}

static GtkWidget *
find_head (TestWindow *self, const char *title)
{
  return test_find (get_root (self), is_head, (gpointer) title);
}

static void
press_head (TestWindow *self, const char *title)
{
  gtk_widget_grab_focus (find_head (self, title));
  test_key ("space");
}

static void
test_sort (TestWindow *self, gconstpointer data)
{
  add_models (self);
  open_dialog (self);
  wait_until (find_row (self, "one, Somewhere") != NULL);
  test_run_for (SETTLE_MS);
  g_assert_true (is_above (self, "one, ", "two, "));
  press_head (self, "Money");
  wait_until (is_above (self, "two, ", "one, "));
  g_assert_true (is_above (self, "five, ", "four, ")); /* 0 is more than unknown */
  press_head (self, "Money");
  wait_until (is_above (self, "one, ", "two, ") && is_above (self, "four, ", "five, "));
  press_head (self, "Model");
  wait_until (is_above (self, "five, ", "four, "));
  g_assert_true (is_above (self, "three, ", "two, "));
  /* The share is of the money now. */
  press_head (self, "Share");
  wait_until (is_above (self, "one, ", "two, "));
  test_click (test_find_label (get_root (self), "Money"));
  wait_until (is_above (self, "two, ", "one, "));
}

static void
test_open (TestWindow *self, gconstpointer data)
{
  g_autofree char *today = dup_day (0);
  g_autofree char *text = g_strdup_printf ("%s, 1000000 tokens, $0.44, 1 reply", today);
  GtkWidget *row;

  add_models (self);
  open_dialog (self);
  wait_until (find_row (self, "one, Somewhere") != NULL);
  row = find_row (self, "one, Somewhere");
  gtk_widget_grab_focus (row);
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_EXPANDED, FALSE);
  test_key ("Return");
  wait_until (find_row (self, text) != NULL);
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
  test_key ("Down");
  wait_until (gtk_widget_has_focus (find_row (self, text)));
  /* It stays open, and the focus on its day, when there is more. */
  add (self, 0, "one", 10, "0", 5, "0");
  wait_until (find_row (self, "one, Somewhere, 2000015 tokens") != NULL);
  wait_until (find_row (self, "1000015 tokens") != NULL
              && gtk_widget_has_focus (find_row (self, "1000015 tokens")));
  test_key ("Up");
  test_key ("Return");
  wait_until (find_row (self, today) == NULL);
}

/* In little space there are the tokens, and what else there is in the rows that are opened. */
static void
test_narrow (TestWindow *self, gconstpointer data)
{
  /* What the window draws around itself is a part of it: 360 are left. */
  gadget_test_wait_frames (self->text, 4);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 370, 720);
  wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) <= 370);
  add_models (self);
  open_dialog (self);
  wait_until (find_row (self, "one, Somewhere") != NULL);
  wait_until (find_head (self, "Reasoning") == NULL && find_head (self, "Tokens") != NULL);
  g_assert_true (says (self, "2000 K"));
  gtk_widget_grab_focus (find_row (self, "one, Somewhere"));
  test_key ("Return");
  wait_until (says (self, "Fresh 800 K, cached 600 K, written 600 K, reasoning unknown"));
}

/* --- Prices --- */

static gboolean
is_expander (GtkWidget *widget, gpointer title)
{
  return ADW_IS_EXPANDER_ROW (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

static void
type_into (TestWindow *self, const char *title, const char *text)
{
  wait_until (test_find_row (get_root (self), title) != NULL);
  gtk_widget_grab_focus (test_find_row (get_root (self), title));
  test_key ("ctrl+a");
  test_type (text);
}

static void
test_prices (TestWindow *self, gconstpointer data)
{
  GtkWidget *row;

  add_provider (self);
  add (self, 0, "one", 1000000, "500000", 2000000, UNKNOWN);
  open_dialog (self);
  wait_until (says (self, "3 million tokens in the last 30 days"));
  test_press (get_root (self), "Set _Prices…");
  wait_until ((row = test_find (get_root (self), is_expander, (gpointer) "one")) != NULL);
  test_run_for (SETTLE_MS);
  g_assert_true (says (self, "Somewhere · No price"));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  test_run_for (SETTLE_MS);
  type_into (self, "Sent, in Dollars per Million Tokens", "2");
  /* Half a price is none. */
  test_key ("Return");
  test_run_for (SETTLE_MS);
  g_assert_true (says (self, "Somewhere · No price"));
  type_into (self, "Written, Reasoning Included", "many");
  g_assert_false (gtk_widget_get_sensitive (test_find_button (get_root (self), "_Set Price")));
  type_into (self, "Written, Reasoning Included", "4.5");
  type_into (self, "Read From the Cache, if It Differs", "0.5");
  test_key ("Return");
  wait_until (says (self, "Somewhere · $2.00 sent, $4.50 written"));
  g_assert_true (says (self, "You have set this price."));
  /* 0.5 at $2, 0.5 at $0.50, 2 at $4.50 */
  wait_until (says (self, "$10.25 in the last 30 days"));
  test_press (get_root (self), "_Reset");
  wait_until (says (self, "Somewhere · No price"));
  wait_until (says (self, "3 million tokens in the last 30 days"));
  test_key ("Escape");
  test_run_for (SETTLE_MS);
  g_assert_nonnull (get_dialog (self));
}

/* --- File --- */

static void
test_csv (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "usage.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  add_models (self);
  open_dialog (self);
  wait_until (says (self, "in the last 30 days"));
  test_file_dialog_choose (file);
  gtk_widget_grab_focus (test_find_button (get_root (self), "_Export as CSV…"));
  test_key ("Return");
  wait_until (says (self, "Usage exported"));
  g_assert_true (g_file_load_contents (file, NULL, &text, NULL, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 6 + 2); /* the names, and the end */
  g_assert_nonnull (strstr (text, "five"));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func, data)                                                                      \
  g_test_add ("/ui/usage-dialog/" path, TestWindow, data, test_window_set_up, func,                \
              test_window_tear_down)
  ADD ("empty", test_empty, NULL);
  ADD ("range", test_range, NULL);
  ADD ("follows", test_follows, NULL);
  ADD ("unknown", test_unknown, NULL);
  ADD ("plot/keys", test_plot_keys, NULL);
  ADD ("plot/keys/rtl", test_plot_keys, "rtl");
  ADD ("plot/pointer", test_plot_pointer, NULL);
  ADD ("table/sort", test_sort, NULL);
  ADD ("table/open", test_open, NULL);
  ADD ("table/narrow", test_narrow, NULL);
  ADD ("prices", test_prices, NULL);
  ADD ("csv", test_csv, NULL);
#undef ADD
  return g_test_run ();
}
