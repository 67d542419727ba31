/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the keyring of the desktop (the Secret Service API). Finish functions
 * fail with a #GadgetSecretsError or %G_IO_ERROR_CANCELLED. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void     _gadget_keyring_lookup_async   (const char           *id,
                                         const char           *origin,
                                         GCancellable         *cancellable,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
char    *_gadget_keyring_lookup_finish  (GAsyncResult         *result,
                                         GError              **error);
void     _gadget_keyring_store_async    (const char           *id,
                                         const char           *label,
                                         const char           *origin,
                                         const char           *key,
                                         GCancellable         *cancellable,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean _gadget_keyring_store_finish   (GAsyncResult         *result,
                                         GError              **error);
void     _gadget_keyring_clear_async    (const char           *id,
                                         GCancellable         *cancellable,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean _gadget_keyring_clear_finish   (GAsyncResult         *result,
                                         GError              **error);

G_END_DECLS
