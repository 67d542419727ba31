/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

typedef enum
{
  GADGET_SEARCH_FILTER_CHAT,
  GADGET_SEARCH_FILTER_DAYS,
  GADGET_SEARCH_FILTER_FOLDER,
  GADGET_SEARCH_FILTER_TOOL,
  GADGET_SEARCH_FILTER_STATUS,
  GADGET_SEARCH_FILTER_PROVIDER,
  GADGET_SEARCH_FILTER_CHANGED_FILES,
  GADGET_SEARCH_N_FILTERS
} GadgetSearchFilter;

#define GADGET_SEARCH_ALL_FILTERS ((1u << GADGET_SEARCH_N_FILTERS) - 1)

/**
 * GadgetSearchFilters:
 *
 * The filters of a search, each a chip. The signal "changed" is emitted when the user sets or
 * clears one.
 */
#define GADGET_TYPE_SEARCH_FILTERS (gadget_search_filters_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSearchFilters, gadget_search_filters, GADGET, SEARCH_FILTERS, AdwBin)

/* Sets the engine whose chats, folders, tools and providers can be chosen, once. */
void     gadget_search_filters_set_engine (GadgetSearchFilters   *self,
                                           GadgetEngine          *engine);

/* Shows the chips of FILTERS alone, 1 << GadgetSearchFilter each; at first all but the chat's. */
void     gadget_search_filters_offer      (GadgetSearchFilters   *self,
                                           guint                  filters);

/* Sets the label of the chip of GADGET_SEARCH_FILTER_CHANGED_FILES, which is "Changed Files". */
void     gadget_search_filters_set_changed_label
                                          (GadgetSearchFilters   *self,
                                           const char            *label);

/* Sets the filter of the time to one of its choices, the last N_DAYS days, without "changed". */
void     gadget_search_filters_set_days   (GadgetSearchFilters   *self,
                                           guint                  n_days);

/* Returns the filters that are set, 1 << GadgetSearchFilter each. */
guint    gadget_search_filters_get_set    (GadgetSearchFilters   *self);

/* Sets the members of QUERY for the filters that are set, other than those in IGNORED. Its strings
 * are valid until a filter changes. */
void     gadget_search_filters_fill       (GadgetSearchFilters   *self,
                                           guint                  ignored,
                                           GadgetChatSearchQuery *query);

/* Clears the filters in FILTERS, without "changed". */
void     gadget_search_filters_clear      (GadgetSearchFilters   *self,
                                           guint                  filters);

/* Returns the value of a filter that is set, as its chip shows it. (transfer full) */
char    *gadget_search_filters_dup_label  (GadgetSearchFilters   *self,
                                           GadgetSearchFilter     filter);

G_END_DECLS
