/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What screen readers are told, and when. The clock stands still until a test advances it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "wait.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-toast.h"

typedef struct
{
  GtkWidget *window;
  GtkWidget *label;
  GadgetClock *clock;
  GadgetAnnouncer *announcer;
  GString *said;                              /* a line for each announcement */
  GtkAccessibleAnnouncementPriority priority; /* of the last one */
} Fixture;

#define MEDIUM GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM
#define HIGH GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH

static void
announced_cb (Fixture *self, const char *text, GtkAccessibleAnnouncementPriority priority)
{
  g_string_append_printf (self->said, "%s\n", text);
  self->priority = priority;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->label = gtk_label_new ("hello");
  self->window = gadget_test_window_new (self->label, 200, 100);
  self->clock = gadget_clock_new_manual (1000 * G_TIME_SPAN_SECOND);
  self->announcer = gadget_announcer_new (self->clock);
  gadget_announcer_set_silent (self->announcer, TRUE);
  self->said = g_string_new (NULL);
  g_signal_connect_swapped (self->announcer, "announced", G_CALLBACK (announced_cb), self);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_assert_finalize_object (self->announcer);
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_clear_object (&self->window);
  g_clear_object (&self->clock);
  g_string_free (self->said, TRUE);
}

static void
say (Fixture *self, const char *text)
{
  gadget_announcer_announce (self->announcer, self->label, text, MEDIUM);
}

static void
advance (Fixture *self, guint ms)
{
  gadget_clock_advance (self->clock, ms * (gint64) G_TIME_SPAN_MILLISECOND);
}

/* The first is said at once; each of the others when 150 ms have passed since the one before. */
static void
test_gap (Fixture *self, gconstpointer data)
{
  say (self, "One");
  g_assert_cmpstr (self->said->str, ==, "One\n");
  advance (self, 20);
  say (self, "Two");
  advance (self, 129);
  g_assert_cmpstr (self->said->str, ==, "One\n");
  advance (self, 1);
  g_assert_cmpstr (self->said->str, ==, "One\nTwo\n");
  say (self, "Three");
  advance (self, 149);
  g_assert_cmpstr (self->said->str, ==, "One\nTwo\n");
  advance (self, 1);
  advance (self, 150);
  say (self, "Four");
  g_assert_cmpstr (self->said->str, ==, "One\nTwo\nThree\nFour\n");
}

static void
test_joined (Fixture *self, gconstpointer data)
{
  say (self, "One");
  say (self, "Chat deleted");
  gadget_announcer_announce (self->announcer, self->label, "It is done.", HIGH);
  say (self, "It is done.");
  say (self, "So is this");
  advance (self, 150);
  g_assert_cmpstr (self->said->str, ==, "One\nChat deleted. It is done. So is this\n");
  g_assert_cmpint (self->priority, ==, HIGH);
  advance (self, 1000);
  say (self, "Two");
  g_assert_cmpint (self->priority, ==, MEDIUM);
}

static void
test_held (Fixture *self, gconstpointer data)
{
  say (self, "One");
  advance (self, 100);
  say (self, "Two");
  gadget_announcer_hold (self->announcer);
  advance (self, 149);
  g_assert_cmpstr (self->said->str, ==, "One\n");
  advance (self, 1);
  g_assert_cmpstr (self->said->str, ==, "One\nTwo\n");
}

/* Nothing is said for a window that is not shown, nor kept for later. */
static void
test_hidden (Fixture *self, gconstpointer data)
{
  g_autoptr (GtkWidget) lonely = g_object_ref_sink (gtk_label_new (NULL));

  gadget_announcer_announce (self->announcer, lonely, "Nowhere", MEDIUM);
  say (self, "One");
  say (self, "Two");
  gtk_widget_set_visible (self->window, FALSE);
  advance (self, 150);
  gtk_widget_set_visible (self->window, TRUE);
  advance (self, 1000);
  g_assert_cmpstr (self->said->str, ==, "One\n");
}

/* The widget may go while its text waits; the window says it. */
static void
test_widget_gone (Fixture *self, gconstpointer data)
{
  say (self, "One");
  say (self, "Two");
  gtk_window_set_child (GTK_WINDOW (self->window), NULL);
  advance (self, 150);
  g_assert_cmpstr (self->said->str, ==, "One\nTwo\n");
}

static void
test_toast (Fixture *self, gconstpointer data)
{
  const gboolean sentence = data != NULL;
  GtkWidget *overlay = adw_toast_overlay_new ();
  AdwToast *toast = gadget_toast_new (sentence ? "Try again." : "Chat <deleted>");

  gtk_window_set_child (GTK_WINDOW (self->window), overlay);
  g_signal_connect_swapped (gadget_announcer_get_default (), "announced", G_CALLBACK (announced_cb),
                            self);
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_set_button_label (toast, "_Undo");
  gadget_toast_show (ADW_TOAST_OVERLAY (overlay), toast);
  /* The default announcer may still keep its distance from the test before. */
  wait_until (self->said->len > 0);
  g_assert_cmpstr (self->said->str, ==,
                   sentence ? "Try again. Button: Undo\n" : "Chat <deleted>. Button: Undo\n");
  g_assert_cmpint (self->priority, ==, HIGH);
  g_signal_handlers_disconnect_by_data (gadget_announcer_get_default (), self);
}

#define add(name) g_test_add ("/ui/announcer/" name, Fixture, NULL, set_up,

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("gap") test_gap, tear_down);
  add ("joined") test_joined, tear_down);
  add ("held") test_held, tear_down);
  add ("hidden") test_hidden, tear_down);
  add ("widget-gone") test_widget_gone, tear_down);
  add ("toast") test_toast, tear_down);
  g_test_add ("/ui/announcer/toast-of-a-sentence", Fixture, "", set_up, test_toast, tear_down);

  return g_test_run ();
}
