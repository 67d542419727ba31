/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transport to a server that is a child process. The process runs under gadget-supervise until
 * the transport is closed, so none of its processes survive Gadget, however Gadget ends.
 *
 *   close → its input ends → it has LEAVE_MS to leave → its process tree is ended → "closed"
 *
 * A server that closes its output but does not leave gets the same time, because it could never
 * send anything again.
 *
 * Nothing here blocks on the server. When the pipe is full, messages wait in a queue. A message of
 * which nothing was written can still be removed, so a call that was stopped behind a full pipe
 * never reaches the server. The queue is bounded: if the server no longer reads, the request that
 * does not fit fails.
 *
 * The output is read in chunks at idle priority, so a server that floods it starves neither the
 * window nor an abort. A line that is not a message is noted and skipped, because many servers
 * print a greeting or a log where only messages belong. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-stdio.h"

#include "gadget-mcp-downloader.h"
#include "http/gadget-ndjson.h"
#include "process/gadget-output-ring.h"
#include "process/gadget-process.h"
#include "session/gadget-call-summary.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

/* MAX_QUEUE and the COMPLAINTS sizes are in bytes. Once the process has ended, at most
 * MAX_READS_AT_END chunks are read. */
#define READ_SIZE 32768
#define MAX_READS_AT_END 1024
#define MAX_QUEUE (16 * 1024 * 1024)
/* Enough for a server that saves something when its input ends. */
#define LEAVE_MS 500
#define COMPLAINTS_HEAD 2048
#define COMPLAINTS_TAIL 6144

/* A message in the queue. */
typedef struct
{
  gint64 id;  /* id of a request, or 0 */
  char *text; /* including its newline */
  gsize length;
  gsize written;
} Line;

struct _GadgetMcpStdio
{
  GObject parent_instance;

  char **argv;
  char **environment;
  char **folders;
  char *cache;            /* (nullable) */
  const char *downloader; /* (nullable): program in argv that downloads the server; only in the
                           * sandbox */
  gboolean network;
  GadgetSandbox *sandbox;

  int to;   /* write end of the server's standard input; -1 when closed */
  int from; /* read end of the server's standard output; -1 when closed */
  GSource *to_source;
  GSource *from_source;
  guint leave_timer;
  GQueue queue; /* of Line */
  gsize queued; /* bytes in the queue */
  GadgetNdjson *lines;
  GadgetOutputRing *diagnostics;
  GCancellable *own; /* ends the process */
  gboolean running;
  gboolean ending; /* the last output is being read */
  gboolean closing;
  gboolean closed;
  gboolean answered; /* the server has sent a message */
  GError *reason;    /* (nullable): why the transport ended the process */
};

static void
line_free (gpointer data)
{
  Line *line = data;

  if (line->text != NULL)
    explicit_bzero (line->text, line->length);
  g_free (line->text);
  g_free (line);
}

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
note (GadgetMcpStdio *self, const char *text, gsize length)
{
  gadget_output_ring_append (self->diagnostics, text, length);
}

/* --- The end ----------------------------------------------------------------------------------
 */

static void
close_input (GadgetMcpStdio *self)
{
  clear_source (&self->to_source);
  g_clear_fd (&self->to, NULL);
  g_queue_clear_full (&self->queue, line_free);
  self->queued = 0;
}

static void
end_process (GadgetMcpStdio *self)
{
  g_cancellable_cancel (self->own);
}

/* Ends the process. @reason (transfer full) is reported when it is gone. */
static void
fail_connection (GadgetMcpStdio *self, GError *reason)
{
  if (self->reason == NULL)
    self->reason = reason;
  else
    g_error_free (reason);
  end_process (self);
}

static void
emit_closed (GadgetMcpStdio *self, GError *error)
{
  g_autoptr (GError) owned = error;

  if (self->closed)
    return;
  self->closed = TRUE;
  gadget_mcp_transport_emit_closed (GADGET_MCP_TRANSPORT (self), owned);
}

static GError *
make_end_error (GadgetMcpStdio *self, const GadgetProcessResult *ended)
{
  if (self->reason != NULL)
    return g_steal_pointer (&self->reason);
  if (self->downloader != NULL && !self->network && !self->answered && ended->exit_status != 0)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                        _ ("“%s” downloads the server before it runs it, and has no network here"),
                        self->downloader);
  if (ended->signal != 0)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                        _ ("The server was ended by signal %d"), ended->signal);
  return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                      _ ("The server ended with status %d"), ended->exit_status);
}

/* --- Output of the server ---------------------------------------------------------------------
 */

static gboolean
handle_line (const char *line, gsize length, gpointer user_data, GError **error)
{
  GadgetMcpStdio *self = user_data;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GPtrArray) messages = gadget_json_rpc_parse_batch (line, length, &local_error);
  gint64 id;

  if (messages == NULL)
    {
      g_autofree char *valid = g_utf8_make_valid (line, (gssize) MIN (length, 500));

      note (self, valid, strlen (valid));
      note (self, "\n", 1);
      g_debug ("a line that is no message: %s", local_error->message);
      if (!self->ending && gadget_json_rpc_salvage_id (line, length, &id))
        gadget_mcp_transport_emit_unreadable (GADGET_MCP_TRANSPORT (self), id);
      return !self->closing;
    }
  self->answered = TRUE;
  /* A handler of "received" may close the transport. */
  for (guint i = 0; i < messages->len && !self->closing; i++)
    gadget_mcp_transport_emit_received (GADGET_MCP_TRANSPORT (self), messages->pdata[i], 0);
  return !self->closing;
}

/* Reads one chunk. Returns FALSE when there is nothing more to read, for now or (@at_end) for
 * good. */
static gboolean
read_once (GadgetMcpStdio *self, gboolean *at_end)
{
  char bytes[READ_SIZE];
  g_autoptr (GError) error = NULL;
  gssize n;

  do
    n = read (self->from, bytes, sizeof bytes);
  while (n < 0 && errno == EINTR);
  *at_end = n == 0 || (n < 0 && errno != EAGAIN);
  if (n <= 0)
    return FALSE;
  if (gadget_ndjson_feed (self->lines, bytes, (gsize) n, handle_line, self, &error))
    return TRUE;
  *at_end = TRUE;
  if (error != NULL)
    fail_connection (self, g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL,
                                                _ ("The server sent a message that is too large")));
  return FALSE;
}

static void
mute_cb (gpointer user_data)
{
  GadgetMcpStdio *self = user_data;

  self->leave_timer = 0;
  fail_connection (self, g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                                              _ ("The server closed its output")));
}

/* The server closed its output. If it is about to exit, its exit status explains more than the
 * error of mute_cb (), so it gets LEAVE_MS for that. */
static void
expect_end (GadgetMcpStdio *self)
{
  if (self->running && !self->closing && self->reason == NULL)
    self->leave_timer = g_timeout_add_once (LEAVE_MS, mute_cb, self);
}

static gboolean
readable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  g_autoptr (GadgetMcpStdio) self = g_object_ref (user_data);
  gboolean at_end;

  read_once (self, &at_end);
  if (!at_end)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->from_source, g_source_unref);
  expect_end (self);
  return G_SOURCE_REMOVE;
}

static void
output_cb (const char *text, gsize length, gpointer user_data)
{
  note (user_data, text, length);
}

/* Writes a note to the log as well: the server may run for days while nobody looks at its
 * output. */
static void
put_on_record (GadgetMcpStdio *self, const char *text)
{
  g_message ("%s: %s", self->argv[0], text);
  note (self, text, strlen (text));
}

static void
record_note (GadgetMcpStdio *self, GadgetCallSummaryKind kind, const char *subject)
{
  g_autoptr (GadgetCallSummary) summary = gadget_call_summary_new (kind, subject, NULL);
  g_autofree char *words = gadget_call_summary_dup_plain_text (summary);

  put_on_record (self, words);
}

static void
note_git (GadgetMcpStdio *self, const GadgetProcessResult *ended)
{
  if (*ended->disarmed != '\0')
    record_note (self, GADGET_CALL_SUMMARY_NOTE_DISARMED, ended->disarmed);
  if (ended->unchecked)
    record_note (self, GADGET_CALL_SUMMARY_NOTE_UNCHECKED, "");
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpStdio) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProcessResult) ended = gadget_process_run_finish (result, &error);
  gboolean at_end = self->from_source == NULL;

  self->running = FALSE;
  if (ended != NULL)
    note_git (self, ended);
  close_input (self);
  clear_source (&self->from_source);
  g_clear_handle_id (&self->leave_timer, g_source_remove);
  /* All writers are gone, so the pipe contains the last output, perhaps without a final newline. */
  for (guint i = 0; i < MAX_READS_AT_END && !at_end && !self->closing; i++)
    if (!read_once (self, &at_end))
      break;
  self->ending = TRUE;
  if (!self->closing)
    gadget_ndjson_end (self->lines, handle_line, self, NULL);
  g_clear_fd (&self->from, NULL);

  if (self->closing)
    emit_closed (self, NULL);
  else if (ended != NULL)
    emit_closed (self, make_end_error (self, ended));
  else
    emit_closed (self,
                 g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_START, error->message));
}

/* --- Input of the server ----------------------------------------------------------------------
 */

/* Writes a line, or a part of it. Returns FALSE when the pipe is full. */
static gboolean
write_line (GadgetMcpStdio *self, Line *line)
{
  while (line->written < line->length)
    {
      gssize n = write (self->to, line->text + line->written, line->length - line->written);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN)
        return FALSE;
      if (n < 0)
        {
          /* The server closed its input. If it ends as well, ended_cb () reports that. */
          line->written = line->length;
          return TRUE;
        }
      line->written += (gsize) n;
    }
  return TRUE;
}

static gboolean
write_queue (GadgetMcpStdio *self)
{
  Line *line;

  while ((line = g_queue_peek_head (&self->queue)) != NULL)
    {
      if (!write_line (self, line))
        return FALSE;
      self->queued -= line->length;
      line_free (g_queue_pop_head (&self->queue));
    }
  return TRUE;
}

static gboolean
writable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  GadgetMcpStdio *self = user_data;

  if (!write_queue (self))
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->to_source, g_source_unref);
  return G_SOURCE_REMOVE;
}

static GSource *
watch (GadgetMcpStdio *self, int fd, GIOCondition condition, int priority, const char *name,
       GUnixFDSourceFunc callback)
{
  GSource *source = g_unix_fd_source_new (fd, condition);

  g_source_set_callback (source, G_SOURCE_FUNC (callback), self, NULL);
  g_source_set_priority (source, priority);
  g_source_set_static_name (source, name);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static gboolean
enqueue (GadgetMcpStdio *self, const GadgetMcpOutgoing *message)
{
  Line *line;
  gsize length = strlen (message->text) + 1;

  if (length > MAX_QUEUE - MIN (self->queued, MAX_QUEUE))
    return FALSE;
  line = g_new0 (Line, 1);
  line->id = message->id;
  line->text = g_strconcat (message->text, "\n", NULL);
  line->length = length;
  g_queue_push_tail (&self->queue, line);
  self->queued += length;
  if (self->to_source == NULL && !write_queue (self))
    self->to_source = watch (self, self->to, G_IO_OUT | G_IO_ERR, G_PRIORITY_DEFAULT,
                             "gadget-mcp-stdio-write", writable_cb);
  return TRUE;
}

static void
fail_send (GadgetMcpStdio *self, gint64 id, GadgetMcpError code, const char *text)
{
  g_autoptr (GError) error = g_error_new_literal (GADGET_MCP_ERROR, code, text);

  if (id != 0)
    gadget_mcp_transport_emit_failed (GADGET_MCP_TRANSPORT (self), id, error);
}

static void
stdio_send (GadgetMcpTransport *transport, const GadgetMcpOutgoing *message)
{
  GadgetMcpStdio *self = GADGET_MCP_STDIO (transport);

  if (self->to < 0)
    fail_send (self, message->id, GADGET_MCP_ERROR_GONE, _ ("The server does not run"));
  else if (!enqueue (self, message))
    fail_send (self, message->id, GADGET_MCP_ERROR_WEDGED,
               _ ("The server does not read what it is told"));
}

/* Removes a request from the queue if nothing of it was written yet. */
static gboolean
stdio_cancel (GadgetMcpTransport *transport, gint64 id)
{
  GadgetMcpStdio *self = GADGET_MCP_STDIO (transport);

  for (GList *link = self->queue.head; link != NULL; link = link->next)
    {
      Line *line = link->data;

      if (line->id != id || line->written > 0)
        continue;
      self->queued -= line->length;
      g_queue_delete_link (&self->queue, link);
      line_free (line);
      return TRUE;
    }
  return self->to < 0;
}

/* --- The life cycle ---------------------------------------------------------------------------
 */

static gboolean
open_pipes (GadgetMcpStdio *self, int *remote, GError **error)
{
  int input[2];
  int output[2];

  if (!g_unix_open_pipe (input, O_CLOEXEC, error))
    return FALSE;
  remote[0] = input[0];
  self->to = input[1];
  if (!g_unix_open_pipe (output, O_CLOEXEC, error))
    return FALSE;
  self->from = output[0];
  remote[1] = output[1];
  return g_unix_set_fd_nonblocking (self->to, TRUE, error)
         && g_unix_set_fd_nonblocking (self->from, TRUE, error);
}

static void
stdio_start (GadgetMcpTransport *transport)
{
  GadgetMcpStdio *self = GADGET_MCP_STDIO (transport);
  g_autoptr (GError) error = NULL;
  int remote[2] = { -1, -1 };
  GadgetProcessSpec spec = {
    .argv = (const char *const *) self->argv,
    .workspace = self->folders[0],
    .folders = self->folders[0] != NULL ? (const char *const *) self->folders + 1 : NULL,
    .cache = self->cache,
    .network = self->network,
    .sandbox = self->sandbox,
    .output = output_cb,
    .output_data = self,
    .streams = remote,
    .environment = (const char *const *) self->environment,
  };

  g_return_if_fail (!self->running && !self->closed);

  if (open_pipes (self, remote, &error))
    {
      self->running = TRUE;
      self->from_source = watch (self, self->from, G_IO_IN | G_IO_HUP | G_IO_ERR,
                                 G_PRIORITY_DEFAULT_IDLE, "gadget-mcp-stdio-read", readable_cb);
      gadget_process_run_async (&spec, self->own, ended_cb, g_object_ref (self));
    }
  g_clear_fd (&remote[0], NULL);
  g_clear_fd (&remote[1], NULL);
  if (error != NULL)
    emit_closed (self,
                 g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_START, error->message));
}

static void
leave_cb (gpointer user_data)
{
  GadgetMcpStdio *self = user_data;

  self->leave_timer = 0;
  end_process (self);
}

static void
stdio_close (GadgetMcpTransport *transport)
{
  GadgetMcpStdio *self = GADGET_MCP_STDIO (transport);

  if (self->closing)
    return;
  self->closing = TRUE;
  close_input (self);
  clear_source (&self->from_source);
  g_clear_handle_id (&self->leave_timer, g_source_remove);
  if (self->running)
    self->leave_timer = g_timeout_add_once (LEAVE_MS, leave_cb, self);
  else
    emit_closed (self, NULL);
}

static char *
stdio_dup_complaints (GadgetMcpTransport *transport)
{
  GadgetMcpStdio *self = GADGET_MCP_STDIO (transport);

  if (gadget_output_ring_get_total (self->diagnostics) == 0)
    return NULL;
  return gadget_output_ring_dup_text (self->diagnostics);
}

static void
transport_init (GadgetMcpTransportInterface *iface)
{
  iface->start = stdio_start;
  iface->send = stdio_send;
  iface->cancel = stdio_cancel;
  iface->close = stdio_close;
  iface->dup_complaints = stdio_dup_complaints;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetMcpStdio, gadget_mcp_stdio, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_MCP_TRANSPORT, transport_init))

static void
gadget_mcp_stdio_finalize (GObject *object)
{
  GadgetMcpStdio *self = GADGET_MCP_STDIO (object);

  close_input (self);
  clear_source (&self->from_source);
  g_clear_handle_id (&self->leave_timer, g_source_remove);
  g_clear_fd (&self->from, NULL);
  g_strfreev (self->argv);
  for (guint i = 0; self->environment != NULL && self->environment[i] != NULL; i++)
    explicit_bzero (self->environment[i], strlen (self->environment[i]));
  g_strfreev (self->environment);
  g_strfreev (self->folders);
  g_free (self->cache);
  g_clear_object (&self->sandbox);
  g_clear_object (&self->own);
  g_clear_error (&self->reason);
  gadget_ndjson_free (self->lines);
  gadget_output_ring_free (self->diagnostics);

  G_OBJECT_CLASS (gadget_mcp_stdio_parent_class)->finalize (object);
}

static void
gadget_mcp_stdio_class_init (GadgetMcpStdioClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_mcp_stdio_finalize;
}

static void
gadget_mcp_stdio_init (GadgetMcpStdio *self)
{
  self->to = -1;
  self->from = -1;
  self->own = g_cancellable_new ();
  self->lines = gadget_ndjson_new (GADGET_MCP_MAX_MESSAGE);
  self->diagnostics = gadget_output_ring_new (COMPLAINTS_HEAD, COMPLAINTS_TAIL);
  g_queue_init (&self->queue);
}

/**
 * gadget_mcp_stdio_new:
 * @spec: copied; references to its objects are kept
 *
 * Once started, the transport must be closed. It holds a reference to itself until the process
 * ended.
 *
 * Returns: (transfer full): a transport that has not been started
 */
GadgetMcpTransport *
gadget_mcp_stdio_new (const GadgetMcpStdioSpec *spec)
{
  GadgetMcpStdio *self;

  g_return_val_if_fail (spec != NULL && spec->argv != NULL && spec->argv[0] != NULL, NULL);

  self = g_object_new (GADGET_TYPE_MCP_STDIO, NULL);
  self->argv = g_strdupv ((char **) spec->argv);
  self->downloader =
      spec->sandbox != NULL ? gadget_mcp_downloader_find ((const char *const *) self->argv) : NULL;
  self->environment =
      self->downloader != NULL
          ? gadget_mcp_downloader_list_environment (spec->network, spec->environment)
          : g_strdupv ((char **) spec->environment);
  self->folders = spec->folders != NULL ? g_strdupv ((char **) spec->folders) : g_new0 (char *, 1);
  self->cache = g_strdup (spec->cache);
  self->network = spec->network;
  g_set_object (&self->sandbox, spec->sandbox);
  return GADGET_MCP_TRANSPORT (self);
}
