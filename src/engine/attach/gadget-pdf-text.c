/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs pdftotext like any other command, and stops it like one. The program gets the file on its
 * standard input, so that it needs no access to the user's files. It writes into memory that cannot
 * grow: what does not fit is not written, and a text that is longer than an attachment may be is
 * refused anyway. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-pdf-text.h"

#include "common/gadget-blocking.h"
#include "common/gadget-memory-file.h"
#include "process/gadget-process.h"
#include "session/gadget-attachment.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROGRAM "pdftotext"
#define TIME_LIMIT_MS (20 * 1000)
/* Longer than an attachment may be, so that a text that is too long is recognized. A text that is
 * not UTF-8 yet may become shorter, but hardly to a quarter. */
#define MAX_OUTPUT (4 * GADGET_ATTACHMENT_MAX_TEXT)

typedef struct
{
  GadgetSandbox *sandbox; /* (nullable) */
  guint time_limit_ms;
  char *path; /* of the program */
  int output;
} Extraction;

static void
extraction_free (gpointer data)
{
  Extraction *self = data;

  g_clear_fd (&self->output, NULL);
  g_clear_object (&self->sandbox);
  g_free (self->path);
  g_free (self);
}

static int
make_output (void)
{
  g_autofd int fd = memfd_create ("gadget-pdf-text", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd < 0 || ftruncate (fd, MAX_OUTPUT) != 0
      || fcntl (fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) != 0)
    return -1;
  return g_steal_fd (&fd);
}

/* The file offset is shared with the program that wrote, so it is the length of the output; a
 * program that was taken over by its input may have moved it anywhere. */
static char *
dup_output (int fd, gsize *length)
{
  const off_t end = CLAMP (lseek (fd, 0, SEEK_CUR), 0, MAX_OUTPUT);
  char *text = g_malloc ((gsize) end + 1);
  const ssize_t n = pread (fd, text, (gsize) end, 0);

  *length = (gsize) MAX (n, 0);
  text[*length] = '\0';
  return text;
}

static void
return_text (GTask *task, const GadgetProcessResult *result)
{
  const Extraction *self = g_task_get_task_data (task);
  gsize length;
  g_autofree char *text = dup_output (self->output, &length);

  if (result->aborted)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
  else if (length > GADGET_ATTACHMENT_MAX_TEXT)
    g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR,
                                     GADGET_ATTACHMENT_ERROR_TOO_LONG, "Its text is too long.");
  else if (result->timed_out)
    g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_SLOW,
                                     "Its text was not there in time.");
  else if (result->exit_status != 0)
    g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_DAMAGED,
                                     "It cannot be read.");
  else
    g_task_return_pointer (task, g_utf8_make_valid (text, (gssize) length), g_free);
}

static void
return_no_program (GTask *task)
{
  g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_NO_PDF,
                                   "There is no " PROGRAM ".");
}

static void
process_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProcessResult) result = gadget_process_run_finish (async_result, &error);

  if (result != NULL)
    return_text (task, result);
  else if (g_error_matches (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_COMMAND))
    return_no_program (task);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
free_input (gpointer data)
{
  g_autofree int *input = data;

  g_clear_fd (input, NULL);
}

/* Runs in a thread, because a file may have many megabytes. Returns a pointer to a descriptor. */
static gpointer
write_input_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable,
                       GError **error)
{
  gsize length;
  const void *bytes = g_bytes_get_data (data, &length);
  const int fd = gadget_memory_file_new ("gadget-pdf", bytes, length);

  if (fd >= 0)
    return g_memdup2 (&fd, sizeof fd);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "There is no memory for it.");
  return NULL;
}

static void
input_written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Extraction *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;
  int *input = gadget_blocking_run_finish (result, &error);

  if (input == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  const int streams[2] = { *input, self->output };
  const char *const argv[] = { self->path, "-q", "-enc", "UTF-8", "-", "-", NULL };
  const GadgetProcessSpec spec = {
    .argv = argv,
    .sandbox = self->sandbox,
    .time_limit_ms = self->time_limit_ms,
    .streams = streams,
  };

  gadget_process_run_async (&spec, cancellable, process_cb, g_steal_pointer (&task));
  free_input (input);
}

/**
 * _gadget_pdf_text_async:
 * @data: the PDF
 * @sandbox: (nullable): the sandbox of the program; %NULL for the user's own rights
 * @time_limit_ms: 0 for the usual time limit
 *
 * Extracts the text of a PDF.
 */
void
_gadget_pdf_text_async (GBytes *data, GadgetSandbox *sandbox, guint time_limit_ms,
                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Extraction *self = g_new0 (Extraction, 1);

  g_task_set_source_tag (task, _gadget_pdf_text_async);
  /* The outcome of the program is returned, also after a stop. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self, extraction_free);
  g_set_object (&self->sandbox, sandbox);
  self->time_limit_ms = time_limit_ms != 0 ? time_limit_ms : TIME_LIMIT_MS;
  self->path = g_find_program_in_path (PROGRAM);
  self->output = make_output ();
  if (self->path == NULL)
    return_no_program (task);
  else if (self->output < 0)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_FAILED,
                                     "There is no memory for it.");
  else
    gadget_blocking_run_async (cancellable, write_input_in_thread, g_bytes_ref (data),
                               (GDestroyNotify) g_bytes_unref, free_input, input_written_cb,
                               g_steal_pointer (&task));
}

/**
 * _gadget_pdf_text_finish:
 *
 * Returns: (transfer full): the text in UTF-8; else %NULL with a #GadgetAttachmentError,
 *   %G_IO_ERROR_CANCELLED or an error of the process
 */
char *
_gadget_pdf_text_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
