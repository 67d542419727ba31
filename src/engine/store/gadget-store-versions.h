/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetFileVersion:
 * @path: the file, in the encoding of the file system
 * @hash: of the content
 * @size: of the content, in bytes
 *
 * A content that a file had before a turn changed it.
 */
typedef struct
{
  char *path;
  guint8 hash[32];
  guint64 size;
} GadgetFileVersion;

/* Lists the earlier versions of the files that some chats changed. Not all of them are kept. */
void       gadget_store_list_versions_async  (GadgetStore          *self,
                                              const char *const    *session_ids,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);

/* Returns: (transfer full) (element-type GadgetFileVersion): sorted by path, each once; NULL with
 * a #GadgetStoreError. */
GPtrArray *gadget_store_list_versions_finish (GadgetStore          *self,
                                              GAsyncResult         *result,
                                              GError              **error);

G_END_DECLS
