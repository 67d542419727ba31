/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engine as a whole. Two parts are opened at the same time: the store, then the providers in
 * it, then the chats in it; and the support for commands, which looks for the sandbox. When both
 * are open, the MCP servers are read. gadget-engine-recovery.c and gadget-engine-closing.c have
 * what comes after that. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "gadget-agent-private.h"
#include "gadget-network-watch.h"
#include "agent/saving/gadget-session-list.h"
#include "common/gadget-day-watch.h"
#include "common/gadget-id.h"
#include "effects/gadget-crash-recovery.h"
#include "process/gadget-process.h"
#include "secrets/gadget-secrets.h"
#include "store/gadget-store-folders.h"
#include "store/gadget-store-sessions.h"
#include "store/gadget-store.h"
#include "store/import/gadget-import-clean-up.h"
#include "tools/gadget-tool-ask-user.h"
#include "tools/files/gadget-tool-edit-file.h"
#include "tools/gadget-tool-fetch.h"
#include "tools/search/gadget-tool-find-files.h"
#include "tools/files/gadget-tool-list-dir.h"
#include "tools/files/gadget-tool-read-file.h"
#include "tools/search/gadget-tool-search.h"
#include "tools/gadget-tool-task.h"
#include "tools/gadget-tool-wait.h"
#include "tools/files/gadget-tool-write-file.h"

struct _GadgetEngine
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetChatSearch *search;
  GadgetImports *imports;
  GadgetSecrets *secrets;
  GadgetClock *clock;
  GadgetProviderList *providers;
  GadgetNetworkWatch *network;
  GadgetToolbox *toolbox;
  GadgetAgent *agent;
  GadgetSessionList *chats;
  GListStore *incognito; /* of GadgetSession: gadget-engine-incognito.c */
  GadgetChatFolders *folders;
  GadgetCommands *commands;
  GadgetMcpList *mcp;
  GadgetUnsavedDrafts *drafts;
  GHashTable *deletions; /* (element-type GadgetSession GadgetDeletion) */
  gboolean open_called;  /* gadget_engine_open_async () */
  guint n_opening;       /* parts that are being opened */
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
  g_clear_object (&self->folders);
  g_clear_object (&self->chats);
  g_clear_object (&self->incognito);
  g_clear_object (&self->search);
  g_clear_object (&self->imports);
  g_clear_object (&self->store);
  g_clear_object (&self->clock);
  g_clear_object (&self->commands);

  G_OBJECT_CLASS (gadget_engine_parent_class)->dispose (object);
}

static void
gadget_engine_class_init (GadgetEngineClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_engine_dispose;

  g_signal_new ("naming-failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, GADGET_TYPE_SESSION, G_TYPE_ERROR);
}

static void
gadget_engine_init (GadgetEngine *self)
{
  self->clock = g_object_ref (gadget_clock_get_default ());
  self->toolbox = gadget_toolbox_new ();
  self->incognito = g_list_store_new (GADGET_TYPE_SESSION);
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
  return gadget_session_list_find (self->chats, id);
}

/* A new chat joins the list with its first turn. */
static void
first_turn_cb (GadgetSession *session, guint position, guint removed, guint added,
               GadgetEngine *self)
{
  g_signal_handlers_disconnect_by_func (session, first_turn_cb, self);
  if (gadget_engine_find_session (self, gadget_session_get_id (session)) == NULL)
    gadget_session_list_add (self->chats, session);
}

/* Puts a chat that is stored already into the list, unless the list has one with that id. Returns
 * the one in the list. */
GadgetSession *
_gadget_engine_adopt_session (GadgetEngine *self, GadgetSession *session)
{
  if (gadget_engine_find_session (self, gadget_session_get_id (session)) == NULL)
    gadget_session_list_add (self->chats, session);
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

/* Adds the tools in the order in which models are told of them. "shell" is added when it is known
 * what confines commands; see gadget-commands.c. */
static void
add_tools (GadgetEngine *self)
{
  GadgetRipgrep *ripgrep = gadget_commands_get_ripgrep (self->commands);
  GadgetTool *const tools[] = {
    gadget_tool_read_file_new (),        gadget_tool_write_file_new (),
    gadget_tool_edit_file_new (),        gadget_tool_list_dir_new (),
    gadget_tool_fetch_new (self->clock), gadget_tool_find_files_new (ripgrep),
    gadget_tool_search_new (ripgrep),    gadget_tool_wait_new (self->clock),
    gadget_tool_ask_user_new (),         gadget_tool_task_new (),
  };

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      gadget_toolbox_add (self->toolbox, tools[i]);
      g_object_unref (tools[i]);
    }
}

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

  self->store = gadget_store_new (data_dir);
  self->search = gadget_chat_search_new (self->store);
  self->chats = gadget_session_list_new (self->store);
  self->imports = gadget_imports_new (self->store);
  self->folders = gadget_chat_folders_new (self->store, self->clock);
  self->drafts = gadget_unsaved_drafts_new (self->store, self->chats, self->clock);
  self->commands = gadget_commands_new (self->store, self->toolbox);
  self->secrets = gadget_secrets_new ();
  self->providers = gadget_provider_list_new (self->store, self->secrets, self->clock);
  self->network = _gadget_network_watch_new (gadget_provider_list_get_http (self->providers));
  add_tools (self);
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
part_opened (GTask *task, GError *error)
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
folders_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) rows =
      gadget_store_list_chat_folders_finish (GADGET_STORE (source), result, &error);

  if (rows != NULL)
    gadget_chat_folders_open (self->folders, rows);
  part_opened (task, error);
}

static void
day_cb (GadgetEngine *self)
{
  if (self->agent != NULL)
    gadget_snapshot_service_sweep (gadget_agent_get_snapshot_service (self->agent), FALSE);
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
      gadget_session_list_open (self->chats, sessions, gadget_store_get_listed_digest (result));
      gadget_chat_search_start (self->search);
      gadget_import_clean_up (self->store);
      gadget_crash_recovery_async (gadget_agent_get_snapshot_service (self->agent), NULL, NULL);
      gadget_snapshot_service_sweep (gadget_agent_get_snapshot_service (self->agent), FALSE);
      /* A program that goes on for weeks sweeps as well. */
      g_signal_connect_object (gadget_day_watch_get_default (), "changed", G_CALLBACK (day_cb),
                               self, G_CONNECT_SWAPPED);
      gadget_permission_rules_refresh_async (
          gadget_policy_get_rules (gadget_agent_get_policy (self->agent)), rules_read_cb, NULL);
      gadget_store_list_chat_folders_async (self->store, folders_listed_cb,
                                            g_steal_pointer (&task));
    }
  else
    {
      part_opened (task, error);
    }
}

static void
providers_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (gadget_provider_list_load_finish (GADGET_PROVIDER_LIST (source), result, &error))
    gadget_store_list_sessions_async (self->store, 0, sessions_listed_cb, g_steal_pointer (&task));
  else
    part_opened (task, error);
}

/* The folder that commands have for their caches. (transfer full) */
static char *
dup_cache_dir (void)
{
  return g_build_filename (g_get_user_cache_dir (), "gadget", "commands", NULL);
}

static void
purged_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = GADGET_ENGINE (source);

  _gadget_engine_purge_finish (self, result);
  gadget_agent_load_models (self->agent);
  gadget_provider_list_load_async (self->providers, providers_loaded_cb, g_steal_pointer (&task));
}

static void
store_opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (gadget_store_open_finish (GADGET_STORE (source), result, &error))
    {
      g_autofree char *cache_dir = dup_cache_dir ();

      _gadget_engine_purge_async (self, cache_dir, purged_cb, g_steal_pointer (&task));
    }
  else
    part_opened (task, error);
}

static void
commands_opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gadget_commands_open_finish (GADGET_COMMANDS (source), result);
  part_opened (task, NULL);
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
  g_autofree char *cache_dir = dup_cache_dir ();

  g_return_if_fail (GADGET_IS_ENGINE (self) && !self->open_called);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_open_async);
  self->open_called = TRUE;
  self->n_opening = 2;
  gadget_store_open_async (self->store, store_opened_cb, g_object_ref (task));
  gadget_commands_open_async (self->commands, cache_dir, commands_opened_cb, g_object_ref (task));
}

/**
 * gadget_engine_open_finish:
 *
 * Returns: whether the engine is open; else @error is a #GadgetStoreError
 */
gboolean
gadget_engine_open_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
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
  if (gadget_session_get_incognito (session))
    g_task_return_boolean (task, TRUE);
  else if (gadget_session_get_loaded (session))
    gadget_store_check_session_async (self->store, gadget_session_get_id (session), checked_cb,
                                      g_steal_pointer (&task));
  else
    gadget_store_load_session_async (self->store, session, loaded_cb, g_steal_pointer (&task));
}

/**
 * gadget_engine_load_finish:
 *
 * Returns: whether the turns of the session are in memory; else @error is a #GadgetStoreError,
 *   %GADGET_STORE_ERROR_DELETED for a session that was deleted
 */
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

void
gadget_engine_set_viewed (GadgetEngine *self, gconstpointer viewer, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_ENGINE (self));
  gadget_agent_set_viewed (self->agent, viewer, session);
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

GadgetChatSearch *
gadget_engine_get_search (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->search;
}

GadgetImports *
gadget_engine_get_imports (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->imports;
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

GadgetChatFolders *
gadget_engine_get_chat_folders (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return self->folders;
}

GListModel *
gadget_engine_get_sessions (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return gadget_session_list_get_model (self->chats);
}

GListModel *
gadget_engine_get_incognito (GadgetEngine *self)
{
  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);
  return G_LIST_MODEL (self->incognito);
}

GadgetSessionList *
_gadget_engine_get_session_list (GadgetEngine *self)
{
  return self->chats;
}

GHashTable *
_gadget_engine_get_deletions (GadgetEngine *self)
{
  return self->deletions;
}
