/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-provider-headers.h"

#include "common/gadget-json.h"
#include "secrets/gadget-secret-values.h"
#include "secrets/gadget-secrets.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_HEADERS 32

/* Servers take no more of one line. */
#define MAX_VALUE (8 * 1024)

/* Headers that Gadget sends by itself in one of the dialects, or that belong to a connection. */
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

GadgetProviderHeaders *
gadget_provider_headers_copy (const GadgetProviderHeaders *self)
{
  return gadget_provider_headers_new ((const char *const *) self->plain,
                                      (const char *const *) self->secrets);
}

void
gadget_provider_headers_free (GadgetProviderHeaders *self)
{
  g_strfreev (self->plain);
  g_strfreev (self->secrets);
  g_free (self);
}

/* --- What can be ------------------------------------------------------------------------------ */

static gboolean
is_token (const char *name)
{
  if (*name == '\0')
    return FALSE;
  for (; *name != '\0'; name++)
    if (!g_ascii_isalnum (*name) && strchr ("!#$%&'*+-.^_`|~", *name) == NULL)
      return FALSE;
  return TRUE;
}

/**
 * gadget_provider_headers_is_reserved:
 *
 * Returns: whether Gadget sends this header by itself, so that it cannot be given
 */
gboolean
gadget_provider_headers_is_reserved (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (g_ascii_strcasecmp (name, reserved[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Visible ASCII, and space between (RFC 9110, section 5.5). */
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
 * Returns: whether a header may have this name: a token (RFC 9110, section 5.6.2) that Gadget does
 *   not send by itself
 */
gboolean
gadget_provider_headers_is_name (const char *name)
{
  return is_token (name) && !gadget_provider_headers_is_reserved (name);
}

static gboolean
check_name (const char *name, GHashTable *names, GError **error)
{
  if (!is_token (name))
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

/* FALSE when it is not of the form "Name: value". */
static gboolean
split (const char *header, char **name, char **value)
{
  const char *colon = strchr (header, ':');

  *name = colon != NULL ? g_strndup (header, (gsize) (colon - header)) : NULL;
  *value = colon != NULL ? g_strstrip (g_strdup (colon + 1)) : NULL;
  return colon != NULL;
}

/* The value is not said: it may be a secret. */
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
 * Returns: whether they can be sent; else %GADGET_PROVIDER_HEADERS_ERROR_INVALID
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
 * @name: of one of the secret headers
 * @values: (nullable): those that there are, see gadget-secret-values.h
 *
 * Returns: whether one of them is for this header and can be sent; else
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
 * @self: (nullable):
 *
 * Returns: (transfer full) (nullable): what is stored; %NULL for none
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
 * @json: (nullable): what was stored
 *
 * Returns: (transfer full) (nullable): %NULL for none, and for what cannot be read or sent
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

/* --- As they are sent ------------------------------------------------------------------------- */

static void
free_value (gpointer value)
{
  gadget_secrets_free_key (value);
}

/**
 * gadget_provider_headers_apply:
 * @secrets: (nullable): what the keyring gave
 *
 * Returns: (transfer full): names and values, one after the other, the secret ones last; free with
 *   gadget_secret_values_free (). %NULL with an error of
 *   gadget_provider_headers_check_secret () when one has no value that can be sent
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
