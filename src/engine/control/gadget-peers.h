/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetPeerAnswers:
 * @replies: (element-type GVariant): the replies, as tuples
 * @refused: (nullable): the message of a peer that refused the call
 * @n_silent: the number of peers that did not respond
 *
 * The replies of the other Gadget processes.
 */
typedef struct
{
  GPtrArray *replies;
  char *refused;
  guint n_silent;
} GadgetPeerAnswers;

/* Frees replies. Does nothing for NULL. */
void               gadget_peer_answers_free (GadgetPeerAnswers   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetPeerAnswers, gadget_peer_answers_free)

/* Calls a method of Agent1 in each other Gadget process on the bus, the window and each gadget-cli,
 * in parallel. A peer that does not respond soon is counted in n_silent and does not hold up the
 * others. The call fails only when the bus does not respond. */
void               gadget_peers_call_async  (GDBusConnection     *connection,
                                             const char          *method,
                                             GVariant            *parameters,
                                             const GVariantType  *reply_type,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
GadgetPeerAnswers *gadget_peers_call_finish (GAsyncResult        *result,
                                             GError             **error);

/* Does the same with Abort. The second function lists the runs that were stopped. */
void               gadget_peers_abort_async (GDBusConnection     *connection,
                                             const char          *session_id,
                                             const char          *run_id,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
char             **gadget_peer_answers_dup_aborted (GadgetPeerAnswers *self,
                                                  gboolean            *any);

/* Returns the number of processes that stopped something, from replies to Abort. */
guint              gadget_peer_answers_count_stopped (GadgetPeerAnswers *self);

G_END_DECLS
