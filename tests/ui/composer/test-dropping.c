/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is dragged into the window with a real pointer, as other programs offer it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "slow-content.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "wait.h"

#define SOURCE_SIZE 80

static guint
count (TestWindow *self)
{
  g_autoptr (GPtrArray) attachments = gadget_composer_dup_attachments (self->composer);

  return attachments != NULL ? attachments->len : 0;
}

static GdkContentProvider *
offer (const char *type, const void *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);

  return gdk_content_provider_new_for_bytes (type, bytes);
}

/* Whether who offered the last one was told that nobody reads it any more. */
static gboolean finished;

static void
finished_cb (GdkDrag *drag)
{
  finished = TRUE;
}

static void
begun_cb (GtkDragSource *source, GdkDrag *drag)
{
  finished = FALSE;
  g_signal_connect (drag, "dnd-finished", G_CALLBACK (finished_cb), NULL);
}

/* A window in front of the other one, from which DATA can be dragged. (transfer full) */
static GtkWidget *
open_source (GdkContentProvider *data)
{
  GtkDragSource *source = gtk_drag_source_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *window = gadget_test_window_new (box, SOURCE_SIZE, SOURCE_SIZE);

  gtk_drag_source_set_content (source, data);
  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  g_signal_connect (source, "drag-begin", G_CALLBACK (begun_cb), NULL);
  gtk_widget_add_controller (box, GTK_EVENT_CONTROLLER (source));
  gadget_test_wait_frames (window, 3);
  return window;
}

/* Takes it from there, over the TARGET, and lets it fall. */
static void
drag (GtkWidget *source, GtkWidget *target)
{
  test_xdo ("mousemove", "20", "20", "mousedown", "1", NULL);
  test_xdo ("mousemove", "40", "40", NULL);
  test_xdo ("mousemove", "60", "60", NULL);
  gadget_test_wait_frames (source, 2);
  test_point_at (target);
  for (guint i = 0; i < 3; i++)
    {
      test_xdo ("mousemove_relative", "2", "2", NULL);
      gadget_test_wait_frames (source, 2);
    }
}

/* Back to where it came from. */
static void
leave (GtkWidget *source)
{
  test_xdo ("mousemove", "40", "40", NULL);
  test_xdo ("mousemove", "30", "30", NULL);
  gadget_test_wait_frames (source, 4);
}

static void
let_go (GtkWidget *source)
{
  test_xdo ("mouseup", "1", NULL);
  gtk_window_destroy (GTK_WINDOW (source));
  g_object_unref (source);
}

static void
test_file (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "notes.txt", NULL);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autofree char *list = g_strconcat (uri, "\r\n", NULL);
  /* As file managers do: with its name as text beside it. */
  GdkContentProvider *both[] = { offer ("text/uri-list", list, strlen (list)),
                                 gdk_content_provider_new_typed (G_TYPE_STRING, path) };
  g_autoptr (GdkContentProvider) content =
      gdk_content_provider_new_union (both, G_N_ELEMENTS (both));
  g_autofree char *text = NULL;
  GtkWidget *source;

  g_assert_true (g_file_set_contents (path, "Some notes", -1, NULL));
  source = open_source (content);
  drag (source, self->text);
  g_assert_true (gtk_widget_has_css_class (self->composer->card, "drop"));
  let_go (source);
  wait_until (count (self) == 1 && finished);
  g_assert_false (gtk_widget_has_css_class (self->composer->card, "drop"));
  text = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (text, ==, "");

  /* Anywhere in the chat. */
  source = open_source (content);
  drag (source, GTK_WIDGET (self->chat));
  let_go (source);
  wait_until (count (self) == 2);
}

static void
test_left (TestWindow *self, gconstpointer data)
{
  static const char list[] = "file:///nowhere.txt\r\n";
  g_autoptr (GdkContentProvider) content = offer ("text/uri-list", list, strlen (list));
  GtkWidget *source = open_source (content);

  drag (source, self->text);
  g_assert_true (gtk_widget_has_css_class (self->composer->card, "drop"));
  leave (source);
  g_assert_false (gtk_widget_has_css_class (self->composer->card, "drop"));
  let_go (source);
  test_run_for (100);
  g_assert_cmpuint (count (self), ==, 0);
}

/* A picture from a page comes with its address; the picture is what is meant. */
static void
test_picture_of_a_page (TestWindow *self, gconstpointer address)
{
  g_autofree char *list = g_strconcat (address, "\r\n", NULL);
  const guchar pixels[4 * 4] = { 0 };
  g_autoptr (GBytes) memory = g_bytes_new (pixels, sizeof pixels);
  g_autoptr (GdkTexture) texture = gdk_memory_texture_new (2, 2, GDK_MEMORY_R8G8B8A8, memory, 8);
  g_autoptr (GBytes) png = gdk_texture_save_to_png_bytes (texture);
  GdkContentProvider *all[] = {
    offer ("text/uri-list", list, strlen (list)),
    offer ("image/png", g_bytes_get_data (png, NULL), g_bytes_get_size (png)),
    gdk_content_provider_new_typed (G_TYPE_STRING, address),
  };
  g_autoptr (GdkContentProvider) content = gdk_content_provider_new_union (all, G_N_ELEMENTS (all));
  g_autofree char *text = NULL;
  GtkWidget *source = open_source (content);

  drag (source, self->text);
  let_go (source);
  wait_until (count (self) == 1 && finished);
  text = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (text, ==, "");
}

/* From where it falls it has its place, and "stop everything" reaches it. */
static void
test_slow (TestWindow *self, gconstpointer mime_type)
{
  g_autoptr (SlowContent) content = slow_content_new (mime_type);
  GtkWidget *source = open_source (GDK_CONTENT_PROVIDER (content));

  drag (source, self->text);
  let_go (source);
  wait_until (slow_content_is_asked (content));
  g_assert_true (gadget_attachment_list_is_reading (self->composer->attachments));
  g_assert_false (finished);
  test_key ("ctrl+shift+Escape");
  wait_until (!gadget_attachment_list_is_reading (self->composer->attachments));
  wait_until (test_find_label (GTK_WIDGET (self->composer), "Stopped") != NULL);
  wait_until (finished);
  slow_content_end (content);
  test_run_for (100);
  g_assert_cmpuint (count (self), ==, 0);
}

/* A link is no file: its address goes into the text. */
static void
test_link (TestWindow *self, gconstpointer address)
{
  g_autofree char *list = g_strconcat (address, "\r\n", NULL);
  GdkContentProvider *both[] = {
    offer ("text/uri-list", list, strlen (list)),
    gdk_content_provider_new_typed (G_TYPE_STRING, address),
  };
  g_autoptr (GdkContentProvider) content =
      gdk_content_provider_new_union (both, G_N_ELEMENTS (both));
  g_autofree char *text = NULL;
  GtkWidget *source = open_source (content);

  drag (source, self->text);
  let_go (source);
  wait_until (gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->composer->text)) > 0);
  text = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (text, ==, address);
  g_assert_cmpuint (count (self), ==, 0);
  wait_until (finished);
}

static void
test_text (TestWindow *self, gconstpointer data)
{
  g_autoptr (GdkContentProvider) content =
      gdk_content_provider_new_typed (G_TYPE_STRING, "some words");
  g_autofree char *text = NULL;
  GtkWidget *source = open_source (content);

  drag (source, self->text);
  let_go (source);
  wait_until (gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->composer->text)) > 0);
  text = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (text, ==, "some words");
}

/* GTK 4.18 keeps a drop until another one passes, and loses it with the widget before that. */
static void
tear_down (TestWindow *self, gconstpointer data)
{
  g_autoptr (GdkContentProvider) content = offer ("text/uri-list", "", 0);
  GtkWidget *source = open_source (content);

  drag (source, self->text);
  leave (source);
  let_go (source);
  test_window_tear_down (self, data);
}

static void
add (const char *path, gconstpointer data, void (*function) (TestWindow *, gconstpointer))
{
  g_test_add (path, TestWindow, data, test_window_set_up, function, tear_down);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  add ("/ui/dropping/file", NULL, test_file);
  add ("/ui/dropping/left", NULL, test_left);
  add ("/ui/dropping/picture-of-a-page", "https://pictures.example/a.png", test_picture_of_a_page);
  add ("/ui/dropping/picture-in-a-page",
       "data:image/png;base64,iVBORw0KGgo=", test_picture_of_a_page);
  add ("/ui/dropping/slow-picture", "image/png", test_slow);
  add ("/ui/dropping/slow-files", "text/uri-list", test_slow);
  add ("/ui/dropping/link", "https://pages.example/one", test_link);
  add ("/ui/dropping/mail", "mailto:somebody@pages.example", test_link);
  add ("/ui/dropping/text", NULL, test_text);
  return g_test_run ();
}
