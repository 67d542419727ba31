/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engine as a whole. Two parts are opened at the same time: the store, then the providers in
 * it, then the chats in it; and the support for commands, which looks for the sandbox. When both
 * are open, the MCP servers are read.
 *
 * Closing aborts all runs, waits for their ends, then for the records of changes and for unsaved
 * data at the same time, and then closes the store. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "gadget-chat-list.h"
#include "gadget-network-watch.h"
#include "common/gadget-id.h"
#include "process/gadget-process.h"
#include "secrets/gadget-secrets.h"
#include "store/gadget-store-sessions.h"
#include "store/gadget-store.h"
#include "tools/gadget-tool-ask-user.h"
#include "tools/gadget-tool-edit-file.h"
#include "tools/gadget-tool-fetch.h"
#include "tools/gadget-tool-find-files.h"
#include "tools/gadget-tool-list-dir.h"
#include "tools/gadget-tool-read-file.h"
#include "tools/gadget-tool-search.h"
#include "tools/gadget-tool-task.h"
#include "tools/gadget-tool-wait.h"
#include "tools/gadget-tool-write-file.h"

/* How long closing waits, in milliseconds, for the records of what commands changed. */
#define MAX_RECORDING_MS 2000
/* How long closing waits, in milliseconds, for turns to be saved, after the half second that each
 * commit had. */
#define MAX_SAVING_MS 1000
/* How long closing waits, in milliseconds, for the checks of what commands left in repositories.
 * After a signal the program itself waits less. */
#define MAX_CHECKING_MS 4000

struct _GadgetEngine
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetSecrets *secrets;
  GadgetClock *clock;
  GadgetProviderList *providers;
  GadgetNetworkWatch *network;
  GadgetToolbox *toolbox;
  GadgetAgent *agent;
  GadgetChatList *chats;
  GadgetCommands *commands;
  GadgetMcpList *mcp;
  GadgetUnsavedDrafts *drafts;
  GHashTable *deletions; /* (element-type GadgetSession GadgetDeletion) */
  guint n_opening;       /* parts that are being opened */
  guint n_closing;       /* parts that closing still waits for */
};

G_DEFINE_FINAL_TYPE (GadgetEngine, gadget_engine, G_TYPE_OBJECT)

static void
gadget_engine_dispose (GObject *object)
{
  GadgetEngine *self = GADGET_ENGINE (object);

  g_clear_pointer (&self->deletions, g_hash_table_unref);
  g_clear_object (&self->agent);
  g_clear_object (&self->network);
  g_clear_object (&self->providers);
  g_clear_object (&self->mcp);
  g_clear_object (&self->toolbox);
  g_clear_object (&self->secrets);
  g_clear_object (&self->drafts);
  g_clear_object (&self->chats);
  g_clear_object (&self->store);
  g_clear_object (&self->clock);
  g_clear_object (&self->commands);

  G_OBJECT_CLASS (gadget_engine_parent_class)->dispose (object);
}

static void
gadget_engine_class_init (GadgetEngineClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_engine_dispose;
}

static void
gadget_engine_init (GadgetEngine *self)
{
  self->clock = g_object_ref (gadget_clock_get_default ());
  self->toolbox = gadget_toolbox_new ();
  self->deletions =
      g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) gadget_deletion_free);
}

/* --- The list of chats ------------------------------------------------------------------------ */

/**
 * gadget_engine_find_session:
 *
 * Returns: (transfer none) (nullable): the chat with that id
 */
GadgetSession *
gadget_engine_find_session (GadgetEngine *self, const char *id)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self) && id != NULL, NULL);
  return _gadget_chat_list_find (self->chats, id);
}

/* A new chat joins the list with its first turn. */
static void
first_turn_cb (GadgetSession *session, guint position, guint removed, guint added,
               GadgetEngine *self)
{
  g_signal_handlers_disconnect_by_func (session, first_turn_cb, self);
  if (gadget_engine_find_session (self, gadget_session_get_id (session)) == NULL)
    _gadget_chat_list_add (self->chats, session);
}

/* Puts a chat that is stored already into the list, unless the list has one with that id. Returns
 * the one in the list. */
GadgetSession *
_gadget_engine_adopt_session (GadgetEngine *self, GadgetSession *session)
{
  if (gadget_engine_find_session (self, gadget_session_get_id (session)) == NULL)
    _gadget_chat_list_add (self->chats, session);
  return gadget_engine_find_session (self, gadget_session_get_id (session));
}

GadgetSession *
gadget_engine_new_session (GadgetEngine *self)
{
  g_autofree char *id = gadget_id_new ();
  GadgetSession *session;

  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);

  session = gadget_session_new (id);
  gadget_session_set_loaded (session, TRUE);
  g_signal_connect_object (session, "items-changed", G_CALLBACK (first_turn_cb), self,
                           G_CONNECT_DEFAULT);
  return session;
}

/* --- Opening ---------------------------------------------------------------------------------- */

/**
 * gadget_engine_new:
 * @data_dir: the folder of the store
 *
 * Makes an engine, which is to be opened with gadget_engine_open_async ().
 *
 * Returns: (transfer full): the engine
 */
GadgetEngine *
gadget_engine_new (const char *data_dir)
{
  GadgetEngine *self = g_object_new (GADGET_TYPE_ENGINE, NULL);
  g_autoptr (GadgetTool) read_file = gadget_tool_read_file_new ();
  g_autoptr (GadgetTool) write_file = gadget_tool_write_file_new ();
  g_autoptr (GadgetTool) edit_file = gadget_tool_edit_file_new ();
  g_autoptr (GadgetTool) list_dir = gadget_tool_list_dir_new ();
  g_autoptr (GadgetTool) fetch = gadget_tool_fetch_new (self->clock);
  g_autoptr (GadgetTool) find_files = NULL;
  g_autoptr (GadgetTool) search = NULL;
  g_autoptr (GadgetTool) wait = gadget_tool_wait_new (self->clock);
  g_autoptr (GadgetTool) ask_user = gadget_tool_ask_user_new ();
  g_autoptr (GadgetTool) task = gadget_tool_task_new ();

  self->store = gadget_store_new (data_dir);
  self->chats = _gadget_chat_list_new (self->store);
  self->drafts = _gadget_unsaved_drafts_new (self->store, self->chats, self->clock);
  self->commands = gadget_commands_new (self->store, self->toolbox);
  find_files = gadget_tool_find_files_new (gadget_commands_get_ripgrep (self->commands));
  search = gadget_tool_search_new (gadget_commands_get_ripgrep (self->commands));
  self->secrets = gadget_secrets_new ();
  self->providers = gadget_provider_list_new (self->store, self->secrets, self->clock);
  self->network = _gadget_network_watch_new (gadget_provider_list_get_http (self->providers));
  gadget_toolbox_add (self->toolbox, read_file);
  gadget_toolbox_add (self->toolbox, write_file);
  gadget_toolbox_add (self->toolbox, edit_file);
  gadget_toolbox_add (self->toolbox, list_dir);
  gadget_toolbox_add (self->toolbox, fetch);
  gadget_toolbox_add (self->toolbox, find_files);
  gadget_toolbox_add (self->toolbox, search);
  gadget_toolbox_add (self->toolbox, wait);
  gadget_toolbox_add (self->toolbox, ask_user);
  gadget_toolbox_add (self->toolbox, task);
  self->mcp = gadget_mcp_list_new (self->store, self->secrets, self->clock, self->toolbox);
  self->agent = gadget_agent_new (self->providers, self->toolbox, self->store, self->clock);
  g_signal_connect_object (gadget_agent_get_registry (self->agent), "abort-all",
                           G_CALLBACK (gadget_mcp_list_stop_connecting), self->mcp,
                           G_CONNECT_SWAPPED);
  return self;
}

static void
mcp_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  /* The chats can be used without the MCP servers. */
  if (!gadget_mcp_list_load_finish (GADGET_MCP_LIST (source), result, &error))
    g_message ("the MCP servers could not be read: %s", error->message);
  g_task_return_boolean (task, TRUE);
}

/* One of the two parts has been opened, or could not be. The second call goes on, or returns the
 * first error. @error is (transfer full) (nullable). */
static void
half_opened (GTask *task, GError *error)
{
  if (error != NULL && g_task_get_task_data (task) == NULL)
    g_task_set_task_data (task, error, (GDestroyNotify) g_error_free);
  else
    g_clear_error (&error);
  if (--GADGET_ENGINE (g_task_get_source_object (task))->n_opening > 0)
    return;
  error = g_task_get_task_data (task);
  if (error != NULL)
    {
      g_task_return_error (task, g_error_copy (error));
    }
  else
    {
      GadgetEngine *self = g_task_get_source_object (task);

      gadget_mcp_list_load_async (self->mcp, gadget_commands_get_sandbox (self->commands),
                                  mcp_loaded_cb, g_object_ref (task));
    }
}

static void
rules_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  /* The rules are read again before each use; none allows anything until that has succeeded. */
  if (!gadget_permission_rules_refresh_finish (GADGET_PERMISSION_RULES (source), result, &error))
    g_message ("the rules could not be read: %s", error->message);
}

static void
sessions_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) sessions =
      gadget_store_list_sessions_finish (GADGET_STORE (source), result, &error);

  if (sessions != NULL)
    {
      _gadget_chat_list_open (self->chats, sessions);
      gadget_snapshot_service_recover (gadget_agent_get_snapshot_service (self->agent));
      gadget_snapshot_service_sweep (gadget_agent_get_snapshot_service (self->agent), FALSE);
      gadget_permission_rules_refresh_async (
          gadget_policy_get_rules (gadget_agent_get_policy (self->agent)), rules_read_cb, NULL);
    }
  half_opened (task, error);
}

static void
providers_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (gadget_provider_list_load_finish (GADGET_PROVIDER_LIST (source), result, &error))
    gadget_store_list_sessions_async (self->store, sessions_listed_cb, g_steal_pointer (&task));
  else
    half_opened (task, error);
}

static void
store_opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (gadget_store_open_finish (GADGET_STORE (source), result, &error))
    {
      gadget_agent_load_model_limits (self->agent);
      gadget_provider_list_load_async (self->providers, providers_loaded_cb,
                                       g_steal_pointer (&task));
    }
  else
    half_opened (task, error);
}

static void
commands_opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gadget_commands_open_finish (GADGET_COMMANDS (source), result);
  half_opened (task, NULL);
}

/**
 * gadget_engine_open_async:
 *
 * Opens the engine. May be called only once. Fails with a #GadgetStoreError when the store cannot
 * be opened or read; MCP servers that cannot be read are only logged.
 */
void
gadget_engine_open_async (GadgetEngine *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *cache_dir =
      g_build_filename (g_get_user_cache_dir (), "gadget", "commands", NULL);

  g_return_if_fail (GADGET_IS_ENGINE (self) && self->n_opening == 0);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_open_async);
  self->n_opening = 2;
  gadget_store_open_async (self->store, store_opened_cb, g_object_ref (task));
  gadget_commands_open_async (self->commands, cache_dir, commands_opened_cb, g_object_ref (task));
}

gboolean
gadget_engine_open_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Recovery --------------------------------------------------------------------------------- */

static gboolean
is_recovered (GPtrArray *recovered, GadgetSession *session)
{
  for (guint i = 0; i < recovered->len; i++)
    {
      const GadgetRecovered *one = g_ptr_array_index (recovered, i);

      if (one->turn_id != NULL && g_str_equal (one->session_id, gadget_session_get_id (session)))
        return TRUE;
    }
  return FALSE;
}

/* Adds the chats with a turn that was cut off by the end of its process. */
static void
add_cut_off (GadgetEngine *self, GPtrArray *recovered)
{
  GListModel *sessions = gadget_engine_get_sessions (self);

  for (guint i = 0; i < g_list_model_get_n_items (sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);
      GadgetRecovered *one;

      if (!gadget_session_get_interrupted (session))
        continue;
      gadget_session_set_interrupted (session, FALSE);
      if (is_recovered (recovered, session))
        continue;
      one = g_new0 (GadgetRecovered, 1);
      one->session_id = g_strdup (gadget_session_get_id (session));
      one->title = g_strdup (gadget_session_get_title (session));
      one->cut_off = TRUE;
      g_ptr_array_add (recovered, one);
    }
}

/* The contents of the recovery files that were found. */
typedef struct
{
  GPtrArray *turns;  /* of GadgetRecovered */
  GPtrArray *drafts; /* of GadgetRecoveredDraft */
} Recovery;

static void
recovery_free (gpointer data)
{
  Recovery *recovery = data;

  g_ptr_array_unref (recovery->turns);
  g_ptr_array_unref (recovery->drafts);
  g_free (recovery);
}

static void
return_recovered (GTask *task)
{
  GadgetEngine *self = g_task_get_source_object (task);
  const Recovery *recovery = g_task_get_task_data (task);

  add_cut_off (self, recovery->turns);
  _gadget_unsaved_drafts_end_recovery (self->drafts, recovery->drafts);
  g_task_return_pointer (task, g_ptr_array_ref (recovery->turns),
                         (GDestroyNotify) g_ptr_array_unref);
}

static void
recovered_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_load_session_finish (GADGET_STORE (source), result, &error))
    g_message ("a chat with a recovered turn could not be read again: %s", error->message);
}

static void
recovered_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  const GPtrArray *recovered = ((const Recovery *) g_task_get_task_data (task))->turns;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sessions =
      gadget_store_list_sessions_finish (GADGET_STORE (source), result, &error);

  if (sessions != NULL)
    _gadget_chat_list_merge (self->chats, sessions);
  else
    g_message ("the list of chats could not be read again: %s", error->message);
  for (guint i = 0; i < recovered->len; i++)
    {
      const GadgetRecovered *one = g_ptr_array_index (recovered, i);
      GadgetSession *session = gadget_engine_find_session (self, one->session_id);

      if (session == NULL || one->path != NULL)
        continue;
      /* The queue was changed here since it was read, so the merged one has to be written. */
      if (gadget_recovered_merge_queue (one, session))
        gadget_engine_save (self, session);
      /* This includes chats that are not loaded: a load may be under way that has read the rows
       * before the turn was recovered. */
      gadget_store_load_session_async (self->store, session, recovered_read_cb, NULL);
    }
  return_recovered (task);
}

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;
  GPtrArray *drafts = NULL;
  GPtrArray *turns = gadget_recovery_restore_finish (result, &drafts, &error);
  Recovery *recovery;

  if (turns == NULL)
    {
      _gadget_unsaved_drafts_end_recovery (self->drafts, NULL);
      g_task_return_error (task, error);
      return;
    }
  recovery = g_new0 (Recovery, 1);
  recovery->turns = turns;
  recovery->drafts = drafts;
  g_task_set_task_data (task, recovery, recovery_free);
  if (turns->len == 0)
    return_recovered (task);
  else
    gadget_store_list_sessions_async (self->store, recovered_listed_cb, g_steal_pointer (&task));
}

/**
 * gadget_engine_recover_async:
 *
 * Stores the turns and the changes of chats that earlier processes could not save, from the
 * recovery files that they left; see store/gadget-recovery.h. The chats are in the list afterwards.
 * Messages that were not sent, and could not be saved either, become the drafts of their chats
 * again. The result also has, once, the chats with a turn that was cut off by the end of its
 * process. For programs that can tell the user about the result.
 */
void
gadget_engine_recover_async (GadgetEngine *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_recover_async);
  _gadget_unsaved_drafts_begin_recovery (self->drafts);
  gadget_recovery_restore_async (self->store, restored_cb, task);
}

/**
 * gadget_engine_recover_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetRecovered): what the user is to be told;
 *   %NULL with a #GadgetStoreError
 */
GPtrArray *
gadget_engine_recover_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Sessions on disk ------------------------------------------------------------------------- */

/* @error is why @session could not be read or checked. */
static void
note_deleted (GadgetSession *session, const GError *error)
{
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    gadget_session_set_deletion (session, GADGET_DELETION_DONE);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetSession *session = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_store_load_session_finish (GADGET_STORE (source), result, &error))
    {
      note_deleted (session, error);
      g_task_return_error (task, error);
      return;
    }
  gadget_session_set_loaded (session, TRUE);
  g_task_return_boolean (task, TRUE);
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gadget_store_check_session_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  note_deleted (g_task_get_task_data (task), error);
  g_task_return_error (task, error);
}

/**
 * gadget_engine_load_async:
 *
 * Fails with a #GadgetStoreError, which is %GADGET_STORE_ERROR_DELETED for a session that was
 * deleted.
 */
void
gadget_engine_load_async (GadgetEngine *self, GadgetSession *session, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_load_async);
  g_task_set_task_data (task, g_object_ref (session), g_object_unref);
  if (gadget_session_get_loaded (session))
    gadget_store_check_session_async (self->store, gadget_session_get_id (session), checked_cb,
                                      g_steal_pointer (&task));
  else
    gadget_store_load_session_async (self->store, session, loaded_cb, g_steal_pointer (&task));
}

gboolean
gadget_engine_load_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
gadget_engine_save (GadgetEngine *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));

  /* A chat without turns is not in the list and is not stored. */
  if (gadget_engine_find_session (self, gadget_session_get_id (session)) != NULL)
    _gadget_agent_save_session (self->agent, session);
}

/* --- Waiting until all is saved --------------------------------------------------------------- */

static void
part_saved (GTask *task)
{
  guint *n_parts = g_task_get_task_data (task);

  if (--*n_parts > 0)
    return;
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
turns_settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_unsaved_turns_settle_finish (GADGET_UNSAVED_TURNS (source), result);
  part_saved (user_data);
}

static void
sessions_settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_unsaved_sessions_settle_finish (GADGET_UNSAVED_SESSIONS (source), result);
  part_saved (user_data);
}

static void
drafts_settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_unsaved_drafts_settle_finish (GADGET_UNSAVED_DRAFTS (source), result);
  part_saved (user_data);
}

void
gadget_engine_settle_async (GadgetEngine *self, guint milliseconds, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  guint *n_parts;
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_settle_async);
  n_parts = g_new (guint, 1);
  *n_parts = 3;
  g_task_set_task_data (task, n_parts, g_free);
  gadget_unsaved_turns_settle_async (gadget_agent_get_unsaved (self->agent), milliseconds,
                                     turns_settled_cb, task);
  gadget_unsaved_sessions_settle_async (gadget_agent_get_unsaved_sessions (self->agent),
                                        milliseconds, sessions_settled_cb, task);
  gadget_unsaved_drafts_settle_async (self->drafts, milliseconds, drafts_settled_cb, task);
}

void
gadget_engine_settle_finish (GadgetEngine *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* --- Closing ---------------------------------------------------------------------------------- */

static void
repositories_checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gadget_process_settle_finish (result);
  g_task_return_boolean (task, TRUE);
}

static void
store_closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_close_finish (GADGET_STORE (source), result, &error))
    g_message ("the store was not closed: %s", error->message);
  gadget_process_settle_async (MAX_CHECKING_MS, repositories_checked_cb, user_data);
}

/* Called for each of two parts: the records of changes, and the unsaved turns, chats and drafts.
 * The second call closes the store. */
static void
part_settled (GTask *task)
{
  GadgetEngine *self = g_task_get_source_object (task);

  if (--self->n_closing == 0)
    gadget_store_close_async (self->store, store_closed_cb, task);
}

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_snapshot_service_settle_finish (GADGET_SNAPSHOT_SERVICE (source), result);
  part_settled (user_data);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetEngine *self = GADGET_ENGINE (source);

  gadget_engine_settle_finish (self, result);
  gadget_unsaved_turns_keep_files (gadget_agent_get_unsaved (self->agent));
  part_settled (user_data);
}

static void
close_when_idle (GTask *task)
{
  GadgetEngine *self = g_task_get_source_object (task);
  g_autoptr (GPtrArray) runs = gadget_registry_list (gadget_agent_get_registry (self->agent));

  if (runs->len > 0)
    return;
  g_signal_handlers_disconnect_by_data (self->agent, task);
  g_signal_handlers_disconnect_by_data (gadget_agent_get_registry (self->agent), task);
  gadget_mcp_list_close (self->mcp);
  /* This records what the last command changed, and usually takes milliseconds. */
  self->n_closing = 2;
  gadget_snapshot_service_settle_async (gadget_agent_get_snapshot_service (self->agent),
                                        MAX_RECORDING_MS, recorded_cb, task);
  gadget_engine_settle_async (self, MAX_SAVING_MS, saved_cb, task);
}

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              GTask *task)
{
  close_when_idle (task);
}

/* A turn's run is followed by GadgetAgent::completed; other runs are over when they leave the
 * registry. */
static void
run_removed_cb (GadgetRegistry *registry, GadgetRun *run, GTask *task)
{
  if (gadget_run_get_kind (run) != GADGET_RUN_TURN)
    close_when_idle (task);
}

void
gadget_engine_close_async (GadgetEngine *self, GadgetStopReason reason,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_close_async);
  g_signal_connect (self->agent, "completed", G_CALLBACK (completed_cb), task);
  g_signal_connect (gadget_agent_get_registry (self->agent), "removed", G_CALLBACK (run_removed_cb),
                    task);
  gadget_agent_close (self->agent);
  _gadget_engine_settle_deletions (self);
  gadget_abort_ack_free (gadget_agent_abort (self->agent, NULL, NULL, reason));
  close_when_idle (task);
}

void
gadget_engine_close_finish (GadgetEngine *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

GHashTable *
_gadget_engine_get_deletions (GadgetEngine *self)
{
  return self->deletions;
}

/* --- Parts ------------------------------------------------------------------------------------ */

GadgetAgent *
gadget_engine_get_agent (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->agent;
}

GadgetProviderList *
gadget_engine_get_providers (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->providers;
}

GadgetMcpList *
gadget_engine_get_mcp (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->mcp;
}

GadgetSecrets *
gadget_engine_get_secrets (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->secrets;
}

GadgetStore *
gadget_engine_get_store (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->store;
}

GadgetUnsavedDrafts *
gadget_engine_get_drafts (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->drafts;
}

GadgetCommands *
gadget_engine_get_commands (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->commands;
}

GListModel *
gadget_engine_get_sessions (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return _gadget_chat_list_get_model (self->chats);
}
