/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetAddressKind:
 * @GADGET_ADDRESS_PUBLIC: on the internet
 * @GADGET_ADDRESS_LOCAL: in the local network
 * @GADGET_ADDRESS_OWN: this computer
 * @GADGET_ADDRESS_FORBIDDEN: never a server that a user means: unspecified, multicast and reserved
 *   addresses, and the metadata services of data centers
 *
 * Where an address leads to; from far to near.
 */
typedef enum
{
  GADGET_ADDRESS_PUBLIC,
  GADGET_ADDRESS_LOCAL,
  GADGET_ADDRESS_OWN,
  GADGET_ADDRESS_FORBIDDEN,
} GadgetAddressKind;

/* Classifies an address. An IPv4 address that is embedded in an IPv6 address is judged as
 * itself. */
GadgetAddressKind   gadget_address_classify   (GInetAddress *address);

/* Classifies the host of an address by its text alone, without a lookup: names that only a local
 * network resolves are local. */
GadgetAddressKind   gadget_address_guess      (const char   *host);

/* The name of a server together with its addresses (element-type GInetAddress). Connecting looks
 * nothing up again, and certificates are compared with the name. (transfer full) */
GSocketConnectable *gadget_pinned_address_new (const char   *host,
                                               guint16       port,
                                               GList        *addresses);

G_END_DECLS
