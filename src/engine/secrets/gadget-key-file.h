/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads a key from a file of the user's, for systems without a keyring. */
char *gadget_key_file_make_variable (const char           *id);
void  gadget_key_file_read_async    (const char           *path,
                                     GCancellable         *cancellable,
                                     GAsyncReadyCallback   callback,
                                     gpointer              user_data);
char *gadget_key_file_read_finish   (GAsyncResult         *result,
                                     GError              **error);

G_END_DECLS
