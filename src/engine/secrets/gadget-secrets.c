/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A key is looked up in this order: the key given for this run, the file that the environment
 * names, the key that was stored in this run without a keyring, the keyring. A key is never logged,
 * and the strings that hold one are overwritten before they are freed. */

#define G_LOG_DOMAIN "gadget-secrets"

#include "config.h"

#include "gadget-secrets.h"

#include "gadget-key-file.h"
#include "gadget-keyring.h"

struct _GadgetSecrets
{
  GObject parent_instance;

  gboolean in_memory;
  gboolean persistent;
  GError *failure;     /* (nullable): why keys are not kept after this run */
  GHashTable *for_run; /* (element-type utf8 utf8): keys given for this run */
  GHashTable *stored;  /* (element-type utf8 Entry): keys stored without a keyring */
};

enum
{
  PROP_PERSISTENT = 1,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetSecrets, gadget_secrets, G_TYPE_OBJECT)

static void
free_key (gpointer data)
{
  gadget_secrets_free_key (data);
}

static void
set_persistent (GadgetSecrets *self, gboolean persistent)
{
  if (persistent)
    g_clear_error (&self->failure);
  if (self->persistent == persistent)
    return;
  self->persistent = persistent;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PERSISTENT]);
}

/* A failure of the keyring does not stop the chat; it is logged, and kept for
 * gadget_secrets_get_failure (). */
static void
note_failure (GadgetSecrets *self, const GError *error)
{
  g_info ("the keyring can't be used: %s", error->message);
  g_clear_error (&self->failure);
  self->failure = g_error_copy (error);
  set_persistent (self, FALSE);
}

/* A key that is kept in memory. */
typedef struct
{
  char *id;
  char *origin; /* (nullable): the address that the key is bound to */
  char *key;
} Entry;

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->id);
  g_free (entry->origin);
  gadget_secrets_free_key (entry->key);
  g_free (entry);
}

static Entry *
entry_new (const char *id, const char *origin, const char *key)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->id = g_strdup (id);
  entry->origin = g_strdup (origin);
  entry->key = g_strdup (key);
  return entry;
}

static void
keep_in_memory (GadgetSecrets *self, const Entry *entry)
{
  g_hash_table_insert (self->stored, g_strdup (entry->id),
                       entry_new (entry->id, entry->origin, entry->key));
}

/* --- Storing --------------------------------------------------------------------------------- */

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetSecrets *self = g_task_get_source_object (task);
  Entry *entry = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (_gadget_keyring_store_finish (result, &error))
    {
      g_hash_table_remove (self->stored, entry->id);
      set_persistent (self, TRUE);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  else
    {
      note_failure (self, error);
      keep_in_memory (self, entry);
    }
  g_task_return_boolean (task, TRUE);
}

/**
 * gadget_secrets_store_async:
 * @id: the id of the provider
 * @name: (nullable): the name of the provider, shown by the keyring
 * @origin: (nullable): the address that the key is bound to, see gadget_secrets_lookup_async ()
 * @key: the key, which is copied
 *
 * Stores a key in place of the provider's earlier one.
 */
void
gadget_secrets_store_async (GadgetSecrets *self, const char *id, const char *name,
                            const char *origin, const char *key, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *label = NULL;
  Entry *entry;

  g_return_if_fail (GADGET_IS_SECRETS (self));
  g_return_if_fail (id != NULL && key != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_secrets_store_async);
  g_task_set_check_cancellable (task, FALSE);
  entry = entry_new (id, origin, key);
  g_task_set_task_data (task, entry, free_entry);
  if (self->in_memory)
    {
      keep_in_memory (self, entry);
      g_task_return_boolean (task, TRUE);
      return;
    }
  label = g_strdup_printf ("Gadget: %s", name != NULL ? name : id);
  _gadget_keyring_store_async (id, label, origin, key, cancellable, stored_cb,
                               g_steal_pointer (&task));
}

/**
 * gadget_secrets_store_finish:
 *
 * Returns: %TRUE if the key is kept, possibly for this run only: see "persistent". %FALSE only with
 *   %G_IO_ERROR_CANCELLED
 */
gboolean
gadget_secrets_store_finish (GadgetSecrets *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Looking up ------------------------------------------------------------------------------ */

static gboolean
is_unreachable (const GError *error)
{
  return g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_UNAVAILABLE)
         || g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_TIMED_OUT);
}

static void
looked_up_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetSecrets *self = g_task_get_source_object (task);
  GError *error = NULL;
  char *key = _gadget_keyring_lookup_finish (result, &error);

  if (error == NULL)
    {
      set_persistent (self, TRUE);
      g_task_return_pointer (task, key, free_key);
      return;
    }
  if (is_unreachable (error))
    note_failure (self, error);
  g_task_return_error (task, error);
}

static void
return_stored (GTask *task, const Entry *entry, const char *origin)
{
  if (entry != NULL && entry->origin != NULL && origin != NULL
      && !g_str_equal (entry->origin, origin))
    g_task_return_new_error (task, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_ORIGIN,
                             "The key was entered for %s, not for %s", entry->origin, origin);
  else
    g_task_return_pointer (task, entry != NULL ? g_strdup (entry->key) : NULL, free_key);
}

static void
file_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *key = gadget_key_file_read_finish (result, &error);

  if (key != NULL)
    g_task_return_pointer (task, key, free_key);
  else
    g_task_return_error (task, error);
}

/**
 * gadget_secrets_asks_keyring:
 * @id: the id of a provider
 *
 * Returns: whether a lookup of this key asks the keyring, which may take long
 */
gboolean
gadget_secrets_asks_keyring (GadgetSecrets *self, const char *id)
{
  g_autofree char *variable = NULL;
  const char *path;

  g_return_val_if_fail (GADGET_IS_SECRETS (self) && id != NULL, FALSE);

  variable = gadget_key_file_make_variable (id);
  path = g_getenv (variable);
  return !self->in_memory && (path == NULL || *path == '\0')
         && !g_hash_table_contains (self->for_run, id) && !g_hash_table_contains (self->stored, id);
}

/**
 * gadget_secrets_lookup_async:
 * @id: the id of a provider
 * @origin: (nullable): the address that the key is for, "https://host:port"; a key that was stored
 *   for another address is not returned. Keys of this run and of files are not bound to an address
 *
 * Looks up the key of a provider.
 */
void
gadget_secrets_lookup_async (GadgetSecrets *self, const char *id, const char *origin,
                             GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *variable = NULL;
  const char *path;
  const Entry *stored;

  g_return_if_fail (GADGET_IS_SECRETS (self) && id != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_secrets_lookup_async);
  variable = gadget_key_file_make_variable (id);
  path = g_getenv (variable);
  stored = g_hash_table_lookup (self->stored, id);

  if (g_hash_table_contains (self->for_run, id))
    g_task_return_pointer (task, g_strdup (g_hash_table_lookup (self->for_run, id)), free_key);
  else if (path != NULL && *path != '\0')
    gadget_key_file_read_async (path, cancellable, file_read_cb, g_steal_pointer (&task));
  else if (stored != NULL || self->in_memory)
    return_stored (task, stored, origin);
  else
    _gadget_keyring_lookup_async (id, origin, cancellable, looked_up_cb, g_steal_pointer (&task));
}

/**
 * gadget_secrets_lookup_finish:
 *
 * Returns: (transfer full) (nullable): the key, for gadget_secrets_free_key (). %NULL without an
 *   error if there is none; else with a #GadgetSecretsError or %G_IO_ERROR_CANCELLED
 */
char *
gadget_secrets_lookup_finish (GadgetSecrets *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Clearing -------------------------------------------------------------------------------- */

static void
cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  _gadget_keyring_clear_finish (result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (is_unreachable (error))
    note_failure (g_task_get_source_object (task), error);
  else if (error != NULL)
    g_message ("a key stays in the keyring: %s", error->message);
  g_task_return_boolean (task, error == NULL);
}

/**
 * gadget_secrets_clear_async:
 * @id: the id of a provider
 *
 * Removes the key of a provider from memory and from the keyring.
 */
void
gadget_secrets_clear_async (GadgetSecrets *self, const char *id, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_SECRETS (self) && id != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_secrets_clear_async);
  g_task_set_check_cancellable (task, FALSE);
  g_hash_table_remove (self->for_run, id);
  g_hash_table_remove (self->stored, id);
  if (self->in_memory)
    g_task_return_boolean (task, TRUE);
  else
    _gadget_keyring_clear_async (id, cancellable, cleared_cb, g_steal_pointer (&task));
}

/**
 * gadget_secrets_clear_finish:
 *
 * Returns: whether the key was removed. %FALSE without an error if the keyring failed, or with
 *   %G_IO_ERROR_CANCELLED
 */
gboolean
gadget_secrets_clear_finish (GadgetSecrets *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- The object ------------------------------------------------------------------------------ */

static void
gadget_secrets_finalize (GObject *object)
{
  GadgetSecrets *self = GADGET_SECRETS (object);

  g_clear_error (&self->failure);
  g_hash_table_unref (self->for_run);
  g_hash_table_unref (self->stored);

  G_OBJECT_CLASS (gadget_secrets_parent_class)->finalize (object);
}

static void
gadget_secrets_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GadgetSecrets *self = GADGET_SECRETS (object);

  switch (id)
    {
    case PROP_PERSISTENT:
      g_value_set_boolean (value, self->persistent);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
gadget_secrets_class_init (GadgetSecretsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gadget_secrets_finalize;
  object_class->get_property = gadget_secrets_get_property;

  /**
   * GadgetSecrets:persistent:
   *
   * %TRUE if keys are kept after this run: until the keyring has failed; %FALSE if none is used.
   */
  properties[PROP_PERSISTENT] =
      g_param_spec_boolean ("persistent", NULL, NULL, TRUE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
gadget_secrets_init (GadgetSecrets *self)
{
  self->persistent = TRUE;
  self->for_run = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_key);
  self->stored = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_entry);
}

/**
 * gadget_secrets_new:
 *
 * Returns: (transfer full): an object that uses the keyring
 */
GadgetSecrets *
gadget_secrets_new (void)
{
  return g_object_new (GADGET_TYPE_SECRETS, NULL);
}

/**
 * gadget_secrets_new_in_memory:
 *
 * Returns: (transfer full): an object that never uses a keyring, for tests and for runs that must
 *   leave no data behind
 */
GadgetSecrets *
gadget_secrets_new_in_memory (void)
{
  GadgetSecrets *self = gadget_secrets_new ();

  self->in_memory = TRUE;
  self->persistent = FALSE;
  return self;
}

/* gadget_secrets_get_persistent: returns whether keys outlive this process: %FALSE while the
 * keyring cannot be reached and keys are kept in memory. The property "persistent" notifies it. */
gboolean
gadget_secrets_get_persistent (GadgetSecrets *self)
{
  g_return_val_if_fail (GADGET_IS_SECRETS (self), FALSE);
  return self->persistent;
}

/**
 * gadget_secrets_get_failure:
 *
 * Returns: (transfer none) (nullable): why keys are not kept after this run, a #GadgetSecretsError;
 *   %NULL while they are kept, and if no keyring is used
 */
const GError *
gadget_secrets_get_failure (GadgetSecrets *self)
{
  g_return_val_if_fail (GADGET_IS_SECRETS (self), NULL);
  return self->failure;
}

/**
 * gadget_secrets_set_for_run:
 * @id: the id of a provider
 * @key: (nullable): the key; %NULL to remove it
 *
 * Sets the key of a provider for this run.
 */
void
gadget_secrets_set_for_run (GadgetSecrets *self, const char *id, const char *key)
{
  g_return_if_fail (GADGET_IS_SECRETS (self) && id != NULL);

  if (key == NULL)
    g_hash_table_remove (self->for_run, id);
  else
    g_hash_table_insert (self->for_run, g_strdup (id), g_strstrip (g_strdup (key)));
}
