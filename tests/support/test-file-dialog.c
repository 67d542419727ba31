/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The two functions of GTK that ask where to save a file, answered by the test. The linker takes
 * these before those of the shared library. */

#include "config.h"

#include "test-file-dialog.h"

static GFile *chosen;
static GError *failure;

void
test_file_dialog_choose (GFile *file)
{
  g_set_object (&chosen, file);
}

void
test_file_dialog_fail (GtkDialogError code)
{
  g_clear_error (&failure);
  failure = g_error_new_literal (GTK_DIALOG_ERROR, code, "played");
}

void
gtk_file_dialog_save (GtkFileDialog *self, GtkWindow *parent, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_assert_true (GTK_IS_WINDOW (parent));
  if (failure != NULL)
    {
      g_task_return_error (task, g_steal_pointer (&failure));
      return;
    }
  g_assert_nonnull (chosen);
  g_task_return_pointer (task, g_steal_pointer (&chosen), g_object_unref);
}

GFile *
gtk_file_dialog_save_finish (GtkFileDialog *self, GAsyncResult *result, GError **error)
{
  g_assert_true (g_task_is_valid (result, self));
  return g_task_propagate_pointer (G_TASK (result), error);
}
