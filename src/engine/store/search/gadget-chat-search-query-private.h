/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the searching of the index; documented in gadget-chat-search-query.c. */

#pragma once

#include "gadget-chat-search-results.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads the database on the thread of the searches. */
typedef struct _GadgetChatSearchReader GadgetChatSearchReader;

GadgetChatSearchReader  *_gadget_chat_search_reader_new  (const char                  *path);
/* Closes the database; on the thread, or when that has ended. */
void                     _gadget_chat_search_reader_free (GadgetChatSearchReader      *self);

/* Called on the thread with the first results (transfer full). */
typedef void (*GadgetChatSearchEmitFunc) (GadgetChatSearchResults *results, gpointer data);

/* Searches. EMIT is nullable. Fails with %G_IO_ERROR_CANCELLED or a #GadgetStoreError; DAMAGED is
 * set to %TRUE if that is because the index is damaged, and else untouched. */
GadgetChatSearchResults *_gadget_chat_search_reader_find (GadgetChatSearchReader      *self,
                                                          const GadgetChatSearchQuery *query,
                                                          GadgetChatSearchEmitFunc     emit,
                                                          gpointer                     data,
                                                          GCancellable                *cancellable,
                                                          gboolean                    *damaged,
                                                          GError                     **error);
/* Sets INTACT to whether the index has no damage that SQLite can find. */
gboolean                 _gadget_chat_search_reader_check (GadgetChatSearchReader      *self,
                                                          gboolean                    *intact,
                                                          GError                     **error);
/* On any thread: a search with a cancelled cancellable ends within milliseconds. */
void                     _gadget_chat_search_reader_interrupt (GadgetChatSearchReader      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetChatSearchReader, _gadget_chat_search_reader_free)

G_END_DECLS
