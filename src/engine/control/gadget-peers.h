/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetPeerAnswers:
 * @replies: (element-type GVariant): what those said that answered, as tuples
 * @refused: (nullable): what one of them said that refused
 * @n_silent: how many did not answer
 */
typedef struct
{
  GPtrArray *replies;
  char *refused;
  guint n_silent;
} GadgetPeerAnswers;

void               gadget_peer_answers_free (GadgetPeerAnswers   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetPeerAnswers, gadget_peer_answers_free)

/* Calls a method of Agent1 of every other program of Gadget on the bus, the window and each
 * gadget-cli, in parallel. One that does not answer soon is counted, and does not hold up the others. Only
 * fails when the bus does not answer. */
void               gadget_peers_call_async  (GDBusConnection     *connection,
                                             const char          *method,
                                             GVariant            *parameters,
                                             const GVariantType  *reply_type,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
GadgetPeerAnswers *gadget_peers_call_finish (GAsyncResult        *result,
                                             GError             **error);

/* The same to stop runs: "" for both stops all. The ids of what was stopped. */
void               gadget_peers_abort_async (GDBusConnection     *connection,
                                             const char          *session_id,
                                             const char          *run_id,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
char             **gadget_peer_answers_dup_aborted (GadgetPeerAnswers *self,
                                                  gboolean            *any);

/* How many programs stopped something. */
guint              gadget_peer_answers_count_stopped (GadgetPeerAnswers *self);

G_END_DECLS
