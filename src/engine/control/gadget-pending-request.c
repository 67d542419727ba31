/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-pending-request"

#include "config.h"

#include "gadget-pending-request.h"

/**
 * gadget_pending_request_new:
 * @sender: (nullable): the unique name of the caller
 * @parameters: the parameters of the call to Ask, (ssa{sv})
 *
 * Returns: (transfer full): a request without a reply
 */
GadgetPendingRequest *
gadget_pending_request_new (const char *sender, GVariant *parameters)
{
  GadgetPendingRequest *self = g_rc_box_new0 (GadgetPendingRequest);
  g_autoptr (GVariant) options = NULL;
  const char *run_id = "";

  g_variant_get (parameters, "(ss@a{sv})", &self->session, NULL, &options);
  g_variant_lookup (options, "run-id", "&s", &run_id);
  self->sender = g_strdup (sender);
  self->duplicates = g_ptr_array_new ();
  self->run = g_strdup (run_id);
  return self;
}

/* gadget_pending_request_ref () and gadget_pending_request_unref () may be called on the main
 * context only. */
GadgetPendingRequest *
gadget_pending_request_ref (GadgetPendingRequest *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  GadgetPendingRequest *self = data;

  g_free (self->sender);
  g_free (self->session);
  g_free (self->run);
  g_assert (self->duplicates->len == 0);
  g_ptr_array_unref (self->duplicates);
  g_clear_object (&self->reading);
}

void
gadget_pending_request_unref (GadgetPendingRequest *self)
{
  g_rc_box_release_full (self, clear);
}

/**
 * gadget_pending_request_matches:
 * @session_id: "" for any
 * @run_id: "" for any
 *
 * Returns: whether a stop of @session_id and @run_id includes the request; %FALSE when it has a
 *   reply
 */
gboolean
gadget_pending_request_matches (GadgetPendingRequest *self, const char *session_id,
                                const char *run_id)
{
  return !self->over && (*session_id == '\0' || g_str_equal (self->session, session_id))
         && (*run_id == '\0' || g_str_equal (self->run, run_id));
}

/**
 * gadget_pending_request_end:
 * @run_id: (nullable): the run that the request started
 *
 * Marks the request as one that has its reply.
 */
void
gadget_pending_request_end (GadgetPendingRequest *self, const char *run_id)
{
  self->over = TRUE;
  self->started = run_id != NULL;
  if (run_id != NULL)
    g_set_str (&self->run, run_id);
}
