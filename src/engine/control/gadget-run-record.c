/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-run-record.h"

GadgetRunRecord *
gadget_run_record_new (GadgetRun *run)
{
  GadgetRunRecord *self = g_new0 (GadgetRunRecord, 1);

  self->chat_id = g_strdup (gadget_run_get_session_id (gadget_run_get_uppermost (run)));
  self->run_id = g_strdup (gadget_run_get_id (run));
  self->session_id = g_strdup (gadget_run_get_session_id (run));
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  if (gadget_run_get_kind (run) == GADGET_RUN_TURN)
    self->turn_id = g_strdup (gadget_run_get_turn_id (run));
  return self;
}

/* gadget_run_record_free: frees the record without a reply to the calls that still wait;
 * gadget_run_record_finish () gives them theirs. */
void
gadget_run_record_free (GadgetRunRecord *self)
{
  g_free (self->run_id);
  g_free (self->turn_id);
  g_free (self->session_id);
  g_free (self->chat_id);
  g_free (self->requester);
  g_free (self->message);
  g_clear_object (&self->feed);
  g_clear_object (&self->turn);
  g_ptr_array_unref (self->waiting);
  g_free (self);
}

/* Returns whether the turn was stopped before it sent anything. A request that was being sent when
 * the stop came has a line in the receipt; so has a question, which may come before the request. */
static gboolean
is_unsent (GadgetTurn *turn)
{
  GadgetReceipt *receipt;

  if (turn == NULL || gadget_turn_get_status (turn) != GADGET_TURN_ABORTED
      || gadget_turn_has_output (turn))
    return FALSE;
  receipt = gadget_turn_get_receipt (turn);
  for (guint i = 0; i < gadget_receipt_get_n_lines (receipt); i++)
    if (gadget_receipt_get_line (receipt, i)->kind != GADGET_RECEIPT_QUESTION)
      return FALSE;
  return TRUE;
}

void
gadget_run_record_finish (GadgetRunRecord *self, gboolean success, const char *message)
{
  if (self->over)
    return;
  self->over = TRUE;
  self->success = success;
  self->message = g_strdup (self->incognito && !success ? "failed" : message);
  self->unsent = is_unsent (self->turn);
  g_clear_object (&self->turn);
  if (self->feed != NULL)
    gadget_event_feed_flush (self->feed);
  g_clear_object (&self->feed);
  while (self->waiting->len > 0)
    gadget_run_record_answer_wait (self, g_ptr_array_steal_index (self->waiting, 0));
}

/**
 * gadget_run_record_answer_wait:
 * @invocation: (transfer full): a call that waits for the end of the run
 *
 * Replies with whether the run succeeded and with its message. The run must be over.
 */
void
gadget_run_record_answer_wait (const GadgetRunRecord *self, GDBusMethodInvocation *invocation)
{
  g_dbus_method_invocation_return_value (invocation,
                                         g_variant_new ("(bs)", self->success, self->message));
}

gboolean
gadget_run_record_may_access (const GadgetRunRecord *self, GadgetCaller caller, const char *sender)
{
  return caller == GADGET_CALLER_USER
         || (sender != NULL && g_strcmp0 (self->requester, sender) == 0);
}
