/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The errors that all sources of keys share, and how a key is freed. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_SECRETS_ERROR (gadget_secrets_error_quark ())
GQuark gadget_secrets_error_quark (void);

/**
 * GadgetSecretsError:
 * @GADGET_SECRETS_ERROR_KEY_FILE: the file named by GADGET_KEY_FILE_… can't be used; the message
 *   says why
 * @GADGET_SECRETS_ERROR_LOCKED: the keyring has the key, but stays locked: the user declined to
 *   unlock it, or could not be asked
 * @GADGET_SECRETS_ERROR_UNAVAILABLE: there is no keyring, or it left the bus during the request
 * @GADGET_SECRETS_ERROR_TIMED_OUT: the keyring does not respond
 * @GADGET_SECRETS_ERROR_UNREADABLE: the keyring has the key, but does not return or remove it
 * @GADGET_SECRETS_ERROR_ORIGIN: the key is bound to another address
 * @GADGET_SECRETS_ERROR_MISSING: a key was stored, but is not in the keyring any more
 *
 * Errors of the domain %GADGET_SECRETS_ERROR.
 */
typedef enum
{
  GADGET_SECRETS_ERROR_KEY_FILE,
  GADGET_SECRETS_ERROR_LOCKED,
  GADGET_SECRETS_ERROR_UNAVAILABLE,
  GADGET_SECRETS_ERROR_TIMED_OUT,
  GADGET_SECRETS_ERROR_UNREADABLE,
  GADGET_SECRETS_ERROR_ORIGIN,
  GADGET_SECRETS_ERROR_MISSING,
} GadgetSecretsError;

/* Overwrites a key, such as one of gadget_secrets_lookup_finish (), and frees it. */
void gadget_secrets_free_key (char *key);

G_END_DECLS
