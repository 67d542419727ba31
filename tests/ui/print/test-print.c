/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Printing: into what pieces chats are cut, the pages in a PDF file, the print dialog, and a long
 * chat, which never holds the main context for long. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "ui/print/gadget-print-pieces.h"
#include "ui/print/gadget-print.h"
#include "wait.h"

#include <string.h>

/* --- Pieces ----------------------------------------------------------------------------------- */

static void
add_block (GPtrArray *blocks, GadgetExportBlockKind kind, const char *text)
{
  GadgetExportBlock *block = g_new0 (GadgetExportBlock, 1);

  block->kind = kind;
  block->text = g_strdup (text);
  g_ptr_array_add (blocks, block);
}

static void
free_block (gpointer block)
{
  g_free (((GadgetExportBlock *) block)->text);
  g_free (block);
}

/* A line for each piece: its look, its marker, and its texts. */
static char *
describe (GPtrArray *pieces)
{
  static const char *const looks[] = { "title",  "speaker", "text", "dim",  "heading", "code",
                                       "prompt", "rule",    "row",  "head", "picture" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < pieces->len; i++)
    {
      const GadgetPrintPiece *piece = g_ptr_array_index (pieces, i);

      g_string_append_printf (text, "%s%s%s:", looks[piece->look], piece->marker != NULL ? " " : "",
                              piece->marker != NULL ? piece->marker : "");
      for (guint j = 0; j < piece->n_texts; j++)
        g_string_append_printf (text, " %s", piece->texts[j].text);
      g_string_append_c (text, '\n');
    }
  return g_string_free_and_steal (text);
}

static void
test_pieces (void)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (free_block);
  g_autoptr (GPtrArray) pieces = NULL;
  g_autofree char *text = NULL;

  add_block (blocks, GADGET_EXPORT_BLOCK_TITLE, "Pears");
  add_block (blocks, GADGET_EXPORT_BLOCK_ABOUT, "today");
  add_block (blocks, GADGET_EXPORT_BLOCK_SPEAKER, "You");
  add_block (blocks, GADGET_EXPORT_BLOCK_PROMPT, "a *b*");
  add_block (blocks, GADGET_EXPORT_BLOCK_ANSWER,
             "# Head\n\nSome *text*.\n\n- one\n- two\n\n```c\nint a;\n```\n\n"
             "| A | B |\n|---|---|\n| 1 | 2 |\n\n---\n");
  add_block (blocks, GADGET_EXPORT_BLOCK_CALL, "Ran ls");
  add_block (blocks, GADGET_EXPORT_BLOCK_OUTPUT, "x\ny");
  pieces = gadget_print_pieces_new (blocks, "Monospace", NULL);
  text = describe (pieces);
  g_assert_cmpstr (text, ==,
                   "title: Pears\ndim: today\nspeaker: You\nprompt: a *b*\nheading: Head\n"
                   "text: Some text.\ntext •: one\ntext •: two\ncode: int a;\nhead: A B\n"
                   "row: 1 2\nrule: \ndim: Ran ls\ncode: x\ny\n");
}

/* Of a long output only the beginning is printed, and how much there is besides. */
static void
test_long_output (void)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (free_block);
  g_autoptr (GPtrArray) pieces = NULL;
  g_autoptr (GString) output = g_string_new (NULL);
  const GadgetPrintPiece *last;

  for (guint i = 1; i <= 1000; i++)
    g_string_append_printf (output, "line %u\n", i);
  add_block (blocks, GADGET_EXPORT_BLOCK_OUTPUT, output->str);
  pieces = gadget_print_pieces_new (blocks, "Monospace", NULL);
  g_assert_cmpuint (pieces->len, ==, 2);
  g_assert_true (
      g_str_has_suffix (((GadgetPrintPiece *) pieces->pdata[0])->texts[0].text, "line 20"));
  last = pieces->pdata[1];
  g_assert_cmpstr (last->texts[0].text, ==, "980 more lines");
}

/* No piece is so long that it would take long to lay out. */
static void
test_long_texts (void)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (free_block);
  g_autoptr (GPtrArray) pieces = NULL;
  g_autofree char *word = g_strnfill (100000, 'x');
  g_autofree char *code = g_strconcat ("```\n", word, "\n```\n", NULL);

  add_block (blocks, GADGET_EXPORT_BLOCK_PROMPT, word);
  add_block (blocks, GADGET_EXPORT_BLOCK_ANSWER, word);
  add_block (blocks, GADGET_EXPORT_BLOCK_ANSWER, code);
  pieces = gadget_print_pieces_new (blocks, "Monospace", NULL);
  for (guint i = 0; i < pieces->len; i++)
    g_assert_cmpuint (strlen (((GadgetPrintPiece *) pieces->pdata[i])->texts[0].text), <, 10000);
}

/* --- PDF -------------------------------------------------------------------------------------- */

static GtkPrintOperation *
prepare (TestWindow *self, GadgetSession *session)
{
  const char *const ids[] = { gadget_session_get_id (session), NULL };
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GtkPrintOperation *operation;

  gadget_print_prepare_async (self->engine, ids, GADGET_EXPORT_TOOLS | GADGET_EXPORT_ATTACHMENTS,
                              "Pears", NULL, test_result_cb, &slot);
  wait_until (slot != NULL);
  result = slot;
  operation = gadget_print_prepare_finish (self->engine, result, &error);
  g_assert_no_error (error);
  return operation;
}

static void
done_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, int *done)
{
  *done = (int) result;
}

static GtkPrintOperationResult
run (TestWindow *self, GtkPrintOperation *operation, const char *path)
{
  int done = -1;

  gtk_print_operation_set_export_filename (operation, path);
  g_signal_connect (operation, "done", G_CALLBACK (done_cb), &done);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, GTK_WINDOW (self->window),
                           NULL);
  wait_until (done >= 0);
  return (GtkPrintOperationResult) done;
}

static guint
count (const char *text, gsize length, const char *word)
{
  guint n = 0;

  for (const char *at = text;
       (at = memmem (at, (gsize) (text + length - at), word, strlen (word))) != NULL;
       at += strlen (word))
    n += g_ascii_isspace (at[strlen (word)]) || at[strlen (word)] == '/';
  return n;
}

/* Returns the stream as it was before it was compressed. */
static GBytes *
inflate (const char *begin, gsize length)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  g_autoptr (GInputStream) memory =
      g_memory_input_stream_new_from_data (begin, (gssize) length, NULL);
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (memory, G_CONVERTER (zlib));

  return g_input_stream_read_bytes (stream, 1 << 24, NULL, NULL);
}

#define STREAM ">>\nstream\n"

/* Counts the objects of pages, which may be in streams (ISO 32000-1, 7.5.7). */
static guint
count_pages (const char *path)
{
  g_autofree char *pdf = NULL;
  gsize length;
  guint n;

  g_assert_true (g_file_get_contents (path, &pdf, &length, NULL));
  g_assert_true (g_str_has_prefix (pdf, "%PDF-"));
  n = count (pdf, length, "/Type /Page");
  for (const char *at = pdf;
       (at = memmem (at, (gsize) (pdf + length - at), STREAM, strlen (STREAM))) != NULL;)
    {
      g_autoptr (GBytes) bytes = NULL;

      at += strlen (STREAM);
      bytes = inflate (at, (gsize) (pdf + length - at));
      if (bytes != NULL)
        n += count (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "/Type /Page");
    }
  return n;
}

static void
say (TestWindow *self, const char *prompt, const char *answer)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  test_window_send (self, prompt);
  fake_provider_text (self->provider, answer);
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
}

static void
test_pdf (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "pears.pdf", NULL);
  g_autoptr (GString) answer = g_string_new ("## Pears\n\nSome *text* and `code`.\n\n- a\n- b\n\n"
                                             "| Kind | Count |\n|---|--:|\n| Pears | 2 |\n\n"
                                             "> A quote.\n\n```c\n");
  g_autoptr (GtkPrintOperation) operation = NULL;

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (answer, "int line_%u = %u;\n", i, i);
  g_string_append (answer, "```\n\nשלום עולם\n");
  say (self, "Tell me about pears.", answer->str);
  operation = prepare (self, gadget_window_get_session (self->window));
  g_assert_cmpint (run (self, operation, path), ==, GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_cmpint (gtk_print_operation_get_n_pages_to_print (operation), >=, 3);
  g_assert_cmpint (gtk_print_operation_get_n_pages_to_print (operation), <=, 8);
  g_assert_cmpuint (count_pages (path), ==,
                    (guint) gtk_print_operation_get_n_pages_to_print (operation));
}

static void
attach_picture (TestWindow *self, guint width, guint height)
{
  g_autofree char *path = g_build_filename (self->folder, "picture.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width, (int) height);

  g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (surface);
  gadget_attachment_list_add_file (self->composer->attachments, file);
}

static gboolean
has_attachment (TestWindow *self)
{
  g_autoptr (GPtrArray) attachments = gadget_composer_dup_attachments (self->composer);

  return attachments != NULL && attachments->len == 1;
}

/* An image is at most half a page high, and is in the file. */
static void
test_pictures (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "pictures.pdf", NULL);
  g_autofree char *pdf = NULL;
  g_autoptr (GtkPrintOperation) operation = NULL;
  gsize length;

  fake_provider_set_images (self->provider, GADGET_MODEL_IMAGES_YES);
  for (guint i = 0; i < 3; i++)
    {
      attach_picture (self, 2000, 3000);
      wait_until (has_attachment (self));
      say (self, "What is this?", "A picture.");
    }
  operation = prepare (self, gadget_window_get_session (self->window));
  g_assert_cmpint (run (self, operation, path), ==, GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_cmpint (gtk_print_operation_get_n_pages_to_print (operation), <=, 3);
  g_assert_true (g_file_get_contents (path, &pdf, &length, NULL));
  g_assert_cmpuint (count (pdf, length, "/Subtype /Image"), >=, 1);
}

/* A row of a table that is higher than a page goes on on the next one. */
static void
test_tall_row (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "tall.pdf", NULL);
  g_autoptr (GString) answer = g_string_new ("| Kind | Words |\n|---|---|\n| Pears | ");
  g_autoptr (GtkPrintOperation) operation = NULL;

  for (guint i = 0; i < 5000; i++)
    g_string_append (answer, "sweet ");
  g_string_append (answer, "|\n");
  say (self, "Tell me about pears.", answer->str);
  operation = prepare (self, gadget_window_get_session (self->window));
  g_assert_cmpint (run (self, operation, path), ==, GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_cmpint (gtk_print_operation_get_n_pages_to_print (operation), >=, 3);
}

/* --- A long chat ------------------------------------------------------------------------------ */

static gboolean
tick_cb (gpointer data)
{
  gint64 *times = data; /* of the last call, and the longest time between two */
  const gint64 now = g_get_monotonic_time ();

  times[1] = MAX (times[1], now - times[0]);
  times[0] = now;
  return G_SOURCE_CONTINUE;
}

static void
cancel_cb (gpointer operation)
{
  gtk_print_operation_cancel (operation);
}

/* Placing is cut into steps, between which all else goes on, and can be cancelled. The time is that
 * of a slow computer that does something else, too; one step would take some seconds. */
static void
test_long_chat (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "long.pdf", NULL);
  GadgetSession *session = gadget_window_get_session (self->window);
  gint64 times[2] = { 0 };
  g_autoptr (GtkPrintOperation) operation = NULL;
  guint id;

  say (self, "one", "two");
  test_store_run_sql (
      gadget_engine_get_store (self->engine),
      "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
      " INSERT INTO item (turn, position, kind, status, step, text, started_at, ended_at)"
      " SELECT number, i, 'text', 'done', 0,"
      " replace (hex (zeroblob (100)), '00', 'pears *and* ') || char (10), 1, 1 FROM turn, n");
  operation = prepare (self, session);
  times[0] = g_get_monotonic_time ();
  id = g_timeout_add (1, tick_cb, times);
  g_timeout_add_once (1000, cancel_cb, operation);
  g_assert_cmpint (run (self, operation, path), ==, GTK_PRINT_OPERATION_RESULT_CANCEL);
  g_source_remove (id);
  g_assert_cmpint (times[1], <, 500 * G_TIME_SPAN_MILLISECOND);
}

/* --- The dialog ------------------------------------------------------------------------------- */

static GtkWidget *
find_print_dialog (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (g_str_equal (G_OBJECT_TYPE_NAME (l->data), "GtkPrintUnixDialog")
        && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

static void
test_key_opens_dialog (TestWindow *self, gconstpointer data)
{
  test_key ("ctrl+p");
  wait_until (test_window_has_toast (self, "There is nothing to print yet."));
  say (self, "one", "two");
  test_key ("ctrl+p");
  wait_until (find_print_dialog () != NULL);
  wait_until (gtk_window_is_active (GTK_WINDOW (find_print_dialog ())));
  test_key ("Escape");
  wait_until (find_print_dialog () == NULL);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  g_test_add_func ("/ui/print/pieces", test_pieces);
  g_test_add_func ("/ui/print/long-output", test_long_output);
  g_test_add_func ("/ui/print/long-texts", test_long_texts);
#define ADD(path, func)                                                                            \
  g_test_add ("/ui/print/" path, TestWindow, NULL, test_window_set_up, func, test_window_tear_down)
  ADD ("pdf", test_pdf);
  ADD ("pictures", test_pictures);
  ADD ("tall-row", test_tall_row);
  ADD ("long-chat", test_long_chat);
  ADD ("key-opens-dialog", test_key_opens_dialog);
#undef ADD

  return g_test_run ();
}
