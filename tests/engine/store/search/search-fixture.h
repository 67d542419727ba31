/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A store with a search, and chats made of SQL. */

#pragma once

#include "store/search/gadget-chat-search.h"
#include "test-store.h"

G_BEGIN_DECLS

typedef struct
{
  char *directory;
  GadgetStore *store;
  GadgetChatSearch *search;
} Fixture;

void search_set_up (Fixture *fixture, gconstpointer data);
void search_tear_down (Fixture *fixture, gconstpointer data);
/* Add a chat, a turn of it with this prompt, and a settled item of that turn. */
void search_add_session (Fixture *fixture, const char *id);
void search_add_turn (Fixture *fixture, const char *session_id, const char *id, const char *prompt);
void search_add_item (Fixture *fixture, const char *turn_id, const char *kind, const char *text);
void search_settle (Fixture *fixture);
GadgetChatSearchResults *search_run (Fixture *fixture, const GadgetChatSearchQuery *query);
GadgetChatSearchResults *search_find (Fixture *fixture, const char *text);
guint search_count (Fixture *fixture, const char *text);
/* The first match of the first chat. */
const GadgetChatSearchMatch *search_get_first (const GadgetChatSearchResults *results);
/* What is marked in its text, with "|" between the parts. (transfer full) */
char *search_dup_marked (const GadgetChatSearchMatch *match);

G_END_DECLS
