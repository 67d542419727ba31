/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-chat-search-results.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetChatSearch:
 *
 * The full-text search over all chats, and its index. Properties, with notify:
 *
 *   n-chats     uint, the stored chats
 *   n-indexed   uint, those of them that can be searched so far. The index is complete when both
 *               are equal
 *   damaged     boolean, whether the index is damaged, which says nothing about the chats; see
 *               gadget_chat_search_rebuild_async ()
 */
#define GADGET_TYPE_CHAT_SEARCH (gadget_chat_search_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChatSearch, gadget_chat_search, GADGET, CHAT_SEARCH, GObject)

/* Called with the first results of a search that takes longer. @results belong to the caller. */
typedef void (*GadgetChatSearchFirstFunc) (const GadgetChatSearchResults *results,
                                           gpointer                       user_data);

GadgetChatSearch        *gadget_chat_search_new          (GadgetStore                 *store);

/* Begins to bring the index up to date, and keeps it so until the store is closed. The store must
 * have been opened. To be called once. */
void                     gadget_chat_search_start        (GadgetChatSearch            *self);

/* Return the properties. */
guint                    gadget_chat_search_get_n_chats  (GadgetChatSearch            *self);
guint                    gadget_chat_search_get_n_indexed (GadgetChatSearch            *self);
gboolean                 gadget_chat_search_get_damaged  (GadgetChatSearch            *self);

/* Documented in gadget-chat-search.c. */
void                     gadget_chat_search_find_async   (GadgetChatSearch            *self,
                                                          const GadgetChatSearchQuery *query,
                                                          GadgetChatSearchFirstFunc    first,
                                                          gpointer                     first_data,
                                                          GCancellable                *cancellable,
                                                          GAsyncReadyCallback          callback,
                                                          gpointer                     user_data);
GadgetChatSearchResults *gadget_chat_search_find_finish  (GadgetChatSearch            *self,
                                                          GAsyncResult                *result,
                                                          GError                     **error);

/* Waits until everything that was written before is in the index. */
void                     gadget_chat_search_settle_async (GadgetChatSearch            *self,
                                                          GAsyncReadyCallback          callback,
                                                          gpointer                     user_data);
gboolean                 gadget_chat_search_settle_finish (GadgetChatSearch            *self,
                                                          GAsyncResult                *result,
                                                          GError                     **error);

/* Checks whether the index is damaged, which takes seconds for a large one. */
void                     gadget_chat_search_check_async  (GadgetChatSearch            *self,
                                                          GAsyncReadyCallback          callback,
                                                          gpointer                     user_data);
gboolean                 gadget_chat_search_check_finish (GadgetChatSearch            *self,
                                                          GAsyncResult                *result,
                                                          GError                     **error);

/* Empties the index, also a damaged one, and begins to build it again in the background. */
void                     gadget_chat_search_rebuild_async (GadgetChatSearch            *self,
                                                          GAsyncReadyCallback          callback,
                                                          gpointer                     user_data);
gboolean                 gadget_chat_search_rebuild_finish (GadgetChatSearch            *self,
                                                          GAsyncResult                *result,
                                                          GError                     **error);

G_END_DECLS
