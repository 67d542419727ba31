/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One tool call. A call ends in exactly one way, by the first of these events:
 *
 *   event                                      item's status     result for the model
 *   the tool returned a whole result           finished, failed  that result
 *   an abort, or its own Stop, cut the tool    aborted           what it has produced so far
 *   the abort came before the tool started     not run           "Interrupted by user"
 *   the user no longer waits for the tool      aborted           what it has produced so far
 *
 * A whole result that arrives together with the abort counts, because the work was done. After its
 * end the call ignores what the tool returns. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-call"

#include "config.h"

#include "gadget-call.h"

#include "common/gadget-json.h"
#include "tools/gadget-tool-task.h"

#include <string.h>

struct _GadgetCall
{
  GObject parent_instance;

  GadgetRun *run;
  GadgetTool *tool; /* (nullable): NULL if there is no tool with that name */
  GadgetItem *item;
  char *workspace;
  GadgetTaskHost *task_host;
  GadgetEffects *effects;       /* (nullable) */
  GadgetVersionsRead *versions; /* (nullable) */
  GadgetToolContext context;    /* lent to the tool while it works */
  GadgetPolicy *policy;
  GadgetSession *chat;
  GadgetApproval approval;
  JsonObject *arguments;
  GadgetPrompt *prompt; /* (nullable): what the user has to allow */

  GCancellable *cancellable;
  gboolean stopped; /* by its own Stop, not by an abort of the run */
  guint in_flight;  /* the line of the receipt; 0 for none */
  GTask *task;      /* NULL once it has settled */
};

G_DEFINE_FINAL_TYPE (GadgetCall, gadget_call, G_TYPE_OBJECT)

static void
gadget_call_finalize (GObject *object)
{
  GadgetCall *self = GADGET_CALL (object);

  g_clear_object (&self->run);
  g_clear_object (&self->tool);
  g_clear_object (&self->item);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->task_host);
  g_clear_object (&self->effects);
  g_clear_object (&self->policy);
  g_clear_object (&self->chat);
  g_clear_object (&self->prompt);
  g_clear_pointer (&self->versions, gadget_versions_read_unref);
  g_clear_pointer (&self->arguments, json_object_unref);
  g_free (self->workspace);

  G_OBJECT_CLASS (gadget_call_parent_class)->finalize (object);
}

static void
gadget_call_class_init (GadgetCallClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_call_finalize;
}

static void
gadget_call_init (GadgetCall *self)
{
}

/**
 * _gadget_call_new:
 * @run: the run of the turn; the call gets a cancellable of it
 * @tool: (nullable): %NULL if there is no tool with the name that the model gave
 * @workspace: (nullable): the folder of the chat
 * @policy: decides whether the call may start
 * @given: for whom the call is made; its item is the call's, with complete arguments
 * @task_host: does the work of the tool "task"
 * @effects: (nullable): where the tool reports what it changes
 *
 * Returns: (transfer full): a call, which is to be run
 */
GadgetCall *
_gadget_call_new (GadgetRun *run, GadgetTool *tool, const char *workspace, GadgetPolicy *policy,
                  const GadgetPolicyCase *given, GadgetTaskHost *task_host, GadgetEffects *effects)
{
  GadgetCall *self = g_object_new (GADGET_TYPE_CALL, NULL);

  self->run = g_object_ref (run);
  g_set_object (&self->tool, tool);
  self->item = g_object_ref (given->item);
  self->workspace = g_strdup (workspace);
  self->policy = g_object_ref (policy);
  self->chat = g_object_ref (given->chat);
  self->approval = given->approval;
  self->cancellable = gadget_run_add_call (run);
  self->task_host = g_object_ref (task_host);
  g_set_object (&self->effects, effects);
  self->context = (GadgetToolContext) { self->workspace, self->item, given->interactive,
                                        self->task_host, effects };
  self->context.unasked = given->approval == GADGET_APPROVAL_AUTO;
  return self;
}

/* @versions are the versions of the files that the model has read in the chat. */
void
_gadget_call_set_versions_read (GadgetCall *self, GadgetVersionsRead *versions)
{
  g_clear_pointer (&self->versions, gadget_versions_read_unref);
  self->versions = gadget_versions_read_ref (versions);
  self->context.versions = self->versions;
}

GadgetItem *
_gadget_call_get_item (GadgetCall *self)
{
  return self->item;
}

static gboolean
is_stopped (GadgetCall *self)
{
  return self->stopped || gadget_run_is_aborted (self->run);
}

/* Adds the call to the receipt: a command or a question with its text, a subagent with its title,
 * other tools with their names. Returns the id of the line. */
static guint
begin_executing (GadgetCall *self, GadgetReceiptKind kind)
{
  GadgetReceipt *receipt = gadget_run_get_receipt (self->run);
  const GadgetCallSummary *summary = gadget_item_get_call_summary (self->item);

  if (kind == GADGET_RECEIPT_PROCESS && summary != NULL)
    return gadget_receipt_begin (receipt, kind, summary->subject);
  if ((kind == GADGET_RECEIPT_QUESTION || kind == GADGET_RECEIPT_SUBAGENT) && summary != NULL)
    return gadget_receipt_begin_summary (receipt, kind, summary);
  return gadget_receipt_begin (receipt, kind, gadget_item_get_name (self->item));
}

static guint
begin_asking (GadgetCall *self)
{
  GadgetReceipt *receipt = gadget_run_get_receipt (self->run);
  const GadgetCallSummary *question = gadget_prompt_get_question (self->prompt);

  return question != NULL
             ? gadget_receipt_begin_summary (receipt, GADGET_RECEIPT_QUESTION, question)
             : gadget_receipt_begin (receipt, GADGET_RECEIPT_QUESTION,
                                     gadget_prompt_get_title (self->prompt));
}

static void
end_in_flight (GadgetCall *self, const char *outcome, guint count)
{
  if (self->in_flight != 0)
    gadget_receipt_end (gadget_run_get_receipt (self->run), self->in_flight, outcome, count);
  self->in_flight = 0;
}

/* Ends the call. Called once. An error message may contain a file name, so @result need not be
 * valid UTF-8. */
static void
settle (GadgetCall *self, GadgetItemStatus status, const char *result)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);
  g_autofree char *valid = result != NULL ? g_utf8_make_valid (result, -1) : NULL;

  g_assert (task != NULL);

  gadget_run_remove_call (self->run, self->cancellable);
  gadget_item_set_prompt (self->item, NULL);
  gadget_item_set_unresponsive (self->item, FALSE);
  gadget_item_set_ended_at (self->item, gadget_item_get_now (self->item));
  gadget_item_set_result (self->item, valid);
  gadget_item_set_status (self->item, status);
  g_task_return_boolean (task, TRUE);
}

static void
settle_cut (GadgetCall *self)
{
  /* The model gets what the user was shown; the history adds that the call was cut. */
  settle (self, GADGET_ITEM_ABORTED, gadget_item_get_text (self->item));
}

/* Settles the call as failed. Its summary ("Editing notes.txt") reads as if it were running, so it
 * gets @outcome; the summary of a subagent is its title and stays as it is. */
static void
fail (GadgetCall *self, GadgetCallOutcome outcome, const char *text)
{
  if (gadget_item_get_child_id (self->item) == NULL)
    {
      GadgetCallSummary *summary =
          gadget_call_summary_copy (gadget_item_get_call_summary (self->item));

      summary->outcome = outcome;
      gadget_item_take_call_summary (self->item, summary);
    }
  settle (self, GADGET_ITEM_FAILED, text);
}

static void
executed_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GadgetCall) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetToolResult) result =
      gadget_tool_execute_finish (GADGET_TOOL (source), async_result, &error);

  if (self->task == NULL)
    return; /* the user no longer waits for it */

  if (result != NULL)
    {
      const gboolean cut = result->cut && (result->stopped || is_stopped (self));

      end_in_flight (self,
                     result->outcome != NULL ? result->outcome
                     : cut                   ? "stopped"
                                             : "finished",
                     result->count);
      if (result->summary != NULL)
        gadget_item_take_call_summary (self->item, gadget_call_summary_copy (result->summary));
      gadget_item_set_pictures (self->item, result->pictures);
      if (cut)
        settle (self, GADGET_ITEM_ABORTED, result->text);
      else if (!result->failed)
        settle (self, GADGET_ITEM_FINISHED, result->text);
      else if (result->summary == NULL)
        fail (self, GADGET_CALL_OUTCOME_FAILED, result->text);
      else
        settle (self, GADGET_ITEM_FAILED, result->text);
      return;
    }

  end_in_flight (self,
                 gadget_tool_get_receipt_kind (self->tool) == GADGET_RECEIPT_QUESTION ? "dismissed"
                                                                                      : "stopped",
                 0);
  if (is_stopped (self))
    settle_cut (self);
  else
    fail (self, GADGET_CALL_OUTCOME_FAILED, error->message);
}

static void
execute (GadgetCall *self)
{
  const GadgetReceiptKind kind = gadget_tool_get_receipt_kind (self->tool);

  gadget_item_set_started_at (self->item, gadget_item_get_now (self->item));
  gadget_item_set_status (self->item, GADGET_ITEM_RUNNING);
  /* A handler of "notify::status" may have aborted the run. */
  if (is_stopped (self))
    {
      settle (self, GADGET_ITEM_NOT_RUN, "Interrupted by user");
      return;
    }
  self->in_flight = begin_executing (self, kind);
  gadget_tool_execute_async (self->tool, self->arguments, &self->context, self->cancellable,
                             executed_cb, g_object_ref (self));
}

static void
permitted_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GadgetCall) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean permitted =
      gadget_policy_check_finish (GADGET_POLICY (source), async_result, &error);

  if (self->task == NULL)
    return; /* the user no longer waits for it */
  end_in_flight (self, is_stopped (self) ? "dismissed" : "answered", 0);
  /* Nothing starts after an abort, whatever the answer was. */
  if (is_stopped (self))
    settle (self, GADGET_ITEM_NOT_RUN, "Interrupted by user");
  else if (!permitted)
    fail (self,
          error->domain == GADGET_PERMISSION_ERROR ? GADGET_CALL_OUTCOME_NOT_ALLOWED
                                                   : GADGET_CALL_OUTCOME_FAILED,
          error->message);
  else
    {
      if (self->prompt != NULL)
        self->context.approved = gadget_prompt_get_text (self->prompt, GADGET_PROMPT_DIGEST);
      execute (self);
    }
}

static JsonObject *
parse_arguments (GadgetItem *item)
{
  const char *text = gadget_item_get_arguments (item);
  g_autoptr (JsonNode) node = NULL;

  if (*text == '\0')
    return json_object_new ();
  node = gadget_json_parse (text, strlen (text), NULL);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_dup_object (node) : NULL;
}

static void
start (GadgetCall *self)
{
  g_autoptr (GError) error = NULL;

  if (is_stopped (self))
    {
      settle (self, GADGET_ITEM_NOT_RUN, "Interrupted by user");
      return;
    }
  if (self->tool == NULL)
    {
      g_autofree char *text =
          g_strdup_printf ("There is no tool named \"%s\".", gadget_item_get_name (self->item));

      settle (self, GADGET_ITEM_FAILED, text);
      return;
    }
  self->arguments = parse_arguments (self->item);
  if (self->arguments == NULL)
    {
      settle (self, GADGET_ITEM_FAILED, "The arguments are not a JSON object.");
      return;
    }
  if (!gadget_tool_check_arguments (self->tool, self->arguments, &error))
    {
      settle (self, GADGET_ITEM_FAILED, error->message);
      return;
    }

  gadget_item_take_call_summary (self->item, gadget_tool_describe (self->tool, self->arguments));
  self->prompt = gadget_tool_permission (self->tool, self->arguments, &self->context);
  if (self->prompt != NULL)
    self->in_flight = begin_asking (self);
  gadget_policy_check_async (
      self->policy,
      &(GadgetPolicyCase) { self->chat, self->approval, self->context.interactive, self->item },
      self->prompt, self->cancellable, permitted_cb, g_object_ref (self));
}

/**
 * _gadget_call_run_async:
 *
 * Called once. The item is settled when @callback is called.
 */
void
_gadget_call_run_async (GadgetCall *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_CALL (self) && self->task == NULL);

  self->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->task, _gadget_call_run_async);
  start (self);
}

void
_gadget_call_run_finish (GadgetCall *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/**
 * _gadget_call_stop:
 *
 * Stops this call only; the turn goes on with its result. Does nothing once the call has settled.
 */
void
_gadget_call_stop (GadgetCall *self)
{
  if (self->task == NULL)
    return;
  self->stopped = TRUE;
  gadget_run_stop_call (self->run, self->cancellable);
}

/**
 * _gadget_call_stop_waiting:
 *
 * Ends the call without its tool; the result that the tool returns later is ignored. Does nothing
 * once the call has settled.
 */
void
_gadget_call_stop_waiting (GadgetCall *self)
{
  if (self->task == NULL)
    return;
  end_in_flight (self, "stopped-waiting", 0);
  settle_cut (self);
}
