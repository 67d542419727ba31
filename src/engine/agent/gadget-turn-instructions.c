/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The question whether a model may be told what a folder's AGENTS.md says. It is asked like any
 * other permission, so it is answered, remembered and taken back like one, and a stop dismisses it:
 *
 *   the file is read ──▶ a rule allows exactly this text ────────▶ the model is told
 *                   ├──▶ a rule denies it, nobody can answer ────▶ it is not
 *                   └──▶ the user is asked: a note of the turn ──▶ one or the other
 *
 * A note says what was decided when the user was asked, when the model follows other instructions
 * than in the turn before, and when nobody can be asked. Instructions that the user denies without
 * a rule are not asked about again as long as Gadget runs and the file stays the same. A subagent
 * is told what the chat is told that started it. */

#define G_LOG_DOMAIN "gadget-turn-instructions"

#include "config.h"

#include "gadget-turn-instructions.h"

#include "agent/instructions/gadget-folder-facts.h"
#include "common/gadget-path.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The name that rules for a whole tool know. */
#define TOOL_NAME "instructions"
/* A card shows no more; the rest is seen when the text is opened. */
#define MAX_SHOWN_LINES 400

/* The data of the task. */
typedef struct
{
  GadgetTurnEnvironment *environment;
  GadgetRun *run;
  GadgetSession *session;
  GadgetTurn *turn;
  char *folder; /* (nullable): the user may choose another one meanwhile */
  GadgetApproval approval;
  gboolean interactive;
  GCancellable *reading;                  /* (nullable): a call of the run */
  GadgetFolderInstructions *instructions; /* (nullable): until they were read */
  GadgetItem *item;                       /* (nullable): the note, part of the turn once IN_TURN */
  gboolean in_turn;
  guint in_flight; /* the line of the receipt while it is asked; or 0 */
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  g_assert (self->reading == NULL);
  g_clear_object (&self->item);
  g_clear_pointer (&self->instructions, gadget_folder_instructions_free);
  g_free (self->folder);
  g_object_unref (self->turn);
  g_object_unref (self->session);
  g_object_unref (self->run);
  g_object_unref (self->environment);
  g_free (self);
}

/* Returns whether the chat still has the folder that was read. */
static gboolean
is_same_folder (const Job *self)
{
  return g_strcmp0 (self->folder, gadget_session_get_workspace (self->session)) == 0;
}

/* --- The note --------------------------------------------------------------------------------- */

static char *
set_summary (Job *self, GadgetCallSummaryKind kind)
{
  GadgetCallSummary *summary = gadget_call_summary_new (kind, self->instructions->name, NULL);
  char *text = gadget_call_summary_dup_plain_text (summary);

  gadget_item_take_call_summary (self->item, summary);
  return text;
}

/* The note has the question before it is answered, for a turn that is stopped meanwhile. */
static void
append_question (Job *self)
{
  g_autofree char *text = set_summary (self, GADGET_CALL_SUMMARY_ASK_INSTRUCTIONS);

  gadget_item_append_text (self->item, text, -1);
  gadget_turn_append (self->turn, self->item);
  self->in_turn = TRUE;
}

static void
end_item (Job *self, gboolean allowed)
{
  g_autofree char *text = set_summary (self, allowed ? GADGET_CALL_SUMMARY_NOTE_INSTRUCTIONS
                                                     : GADGET_CALL_SUMMARY_NOTE_NO_INSTRUCTIONS);
  const char *question = gadget_item_get_text (self->item);

  gadget_item_append_text (self->item,
                           g_str_has_prefix (text, question) ? text + strlen (question) : text, -1);
  if (!self->in_turn)
    gadget_turn_append (self->turn, self->item);
  gadget_item_set_ended_at (self->item, gadget_turn_get_now (self->turn));
  gadget_item_set_status (self->item, GADGET_ITEM_FINISHED);
}

/* --- The question ----------------------------------------------------------------------------- */

static void
end_asking (Job *self)
{
  const gboolean aborted = gadget_run_is_aborted (self->run);

  g_signal_handlers_disconnect_by_data (self->item, self);
  if (self->in_flight == 0)
    return;
  gadget_receipt_end (gadget_run_get_receipt (self->run), self->in_flight,
                      aborted ? "dismissed" : "answered", 0);
  if (!aborted)
    gadget_turn_set_phase (self->turn, GADGET_PHASE_WAITING);
}

static void
take_answer (Job *self, gboolean allowed, const GError *error)
{
  const gboolean denied =
      g_error_matches (error, GADGET_PERMISSION_ERROR, GADGET_PERMISSION_ERROR_DENIED);
  const gboolean denied_before =
      g_strcmp0 (self->instructions->digest, gadget_session_get_denied_instructions (self->session))
      == 0;
  g_autofree char *text = allowed ? gadget_folder_instructions_dup_text (self->instructions)
                                  : gadget_folder_instructions_dup_denial (self->instructions);
  const gboolean changed = gadget_session_set_instructions (self->session, text);

  if (denied && self->in_turn)
    gadget_session_set_denied_instructions (self->session, self->instructions->digest);
  if (self->in_turn || (allowed && changed) || (!allowed && !denied && !denied_before))
    end_item (self, allowed);
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Job *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  const gboolean allowed = gadget_policy_check_finish (GADGET_POLICY (source), result, &error);

  end_asking (self);
  /* After a stop the turn settles what is in it; nothing is added. */
  if (!gadget_run_is_aborted (self->run) && is_same_folder (self))
    take_answer (self, allowed, error);
  else if (!gadget_run_is_aborted (self->run) && self->in_turn)
    end_item (self, FALSE);
  g_task_return_boolean (task, TRUE);
}

/* The policy has the user asked. */
static void
prompt_changed_cb (GadgetItem *item, GParamSpec *pspec, Job *self)
{
  if (gadget_item_get_prompt (item) == NULL || self->in_turn)
    return;
  append_question (self);
  if (!gadget_run_is_aborted (self->run))
    gadget_turn_set_phase (self->turn, GADGET_PHASE_ASKING);
  self->in_flight =
      gadget_receipt_begin_summary (gadget_run_get_receipt (self->run), GADGET_RECEIPT_QUESTION,
                                    gadget_prompt_get_question (gadget_item_get_prompt (item)));
}

static guint
count_lines (const char *text)
{
  guint n = 1;

  for (const char *c = text; *c != '\0'; c++)
    n += *c == '\n';
  return n;
}

static GadgetPrompt *
make_prompt (Job *self)
{
  const GadgetFolderInstructions *instructions = self->instructions;
  g_autofree char *subject = gadget_path_dup_short (instructions->path);
  g_autofree char *place = gadget_path_dup_short (self->folder);
  GadgetPrompt *prompt = gadget_prompt_new_permission_for (
      TOOL_NAME,
      gadget_call_summary_new (GADGET_CALL_SUMMARY_ASK_INSTRUCTIONS, instructions->name, NULL),
      subject, _ ("Writes nothing · reads this file · no network · permissions stay as they are"));

  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_FILE, instructions->text);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, place);
  if (instructions->n_left_out > 0)
    {
      g_autofree char *size = g_format_size (instructions->n_left_out);
      /* Translators: %s is a size, "9.8 MB" */
      g_autofree char *omitted = g_strdup_printf (_ ("The last %s are not read."), size);

      gadget_prompt_set_text (prompt, GADGET_PROMPT_OMITTED, omitted);
    }
  if (count_lines (instructions->text) > MAX_SHOWN_LINES)
    gadget_prompt_add_warning (prompt, _ ("The text is long: open all of it before you allow it."));
  gadget_prompt_add_access_as_now (prompt, GADGET_ACCESS_INSTRUCTIONS, instructions->path,
                                   instructions->digest, FALSE);
  return prompt;
}

static void
check (GTask *task)
{
  Job *self = g_task_get_task_data (task);
  const gboolean denied =
      g_strcmp0 (self->instructions->digest, gadget_session_get_denied_instructions (self->session))
      == 0;
  g_autoptr (GadgetPrompt) prompt = make_prompt (self);
  GadgetPolicyCase given = { self->session, self->approval, self->interactive && !denied, NULL };

  self->item = gadget_item_new (GADGET_ITEM_NOTE);
  gadget_item_set_started_at (self->item, gadget_turn_get_now (self->turn));
  given.item = self->item;
  g_signal_connect (self->item, "notify::prompt", G_CALLBACK (prompt_changed_cb), self);
  gadget_policy_check_async (self->environment->policy, &given, prompt,
                             gadget_run_get_cancellable (self->run), checked_cb,
                             g_object_ref (task));
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Returns whether there are instructions to be asked about. As long as the disk does not answer,
 * what was known before counts. */
static gboolean
take_facts (Job *self, GadgetFolderFacts *facts)
{
  if (facts->late || gadget_run_is_aborted (self->run) || !is_same_folder (self))
    return FALSE;
  if (gadget_session_get_folder_facts (self->session) == NULL)
    gadget_session_set_folder_facts (self->session, facts->state);
  self->instructions = g_steal_pointer (&facts->instructions);
  if (self->instructions == NULL)
    gadget_session_set_instructions (self->session, NULL);
  return self->instructions != NULL;
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Job *self = g_task_get_task_data (task);
  g_autoptr (GadgetFolderFacts) facts = gadget_folder_facts_read_finish (result);

  if (facts->late)
    gadget_run_stop_call (self->run, self->reading);
  gadget_run_remove_call (self->run, self->reading);
  g_clear_object (&self->reading);
  if (take_facts (self, facts))
    check (task);
  else
    g_task_return_boolean (task, TRUE);
}

static void
inherit (GadgetSession *session, GadgetSession *chat)
{
  const char *facts = gadget_session_get_folder_facts (chat);

  gadget_session_set_folder_facts (session, facts != NULL ? facts : "");
  gadget_session_set_instructions (session, gadget_session_get_instructions (chat));
}

void
_gadget_turn_instructions_async (GadgetTurnEnvironment *environment, GadgetRun *run,
                                 GadgetSession *session, GadgetTurn *turn,
                                 const GadgetTurnOptions *options, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Job *self = g_new0 (Job, 1);

  g_task_set_source_tag (task, _gadget_turn_instructions_async);
  self->environment = g_object_ref (environment);
  self->run = g_object_ref (run);
  self->session = g_object_ref (session);
  self->turn = g_object_ref (turn);
  self->folder = g_strdup (gadget_session_get_workspace (session));
  self->approval = options->approval;
  self->interactive = options->interactive;
  g_task_set_task_data (task, self, job_free);
  if (options->chat != session)
    inherit (session, options->chat);
  if (self->folder == NULL || options->chat != session)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  self->reading = gadget_run_add_call (run);
  gadget_folder_facts_read_async (self->folder, environment->clock, self->reading, read_cb,
                                  g_object_ref (task));
}

void
_gadget_turn_instructions_finish (GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, _gadget_turn_instructions_async));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
