/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetAddressKind:
 * @GADGET_ADDRESS_PUBLIC: somewhere in the internet
 * @GADGET_ADDRESS_LOCAL: in the local network
 * @GADGET_ADDRESS_OWN: this computer
 * @GADGET_ADDRESS_FORBIDDEN: no server that anybody means: unspecified, multicast, reserved, the
 *   metadata services of computing centres
 */
typedef enum
{
  GADGET_ADDRESS_PUBLIC,
  GADGET_ADDRESS_LOCAL,
  GADGET_ADDRESS_OWN,
  GADGET_ADDRESS_FORBIDDEN,
} GadgetAddressKind;

/* Where an address leads to. One of version 4 that is written within one of version 6 is judged as
 * what it is. */
GadgetAddressKind   gadget_address_classify   (GInetAddress *address);

/* The same of a host as it stands in an address, without looking it up: names that only a local
 * network knows are local. */
GadgetAddressKind   gadget_address_guess      (const char   *host);

/* A server's name with the addresses that it is reached by: nothing is looked up again when it is
 * connected to, and a certificate is compared with the name. (element-type GInetAddress) */
GSocketConnectable *gadget_pinned_address_new (const char   *host,
                                               guint16       port,
                                               GList        *addresses);

G_END_DECLS
