/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-turn-environment"

#include "config.h"

#include "gadget-turn-environment.h"

G_DEFINE_FINAL_TYPE (GadgetTurnEnvironment, gadget_turn_environment, G_TYPE_OBJECT)

static void
storage_free (GadgetTurnStorage *storage)
{
  g_object_unref (storage->unsaved_turns);
  g_object_unref (storage->unsaved_sessions);
  gadget_session_locks_unref (storage->locks);
  g_object_unref (storage->snapshots);
  g_object_unref (storage->store);
  g_free (storage);
}

static GadgetTurnStorage *
storage_new (GadgetStore *store, GadgetClock *clock)
{
  GadgetTurnStorage *storage = g_new0 (GadgetTurnStorage, 1);

  storage->store = g_object_ref (store);
  storage->snapshots = gadget_snapshot_service_new (store);
  storage->locks = gadget_session_locks_new (store);
  storage->unsaved_turns = gadget_unsaved_turns_new (storage->locks, store, clock);
  storage->unsaved_sessions = gadget_unsaved_sessions_new (store, clock);
  return storage;
}

static void
gadget_turn_environment_dispose (GObject *object)
{
  GadgetTurnEnvironment *self = GADGET_TURN_ENVIRONMENT (object);

  g_clear_pointer (&self->loops, g_hash_table_unref);
  g_clear_pointer (&self->storage, storage_free);
  g_clear_pointer (&self->model_limits, _gadget_model_limits_unref);
  g_clear_object (&self->providers);
  g_clear_object (&self->prices);
  g_clear_object (&self->toolbox);
  g_clear_object (&self->policy);
  g_clear_object (&self->clock);
  g_clear_object (&self->registry);

  G_OBJECT_CLASS (gadget_turn_environment_parent_class)->dispose (object);
}

static void
gadget_turn_environment_class_init (GadgetTurnEnvironmentClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_turn_environment_dispose;
}

static void
gadget_turn_environment_init (GadgetTurnEnvironment *self)
{
  self->registry = gadget_registry_new ();
  self->loops = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

GadgetTurnEnvironment *
_gadget_turn_environment_new (GadgetProviderList *providers, GadgetToolbox *toolbox,
                              GadgetStore *store, GadgetClock *clock)
{
  GadgetTurnEnvironment *self = g_object_new (GADGET_TYPE_TURN_ENVIRONMENT, NULL);

  self->providers = g_object_ref (providers);
  self->toolbox = g_object_ref (toolbox);
  self->policy = gadget_policy_new (store);
  self->clock = g_object_ref (clock);
  self->model_limits = _gadget_model_limits_new (store);
  self->prices = gadget_prices_new (store);
  if (store != NULL)
    self->storage = storage_new (store, clock);
  return self;
}

GadgetTurnStorage *
_gadget_turn_environment_get_storage (GadgetTurnEnvironment *self, GadgetSession *session)
{
  return gadget_session_get_incognito (session) ? NULL : self->storage;
}

void
_gadget_turn_environment_count (GadgetTurnEnvironment *self, GadgetUsageRecord *record)
{
  GadgetProviderConfig *config = record->provider != NULL
                                     ? gadget_provider_list_find (self->providers, record->provider)
                                     : NULL;
  GadgetUsage *usage = &record->usage;
  GadgetPrice price;

  /* The Guide is no model. */
  if (g_strcmp0 (record->provider, GADGET_GUIDE_ID) == 0)
    return;
  record->base_url = config != NULL ? gadget_provider_config_get_base_url (config) : NULL;
  if (self->storage != NULL)
    gadget_store_add_usage (self->storage->store, record);
  if ((usage->known & GADGET_USAGE_COST) != 0
      || gadget_prices_find (self->prices, record->provider, record->base_url, record->model,
                             &price)
             == GADGET_PRICE_UNKNOWN)
    return;
  usage->cost = gadget_price_get_cost (&price, usage, usage->input_tokens);
  usage->known |= GADGET_USAGE_COST;
}
