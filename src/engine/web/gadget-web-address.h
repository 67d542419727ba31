/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "http/gadget-address.h"

G_BEGIN_DECLS

/* Where an address leads to; gadget_address_classify (), but for tests. */
typedef GadgetAddressKind (*GadgetAddressFunc) (GInetAddress *address);

/* Of http and https alone, without a user's name in it, its host in ASCII and its fragment gone.
 * The message of the error is for the model. */
GUri              *gadget_web_address_parse          (const char           *text,
                                                      GError              **error);
guint16            gadget_web_address_get_port       (GUri                 *uri);

/* "host", or "host:port" where that is not the scheme's own: what a permission is about. */
char              *gadget_web_address_dup_server     (GUri                 *uri);

/* How far away the server is by its name alone; the name of one in the local network may also be
 * this computer's. */
GadgetAddressKind  gadget_web_address_guess          (GUri                 *uri);

/* The addresses of URI's host, all of which are no nearer than the user was told when it was
 * allowed. (element-type GInetAddress) (transfer full) */
void               gadget_web_address_resolve_async  (GUri                 *uri,
                                                      GResolver            *resolver,
                                                      GadgetAddressFunc     classify,
                                                      gboolean              local,
                                                      GCancellable         *cancellable,
                                                      GAsyncReadyCallback   callback,
                                                      gpointer              user_data);
GList             *gadget_web_address_resolve_finish (GAsyncResult         *result,
                                                      GError              **error);

G_END_DECLS
