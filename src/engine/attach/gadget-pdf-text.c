/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs pdftotext like any other command, and stops it like one. The program gets the file on its
 * standard input, so that it needs no access to the user's files. It writes into memory that cannot
 * grow: what does not fit is not written, and a text that is longer than an attachment may be is
 * refused anyway. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-pdf-text.h"

#include "process/gadget-process.h"
#include "session/gadget-attachment.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROGRAM "pdftotext"
#define LIMIT_MS (20 * 1000)
/* Large enough to see that a text is too long. */
#define MAX_OUTPUT (4 * GADGET_ATTACHMENT_MAX_TEXT)

typedef struct
{
  int output;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_clear_fd (&work->output, NULL);
  g_free (work);
}

static gboolean
write_all (int fd, GBytes *data)
{
  gsize size;
  const char *bytes = g_bytes_get_data (data, &size);

  while (size > 0)
    {
      const ssize_t n = write (fd, bytes, size);

      if (n < 0 && errno != EINTR)
        return FALSE;
      if (n > 0)
        {
          bytes += n;
          size -= (gsize) n;
        }
    }
  return lseek (fd, 0, SEEK_SET) == 0;
}

/* Writes to memory, so this does not block. */
static int
make_input (GBytes *data)
{
  g_autofd int fd = memfd_create ("gadget-pdf", MFD_CLOEXEC);

  return fd >= 0 && write_all (fd, data) ? g_steal_fd (&fd) : -1;
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

/* The file offset is shared with the program that wrote, so it is the length of the output. */
static char *
dup_output (int fd, gsize *length)
{
  const off_t end = lseek (fd, 0, SEEK_CUR);
  char *text = g_malloc ((gsize) MAX (end, 0) + 1);
  ssize_t n = end > 0 ? pread (fd, text, (gsize) end, 0) : 0;

  *length = (gsize) MAX (n, 0);
  text[*length] = '\0';
  return text;
}

static void
return_text (GTask *task, const GadgetProcessResult *ended, int output)
{
  gsize length;
  g_autofree char *text = dup_output (output, &length);

  if (ended->aborted)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
  else if (length > GADGET_ATTACHMENT_MAX_TEXT)
    g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR,
                                     GADGET_ATTACHMENT_ERROR_TOO_LONG, "Its text is too long.");
  else if (ended->timed_out)
    g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_SLOW,
                                     "Its text was not there in time.");
  else if (ended->exit_status != 0)
    g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_DAMAGED,
                                     "It cannot be read.");
  else
    g_task_return_pointer (task, g_utf8_make_valid (text, (gssize) length), g_free);
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Work *work = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProcessResult) ended = gadget_process_run_finish (result, &error);

  if (ended != NULL)
    return_text (task, ended, work->output);
  else if (g_error_matches (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_COMMAND))
    g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_NO_PDF,
                                     "There is no " PROGRAM ".");
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* @program: (nullable): a program to use instead of pdftotext; @limit_ms: 0 for the usual time
 * limit */
void
_gadget_pdf_text_async (GBytes *data, const char *program, GadgetSandbox *sandbox, guint limit_ms,
                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autofd int input = make_input (data);
  g_autofree char *found = g_find_program_in_path (program != NULL ? program : PROGRAM);
  const char *const argv[] = { found, "-q", "-enc", "UTF-8", "-", "-", NULL };
  Work *work = g_new0 (Work, 1);

  g_task_set_source_tag (task, _gadget_pdf_text_async);
  g_task_set_check_cancellable (task, FALSE);
  work->output = make_output ();
  g_task_set_task_data (task, work, work_free);
  if (found == NULL)
    {
      g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR,
                                       GADGET_ATTACHMENT_ERROR_NO_PDF, "There is no " PROGRAM ".");
      return;
    }
  if (input < 0 || work->output < 0)
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_FAILED,
                                       "There is no memory for it.");
      return;
    }

  const int streams[2] = { input, work->output };
  const GadgetProcessSpec spec = {
    .argv = argv,
    .sandbox = sandbox,
    .time_limit_ms = limit_ms != 0 ? limit_ms : LIMIT_MS,
    .streams = streams,
  };

  gadget_process_run_async (&spec, cancellable, ended_cb, g_steal_pointer (&task));
}

char *
_gadget_pdf_text_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
