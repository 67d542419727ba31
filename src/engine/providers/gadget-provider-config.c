/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The settings of one provider, and the rules for its id, kind and address. */

#define G_LOG_DOMAIN "gadget-provider-config"

#include "config.h"

#include "gadget-provider-config.h"

#include "gadget-dialects.h"
#include "http/gadget-address.h"

#include <string.h>

struct _GadgetProviderConfig
{
  GObject parent_instance;

  char *id;
  char *name;
  char *kind;
  char *base_url;
  char *model;
  char *key_origin;
  GadgetProviderHeaders *headers; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (GadgetProviderConfig, gadget_provider_config, G_TYPE_OBJECT)

static void
gadget_provider_config_finalize (GObject *object)
{
  GadgetProviderConfig *self = GADGET_PROVIDER_CONFIG (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->kind);
  g_free (self->base_url);
  g_free (self->model);
  g_free (self->key_origin);
  g_clear_pointer (&self->headers, gadget_provider_headers_free);

  G_OBJECT_CLASS (gadget_provider_config_parent_class)->finalize (object);
}

static void
gadget_provider_config_class_init (GadgetProviderConfigClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_provider_config_finalize;
}

static void
gadget_provider_config_init (GadgetProviderConfig *self)
{
}

/* Returns the usual address of providers of this kind. (transfer none) (nullable) */
static const char *
get_usual_url (const char *kind)
{
  const GadgetDialect *dialect = gadget_dialects_find (kind);

  return dialect != NULL ? dialect->kind.url : NULL;
}

/**
 * gadget_provider_config_new:
 * @id: see gadget_provider_config_check ()
 * @name: (nullable): the name for people; @id if %NULL or empty
 * @kind: the name of a dialect, or %GADGET_PROVIDER_KIND_GUIDE
 * @base_url: (nullable): the address of the API; that of the kind if %NULL or empty
 * @model: (nullable): the default model
 *
 * Returns: (transfer full)
 */
GadgetProviderConfig *
gadget_provider_config_new (const char *id, const char *name, const char *kind,
                            const char *base_url, const char *model)
{
  GadgetProviderConfig *self;

  g_return_val_if_fail (id != NULL && kind != NULL, NULL);

  self = g_object_new (GADGET_TYPE_PROVIDER_CONFIG, NULL);
  self->id = g_strdup (id);
  self->name = g_strdup (name != NULL && *name != '\0' ? name : id);
  self->kind = g_strdup (kind);
  self->base_url =
      g_strdup (base_url != NULL && *base_url != '\0' ? base_url : get_usual_url (kind));
  self->model = model != NULL && *model != '\0' ? g_strdup (model) : NULL;
  return self;
}

/* gadget_provider_config_get_id: returns the id: 1 to 64 of a-z, 0-9, '-', '_' and '.'.
 * (transfer none) */
const char *
gadget_provider_config_get_id (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), NULL);
  return self->id;
}

/* gadget_provider_config_get_name: returns the name that the user reads; never %NULL.
 * (transfer none) */
const char *
gadget_provider_config_get_name (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), NULL);
  return self->name;
}

/* gadget_provider_config_get_kind: returns the name of the dialect that the server speaks, or
 * %GADGET_PROVIDER_KIND_GUIDE. (transfer none) */
const char *
gadget_provider_config_get_kind (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), NULL);
  return self->kind;
}

/**
 * gadget_provider_config_get_base_url:
 *
 * Returns: (nullable): the given address, or that of the kind
 */
const char *
gadget_provider_config_get_base_url (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), NULL);
  return self->base_url;
}

/**
 * gadget_provider_config_get_model:
 *
 * Returns: (nullable): never empty
 */
const char *
gadget_provider_config_get_model (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), NULL);
  return self->model;
}

/* (transfer full) (nullable) */
static GUri *
parse_base_url (GadgetProviderConfig *self)
{
  return self->base_url != NULL ? g_uri_parse (self->base_url, G_URI_FLAGS_SCHEME_NORMALIZE, NULL)
                                : NULL;
}

/**
 * gadget_provider_config_dup_origin:
 *
 * Returns: (transfer full) (nullable): %NULL without a valid address
 */
char *
gadget_provider_config_dup_origin (GadgetProviderConfig *self)
{
  g_autoptr (GUri) uri = NULL;
  g_autofree char *host = NULL;

  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), NULL);

  uri = parse_base_url (self);
  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return NULL;
  host = g_ascii_strdown (g_uri_get_host (uri), -1);
  return g_strdup_printf (strchr (host, ':') != NULL ? "%s://[%s]:%d" : "%s://%s:%d",
                          g_uri_get_scheme (uri), host, g_uri_get_port (uri));
}

const char *
gadget_provider_config_get_key_origin (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), NULL);
  return self->key_origin;
}

/**
 * gadget_provider_config_set_key_origin:
 * @origin: (nullable): the origin of the key in the keyring; "" if there is no key, %NULL if that
 *   is unknown
 *
 * This is for a provider that is not in the list yet, in which it does not change.
 */
void
gadget_provider_config_set_key_origin (GadgetProviderConfig *self, const char *origin)
{
  g_return_if_fail (GADGET_IS_PROVIDER_CONFIG (self));
  g_set_str (&self->key_origin, origin);
}

/**
 * gadget_provider_config_get_headers:
 *
 * Returns: (transfer none) (nullable): %NULL for none
 */
const GadgetProviderHeaders *
gadget_provider_config_get_headers (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), NULL);
  return self->headers;
}

/**
 * gadget_provider_config_take_headers:
 * @headers: (transfer full) (nullable): headers that gadget_provider_headers_check () accepts
 */
void
gadget_provider_config_take_headers (GadgetProviderConfig *self, GadgetProviderHeaders *headers)
{
  g_return_if_fail (GADGET_IS_PROVIDER_CONFIG (self));

  g_clear_pointer (&self->headers, gadget_provider_headers_free);
  self->headers = headers;
}

/* gadget_provider_config_has_secret_headers: returns whether at least one header has its value in
 * the keyring. */
gboolean
gadget_provider_config_has_secret_headers (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), FALSE);
  return self->headers != NULL && self->headers->secrets[0] != NULL;
}

gboolean
gadget_provider_config_has_foreign_key (GadgetProviderConfig *self)
{
  g_autofree char *origin = NULL;

  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), FALSE);

  origin = gadget_provider_config_dup_origin (self);
  return self->key_origin != NULL && *self->key_origin != '\0'
         && g_strcmp0 (self->key_origin, origin) != 0;
}

gboolean
gadget_provider_config_is_public (GadgetProviderConfig *self)
{
  g_autoptr (GUri) uri = NULL;

  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), FALSE);

  uri = parse_base_url (self);
  return uri != NULL && g_uri_get_host (uri) != NULL
         && gadget_address_guess (g_uri_get_host (uri)) == GADGET_ADDRESS_PUBLIC;
}

gboolean
gadget_provider_config_is_elsewhere (GadgetProviderConfig *self)
{
  g_autoptr (GUri) uri = NULL;

  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), FALSE);

  uri = parse_base_url (self);
  return uri != NULL && g_uri_get_host (uri) != NULL
         && gadget_address_guess (g_uri_get_host (uri)) != GADGET_ADDRESS_OWN;
}

gboolean
gadget_provider_config_needs_key (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), FALSE);
  return self->key_origin != NULL ? *self->key_origin != '\0'
                                  : gadget_provider_config_is_public (self);
}

gboolean
gadget_provider_config_is_exposed (GadgetProviderConfig *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (self), FALSE);
  return self->base_url != NULL && g_ascii_strncasecmp (self->base_url, "http:", 5) == 0
         && gadget_provider_config_is_public (self);
}

static gboolean
is_id (const char *id)
{
  gsize length = id != NULL ? strlen (id) : 0;

  return length >= 1 && length <= 64
         && strspn (id, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == length;
}

static gboolean
check_url (const char *url, GError **error)
{
  g_autoptr (GUri) uri = NULL;
  const char *scheme;

  if (url == NULL || *url == '\0')
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           "This kind of provider needs an address");
      return FALSE;
    }
  uri = g_uri_parse (url, G_URI_FLAGS_HAS_PASSWORD, NULL);
  scheme = uri != NULL ? g_uri_get_scheme (uri) : "";
  if ((strcmp (scheme, "http") != 0 && strcmp (scheme, "https") != 0)
      || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0'
      || strpbrk (url, " \t\r\n") != NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "“%s” is not an address that begins with http:// or https:// and has a host",
                   url);
      return FALSE;
    }
  /* Addresses are stored in the settings and shown, and a password in them would be, too. */
  if (g_uri_get_user (uri) != NULL || g_uri_get_fragment (uri) != NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           "An address may not have a user name, a password or a “#” in it");
      return FALSE;
    }
  return TRUE;
}

/**
 * gadget_provider_config_check:
 *
 * Checks the settings of a provider.
 *
 * Returns: %TRUE if they are valid; otherwise %FALSE with %G_IO_ERROR_INVALID_ARGUMENT and a
 *   message for people
 */
gboolean
gadget_provider_config_check (const char *id, const char *kind, const char *base_url,
                              GError **error)
{
  if (!is_id (id))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           "An id has 1 to 64 of a to z, 0 to 9, “-”, “_” and “.”");
      return FALSE;
    }
  if (g_strcmp0 (kind, GADGET_PROVIDER_KIND_GUIDE) == 0)
    return TRUE;
  if (gadget_dialects_find (kind) == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "“%s” is not a kind of provider that is known here", kind != NULL ? kind : "");
      return FALSE;
    }
  if ((base_url == NULL || *base_url == '\0') && get_usual_url (kind) != NULL)
    return TRUE;
  return check_url (base_url, error);
}
