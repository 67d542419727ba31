/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One invocation of gadget-cli. It ends in this order: the command calls gadget_cli_quit (), the
 * engine is closed (which waits until everything is written), the outputs are drained, the main
 * loop ends.
 *
 * Only this end waits for the program that reads the output. After a signal that wait is limited: a
 * reader that continues to read, however slowly, gets everything, including the last line; a reader
 * that takes nothing for a second is not waited for.
 *
 * Signals: The first SIGINT, SIGTERM or SIGHUP goes to the command, which may stop its work and
 * quit in order. Any further SIGINT or SIGTERM after one of these two ends all waiting: the command
 * writes what it has and its last line, and quits. Processes under gadget-supervise end when this
 * process's side of the socket closes. If the main loop hangs, an alarm ends the program LEAVE_S
 * later, from a signal handler. SIGHUP never counts as a further signal, because a terminal that is
 * closed sends it more than once. A signal that was ignored when the program started (nohup) stays
 * ignored. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cli-app.h"
#include "cli-input.h"
#include "agent/gadget-failure.h"

/* How long a reader that takes not a single byte may delay the end after a signal. */
#define DRAIN_MS 1000

/* How long the engine may take to close; afterwards the program ends without waiting, which the
 * database tolerates. It is shorter after a signal, because the sender is waiting for the end. */
#define CLOSE_MS 5000
#define CLOSE_AFTER_SIGNAL_MS 1500

/* The limits after a further signal, and for a main loop that hangs. */
#define CLOSE_AT_ONCE_MS 200
#define LEAVE_S 4

/* Used in signal handlers. */
static int wake_fd = -1;
static volatile sig_atomic_t exit_status;
static volatile sig_atomic_t alarmed;

struct _GadgetCli
{
  GObject parent_instance;

  GMainLoop *loop;
  GadgetCliOutput *out;
  GadgetCliOutput *err;
  GadgetEngine *engine;
  GadgetCliStart start;
  GadgetCliFailed failed;
  gpointer user_data;
  guint signal_ids[3]; /* of SIGINT, SIGTERM, SIGHUP; 0 for a signal that is ignored */
  guint wake_id;
  int signal; /* the first signal, or 0 */
  int status;
  gboolean forced; /* by a further signal */
  gboolean quitting;
  gboolean closed;      /* the engine is closed, or not waited for any more */
  gboolean lost_output; /* the output could not be written */
  guint close_timeout;
  guint drain_timeout;
  gsize drain_left; /* unread bytes when last checked */
};

enum
{
  SIGNALED,
  HURRIED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetCli, gadget_cli, G_TYPE_OBJECT)

static void
end_when_drained (GadgetCli *self)
{
  if (self->closed && gadget_cli_output_is_drained (self->out)
      && gadget_cli_output_is_drained (self->err))
    g_main_loop_quit (self->loop);
}

static gsize
count_unread (GadgetCli *self)
{
  return gadget_cli_output_get_unread (self->out) + gadget_cli_output_get_unread (self->err);
}

static gboolean
drain_timeout_cb (gpointer user_data)
{
  GadgetCli *self = user_data;
  const gsize left = count_unread (self);

  /* A slow reader gets everything; a reader that has stopped reading does not. */
  if (left < self->drain_left)
    {
      self->drain_left = left;
      return G_SOURCE_CONTINUE;
    }
  self->drain_timeout = 0;
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static void
limit_draining (GadgetCli *self)
{
  if (!self->closed || self->signal == 0 || self->drain_timeout != 0)
    return;
  self->drain_left = count_unread (self);
  self->drain_timeout =
      g_timeout_add (self->forced ? CLOSE_AT_ONCE_MS : DRAIN_MS, drain_timeout_cb, self);
  g_source_set_name_by_id (self->drain_timeout, "[gadget] end of draining");
}

static void
set_closed (GadgetCli *self)
{
  g_clear_handle_id (&self->close_timeout, g_source_remove);
  self->closed = TRUE;
  limit_draining (self);
  end_when_drained (self);
}

static void
engine_closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetCli) self = user_data;

  gadget_engine_close_finish (GADGET_ENGINE (source), result);
  set_closed (self);
}

static gboolean
close_timeout_cb (gpointer user_data)
{
  GadgetCli *self = user_data;

  self->close_timeout = 0;
  set_closed (self);
  return G_SOURCE_REMOVE;
}

static void
limit_closing (GadgetCli *self)
{
  const guint limit = self->forced        ? CLOSE_AT_ONCE_MS
                      : self->signal != 0 ? CLOSE_AFTER_SIGNAL_MS
                                          : CLOSE_MS;

  g_clear_handle_id (&self->close_timeout, g_source_remove);
  self->close_timeout = g_timeout_add (limit, close_timeout_cb, self);
  g_source_set_name_by_id (self->close_timeout, "[gadget] engine does not close");
}

static void
leave_at_once (int number)
{
  gadget_cli_show_typing ();
  _exit (exit_status);
}

/* Sets the alarm once, so that further signals do not postpone it. */
static void
set_alarm (int status)
{
  if (alarmed)
    return;
  alarmed = TRUE;
  exit_status = status;
  alarm (LEAVE_S);
}

static void
take_further_signal (int number)
{
  const int saved_errno = errno;
  const guint64 one = 1;

  set_alarm (128 + number);
  if (wake_fd >= 0 && write (wake_fd, &one, sizeof one) < 0)
    errno = saved_errno; /* the eventfd is readable already */
}

/* Handles further signals, except those that were ignored when the program started. */
static void
watch_further_signals (GadgetCli *self)
{
  const struct sigaction further = { .sa_handler = take_further_signal, .sa_flags = SA_RESTART };
  const struct sigaction last = { .sa_handler = leave_at_once };

  sigaction (SIGALRM, &last, NULL);
  if (self->signal_ids[0] != 0)
    sigaction (SIGINT, &further, NULL);
  if (self->signal_ids[1] != 0)
    sigaction (SIGTERM, &further, NULL);
}

static gboolean
hurry_cb (int fd, GIOCondition condition, gpointer user_data)
{
  GadgetCli *self = user_data;
  guint64 n;

  if (read (fd, &n, sizeof n) < 0 || self->forced)
    return G_SOURCE_CONTINUE;
  self->forced = TRUE;
  if (!self->quitting)
    g_signal_emit (self, signals[HURRIED], 0);
  if (self->close_timeout != 0)
    limit_closing (self);
  g_clear_handle_id (&self->drain_timeout, g_source_remove);
  limit_draining (self);
  return G_SOURCE_CONTINUE;
}

static gboolean
handle_signal (GadgetCli *self, int number)
{
  gboolean handled = FALSE;

  if (number != SIGHUP)
    watch_further_signals (self);
  if (self->signal == 0)
    self->signal = number;
  if (self->quitting)
    {
      if (self->close_timeout != 0)
        limit_closing (self);
      limit_draining (self);
      return G_SOURCE_CONTINUE;
    }
  g_signal_emit (self, signals[SIGNALED], 0, number, &handled);
  if (!handled)
    gadget_cli_quit (self, 128 + number);
  return G_SOURCE_CONTINUE;
}

static gboolean
sigint_cb (gpointer user_data)
{
  return handle_signal (user_data, SIGINT);
}

static gboolean
sigterm_cb (gpointer user_data)
{
  return handle_signal (user_data, SIGTERM);
}

static gboolean
sighup_cb (gpointer user_data)
{
  return handle_signal (user_data, SIGHUP);
}

static void
watch_signals (GadgetCli *self)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  static const GSourceFunc callbacks[] = { sigint_cb, sigterm_cb, sighup_cb };

  wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd >= 0)
    self->wake_id = g_unix_fd_add (wake_fd, G_IO_IN, hurry_cb, self);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction now;

      if (sigaction (numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
        continue;
      self->signal_ids[i] = g_unix_signal_add (numbers[i], callbacks[i], self);
    }
}

static void
engine_opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetCli) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean opened = gadget_engine_open_finish (GADGET_ENGINE (source), result, &error);

  /* A signal came first. An opening that it cut short is no failure. */
  if (self->quitting)
    return;
  if (opened)
    {
      self->start (self, self->user_data);
      return;
    }
  if (self->failed != NULL)
    self->failed (self, error, self->user_data);
  else
    gadget_cli_say (self, _ ("gadget-cli: Gadget's data could not be opened: %s\n%s"),
                    error->message, gadget_failure_get_data_hint (error));
  if (!self->quitting)
    gadget_cli_quit (self, GADGET_CLI_ERROR);
}

static void
start_now_cb (gpointer user_data)
{
  GadgetCli *self = user_data;

  if (!self->quitting)
    self->start (self, self->user_data);
}

/* A reader that stops reading has what it wanted. Any other error loses output, so the exit status
 * must not be a success. */
static void
output_closed_cb (GadgetCliOutput *out, int code, GadgetCli *self)
{
  if (code == EPIPE)
    return;
  self->lost_output = TRUE;
  gadget_cli_say (self, _ ("gadget-cli: The output could not be written: %s"), g_strerror (code));
}

static void
gadget_cli_dispose (GObject *object)
{
  GadgetCli *self = GADGET_CLI (object);

  /* The signal sources stay: without them a signal would kill the process on its way out, with an
   * exit status of its own. They are not dispatched any more. */
  g_clear_handle_id (&self->close_timeout, g_source_remove);
  g_clear_handle_id (&self->drain_timeout, g_source_remove);
  g_clear_handle_id (&self->wake_id, g_source_remove);
  g_clear_object (&self->engine);
  g_clear_object (&self->out);
  g_clear_object (&self->err);
  g_clear_pointer (&self->loop, g_main_loop_unref);

  G_OBJECT_CLASS (gadget_cli_parent_class)->dispose (object);
}

static void
gadget_cli_class_init (GadgetCliClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_cli_dispose;

  /**
   * GadgetCli::signaled:
   * @number: SIGINT, SIGTERM or SIGHUP
   *
   * Returns: whether the handler takes care that the program ends
   */
  signals[SIGNALED] =
      g_signal_new ("signaled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                    g_signal_accumulator_true_handled, NULL, NULL, G_TYPE_BOOLEAN, 1, G_TYPE_INT);

  /**
   * GadgetCli::hurried:
   *
   * A further signal came while the command was ending. It must not wait for anything any more.
   */
  signals[HURRIED] = g_signal_new ("hurried", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_cli_init (GadgetCli *self)
{
  self->loop = g_main_loop_new (NULL, FALSE);
  self->out = gadget_cli_output_new (STDOUT_FILENO);
  self->err = gadget_cli_output_new (STDERR_FILENO);
  /* Two outputs to one place would overtake each other where the reader is slow. */
  if (gadget_cli_output_is_same (self->out, self->err))
    g_set_object (&self->err, self->out);
  g_signal_connect_object (self->out, "closed", G_CALLBACK (output_closed_cb), self,
                           G_CONNECT_DEFAULT);
}

GadgetCli *
gadget_cli_new (void)
{
  return g_object_new (GADGET_TYPE_CLI, NULL);
}

GadgetCliOutput *
gadget_cli_get_out (GadgetCli *self)
{
  return self->out;
}

GadgetCliOutput *
gadget_cli_get_err (GadgetCli *self)
{
  return self->err;
}

GadgetEngine *
gadget_cli_get_engine (GadgetCli *self)
{
  return self->engine;
}

void
gadget_cli_say (GadgetCli *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  gadget_cli_output_write_foreign (self->err, text);
  gadget_cli_output_write (self->err, "\n");
}

void
gadget_cli_print (GadgetCli *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  gadget_cli_output_write_foreign (self->out, text);
}

int
gadget_cli_run (GadgetCli *self, gboolean with_engine, GadgetCliStart start, GadgetCliFailed failed,
                gpointer user_data)
{
  self->start = start;
  self->failed = failed;
  self->user_data = user_data;
  watch_signals (self);
  if (with_engine)
    {
      self->engine = gadget_engine_new (NULL);
      gadget_engine_open_async (self->engine, engine_opened_cb, g_object_ref (self));
    }
  else
    {
      g_idle_add_once (start_now_cb, self);
    }
  g_main_loop_run (self->loop);
  if (self->lost_output && self->status == GADGET_CLI_FINISHED)
    self->status = GADGET_CLI_ERROR;
  /* All output is written: a signal has no effect any more, and a process that hangs from here on
   * is ended by the alarm. */
  watch_further_signals (self);
  set_alarm (self->status);
  exit_status = self->status;
  gadget_cli_show_typing ();
  return self->status;
}

void
gadget_cli_quit (GadgetCli *self, int status)
{
  g_return_if_fail (GADGET_IS_CLI (self) && !self->quitting);

  self->quitting = TRUE;
  self->status = status;
  g_signal_connect_object (self->out, "drained", G_CALLBACK (end_when_drained), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->out, "closed", G_CALLBACK (end_when_drained), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->err, "drained", G_CALLBACK (end_when_drained), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->err, "closed", G_CALLBACK (end_when_drained), self,
                           G_CONNECT_SWAPPED);
  if (self->engine == NULL)
    {
      set_closed (self);
      return;
    }
  limit_closing (self);
  gadget_engine_close_async (self->engine, GADGET_STOP_CLOSED, engine_closed_cb,
                             g_object_ref (self));
}

gboolean
gadget_cli_is_quitting (GadgetCli *self)
{
  return self->quitting;
}

void
gadget_cli_fail (GadgetCli *self, const char *what, const char *hint)
{
  gadget_cli_say (self, "gadget-cli: %s", what);
  if (hint != NULL)
    gadget_cli_say (self, "%s", hint);
  gadget_cli_quit (self, GADGET_CLI_ERROR);
}

int
gadget_cli_run_command (GadgetCli **cli, GadgetCliStart start, gpointer user_data)
{
  int status;

  *cli = gadget_cli_new ();
  status = gadget_cli_run (*cli, TRUE, start, NULL, user_data);
  g_clear_object (cli);
  return status;
}

/* --- The command line --------------------------------------------------------------------------*/

/* Returns the words of @synopsis before its first argument or option. (transfer full) */
static char *
dup_command (const char *synopsis)
{
  return g_strchomp (g_strndup (synopsis, strspn (synopsis, G_CSET_a_2_z " ")));
}

gboolean
gadget_cli_parse (const char *synopsis, const char *description, const GOptionEntry *entries,
                  char ***argv, int *status)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GOptionGroup) group = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_strconcat ("gadget-cli ", synopsis, NULL);
  g_autofree char *command = dup_command (synopsis);
  gboolean help = FALSE;
  const GOptionEntry help_entry[] = {
    { "help", 'h', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &help, NULL, NULL }, G_OPTION_ENTRY_NULL
  };

  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_help_enabled (context, FALSE);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, help_entry, NULL);
  if (!g_option_context_parse_strv (context, argv, &error))
    {
      *status = gadget_cli_usage (command, "%s", error->message);
      return FALSE;
    }
  if (help)
    {
      g_autofree char *text = NULL;
      const char *options;

      /* GOption's own first line does not name the command. */
      text = g_option_context_get_help (context, TRUE, NULL);
      options = strstr (text, "\n\n");
      g_print (_ ("Usage: %s"), program);
      g_print ("\n\n%s%s", description, options != NULL ? options : "\n");
      *status = GADGET_CLI_FINISHED;
      return FALSE;
    }
  return TRUE;
}

int
gadget_cli_usage (const char *command, const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *trimmed = g_strdup (command != NULL ? command : "");
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_strstrip (trimmed);
  g_printerr ("gadget-cli: %s\n", text);
  g_printerr (_ ("Try “gadget-cli %s%s--help”."), trimmed, *trimmed != '\0' ? " " : "");
  g_printerr ("\n");
  return GADGET_CLI_USAGE;
}

gboolean
gadget_cli_parse_id (const char *synopsis, const char *description, const GOptionEntry *entries,
                     const char *problem, char ***argv, const char **id, int *status)
{
  g_autofree char *command = dup_command (synopsis);

  if (!gadget_cli_parse (synopsis, description, entries, argv, status))
    return FALSE;
  if (g_strv_length (*argv) != 2)
    {
      *status = gadget_cli_usage (command, "%s", problem);
      return FALSE;
    }
  *id = (*argv)[1];
  return TRUE;
}

int
gadget_cli_dispatch (const char *group, const GadgetCliCommandEntry *entries, char **argv)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; entries[i].name != NULL; i++)
    {
      if (argv[0] != NULL && g_str_equal (argv[0], entries[i].name))
        return entries[i].run (argv);
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", entries[i].name);
    }
  if (g_strcmp0 (argv[0], "--help") == 0 || g_strcmp0 (argv[0], "-h") == 0)
    {
      g_print (_ ("Usage: gadget-cli %s COMMAND [OPTION…]\n\nCommands: %s\n"), group, known->str);
      return GADGET_CLI_FINISHED;
    }
  if (argv[0] == NULL)
    return gadget_cli_usage (group, _ ("“%s” needs a command: %s"), group, known->str);
  return gadget_cli_usage (group, _ ("“%s” has no command “%s”. It has: %s"), group, argv[0],
                           known->str);
}
