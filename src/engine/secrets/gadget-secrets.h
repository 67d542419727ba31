/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-secrets-key.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SECRETS (gadget_secrets_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSecrets, gadget_secrets, GADGET, SECRETS, GObject)

/**
 * GadgetSecrets:
 *
 * The keys of the providers, by provider id. They are stored in the keyring only. If no keyring can
 * be reached they are kept in memory for this run, and the property "persistent" (notified) is
 * %FALSE, so that the window can tell the user.
 */
GadgetSecrets *gadget_secrets_new             (void);
GadgetSecrets *gadget_secrets_new_in_memory   (void);
gboolean       gadget_secrets_get_persistent  (GadgetSecrets        *self);
const GError  *gadget_secrets_get_failure     (GadgetSecrets        *self);

/* Sets a key for this run only, which is preferred to all others; NULL removes it. */
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

G_END_DECLS
