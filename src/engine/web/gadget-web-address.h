/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "http/gadget-address.h"

G_BEGIN_DECLS

/* Judges where an address leads to: gadget_address_classify (), or a replacement in tests. */
typedef GadgetAddressKind (*GadgetAddressFunc) (GInetAddress *address);

/* Parses an http or https address. In the result (transfer full) the host is in lower-case ASCII,
 * the path is not empty, and the fragment is gone. An address with a user name or a password is
 * refused. Errors are %G_IO_ERROR_INVALID_ARGUMENT, with a message for the model. */
GUri              *gadget_web_address_parse          (const char           *text,
                                                      GError              **error);
/* The port, or the default port of the scheme. */
guint16            gadget_web_address_get_port       (GUri                 *uri);

/* "host", or "host:port" unless the port is the scheme's default: what a permission is about.
 * (transfer full) */
char              *gadget_web_address_dup_server     (GUri                 *uri);

/* Judges by the host's text alone how far away the server is; a host name of the local network may
 * also belong to this computer. */
GadgetAddressKind  gadget_web_address_guess          (GUri                 *uri);

/* Resolves the host of URI. No returned address is nearer than the user was told when the user
 * allowed the access. (element-type GInetAddress) (transfer full). Errors:
 * %G_IO_ERROR_PERMISSION_DENIED for an address that is not allowed, %G_IO_ERROR_HOST_NOT_FOUND,
 * %G_IO_ERROR_CANCELLED. */
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
