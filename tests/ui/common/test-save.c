/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Saving a file that the user chooses tells the outcome, whichever it is. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-file-dialog.h"
#include "test-forms.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-save.h"
#include "wait.h"

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

static void
ask (Fixture *self)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("text", 4);

  gadget_save_ask (self->overlay, ADW_TOAST_OVERLAY (self->overlay), "Save", "name.txt", bytes,
                   "It was saved");
}

static void
test_saved (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), "name.txt", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  test_file_dialog_choose (file);
  ask (self);
  wait_until (test_says (self->overlay, "It was saved"));
  g_assert_true (g_file_query_exists (file, NULL));
}

/* No file can be chosen: a portal that is broken, for example. */
static void
test_failed (Fixture *self, gconstpointer data)
{
  test_file_dialog_fail (GTK_DIALOG_ERROR_FAILED);
  ask (self);
  wait_until (test_says (self->overlay, "The file could not be saved."));
}

/* The user chose none. */
static void
test_dismissed (Fixture *self, gconstpointer data)
{
  test_file_dialog_fail (GTK_DIALOG_ERROR_DISMISSED);
  ask (self);
  test_run_for (500);
  g_assert_false (test_says (self->overlay, "saved"));
}

#define ADD(name, test) g_test_add ("/ui/save/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  ADD ("saved", test_saved);
  ADD ("failed", test_failed);
  ADD ("dismissed", test_dismissed);
  return g_test_run ();
}
