/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-secrets"

#include "config.h"

#include "gadget-secrets-key.h"

#include <string.h>

G_DEFINE_QUARK (gadget-secrets-error-quark, gadget_secrets_error)

/**
 * gadget_secrets_free_key:
 * @key: (nullable) (transfer full): a key
 */
void
gadget_secrets_free_key (char *key)
{
  if (key != NULL)
    explicit_bzero (key, strlen (key));
  g_free (key);
}
