/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-search-filters.h"

G_BEGIN_DECLS

/**
 * GadgetSearchRelaxations:
 *
 * What would be found by a search that found nothing if less was asked for: with one filter less,
 * without any filter, or for one of several words. Only what finds something gets a row. The signal
 * "relaxed" (uint, string) is emitted when the user chooses a row, with the filters to clear, 1 <<
 * GadgetSearchFilter each, and the text to search for instead, or NULL.
 */
#define GADGET_TYPE_SEARCH_RELAXATIONS (gadget_search_relaxations_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSearchRelaxations, gadget_search_relaxations, GADGET, SEARCH_RELAXATIONS,
                      AdwBin)

/* Begins to search; the rows appear when all searches have ended. FILTERS must be those of the
 * search that found nothing until then, or CANCELLABLE be cancelled. */
GtkWidget *gadget_search_relaxations_new (GadgetChatSearch    *search,
                                          GadgetSearchFilters *filters,
                                          const char          *text,
                                          GCancellable        *cancellable);

G_END_DECLS
