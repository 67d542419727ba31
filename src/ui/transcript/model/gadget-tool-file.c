/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file that a tool read or wrote can be opened from the chat. The path comes from the tool's own
 * summary and not from text that a model wrote; it leads to the same file as for the tool, or
 * nowhere. The system decides what opening a file does, so only files of kinds that are merely
 * displayed are opened: a file that may be run is shown in its folder instead. */

#define G_LOG_DOMAIN "gadget-tool-file"

#include "config.h"

#include "gadget-tool-file.h"

#include "common/gadget-blocking.h"
#include "workspace/gadget-path-lookup.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* Enough bytes to guess the content type of a file. */
#define HEAD_BYTES 4096

typedef struct
{
  char *workspace; /* (nullable) */
  char *path;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->workspace);
  g_free (job->path);
  g_free (job);
}

/* gadget_tool_file_free: @self may not be NULL. */
void
gadget_tool_file_free (GadgetToolFile *self)
{
  g_free (self->path);
  g_free (self);
}

static void
file_free (gpointer data)
{
  gadget_tool_file_free (data);
}

/* --- Which file --------------------------------------------------------------------------------
 */

static gboolean
is_file_tool (const char *name)
{
  static const char *const names[] = { "read_file", "write_file", "edit_file", NULL };

  return name != NULL && g_strv_contains (names, name);
}

static gboolean
is_done (const GadgetCallSummary *summary)
{
  if (summary->outcome != GADGET_CALL_OUTCOME_NONE)
    return FALSE;
  switch (summary->kind)
    {
    case GADGET_CALL_SUMMARY_READ:
    case GADGET_CALL_SUMMARY_READ_LINES:
    case GADGET_CALL_SUMMARY_EDITED:
    case GADGET_CALL_SUMMARY_CREATED:
    case GADGET_CALL_SUMMARY_CREATED_LINES:
    case GADGET_CALL_SUMMARY_WROTE:
    case GADGET_CALL_SUMMARY_WROTE_LINES:
    case GADGET_CALL_SUMMARY_UNCHANGED:
      return TRUE;
    default:
      return FALSE;
    }
}

/**
 * gadget_tool_file_get_path:
 *
 * Returns: (transfer none) (nullable): an absolute path
 */
const char *
gadget_tool_file_get_path (GadgetItem *item)
{
  const GadgetCallSummary *summary;

  g_return_val_if_fail (GADGET_IS_ITEM (item), NULL);

  summary = gadget_item_get_call_summary (item);
  if (!is_file_tool (gadget_item_get_name (item)) || summary == NULL || !is_done (summary)
      || gadget_item_get_status (item) != GADGET_ITEM_FINISHED)
    return NULL;
  return summary->path;
}

/* --- What it is now ----------------------------------------------------------------------------
 */

/* Desktop programs display files of these content types and do not run them. */
static gboolean
is_shown (const char *type)
{
  static const char *const shown[] = { "text/plain",       "application/json", "application/xml",
                                       "application/yaml", "application/toml", "application/pdf",
                                       "image/*",          "audio/*",          "video/*" };

  /* A desktop entry is text/plain, too, but starts a program. */
  if (g_content_type_is_a (type, "application/x-desktop"))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    if (g_content_type_is_a (type, shown[i]))
      return TRUE;
  return FALSE;
}

static gpointer
query_in_thread (GadgetBlocking *blocking, gpointer data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;
  g_autoptr (GadgetToolFile) file = g_new0 (GadgetToolFile, 1);
  g_autofree char *base = NULL;
  g_autofree char *type = NULL;
  g_autofd int fd = gadget_path_lookup_open_regular (job->workspace, job->path, &file->path, error);
  struct stat info;
  guchar head[HEAD_BYTES];
  ssize_t n;

  if (fd < 0)
    return NULL;
  n = fstat (fd, &info) == 0 ? read (fd, head, sizeof head) : -1;
  if (n < 0)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return NULL;
    }
  base = g_path_get_basename (file->path);
  type = g_content_type_guess (base, head, (gsize) n, NULL);
  file->runs = (info.st_mode & 0111) != 0 || !is_shown (type);
  return g_steal_pointer (&file);
}

/**
 * gadget_tool_file_query_async:
 * @workspace: (nullable): the folder of the chat
 * @path: an absolute path, from gadget_tool_file_get_path ()
 *
 * Looks up the file in a thread; the callback runs on the main context.
 */
void
gadget_tool_file_query_async (const char *workspace, const char *path, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  Job *job;

  g_return_if_fail (path != NULL && g_path_is_absolute (path));

  job = g_new0 (Job, 1);
  job->workspace = g_strdup (workspace);
  job->path = g_strdup (path);
  gadget_blocking_run_async (NULL, query_in_thread, job, job_free, file_free, callback, user_data);
}

/**
 * gadget_tool_file_query_finish:
 *
 * Returns: (transfer full): the file, or %NULL with an error: %G_IO_ERROR_NOT_FOUND when it does
 *   not exist any more, or another #GIOErrorEnum
 */
GadgetToolFile *
gadget_tool_file_query_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}
