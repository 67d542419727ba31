/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory is ahead of the disk: a rule that is added or revoked here takes effect at once, and
 * reading from the disk does not undo that while the write is pending. The store runs its jobs in
 * order, so rules that are read after a write was requested include it. A rule that could not be
 * written holds until the program ends. A rule that could not be removed comes back, since the next
 * start would find it on disk. */

#define G_LOG_DOMAIN "gadget-permission-rules"

#include "config.h"

#include "gadget-permission-rules.h"

#include "common/gadget-clock.h"
#include "store/gadget-store-rules.h"

/* The shortest time between two records of when a rule was used. Nobody needs it more exactly, and
 * each write wakes other processes. */
#define USED_STEP_MS 60000

struct _GadgetPermissionRules
{
  GObject parent_instance;

  GadgetStore *store; /* (nullable): without one nothing is saved */
  GListStore *rules;
  GHashTable *unsaved; /* ids of rules that are not on disk yet */
  GHashTable *revoked; /* ids of revoked rules that may still be on disk */
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetPermissionRules, gadget_permission_rules, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static GType
get_item_type (GListModel *model)
{
  return GADGET_TYPE_RULE;
}

static guint
get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (GADGET_PERMISSION_RULES (model)->rules));
}

static gpointer
get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (GADGET_PERMISSION_RULES (model)->rules), position);
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
gadget_permission_rules_dispose (GObject *object)
{
  GadgetPermissionRules *self = GADGET_PERMISSION_RULES (object);

  g_clear_object (&self->store);
  g_clear_object (&self->rules);

  G_OBJECT_CLASS (gadget_permission_rules_parent_class)->dispose (object);
}

static void
gadget_permission_rules_finalize (GObject *object)
{
  GadgetPermissionRules *self = GADGET_PERMISSION_RULES (object);

  g_hash_table_unref (self->unsaved);
  g_hash_table_unref (self->revoked);

  G_OBJECT_CLASS (gadget_permission_rules_parent_class)->finalize (object);
}

static void
gadget_permission_rules_class_init (GadgetPermissionRulesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_permission_rules_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_permission_rules_finalize;
}

static void
gadget_permission_rules_init (GadgetPermissionRules *self)
{
  self->unsaved = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->revoked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->rules = g_list_store_new (GADGET_TYPE_RULE);
  g_signal_connect_object (self->rules, "items-changed", G_CALLBACK (g_list_model_items_changed),
                           self, G_CONNECT_SWAPPED);
}

static const char *
get_id (GadgetRule *rule)
{
  return gadget_rule_get_data (rule)->id;
}

static GadgetRule *
find (GadgetPermissionRules *self, const char *id, guint *position)
{
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (GadgetRule) rule = get_item (G_LIST_MODEL (self), i);

      if (!g_str_equal (get_id (rule), id))
        continue;
      if (position != NULL)
        *position = i;
      return rule; /* the list holds a reference */
    }
  return NULL;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Replaces the rules by those on disk, except for pending writes. */
static void
merge (GadgetPermissionRules *self, GPtrArray *fresh)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < fresh->len; i++)
    {
      GadgetRule *rule = g_ptr_array_index (fresh, i);
      GadgetRule *known = find (self, get_id (rule), NULL);

      if (g_hash_table_contains (self->revoked, get_id (rule)))
        continue;
      g_hash_table_add (ids, (gpointer) get_id (rule));
      if (known == NULL)
        g_list_store_append (self->rules, rule);
      else if (gadget_rule_get_data (rule)->used_at > gadget_rule_get_data (known)->used_at)
        gadget_rule_set_used_at (known, gadget_rule_get_data (rule)->used_at);
    }
  for (guint i = get_n_items (G_LIST_MODEL (self)); i > 0; i--)
    {
      g_autoptr (GadgetRule) rule = get_item (G_LIST_MODEL (self), i - 1);

      if (!g_hash_table_contains (ids, get_id (rule))
          && !g_hash_table_contains (self->unsaved, get_id (rule)))
        g_list_store_remove (self->rules, i - 1);
    }
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) fresh =
      gadget_store_list_rules_finish (GADGET_STORE (source), result, &error);

  if (fresh == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  merge (g_task_get_source_object (task), fresh);
  g_task_return_boolean (task, TRUE);
}

void
gadget_permission_rules_refresh_async (GadgetPermissionRules *self, GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_PERMISSION_RULES (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_permission_rules_refresh_async);
  if (self->store == NULL)
    g_task_return_boolean (task, TRUE);
  else
    gadget_store_list_rules_async (self->store, listed_cb, g_steal_pointer (&task));
}

/**
 * gadget_permission_rules_refresh_finish:
 *
 * Returns: whether the rules are those on disk; else @error is a #GadgetStoreError
 */
gboolean
gadget_permission_rules_refresh_finish (GadgetPermissionRules *self, GAsyncResult *result,
                                        GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
refreshed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_permission_rules_refresh_finish (GADGET_PERMISSION_RULES (source), result, &error))
    g_message ("the rules could not be read again: %s", error->message);
}

static void
changed_outside_cb (GadgetPermissionRules *self)
{
  gadget_permission_rules_refresh_async (self, refreshed_cb, NULL);
}

/**
 * gadget_permission_rules_new:
 * @store: (nullable): without one the rules last as long as the program
 *
 * Returns: (transfer full): the rules; they are empty until the first refresh
 */
GadgetPermissionRules *
gadget_permission_rules_new (GadgetStore *store)
{
  GadgetPermissionRules *self = g_object_new (GADGET_TYPE_PERMISSION_RULES, NULL);

  g_set_object (&self->store, store);
  if (store != NULL)
    g_signal_connect_object (store, "changed-outside", G_CALLBACK (changed_outside_cb), self,
                             G_CONNECT_SWAPPED);
  return self;
}

/* --- Changing --------------------------------------------------------------------------------- */

/* A write that is pending. */
typedef struct
{
  GadgetPermissionRules *self;
  GadgetRule *rule;
} Change;

static Change *
change_new (GadgetPermissionRules *self, GadgetRule *rule)
{
  Change *change = g_new (Change, 1);

  change->self = g_object_ref (self);
  change->rule = g_object_ref (rule);
  return change;
}

static void
change_free (Change *change)
{
  g_object_unref (change->self);
  g_object_unref (change->rule);
  g_free (change);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Change *change = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_store_save_rule_finish (GADGET_STORE (source), result, &error))
    g_hash_table_remove (change->self->unsaved, get_id (change->rule));
  else
    g_message ("a rule is not saved: %s", error->message);
  change_free (change);
}

static void
store_rule (GadgetPermissionRules *self, GadgetRule *rule)
{
  if (self->store != NULL)
    gadget_store_save_rule_async (self->store, rule, saved_cb, change_new (self, rule));
}

/* A rule that is not @stored is one of an incognito chat: it stays among those whose write is
 * pending. */
static void
add (GadgetPermissionRules *self, GadgetRule *rule, gboolean stored)
{
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (GadgetRule) other = get_item (G_LIST_MODEL (self), i);

      if (gadget_rule_equal (rule, other))
        return;
    }
  g_hash_table_add (self->unsaved, g_strdup (get_id (rule)));
  g_list_store_append (self->rules, rule);
  if (stored)
    store_rule (self, rule);
}

void
gadget_permission_rules_add (GadgetPermissionRules *self, GadgetRule *rule)
{
  g_return_if_fail (GADGET_IS_PERMISSION_RULES (self) && GADGET_IS_RULE (rule));
  add (self, rule, TRUE);
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Change *change = user_data;
  g_autoptr (GError) error = NULL;

  g_hash_table_remove (change->self->revoked, get_id (change->rule));
  if (!gadget_store_remove_rule_finish (GADGET_STORE (source), result, &error))
    {
      g_message ("a rule could not be removed: %s", error->message);
      if (change->self->rules != NULL)
        g_list_store_append (change->self->rules, change->rule);
    }
  change_free (change);
}

void
gadget_permission_rules_revoke (GadgetPermissionRules *self, GadgetRule *rule)
{
  g_autoptr (GadgetRule) hold = NULL;
  guint position;

  g_return_if_fail (GADGET_IS_PERMISSION_RULES (self) && GADGET_IS_RULE (rule));

  if (find (self, get_id (rule), &position) == NULL)
    return;
  hold = g_object_ref (rule);
  g_list_store_remove (self->rules, position);
  g_hash_table_remove (self->unsaved, get_id (rule));
  if (self->store == NULL)
    return;
  g_hash_table_add (self->revoked, g_strdup (get_id (rule)));
  gadget_store_remove_rule_async (self->store, get_id (rule), removed_cb, change_new (self, rule));
}

/* Returns whether both rules are for the same MCP tool or file of instructions, as it was at
 * different times. */
static gboolean
is_of_another_time (GadgetRule *rule, GadgetRule *other)
{
  GadgetRuleData data = *gadget_rule_get_data (other);
  g_autoptr (GadgetRule) alike = NULL;

  if ((data.kind != GADGET_RULE_MCP && data.kind != GADGET_RULE_INSTRUCTIONS)
      || gadget_rule_equal (rule, other))
    return FALSE;
  data.fingerprint = gadget_rule_get_data (rule)->fingerprint;
  alike = gadget_rule_new (&data);
  return gadget_rule_equal (rule, alike);
}

void
gadget_permission_rules_replace (GadgetPermissionRules *self, GadgetRule *rule, gboolean stored)
{
  g_return_if_fail (GADGET_IS_PERMISSION_RULES (self) && GADGET_IS_RULE (rule));

  add (self, rule, stored);
  for (guint i = get_n_items (G_LIST_MODEL (self)); i > 0; i--)
    {
      g_autoptr (GadgetRule) other = get_item (G_LIST_MODEL (self), i - 1);

      if (is_of_another_time (rule, other))
        gadget_permission_rules_revoke (self, other);
    }
}

/* The rules of one chat. (transfer full) (element-type GadgetRule) */
static GPtrArray *
list_of_chat (GadgetPermissionRules *self, const char *session_id)
{
  GPtrArray *rules = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (GadgetRule) rule = get_item (G_LIST_MODEL (self), i);

      if (g_strcmp0 (gadget_rule_get_data (rule)->session, session_id) == 0)
        g_ptr_array_add (rules, g_steal_pointer (&rule));
    }
  return rules;
}

void
gadget_permission_rules_keep (GadgetPermissionRules *self, const char *session_id)
{
  g_autoptr (GPtrArray) rules = NULL;

  g_return_if_fail (GADGET_IS_PERMISSION_RULES (self) && session_id != NULL);

  rules = list_of_chat (self, session_id);
  for (guint i = 0; i < rules->len; i++)
    store_rule (self, g_ptr_array_index (rules, i));
}

void
gadget_permission_rules_forget (GadgetPermissionRules *self, const char *session_id)
{
  g_autoptr (GPtrArray) rules = NULL;

  g_return_if_fail (GADGET_IS_PERMISSION_RULES (self) && session_id != NULL);

  rules = list_of_chat (self, session_id);
  for (guint i = 0; i < rules->len; i++)
    gadget_permission_rules_revoke (self, g_ptr_array_index (rules, i));
}

/* gadget_permission_rules_revoke_all: revokes each rule as gadget_permission_rules_revoke () does.
 * One that the store does not remove comes back to the list. */
void
gadget_permission_rules_revoke_all (GadgetPermissionRules *self)
{
  g_return_if_fail (GADGET_IS_PERMISSION_RULES (self));

  for (guint i = get_n_items (G_LIST_MODEL (self)); i > 0; i--)
    {
      g_autoptr (GadgetRule) rule = get_item (G_LIST_MODEL (self), i - 1);

      gadget_permission_rules_revoke (self, rule);
    }
}

static void
touched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_touch_rule_finish (GADGET_STORE (source), result, &error))
    g_message ("that a rule was used is not saved: %s", error->message);
}

void
gadget_permission_rules_note_used (GadgetPermissionRules *self, GadgetRule *rule)
{
  const gint64 now = gadget_clock_wall_ms ();

  g_return_if_fail (GADGET_IS_PERMISSION_RULES (self) && GADGET_IS_RULE (rule));

  if (now - gadget_rule_get_data (rule)->used_at < USED_STEP_MS)
    return;
  gadget_rule_set_used_at (rule, now);
  if (self->store != NULL)
    gadget_store_touch_rule_async (self->store, rule, touched_cb, NULL);
}

GPtrArray *
gadget_permission_rules_list (GadgetPermissionRules *self, const char *session,
                              const char *workspace)
{
  GPtrArray *rules;

  g_return_val_if_fail (GADGET_IS_PERMISSION_RULES (self), NULL);

  rules = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (GadgetRule) rule = get_item (G_LIST_MODEL (self), i);

      if (gadget_rule_holds_in (rule, session, workspace))
        g_ptr_array_add (rules, g_object_ref (rule));
    }
  return rules;
}
