/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the index; documented in gadget-chat-search-index.c. */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/**
 * GadgetChatSearchStep:
 * @more: whether there is more to index
 * @damaged: whether the index is damaged
 * @n_chats: all chats
 * @n_indexed: the chats that can be searched
 * @counted_us: when the chats were counted, in monotonic time
 * @n_turns: how many turns the next step builds
 * @merge: whether the next step merges what was written
 *
 * A part of the work on the index, and what it found. The next step is given a copy.
 */
typedef struct
{
  gboolean more;
  gboolean damaged;
  guint n_chats;
  guint n_indexed;
  gint64 counted_us;
  guint n_turns;
  gboolean merge;
} GadgetChatSearchStep;

/* A GadgetStoreFunc for a GadgetChatSearchStep: indexes for some milliseconds. It succeeds, with
 * "damaged" set, if the index is damaged. */
gboolean               _gadget_chat_search_index_step        (sqlite3                     *db,
                                                              gpointer                     data,
                                                              GError                     **error);
/* A GadgetStoreFunc that empties the index, so that it is built again. */
gboolean               _gadget_chat_search_index_reset       (sqlite3                     *db,
                                                              gpointer                     data,
                                                              GError                     **error);

G_END_DECLS
