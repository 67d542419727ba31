/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures of tools in the transcript: honest ones, and those that mean harm. */

#include "gadget-test-ui.h"
#include "test-file-dialog.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-window.h"

#include "store/gadget-store-pictures.h"
#include "ui/pictures/gadget-picture-decode.h"
#include "ui/pictures/gadget-picture-dialog.h"
#include "ui/pictures/gadget-picture-view.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-picture-row.h"

#include <adwaita.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

static const char drawing[] =
    "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\">"
    "<image href=\"file:///etc/passwd\" width=\"10\" height=\"10\"/></svg>";

static GBytes *
make_file (int width, int height, const char *kind)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  g_autoptr (GError) error = NULL;
  char *data;
  gsize size;

  gdk_pixbuf_fill (pixbuf, 0x3584e4ff);
  gdk_pixbuf_save_to_buffer (pixbuf, &data, &size, kind, &error, NULL);
  g_assert_no_error (error);
  return g_bytes_new_take (data, size);
}

/* A picture of that size whose beginning is all that there is. */
static GBytes *
make_cut_file (const char *kind, gsize left_out)
{
  g_autoptr (GBytes) whole = make_file (64, 48, kind);

  return g_bytes_new_from_bytes (whole, 0, g_bytes_get_size (whole) - left_out);
}

/* The head of a PNG of that size, and then nothing that could be one. */
static GBytes *
make_bomb (guint32 width, guint32 height)
{
  g_autoptr (GBytes) whole = make_file (1, 1, "png");
  gsize size;
  guint8 *data = g_bytes_unref_to_data (g_steal_pointer (&whole), &size);

  width = GUINT32_TO_BE (width);
  height = GUINT32_TO_BE (height);
  memcpy (data + 16, &width, 4);
  memcpy (data + 20, &height, 4);
  return g_bytes_new_take (data, size);
}

static void
assert_refused (GBytes *data, GadgetPictureError code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gadget_picture_decode (data, 100, 100, &error);

  g_assert_null (texture);
  g_assert_error (error, GADGET_PICTURE_ERROR, (int) code);
}

static void
assert_decoded (GBytes *data, guint max_width, guint max_height, int width, int height)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gadget_picture_decode (data, max_width, max_height, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, width);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, height);
}

static void
test_decode (void)
{
  static const char *const kinds[] = { "png", "jpeg" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GBytes) small = make_file (64, 48, kinds[i]);
      g_autoptr (GBytes) large = make_file (2000, 1000, kinds[i]);
      g_autoptr (GBytes) line = make_file (3000, 1, kinds[i]);

      assert_decoded (small, 732, 320, 64, 48);
      assert_decoded (large, 732, 320, 640, 320);
      assert_decoded (line, 732, 320, 732, 1);
    }
}

static void
test_hostile (void)
{
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);
  g_autoptr (GBytes) words = g_bytes_new_static ("Not a picture at all.", 21);
  g_autoptr (GBytes) svg = g_bytes_new_static (drawing, sizeof drawing - 1);
  g_autoptr (GBytes) cut_png = make_cut_file ("png", 20);
  g_autoptr (GBytes) cut_jpeg = make_cut_file ("jpeg", 20);
  g_autoptr (GBytes) head_png = make_cut_file ("png", 40);
  g_autoptr (GBytes) bomb = make_bomb (30000, 30000);
  g_autoptr (GBytes) strip = make_bomb (1, 0x7fffffff);
  g_autoptr (GBytes) nothing = make_bomb (0, 10);

  assert_refused (empty, GADGET_PICTURE_ERROR_KIND);
  assert_refused (words, GADGET_PICTURE_ERROR_KIND);
  assert_refused (svg, GADGET_PICTURE_ERROR_KIND);
  assert_refused (cut_png, GADGET_PICTURE_ERROR_DAMAGED);
  assert_refused (cut_jpeg, GADGET_PICTURE_ERROR_DAMAGED);
  assert_refused (head_png, GADGET_PICTURE_ERROR_DAMAGED);
  /* The checksum of these heads is wrong too; what matters is that there is no memory for them. */
  g_assert_null (gadget_picture_decode (bomb, 100, 100, NULL));
  g_assert_null (gadget_picture_decode (strip, 100, 100, NULL));
  g_assert_null (gadget_picture_decode (nothing, 100, 100, NULL));
}

/* Said by the decoder, not by us: a JPEG's size has no checksum. */
static void
test_large_jpeg (void)
{
  static const guint8 sides[] = { 0x75, 0x30, 0x75, 0x30 };
  g_autoptr (GBytes) whole = make_file (16, 16, "jpeg");
  gsize size;
  guint8 *data = g_bytes_unref_to_data (g_steal_pointer (&whole), &size);
  guint8 *frame = memmem (data, size, "\xff\xc0", 2);
  g_autoptr (GBytes) bomb = NULL;

  g_assert_nonnull (frame);
  memcpy (frame + 5, sides, sizeof sides);
  bomb = g_bytes_new_take (data, size);
  assert_refused (bomb, GADGET_PICTURE_ERROR_SIZE);
}

/* Whatever is in the file, it is a picture or an error. */
static void
test_flipped (void)
{
  static const char *const kinds[] = { "png", "jpeg" };

  for (guint i = 0; i < 400; i++)
    {
      g_autoptr (GBytes) whole = make_file (40, 30, kinds[i % 2]);
      gsize size;
      guint8 *data = g_bytes_unref_to_data (g_steal_pointer (&whole), &size);
      g_autoptr (GBytes) flipped = NULL;
      g_autoptr (GdkTexture) texture = NULL;
      g_autoptr (GError) error = NULL;

      for (guint n = (guint) g_test_rand_int_range (1, 8); n > 0; n--)
        data[g_test_rand_int_range (0, (gint32) size)] ^= (guint8) g_test_rand_int_range (1, 256);
      flipped = g_bytes_new_take (data, size);
      texture = gadget_picture_decode (flipped, 100, 100, &error);
      g_assert_true ((texture == NULL) == (error != NULL));
    }
}

/* --- In the transcript --- */

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GtkWidget *window;
  GadgetTranscript *transcript;
  GadgetPictureLoader *loader;
} Fixture;

static void
set_up (Fixture *fixture, GadgetStore *store)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  *fixture = (Fixture) { .session = gadget_session_new ("s"),
                         .turn = gadget_turn_new ("turn-1", "Look at it."),
                         .loader = gadget_picture_loader_new (store) };
  gadget_session_append (fixture->session, fixture->turn);
  fixture->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (fixture->transcript));
  gadget_transcript_set_pictures (fixture->transcript, fixture->loader);
  gadget_transcript_set_session (fixture->transcript, fixture->session);
  /* A window that dialogs are shown in. */
  fixture->window = g_object_ref (adw_window_new ());
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 900, 600);
  gtk_widget_set_size_request (scrolled, 720, -1);
  gtk_widget_set_halign (scrolled, GTK_ALIGN_START);
  adw_window_set_content (ADW_WINDOW (fixture->window), scrolled);
  gtk_window_present (GTK_WINDOW (fixture->window));
  gadget_test_wait_frames (fixture->window, 3);
}

static void
tear_down (Fixture *fixture)
{
  gadget_test_window_destroy (fixture->window, GTK_WIDGET (fixture->transcript));
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->turn);
  /* One that is being decoded is waited for. */
  g_object_add_weak_pointer (G_OBJECT (fixture->loader), (gpointer *) &fixture->loader);
  g_object_unref (fixture->loader);
  while (fixture->loader != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static GadgetItem *
add_call (Fixture *fixture, GadgetPicture *picture)
{
  g_autofree char *id = g_strdup_printf ("call-%u", gadget_turn_get_n_items (fixture->turn));
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "read_file");
  g_autoptr (GPtrArray) pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);

  g_ptr_array_add (pictures, picture);
  /* A step of its own: several calls of one would be a group. */
  gadget_item_set_step (item, gadget_turn_get_n_items (fixture->turn));
  gadget_item_append_arguments (item, "{\"path\": \"logo.png\"}");
  gadget_item_take_call_summary (
      item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Read \u2068logo.png\u2069", NULL));
  gadget_item_set_pictures (item, pictures);
  gadget_item_set_result (item, "It is a picture.");
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (fixture->turn, item);
  return item;
}

static GadgetPicture *
make_picture (int width, int height)
{
  g_autoptr (GBytes) data = make_file (width, height, "png");

  return gadget_picture_new ("logo.png", data, NULL);
}

static guint
find_position (Fixture *fixture, GadgetRowKind kind, guint nth)
{
  GadgetTranscriptModel *model = fixture->transcript->model;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind == kind && nth-- == 0)
      return i;
  g_assert_not_reached ();
}

static void
open_call (Fixture *fixture, guint nth)
{
  gadget_test_wait_frames (fixture->window, 3);
  gadget_transcript_model_set_expanded (fixture->transcript->model,
                                        find_position (fixture, GADGET_ROW_KIND_TOOL, nth), TRUE);
}

static GtkWidget *
get_row (Fixture *fixture)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (
      fixture->transcript, find_position (fixture, GADGET_ROW_KIND_PICTURE, 0));

  g_assert_nonnull (row);
  return GTK_WIDGET (row->widget);
}

static gboolean
is_view (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_PICTURE_VIEW (widget);
}

static gboolean
is_picture_button (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "picture");
}

static gboolean
is_copy_button (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_widget_get_tooltip_text (widget), "Copy") == 0;
}

static gboolean
is_dialog (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_PICTURE_DIALOG (widget);
}

static gboolean
has_texture (Fixture *fixture)
{
  GtkWidget *view = test_find (get_row (fixture), is_view, NULL);

  return view != NULL && gadget_picture_view_get_texture (GADGET_PICTURE_VIEW (view)) != NULL;
}

static void
wait_for_picture (Fixture *fixture)
{
  while (!has_texture (fixture))
    g_main_context_iteration (NULL, TRUE);
  gadget_test_wait_frames (fixture->window, 3);
}

static int
get_slot (Fixture *fixture)
{
  return gadget_heights_get (fixture->transcript->heights,
                             find_position (fixture, GADGET_ROW_KIND_PICTURE, 0));
}

/* What is read below a picture stays where it is, before and after the picture is there. */
static void
test_height (void)
{
  static const struct
  {
    int width;
    int height;
    int expected;
  } sizes[] = { { 64, 48, 48 },  { 1000, 1000, 320 }, { 1288, 200, 100 },
                { 3000, 3, 28 }, { 2, 2, 28 },        { 3, 3000, 320 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Fixture fixture;
      int slot;

      set_up (&fixture, NULL);
      add_call (&fixture, make_picture (sizes[i].width, sizes[i].height));
      open_call (&fixture, 0);
      /* The rows are there, and were not measured yet. */
      g_assert_cmpint (
          gadget_heights_get_width (fixture.transcript->heights,
                                    find_position (&fixture, GADGET_ROW_KIND_PICTURE, 0)),
          ==, 0);
      slot = get_slot (&fixture);
      gadget_test_wait_frames (fixture.window, 2);
      g_assert_cmpint (get_slot (&fixture), ==, slot);
      wait_for_picture (&fixture);
      g_assert_cmpint (get_slot (&fixture), ==, slot);
      g_assert_cmpint (gtk_widget_get_height (get_row (&fixture)), ==, sizes[i].expected);
      tear_down (&fixture);
    }
}

/* In place of the picture stands why there is none, as high as the picture would be. */
static void
test_damaged (void)
{
  g_autoptr (GBytes) cut = make_cut_file ("png", 20);
  Fixture fixture;
  int slot;

  set_up (&fixture, NULL);
  add_call (&fixture, gadget_picture_new ("cut.png", cut, NULL));
  open_call (&fixture, 0);
  slot = get_slot (&fixture);
  gadget_test_wait_frames (fixture.window, 2);
  while (test_find_label (get_row (&fixture), "Damaged image") == NULL)
    g_main_context_iteration (NULL, TRUE);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpint (get_slot (&fixture), ==, slot);
  g_assert_null (test_find (get_row (&fixture), is_picture_button, NULL));
  tear_down (&fixture);
}

/* As they may stand in a database that somebody else wrote. */
static void
test_refused (void)
{
  static const struct
  {
    const char *mime_type;
    guint width;
    guint height;
    const char *text;
  } pictures[] = {
    { "image/png", 30000, 30000, "Image too large to show: 30000 × 30000" },
    { "image/png", 0, 0, "Damaged image" },
    { "image/svg+xml", 10, 10, "Unsupported image format" },
    { "image/png", 10, 10, "Image no longer available" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autoptr (GBytes) svg = g_bytes_new_static (drawing, sizeof drawing - 1);
      GadgetPicture *picture = gadget_picture_new_stored (
          "p", NULL, pictures[i].mime_type, pictures[i].width, pictures[i].height, 100);
      Fixture fixture;

      if (i == 2)
        gadget_picture_set_data (picture, svg);
      set_up (&fixture, NULL);
      add_call (&fixture, picture);
      open_call (&fixture, 0);
      gadget_test_wait_frames (fixture.window, 2);
      while (test_find_label (get_row (&fixture), pictures[i].text) == NULL)
        g_main_context_iteration (NULL, TRUE);
      gadget_test_wait_frames (fixture.window, 2);
      g_assert_cmpint (gtk_widget_get_height (get_row (&fixture)), ==, 28);
      tear_down (&fixture);
    }
}

/* Of many pictures those near the viewport are read, and no row keeps one that is far from it. */
static void
test_lazy (void)
{
  Fixture fixture;
  guint n_rows = 0;

  set_up (&fixture, NULL);
  for (guint i = 0; i < 40; i++)
    add_call (&fixture, make_picture (400, 300));
  gadget_test_wait_frames (fixture.window, 3);
  for (guint i = 0; i < 40; i++)
    open_call (&fixture, i);
  gadget_transcript_go_to_turn (fixture.transcript, -1);
  gadget_test_wait_frames (fixture.window, 3);
  wait_for_picture (&fixture);
  for (guint i = 0; i < 40; i++)
    n_rows += _gadget_transcript_get_realized (fixture.transcript,
                                               find_position (&fixture, GADGET_ROW_KIND_PICTURE, i))
              != NULL;
  g_assert_cmpuint (n_rows, >=, 1);
  g_assert_cmpuint (n_rows, <=, 4);
  tear_down (&fixture);
}

static void
never_cb (gpointer owner, GdkTexture *texture, const GError *error)
{
  g_assert_not_reached ();
}

static void
loaded_cb (gpointer owner, GdkTexture *texture, const GError *error)
{
  GPtrArray *order = g_object_get_data (owner, "order");

  g_assert_nonnull (texture);
  g_assert_null (error);
  g_ptr_array_add (order, owner);
}

/* The one last asked for comes first; one that nobody waits for does not come. */
static void
test_order (void)
{
  g_autoptr (GadgetPictureLoader) loader = gadget_picture_loader_new (NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  GObject *owners[4];

  for (guint i = 0; i < G_N_ELEMENTS (owners); i++)
    {
      g_autoptr (GadgetPicture) picture = make_picture (100, 100);

      owners[i] = g_object_new (G_TYPE_OBJECT, NULL);
      g_object_set_data (owners[i], "order", order);
      gadget_picture_loader_load (loader, picture, 100, 100, owners[i],
                                  i == 2 ? never_cb : loaded_cb);
    }
  g_clear_object (&owners[2]);
  while (order->len < 3)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_ptr_array_index (order, 0) == owners[0]);
  g_assert_true (g_ptr_array_index (order, 1) == owners[3]);
  g_assert_true (g_ptr_array_index (order, 2) == owners[1]);
  for (guint i = 0; i < G_N_ELEMENTS (owners); i++)
    g_clear_object (&owners[i]);
}

/* --- Large --- */

static void
test_dialog (void)
{
  g_autofree char *folder = test_dir_new ();
  g_autofree char *path = g_build_filename (folder, "copy.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GBytes) data = make_file (900, 700, "png");
  g_autofree char *written = NULL;
  g_autoptr (GError) error = NULL;
  GtkWidget *dialog, *copy;
  GdkContentFormats *formats;
  gsize size;
  Fixture fixture;

  set_up (&fixture, NULL);
  add_call (&fixture, gadget_picture_new ("logo.png", data, NULL));
  open_call (&fixture, 0);
  gadget_test_wait_frames (fixture.window, 3);
  wait_for_picture (&fixture);
  g_signal_emit_by_name (test_find (get_row (&fixture), is_picture_button, NULL), "clicked");
  dialog = test_find (fixture.window, is_dialog, NULL);
  g_assert_nonnull (dialog);
  g_assert_cmpstr (adw_dialog_get_title (ADW_DIALOG (dialog)), ==, "logo.png");
  copy = test_find (dialog, is_copy_button, NULL);
  while (!gtk_widget_get_sensitive (copy))
    g_main_context_iteration (NULL, TRUE);

  g_signal_emit_by_name (copy, "clicked");
  formats = gdk_clipboard_get_formats (gtk_widget_get_clipboard (fixture.window));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/png"));
  g_assert_true (gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE));

  test_file_dialog_choose (file);
  test_press (dialog, "Save As…");
  while (test_find_label (dialog, "The image was saved") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_file_get_contents (path, &written, &size, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (written, size, g_bytes_get_data (data, NULL), g_bytes_get_size (data));

  test_key ("Escape");
  while (test_find (fixture.window, is_dialog, NULL) != NULL)
    g_main_context_iteration (NULL, TRUE);
  tear_down (&fixture);
  test_dir_free (g_steal_pointer (&folder));
}

/* After the turn the bytes are in the store alone. */
static void
test_stored (void)
{
  char *folder = test_dir_new ();
  GadgetStore *store = test_store_open (folder);
  GadgetJournal *journal;
  g_autoptr (GadgetPicture) picture = make_picture (200, 100);
  Fixture fixture;

  set_up (&fixture, store);
  journal = gadget_journal_new (store, fixture.session, fixture.turn);
  add_call (&fixture, gadget_picture_ref (picture));
  gadget_turn_finish (fixture.turn);
  g_assert_true (test_journal_commit (journal, NULL));
  g_clear_object (&journal);
  gadget_picture_set_data (picture, NULL);
  open_call (&fixture, 0);
  gadget_test_wait_frames (fixture.window, 3);
  wait_for_picture (&fixture);
  g_assert_null (gadget_picture_get_data (picture));
  tear_down (&fixture);
  test_store_close (store);
  test_dir_free (folder);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/pictures/decode", test_decode);
  g_test_add_func ("/ui/pictures/hostile", test_hostile);
  g_test_add_func ("/ui/pictures/large-jpeg", test_large_jpeg);
  g_test_add_func ("/ui/pictures/flipped", test_flipped);
  g_test_add_func ("/ui/pictures/height", test_height);
  g_test_add_func ("/ui/pictures/damaged", test_damaged);
  g_test_add_func ("/ui/pictures/refused", test_refused);
  g_test_add_func ("/ui/pictures/lazy", test_lazy);
  g_test_add_func ("/ui/pictures/order", test_order);
  g_test_add_func ("/ui/pictures/dialog", test_dialog);
  g_test_add_func ("/ui/pictures/stored", test_stored);
  return g_test_run ();
}
