/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the structure of GadgetProviderList, and what its files share. */

#pragma once

#include "gadget-provider-list.h"
#include "secrets/gadget-secrets.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

struct _GadgetProviderList
{
  GObject parent_instance;

  GadgetStore *store; /* (nullable) */
  GadgetSecrets *secrets;
  GadgetClock *clock;
  GadgetHttp *http;
  GPtrArray *configs;    /* of GadgetProviderConfig; the Guide is the first */
  GHashTable *overrides; /* id → GadgetProvider, set by tests */
  char *default_id;
  guint n_defaults;      /* how often a default was chosen in this process */
  guint n_defaults_read; /* the value of n_defaults when the default was last read */
  gboolean follows;      /* whether it follows the changes of other processes */
};

/* Returns: the position of the provider with that id; -1 if there is none. */
gint _gadget_provider_list_find_index     (GadgetProviderList   *self,
                                           const char           *id);

/* Adds a provider to the list, or replaces the one with the same id. Nothing is stored. */
void _gadget_provider_list_replace_config (GadgetProviderList   *self,
                                           GadgetProviderConfig *config);

/* Removes the provider at that position from the list. Nothing is stored. */
void _gadget_provider_list_remove_at      (GadgetProviderList   *self,
                                           guint                 index);

/* Sets the provider of new chats and notifies it. Nothing is stored. */
void _gadget_provider_list_update_default (GadgetProviderList   *self,
                                           const char           *id);

G_END_DECLS
