/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The extra headers of the requests to a provider: checks them, stores them as JSON, and joins them
 * with the secret values of the keyring. */

#include "config.h"

#include "gadget-provider-headers.h"

#include "common/gadget-json.h"
#include "secrets/gadget-secret-values.h"
#include "secrets/gadget-secrets.h"
#include "http/gadget-http-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_HEADERS 32

/* In bytes. Servers accept no longer lines. */
#define MAX_VALUE (8 * 1024)

/* Headers that Gadget itself sends in one of the dialects, or that belong to a connection. */
static const char *const reserved[] = {
  "accept",
  "accept-encoding",
  "anthropic-version",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "cookie",
  "host",
  "proxy-authorization",
  "te",
  "transfer-encoding",
  "trailer",
  "upgrade",
  "user-agent",
  "x-api-key",
  "x-goog-api-key",
  "expect",
  "content-encoding",
};

G_DEFINE_QUARK (gadget-provider-headers-error-quark, gadget_provider_headers_error)

GadgetProviderHeaders *
gadget_provider_headers_new (const char *const *plain, const char *const *secrets)
{
  GadgetProviderHeaders *self = g_new0 (GadgetProviderHeaders, 1);

  self->plain = plain != NULL ? g_strdupv ((char **) plain) : g_new0 (char *, 1);
  self->secrets = secrets != NULL ? g_strdupv ((char **) secrets) : g_new0 (char *, 1);
  return self;
}

/**
 * gadget_provider_headers_copy:
 *
 * Returns: (transfer full): the same headers; @self must not be %NULL
 */
GadgetProviderHeaders *
gadget_provider_headers_copy (const GadgetProviderHeaders *self)
{
  return gadget_provider_headers_new ((const char *const *) self->plain,
                                      (const char *const *) self->secrets);
}

/* gadget_provider_headers_free: frees both lists; @self must not be %NULL. */
void
gadget_provider_headers_free (GadgetProviderHeaders *self)
{
  g_strfreev (self->plain);
  g_strfreev (self->secrets);
  g_free (self);
}

/* --- Checks ----------------------------------------------------------------------------------- */

/**
 * gadget_provider_headers_is_reserved:
 *
 * Returns: %TRUE if Gadget itself sends this header, so that users cannot set it
 */
gboolean
gadget_provider_headers_is_reserved (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (g_ascii_strcasecmp (name, reserved[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Accepts visible ASCII characters with spaces and tabs between them (RFC 9110, section 5.5). */
static gboolean
is_value (const char *value)
{
  if (*value == '\0' || strlen (value) > MAX_VALUE)
    return FALSE;
  for (; *value != '\0'; value++)
    if (!g_ascii_isprint (*value) && *value != '\t')
      return FALSE;
  return TRUE;
}

/**
 * gadget_provider_headers_is_name:
 *
 * Returns: %TRUE if a header may have this name: a token (RFC 9110, section 5.6.2) that Gadget does
 *   not send itself
 */
gboolean
gadget_provider_headers_is_name (const char *name)
{
  return gadget_http_is_token (name) && !gadget_provider_headers_is_reserved (name);
}

static gboolean
check_name (const char *name, GHashTable *names, GError **error)
{
  if (!gadget_http_is_token (name))
    g_set_error (error, GADGET_PROVIDER_HEADERS_ERROR, GADGET_PROVIDER_HEADERS_ERROR_INVALID,
                 _ ("“%s” cannot be the name of a header."), name);
  else if (gadget_provider_headers_is_reserved (name))
    g_set_error (
        error, GADGET_PROVIDER_HEADERS_ERROR, GADGET_PROVIDER_HEADERS_ERROR_INVALID,
        _ ("The header “%s” is set by Gadget itself. A key is given as the provider’s key."), name);
  else if (!g_hash_table_add (names, g_ascii_strdown (name, -1)))
    g_set_error (error, GADGET_PROVIDER_HEADERS_ERROR, GADGET_PROVIDER_HEADERS_ERROR_INVALID,
                 _ ("The header “%s” is given twice."), name);
  else
    return TRUE;
  return FALSE;
}

/* Returns FALSE when the header does not have the form "Name: value". */
static gboolean
split (const char *header, char **name, char **value)
{
  const char *colon = strchr (header, ':');

  *name = colon != NULL ? g_strndup (header, (gsize) (colon - header)) : NULL;
  *value = colon != NULL ? g_strstrip (g_strdup (colon + 1)) : NULL;
  return colon != NULL;
}

/* The message does not quote the value, which may be a secret. */
static gboolean
check_value (const char *name, const char *value, GError **error)
{
  if (is_value (value))
    return TRUE;
  g_set_error (error, GADGET_PROVIDER_HEADERS_ERROR, GADGET_PROVIDER_HEADERS_ERROR_INVALID,
               _ ("The value of the header “%s” cannot be sent: it is empty or too long, or has "
                  "characters in it that a header cannot have."),
               name);
  return FALSE;
}

static gboolean
check_plain (const char *header, GHashTable *names, GError **error)
{
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;

  if (!split (header, &name, &value))
    {
      g_set_error_literal (error, GADGET_PROVIDER_HEADERS_ERROR,
                           GADGET_PROVIDER_HEADERS_ERROR_INVALID,
                           _ ("A header must be of the form “Name: value”."));
      return FALSE;
    }
  return check_name (name, names, error) && check_value (name, value, error);
}

/**
 * gadget_provider_headers_check:
 *
 * Returns: %TRUE if the headers can be sent; otherwise %FALSE with
 *   %GADGET_PROVIDER_HEADERS_ERROR_INVALID
 */
gboolean
gadget_provider_headers_check (const GadgetProviderHeaders *self, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; self->plain[i] != NULL; i++)
    if (!check_plain (self->plain[i], names, error))
      return FALSE;
  for (guint i = 0; self->secrets[i] != NULL; i++)
    if (!check_name (self->secrets[i], names, error))
      return FALSE;
  if (g_hash_table_size (names) <= MAX_HEADERS)
    return TRUE;
  g_set_error (error, GADGET_PROVIDER_HEADERS_ERROR, GADGET_PROVIDER_HEADERS_ERROR_INVALID,
               _ ("A provider can have at most %d headers."), MAX_HEADERS);
  return FALSE;
}

/**
 * gadget_provider_headers_check_secret:
 * @name: the name of a secret header
 * @values: (nullable): all secret values, see gadget-secret-values.h
 *
 * Returns: %TRUE if @values has a value for this header that can be sent; otherwise %FALSE with
 *   %GADGET_PROVIDER_HEADERS_ERROR_MISSING or %GADGET_PROVIDER_HEADERS_ERROR_INVALID
 */
gboolean
gadget_provider_headers_check_secret (const char *name, const char *values, GError **error)
{
  char *value = gadget_secret_values_dup (values, name);
  gboolean good = FALSE;

  if (value == NULL || *value == '\0')
    g_set_error (error, GADGET_PROVIDER_HEADERS_ERROR, GADGET_PROVIDER_HEADERS_ERROR_MISSING,
                 _ ("The secret header “%s” has no value for this address. Enter it, or remove "
                    "the header."),
                 name);
  else
    good = check_value (name, value, error);
  gadget_secrets_free_key (value);
  return good;
}

/* --- As JSON ---------------------------------------------------------------------------------- */

static void
add_strv (JsonBuilder *builder, const char *name, char **strings)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; strings[i] != NULL; i++)
    json_builder_add_string_value (builder, strings[i]);
  json_builder_end_array (builder);
}

/**
 * gadget_provider_headers_to_json:
 * @self: (nullable): the headers
 *
 * Returns: (transfer full) (nullable): the text to store; %NULL if there are no headers
 */
char *
gadget_provider_headers_to_json (const GadgetProviderHeaders *self)
{
  g_autoptr (JsonBuilder) builder = NULL;
  g_autoptr (JsonNode) node = NULL;

  if (self == NULL || (self->plain[0] == NULL && self->secrets[0] == NULL))
    return NULL;
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  add_strv (builder, "plain", self->plain);
  add_strv (builder, "secrets", self->secrets);
  json_builder_end_object (builder);
  node = json_builder_get_root (builder);
  return json_to_string (node, FALSE);
}

/**
 * gadget_provider_headers_from_json:
 * @json: (nullable): the stored text
 *
 * Returns: (transfer full) (nullable): the headers; %NULL if @json is %NULL, cannot be read, or has
 *   headers that cannot be sent
 */
GadgetProviderHeaders *
gadget_provider_headers_from_json (const char *json)
{
  g_autoptr (JsonNode) node = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;
  g_autoptr (GadgetProviderHeaders) self = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  self = g_new0 (GadgetProviderHeaders, 1);
  self->plain = gadget_json_dup_strings (json_node_get_object (node), "plain");
  self->secrets = gadget_json_dup_strings (json_node_get_object (node), "secrets");
  return gadget_provider_headers_check (self, NULL) ? g_steal_pointer (&self) : NULL;
}

/* --- Sending ---------------------------------------------------------------------------------- */

static void
free_value (gpointer value)
{
  gadget_secrets_free_key (value);
}

/**
 * gadget_provider_headers_apply:
 * @secrets: (nullable): the secret values from the keyring
 *
 * Returns: (transfer full): names and values, alternating, the secret ones last; free with
 *   gadget_secret_values_free (). %NULL with an error of gadget_provider_headers_check_secret ()
 *   when a secret header has no value that can be sent
 */
char **
gadget_provider_headers_apply (const GadgetProviderHeaders *self, const char *secrets,
                               GError **error)
{
  g_autoptr (GPtrArray) pairs = g_ptr_array_new_null_terminated (8, free_value, TRUE);

  for (guint i = 0; self->plain[i] != NULL; i++)
    {
      char *name, *value;

      split (self->plain[i], &name, &value);
      g_ptr_array_add (pairs, name);
      g_ptr_array_add (pairs, value);
    }
  for (guint i = 0; self->secrets[i] != NULL; i++)
    {
      if (!gadget_provider_headers_check_secret (self->secrets[i], secrets, error))
        return NULL;
      g_ptr_array_add (pairs, g_strdup (self->secrets[i]));
      g_ptr_array_add (pairs, gadget_secret_values_dup (secrets, self->secrets[i]));
    }
  return (char **) g_ptr_array_steal (pairs, NULL);
}
