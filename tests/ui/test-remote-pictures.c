/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures that answers name: nothing is loaded that the user did not ask for, what is loaded is
 * stopped like everything else, and nothing that is read moves for it. */

#include "fetch-fixture.h"
#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/transcript/gadget-picture-dialog.h"
#include "ui/transcript/gadget-picture-view.h"
#include "ui/transcript/gadget-remote-picture-place.h"
#include "ui/transcript/gadget-text-link.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

#define GUARD_MS 450
#define ABOVE "First some words about it.\n\n"

typedef struct
{
  FetchFixture web;
  GadgetRegistry *registry;
  GadgetRemotePictures *pictures;
  GadgetPictureBook *book;
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetItem *item;
  GtkWidget *window;
  GadgetTranscript *transcript;
} Fixture;

/* --- A chat with an answer ---------------------------------------------------------------------
 */

static void
set_up (Fixture *f, gconstpointer data)
{
  fetch_set_up (&f->web, NULL);
  f->registry = gadget_registry_new ();
  f->pictures = gadget_remote_pictures_new (f->registry, "s");
  gadget_remote_pictures_set_setup (f->pictures, &f->web.setup);
  f->book = gadget_picture_book_new (NULL);
  f->session = gadget_session_new ("s");
  f->turn = gadget_turn_new ("turn-1", "Show me.");
  f->item = gadget_item_new (GADGET_ITEM_TEXT);
  gadget_turn_append (f->turn, f->item);
  gadget_session_append (f->session, f->turn);
}

/* The answer is finished, unless it is still being written. */
static void
show (Fixture *f, const char *answer, gboolean finished)
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
  gadget_transcript_set_pictures (f->transcript, f->book);
  gadget_transcript_set_remote_pictures (f->transcript, f->pictures);
  gadget_transcript_set_session (f->transcript, f->session);
  f->window = g_object_ref (adw_window_new ());
  gtk_window_set_default_size (GTK_WINDOW (f->window), 700, 500);
  adw_window_set_content (ADW_WINDOW (f->window), scrolled);
  gtk_window_present (GTK_WINDOW (f->window));
  gadget_test_wait_frames (f->window, 4);
}

static void
tear_down (Fixture *f, gconstpointer data)
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
  g_object_add_weak_pointer (G_OBJECT (f->book), (gpointer *) &f->book);
  g_object_unref (f->book);
  wait_until (f->book == NULL);
  g_assert_finalize_object (f->session);
  g_assert_finalize_object (f->turn);
  g_assert_finalize_object (f->item);
  g_object_add_weak_pointer (G_OBJECT (f->registry), (gpointer *) &f->registry);
  g_object_unref (f->registry);
  wait_until (f->registry == NULL);
  fetch_tear_down (&f->web, NULL);
}

/* "![ALT](http://site.example:PORT/PATH)" and what is behind it. */
static char *
name_picture (Fixture *f, const char *alt, const char *path, const char *after)
{
  g_autofree char *url = fetch_dup_url (&f->web, FETCH_NAME, path);

  return g_strdup_printf ("![%s](%s)%s", alt, url, after);
}

static void
show_picture (Fixture *f, const char *before, const char *alt, const char *path, const char *after)
{
  g_autofree char *name = name_picture (f, alt, path, after);
  g_autofree char *answer = g_strconcat (before, name, NULL);

  show (f, answer, TRUE);
}

/* --- The server --- */

static void
add_bytes (FakeReply *reply, int width, int height)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  g_autofree char *data = NULL;
  gsize size;

  gdk_pixbuf_fill (pixbuf, 0x3584e4ff);
  g_assert_true (gdk_pixbuf_save_to_buffer (pixbuf, &data, &size, "png", NULL, NULL));
  fake_reply_head (reply, 200, "image/png", "Connection: close\r\n");
  fake_reply_raw (reply, data, (gssize) size);
}

static void
serve (FetchFixture *web, const char *path, int width, int height)
{
  FakeReply *reply = fetch_add_page (web, path);

  add_bytes (reply, width, height);
  fake_reply_close (reply);
}

/* The beginning of it. */
static FakeReply *
serve_half (FetchFixture *web, const char *path)
{
  FakeReply *reply = fetch_add_page (web, path);

  fake_reply_head (reply, 200, "image/png", "Content-Length: 5000\r\n");
  fake_reply_raw (reply, "\x89PNG\r\n\x1a\n", 8);
  fake_reply_stall (reply);
  return reply;
}

/* The next request gets another one. */
static void
retire (FakeReply *reply)
{
  fake_reply_when (reply, "/retired");
}

static gboolean
has_ended (gpointer server)
{
  return fake_server_count_ends (server) >= fake_server_count (server, FAKE_EVENT_ACCEPT);
}

static void
assert_closed (FetchFixture *web)
{
  g_assert_true (test_wait_until (has_ended, web->server, FETCH_SOON_MS));
}

/* --- The place --- */

static gboolean
is_place (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_REMOTE_PICTURE_PLACE (widget);
}

static gboolean
is_opener (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "picture");
}

static gboolean
is_view (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_PICTURE_VIEW (widget);
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

static gboolean
is_piece (GtkWidget *widget, gpointer text)
{
  return GADGET_IS_TEXT_PIECE (widget)
         && g_str_equal (gadget_text_piece_get_text (GADGET_TEXT_PIECE (widget)), text);
}

static GtkWidget *
get_place (GtkWidget *window)
{
  return test_find (window, is_place, NULL);
}

static GtkWidget *
find_button (GtkWidget *window, const char *label)
{
  GtkWidget *found = test_find_label (window, label);

  return found != NULL ? gtk_widget_get_ancestor (found, GTK_TYPE_BUTTON) : NULL;
}

/* After the moment in which it takes no press. */
static void
press (GtkWidget *window, const char *label)
{
  GtkWidget *button = find_button (window, label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_sensitive (button));
  test_run_for (GUARD_MS);
  g_signal_emit_by_name (button, "clicked");
}

static gboolean
has_texture (GtkWidget *window)
{
  GtkWidget *view = test_find (window, is_view, NULL);

  return view != NULL && gadget_picture_view_get_texture (GADGET_PICTURE_VIEW (view)) != NULL;
}

static int
get_y (Fixture *f, GtkWidget *widget)
{
  graphene_point_t at;

  g_assert_nonnull (widget);
  g_assert_true (gtk_widget_compute_point (widget, GTK_WIDGET (f->transcript),
                                           &GRAPHENE_POINT_INIT (0, 0), &at));
  return (int) at.y;
}

/* --- Offered ------------------------------------------------------------------------------------
 */

static void
test_offered (Fixture *f, gconstpointer data)
{
  g_autofree char *server =
      g_strdup_printf ("%s:%u", FETCH_NAME, fake_server_get_port (f->web.server));
  GadgetTextLink *link;
  GtkWidget *place;

  show_picture (f, ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = get_place (f->window);
  g_assert_nonnull (place);
  g_assert_nonnull (test_find (place, is_piece, (gpointer) "The engine"));
  g_assert_nonnull (test_find (place, is_piece, server));
  g_assert_nonnull (find_button (place, "Load Picture"));
  g_assert_null (test_find (place, is_opener, NULL));
  /* The browser may be asked for it as well. */
  link = GADGET_TEXT_LINK (test_find (place, is_link, NULL));
  g_assert_true (g_str_has_suffix (gadget_text_link_get_address (link), "/a.png"));
  fetch_assert_not_contacted (&f->web);
  g_assert_cmpuint (f->web.resolver->n_lookups, ==, 0);
}

/* What is within a text, or of no place in the web, has no place of its own. */
static void
test_no_place (Fixture *f, gconstpointer data)
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
  show (f, all->str, TRUE);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 700, 1200);
  gadget_test_wait_frames (f->window, 4);
  g_assert_null (get_place (f->window));
  fetch_assert_not_contacted (&f->web);
}

static void
test_within (Fixture *f, gconstpointer data)
{
  g_autofree char *quoted = name_picture (f, "quoted", "/q.png", "\n\n");
  g_autofree char *listed = name_picture (f, "listed", "/l.png", "\n2. more\n");
  g_autofree char *answer = g_strdup_printf ("> %s1. %s", quoted, listed);

  show (f, answer, TRUE);
  g_assert_nonnull (test_find (f->window, is_piece, (gpointer) "quoted"));
  g_assert_nonnull (test_find (f->window, is_piece, (gpointer) "listed"));
  serve (&f->web, "/q.png", 40, 30);
  press (f->window, "Load Picture");
  wait_until (has_texture (f->window));
  g_assert_nonnull (find_button (f->window, "Load Picture"));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);
}

/* Whatever it is called, that is only text. */
static void
test_hostile_name (Fixture *f, gconstpointer data)
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
      g_autofree char *name = name_picture (f, names[i], "/a.png", "\n\n");

      g_string_append (answer, name);
    }
  show (f, answer->str, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GadgetRealised *row;
      GtkWidget *place;

      /* The first row is the prompt. */
      _gadget_transcript_scroll_to (f->transcript, i + 1, 0);
      gadget_test_wait_frames (f->window, 3);
      row = _gadget_transcript_get_realised (f->transcript, i + 1);
      g_assert_nonnull (row);
      place = get_place (GTK_WIDGET (row->widget));
      g_assert_nonnull (place);
      g_assert_cmpint (gtk_widget_get_width (place), <=, 700);
      g_assert_nonnull (find_button (place, "Load Picture"));
      g_assert_true ((test_find_label (place, "Picture") != NULL) == (i == 0));
      for (const char *at = gadget_text_piece_get_text (
               gadget_remote_picture_place_get_piece (GADGET_REMOTE_PICTURE_PLACE (place)));
           *at != '\0'; at = g_utf8_next_char (at))
        g_assert_false (g_utf8_get_char (at) == 0x202e || g_utf8_get_char (at) == 0x2066);
    }
  fetch_assert_not_contacted (&f->web);
}

/* --- Copying --- */

static void
test_copy (Fixture *f, gconstpointer data)
{
  g_autofree char *name = name_picture (f, "The engine", "/a.png", "");
  g_autofree char *before = NULL;
  g_autofree char *source = NULL;
  g_autofree char *after = NULL;

  show_picture (f, ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  gadget_transcript_select_all (f->transcript);
  before = gadget_transcript_dup_selection (f->transcript);
  source = gadget_transcript_dup_selection_source (f->transcript);
  g_assert_nonnull (strstr (before, "it.\n\nThe engine (http://site.example"));
  g_assert_nonnull (strstr (before, "/a.png)\n\nAnd then"));
  g_assert_nonnull (strstr (source, name));
  serve (&f->web, "/a.png", 40, 30);
  press (f->window, "Load Picture");
  wait_until (has_texture (f->window));
  gadget_transcript_select_all (f->transcript);
  after = gadget_transcript_dup_selection (f->transcript);
  g_assert_cmpstr (after, ==, before);
}

/* --- Loaded ------------------------------------------------------------------------------------
 */

static void
test_load (Fixture *f, gconstpointer data)
{
  GtkWidget *place;
  GtkWidget *opener;

  serve (&f->web, "/logo.png", 1200, 800);
  show_picture (f, ABOVE, "The engine", "/logo.png", "\n\nAnd then more.\n");
  place = get_place (f->window);
  press (place, "Load Picture");
  g_assert_true (gadget_remote_pictures_is_loading (f->pictures));
  wait_until (has_texture (place));
  g_assert_false (gadget_remote_pictures_is_loading (f->pictures));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);
  g_assert_null (test_find_label (place, "Load Picture"));
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
test_kept (Fixture *f, gconstpointer data)
{
  g_autoptr (GString) more = g_string_new ("\n\n");
  g_autoptr (GadgetRemotePictures) again = NULL;

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (more, "Paragraph %u, which is about something else.\n\n", i);
  serve (&f->web, "/a.png", 300, 200);
  show_picture (f, ABOVE, "The engine", "/a.png", more->str);
  gadget_transcript_go_to_turn (f->transcript, -1);
  wait_until (get_place (f->window) != NULL);
  press (f->window, "Load Picture");
  wait_until (has_texture (f->window));
  gadget_transcript_follow (f->transcript);
  wait_until (get_place (f->window) == NULL);
  gadget_transcript_go_to_turn (f->transcript, -1);
  wait_until (has_texture (f->window));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);

  /* Opened again it is only offered. */
  again = gadget_remote_pictures_new (f->registry, "s");
  gadget_transcript_set_remote_pictures (f->transcript, again);
  wait_until (find_button (f->window, "Load Picture") != NULL);
  g_assert_false (has_texture (f->window));
  gadget_remote_pictures_close (again);
  gadget_transcript_set_remote_pictures (f->transcript, f->pictures);
  wait_until (has_texture (f->window));
}

/* --- Stopped -----------------------------------------------------------------------------------
 */

static void
test_stop (Fixture *f, gconstpointer data)
{
  FakeReply *half = serve_half (&f->web, "/a.png");
  GtkWidget *place;
  int height, y;

  serve (&f->web, "/a.png", 40, 30);
  show_picture (f, ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = get_place (f->window);
  height = gtk_widget_get_height (place);
  y = get_y (f, test_find (f->window, is_piece, (gpointer) "And then more."));
  press (place, "Load Picture");
  wait_until (fake_server_count (f->web.server, FAKE_EVENT_STALL) == 1);
  gadget_test_wait_frames (f->window, 3);
  g_assert_cmpint (gtk_widget_get_height (place), ==, height);
  g_assert_cmpint (get_y (f, test_find (f->window, is_piece, (gpointer) "And then more.")), ==, y);
  press (place, "Stop");
  /* Seen at once, whatever the network says of it. */
  g_assert_nonnull (find_button (place, "Load Picture"));
  g_assert_false (gadget_remote_pictures_is_loading (f->pictures));
  assert_closed (&f->web);
  gadget_test_wait_frames (f->window, 3);
  g_assert_cmpint (gtk_widget_get_height (place), ==, height);
  retire (half);
  press (place, "Load Picture");
  wait_until (has_texture (place));
}

/* A double click loads, and stops nothing. */
static void
test_double_click (Fixture *f, gconstpointer data)
{
  GtkWidget *button;

  serve_half (&f->web, "/a.png");
  show_picture (f, ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  button = find_button (f->window, "Load Picture");
  g_signal_emit_by_name (button, "clicked");
  g_signal_emit_by_name (button, "clicked");
  test_run_for (50);
  g_assert_true (gadget_remote_pictures_is_loading (f->pictures));
}

/* --- Failed ------------------------------------------------------------------------------------
 */

static void
test_retry (Fixture *f, gconstpointer data)
{
  FakeReply *gone = fetch_add_page (&f->web, "/a.png");
  GtkWidget *place;
  const char *sentence = "The server has nothing at this address. Ask for another picture.";

  fake_reply_body (gone, 404, "text/html", "<p>gone", "Connection: close\r\n");
  serve (&f->web, "/a.png", 40, 30);
  show_picture (f, ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = get_place (f->window);
  press (place, "Load Picture");
  wait_until (test_find_label (place, sentence) != NULL);
  retire (gone);
  press (place, "Retry");
  wait_until (has_texture (place));
  g_assert_null (test_find_label (place, sentence));
}

/* What only says that it is a picture. */
static void
test_damaged (Fixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (&f->web, "/a.png");
  GtkWidget *place;

  fake_reply_head (reply, 200, "image/png", "Connection: close\r\n");
  fake_reply_raw (reply, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06", 26);
  fake_reply_close (reply);
  show_picture (f, ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = get_place (f->window);
  press (place, "Load Picture");
  wait_until (find_button (place, "Retry") != NULL);
  g_assert_null (test_find (place, is_opener, NULL));
}

static void
test_local (Fixture *f, gconstpointer data)
{
  show (f, "![mine](http://192.168.1.1/logout)\n\n![no](http://me:secret@site.example/a.png)\n",
        TRUE);
  press (f->window, "Load Picture");
  wait_until (test_find_label (f->window, "The address is on this computer or in the local "
                                          "network, where no pictures are loaded from.")
              != NULL);
  /* With a name and a password nothing can be loaded at all. */
  g_assert_nonnull (test_find_label (f->window, "No picture can be loaded from this address."));
  g_assert_null (find_button (f->window, "Load Picture"));
  fetch_assert_not_contacted (&f->web);
}

/* --- Elsewhere ---------------------------------------------------------------------------------
 */

static void
test_elsewhere (Fixture *f, gconstpointer data)
{
  const guint port = fake_server_get_port (f->web.server);
  g_autofree char *other = g_strdup_printf ("http://other.example:%u/b.png", port);
  g_autofree char *button = g_strdup_printf ("Load From other.example:%u", port);
  GtkWidget *place;

  fetch_add_redirect (&f->web, "/a.png", 302, other);
  serve (&f->web, "/b.png", 40, 30);
  show_picture (f, ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = get_place (f->window);
  press (place, "Load Picture");
  wait_until (find_button (place, button) != NULL);
  /* Nobody agrees to it by a press that was meant for what stood there before. */
  g_signal_emit_by_name (find_button (place, button), "clicked");
  test_run_for (50);
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 1);
  press (place, button);
  wait_until (has_texture (place));
  g_assert_cmpuint (fake_server_get_n_requests (f->web.server), ==, 2);
}

/* --- What is read stays ------------------------------------------------------------------------
 */

static GtkWidget *
find_paragraph (Fixture *f, guint i)
{
  g_autofree char *text = g_strdup_printf ("Paragraph %u.", i);

  return test_find (f->window, is_piece, text);
}

static void
append_paragraphs (GString *answer, guint from, guint to)
{
  for (guint i = from; i < to; i++)
    g_string_append_printf (answer, "Paragraph %u.\n\n", i);
}

/* Paragraphs, the picture, and as many again; the place is where @y says. */
static void
show_among_paragraphs (Fixture *f, int y)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  g_autofree char *name = name_picture (f, "Tall", "/tall.png", "\n\n");

  append_paragraphs (answer, 0, 40);
  g_string_append (answer, name);
  append_paragraphs (answer, 40, 80);
  show (f, answer->str, TRUE);
  gadget_transcript_go_to_turn (f->transcript, -1);
  gadget_test_wait_frames (f->window, 3);
  /* Rows: the prompt, and each paragraph. */
  _gadget_transcript_scroll_to (f->transcript, 41, y);
  gadget_test_wait_frames (f->window, 3);
  g_assert_nonnull (get_place (f->window));
}

static void
load_tall (Fixture *f)
{
  press (f->window, "Load Picture");
  wait_until (fake_server_count (f->web.server, FAKE_EVENT_REPLIED) == 1);
  wait_until (!gadget_remote_pictures_is_loading (f->pictures));
  gadget_test_wait_frames (f->window, 4);
}

/* In sight it grows downwards: what is above stays. */
static void
test_grows_down (Fixture *f, gconstpointer data)
{
  int place, above;

  serve (&f->web, "/tall.png", 100, 2000);
  show_among_paragraphs (f, 200);
  above = get_y (f, find_paragraph (f, 38));
  place = get_y (f, get_place (f->window));
  load_tall (f);
  g_assert_cmpint (gtk_widget_get_height (get_place (f->window)), ==, GADGET_PICTURE_VIEW_HEIGHT);
  g_assert_cmpint (get_y (f, find_paragraph (f, 38)), ==, above);
  g_assert_cmpint (get_y (f, get_place (f->window)), ==, place);
}

/* Begun above the viewport it grows upwards: what is below stays. */
static void
test_grows_up (Fixture *f, gconstpointer data)
{
  int below;

  serve (&f->web, "/tall.png", 100, 2000);
  show_among_paragraphs (f, -30);
  g_assert_cmpint (get_y (f, get_place (f->window)), <, 0);
  below = get_y (f, find_paragraph (f, 42));
  load_tall (f);
  g_assert_cmpint (get_y (f, find_paragraph (f, 42)), ==, below);
  g_assert_cmpint (get_y (f, get_place (f->window)), <, -250);
}

/* At the end of the chat, which is followed: what is above stays all the same. */
static void
test_grows_at_end (Fixture *f, gconstpointer data)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  g_autofree char *name = name_picture (f, "Tall", "/tall.png", "\n");
  int above, place;

  serve (&f->web, "/tall.png", 100, 2000);
  append_paragraphs (answer, 0, 40);
  g_string_append (answer, name);
  show (f, answer->str, TRUE);
  g_assert_true (gadget_transcript_get_following (f->transcript));
  above = get_y (f, find_paragraph (f, 38));
  place = get_y (f, get_place (f->window));
  load_tall (f);
  g_assert_cmpint (get_y (f, find_paragraph (f, 38)), ==, above);
  g_assert_cmpint (get_y (f, get_place (f->window)), ==, place);
}

/* Out of sight: nothing moves at all, also not on the way back to it. */
static void
test_grows_out_of_sight (Fixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (&f->web, "/tall.png");
  int there;

  fake_reply_delay (reply, 300);
  add_bytes (reply, 100, 2000);
  fake_reply_close (reply);
  show_among_paragraphs (f, 200);
  press (f->window, "Load Picture");
  _gadget_transcript_scroll_to (f->transcript, 55, 10);
  gadget_test_wait_frames (f->window, 3);
  g_assert_null (get_place (f->window));
  g_assert_true (gadget_remote_pictures_is_loading (f->pictures));
  there = get_y (f, find_paragraph (f, 56));
  wait_until (!gadget_remote_pictures_is_loading (f->pictures));
  gadget_test_wait_frames (f->window, 4);
  g_assert_cmpint (get_y (f, find_paragraph (f, 56)), ==, there);
  for (guint i = 0; i < 20 && get_place (f->window) == NULL; i++)
    {
      const int before = get_y (f, find_paragraph (f, 56));

      _gadget_transcript_scroll_by (f->transcript, -20);
      gadget_test_wait_frames (f->window, 2);
      if (find_paragraph (f, 56) != NULL)
        g_assert_cmpint (get_y (f, find_paragraph (f, 56)), ==, before + 20);
    }
  wait_until (has_texture (f->window));
}

/* --- Being written ------------------------------------------------------------------------------
 */

/* It is a text until its block is closed, and has its place from then on. */
static void
test_streaming (Fixture *f, gconstpointer data)
{
  g_autofree char *name = name_picture (f, "The engine", "/a.png", "");
  guint n_changes = 0;
  gboolean had = FALSE;

  show (f, ABOVE, FALSE);
  for (const char *at = name; *at != '\0'; at++)
    {
      gadget_item_append_text (f->item, at, 1);
      gadget_test_wait_frames (f->window, 1);
      g_assert_null (get_place (f->window));
    }
  for (const char *at = "\n\nAnd then *more*.\n\n- one\n- two\n\nEnd"; *at != '\0'; at++)
    {
      gadget_item_append_text (f->item, at, 1);
      gadget_test_wait_frames (f->window, 1);
      n_changes += had != (get_place (f->window) != NULL);
      had = get_place (f->window) != NULL;
    }
  g_assert_true (had);
  g_assert_cmpuint (n_changes, ==, 1);
  gadget_item_set_status (f->item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (f->turn);
  gadget_test_wait_frames (f->window, 2);
  g_assert_nonnull (get_place (f->window));
  fetch_assert_not_contacted (&f->web);
}

/* At the very end it has its place when the answer has ended. */
static void
test_streaming_end (Fixture *f, gconstpointer data)
{
  g_autofree char *name = name_picture (f, "The engine", "/a.png", "");

  show (f, name, FALSE);
  g_assert_null (get_place (f->window));
  gadget_item_set_status (f->item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (f->turn);
  wait_until (get_place (f->window) != NULL);
}

/* --- Keyboard ----------------------------------------------------------------------------------
 */

static void
test_keyboard (Fixture *f, gconstpointer data)
{
  GtkWidget *place;
  GtkWidget *button;
  gboolean reached = FALSE;

  serve (&f->web, "/a.png", 40, 30);
  show_picture (f, ABOVE, "The engine", "/a.png", "\n\nAnd then more.\n");
  place = get_place (f->window);
  button = find_button (place, "Load Picture");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Load Picture");
  wait_until (gtk_window_is_active (GTK_WINDOW (f->window)));
  gtk_widget_grab_focus (GTK_WIDGET (f->transcript));
  for (guint i = 0; i < 10 && !reached; i++)
    {
      test_key ("Tab");
      reached = gtk_window_get_focus (GTK_WINDOW (f->window)) == button;
    }
  g_assert_true (reached);
  test_key ("Return");
  wait_until (has_texture (place));
  /* The keys are not nowhere then. */
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (f->window))
                 == test_find (place, is_opener, NULL));
}

/* --- In the window -----------------------------------------------------------------------------
 */

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
  return gadget_transcript_get_remote_pictures (_gadget_chat_get_transcript (f->window.chat));
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
  wait_until (get_place (get_window (f)) != NULL);
  gadget_remote_pictures_set_setup (get_pictures (f), &f->web.setup);
}

static void
start_loading (WindowFixture *f)
{
  press (get_window (f), "Load Picture");
  wait_until (fake_server_count (f->web.server, FAKE_EVENT_STALL) == 1);
  test_run_for (20);
  g_assert_true (gadget_remote_pictures_is_loading (get_pictures (f)));
}

static void
assert_stopped (WindowFixture *f)
{
  wait_until (!gadget_remote_pictures_is_loading (get_pictures (f)));
  assert_closed (&f->web);
  g_assert_nonnull (find_button (get_window (f), "Load Picture"));
}

static void
test_escape (WindowFixture *f, gconstpointer data)
{
  serve_half (&f->web, "/a.png");
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
  serve_half (&f->web, "/a.png");
  answer (f);
  start_loading (f);
  test_key (keys);
  assert_stopped (f);
  if (g_str_equal (keys, "ctrl+shift+Escape"))
    wait_until (test_window_has_toast (&f->window, "Stopping the loading of pictures"));
}

/* The chat is left: it is stopped, and forgotten. */
static void
test_leave (WindowFixture *f, gconstpointer data)
{
  FakeReply *half = serve_half (&f->web, "/a.png");
  GadgetSession *session;

  answer (f);
  session = g_object_ref (gadget_window_get_session (f->window.window));
  start_loading (f);
  gtk_widget_activate_action (f->window.text, "win.new-chat", NULL);
  assert_closed (&f->web);
  gadget_chat_set_session (f->window.chat, session);
  wait_until (get_place (get_window (f)) != NULL);
  g_assert_nonnull (find_button (get_window (f), "Load Picture"));
  gadget_remote_pictures_set_setup (get_pictures (f), &f->web.setup);
  retire (half);
  serve (&f->web, "/a.png", 40, 30);
  press (get_window (f), "Load Picture");
  wait_until (has_texture (get_window (f)));
  g_object_unref (session);
}

/* The application ends in the middle of it. */
static void
test_quit (WindowFixture *f, gconstpointer data)
{
  serve_half (&f->web, "/a.png");
  answer (f);
  start_loading (f);
  test_window_restart (&f->window);
  assert_closed (&f->web);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/ui/remote-pictures/" name, Fixture, NULL, set_up, func, tear_down)
#define ADD_WINDOW(name, func, data)                                                               \
  g_test_add ("/ui/remote-pictures/window/" name, WindowFixture, data, window_set_up, func,        \
              window_tear_down)

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
  ADD ("local", test_local);
  ADD ("elsewhere", test_elsewhere);
  ADD ("grows-down", test_grows_down);
  ADD ("grows-up", test_grows_up);
  ADD ("grows-at-end", test_grows_at_end);
  ADD ("grows-out-of-sight", test_grows_out_of_sight);
  ADD ("streaming", test_streaming);
  ADD ("streaming-end", test_streaming_end);
  ADD ("keyboard", test_keyboard);
  ADD_WINDOW ("escape", test_escape, NULL);
  ADD_WINDOW ("stop", test_stop_keys, "shift+Escape");
  ADD_WINDOW ("stop-everything", test_stop_keys, "ctrl+shift+Escape");
  ADD_WINDOW ("leave", test_leave, NULL);
  ADD_WINDOW ("quit", test_quit, NULL);
  return g_test_run ();
}
