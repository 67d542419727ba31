/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "session/gadget-attachment.h"
#include "ui/composer/gadget-queue-row.h"
#include "wait.h"
#include "queue-fixture.h"

static char *
join_queue (TestWindow *self)
{
  GListModel *queue = gadget_session_get_queue (test_window_get_session (self));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      g_string_append_printf (text, "%s ", gadget_queued_message_get_text (message));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
queue_assert_queue (TestWindow *self, const char *expected)
{
  g_autofree char *text = join_queue (self);

  g_assert_cmpstr (text, ==, expected);
}

static gboolean
is_row (GtkWidget *widget, gpointer text)
{
  return GADGET_IS_QUEUE_ROW (widget) && test_find_label (widget, text) != NULL;
}

GtkWidget *
queue_find_row (TestWindow *self, const char *text)
{
  GtkWidget *row = test_find (GTK_WIDGET (self->composer), is_row, (gpointer) text);

  g_assert_nonnull (row);
  return row;
}

gboolean
queue_is_more (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_has_css_class (widget, "queued-button");
}

void
queue_fill (TestWindow *self)
{
  test_window_send (self, "first");
  for (guint i = 0; i < 3; i++)
    {
      const char *const texts[] = { "one", "two", "three" };

      test_type (texts[i]);
      test_key ("Return");
    }
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (test_window_get_session (self)))
              == 3);
  queue_assert_queue (self, "one two three ");
}

const char *
queue_end_one (TestWindow *self)
{
  const guint n = fake_provider_get_n_requests (self->provider);

  fake_provider_text (self->provider, "Yes");
  fake_provider_end (self->provider);
  wait_until (fake_provider_get_n_requests (self->provider) == n + 1
              && fake_provider_is_waiting (self->provider));
  return gadget_turn_get_prompt (gadget_session_get_last_turn (test_window_get_session (self)));
}

GPtrArray *
queue_make_attachments (void)
{
  GPtrArray *attachments = gadget_attachments_new ();

  g_ptr_array_add (attachments, gadget_attachment_new_text ("notes.txt", "Some notes", 10));
  g_ptr_array_add (attachments, gadget_attachment_new_text ("more.txt", "More notes", 10));
  return attachments;
}
