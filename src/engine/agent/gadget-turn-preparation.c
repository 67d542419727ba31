/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lookups before the first request of a turn: the chat, its pictures, and the provider with its
 * key. Each of them keeps the task alive and may return long after the task has returned because of
 * an abort; what it returns is ignored then. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-turn-preparation"

#include "config.h"

#include "gadget-turn-preparation.h"

#include "store/gadget-store-pictures.h"
#include "store/gadget-store-sessions.h"

/* After this time the phase of the turn shows that the keyring is waited for. */
#define KEYRING_LATE_MS 2000

/* The data of the task. Lookups keep the task, and may return long after it has returned. */
typedef struct
{
  GadgetTurnEnvironment *environment;
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  char *provider_id;
  guint keyring_line;    /* the line of the receipt while the keyring is asked, or 0 */
  guint keyring_timer;   /* until the phase shows the wait, or 0 */
  GSource *abort_source; /* (nullable): NULL once the task has returned */
} Preparation;

static void
preparation_free (gpointer data)
{
  Preparation *self = data;

  g_free (self->provider_id);
  g_assert (self->keyring_timer == 0);
  g_object_unref (self->cancellable);
  g_object_unref (self->receipt);
  g_object_unref (self->turn);
  g_object_unref (self->session);
  g_object_unref (self->environment);
  g_free (self);
}

static void
keyring_late_cb (gpointer user_data)
{
  Preparation *self = user_data;

  self->keyring_timer = 0;
  gadget_turn_set_phase (self->turn, GADGET_PHASE_KEYRING);
}

/* The keyring may wait for the user, in a window of its own. */
static void
begin_keyring (Preparation *self)
{
  GadgetProviderList *providers = self->environment->providers;
  const char *name;

  if (!gadget_provider_list_asks_keyring (providers, self->provider_id))
    return;
  name = gadget_provider_config_get_name (gadget_provider_list_find (providers, self->provider_id));
  self->keyring_line = gadget_receipt_begin (self->receipt, GADGET_RECEIPT_KEYRING, name);
  self->keyring_timer = gadget_clock_add_timeout (self->environment->clock, KEYRING_LATE_MS,
                                                  "keyring is late", keyring_late_cb, self);
}

static void
end_keyring (Preparation *self)
{
  if (self->keyring_timer != 0)
    gadget_clock_remove (self->environment->clock, self->keyring_timer);
  self->keyring_timer = 0;
  if (self->keyring_line != 0)
    gadget_receipt_end (self->receipt, self->keyring_line, "dismissed", 0);
  self->keyring_line = 0;
}

/* Returns TRUE the first time: the caller then has to return from the task. */
static gboolean
take_return (Preparation *self)
{
  if (self->abort_source == NULL)
    return FALSE;
  end_keyring (self);
  g_source_destroy (self->abort_source);
  g_clear_pointer (&self->abort_source, g_source_unref);
  return TRUE;
}

static gboolean
aborted_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);

  if (take_return (g_task_get_task_data (task)))
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "aborted");
  return G_SOURCE_REMOVE;
}

static void
resolved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProvider) provider =
      gadget_provider_list_resolve_finish (GADGET_PROVIDER_LIST (source), result, &error);

  if (!take_return (g_task_get_task_data (task)))
    return;
  if (provider != NULL)
    g_task_return_pointer (task, g_steal_pointer (&provider), g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
resolve (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);

  begin_keyring (self);
  gadget_provider_list_resolve_async (self->environment->providers, self->provider_id,
                                      self->cancellable, resolved_cb, g_object_ref (task));
}

static void
pictures_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  /* The model is told which pictures are missing. */
  if (!gadget_store_load_pictures_finish (GADGET_STORE (source), result, &error))
    g_message ("the chat's pictures could not be read: %s", error->message);
  if (self->abort_source != NULL)
    resolve (task);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  /* The turn can go on with the turns that are in memory. */
  if (!gadget_store_load_session_finish (GADGET_STORE (source), result, &error))
    g_message ("the chat could not be read again: %s", error->message);
  if (self->abort_source != NULL)
    gadget_store_load_pictures_async (GADGET_STORE (source), self->session, pictures_loaded_cb,
                                      g_object_ref (task));
}

void
_gadget_turn_preparation_async (GadgetTurnEnvironment *environment, GadgetRun *run,
                                GadgetSession *session, GadgetTurn *turn, gboolean reload,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Preparation *self = g_new0 (Preparation, 1);

  g_task_set_source_tag (task, _gadget_turn_preparation_async);
  self->environment = g_object_ref (environment);
  self->session = g_object_ref (session);
  self->cancellable = g_object_ref (gadget_run_get_cancellable (run));
  self->turn = g_object_ref (turn);
  self->receipt = g_object_ref (gadget_run_get_receipt (run));
  self->provider_id = g_strdup (gadget_turn_get_provider (turn));
  g_task_set_task_data (task, self, preparation_free);

  self->abort_source = g_cancellable_source_new (self->cancellable);
  g_source_set_static_name (self->abort_source, "[gadget] early abort");
  g_source_set_callback (self->abort_source, G_SOURCE_FUNC (aborted_cb), g_object_ref (task),
                         g_object_unref);
  g_source_attach (self->abort_source, g_task_get_context (task));
  if (reload)
    gadget_store_load_session_async (environment->storage->store, session, loaded_cb,
                                     g_object_ref (task));
  else
    resolve (task);
}

GadgetProvider *
_gadget_turn_preparation_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, _gadget_turn_preparation_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
