/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is given with a message, in the whole window: pasted, added as files, taken out again, sent,
 * queued, and brought back. */

#include "config.h"

#include "gadget-test-ui.h"
#include "slow-content.h"
#include "slow-pdf.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "session/gadget-attachment.h"
#include "ui/composer/gadget-composer-private.h"
#include "ui/pictures/gadget-attachment-chip.h"
#include "ui/pictures/gadget-picture-dialog.h"
#include "ui/transcript/rows/gadget-attachments-row.h"

#include <glib/gstdio.h>

static guint
count (TestWindow *self)
{
  g_autoptr (GPtrArray) attachments = gadget_composer_dup_attachments (self->composer);

  return attachments != NULL ? attachments->len : 0;
}

static GFile *
make_file (TestWindow *self, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return g_file_new_for_path (path);
}

static GdkTexture *
make_texture (int width, int height)
{
  const gsize stride = (gsize) width * 4;
  g_autoptr (GBytes) pixels =
      g_bytes_new_take (g_malloc0 (stride * (gsize) height), stride * (gsize) height);

  return gdk_memory_texture_new (width, height, GDK_MEMORY_R8G8B8A8, pixels, stride);
}

static GdkClipboard *
get_clipboard (TestWindow *self)
{
  return gtk_widget_get_clipboard (GTK_WIDGET (self->window));
}

/* As the button and a drop do; what is really dropped is in test-dropping.c. */
static void
add_file (TestWindow *self, GFile *file)
{
  gadget_attachment_list_add_file (self->composer->attachments, file);
}

static gboolean
is_chip (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_ATTACHMENT_CHIP (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_row (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_ATTACHMENTS_ROW (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_picture (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "given")
         && gtk_widget_get_mapped (widget);
}

static gboolean
is_dialog (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_PICTURE_DIALOG (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_edit (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), "document-edit-symbolic")
                == 0;
}

static GtkWidget *
find (TestWindow *self, TestMatch match)
{
  return test_find (GTK_WIDGET (self->window), match, NULL);
}

static const GadgetMessage *
get_last_message (TestWindow *self)
{
  GadgetRequest *request =
      fake_provider_get_request (self->provider, fake_provider_get_n_requests (self->provider) - 1);

  return g_ptr_array_index (request->messages, request->messages->len - 1);
}

/* --- Tests --- */

static void
test_paste (TestWindow *self, gconstpointer data)
{
  g_autoptr (GdkTexture) texture = make_texture (40, 20);
  g_autoptr (GFile) file = make_file (self, "notes.txt", "Some notes");
  g_autofree char *text = NULL;

  gtk_widget_grab_focus (self->text);
  gdk_clipboard_set_text (get_clipboard (self), "words");
  test_key ("ctrl+v");
  test_run_for (100);
  text = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (text, ==, "words");
  g_assert_cmpuint (count (self), ==, 0);

  gdk_clipboard_set_texture (get_clipboard (self), texture);
  test_key ("ctrl+v");
  wait_until (count (self) == 1);
  gdk_clipboard_set (get_clipboard (self), G_TYPE_FILE, file);
  test_key ("ctrl+v");
  wait_until (count (self) == 2);
  g_assert_true (gtk_widget_is_focus (self->text));

  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (count (self), ==, 0);
  g_assert_cmpuint (gadget_message_count (get_last_message (self), GADGET_PART_IMAGE), ==, 1);
  wait_until (find (self, is_row) != NULL);
  /* Small in the transcript, large in the dialog. */
  wait_until (find (self, is_picture) != NULL);
  test_click (find (self, is_picture));
  wait_until (find (self, is_dialog) != NULL);
  test_key ("Escape");
  wait_until (find (self, is_dialog) == NULL);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
}

static gboolean
count_key_cb (guint *count)
{
  (*count)++;
  return GDK_EVENT_PROPAGATE;
}

/* The keys that open a picture and remove a file are left alone where they do nothing, and each
 * button says what it removes. */
static void
test_keys (TestWindow *self, gconstpointer data)
{
  static const char *const keys[] = { "space", "Return", "Delete", "BackSpace" };
  g_autoptr (GFile) file = make_file (self, "notes.txt", "Some notes");
  GtkEventController *controller = gtk_event_controller_key_new ();
  g_autoptr (GadgetAttachment) attachment = gadget_attachment_new_text ("more.txt", "More", 4);
  GtkWidget *chip = gadget_attachment_chip_new ("more.txt");
  GtkWidget *button;
  guint n_keys = 0;

  add_file (self, file);
  wait_until (count (self) == 1
              && !gadget_attachment_list_is_reading (self->composer->attachments));
  button = gtk_widget_get_last_child (gtk_widget_get_first_child (find (self, is_chip)));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (button), ==, "Remove notes.txt");

  /* As in the transcript, where it is not removable. */
  gadget_attachment_chip_set_attachment (GADGET_ATTACHMENT_CHIP (chip), attachment, NULL);
  gtk_box_append (GTK_BOX (gtk_widget_get_parent (self->composer->card)), chip);
  g_signal_connect_swapped (controller, "key-pressed", G_CALLBACK (count_key_cb), &n_keys);
  gtk_widget_add_controller (gtk_widget_get_parent (chip), controller);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gtk_widget_grab_focus (chip);
      test_key (keys[i]);
      wait_until (n_keys == i + 1);
    }
  g_assert_cmpuint (count (self), ==, 1);
}

/* A chip is reached and removed with the keyboard; the focus goes on from there. */
static void
test_remove (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) one = make_file (self, "one.txt", "One");
  g_autoptr (GFile) two = make_file (self, "two.txt", "Two");
  g_autoptr (GFile) folder = g_file_new_for_path (self->folder);
  GtkWidget *chip;

  add_file (self, one);
  add_file (self, two);
  add_file (self, folder);
  wait_until (count (self) == 2);
  wait_until (test_find_label (GTK_WIDGET (self->composer), "Not a file") != NULL);
  chip = find (self, is_chip);
  gtk_widget_grab_focus (chip);
  test_key ("Delete");
  wait_until (count (self) == 1);
  g_assert_nonnull (gtk_widget_get_focus_child (GTK_WIDGET (self->composer->attachments)));
  test_key ("BackSpace");
  wait_until (count (self) == 0);
  test_key ("BackSpace");
  wait_until (find (self, is_chip) == NULL);
  g_assert_true (gtk_widget_is_focus (self->text));
  g_assert_false (gtk_widget_get_sensitive (self->button));
}

/* Nothing is sent as long as something is read. */
static void
test_while_reading (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) file = make_file (self, "notes.txt", "Some notes");

  test_type ("look");
  add_file (self, file);
  g_assert_true (gadget_attachment_list_is_reading (self->composer->attachments));
  g_assert_false (gtk_widget_get_sensitive (self->button));
  _gadget_composer_submit (self->composer);
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 0);
  wait_until (!gadget_attachment_list_is_reading (self->composer->attachments));
  g_assert_true (gtk_widget_get_sensitive (self->button));
}

/* What is still being read when everything is stopped says so; what was read stays. The stop of a
 * reply alone is not meant for it. */
static void
test_stop_everything (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = slow_pdf_make (self->folder);
  g_autoptr (GFile) slow = g_file_new_for_path (path);
  g_autoptr (GFile) notes = make_file (self, "notes.txt", "Some notes");

  test_window_send (self, "hello");
  wait_until (fake_provider_is_waiting (self->provider));
  add_file (self, notes);
  add_file (self, slow);
  wait_until (count (self) == 1 && slow_pdf_is_read ());
  test_key ("shift+Escape");
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  g_assert_true (gadget_attachment_list_is_reading (self->composer->attachments));
  g_assert_true (slow_pdf_is_read ());

  test_key ("ctrl+shift+Escape");
  wait_until (!gadget_attachment_list_is_reading (self->composer->attachments));
  wait_until (test_window_has_toast (self, "Stopped reading attachments"));
  wait_until (test_find_label (GTK_WIDGET (self->composer), "Stopped") != NULL);
  wait_until (!slow_pdf_is_read ());
  g_assert_cmpuint (count (self), ==, 1);
  test_key ("ctrl+shift+Escape");
  wait_until (test_window_has_toast (self, "Nothing is running"));
}

/* Editing an earlier message would lose what is being read: it says so. */
static void
test_edit_while_reading (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) file = make_file (self, "notes.txt", "Some notes");
  GadgetTurn *turn = test_window_send (self, "hello");

  fake_provider_text (self->provider, "Yes");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  add_file (self, file);
  g_assert_true (gadget_attachment_list_is_reading (self->composer->attachments));
  gtk_widget_activate_action (self->text, "session.edit-turn", "s", gadget_turn_get_id (turn));
  wait_until (test_window_has_toast (self, "Wait until the attachment has been read, then edit"));
  wait_until (count (self) == 1);
  gtk_widget_activate_action (self->text, "session.edit-turn", "s", gadget_turn_get_id (turn));
  g_assert_cmpuint (count (self), ==, 0);
}

/* Queued, taken out of the queue, and after an abort: it is all still there. */
static void
test_comes_back (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) file = make_file (self, "notes.txt", "Some notes");
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  GtkWidget *edit;

  add_file (self, file);
  wait_until (count (self) == 1);
  test_type ("first");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  add_file (self, file);
  wait_until (count (self) == 1);
  test_type ("second");
  test_key ("Return");
  wait_until (count (self) == 0);
  g_assert_cmpuint (
      g_list_model_get_n_items (gadget_session_get_queue (test_window_get_session (self))), ==, 1);
  /* Nothing was answered: the first one comes back to the composer. */
  test_key ("shift+Escape");
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  wait_until (count (self) == 1);
  text = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (text, ==, "first");
  gadget_composer_clear (self->composer);
  test_window_advance (self, 1000);
  edit = test_find (GTK_WIDGET (self->composer), is_edit, NULL);
  g_assert_nonnull (edit);
  gtk_widget_activate (edit);
  wait_until (count (self) == 1);
  g_assert_cmpuint (
      g_list_model_get_n_items (gadget_session_get_queue (test_window_get_session (self))), ==, 0);
  again = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (again, ==, "second");
  gtk_widget_activate_action (
      self->text, "session.edit-prompt", "s",
      gadget_turn_get_id (gadget_session_get_turn (test_window_get_session (self), 0)));
  g_assert_cmpuint (count (self), ==, 2);
}

/* A draft is what is written and what goes with it. */
static void
test_draft (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) file = make_file (self, "notes.txt", "Some notes");
  g_autoptr (GdkTexture) texture = make_texture (40, 20);
  g_autoptr (GPtrArray) attachments = NULL;

  add_file (self, file);
  gdk_clipboard_set_texture (get_clipboard (self), texture);
  gtk_widget_grab_focus (self->text);
  test_key ("ctrl+v");
  wait_until (count (self) == 2);
  test_window_restart (self);
  wait_until (count (self) == 2);
  attachments = gadget_composer_dup_attachments (self->composer);
  g_assert_cmpstr (gadget_attachment_get_text (g_ptr_array_index (attachments, 0)), ==,
                   "Some notes");
  /* Its bytes are read when it is sent. */
  gtk_widget_grab_focus (self->text);
  test_type ("look");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (gadget_message_count (get_last_message (self), GADGET_PART_IMAGE), ==, 1);
  test_window_restart (self);
  test_run_for (300);
  g_assert_cmpuint (count (self), ==, 0);
}

/* --- Of another program ----------------------------------------------------------------------- */

/* (transfer full) */
static SlowContent *
paste_slowly (TestWindow *self, const char *mime_type)
{
  SlowContent *content = slow_content_new (mime_type);

  gdk_clipboard_set_content (get_clipboard (self), GDK_CONTENT_PROVIDER (content));
  gtk_widget_grab_focus (self->text);
  test_key ("ctrl+v");
  wait_until (slow_content_is_asked (content));
  return content;
}

static GBytes *
make_picture (void)
{
  g_autoptr (GdkTexture) texture = make_texture (40, 20);

  return gdk_texture_save_to_png_bytes (texture);
}

/* A picture that is still to come has its place: nothing is sent without it. */
static void
test_arriving (TestWindow *self, gconstpointer data)
{
  g_autoptr (SlowContent) content = paste_slowly (self, "image/png");
  g_autoptr (GBytes) picture = make_picture ();

  g_assert_nonnull (find (self, is_chip));
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Reading…"));
  test_type ("look");
  test_key ("Return");
  test_run_for (100);
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 0);

  slow_content_give (content, picture);
  g_assert_cmpuint (count (self), ==, 0);
  slow_content_end (content);
  wait_until (count (self) == 1);
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (gadget_message_count (get_last_message (self), GADGET_PART_IMAGE), ==, 1);
}

/* What comes after a stop is not looked at. */
static void
test_arriving_stopped (TestWindow *self, gconstpointer data)
{
  g_autoptr (SlowContent) content = paste_slowly (self, "image/png");
  g_autoptr (GBytes) picture = make_picture ();

  test_type ("look");
  test_key ("ctrl+shift+Escape");
  wait_until (!gadget_attachment_list_is_reading (self->composer->attachments));
  wait_until (test_window_has_toast (self, "Stopped reading attachments"));
  wait_until (test_find_label (GTK_WIDGET (self->composer), "Stopped") != NULL);
  wait_until (slow_content_is_left (content));
  slow_content_end (content);
  test_run_for (100);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Stopped"));
  g_assert_cmpuint (count (self), ==, 0);
  /* What was written can be sent. */
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
}

/* Taken out again before it is there. */
static void
test_arriving_removed (TestWindow *self, gconstpointer data)
{
  g_autoptr (SlowContent) content = paste_slowly (self, "image/png");
  g_autoptr (GBytes) picture = make_picture ();

  slow_content_give (content, picture);
  gtk_widget_grab_focus (find (self, is_chip));
  test_key ("Delete");
  wait_until (find (self, is_chip) == NULL);
  wait_until (slow_content_is_left (content));
  g_assert_false (gadget_attachment_list_is_reading (self->composer->attachments));
  slow_content_end (content);
  test_run_for (100);
  g_assert_null (find (self, is_chip));
}

/* Whoever gives it may never come to an end. */
static void
test_arriving_for_ever (TestWindow *self, gconstpointer data)
{
  g_autoptr (SlowContent) content = paste_slowly (self, "image/png");
  g_autoptr (GBytes) much = g_bytes_new_take (g_malloc0 (1 << 20), 1 << 20);

  for (guint i = 0; i < 65 && !slow_content_is_left (content)
                    && gadget_attachment_list_is_reading (self->composer->attachments);
       i++)
    slow_content_give (content, much);
  wait_until (!gadget_attachment_list_is_reading (self->composer->attachments));
  wait_until (test_find_label (GTK_WIDGET (self->composer), "File too large") != NULL);
  slow_content_end (content);
}

/* The chat is left, and the program goes, while it comes. */
static void
test_arriving_at_the_end (TestWindow *self, gconstpointer data)
{
  g_autoptr (SlowContent) content = NULL;
  g_autoptr (SlowContent) again = NULL;

  test_window_send (self, "hello");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  content = paste_slowly (self, "image/png");
  test_key ("ctrl+n");
  wait_until (slow_content_is_left (content));
  wait_until (test_window_has_toast (self, "An attachment was still being read, and was left out"));
  wait_until (find (self, is_chip) == NULL);
  slow_content_end (content);
  again = paste_slowly (self, "image/png");
  test_window_restart (self);
  g_assert_true (slow_content_is_left (again));
  slow_content_end (again);
}

/* The names of files come in the same way. */
static void
test_arriving_files (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) file = make_file (self, "notes.txt", "Some notes");
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *list = g_strconcat (uri, "\r\n", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (list, strlen (list));
  g_autoptr (SlowContent) content = paste_slowly (self, "text/uri-list");
  g_autoptr (SlowContent) again = NULL;

  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Files"));
  test_type ("look");
  test_key ("Return");
  test_run_for (100);
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 0);
  slow_content_give (content, bytes);
  slow_content_end (content);
  wait_until (count (self) == 1);
  g_assert_null (test_find_label (GTK_WIDGET (self->composer), "Files"));

  again = paste_slowly (self, "text/uri-list");
  test_key ("ctrl+shift+Escape");
  wait_until (test_find_label (GTK_WIDGET (self->composer), "Stopped") != NULL);
  g_assert_true (slow_content_is_left (again));
  g_assert_cmpuint (count (self), ==, 1);
  slow_content_end (again);
}

/* More than models take: it is made smaller. */
static void
test_shrunk (TestWindow *self, gconstpointer data)
{
  g_autoptr (GdkTexture) texture = make_texture (9000, 10);
  g_autoptr (GPtrArray) attachments = NULL;
  const GadgetPicture *picture;

  gdk_clipboard_set_texture (get_clipboard (self), texture);
  gtk_widget_grab_focus (self->text);
  test_key ("ctrl+v");
  wait_until (count (self) == 1);
  attachments = gadget_composer_dup_attachments (self->composer);
  picture = gadget_attachment_get_picture (g_ptr_array_index (attachments, 0));
  g_assert_cmpuint (gadget_picture_get_width (picture), ==, 2000);
  g_assert_cmpstr (gadget_picture_get_mime_type (picture), ==, "image/png");
}

static GBytes *
make_cut_picture (void)
{
  g_autoptr (GdkTexture) texture = make_texture (300, 200);
  g_autoptr (GBytes) whole = gdk_texture_save_to_png_bytes (texture);

  return g_bytes_new_from_bytes (whole, 0, g_bytes_get_size (whole) - 20);
}

/* One whose end is missing is no picture that a model can be given. */
static void
test_damaged (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "cut.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GBytes) cut = make_cut_picture ();
  gsize length;
  const char *bytes = g_bytes_get_data (cut, &length);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
  add_file (self, file);
  wait_until (test_find_label (GTK_WIDGET (self->composer), "Damaged, or not readable") != NULL);
  g_assert_cmpuint (count (self), ==, 0);
}

/* One that came into a chat all the same says so. */
static void
test_damaged_row (TestWindow *self, gconstpointer data)
{
  g_autoptr (GBytes) cut = make_cut_picture ();
  g_autoptr (GadgetPicture) picture = gadget_picture_new ("cut.png", cut, NULL);
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();

  g_ptr_array_add (attachments, gadget_attachment_new_picture (picture));
  gadget_attachment_list_add (self->composer->attachments, attachments);
  test_type ("look");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  wait_until (find (self, is_row) != NULL);
  wait_until (test_find_label (find (self, is_row), "Damaged image") != NULL);
  g_assert_null (find (self, is_picture));
}

/* In a narrow window the chips of two files stand beside each other, and of more the last one is in
 * sight: the row scrolls. */
static void
test_narrow_row (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  GtkWidget *list = GTK_WIDGET (self->composer->attachments);
  GtkWidget *first, *last;
  graphene_rect_t bounds;
  int height;

  g_ptr_array_add (attachments,
                   gadget_attachment_new_text ("minutes-of-the-whole-week.txt", "Notes", 5));
  gadget_test_wait_frames (self->text, 4);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 370, 720);
  wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) <= 370);
  gadget_attachment_list_add (self->composer->attachments, attachments);
  gadget_test_wait_frames (self->text, 4);
  height = gtk_widget_get_height (list);
  gadget_attachment_list_add (self->composer->attachments, attachments);
  gadget_test_wait_frames (self->text, 4);
  g_assert_cmpint (gtk_widget_get_height (list), ==, height);
  first = find (self, is_chip);
  last = gtk_widget_get_next_sibling (first);
  g_assert_true (gtk_widget_compute_bounds (last, list, &bounds));
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (list));
  g_assert_true (gtk_widget_compute_bounds (first, list, &bounds));
  g_assert_cmpfloat (bounds.origin.x, >=, 0);

  for (guint i = 0; i < 4; i++)
    gadget_attachment_list_add (self->composer->attachments, attachments);
  last = gtk_widget_get_last_child (gtk_widget_get_parent (first));
  wait_until (gtk_widget_compute_bounds (last, list, &bounds) && bounds.size.width > 0
              && bounds.origin.x + bounds.size.width <= gtk_widget_get_width (list));
  g_assert_cmpint (gtk_widget_get_height (list), ==, height);
}

/* In the smallest window, with two files, all of a text is in sight that is not
 * higher than it may be. */
static void
test_narrow_text (TestWindow *self, gconstpointer data)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->composer->scroller);
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();

  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (attachments,
                     gadget_attachment_new_text ("minutes-of-the-whole-week.txt", "Notes", 5));
  gadget_test_wait_frames (self->text, 4);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 370, 720);
  wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) <= 370);
  gadget_attachment_list_add (self->composer->attachments, attachments);
  gtk_widget_grab_focus (self->text);
  gadget_test_wait_frames (self->text, 10);
  for (guint i = 0; i < 5; i++)
    {
      test_type ("some words for a line ");
      test_run_for (300);
      wait_until (gtk_adjustment_get_value (adjustment) == 0
                  && gtk_adjustment_get_upper (adjustment)
                         <= gtk_adjustment_get_page_size (adjustment));
    }
  /* There were several lines. */
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), >, 45);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/attachments/" path, TestWindow, NULL, test_window_set_up, function,             \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  int status;

  slow_pdf_init ();
  gadget_test_ui_init (&argc, &argv);

  add ("paste", test_paste);
  add ("narrow-row", test_narrow_row);
  add ("narrow-text", test_narrow_text);
  add ("remove", test_remove);
  add ("keys", test_keys);
  add ("damaged", test_damaged);
  add ("damaged-row", test_damaged_row);
  add ("while-reading", test_while_reading);
  add ("edit-while-reading", test_edit_while_reading);
  add ("stop-everything", test_stop_everything);
  add ("comes-back", test_comes_back);
  add ("draft", test_draft);
  add ("arriving", test_arriving);
  add ("arriving-stopped", test_arriving_stopped);
  add ("arriving-removed", test_arriving_removed);
  add ("arriving-for-ever", test_arriving_for_ever);
  add ("arriving-at-the-end", test_arriving_at_the_end);
  add ("arriving-files", test_arriving_files);
  add ("shrunk", test_shrunk);

  status = g_test_run ();
  slow_pdf_clear ();
  return status;
}
