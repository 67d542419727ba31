/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a file to what can be given with a message. */

#include "config.h"

#include "attach/gadget-attachment-reader.h"
#include "test-store.h"
#include "test-wait.h"
#include "wait.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06"

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = test_dir_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  test_dir_free (fixture->folder);
}

static char *
make_file (Fixture *fixture, const char *name, const char *bytes, gssize length)
{
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, length, NULL));
  return path;
}

static GadgetAttachment *
read_source (const GadgetAttachmentSource *source, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_attachment_read_async (source, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_attachment_read_finish (result, error);
}

static GadgetAttachment *
read_path (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const GadgetAttachmentSource source = { .file = file };

  return read_source (&source, error);
}

static void
assert_text (Fixture *fixture, const char *bytes, gssize length, const char *expected)
{
  g_autofree char *path = make_file (fixture, "a.txt", bytes, length);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetAttachment) attachment = read_path (path, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (gadget_attachment_get_name (attachment), ==, "a.txt");
  g_assert_cmpstr (gadget_attachment_get_text (attachment), ==, expected);
  g_assert_null (gadget_attachment_get_picture (attachment));
}

static void
assert_refused (Fixture *fixture, const char *bytes, gssize length, GadgetAttachmentError code)
{
  g_autofree char *path = make_file (fixture, "a.txt", bytes, length);
  g_autoptr (GError) error = NULL;

  g_assert_null (read_path (path, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, (int) code);
}

static void
test_text (Fixture *fixture, gconstpointer data)
{
  g_autofree char *most = g_strnfill (GADGET_ATTACHMENT_MAX_TEXT, 'a');
  g_autofree char *more = g_strnfill (GADGET_ATTACHMENT_MAX_TEXT + 1, 'a');

  assert_text (fixture, "Grüße\n", -1, "Grüße\n");
  assert_text (fixture, "\xef\xbb\xbfmarked", -1, "marked");
  assert_text (fixture, "\xff\xfeG\0r\0\xfc\0", 8, "Grü");
  assert_text (fixture, "\xfe\xff\0G\0r\0\xfc", 8, "Grü");
  assert_text (fixture, most, -1, most);
  assert_refused (fixture, more, -1, GADGET_ATTACHMENT_ERROR_TOO_LONG);
  assert_refused (fixture, "", 0, GADGET_ATTACHMENT_ERROR_EMPTY);
  assert_refused (fixture, " \n\t\r\n", -1, GADGET_ATTACHMENT_ERROR_EMPTY);
  assert_refused (fixture,
                  "\x7f"
                  "ELF\0\0",
                  6, GADGET_ATTACHMENT_ERROR_KIND);
  assert_refused (fixture, "a\0b", 3, GADGET_ATTACHMENT_ERROR_KIND);
  assert_refused (fixture,
                  "Gr\xfc\xdf"
                  "e",
                  -1, GADGET_ATTACHMENT_ERROR_KIND);
}

static void
test_no_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *pipe = g_build_filename (fixture->folder, "pipe", NULL);
  g_autofree char *none = g_build_filename (fixture->folder, "none", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (read_path (fixture->folder, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_FOLDER);
  g_clear_error (&error);
  /* Nobody writes to it: it is not even opened. */
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_null (read_path (pipe, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_FOLDER);
  g_clear_error (&error);
  g_assert_null (read_path (none, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static GBytes *
shrink (GBytes *data, GError **error)
{
  return g_bytes_new (HEAD, sizeof HEAD - 1);
}

static GBytes *
fail_to_shrink (GBytes *data, GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "It is damaged.");
  return NULL;
}

static void
test_pictures (Fixture *fixture, gconstpointer data)
{
  const gsize heavy = GADGET_PICTURE_MAX_BYTES + 1;
  g_autofree char *bytes = g_malloc0 (heavy);
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  GadgetAttachmentSource source = { 0 };
  g_autoptr (GadgetAttachment) small = NULL;
  g_autoptr (GadgetAttachment) made_small = NULL;
  g_autoptr (GError) error = NULL;

  memcpy (bytes, HEAD, sizeof HEAD - 1);
  path = make_file (fixture, "p.txt", bytes, sizeof HEAD - 1);
  small = read_path (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gadget_picture_get_mime_type (gadget_attachment_get_picture (small)), ==,
                   "image/png");
  g_assert_cmpstr (gadget_attachment_get_name (small), ==, "p.txt");

  g_assert_true (g_file_set_contents (path, bytes, (gssize) heavy, NULL));
  g_assert_null (read_path (path, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LARGE);
  g_clear_error (&error);
  file = g_file_new_for_path (path);
  source.file = file;
  source.shrink = shrink;
  made_small = read_source (&source, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gadget_attachment_get_size (made_small), ==, sizeof HEAD - 1);
  source.shrink = fail_to_shrink;
  g_assert_null (read_source (&source, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_DAMAGED);
}

/* --- PDFs ------------------------------------------------------------------------------------- */

/* Writes the only pdftotext that is found. */
static void
make_program (Fixture *fixture, const char *script)
{
  g_autofree char *text = g_strconcat ("#!/bin/sh\nPATH=/usr/bin:/bin\n", script, NULL);
  g_autofree char *program = g_build_filename (g_getenv ("PATH"), "pdftotext", NULL);

  g_assert_true (
      g_file_set_contents_full (program, text, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
}

static void
remove_program (void)
{
  g_autofree char *program = g_build_filename (g_getenv ("PATH"), "pdftotext", NULL);

  g_assert_cmpint (g_remove (program), ==, 0);
}

static GadgetAttachment *
read_pdf (Fixture *fixture, const char *script, guint limit_ms, GError **error)
{
  g_autoptr (GBytes) data = g_bytes_new_static ("%PDF-1.7\nHello", 14);
  const GadgetAttachmentSource source = { .data = data, .name = "a.pdf", .pdf_limit_ms = limit_ms };

  make_program (fixture, script);
  return read_source (&source, error);
}

static void
test_pdf (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetAttachment) attachment = NULL;
  g_autoptr (GBytes) pdf = g_bytes_new_static ("%PDF-1.7", 8);
  const GadgetAttachmentSource source = { .data = pdf };
  g_autoptr (GError) error = NULL;

  attachment = read_pdf (fixture, "tail -n 1; echo \" of $*\"", 0, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gadget_attachment_get_text (attachment), ==, "Hello of -q -enc UTF-8 - -\n");
  g_assert_cmpuint (gadget_attachment_get_size (attachment), ==, 14);

  g_assert_null (read_pdf (fixture, "exit 1", 0, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_DAMAGED);
  g_clear_error (&error);
  /* Pictures of pages. */
  g_assert_null (read_pdf (fixture, "printf '\\f\\f'", 0, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_EMPTY);
  g_clear_error (&error);
  g_assert_null (read_pdf (fixture, "yes", 10000, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LONG);
  g_clear_error (&error);
  /* A program that its input has taken over. */
  g_assert_null (
      read_pdf (fixture, "exec python3 -c 'import os; os.lseek (1, 1 << 60, 0)'", 0, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LONG);
  g_clear_error (&error);
  g_assert_null (read_pdf (fixture, "sleep 60", 200, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_SLOW);
  g_clear_error (&error);
  remove_program ();
  g_assert_null (read_source (&source, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_NO_PDF);
}

/* Stopped, it is gone, and so is the program. */
static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autofree char *pid_path = g_build_filename (fixture->folder, "pid", NULL);
  g_autofree char *script = g_strdup_printf ("echo $$ > '%s'; exec sleep 60", pid_path);
  g_autoptr (GBytes) pdf = g_bytes_new_static ("%PDF-1.7", 8);
  const GadgetAttachmentSource source = { .data = pdf };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *pid = NULL;
  g_autofree char *proc = NULL;
  g_autoptr (GError) error = NULL;

  make_program (fixture, script);
  gadget_attachment_read_async (&source, cancellable, test_result_cb, &slot);
  wait_until (g_file_get_contents (pid_path, &pid, NULL, NULL) && *pid != '\0');
  g_cancellable_cancel (cancellable);
  result = test_take_result (&slot);
  g_assert_null (gadget_attachment_read_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  proc = g_strdup_printf ("/proc/%s", g_strstrip (pid));
  wait_until (!g_file_test (proc, G_FILE_TEST_EXISTS));
}

/* --- Streams ---------------------------------------------------------------------------------- */

#define MORE_THAN_IS_READ ((gsize) 70 << 20)

static GadgetAttachment *
read_stream (GInputStream *stream, GError **error)
{
  const GadgetAttachmentSource source = { .stream = stream };

  return read_source (&source, error);
}

static void
test_stream (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GInputStream) stream =
      g_memory_input_stream_new_from_data (HEAD, sizeof HEAD - 1, NULL);
  g_autoptr (GInputStream) empty = g_memory_input_stream_new ();
  g_autoptr (GInputStream) endless = g_memory_input_stream_new_from_data (
      g_malloc0 (MORE_THAN_IS_READ), MORE_THAN_IS_READ, g_free);
  g_autoptr (GadgetAttachment) attachment = NULL;
  g_autoptr (GError) error = NULL;

  attachment = read_stream (stream, &error);
  g_assert_no_error (error);
  g_assert_nonnull (gadget_attachment_get_picture (attachment));
  g_assert_null (read_stream (empty, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_EMPTY);
  g_clear_error (&error);
  g_assert_null (read_stream (endless, &error));
  g_assert_error (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LARGE);
  g_assert_cmpint (g_seekable_tell (G_SEEKABLE (endless)), <, MORE_THAN_IS_READ);
}

/* One that says nothing, and does not hear of the stop either once it is read. */
static void
test_stream_stopped (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "pipe", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GInputStream) stream = NULL;
  GadgetAttachmentSource source = { 0 };
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  int writer;

  /* GFileInputStream reads it in a thread, where nothing stops it. */
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  writer = g_open (path, O_RDWR | O_CLOEXEC, 0);
  g_assert_cmpint (writer, >=, 0);
  stream = G_INPUT_STREAM (g_file_read (file, NULL, &error));
  g_assert_no_error (error);
  source.stream = stream;

  gadget_attachment_read_async (&source, cancellable, test_result_cb, &slot);
  test_run_for (50);
  g_assert_null (slot);
  g_cancellable_cancel (cancellable);
  result = test_take_result (&slot);
  g_assert_null (gadget_attachment_read_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (close (writer), ==, 0);
  wait_until (!g_input_stream_has_pending (stream));
}

int
main (int argc, char **argv)
{
  char *programs = test_dir_new ();
  int status;

  g_test_init (&argc, &argv, NULL);
  /* Before there are threads, which may read the environment. */
  g_setenv ("PATH", programs, TRUE);

#define ADD(name, function)                                                                        \
  g_test_add ("/engine/attachment-reader/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("text", test_text);
  ADD ("no-file", test_no_file);
  ADD ("pictures", test_pictures);
  ADD ("pdf", test_pdf);
  ADD ("cancelled", test_cancelled);
  ADD ("stream", test_stream);
  ADD ("stream-stopped", test_stream_stopped);

  status = g_test_run ();
  test_dir_free (programs);
  return status;
}
