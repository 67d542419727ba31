/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses the addresses of web pages, and resolves them so that a download cannot lead to a place
 * that is nearer than the user allowed. Everything runs on the main context; the resolver works
 * asynchronously. */

#define G_LOG_DOMAIN "gadget-web"

#include "config.h"

#include "gadget-web-address.h"

#include <string.h>

#define MAX_URL 8000

typedef struct
{
  char *host;
  GadgetAddressFunc classify;
  GadgetAddressKind nearest; /* the nearest kind that is allowed */
} Lookup;

static void
lookup_free (gpointer data)
{
  Lookup *self = data;

  g_free (self->host);
  g_free (self);
}

/* --- Parsing ---------------------------------------------------------------------------------- */

static gboolean
is_web (const char *scheme)
{
  return g_str_equal (scheme, "http") || g_str_equal (scheme, "https");
}

static GUri *
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, message);
  return NULL;
}

GUri *
gadget_web_address_parse (const char *text, GError **error)
{
  const GUriFlags flags =
      G_URI_FLAGS_ENCODED | G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_SCHEME_NORMALIZE;
  g_autoptr (GUri) uri = NULL;
  g_autofree char *host = NULL;

  if (text == NULL || *text == '\0' || strlen (text) > MAX_URL)
    return refuse (error, "\"url\" must be an address that begins with http:// or https://.");
  uri = g_uri_parse (text, flags, NULL);
  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0'
      || !is_web (g_uri_get_scheme (uri)))
    return refuse (error, "Only whole addresses that begin with http:// or https:// can be read.");
  if (g_uri_get_userinfo (uri) != NULL)
    return refuse (error, "Addresses with a user name or password in them are not read.");

  host = g_ascii_strdown (g_uri_get_host (uri), -1);
  /* "example.com." is the same server as "example.com". */
  if (strlen (host) > 1 && g_str_has_suffix (host, "."))
    host[strlen (host) - 1] = '\0';
  return g_uri_build (flags, g_uri_get_scheme (uri), NULL, host, g_uri_get_port (uri),
                      *g_uri_get_path (uri) != '\0' ? g_uri_get_path (uri) : "/",
                      g_uri_get_query (uri), NULL);
}

static guint16
get_default_port (GUri *uri)
{
  return g_str_equal (g_uri_get_scheme (uri), "https") ? 443 : 80;
}

guint16
gadget_web_address_get_port (GUri *uri)
{
  const int port = g_uri_get_port (uri);

  return port > 0 ? (guint16) port : get_default_port (uri);
}

char *
gadget_web_address_dup_server (GUri *uri)
{
  const char *host = g_uri_get_host (uri);
  const guint16 port = gadget_web_address_get_port (uri);

  if (port == get_default_port (uri))
    return g_strdup (host);
  return g_strdup_printf (strchr (host, ':') != NULL ? "[%s]:%u" : "%s:%u", host, port);
}

GadgetAddressKind
gadget_web_address_guess (GUri *uri)
{
  return gadget_address_guess (g_uri_get_host (uri));
}

/* --- Resolving -------------------------------------------------------------------------------- */

static void
free_addresses (gpointer list)
{
  g_list_free_full (list, g_object_unref);
}

/* Returns the addresses, or an error if even one of them is nearer than allowed: the next lookup
 * could make a connection lead there. */
static void
answer (GTask *task, GList *addresses)
{
  const Lookup *lookup = g_task_get_task_data (task);

  for (GList *l = addresses; l != NULL; l = l->next)
    {
      const GadgetAddressKind kind = lookup->classify (l->data);
      g_autofree char *number = NULL;

      if (kind <= lookup->nearest)
        continue;
      number = g_inet_address_to_string (l->data);
      if (kind == GADGET_ADDRESS_FORBIDDEN)
        g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                                 "%s has the address %s, which is never connected to.",
                                 lookup->host, number);
      else
        g_task_return_new_error (
            task, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
            "%s has the address %s, %s, which was not asked for. Only if the user wants just that, "
            "call this with \"local\": true, and the user is asked.",
            lookup->host, number,
            kind == GADGET_ADDRESS_OWN ? "this computer" : "in the local network");
      free_addresses (addresses);
      return;
    }
  g_task_return_pointer (task, addresses, free_addresses);
}

static void
resolved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Lookup *lookup = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  GList *addresses = g_resolver_lookup_by_name_finish (G_RESOLVER (source), result, &error);

  if (addresses != NULL)
    answer (task, addresses);
  else if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND,
                             "The address of %s was not found: %s", lookup->host,
                             error != NULL ? error->message : "it has none");
}

/**
 * gadget_web_address_resolve_async:
 * @uri: from gadget_web_address_parse ()
 * @resolver: looks up the host unless it is a number
 * @classify: judges each address
 * @local: %TRUE if the user allowed the address to lead into the local network or to this computer
 *
 * Looks up the host of @uri and checks all its addresses.
 */
void
gadget_web_address_resolve_async (GUri *uri, GResolver *resolver, GadgetAddressFunc classify,
                                  gboolean local, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GInetAddress) number = g_inet_address_new_from_string (g_uri_get_host (uri));
  const GadgetAddressKind guess = gadget_web_address_guess (uri);
  Lookup *lookup = g_new0 (Lookup, 1);

  g_task_set_source_tag (task, gadget_web_address_resolve_async);
  lookup->host = g_strdup (g_uri_get_host (uri));
  lookup->classify = classify;
  if (number != NULL && !local)
    lookup->nearest = MIN (guess, GADGET_ADDRESS_OWN);
  else
    lookup->nearest =
        local || guess != GADGET_ADDRESS_PUBLIC ? GADGET_ADDRESS_OWN : GADGET_ADDRESS_PUBLIC;
  g_task_set_task_data (task, lookup, lookup_free);
  if (number != NULL)
    answer (task, g_list_prepend (NULL, g_steal_pointer (&number)));
  else
    g_resolver_lookup_by_name_async (resolver, lookup->host, cancellable, resolved_cb,
                                     g_steal_pointer (&task));
}

/**
 * gadget_web_address_resolve_finish:
 *
 * Returns: (transfer full) (element-type GInetAddress): the addresses, at least one; else %NULL
 *   with %G_IO_ERROR_PERMISSION_DENIED, %G_IO_ERROR_HOST_NOT_FOUND or %G_IO_ERROR_CANCELLED
 */
GList *
gadget_web_address_resolve_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
