/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "remote-fixture.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"

#include "ui/pictures/gadget-picture-view.h"
#include "ui/transcript/rows/gadget-remote-picture-slot.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

/* Longer than a button that has just come takes no press. */
#define GUARD_MS 450

/* --- A chat with an answer ---------------------------------------------------------------------
 */

void
remote_set_up (RemoteFixture *f, gconstpointer data)
{
  fetch_set_up (&f->web, NULL);
  f->registry = gadget_registry_new ();
  f->pictures = gadget_remote_pictures_new (f->registry, "s");
  gadget_remote_pictures_set_setup (f->pictures, &f->web.setup);
  f->loader = gadget_picture_loader_new (NULL);
  f->session = gadget_session_new ("s");
  f->turn = gadget_turn_new ("turn-1", "Show me.");
  f->item = gadget_item_new (GADGET_ITEM_TEXT);
  gadget_turn_append (f->turn, f->item);
  gadget_session_append (f->session, f->turn);
}

void
remote_show (RemoteFixture *f, const char *answer, gboolean finished)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gadget_item_append_text (f->item, answer, -1);
  if (finished)
    {
      gadget_item_set_status (f->item, GADGET_ITEM_FINISHED);
      gadget_turn_finish (f->turn);
    }
  f->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (f->transcript));
  gadget_transcript_set_pictures (f->transcript, f->loader);
  gadget_transcript_set_remote_pictures (f->transcript, f->pictures);
  gadget_transcript_set_session (f->transcript, f->session);
  f->window = g_object_ref (adw_window_new ());
  gtk_window_set_default_size (GTK_WINDOW (f->window), 700, 500);
  adw_window_set_content (ADW_WINDOW (f->window), scrolled);
  gtk_window_present (GTK_WINDOW (f->window));
  gadget_test_wait_frames (f->window, 4);
}

void
remote_tear_down (RemoteFixture *f, gconstpointer data)
{
  GtkWidget *transcript = GTK_WIDGET (f->transcript);

  g_object_add_weak_pointer (G_OBJECT (transcript), (gpointer *) &transcript);
  gadget_remote_pictures_close (f->pictures);
  gtk_window_destroy (GTK_WINDOW (f->window));
  g_object_unref (f->window);
  wait_idle ();
  g_assert_null (transcript);
  g_object_add_weak_pointer (G_OBJECT (f->pictures), (gpointer *) &f->pictures);
  g_object_unref (f->pictures);
  wait_until (f->pictures == NULL);
  g_object_add_weak_pointer (G_OBJECT (f->loader), (gpointer *) &f->loader);
  g_object_unref (f->loader);
  wait_until (f->loader == NULL);
  g_assert_finalize_object (f->session);
  g_assert_finalize_object (f->turn);
  g_assert_finalize_object (f->item);
  g_object_add_weak_pointer (G_OBJECT (f->registry), (gpointer *) &f->registry);
  g_object_unref (f->registry);
  wait_until (f->registry == NULL);
  fetch_tear_down (&f->web, NULL);
}

char *
remote_dup_name (RemoteFixture *f, const char *alt, const char *path, const char *after)
{
  g_autofree char *url = fetch_dup_url (&f->web, FETCH_NAME, path);

  return g_strdup_printf ("![%s](%s)%s", alt, url, after);
}

void
remote_show_picture (RemoteFixture *f, const char *before, const char *alt, const char *path,
                     const char *after)
{
  g_autofree char *name = remote_dup_name (f, alt, path, after);
  g_autofree char *answer = g_strconcat (before, name, NULL);

  remote_show (f, answer, TRUE);
}

/* --- The server --- */

void
remote_add_bytes (FakeReply *reply, int width, int height)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  g_autofree char *data = NULL;
  gsize size;

  gdk_pixbuf_fill (pixbuf, 0x3584e4ff);
  g_assert_true (gdk_pixbuf_save_to_buffer (pixbuf, &data, &size, "png", NULL, NULL));
  fake_reply_head (reply, 200, "image/png", "Connection: close\r\n");
  fake_reply_raw (reply, data, (gssize) size);
}

void
remote_serve (FetchFixture *web, const char *path, int width, int height)
{
  FakeReply *reply = fetch_add_page (web, path);

  remote_add_bytes (reply, width, height);
  fake_reply_close (reply);
}

FakeReply *
remote_serve_half (FetchFixture *web, const char *path)
{
  FakeReply *reply = fetch_add_page (web, path);

  fake_reply_head (reply, 200, "image/png", "Content-Length: 5000\r\n");
  fake_reply_raw (reply, "\x89PNG\r\n\x1a\n", 8);
  fake_reply_stall (reply);
  return reply;
}

void
remote_retire (FakeReply *reply)
{
  fake_reply_when (reply, "/retired");
}

void
remote_assert_closed (FetchFixture *web)
{
  g_assert_true (test_wait_until (fake_server_have_all_ended, web->server, FETCH_SOON_MS));
}

/* --- The place --- */

static gboolean
is_place (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_REMOTE_PICTURE_SLOT (widget);
}

static gboolean
is_view (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_PICTURE_VIEW (widget);
}

static gboolean
is_piece (GtkWidget *widget, gpointer text)
{
  return GADGET_IS_SELECTABLE_TEXT (widget)
         && g_str_equal (gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)), text);
}

GtkWidget *
remote_find_piece (GtkWidget *window, const char *text)
{
  return test_find (window, is_piece, (gpointer) text);
}

GtkWidget *
remote_get_place (GtkWidget *window)
{
  return test_find (window, is_place, NULL);
}

GtkWidget *
remote_find_button (GtkWidget *window, const char *label)
{
  GtkWidget *found = test_find_label (window, label);

  return found != NULL ? gtk_widget_get_ancestor (found, GTK_TYPE_BUTTON) : NULL;
}

void
remote_press (GtkWidget *window, const char *label)
{
  GtkWidget *button = remote_find_button (window, label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_sensitive (button));
  test_run_for (GUARD_MS);
  g_signal_emit_by_name (button, "clicked");
}

gboolean
remote_has_texture (GtkWidget *window)
{
  GtkWidget *view = test_find (window, is_view, NULL);

  return view != NULL && gadget_picture_view_get_texture (GADGET_PICTURE_VIEW (view)) != NULL;
}

int
remote_get_y (RemoteFixture *f, GtkWidget *widget)
{
  graphene_point_t at;

  g_assert_nonnull (widget);
  g_assert_true (gtk_widget_compute_point (widget, GTK_WIDGET (f->transcript),
                                           &GRAPHENE_POINT_INIT (0, 0), &at));
  return (int) at.y;
}
