/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures that answers name, in the window: what stops everything else stops them, and nothing of
 * them is left behind. */

#include "gadget-test-ui.h"
#include "remote-fixture.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "ui/pictures/gadget-picture-view.h"
#include "ui/window/gadget-chat-private.h"

typedef struct
{
  TestWindow window;
  FetchFixture web;
} WindowFixture;

static void
window_set_up (WindowFixture *f, gconstpointer data)
{
  fetch_set_up (&f->web, NULL);
  test_window_set_up (&f->window, NULL);
}

static void
window_tear_down (WindowFixture *f, gconstpointer data)
{
  test_window_tear_down (&f->window, NULL);
  fetch_tear_down (&f->web, NULL);
}

static GtkWidget *
get_window (WindowFixture *f)
{
  return GTK_WIDGET (f->window.window);
}

static GadgetRemotePictures *
get_pictures (WindowFixture *f)
{
  return f->window.chat->remote_pictures;
}

/* An answer with a picture; its turn has ended. */
static void
answer (WindowFixture *f)
{
  g_autofree char *url = fetch_dup_url (&f->web, FETCH_NAME, "/a.png");
  g_autofree char *text = g_strdup_printf ("Here:\n\n![it](%s)\n", url);

  test_window_send (&f->window, "show me");
  fake_provider_text (f->window.provider, text);
  fake_provider_end (f->window.provider);
  wait_until (f->window.n_completed == 1);
  wait_until (remote_get_place (get_window (f)) != NULL);
  gadget_remote_pictures_set_setup (get_pictures (f), &f->web.setup);
}

static void
start_loading (WindowFixture *f)
{
  remote_press (get_window (f), "Load Image");
  wait_until (fake_server_count (f->web.server, FAKE_EVENT_STALL) == 1);
  test_run_for (20);
  g_assert_true (gadget_remote_pictures_is_loading (get_pictures (f)));
}

static void
assert_stopped (WindowFixture *f)
{
  wait_until (!gadget_remote_pictures_is_loading (get_pictures (f)));
  remote_assert_closed (&f->web);
  g_assert_nonnull (remote_find_button (get_window (f), "Load Image"));
}

static void
test_escape (WindowFixture *f, gconstpointer data)
{
  remote_serve_half (&f->web, "/a.png");
  answer (f);
  test_key ("Escape");
  g_assert_false (test_window_has_toast (&f->window, "Press Esc again to abort"));
  start_loading (f);
  test_key ("Escape");
  wait_until (test_window_has_toast (&f->window, "Press Esc again to abort"));
  g_assert_true (gadget_remote_pictures_is_loading (get_pictures (f)));
  test_key ("Escape");
  assert_stopped (f);
  wait_until (!test_window_has_toast (&f->window, "Press Esc again to abort"));
}

static void
test_stop_keys (WindowFixture *f, gconstpointer keys)
{
  remote_serve_half (&f->web, "/a.png");
  answer (f);
  start_loading (f);
  test_key (keys);
  assert_stopped (f);
  if (g_str_equal (keys, "ctrl+shift+Escape"))
    wait_until (test_window_has_toast (&f->window, "Stopping the loading of images"));
}

/* The chat is left: it is stopped, and forgotten. */
static void
test_leave (WindowFixture *f, gconstpointer data)
{
  FakeReply *half = remote_serve_half (&f->web, "/a.png");
  GadgetSession *session;

  answer (f);
  session = g_object_ref (gadget_window_get_session (f->window.window));
  start_loading (f);
  gtk_widget_activate_action (f->window.text, "win.new-chat", NULL);
  remote_assert_closed (&f->web);
  gadget_chat_set_session (f->window.chat, session);
  wait_until (remote_get_place (get_window (f)) != NULL);
  g_assert_nonnull (remote_find_button (get_window (f), "Load Image"));
  gadget_remote_pictures_set_setup (get_pictures (f), &f->web.setup);
  remote_retire (half);
  remote_serve (&f->web, "/a.png", 40, 30);
  remote_press (get_window (f), "Load Image");
  wait_until (remote_has_texture (get_window (f)));
  g_object_unref (session);
}

static gboolean
is_view (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_PICTURE_VIEW (widget);
}

/* The chat that is shown then has nothing to show in the place of the one before. */
static void
test_leave_for_new (WindowFixture *f, gconstpointer data)
{
  GadgetRemotePictures *pictures;
  GdkTexture *texture;

  remote_serve (&f->web, "/a.png", 40, 30);
  answer (f);
  remote_press (get_window (f), "Load Image");
  wait_until (remote_has_texture (get_window (f)));
  pictures = get_pictures (f);
  texture = gadget_picture_view_get_texture (
      GADGET_PICTURE_VIEW (test_find (get_window (f), is_view, NULL)));
  g_object_add_weak_pointer (G_OBJECT (pictures), (gpointer *) &pictures);
  g_object_add_weak_pointer (G_OBJECT (texture), (gpointer *) &texture);
  gtk_widget_activate_action (f->window.text, "win.new-chat", NULL);
  g_assert_cmpuint (gadget_session_get_n_turns (gadget_window_get_session (f->window.window)), ==,
                    0);
  g_assert_null (pictures);
  /* What was drawn last still has it. */
  wait_until (texture == NULL);
}

/* The application ends in the middle of it. */
static void
test_quit (WindowFixture *f, gconstpointer data)
{
  remote_serve_half (&f->web, "/a.png");
  answer (f);
  start_loading (f);
  test_window_restart (&f->window);
  remote_assert_closed (&f->web);
}

#define ADD(name, func, data)                                                                      \
  g_test_add ("/ui/remote-pictures-window/" name, WindowFixture, data, window_set_up, func,        \
              window_tear_down)

int
main (int argc, char *argv[])
{
  gadget_test_ui_init (&argc, &argv);
  ADD ("escape", test_escape, NULL);
  ADD ("stop", test_stop_keys, "shift+Escape");
  ADD ("stop-everything", test_stop_keys, "ctrl+shift+Escape");
  ADD ("leave", test_leave, NULL);
  ADD ("leave-for-new", test_leave_for_new, NULL);
  ADD ("quit", test_quit, NULL);
  return g_test_run ();
}
