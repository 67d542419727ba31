/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SEARCH_PAGE (gadget_search_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSearchPage, gadget_search_page, GADGET, SEARCH_PAGE, AdwBin)

/**
 * GadgetSearchPage:
 *
 * The search over all chats. Signals: "opened" (GadgetSession, a pointer to a #GadgetChatSearchMatch
 * that is valid during the emission, and whether it is wanted in a new window), when the user wants
 * to see a match; "left", when Esc was pressed.
 */

/* Sets the engine whose chats are searched, once. */
void gadget_search_page_set_engine (GadgetSearchPage *self,
                                    GadgetEngine     *engine);

/* Gives the focus to the entry, with @text (nullable) or what was searched for before. */
void gadget_search_page_begin      (GadgetSearchPage *self,
                                    const char       *text);

/* Ends a search that goes on: the page is not shown any more. */
void gadget_search_page_end        (GadgetSearchPage *self);

G_END_DECLS
