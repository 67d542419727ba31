/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-turn-environment"

#include "config.h"

#include "gadget-turn-environment.h"

G_DEFINE_FINAL_TYPE (GadgetTurnEnvironment, gadget_turn_environment, G_TYPE_OBJECT)

static void
gadget_turn_environment_dispose (GObject *object)
{
  GadgetTurnEnvironment *self = GADGET_TURN_ENVIRONMENT (object);

  g_clear_pointer (&self->loops, g_hash_table_unref);
  g_clear_object (&self->unsaved_turns);
  g_clear_object (&self->unsaved_sessions);
  g_clear_pointer (&self->locks, gadget_session_locks_unref);
  g_clear_pointer (&self->model_limits, _gadget_model_limits_unref);
  g_clear_object (&self->providers);
  g_clear_object (&self->toolbox);
  g_clear_object (&self->snapshots);
  g_clear_object (&self->policy);
  g_clear_object (&self->store);
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
  if (!g_set_object (&self->store, store))
    return self;
  self->snapshots = gadget_snapshot_service_new (store);
  self->locks = gadget_session_locks_new (store);
  self->unsaved_turns = gadget_unsaved_turns_new (self->locks, store, clock);
  self->unsaved_sessions = gadget_unsaved_sessions_new (store, clock);
  return self;
}
