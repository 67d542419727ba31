/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The place of a picture that an answer names: nothing that is read moves when it is loaded, and it
 * comes once while the answer is being written. */

#include "gadget-test-ui.h"
#include "remote-fixture.h"
#include "wait.h"
#include "ui/pictures/gadget-picture-view.h"
#include "ui/transcript/gadget-transcript-private.h"

/* --- What is read stays ------------------------------------------------------------------------
 */

static GtkWidget *
find_paragraph (RemoteFixture *f, guint i)
{
  g_autofree char *text = g_strdup_printf ("Paragraph %u.", i);

  return remote_find_piece (f->window, text);
}

static void
append_paragraphs (GString *answer, guint from, guint to)
{
  for (guint i = from; i < to; i++)
    g_string_append_printf (answer, "Paragraph %u.\n\n", i);
}

/* Paragraphs, the picture, and as many again; the place is where @y says. */
static void
show_among_paragraphs (RemoteFixture *f, int y)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  g_autofree char *name = remote_dup_name (f, "Tall", "/tall.png", "\n\n");

  append_paragraphs (answer, 0, 40);
  g_string_append (answer, name);
  append_paragraphs (answer, 40, 80);
  remote_show (f, answer->str, TRUE);
  gadget_transcript_go_to_turn (f->transcript, -1);
  gadget_test_wait_frames (f->window, 3);
  /* Rows: the prompt, and each paragraph. */
  _gadget_transcript_scroll_to (f->transcript, 41, y);
  gadget_test_wait_frames (f->window, 3);
  g_assert_nonnull (remote_get_place (f->window));
}

static void
load_tall (RemoteFixture *f)
{
  remote_press (f->window, "Load Image");
  wait_until (fake_server_count (f->web.server, FAKE_EVENT_REPLIED) == 1);
  wait_until (!gadget_remote_pictures_is_loading (f->pictures));
  gadget_test_wait_frames (f->window, 4);
}

/* In sight it grows downwards: what is above stays. */
static void
test_grows_down (RemoteFixture *f, gconstpointer data)
{
  int place, above;

  remote_serve (&f->web, "/tall.png", 100, 2000);
  show_among_paragraphs (f, 200);
  above = remote_get_y (f, find_paragraph (f, 38));
  place = remote_get_y (f, remote_get_place (f->window));
  load_tall (f);
  g_assert_cmpint (gtk_widget_get_height (remote_get_place (f->window)), ==,
                   GADGET_PICTURE_VIEW_HEIGHT);
  g_assert_cmpint (remote_get_y (f, find_paragraph (f, 38)), ==, above);
  g_assert_cmpint (remote_get_y (f, remote_get_place (f->window)), ==, place);
}

/* Begun above the viewport it grows upwards: what is below stays. */
static void
test_grows_up (RemoteFixture *f, gconstpointer data)
{
  int below;

  remote_serve (&f->web, "/tall.png", 100, 2000);
  show_among_paragraphs (f, -30);
  g_assert_cmpint (remote_get_y (f, remote_get_place (f->window)), <, 0);
  below = remote_get_y (f, find_paragraph (f, 42));
  load_tall (f);
  g_assert_cmpint (remote_get_y (f, find_paragraph (f, 42)), ==, below);
  g_assert_cmpint (remote_get_y (f, remote_get_place (f->window)), <, -250);
}

/* A height that comes and goes within one frame is none. */
static void
test_grows_and_shrinks (RemoteFixture *f, gconstpointer data)
{
  GtkWidget *place;
  int below, y;

  show_among_paragraphs (f, -30);
  place = remote_get_place (f->window);
  y = remote_get_y (f, place);
  below = remote_get_y (f, find_paragraph (f, 42));
  g_assert_cmpint (y, <, 0);
  gtk_widget_set_size_request (place, -1, 300);
  gadget_row_host_part_resized (place);
  gtk_widget_set_size_request (place, -1, -1);
  gadget_row_host_part_resized (place);
  gadget_test_wait_frames (f->window, 3);
  g_assert_cmpint (remote_get_y (f, place), ==, y);
  g_assert_cmpint (remote_get_y (f, find_paragraph (f, 42)), ==, below);
  /* And it does not undo a scroll. */
  _gadget_transcript_scroll_by (f->transcript, 7);
  gadget_row_host_part_resized (place);
  gadget_test_wait_frames (f->window, 3);
  g_assert_cmpint (remote_get_y (f, find_paragraph (f, 42)), ==, below - 7);
}

/* At the end of the chat, which is followed: what is above stays all the same. */
static void
test_grows_at_end (RemoteFixture *f, gconstpointer data)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  g_autofree char *name = remote_dup_name (f, "Tall", "/tall.png", "\n");
  int above, place;

  remote_serve (&f->web, "/tall.png", 100, 2000);
  append_paragraphs (answer, 0, 40);
  g_string_append (answer, name);
  remote_show (f, answer->str, TRUE);
  g_assert_true (gadget_transcript_get_following (f->transcript));
  above = remote_get_y (f, find_paragraph (f, 38));
  place = remote_get_y (f, remote_get_place (f->window));
  load_tall (f);
  g_assert_cmpint (remote_get_y (f, find_paragraph (f, 38)), ==, above);
  g_assert_cmpint (remote_get_y (f, remote_get_place (f->window)), ==, place);
}

/* The line that offers it and the line that loads it are of one height: while the answer is being
 * written, its end is followed on. */
static void
test_load_follows (RemoteFixture *f, gconstpointer data)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  g_autoptr (GString) more = g_string_new (NULL);
  g_autofree char *name = remote_dup_name (f, "Tall", "/tall.png", "\n\n");

  remote_serve_half (&f->web, "/tall.png");
  append_paragraphs (answer, 0, 40);
  g_string_append (answer, name);
  append_paragraphs (answer, 40, 43);
  append_paragraphs (more, 43, 63);
  remote_show (f, answer->str, FALSE);
  g_assert_true (gadget_transcript_get_following (f->transcript));
  remote_press (f->window, "Load Image");
  g_assert_true (gadget_remote_pictures_is_loading (f->pictures));
  gadget_item_append_text (f->item, more->str, (gssize) more->len);
  gadget_test_wait_frames (f->window, 4);
  g_assert_true (gadget_remote_pictures_is_loading (f->pictures));
  g_assert_true (gadget_transcript_get_following (f->transcript));
  g_assert_nonnull (find_paragraph (f, 61));
}

/* Out of sight: nothing moves at all, also not on the way back to it. */
static void
test_grows_out_of_sight (RemoteFixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (&f->web, "/tall.png");
  int there;

  fake_reply_delay (reply, 2000);
  remote_add_bytes (reply, 100, 2000);
  fake_reply_close (reply);
  show_among_paragraphs (f, 200);
  remote_press (f->window, "Load Image");
  _gadget_transcript_scroll_to (f->transcript, 55, 10);
  gadget_test_wait_frames (f->window, 3);
  g_assert_null (remote_get_place (f->window));
  g_assert_true (gadget_remote_pictures_is_loading (f->pictures));
  there = remote_get_y (f, find_paragraph (f, 56));
  wait_until (!gadget_remote_pictures_is_loading (f->pictures));
  gadget_test_wait_frames (f->window, 4);
  g_assert_cmpint (remote_get_y (f, find_paragraph (f, 56)), ==, there);
  for (guint i = 0; i < 20 && remote_get_place (f->window) == NULL; i++)
    {
      const int before = remote_get_y (f, find_paragraph (f, 56));

      _gadget_transcript_scroll_by (f->transcript, -20);
      gadget_test_wait_frames (f->window, 2);
      if (find_paragraph (f, 56) != NULL)
        g_assert_cmpint (remote_get_y (f, find_paragraph (f, 56)), ==, before + 20);
    }
  wait_until (remote_has_texture (f->window));
}

/* --- Being written ------------------------------------------------------------------------------
 */

/* It is a text until its block is closed, and has its place from then on. */
static void
test_streaming (RemoteFixture *f, gconstpointer data)
{
  g_autofree char *name = remote_dup_name (f, "The engine", "/a.png", "");
  guint n_changes = 0;
  gboolean had = FALSE;

  remote_show (f, REMOTE_ABOVE, FALSE);
  for (const char *at = name; *at != '\0'; at++)
    {
      gadget_item_append_text (f->item, at, 1);
      gadget_test_wait_frames (f->window, 1);
      g_assert_null (remote_get_place (f->window));
    }
  for (const char *at = "\n\nAnd then *more*.\n\n- one\n- two\n\nEnd"; *at != '\0'; at++)
    {
      gadget_item_append_text (f->item, at, 1);
      gadget_test_wait_frames (f->window, 1);
      n_changes += had != (remote_get_place (f->window) != NULL);
      had = remote_get_place (f->window) != NULL;
    }
  g_assert_true (had);
  g_assert_cmpuint (n_changes, ==, 1);
  gadget_item_set_status (f->item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (f->turn);
  gadget_test_wait_frames (f->window, 2);
  g_assert_nonnull (remote_get_place (f->window));
  fetch_assert_not_contacted (&f->web);
}

/* At the very end it has its place when the answer has ended. */
static void
test_streaming_end (RemoteFixture *f, gconstpointer data)
{
  g_autofree char *name = remote_dup_name (f, "The engine", "/a.png", "");

  remote_show (f, name, FALSE);
  g_assert_null (remote_get_place (f->window));
  gadget_item_set_status (f->item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (f->turn);
  wait_until (remote_get_place (f->window) != NULL);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/ui/remote-pictures-place/" name, RemoteFixture, NULL, remote_set_up, func,         \
              remote_tear_down)

int
main (int argc, char *argv[])
{
  gadget_test_ui_init (&argc, &argv);
  ADD ("grows-down", test_grows_down);
  ADD ("grows-up", test_grows_up);
  ADD ("grows-and-shrinks", test_grows_and_shrinks);
  ADD ("grows-at-end", test_grows_at_end);
  ADD ("load-follows", test_load_follows);
  ADD ("grows-out-of-sight", test_grows_out_of_sight);
  ADD ("streaming", test_streaming);
  ADD ("streaming-end", test_streaming_end);
  return g_test_run ();
}
