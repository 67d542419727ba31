/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Widgets for what the search over all chats found. */

#pragma once

#include "store/search/gadget-chat-search-results.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Make the heading of a chat, and the row of one match. (transfer floating) */
GtkWidget *gadget_search_result_make_heading (const GadgetChatSearchResult *result);
GtkWidget *gadget_search_result_make_row     (const GadgetChatSearchMatch  *match);

G_END_DECLS
