/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The last steps of a turn from the command line: wait until the turn is saved; report its
 * completion; leave the bus; quit. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-ask-private.h"
#include "cli-bus.h"
#include "agent/gadget-failure.h"
#include "agent/saving/gadget-save-problem.h"

/* How long the bus may take to send the last messages. */
#define LEAVE_MS 500

/* When the user is told about waiting for a turn that is not saved, and when that wait ends. */
#define SAVING_NOTE_MS 2000
#define SAVING_MS 30000

static char *
dup_hint (const GadgetFailure *failure, const char *code, const char *provider)
{
  const char *id = provider != NULL ? provider : "ID";

  if (g_strcmp0 (code, "provider/auth") == 0 || g_strcmp0 (code, "secrets/origin") == 0
      || g_strcmp0 (code, "secrets/missing") == 0)
    return g_strdup_printf (_ ("Give a valid key with --key-fd, or keep one with “gadget-cli "
                               "provider add %s … --key-stdin”."),
                            id);
  if (g_strcmp0 (code, "secrets/header") == 0)
    return g_strdup_printf (_ ("Give its value again with “gadget-cli provider add %s … "
                               "--secret-header NAME”."),
                            id);
  switch (failure->remedy)
    {
    case GADGET_REMEDY_CHOOSE_MODEL:
      return g_strdup_printf (_ ("Choose another model with --model; “gadget-cli provider test %s” "
                                 "lists what is there."),
                              id);
    case GADGET_REMEDY_PREFERENCES:
      return g_strdup_printf (_ ("Look at its address with “gadget-cli provider list” (it usually "
                                 "ends in /v1) and set it right with “gadget-cli provider add %s "
                                 "--kind KIND --base-url URL”."),
                              id);
    case GADGET_REMEDY_NEW_CHAT:
      return g_strdup (_ ("Start a new chat with --new."));
    case GADGET_REMEDY_CONTINUE:
    case GADGET_REMEDY_UNLOCK:
    case GADGET_REMEDY_RETRY:
    default:
      return g_strdup (failure->hint);
    }
}

static GadgetUnsavedTurns *
get_unsaved (GadgetCliAsk *ask)
{
  return gadget_agent_get_unsaved (gadget_engine_get_agent (gadget_cli_get_engine (ask->cli)));
}

static int
get_exit_status (GadgetCliAsk *ask)
{
  const gboolean signaled = gadget_turn_get_status (ask->turn) == GADGET_TURN_ABORTED
                            && gadget_turn_get_stop_reason (ask->turn) == GADGET_STOP_SIGNAL;

  if (gadget_unsaved_turns_get_n (get_unsaved (ask)) > 0 && !signaled)
    return GADGET_CLI_ERROR;
  switch (gadget_turn_get_status (ask->turn))
    {
    case GADGET_TURN_FINISHED:
      return GADGET_CLI_FINISHED;
    case GADGET_TURN_ABORTED:
      return gadget_turn_get_stop_reason (ask->turn) == GADGET_STOP_SIGNAL && ask->signal != 0
                 ? 128 + ask->signal
                 : GADGET_CLI_ABORTED;
    case GADGET_TURN_PROCESSING:
    case GADGET_TURN_ERROR:
    default:
      return GADGET_CLI_ERROR;
    }
}

static void
leave (GadgetCliAsk *ask)
{
  if (ask->leaving == 0)
    return;
  g_clear_handle_id (&ask->leaving, g_source_remove);
  gadget_cli_quit (ask->cli, get_exit_status (ask));
}

static gboolean
leave_late_cb (gpointer user_data)
{
  leave (user_data);
  return G_SOURCE_REMOVE;
}

static void
left_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_cli_bus_leave_finish (result);
  leave (user_data);
}

static void
begin_to_leave (GadgetCliAsk *ask)
{
  g_autofree char *name = gadget_control_dup_cli_name (ask->run_id);

  ask->leaving = g_timeout_add (LEAVE_MS, leave_late_cb, ask);
  g_source_set_name_by_id (ask->leaving, "[gadget] leaving");
  if (ask->control != NULL)
    gadget_cli_bus_leave_async (ask->bus, name, left_cb, ask);
  else
    leave (ask);
}

static void
report_completion (GadgetCliAsk *ask)
{
  g_autoptr (GadgetFailure) failure = NULL;
  g_autofree char *hint = NULL;
  GadgetUnsavedTurns *unsaved = get_unsaved (ask);
  GadgetCliOutcome outcome = { .turn = ask->turn,
                               .status = gadget_turn_get_status (ask->turn),
                               .stop_reason = gadget_turn_get_stop_reason (ask->turn),
                               .message = ask->message,
                               .unsaved = gadget_unsaved_turns_get_n (unsaved) > 0 ? unsaved : NULL,
                               .images_left_out = gadget_turn_get_images_left_out (ask->turn) };

  if (outcome.status == GADGET_TURN_ERROR)
    {
      const char *provider = gadget_turn_get_provider (ask->turn);
      GadgetProviderList *providers =
          gadget_engine_get_providers (gadget_cli_get_engine (ask->cli));
      GadgetProviderConfig *config =
          provider != NULL ? gadget_provider_list_find (providers, provider) : NULL;

      outcome.code = gadget_turn_get_error_code (ask->turn);
      outcome.detail = gadget_turn_get_error_detail (ask->turn);
      failure = gadget_failure_new (
          outcome.code, config != NULL ? gadget_provider_config_get_name (config) : provider);
      hint = dup_hint (failure, outcome.code, provider);
      outcome.title = failure->title;
      outcome.hint = hint;
    }
  gadget_cli_writer_completed (ask->writer, &outcome);
  begin_to_leave (ask);
}

/* --- Saving ------------------------------------------------------------------------------------*/

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliAsk *ask = user_data;

  gadget_unsaved_turns_settle_finish (GADGET_UNSAVED_TURNS (source), result);
  gadget_unsaved_turns_keep_files (GADGET_UNSAVED_TURNS (source));
  report_completion (ask);
}

/* Makes the last attempt to save, within @milliseconds. A turn that is not saved then is written to
 * a file. */
void
_gadget_cli_ask_settle (GadgetCliAsk *ask, guint milliseconds)
{
  if (ask->settling)
    return;
  ask->settling = TRUE;
  g_clear_handle_id (&ask->saving, g_source_remove);
  g_clear_handle_id (&ask->saving_note, g_source_remove);
  g_signal_handlers_disconnect_by_data (get_unsaved (ask), ask);
  gadget_unsaved_turns_settle_async (get_unsaved (ask), milliseconds, settled_cb, ask);
}

static void
unsaved_changed_cb (GadgetUnsavedTurns *unsaved, GadgetCliAsk *ask)
{
  if (gadget_unsaved_turns_get_n (unsaved) == 0)
    _gadget_cli_ask_settle (ask, 0);
}

static void
saving_cb (gpointer user_data)
{
  GadgetCliAsk *ask = user_data;

  ask->saving = 0;
  _gadget_cli_ask_settle (ask, 0);
}

static void
saving_note_cb (gpointer user_data)
{
  GadgetCliAsk *ask = user_data;

  ask->saving_note = 0;
  /* Translators: what follows is a sentence such as "The disk is full." */
  gadget_cli_say (ask->cli, _ ("Waiting to save… %s"),
                  gadget_save_problem_get_text (gadget_turn_get_save_problem (ask->turn)));
}

static void
wait_until_saved (GadgetCliAsk *ask)
{
  if (ask->signal != 0)
    {
      _gadget_cli_ask_settle (ask, GADGET_CLI_SAVING_AFTER_SIGNAL_MS);
      return;
    }
  g_signal_connect (get_unsaved (ask), "changed", G_CALLBACK (unsaved_changed_cb), ask);
  ask->saving = g_timeout_add_once (SAVING_MS, saving_cb, ask);
  g_source_set_name_by_id (ask->saving, "[gadget] end of saving");
  ask->saving_note = g_timeout_add_once (SAVING_NOTE_MS, saving_note_cb, ask);
  g_source_set_name_by_id (ask->saving_note, "[gadget] tell of saving");
}

void
_gadget_cli_ask_complete (GadgetCliAsk *ask)
{
  if (gadget_unsaved_turns_get_n (get_unsaved (ask)) > 0)
    wait_until_saved (ask);
  else
    report_completion (ask);
}

void
_gadget_cli_ask_leave_store (GadgetCliAsk *ask)
{
  g_signal_handlers_disconnect_by_data (get_unsaved (ask), ask);
}
