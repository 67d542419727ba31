/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-change.h"
#include "gadget-store-orphans.h"

G_BEGIN_DECLS

/* Store the changes of an effect. RECORDING and SKIPPED replace what is stored for the effect;
 * CHANGES are stored in this order. gadget_store_add_changes_finish () ends all three functions,
 * with a #GadgetStoreError. */
void          gadget_store_add_changes_async    (GadgetStore           *self,
                                                 gint64                 effect,
                                                 GPtrArray             *changes,
                                                 GadgetRecording        recording,
                                                 const char            *skipped,
                                                 GAsyncReadyCallback    callback,
                                                 gpointer               user_data);
void          gadget_store_end_edit_async       (GadgetStore           *self,
                                                 gint64                 effect,
                                                 GPtrArray             *changes,
                                                 GadgetRecording        recording,
                                                 GAsyncReadyCallback    callback,
                                                 gpointer               user_data);
/* Stores the changes of an effect whose process died, unless another process has done so
 * meanwhile. */
void          gadget_store_recover_changes_async (GadgetStore            *self,
                                                  const GadgetUnrecorded *unrecorded,
                                                  GPtrArray              *changes,
                                                  GadgetRecording         recording,
                                                  const char             *skipped,
                                                  GAsyncReadyCallback     callback,
                                                  gpointer                user_data);
gboolean      gadget_store_add_changes_finish   (GadgetStore           *self,
                                                 GAsyncResult          *result,
                                                 GError               **error);
void          gadget_store_list_changes_async   (GadgetStore           *self,
                                                 const char            *turn_id,
                                                 GAsyncReadyCallback    callback,
                                                 gpointer               user_data);
GPtrArray    *gadget_store_list_changes_finish  (GadgetStore           *self,
                                                 GAsyncResult          *result,
                                                 GadgetRecording       *recording,
                                                 char                 **skipped,
                                                 GError               **error);

/**
 * GadgetStoreHashes:
 * @GADGET_STORE_HASHES_ALL: those of all changes
 * @GADGET_STORE_HASHES_LIMITED: those of changes within the days that the user has set
 * @GADGET_STORE_HASHES_PINNED: those of changes in pinned chats
 * @GADGET_STORE_HASHES_NONE: none
 *
 * Which contents are needed. The last two are answered only while no turn is going on, else with
 * GADGET_STORE_ERROR_BUSY, since its changes may not be stored yet.
 */
typedef enum
{
  GADGET_STORE_HASHES_ALL,
  GADGET_STORE_HASHES_LIMITED,
  GADGET_STORE_HASHES_PINNED,
  GADGET_STORE_HASHES_NONE,
} GadgetStoreHashes;

/* Lists the hashes of stored contents that are needed, 32 bytes each. */
void          gadget_store_list_hashes_async    (GadgetStore           *self,
                                                 GadgetStoreHashes      which,
                                                 GAsyncReadyCallback    callback,
                                                 gpointer               user_data);
GByteArray   *gadget_store_list_hashes_finish   (GadgetStore           *self,
                                                 GAsyncResult          *result,
                                                 guint64               *max_bytes,
                                                 GError               **error);

G_END_DECLS
