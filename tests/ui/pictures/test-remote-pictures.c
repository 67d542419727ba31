/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures that answers name: nothing is loaded that the user did not ask for, and what is loaded
 * is stopped like everything else. */

#include "gadget-test-ui.h"
#include "hung-jobs.h"
#include "remote-fixture.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "ui/pictures/gadget-picture-dialog.h"
#include "ui/pictures/gadget-picture-view.h"
#include "ui/text/gadget-text-link.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-remote-picture-slot.h"

#include <string.h>

static gboolean
is_opener (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "picture");
}

static gboolean
is_dialog (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_PICTURE_DIALOG (widget);
}

static gboolean
is_link (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_TEXT_LINK (widget);
}

/* --- Offered ------------------------------------------------------------------------------------
 */

static void
test_offered (RemoteFixture *f, gconstpointer data)
{
  g_autofree char *server =
      g_strdup_printf ("%s:%u", FETCH_NAME, fake_server_get_port (f->web.server));
  GadgetTextLink *link;
  GtkWidget *place;

  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = remote_get_place (f->window);
  g_assert_nonnull (place);
  g_assert_nonnull (remote_find_piece (place, "The engine"));
  g_assert_nonnull (remote_find_piece (place, server));
  g_assert_nonnull (remote_find_button (place, "Load Image"));
  g_assert_null (test_find (place, is_opener, NULL));
  /* The browser may be asked for it as well. */
  link = GADGET_TEXT_LINK (test_find (place, is_link, NULL));
  g_assert_true (g_str_has_suffix (gadget_text_link_get_address (link), "/a.png"));
  fetch_assert_not_contacted (&f->web);
  g_assert_cmpuint (f->web.resolver->n_lookups, ==, 0);
}

/* What is within a text, or of no place in the web, has no place of its own. */
static void
test_no_place (RemoteFixture *f, gconstpointer data)
{
  static const char *const texts[] = {
    "See ![it](https://site.example/a.png) here.",
    "![one](https://site.example/a.png) ![two](https://site.example/b.png)",
    "![one](https://site.example/a.png)\nand its name",
    "[![badge](https://site.example/a.png)](https://site.example/)",
    "*![bent](https://site.example/a.png)*",
    "![here](a.png)",
    "![disk](file:///etc/passwd)",
    "![data](data:image/png;base64,iVBORw0KGgo=)",
    "![](javascript:alert(1))",
    "`![code](https://site.example/a.png)`",
    "# ![title](https://site.example/a.png)",
    "| ![cell](https://site.example/a.png) |\n|---|",
  };
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_string_append_printf (all, "%s\n\n", texts[i]);
  remote_show (f, all->str, TRUE);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 700, 1200);
  gadget_test_wait_frames (f->window, 4);
  g_assert_null (remote_get_place (f->window));
  fetch_assert_not_contacted (&f->web);
}

static void
test_within (RemoteFixture *f, gconstpointer data)
{
  g_autofree char *quoted = remote_dup_name (f, "quoted", "/q.png", "\n\n");
  g_autofree char *listed = remote_dup_name (f, "listed", "/l.png", "\n2. more\n");
  g_autofree char *answer = g_strdup_printf ("> %s1. %s", quoted, listed);

  remote_show (f, answer, TRUE);
  g_assert_nonnull (remote_find_piece (f->window, "quoted"));
  g_assert_nonnull (remote_find_piece (f->window, "listed"));
  remote_serve (&f->web, "/q.png", 40, 30);
  remote_press (f->window, "Load Image");
  wait_until (remote_has_texture (f->window));
  g_assert_nonnull (remote_find_button (f->window, "Load Image"));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);
}

/* Whatever it is called, that is only text. */
static void
test_hostile_name (RemoteFixture *f, gconstpointer data)
{
  g_autofree char *long_name = g_strnfill (3000, 'x');
  const char *const names[] = {
    "",
    "<b>&amp;</b> %s%n <a href='https://evil.example'>",
    "\u202egnp.exe\u2066 \u200b",
    "_Load **Picture**_",
    "a\nb",
    long_name,
    "[link](https://evil.example/x.png)",
  };
  g_autoptr (GString) answer = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = remote_dup_name (f, names[i], "/a.png", "\n\n");

      g_string_append (answer, name);
    }
  remote_show (f, answer->str, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GadgetRealizedRow *row;
      GtkWidget *place;

      /* The first row is the prompt. */
      _gadget_transcript_scroll_to (f->transcript, i + 1, 0);
      gadget_test_wait_frames (f->window, 3);
      row = _gadget_transcript_get_realized (f->transcript, i + 1);
      g_assert_nonnull (row);
      place = remote_get_place (GTK_WIDGET (row->widget));
      g_assert_nonnull (place);
      g_assert_cmpint (gtk_widget_get_width (place), <=, 700);
      g_assert_nonnull (remote_find_button (place, "Load Image"));
      g_assert_true ((test_find_label (place, "Image") != NULL) == (i == 0));
      for (const char *at = gadget_selectable_text_get_text (
               gadget_remote_picture_slot_get_piece (GADGET_REMOTE_PICTURE_SLOT (place)));
           *at != '\0'; at = g_utf8_next_char (at))
        g_assert_false (g_utf8_get_char (at) == 0x202e || g_utf8_get_char (at) == 0x2066);
    }
  fetch_assert_not_contacted (&f->web);
}

/* --- Copying --- */

static void
test_copy (RemoteFixture *f, gconstpointer data)
{
  g_autofree char *name = remote_dup_name (f, "The engine", "/a.png", "");
  g_autofree char *before = NULL;
  g_autofree char *source = NULL;
  g_autofree char *after = NULL;

  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  gadget_transcript_select_all (f->transcript);
  before = gadget_transcript_dup_selection (f->transcript);
  source = gadget_transcript_dup_selection_source (f->transcript);
  g_assert_nonnull (strstr (before, "it.\n\nThe engine (http://site.example"));
  g_assert_nonnull (strstr (before, "/a.png)\n\nAnd then"));
  g_assert_nonnull (strstr (source, name));
  remote_serve (&f->web, "/a.png", 40, 30);
  remote_press (f->window, "Load Image");
  wait_until (remote_has_texture (f->window));
  gadget_transcript_select_all (f->transcript);
  after = gadget_transcript_dup_selection (f->transcript);
  g_assert_cmpstr (after, ==, before);
}

/* --- Loaded ------------------------------------------------------------------------------------
 */

static void
test_load (RemoteFixture *f, gconstpointer data)
{
  GtkWidget *place;
  GtkWidget *opener;

  remote_serve (&f->web, "/logo.png", 1200, 800);
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/logo.png", "\n\nAnd then more.\n");
  place = remote_get_place (f->window);
  remote_press (place, "Load Image");
  g_assert_true (gadget_remote_pictures_is_loading (f->pictures));
  wait_until (remote_has_texture (place));
  g_assert_false (gadget_remote_pictures_is_loading (f->pictures));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);
  g_assert_null (test_find_label (place, "Load Image"));
  opener = test_find (place, is_opener, NULL);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (opener), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "The engine");
  gadget_test_wait_frames (f->window, 3);
  g_assert_cmpint (gtk_widget_get_height (place), ==, GADGET_PICTURE_VIEW_HEIGHT);
  g_signal_emit_by_name (opener, "clicked");
  wait_until (test_find (f->window, is_dialog, NULL) != NULL);
  g_assert_cmpstr (adw_dialog_get_title (ADW_DIALOG (test_find (f->window, is_dialog, NULL))), ==,
                   "logo.png");
}

/* Far away and back it is there, and asks nobody. */
static void
test_kept (RemoteFixture *f, gconstpointer data)
{
  g_autoptr (GString) more = g_string_new ("\n\n");
  g_autoptr (GadgetRemotePictures) again = NULL;

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (more, "Paragraph %u, which is about something else.\n\n", i);
  remote_serve (&f->web, "/a.png", 300, 200);
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", more->str);
  gadget_transcript_go_to_turn (f->transcript, -1);
  wait_until (remote_get_place (f->window) != NULL);
  remote_press (f->window, "Load Image");
  wait_until (remote_has_texture (f->window));
  gadget_transcript_follow (f->transcript);
  wait_until (remote_get_place (f->window) == NULL);
  gadget_transcript_go_to_turn (f->transcript, -1);
  wait_until (remote_has_texture (f->window));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);

  /* Opened again it is only offered. */
  again = gadget_remote_pictures_new (f->registry, "s");
  gadget_transcript_set_remote_pictures (f->transcript, again);
  wait_until (remote_find_button (f->window, "Load Image") != NULL);
  g_assert_false (remote_has_texture (f->window));
  gadget_remote_pictures_close (again);
  gadget_transcript_set_remote_pictures (f->transcript, f->pictures);
  wait_until (remote_has_texture (f->window));
}

/* --- Stopped -----------------------------------------------------------------------------------
 */

static void
test_stop (RemoteFixture *f, gconstpointer data)
{
  FakeReply *half = remote_serve_half (&f->web, "/a.png");
  GtkWidget *place;
  int height, y;

  remote_serve (&f->web, "/a.png", 40, 30);
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = remote_get_place (f->window);
  height = gtk_widget_get_height (place);
  y = remote_get_y (f, remote_find_piece (f->window, "And then more."));
  remote_press (place, "Load Image");
  wait_until (fake_server_count (f->web.server, FAKE_EVENT_STALL) == 1);
  gadget_test_wait_frames (f->window, 3);
  g_assert_cmpint (gtk_widget_get_height (place), ==, height);
  g_assert_cmpint (remote_get_y (f, remote_find_piece (f->window, "And then more.")), ==, y);
  remote_press (place, "Stop");
  /* Seen at once, whatever the network says of it. */
  g_assert_nonnull (remote_find_button (place, "Load Image"));
  g_assert_false (gadget_remote_pictures_is_loading (f->pictures));
  remote_assert_closed (&f->web);
  gadget_test_wait_frames (f->window, 3);
  g_assert_cmpint (gtk_widget_get_height (place), ==, height);
  remote_retire (half);
  remote_press (place, "Load Image");
  wait_until (remote_has_texture (place));
}

/* A double click loads, and stops nothing. */
static void
test_double_click (RemoteFixture *f, gconstpointer data)
{
  remote_serve_half (&f->web, "/a.png");
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  wait_until (gtk_window_is_active (GTK_WINDOW (f->window)));
  /* Where the button is whatever it says. */
  test_point_at_end (remote_find_button (f->window, "Load Image"));
  test_xdo ("click", "--repeat", "2", "--delay", "20", "1", NULL);
  wait_until (gadget_remote_pictures_is_loading (f->pictures));
  test_run_for (100);
  g_assert_true (gadget_remote_pictures_is_loading (f->pictures));
}

/* --- Failed ------------------------------------------------------------------------------------
 */

static void
test_retry (RemoteFixture *f, gconstpointer data)
{
  FakeReply *gone = fetch_add_page (&f->web, "/a.png");
  GtkWidget *place;
  const char *sentence = "The server has nothing at this address. Ask for another image.";

  fake_reply_body (gone, 404, "text/html", "<p>gone", "Connection: close\r\n");
  remote_serve (&f->web, "/a.png", 40, 30);
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = remote_get_place (f->window);
  remote_press (place, "Load Image");
  wait_until (test_find_label (place, sentence) != NULL);
  remote_retire (gone);
  remote_press (place, "Retry");
  wait_until (remote_has_texture (place));
  g_assert_null (test_find_label (place, sentence));
}

/* What only says that it is a picture. */
static void
test_damaged (RemoteFixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (&f->web, "/a.png");
  GtkWidget *place;

  fake_reply_head (reply, 200, "image/png", "Connection: close\r\n");
  fake_reply_raw (reply, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06", 26);
  fake_reply_close (reply);
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = remote_get_place (f->window);
  remote_press (place, "Load Image");
  wait_until (remote_find_button (place, "Retry") != NULL);
  g_assert_null (test_find (place, is_opener, NULL));
}

/* That nothing can be shown now is not the file's fault: it is kept. */
static void
test_busy (RemoteFixture *f, gconstpointer data)
{
  const char *sentence = "It was loaded, but cannot be shown now. Try again in a moment.";
  GtkWidget *place;

  remote_serve (&f->web, "/a.png", 40, 30);
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = remote_get_place (f->window);
  hung_jobs_begin ();
  remote_press (place, "Load Image");
  wait_until (test_find_label (place, sentence) != NULL);
  remote_press (place, "Retry");
  g_assert_null (test_find_label (place, sentence));
  wait_until (test_find_label (place, sentence) != NULL);
  hung_jobs_end ();
  remote_press (place, "Retry");
  wait_until (remote_has_texture (place));
  g_assert_null (test_find_label (place, sentence));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);
}

static void
test_local (RemoteFixture *f, gconstpointer data)
{
  remote_show (f,
               "![mine](http://192.168.1.1/logout)\n\n![no](http://me:secret@site.example/a.png)\n",
               TRUE);
  remote_press (f->window, "Load Image");
  wait_until (test_find_label (f->window, "The address is on this computer or in the local "
                                          "network, where no images are loaded from.")
              != NULL);
  /* With a name and a password nothing can be loaded at all. */
  g_assert_nonnull (test_find_label (f->window, "No image can be loaded from this address."));
  g_assert_null (remote_find_button (f->window, "Load Image"));
  fetch_assert_not_contacted (&f->web);
}

/* --- Elsewhere ---------------------------------------------------------------------------------
 */

static void
test_elsewhere (RemoteFixture *f, gconstpointer data)
{
  const guint port = fake_server_get_port (f->web.server);
  g_autofree char *other = g_strdup_printf ("http://other.example:%u/b.png", port);
  g_autofree char *button = g_strdup_printf ("Load From other.example:%u", port);
  GtkWidget *place;

  fetch_add_redirect (&f->web, "/a.png", 302, other);
  remote_serve (&f->web, "/b.png", 40, 30);
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = remote_get_place (f->window);
  remote_press (place, "Load Image");
  wait_until (remote_find_button (place, button) != NULL);
  /* Nobody agrees to it by a press that was meant for what stood there before. */
  g_signal_emit_by_name (remote_find_button (place, button), "clicked");
  test_run_for (50);
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);
  remote_press (place, button);
  wait_until (remote_has_texture (place));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 2);
}

/* --- Keyboard ----------------------------------------------------------------------------------
 */

static void
reach_button (RemoteFixture *f)
{
  GtkWidget *button = remote_find_button (f->window, "Load Image");
  GtkWidget *row = gtk_widget_get_ancestor (button, GADGET_TYPE_ROW);
  gboolean reached = FALSE;

  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Load Image");
  wait_until (gtk_window_is_active (GTK_WINDOW (f->window)));
  gtk_widget_grab_focus (GTK_WIDGET (f->transcript));
  /* Tab enters the transcript by its last row, the arrows go by row, and a row's buttons follow it.
   */
  test_key ("Tab");
  for (guint i = 0; i < 10 && gtk_window_get_focus (GTK_WINDOW (f->window)) != row; i++)
    test_key ("Up");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (f->window)) == row);
  for (guint i = 0; i < 5 && !reached; i++)
    {
      test_key ("Tab");
      reached = gtk_window_get_focus (GTK_WINDOW (f->window)) == button;
    }
  g_assert_true (reached);
}

static void
test_keyboard (RemoteFixture *f, gconstpointer data)
{
  GtkWidget *place;

  remote_serve (&f->web, "/a.png", 40, 30);
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = remote_get_place (f->window);
  reach_button (f);
  test_key ("Return");
  wait_until (remote_has_texture (place));
  /* The keys are not nowhere then. */
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (f->window))
                 == test_find (place, is_opener, NULL));
}

/* A key does not slip: it stops at once. (GTK takes a quarter of a second for a key press.) */
static void
test_keyboard_stop (RemoteFixture *f, gconstpointer data)
{
  remote_serve_half (&f->web, "/a.png");
  remote_show_picture (f, REMOTE_ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  reach_button (f);
  test_key ("Return");
  wait_until (gadget_remote_pictures_is_loading (f->pictures));
  test_key ("Return");
  wait_until (!gadget_remote_pictures_is_loading (f->pictures));
  g_assert_nonnull (remote_find_button (f->window, "Load Image"));
  remote_assert_closed (&f->web);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/ui/remote-pictures/" name, RemoteFixture, NULL, remote_set_up, func,               \
              remote_tear_down)

int
main (int argc, char *argv[])
{
  gadget_test_ui_init (&argc, &argv);
  ADD ("offered", test_offered);
  ADD ("no-place", test_no_place);
  ADD ("within", test_within);
  ADD ("hostile-name", test_hostile_name);
  ADD ("copy", test_copy);
  ADD ("load", test_load);
  ADD ("kept", test_kept);
  ADD ("stop", test_stop);
  ADD ("double-click", test_double_click);
  ADD ("retry", test_retry);
  ADD ("damaged", test_damaged);
  ADD ("busy", test_busy);
  ADD ("local", test_local);
  ADD ("elsewhere", test_elsewhere);
  ADD ("keyboard", test_keyboard);
  ADD ("keyboard-stop", test_keyboard_stop);
  return g_test_run ();
}
