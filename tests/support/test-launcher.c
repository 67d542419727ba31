/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The functions of GTK that open files and addresses, without other programs. The linker takes
 * these before those of the shared library. */

#include "config.h"

#include "test-launcher.h"

static char **last_opened;

void
test_launcher_watch (char **opened)
{
  last_opened = opened;
}

static void
launch (gpointer launcher, const char *prefix, const char *what, GtkWindow *parent,
        GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (launcher, NULL, callback, user_data);

  g_assert_true (GTK_IS_WINDOW (parent));
  g_assert_nonnull (last_opened);
  g_free (*last_opened);
  *last_opened = g_strconcat (prefix, what, NULL);
  g_task_return_boolean (task, TRUE);
}

void
gtk_uri_launcher_launch (GtkUriLauncher *self, GtkWindow *parent, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  launch (self, "", gtk_uri_launcher_get_uri (self), parent, callback, user_data);
}

gboolean
gtk_uri_launcher_launch_finish (GtkUriLauncher *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
gtk_file_launcher_launch (GtkFileLauncher *self, GtkWindow *parent, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  launch (self, "", g_file_peek_path (gtk_file_launcher_get_file (self)), parent, callback,
          user_data);
}

gboolean
gtk_file_launcher_launch_finish (GtkFileLauncher *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
gtk_file_launcher_open_containing_folder (GtkFileLauncher *self, GtkWindow *parent,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data)
{
  launch (self, "folder of ", g_file_peek_path (gtk_file_launcher_get_file (self)), parent,
          callback, user_data);
}

gboolean
gtk_file_launcher_open_containing_folder_finish (GtkFileLauncher *self, GAsyncResult *result,
                                                 GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
