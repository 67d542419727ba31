/* SPDX-License-Identifier: GPL-3.0-or-later */

/* bare-escape PORT: the floor of bench-escape, the least that a GTK program can do. Return opens a
 * connection to a model server and shows a word for each piece that comes; the second Esc closes
 * the socket in the key's own handler. */

#include "config.h"

#include <adwaita.h>

static const char request[] = "POST /v1/chat/completions HTTP/1.1\r\nHost: fake\r\n"
                              "Content-Length: 2\r\n\r\n{}";

typedef struct
{
  guint16 port;
  GtkTextBuffer *buffer;
  GSocketConnection *connection;
  GCancellable *cancellable;
  guint n_escapes;
  char piece[4096];
} Bare;

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bare *self = user_data;
  GInputStream *stream = G_INPUT_STREAM (source);

  if (g_input_stream_read_finish (stream, result, NULL) <= 0)
    return;
  gtk_text_buffer_insert_at_cursor (self->buffer, "word ", -1);
  g_input_stream_read_async (stream, self->piece, sizeof self->piece, G_PRIORITY_DEFAULT,
                             self->cancellable, read_cb, self);
}

static void
ask (Bare *self)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();

  g_clear_object (&self->connection);
  g_clear_object (&self->cancellable);
  self->n_escapes = 0;
  self->cancellable = g_cancellable_new ();
  self->connection = g_socket_client_connect_to_host (client, "127.0.0.1", self->port, NULL, NULL);
  g_assert_nonnull (self->connection);
  g_socket_send (g_socket_connection_get_socket (self->connection), request, sizeof request - 1,
                 NULL, NULL);
  g_input_stream_read_async (g_io_stream_get_input_stream (G_IO_STREAM (self->connection)),
                             self->piece, sizeof self->piece, G_PRIORITY_DEFAULT, self->cancellable,
                             read_cb, self);
}

static gboolean
key_pressed_cb (Bare *self, guint keyval)
{
  if (keyval == GDK_KEY_Return)
    {
      ask (self);
    }
  else if (keyval == GDK_KEY_Escape && self->connection != NULL && ++self->n_escapes == 2)
    {
      g_cancellable_cancel (self->cancellable);
      g_socket_close (g_socket_connection_get_socket (self->connection), NULL);
    }
  return GDK_EVENT_PROPAGATE;
}

static void
activate_cb (GtkApplication *application, Bare *self)
{
  GtkWidget *window = adw_application_window_new (application);
  GtkWidget *text = gtk_text_view_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (window, keys);
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (text));
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (text), GTK_WRAP_WORD_CHAR);
  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 720);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), text);
  gtk_window_present (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_autoptr (AdwApplication) application =
      adw_application_new (APPLICATION_ID ".Bare", G_APPLICATION_DEFAULT_FLAGS);
  Bare self = { .port = argc > 1 ? (guint16) g_ascii_strtoull (argv[1], NULL, 10) : 0 };
  int status;

  g_signal_connect (application, "activate", G_CALLBACK (activate_cb), &self);
  status = g_application_run (G_APPLICATION (application), 1, argv);
  g_clear_object (&self.connection);
  g_clear_object (&self.cancellable);
  return status;
}
