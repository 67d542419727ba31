/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "asking-fixture.h"
#include "ui/transcript/rows/ask/gadget-ask-row.h"
#include "wait.h"

gboolean
asking_is_a (GtkWidget *widget, gpointer type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, GPOINTER_TO_SIZE (type));
}

GtkWidget *
asking_find (TestWindow *self, GType type)
{
  return test_find (GTK_WIDGET (self->window), asking_is_a, GSIZE_TO_POINTER (type));
}

void
asking_ask (TestWindow *self, guint n_lines)
{
  test_window_send (self, "hello");
  for (guint i = 0; i < n_lines; i++)
    fake_provider_text (self->provider, "A line of the answer.\n");
  fake_provider_call (self->provider, 0, "call", "ask_user", QUESTION);
  fake_provider_end (self->provider);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Where to?") != NULL);
}

gboolean
asking_is_in_card (TestWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  return focus != NULL && gtk_widget_get_ancestor (focus, GADGET_TYPE_ASK_ROW) != NULL;
}

void
asking_read_outside (TestWindow *self, const char *path)
{
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", path);

  fake_provider_call (self->provider, 0, path, "read_file", arguments);
  fake_provider_end (self->provider);
}

GtkWidget *
asking_get_focus (TestWindow *self)
{
  return gtk_window_get_focus (GTK_WINDOW (self->window));
}

void
asking_set_folder (TestWindow *self, const char *name)
{
  g_autofree char *path = g_build_filename (g_get_home_dir (), name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  gadget_session_set_workspace (gadget_window_get_session (self->window), path);
}
