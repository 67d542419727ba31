/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "show-remote.h"

#include "fetch-fixture.h"
#include "show-code.h"
#include "wait.h"
#include "ui/transcript/rows/gadget-remote-picture-slot.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

static struct
{
  gboolean begun;
  FetchFixture web;
  GadgetRegistry *registry;
  GadgetRemotePictures *pictures;
  GPtrArray *places; /* of GadgetRemotePictureSlot, not owned */
} show;

static void
add_picture (const char *path)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 900, 300);
  FakeReply *reply = fetch_add_page (&show.web, path);
  g_autofree char *data = NULL;
  gsize size;

  for (int i = 0; i < 9; i++)
    {
      g_autoptr (GdkPixbuf) strip = gdk_pixbuf_new_subpixbuf (pixbuf, i * 100, 0, 100, 300);

      gdk_pixbuf_fill (strip, 0x1a5fb4ff + (guint32) i * 0x12100800);
    }
  g_assert_true (gdk_pixbuf_save_to_buffer (pixbuf, &data, &size, "png", NULL, NULL));
  fake_reply_head (reply, 200, "image/png", "Connection: close\r\n");
  fake_reply_raw (reply, data, (gssize) size);
  fake_reply_close (reply);
}

GadgetSession *
show_remote_new (void)
{
  GadgetSession *session = gadget_session_new ("remote");
  g_autofree char *text = NULL;
  guint port;

  fetch_set_up (&show.web, NULL);
  port = fake_server_get_port (show.web.server);
  show.begun = TRUE;
  show.registry = gadget_registry_new ();
  add_picture ("/strips.png");
  fake_reply_body (fetch_add_page (&show.web, "/gone"), 404, "text/html", "no", NULL);
  fetch_add_redirect (&show.web, "/moved", 302, "https://cdn.example.net/strips.png");
  text = g_strdup_printf (
      "The engine has two halves:\n\n"
      "![How the halves talk to each other](https://docs.example.org/halves.png)\n\n"
      "![שני החצאים](https://docs.example.org/two.png)\n\n"
      "![](https://upload.example.org/a/very/long/path/to/something.png)\n\n"
      "![The strips](http://pictures.example:%u/strips.png)\n\n"
      "![An older drawing, whose name is longer than a line of a narrow window "
      "is](http://pictures.example:%u/gone)\n\n"
      "![A photograph](http://pictures.example:%u/moved)\n\n"
      "They are called by ![icons](https://docs.example.org/icon.png) of their own.\n",
      port, port, port);
  show_answer_add (session, text);
  return session;
}

void
show_remote_attach (GadgetTranscript *transcript)
{
  if (!show.begun)
    return;
  show.pictures = gadget_remote_pictures_new (show.registry, "remote");
  gadget_remote_pictures_set_setup (show.pictures, &show.web.setup);
  gadget_transcript_set_remote_pictures (transcript, show.pictures);
}

static void
find_places (GtkWidget *widget)
{
  if (GADGET_IS_REMOTE_PICTURE_SLOT (widget))
    g_ptr_array_add (show.places, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_places (child);
}

static gboolean
press_in (GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (GTK_IS_BUTTON (widget))
    {
      g_signal_emit_by_name (widget, "clicked");
      return TRUE;
    }
  while (child != NULL && !press_in (child))
    child = gtk_widget_get_next_sibling (child);
  return child != NULL;
}

gboolean
show_remote_load (GadgetTranscript *transcript)
{
  if (!show.begun)
    return FALSE;
  show.places = g_ptr_array_new ();
  find_places (GTK_WIDGET (transcript));
  g_assert_cmpuint (show.places->len, ==, 6);
  for (guint i = 3; i < 6; i++)
    press_in (g_ptr_array_index (show.places, i));
  wait_until (!gadget_remote_pictures_is_loading (show.pictures));
  /* From now on no name is found: what is asked for does not come. */
  show.web.resolver->n_lookups = 3;
  show.web.resolver->answers[3] = NULL;
  press_in (g_ptr_array_index (show.places, 2));
  return TRUE;
}

void
show_remote_end (void)
{
  if (!show.begun)
    return;
  g_clear_pointer (&show.places, g_ptr_array_unref);
  if (show.pictures != NULL)
    gadget_remote_pictures_close (show.pictures);
  g_clear_object (&show.pictures);
  wait_idle ();
  g_object_unref (show.registry);
  fake_server_free (show.web.server);
  g_object_unref (show.web.setup.proxies);
  g_object_unref (show.web.resolver);
  show.begun = FALSE;
}
