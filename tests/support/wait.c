/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "wait.h"

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

guint
wait_begin (void)
{
  return g_timeout_add (50, wake_cb, NULL);
}

void
wait_idle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

guint
wait_n_fds (void)
{
  return count_entries ("/proc/self/fd");
}

guint
wait_n_threads (void)
{
  return count_entries ("/proc/self/task");
}
