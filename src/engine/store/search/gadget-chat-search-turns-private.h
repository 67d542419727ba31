/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the turns that a search is about. Used on the thread of the searches. */

#pragma once

#include "gadget-chat-search-results.h"

#include <sqlite3.h>

G_BEGIN_DECLS

/* A turn that is not removed. */
typedef struct
{
  gint64 number;
  gint64 session;    /* the number of the topmost one */
  gint64 time;       /* when it started */
  gboolean searched; /* whether the filters of the current query let it through */
} GadgetChatSearchTurn;

typedef struct
{
  GArray *turns;  /* of GadgetChatSearchTurn, by number */
  gint64 version; /* of the data when they were read */
} GadgetChatSearchTurns;

void                        _gadget_chat_search_turns_init   (GadgetChatSearchTurns       *self);
void                        _gadget_chat_search_turns_clear  (GadgetChatSearchTurns       *self);
/* Reads the turns, unless nothing was written since they were read. In a transaction that has read
 * already. */
gboolean                    _gadget_chat_search_turns_read   (GadgetChatSearchTurns       *self,
                                                              sqlite3                     *db,
                                                              GError                     **error);
/* Sets which turns are searched. */
gboolean                    _gadget_chat_search_turns_filter (GadgetChatSearchTurns       *self,
                                                              sqlite3                     *db,
                                                              const GadgetChatSearchQuery *query,
                                                              GError                     **error);
/* (transfer none) (nullable) */
const GadgetChatSearchTurn *_gadget_chat_search_turns_find   (const GadgetChatSearchTurns *self,
                                                              gint64                       number);

G_END_DECLS
