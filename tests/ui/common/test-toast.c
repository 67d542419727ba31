/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Toasts of high priority that come while others slide in or out. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "ui/common/gadget-toast.h"

typedef struct
{
  GtkWidget *overlay;
  GtkWidget *window;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->overlay = adw_toast_overlay_new ();
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (self->overlay), gtk_label_new ("hello"));
  self->window = gadget_test_window_new (self->overlay, 400, 200);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_clear_object (&self->window);
}

static AdwToast *
show (Fixture *self, const char *text, AdwToastPriority priority)
{
  AdwToast *toast = gadget_toast_new (text);

  adw_toast_set_timeout (toast, 0);
  adw_toast_set_priority (toast, priority);
  gadget_toast_show (ADW_TOAST_OVERLAY (self->overlay), g_object_ref (toast));
  return toast;
}

static gboolean
has_toast (Fixture *self, const char *text)
{
  return test_find_label (self->overlay, text) != NULL;
}

/* Every distance between a toast and the urgent one that puts it aside, which may go at once. */
static void
test_put_aside (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (AdwToast) first = show (self, "First", ADW_TOAST_PRIORITY_NORMAL);

      wait_until (has_toast (self, "First"));
      for (guint j = 0; j < 2; j++)
        {
          g_autoptr (AdwToast) urgent = NULL;

          test_run_for (i * 80);
          urgent = show (self, "Urgent", ADW_TOAST_PRIORITY_HIGH);
          wait_until (has_toast (self, "Urgent"));
          test_run_for ((i % 3) * 60);
          gadget_toast_dismiss (urgent);
          wait_until (has_toast (self, "First"));
        }
      gadget_toast_dismiss (first);
      wait_until (!has_toast (self, "First") && !has_toast (self, "Urgent"));
    }
}

/* Nothing is put aside: it is there at once. */
static void
test_alone (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (AdwToast) urgent = show (self, "Urgent", ADW_TOAST_PRIORITY_HIGH);

      g_assert_true (has_toast (self, "Urgent"));
      gadget_toast_dismiss (urgent);
      test_run_for (50);
    }
}

/* What was dismissed while it waited is never shown. */
static void
test_dismissed_while_waiting (Fixture *self, gconstpointer data)
{
  g_autoptr (AdwToast) first = show (self, "First", ADW_TOAST_PRIORITY_NORMAL);
  g_autoptr (AdwToast) urgent = show (self, "Urgent", ADW_TOAST_PRIORITY_HIGH);
  g_autoptr (AdwToast) last = show (self, "Last", ADW_TOAST_PRIORITY_HIGH);

  g_assert_false (has_toast (self, "Urgent"));
  gadget_toast_dismiss (urgent);
  while (!has_toast (self, "Last"))
    {
      g_assert_false (has_toast (self, "Urgent"));
      g_main_context_iteration (NULL, TRUE);
    }
}

/* The overlay goes while a toast waits. */
static void
test_closed_while_waiting (Fixture *self, gconstpointer data)
{
  g_autoptr (AdwToast) first = show (self, "First", ADW_TOAST_PRIORITY_NORMAL);
  g_autoptr (AdwToast) urgent = show (self, "Urgent", ADW_TOAST_PRIORITY_HIGH);

  g_assert_false (has_toast (self, "Urgent"));
  gtk_window_set_child (GTK_WINDOW (self->window), NULL);
  test_run_for (700);
  g_assert_cmpuint (G_OBJECT (urgent)->ref_count, ==, 1);
}

/* A text that does not fit in one line has more of them, also when it comes later. */
static void
test_wrapped (Fixture *self, gconstpointer data)
{
  static const char text[] = "45,001 files of the folder with the long name could not be undone";
  g_autoptr (AdwToast) toast = show (self, "Short", ADW_TOAST_PRIORITY_NORMAL);
  GtkWidget *label;
  PangoLayout *layout;
  int height;

  wait_until (has_toast (self, "Short"));
  adw_toast_set_title (toast, text);
  label = test_find_label (self->overlay, text);
  layout = gtk_label_get_layout (GTK_LABEL (label));
  wait_until (pango_layout_get_line_count (layout) > 1);
  gadget_test_wait_frames (self->window, 2);
  pango_layout_get_pixel_size (layout, NULL, &height);
  g_assert_cmpint (gtk_widget_get_height (label), >=, height);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/toast/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("put-aside", test_put_aside);
  add ("alone", test_alone);
  add ("dismissed-while-waiting", test_dismissed_while_waiting);
  add ("closed-while-waiting", test_closed_while_waiting);
  add ("wrapped", test_wrapped);

  return g_test_run ();
}
