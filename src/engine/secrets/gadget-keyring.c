/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The keyring of the desktop, over the Secret Service API. libsecret's simple functions treat a
 * keyring that stays locked like one without the key, so the steps are done here:
 *
 *   service → search (locked items too) → unlock the found item, if necessary → load its secret
 *
 * A removal takes the same steps. secret_service_clear () would skip locked items and report
 * success, and gnome-keyring refuses to delete an item that is locked.
 *
 * Each request opens a session of its own with the service, since an older session is invalid after
 * the service was restarted. After a failure, except a timeout or a keyring that stays locked, a
 * request starts again once.
 *
 * A key may be bound to the address that it was entered for, by the attribute "origin". Keys that
 * were stored before that attribute was introduced have none, and are valid for any address. */

#define G_LOG_DOMAIN "gadget-keyring"

#include "config.h"

#include "gadget-keyring.h"

#include "gadget-secrets-key.h"
#include "common/gadget-pending.h"

/* For secret_service_get_session_dbus_path (), which is needed to close a session. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#define SECRET_WITH_UNSTABLE 1
#include <libsecret/secret.h>

#define ORIGIN "origin"

/* The application id separates the keys of a development build. */
static const SecretSchema schema = {
  APPLICATION_ID ".ProviderKey",
  SECRET_SCHEMA_NONE,
  { { "application", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "provider", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { ORIGIN, SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 } },
};

/* Starts the actual work of a request, once the service is open. Takes ownership of the task. */
typedef void (*RequestFunc) (GTask *task);

/* A lookup, a store or a removal of a key; the data of its GTask. */
typedef struct
{
  RequestFunc start;
  char *id;
  char *label;
  char *origin;           /* (nullable): the address that the key is bound to */
  char *key;              /* when stored */
  gboolean retried;       /* this is the second attempt */
  gboolean found;         /* there is a key, whether or not it can be read */
  SecretService *service; /* (nullable): must outlive the item, which does not hold a reference */
  SecretItem *item;       /* (nullable): the item that is looked up */
  GList *locked;          /* (element-type SecretItem): items still to be unlocked and removed */
} Request;

/* libsecret does not close sessions. The service would keep the session, with its data in locked
 * memory, for as long as this program is on the bus. */
static void
close_session (SecretService *service)
{
  const char *path = secret_service_get_session_dbus_path (service);

  if (path != NULL)
    g_dbus_connection_call (g_dbus_proxy_get_connection (G_DBUS_PROXY (service)),
                            g_dbus_proxy_get_name (G_DBUS_PROXY (service)), path,
                            "org.freedesktop.Secret.Session", "Close", NULL, NULL,
                            G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
}

static void
clear_items (Request *request)
{
  g_clear_object (&request->item);
  g_clear_list (&request->locked, g_object_unref);
}

static void
request_free (gpointer data)
{
  Request *request = data;

  if (request->service != NULL)
    close_session (request->service);
  g_free (request->id);
  g_free (request->label);
  g_free (request->origin);
  gadget_secrets_free_key (request->key);
  clear_items (request);
  g_clear_object (&request->service);
  g_free (request);
}

static GTask *
task_new (gpointer tag, RequestFunc start, const char *id, const char *origin,
          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);

  g_task_set_source_tag (task, tag);
  /* The keyring may have stored or removed a key when the request is cancelled; the result says
   * what happened. */
  g_task_set_check_cancellable (task, FALSE);
  request->start = start;
  request->id = g_strdup (id);
  request->origin = g_strdup (origin);
  g_task_set_task_data (task, request, request_free);
  return task;
}

/* --- The service -------------------------------------------------------------------------------
 *
 * If a prompt is closed, or the service leaves the bus meanwhile, secret_prompt_perform_finish ()
 * returns NULL without an error. SecretService (libsecret 0.21) takes that for an error, so that
 * its own prompt function never returns. */

#define GADGET_TYPE_KEYRING_SERVICE (gadget_keyring_service_get_type ())
G_DECLARE_FINAL_TYPE (GadgetKeyringService, gadget_keyring_service, GADGET, KEYRING_SERVICE,
                      SecretService)

struct _GadgetKeyringService
{
  SecretService parent_instance;
};

G_DEFINE_FINAL_TYPE (GadgetKeyringService, gadget_keyring_service, SECRET_TYPE_SERVICE)

/* A keyring may leave the bus because the user closed its prompt. The request is not retried then,
 * since the restarted keyring would show another prompt. */
static void
prompted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = gadget_pending_free_and_take (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value =
      secret_prompt_perform_finish (SECRET_PROMPT (source), result, &error);

  if (task == NULL)
    return;
  if (value != NULL)
    g_task_return_pointer (task, g_steal_pointer (&value), (GDestroyNotify) g_variant_unref);
  else if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_new_error_literal (task, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_LOCKED,
                                     "the keyring went away while it was to be unlocked");
}

/* A prompt that is cancelled is dismissed, but not waited for: libsecret waits until the keyring
 * says that the prompt is completed. */
static void
gadget_keyring_service_prompt_async (SecretService *service, SecretPrompt *prompt,
                                     const GVariantType *type, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (service, cancellable, callback, user_data);

  g_task_set_source_tag (task, gadget_keyring_service_prompt_async);
  g_task_set_check_cancellable (task, FALSE);
  secret_prompt_perform (prompt, NULL, type, cancellable, prompted_cb,
                         gadget_pending_new (task, cancellable, NULL, NULL));
}

static GVariant *
gadget_keyring_service_prompt_finish (SecretService *service, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
gadget_keyring_service_class_init (GadgetKeyringServiceClass *klass)
{
  SecretServiceClass *service_class = SECRET_SERVICE_CLASS (klass);

  service_class->prompt_async = gadget_keyring_service_prompt_async;
  service_class->prompt_finish = gadget_keyring_service_prompt_finish;
}

static void
gadget_keyring_service_init (GadgetKeyringService *self)
{
}

/* Returns the attributes of the key's item (transfer full). */
static GHashTable *
make_attributes (const Request *request, gboolean with_origin)
{
  return secret_attributes_build (&schema, "application", APPLICATION_ID, "provider", request->id,
                                  with_origin && request->origin != NULL ? ORIGIN : NULL,
                                  request->origin, NULL);
}

/* --- Failures -------------------------------------------------------------------------------- */

static gboolean
is_timeout (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)
         || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_TIMEOUT)
         || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_TIMED_OUT);
}

static GError *
make_error (const Request *request, const GError *cause)
{
  GadgetSecretsError code =
      request->found ? GADGET_SECRETS_ERROR_UNREADABLE : GADGET_SECRETS_ERROR_UNAVAILABLE;

  if (g_error_matches (cause, SECRET_ERROR, SECRET_ERROR_IS_LOCKED))
    code = GADGET_SECRETS_ERROR_LOCKED;
  else if (is_timeout (cause))
    code = GADGET_SECRETS_ERROR_TIMED_OUT;
  return g_error_new_literal (GADGET_SECRETS_ERROR, code, cause->message);
}

static void open_service (GTask *task); /* defined below; called again for the second attempt */

/* Completes the request with an error, or starts it again. Takes ownership of @task and @error. */
static void
fail_or_retry (GTask *task, GError *error)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) cause = error;
  Request *request = g_task_get_task_data (task);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
      return;
    }
  if (cause->domain == GADGET_SECRETS_ERROR)
    {
      g_task_return_error (task, g_steal_pointer (&cause));
      return;
    }
  if (request->retried || is_timeout (cause)
      || g_error_matches (cause, SECRET_ERROR, SECRET_ERROR_IS_LOCKED))
    {
      g_task_return_error (task, make_error (request, cause));
      return;
    }
  g_debug ("the keyring is asked again: %s", cause->message);
  request->retried = TRUE;
  request->found = FALSE;
  clear_items (request);
  open_service (g_steal_pointer (&owned));
}

/* --- Opening the service --------------------------------------------------------------------- */

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Request *request = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (SecretService) service = secret_service_open_finish (result, &error);

  if (service == NULL)
    {
      fail_or_retry (g_steal_pointer (&task), error);
      return;
    }
  if (request->service != NULL)
    close_session (request->service);
  g_set_object (&request->service, service);
  request->start (g_steal_pointer (&task));
}

static void
open_service (GTask *task)
{
  secret_service_open (GADGET_TYPE_KEYRING_SERVICE, NULL, SECRET_SERVICE_OPEN_SESSION,
                       g_task_get_cancellable (task), opened_cb, task);
}

/* --- Looking up ------------------------------------------------------------------------------ */

/* Returns the address that an item is bound to (transfer full) (nullable): an empty attribute
 * counts as none. */
static char *
dup_origin (SecretItem *item)
{
  g_autoptr (GHashTable) attributes = secret_item_get_attributes (item);
  const char *origin = g_hash_table_lookup (attributes, ORIGIN);

  return origin != NULL && *origin != '\0' ? g_strdup (origin) : NULL;
}

/* Chooses an item of a provider: one that is bound to the address, else one that is not bound
 * (transfer none) (nullable). */
static SecretItem *
choose_item (GList *items, const char *origin)
{
  SecretItem *unbound = NULL;

  for (GList *l = items; l != NULL; l = l->next)
    {
      g_autofree char *bound = dup_origin (l->data);

      if (origin == NULL || g_strcmp0 (bound, origin) == 0)
        return l->data;
      if (bound == NULL && unbound == NULL)
        unbound = l->data;
    }
  return unbound;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (SecretValue) value = NULL;
  const char *text;

  if (!secret_item_load_secret_finish (SECRET_ITEM (source), result, &error))
    {
      fail_or_retry (g_steal_pointer (&task), error);
      return;
    }
  value = secret_item_get_secret (SECRET_ITEM (source));
  text = value != NULL ? secret_value_get_text (value) : NULL;
  if (text == NULL)
    g_task_return_new_error_literal (task, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_UNREADABLE,
                                     "what the keyring has is not a text");
  else
    g_task_return_pointer (task, g_strdup (text), (GDestroyNotify) gadget_secrets_free_key);
}

static void
load (GTask *task)
{
  const Request *request = g_task_get_task_data (task);

  secret_item_load_secret (request->item, g_task_get_cancellable (task), loaded_cb, task);
}

static gboolean
unlock_finish (GObject *service, GAsyncResult *result, GError **error)
{
  GError *local_error = NULL;
  g_autolist (GDBusProxy) unlocked = NULL;

  if (secret_service_unlock_finish (SECRET_SERVICE (service), result, &unlocked, &local_error) > 0)
    return TRUE;
  /* If the user closed the prompt, nothing is unlocked and there is no error. */
  if (local_error == NULL)
    local_error = g_error_new_literal (GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_LOCKED,
                                       "the keyring was not unlocked");
  g_propagate_error (error, local_error);
  return FALSE;
}

static void
unlocked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (unlock_finish (source, result, &error))
    load (g_steal_pointer (&task));
  else
    fail_or_retry (g_steal_pointer (&task), error);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Request *request = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;
  g_autolist (SecretItem) items =
      secret_service_search_finish (SECRET_SERVICE (source), result, &error);
  SecretItem *item;

  if (error != NULL)
    {
      fail_or_retry (g_steal_pointer (&task), error);
      return;
    }
  if (items == NULL)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  item = choose_item (items, request->origin);
  if (item == NULL)
    {
      g_autofree char *other = dup_origin (items->data);

      g_task_return_new_error (task, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_ORIGIN,
                               "The key was entered for %s, not for %s", other, request->origin);
      return;
    }
  request->found = TRUE;
  g_set_object (&request->item, item);
  if (secret_item_get_locked (item))
    {
      GList one = { item, NULL, NULL };

      secret_service_unlock (SECRET_SERVICE (source), &one, cancellable, unlocked_cb,
                             g_steal_pointer (&task));
    }
  else
    load (g_steal_pointer (&task));
}

static void
start_lookup (GTask *task)
{
  const Request *request = g_task_get_task_data (task);
  g_autoptr (GHashTable) attributes = make_attributes (request, FALSE);

  secret_service_search (request->service, &schema, attributes, SECRET_SEARCH_ALL,
                         g_task_get_cancellable (task), found_cb, task);
}

/**
 * _gadget_keyring_lookup_async:
 * @id: the id of the provider
 * @origin: (nullable): a key that is bound to another address is not returned; %NULL accepts any
 *   key
 */
void
_gadget_keyring_lookup_async (const char *id, const char *origin, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  open_service (task_new (_gadget_keyring_lookup_async, start_lookup, id, origin, cancellable,
                          callback, user_data));
}

/**
 * _gadget_keyring_lookup_finish:
 *
 * Returns: (transfer full) (nullable): the key, to be freed with gadget_secrets_free_key (); %NULL
 *   without an error if there is none, else with a #GadgetSecretsError or %G_IO_ERROR_CANCELLED
 */
char *
_gadget_keyring_lookup_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Deleting -------------------------------------------------------------------------------- */

/* A deletion of items; the data of its GTask. */
typedef struct
{
  guint n_pending;
  GError *error; /* (nullable): the first one */
} Deletion;

static void
free_deletion (gpointer data)
{
  Deletion *deletion = data;

  g_clear_error (&deletion->error);
  g_free (deletion);
}

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Deletion *deletion = g_task_get_task_data (task);

  secret_item_delete_finish (SECRET_ITEM (source), result,
                             deletion->error == NULL ? &deletion->error : NULL);
  if (--deletion->n_pending > 0)
    return;
  if (deletion->error != NULL)
    g_task_return_error (task, g_steal_pointer (&deletion->error));
  else
    g_task_return_boolean (task, TRUE);
}

/* Deletes all of the items, also if one of them cannot be deleted, and returns after the last. */
static void
delete_items_async (GList *items, GCancellable *cancellable, GAsyncReadyCallback callback,
                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Deletion *deletion = g_new0 (Deletion, 1);

  g_task_set_source_tag (task, delete_items_async);
  g_task_set_task_data (task, deletion, free_deletion);
  deletion->n_pending = g_list_length (items);
  if (items == NULL)
    g_task_return_boolean (task, TRUE);
  for (GList *l = items; l != NULL; l = l->next)
    secret_item_delete (l->data, cancellable, deleted_cb, g_object_ref (task));
}

static gboolean
delete_items_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Storing --------------------------------------------------------------------------------- */

static void
others_deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!delete_items_finish (result, &error))
    g_info ("an older key stays in the keyring: %s", error->message);
}

/* The provider's keys for other addresses are not needed any more. */
static void
others_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Request *request = g_task_get_task_data (task);
  g_autolist (SecretItem) items =
      secret_service_search_finish (SECRET_SERVICE (source), result, NULL);
  g_autoptr (GList) others = NULL;

  for (GList *l = items; l != NULL; l = l->next)
    {
      g_autofree char *origin = dup_origin (l->data);

      if (g_strcmp0 (origin, request->origin) != 0)
        others = g_list_prepend (others, l->data);
    }
  delete_items_async (others, NULL, others_deleted_cb, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GHashTable) attributes = NULL;
  GError *error = NULL;

  if (!secret_service_store_finish (SECRET_SERVICE (source), result, &error))
    {
      fail_or_retry (g_steal_pointer (&task), error);
      return;
    }
  attributes = make_attributes (g_task_get_task_data (task), FALSE);
  secret_service_search (SECRET_SERVICE (source), &schema, attributes, SECRET_SEARCH_ALL, NULL,
                         others_found_cb, g_steal_pointer (&task));
}

static void
start_store (GTask *task)
{
  const Request *request = g_task_get_task_data (task);
  g_autoptr (GHashTable) attributes = make_attributes (request, TRUE);
  g_autoptr (SecretValue) value = secret_value_new (request->key, -1, "text/plain");

  secret_service_store (request->service, &schema, attributes, SECRET_COLLECTION_DEFAULT,
                        request->label, value, g_task_get_cancellable (task), stored_cb, task);
}

/**
 * _gadget_keyring_store_async:
 * @id: the id of the provider
 * @label: the name of the item, shown by the keyring
 * @origin: (nullable): the address that the key is bound to
 * @key: the key, which is copied
 *
 * Stores a key in place of all other keys of the provider.
 */
void
_gadget_keyring_store_async (const char *id, const char *label, const char *origin, const char *key,
                             GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task = task_new (_gadget_keyring_store_async, start_store, id, origin, cancellable,
                          callback, user_data);
  Request *request = g_task_get_task_data (task);

  request->label = g_strdup (label);
  request->key = g_strdup (key);
  open_service (task);
}

/* Returns whether the key was stored. */
gboolean
_gadget_keyring_store_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Clearing -------------------------------------------------------------------------------- */

static void clear_deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
clear_unlocked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Request *request = g_task_get_task_data (task);
  g_autolist (SecretItem) items = g_steal_pointer (&request->locked);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;

  if (unlock_finish (source, result, &error))
    delete_items_async (items, cancellable, clear_deleted_cb, g_steal_pointer (&task));
  else
    fail_or_retry (g_steal_pointer (&task), error);
}

static void
clear_deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Request *request = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;

  if (!delete_items_finish (result, &error))
    fail_or_retry (g_steal_pointer (&task), error);
  else if (request->locked != NULL)
    secret_service_unlock (request->service, request->locked, cancellable, clear_unlocked_cb,
                           g_steal_pointer (&task));
  else
    g_task_return_boolean (task, TRUE);
}

/* The items that are not locked are removed first, even if the user then declines to unlock the
 * others. */
static void
clear_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Request *request = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;
  g_autolist (SecretItem) items =
      secret_service_search_finish (SECRET_SERVICE (source), result, &error);
  g_autoptr (GList) open = NULL;

  if (error != NULL)
    {
      fail_or_retry (g_steal_pointer (&task), error);
      return;
    }
  request->found = items != NULL;
  for (GList *l = items; l != NULL; l = l->next)
    if (secret_item_get_locked (l->data))
      request->locked = g_list_prepend (request->locked, g_object_ref (l->data));
    else
      open = g_list_prepend (open, l->data);
  delete_items_async (open, cancellable, clear_deleted_cb, g_steal_pointer (&task));
}

static void
start_clear (GTask *task)
{
  const Request *request = g_task_get_task_data (task);
  g_autoptr (GHashTable) attributes = make_attributes (request, FALSE);

  secret_service_search (request->service, &schema, attributes, SECRET_SEARCH_ALL,
                         g_task_get_cancellable (task), clear_found_cb, task);
}

/**
 * _gadget_keyring_clear_async:
 * @id: the id of the provider
 *
 * Removes all keys of the provider, whatever address they are bound to. The keyring may ask the
 * user to unlock it.
 */
void
_gadget_keyring_clear_async (const char *id, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  open_service (task_new (_gadget_keyring_clear_async, start_clear, id, NULL, cancellable, callback,
                          user_data));
}

/* Returns whether the keyring has no key of the provider any more. */
gboolean
_gadget_keyring_clear_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
