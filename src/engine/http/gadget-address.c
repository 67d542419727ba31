/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Classifies network addresses by the registries of special-purpose addresses, and implements a
 * #GNetworkAddress that connects only to given addresses. */

#define G_LOG_DOMAIN "gadget-http"

#include "config.h"

#include "gadget-address.h"

#include <string.h>

typedef struct
{
  const char *range;
  GadgetAddressKind kind;
} Range;

/* The first matching range counts. Source: the IANA registries of special-purpose addresses. */
static const Range ranges[] = {
  { "0.0.0.0/8", GADGET_ADDRESS_FORBIDDEN },
  { "10.0.0.0/8", GADGET_ADDRESS_LOCAL },
  { "100.64.0.0/10", GADGET_ADDRESS_LOCAL },
  { "127.0.0.0/8", GADGET_ADDRESS_OWN },
  { "169.254.169.254", GADGET_ADDRESS_FORBIDDEN },
  { "169.254.0.0/16", GADGET_ADDRESS_LOCAL },
  { "172.16.0.0/12", GADGET_ADDRESS_LOCAL },
  { "192.0.0.0/24", GADGET_ADDRESS_FORBIDDEN },
  { "192.0.2.0/24", GADGET_ADDRESS_FORBIDDEN },
  { "192.168.0.0/16", GADGET_ADDRESS_LOCAL },
  { "198.18.0.0/15", GADGET_ADDRESS_LOCAL },
  { "198.51.100.0/24", GADGET_ADDRESS_FORBIDDEN },
  { "203.0.113.0/24", GADGET_ADDRESS_FORBIDDEN },
  { "224.0.0.0/3", GADGET_ADDRESS_FORBIDDEN },
  { "::1", GADGET_ADDRESS_OWN },
  { "::/96", GADGET_ADDRESS_FORBIDDEN },
  { "64:ff9b:1::/48", GADGET_ADDRESS_LOCAL },
  { "100::/64", GADGET_ADDRESS_FORBIDDEN },
  { "2001::/32", GADGET_ADDRESS_FORBIDDEN },
  { "2001:db8::/32", GADGET_ADDRESS_FORBIDDEN },
  { "fd00:ec2::254", GADGET_ADDRESS_FORBIDDEN },
  { "fc00::/7", GADGET_ADDRESS_LOCAL },
  { "fe80::/9", GADGET_ADDRESS_LOCAL },
  { "ff00::/8", GADGET_ADDRESS_FORBIDDEN },
};

/* Ranges of IPv6 that embed an IPv4 address, and the byte at which it begins. */
static const struct
{
  const char *range;
  guint offset;
} wrappers[] = {
  { "::ffff:0:0/96", 12 },
  { "::ffff:0:0:0/96", 12 },
  { "64:ff9b::/96", 12 },
  { "2002::/16", 2 },
};

static gboolean
is_in (GInetAddress *address, const char *range)
{
  g_autoptr (GInetAddressMask) mask = g_inet_address_mask_new_from_string (range, NULL);

  g_assert (mask != NULL);
  return g_inet_address_mask_get_family (mask) == g_inet_address_get_family (address)
         && g_inet_address_mask_matches (mask, address);
}

GadgetAddressKind
gadget_address_classify (GInetAddress *address)
{
  g_return_val_if_fail (G_IS_INET_ADDRESS (address), GADGET_ADDRESS_FORBIDDEN);

  for (guint i = 0; i < G_N_ELEMENTS (wrappers); i++)
    if (is_in (address, wrappers[i].range))
      {
        g_autoptr (GInetAddress) inner = g_inet_address_new_from_bytes (
            g_inet_address_to_bytes (address) + wrappers[i].offset, G_SOCKET_FAMILY_IPV4);

        return gadget_address_classify (inner);
      }
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    if (is_in (address, ranges[i].range))
      return ranges[i].kind;
  return GADGET_ADDRESS_PUBLIC;
}

GadgetAddressKind
gadget_address_guess (const char *host)
{
  /* RFC 6761, 6762 and 8375; the other suffixes are reserved for private networks, or used in
   * them. */
  static const char *const suffixes[] = { ".local",    ".home.arpa", ".internal",
                                          ".intranet", ".lan",       ".home" };
  g_autoptr (GInetAddress) address = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (host != NULL, GADGET_ADDRESS_FORBIDDEN);

  address = g_inet_address_new_from_string (host);
  if (address != NULL)
    return gadget_address_classify (address);
  name = g_ascii_strdown (host, -1);
  if (g_str_equal (name, "localhost") || g_str_has_suffix (name, ".localhost"))
    return GADGET_ADDRESS_OWN;
  if (strchr (name, '.') == NULL)
    return GADGET_ADDRESS_LOCAL;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i]))
      return GADGET_ADDRESS_LOCAL;
  return GADGET_ADDRESS_PUBLIC;
}

/* --- A pinned address ------------------------------------------------------------------------- */

#define GADGET_TYPE_PINNED_ADDRESS (gadget_pinned_address_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPinnedAddress, gadget_pinned_address, GADGET, PINNED_ADDRESS,
                      GNetworkAddress)

/* The parent is a GNetworkAddress because TLS compares a certificate with the name in it. */
struct _GadgetPinnedAddress
{
  GNetworkAddress parent_instance;

  GList *addresses;
};

#define GADGET_TYPE_PINNED_ENUMERATOR (gadget_pinned_enumerator_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPinnedEnumerator, gadget_pinned_enumerator, GADGET, PINNED_ENUMERATOR,
                      GSocketAddressEnumerator)

struct _GadgetPinnedEnumerator
{
  GSocketAddressEnumerator parent_instance;

  GadgetPinnedAddress *address;
  GList *next;
};

G_DEFINE_FINAL_TYPE (GadgetPinnedEnumerator, gadget_pinned_enumerator,
                     G_TYPE_SOCKET_ADDRESS_ENUMERATOR)

/* The parent class implements next_async () with this function, which never blocks. */
static GSocketAddress *
next (GSocketAddressEnumerator *enumerator, GCancellable *cancellable, GError **error)
{
  GadgetPinnedEnumerator *self = GADGET_PINNED_ENUMERATOR (enumerator);
  GInetAddress *address;

  if (self->next == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  address = self->next->data;
  self->next = self->next->next;
  return g_inet_socket_address_new (address,
                                    g_network_address_get_port (G_NETWORK_ADDRESS (self->address)));
}

static void
gadget_pinned_enumerator_finalize (GObject *object)
{
  g_object_unref (GADGET_PINNED_ENUMERATOR (object)->address);

  G_OBJECT_CLASS (gadget_pinned_enumerator_parent_class)->finalize (object);
}

static void
gadget_pinned_enumerator_class_init (GadgetPinnedEnumeratorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_pinned_enumerator_finalize;
  G_SOCKET_ADDRESS_ENUMERATOR_CLASS (klass)->next = next;
}

static void
gadget_pinned_enumerator_init (GadgetPinnedEnumerator *self)
{
}

static GSocketAddressEnumerator *
enumerate (GSocketConnectable *connectable)
{
  GadgetPinnedEnumerator *enumerator = g_object_new (GADGET_TYPE_PINNED_ENUMERATOR, NULL);

  enumerator->address = g_object_ref (GADGET_PINNED_ADDRESS (connectable));
  enumerator->next = enumerator->address->addresses;
  return G_SOCKET_ADDRESS_ENUMERATOR (enumerator);
}

static void
connectable_init (GSocketConnectableIface *iface)
{
  iface->enumerate = enumerate;
  iface->proxy_enumerate = enumerate;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetPinnedAddress, gadget_pinned_address, G_TYPE_NETWORK_ADDRESS,
                               G_IMPLEMENT_INTERFACE (G_TYPE_SOCKET_CONNECTABLE, connectable_init))

static void
gadget_pinned_address_finalize (GObject *object)
{
  g_list_free_full (GADGET_PINNED_ADDRESS (object)->addresses, g_object_unref);

  G_OBJECT_CLASS (gadget_pinned_address_parent_class)->finalize (object);
}

static void
gadget_pinned_address_class_init (GadgetPinnedAddressClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_pinned_address_finalize;
}

static void
gadget_pinned_address_init (GadgetPinnedAddress *self)
{
}

/**
 * gadget_pinned_address_new:
 * @host: the name that a certificate must have
 * @addresses: (element-type GInetAddress) (transfer none): not empty; tried in this order
 *
 * Returns: (transfer full): a connectable that resolves to just these addresses, and uses no proxy
 */
GSocketConnectable *
gadget_pinned_address_new (const char *host, guint16 port, GList *addresses)
{
  GadgetPinnedAddress *self;

  g_return_val_if_fail (host != NULL && addresses != NULL, NULL);

  self = g_object_new (GADGET_TYPE_PINNED_ADDRESS, "hostname", host, "port", (guint) port, NULL);
  self->addresses = g_list_copy_deep (addresses, (GCopyFunc) (void (*) (void)) g_object_ref, NULL);
  return G_SOCKET_CONNECTABLE (self);
}
