/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SECRETS (gadget_secrets_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSecrets, gadget_secrets, GADGET, SECRETS, GObject)

#define GADGET_SECRETS_ERROR (gadget_secrets_error_quark ())
GQuark gadget_secrets_error_quark (void);

/**
 * GadgetSecretsError:
 * @GADGET_SECRETS_ERROR_KEY_FILE: the file named by GADGET_KEY_FILE_… can't be used; the message
 *   says why
 * @GADGET_SECRETS_ERROR_LOCKED: the keyring has the key, and stays locked: unlocking was declined,
 *   or nobody could be asked
 * @GADGET_SECRETS_ERROR_GONE: there is no keyring, or it left while it was asked
 * @GADGET_SECRETS_ERROR_LATE: the keyring does not answer
 * @GADGET_SECRETS_ERROR_UNREADABLE: the keyring has the key, and does not give it
 * @GADGET_SECRETS_ERROR_ORIGIN: the key is bound to another address
 * @GADGET_SECRETS_ERROR_MISSING: a key was stored, and is not in the keyring any more
 */
typedef enum
{
  GADGET_SECRETS_ERROR_KEY_FILE,
  GADGET_SECRETS_ERROR_LOCKED,
  GADGET_SECRETS_ERROR_GONE,
  GADGET_SECRETS_ERROR_LATE,
  GADGET_SECRETS_ERROR_UNREADABLE,
  GADGET_SECRETS_ERROR_ORIGIN,
  GADGET_SECRETS_ERROR_MISSING,
} GadgetSecretsError;

/**
 * GadgetSecrets:
 *
 * The keys of the providers, by provider id. They are in the keyring and nowhere else. With no
 * keyring to be reached they live in memory for this run, and the property "persistent" (notified)
 * is %FALSE: the window says so then.
 */
GadgetSecrets *gadget_secrets_new             (void);
GadgetSecrets *gadget_secrets_new_in_memory   (void);
gboolean       gadget_secrets_get_persistent  (GadgetSecrets        *self);
const GError  *gadget_secrets_get_failure     (GadgetSecrets        *self);

/* A key for this run only, which comes before all others; NULL takes it back. */
void           gadget_secrets_set_for_run     (GadgetSecrets        *self,
                                               const char           *id,
                                               const char           *key);

void           gadget_secrets_store_async     (GadgetSecrets        *self,
                                               const char           *id,
                                               const char           *name,
                                               const char           *origin,
                                               const char           *key,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean       gadget_secrets_store_finish    (GadgetSecrets        *self,
                                               GAsyncResult         *result,
                                               GError              **error);
gboolean       gadget_secrets_asks_keyring    (GadgetSecrets        *self,
                                               const char           *id);
void           gadget_secrets_lookup_async    (GadgetSecrets        *self,
                                               const char           *id,
                                               const char           *origin,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
char          *gadget_secrets_lookup_finish   (GadgetSecrets        *self,
                                               GAsyncResult         *result,
                                               GError              **error);
void           gadget_secrets_clear_async     (GadgetSecrets        *self,
                                               const char           *id,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean       gadget_secrets_clear_finish    (GadgetSecrets        *self,
                                               GAsyncResult         *result,
                                               GError              **error);

/* A key as gadget_secrets_lookup_finish () gives it: its memory is overwritten. */
void           gadget_secrets_free_key        (char                 *key);

G_END_DECLS
