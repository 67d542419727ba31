/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "ask": one turn, from the command line to the exit status. Each step starts the next
 * one:
 *
 *   read the key · read the text · connect to the bus · find and load the session · read the
 *   attachments · start the turn · print its events · wait until it is saved · report its
 *   completion · leave the bus · quit
 *
 * A signal before the turn has started ends the program with the exit status of that signal.
 * Afterwards a signal aborts the turn, whose completion ends the program; after the completion, it
 * ends the wait for the store. A second signal ends all waiting. If nobody reads the standard
 * output any more (`| head -1`), the turn is aborted with the reason "closed" and the exit status
 * is 3. In any case the last line of the --json output is the event "completed". */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "cli-app.h"
#include "cli-ask-private.h"
#include "cli-attach.h"
#include "cli-bus.h"
#include "cli-input.h"
#include "cli-terminal.h"
#include "cli-writer.h"
#include "agent/gadget-attachment-loading.h"
#include "agent/gadget-failure.h"
#include "agent/gadget-tools-text.h"
#include "common/gadget-id.h"
#include "control/gadget-control.h"
#include "secrets/gadget-secrets.h"

/* In bytes. */
#define TEXT_LIMIT (10 * 1024 * 1024)
#define NAME_TIMEOUT_MS 1000

static void
ask_clear (GadgetCliAsk *ask)
{
  g_clear_handle_id (&ask->leaving, g_source_remove);
  g_clear_handle_id (&ask->saving, g_source_remove);
  g_clear_handle_id (&ask->saving_note, g_source_remove);
  g_free (ask->message);
  gadget_cli_ask_options_clear (&ask->options);
  g_clear_object (&ask->reading);
  g_clear_pointer (&ask->attachments, g_ptr_array_unref);
  g_clear_object (&ask->watch);
  g_clear_object (&ask->control);
  g_clear_object (&ask->bus);
  g_clear_object (&ask->terminal);
  g_clear_object (&ask->writer);
  if (ask->turn != NULL)
    g_signal_handlers_disconnect_by_data (ask->turn, ask);
  g_clear_object (&ask->turn);
  g_clear_object (&ask->session);
  g_free (ask->run_id);
  g_clear_object (&ask->cli);
}

/* --- The end -----------------------------------------------------------------------------------*/

static void
fail (GadgetCliAsk *ask, const char *title, const char *hint, const char *detail)
{
  const GadgetCliOutcome outcome = { .status = GADGET_TURN_ERROR,
                                     .message = title,
                                     .code = "error",
                                     .title = title,
                                     .hint = hint,
                                     .detail = detail };

  if (gadget_cli_is_quitting (ask->cli))
    return;
  gadget_cli_writer_completed (ask->writer, &outcome);
  gadget_cli_quit (ask->cli, GADGET_CLI_ERROR);
}

static void
end_before_start (GadgetCliAsk *ask, GadgetStopReason reason, int status)
{
  const GadgetCliOutcome outcome = { .status = GADGET_TURN_ABORTED,
                                     .stop_reason = reason,
                                     .message = "aborted" };

  if (ask->reading != NULL)
    {
      gadget_run_abort (ask->reading, reason);
      gadget_cli_say (ask->cli, _ ("Nothing was sent: the attachments were still being read."));
    }
  gadget_cli_writer_completed (ask->writer, &outcome);
  gadget_cli_quit (ask->cli, status);
}

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              GadgetCliAsk *ask)
{
  if (ask->turn == NULL || g_strcmp0 (gadget_turn_get_id (ask->turn), turn_id) != 0)
    return;
  ask->message = g_strdup (message);
  _gadget_cli_ask_complete (ask);
}

/* --- Stopping ----------------------------------------------------------------------------------*/

static void
abort_turn (GadgetCliAsk *ask, GadgetStopReason reason)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  GadgetAgent *agent = gadget_engine_get_agent (gadget_cli_get_engine (ask->cli));

  ack = gadget_agent_abort (agent, gadget_session_get_id (ask->session), ask->run_id, reason);
}

static gboolean
signaled_cb (GadgetCli *cli, int number, GadgetCliAsk *ask)
{
  if (ask->signal == 0)
    ask->signal = number;
  if (!ask->started)
    {
      end_before_start (ask, GADGET_STOP_SIGNAL, 128 + number);
      return TRUE;
    }
  if (ask->message != NULL)
    {
      /* The turn is over; at most the store is still waited for. */
      if (ask->saving != 0)
        _gadget_cli_ask_settle (ask, GADGET_CLI_SAVING_AFTER_SIGNAL_MS);
      return TRUE;
    }
  abort_turn (ask, GADGET_STOP_SIGNAL);
  if (number == SIGINT && gadget_cli_output_is_terminal (gadget_cli_get_err (cli)))
    gadget_cli_say (cli, _ ("\nAborting… (Ctrl+C again leaves at once)"));
  return TRUE;
}

/* Called for a second signal: ends all waiting. */
static void
hurried_cb (GadgetCli *cli, GadgetCliAsk *ask)
{
  if (ask->message == NULL)
    gadget_agent_give_up (gadget_engine_get_agent (gadget_cli_get_engine (cli)), ask->session);
  else if (ask->saving != 0)
    _gadget_cli_ask_settle (ask, 0);
}

static void
output_closed_cb (GadgetCliOutput *out, int code, GadgetCliAsk *ask)
{
  if (gadget_cli_is_quitting (ask->cli))
    return;
  if (ask->started)
    abort_turn (ask, GADGET_STOP_CLOSED);
  else
    end_before_start (ask, GADGET_STOP_CLOSED, GADGET_CLI_ABORTED);
}

/* --- The turn ----------------------------------------------------------------------------------*/

/* Returns whether a call failed before it began because nobody could be asked. */
static gboolean
is_unanswered (GadgetCliAsk *ask, const GadgetTurnEvent *event)
{
  const gboolean asks = ask->options.approval == GADGET_APPROVAL_ASK
                        || (ask->options.approval == GADGET_APPROVAL_SESSION
                            && gadget_session_get_mode (ask->session) != GADGET_MODE_READ_ONLY);

  return ask->terminal == NULL && !ask->options.wait_answers && asks
         && event->type == GADGET_TURN_EVENT_TOOL_RESULT
         && gadget_item_get_status (event->item) == GADGET_ITEM_FAILED
         && gadget_item_get_started_at (event->item) == 0;
}

static void
event_cb (const GadgetTurnEvent *event, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;

  gadget_cli_writer_event (ask->writer, event);
  if (!ask->said_nobody && is_unanswered (ask, event))
    {
      ask->said_nobody = TRUE;
      gadget_cli_say (ask->cli, _ ("There is no terminal, so nobody is there to answer: what needs "
                                   "permission is refused. “--approve auto” allows it within the "
                                   "sandbox."));
    }
  if (ask->terminal == NULL)
    return;
  if (event->type == GADGET_TURN_EVENT_PROMPT)
    gadget_cli_terminal_ask (ask->terminal, event->prompt);
  else if (event->type == GADGET_TURN_EVENT_PROMPT_GONE)
    gadget_cli_terminal_withdraw (ask->terminal, event->prompt);
}

static void
retry_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetCliAsk *ask)
{
  const gint64 ms = gadget_turn_get_retry_at (turn) - gadget_turn_get_now (turn);

  gadget_cli_say (ask->cli, _ ("Waiting for the provider: %d s"),
                  (int) ((MAX (ms, 0) + 999) / 1000));
}

static void
phase_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetCliAsk *ask)
{
  if (gadget_turn_get_phase (turn) == GADGET_PHASE_KEYRING)
    gadget_cli_say (ask->cli, _ ("Waiting for the keyring"));
}

static void
tools_left_out_cb (GadgetAgent *agent, GadgetSession *session, GadgetTurn *turn, guint n_offered,
                   guint n_left_out, GadgetCliAsk *ask)
{
  g_autofree char *text = gadget_tools_left_out_dup_text (n_offered, n_left_out);

  gadget_cli_say (ask->cli, "%s", text);
}

static GadgetTurn *
find_turn (GadgetSession *session, const char *id)
{
  for (guint i = gadget_session_get_n_turns (session); i > 0; i--)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, i - 1);

      if (g_str_equal (gadget_turn_get_id (turn), id))
        return turn;
    }
  return NULL;
}

static void
fail_unknown (GadgetCliAsk *ask)
{
  g_autofree char *title = g_strdup_printf (_ ("There is no session “%s”."), ask->options.session);

  fail (ask, title, _ ("“gadget-cli session list” names those there are."), NULL);
}

static gint64
to_cost (double dollars)
{
  return (gint64) (dollars * (double) GADGET_COST_DOLLAR + 0.5);
}

static void
start_turn (GadgetCliAsk *ask)
{
  GadgetAgent *agent = gadget_engine_get_agent (gadget_cli_get_engine (ask->cli));
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run = NULL;
  const GadgetTurnOptions options = { .run_id = ask->run_id,
                                      .approval = ask->options.approval,
                                      .interactive =
                                          ask->terminal != NULL || ask->options.wait_answers,
                                      .attachments = ask->attachments,
                                      .provider = ask->options.provider,
                                      .model = ask->options.model,
                                      .workspace = ask->options.workspace,
                                      .deadline_ms = (guint) ask->deadline_ms,
                                      .limits = { .steps = (guint) ask->options.max_steps,
                                                  .tokens = ask->options.max_tokens,
                                                  .cost = to_cost (ask->options.max_cost),
                                                  .day_cost = to_cost (ask->options.max_day_cost),
                                                  .hard = TRUE } };

  g_signal_connect (agent, "completed", G_CALLBACK (completed_cb), ask);
  g_signal_connect (agent, "tools-left-out", G_CALLBACK (tools_left_out_cb), ask);
  run = gadget_agent_start (agent, ask->session, ask->options.text, &options, &error);
  if (g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED))
    {
      fail_unknown (ask);
      return;
    }
  if (run == NULL)
    {
      const gboolean busy =
          g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY)
          || g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE);

      fail (ask, busy ? _ ("This chat is busy: another turn is going on in it.") : error->message,
            busy ? _ ("Wait until it ends, stop it with “gadget-cli run abort --session ID”, or "
                      "use --new.")
                 : NULL,
            busy ? NULL : error->message);
      return;
    }
  ask->started = TRUE;
  if (ask->options.provider != NULL || ask->options.model != NULL || ask->options.workspace != NULL)
    gadget_engine_save (gadget_cli_get_engine (ask->cli), ask->session);
  ask->turn = g_object_ref (find_turn (ask->session, gadget_run_get_turn_id (run)));
  gadget_cli_writer_started (ask->writer, gadget_session_get_id (ask->session),
                             gadget_turn_get_id (ask->turn), gadget_run_get_id (run));
  g_signal_connect (ask->turn, "notify::retry-at", G_CALLBACK (retry_cb), ask);
  g_signal_connect (ask->turn, "notify::phase", G_CALLBACK (phase_cb), ask);
  ask->watch = gadget_turn_watch_new (ask->turn, event_cb, ask);
}

static void
attached_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;
  g_autoptr (GFile) failed = NULL;
  g_autoptr (GError) error = NULL;

  ask->attachments = gadget_attachment_loading_finish (result, &failed, &error);
  if (gadget_cli_is_quitting (ask->cli))
    return;
  if (gadget_run_is_aborted (ask->reading))
    {
      end_before_start (ask, gadget_run_get_stop_reason (ask->reading), GADGET_CLI_ABORTED);
      return;
    }
  g_clear_object (&ask->reading);
  if (ask->attachments == NULL)
    {
      g_autofree char *title = gadget_cli_attach_dup_title (failed, error);

      fail (ask, title, gadget_cli_attach_get_hint (error), error->message);
      return;
    }
  if (ask->deadline_ms != 0)
    ask->deadline_ms =
        MAX (ask->deadline_ms - (g_get_monotonic_time () - ask->reading_since) / 1000, 1);
  start_turn (ask);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GError) error = NULL;

  if (gadget_cli_is_quitting (ask->cli))
    return;
  if (result != NULL && !gadget_engine_load_finish (GADGET_ENGINE (source), result, &error))
    {
      if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
        fail_unknown (ask);
      else
        fail (ask, _ ("The chat could not be read."), NULL, error->message);
      return;
    }
  ask->deadline_ms = (gint64) ceil (ask->options.deadline * 1000);
  if (ask->options.attach == NULL)
    {
      start_turn (ask);
      return;
    }
  files = gadget_cli_attach_make_files (ask->options.attach);
  ask->reading_since = g_get_monotonic_time ();
  ask->reading =
      gadget_attachment_loading_start (gadget_cli_get_engine (ask->cli), ask->session, files, NULL,
                                       (guint) ask->deadline_ms, attached_cb, ask);
}

static void
open_session (GadgetCliAsk *ask)
{
  GadgetEngine *engine = gadget_cli_get_engine (ask->cli);
  const GadgetCliAskOptions *options = &ask->options;

  if (options->provider != NULL
      && gadget_provider_list_find (gadget_engine_get_providers (engine), options->provider)
             == NULL)
    {
      g_autofree char *title =
          g_strdup_printf (_ ("There is no provider “%s”."), options->provider);

      fail (ask, title,
            _ ("“gadget-cli provider list” names those there are; “gadget-cli provider add” makes "
               "one."),
            NULL);
      return;
    }
  if (options->session == NULL)
    {
      ask->session = gadget_engine_new_session (engine);
      loaded_cb (NULL, NULL, ask);
      return;
    }
  g_set_object (&ask->session, gadget_engine_find_session (engine, options->session));
  if (ask->session == NULL)
    {
      fail_unknown (ask);
      return;
    }
  /* A session that is held is not deleted by other processes until the program ends. */
  gadget_engine_hold_session (engine, ask->session);
  gadget_engine_load_async (engine, ask->session, loaded_cb, ask);
}

/* --- Being seen on the bus ---------------------------------------------------------------------*/

static void
named_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;

  reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  if (reply == NULL)
    g_debug ("No name on the session bus: %s", error->message);
  if (!gadget_cli_is_quitting (ask->cli))
    open_session (ask);
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = gadget_control_dup_cli_name (ask->run_id);

  ask->bus = gadget_cli_bus_connect_finish (result, &error);
  if (gadget_cli_is_quitting (ask->cli))
    return;
  if (ask->bus != NULL)
    {
      ask->control = gadget_control_new (gadget_cli_get_engine (ask->cli));
      if (!gadget_control_export (ask->control, ask->bus, &error))
        g_clear_object (&ask->control);
    }
  if (ask->control == NULL && ask->options.wait_answers && ask->terminal == NULL)
    {
      fail (ask, _ ("No session bus can be reached, so nobody could answer."),
            _ ("Without --wait-answers, what needs permission is refused."), error->message);
      return;
    }
  if (ask->control == NULL)
    {
      /* The only difference without a bus is that other programs do not see the run. */
      g_debug ("Not on the session bus: %s", error->message);
      open_session (ask);
      return;
    }
  /* The name is owned before the run starts, so that a program that sees the start can stop the
   * run. */
  g_dbus_connection_call (ask->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                          "org.freedesktop.DBus", "RequestName", g_variant_new ("(su)", name, 4),
                          G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE, NAME_TIMEOUT_MS, NULL,
                          named_cb, ask);
}

/* --- Input -------------------------------------------------------------------------------------*/

static void
connect_bus (GadgetCliAsk *ask)
{
  gadget_cli_bus_connect_async (connected_cb, ask);
}

static void
text_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;
  g_autoptr (GError) error = NULL;

  g_free (ask->options.text);
  ask->options.text = gadget_cli_read_finish (result, &error);
  if (gadget_cli_is_quitting (ask->cli))
    return;
  if (ask->options.text == NULL)
    {
      fail (ask, _ ("The text could not be read from standard input."), NULL, error->message);
      return;
    }
  g_strchomp (ask->options.text);
  if (*ask->options.text == '\0')
    fail (ask, _ ("Standard input has no text in it."), NULL, NULL);
  else
    connect_bus (ask);
}

static void
read_text (GadgetCliAsk *ask)
{
  if (g_str_equal (ask->options.text, "-"))
    gadget_cli_read_async (STDIN_FILENO, TEXT_LIMIT, text_read_cb, ask);
  else
    connect_bus (ask);
}

static const char *
get_provider_id (GadgetCliAsk *ask)
{
  GadgetEngine *engine = gadget_cli_get_engine (ask->cli);
  GadgetSession *session;

  if (ask->options.provider != NULL)
    return ask->options.provider;
  session = ask->options.session != NULL ? gadget_engine_find_session (engine, ask->options.session)
                                         : NULL;
  if (session != NULL && gadget_session_get_provider (session) != NULL)
    return gadget_session_get_provider (session);
  return gadget_provider_list_get_default_id (gadget_engine_get_providers (engine));
}

static void
key_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *key = gadget_cli_read_key_finish (result, &error);

  close (ask->options.key_fd);
  if (gadget_cli_is_quitting (ask->cli))
    return;
  if (key == NULL)
    {
      fail (ask, _ ("The key could not be read from the file descriptor."), NULL, error->message);
      return;
    }
  gadget_secrets_set_for_run (gadget_engine_get_secrets (gadget_cli_get_engine (ask->cli)),
                              get_provider_id (ask), key);
  explicit_bzero (key, strlen (key));
  read_text (ask);
}

static void
start (GadgetCli *cli, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;

  if (ask->options.key_fd >= 0)
    gadget_cli_read_key_async (ask->options.key_fd, key_read_cb, ask);
  else
    read_text (ask);
}

static void
failed_to_open (GadgetCli *cli, const GError *error, gpointer user_data)
{
  fail (user_data, _ ("Gadget's data could not be opened."), gadget_failure_get_data_hint (error),
        error->message);
}

static int
run (GadgetCliAsk *ask)
{
  int status;

  ask->cli = gadget_cli_new ();
  ask->run_id = gadget_id_new ();
  ask->writer = ask->options.json ? gadget_cli_json_new (ask->cli) : gadget_cli_text_new (ask->cli);
  ask->terminal = gadget_cli_terminal_new ();
  g_signal_connect (ask->cli, "signaled", G_CALLBACK (signaled_cb), ask);
  g_signal_connect (ask->cli, "hurried", G_CALLBACK (hurried_cb), ask);
  g_signal_connect (gadget_cli_get_out (ask->cli), "closed", G_CALLBACK (output_closed_cb), ask);
  status = gadget_cli_run (ask->cli, TRUE, start, failed_to_open, ask);
  g_signal_handlers_disconnect_by_data (gadget_cli_get_out (ask->cli), ask);
  g_signal_handlers_disconnect_by_data (ask->cli, ask);
  g_signal_handlers_disconnect_by_data (gadget_engine_get_agent (gadget_cli_get_engine (ask->cli)),
                                        ask);
  _gadget_cli_ask_leave_store (ask);
  return status;
}

int
gadget_cli_ask (char **argv)
{
  GadgetCliAsk ask = { .options = { .key_fd = -1 } };
  int status;

  if (gadget_cli_ask_options_parse (&ask.options, argv, &status))
    status = run (&ask);
  ask_clear (&ask);
  return status;
}
