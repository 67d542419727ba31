/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opening has three parts. The sandbox is probed while the two settings are read (the store works
 * in order, so they may be requested before it is open). Then the folders of tools are searched in
 * a thread. Whether commands can have a network namespace of their own is found out after that, and
 * opening does not wait for it: until then a command with permission for the network shares the
 * network of the computer, and the prompt says so.
 *
 * The settings belong to the store, so that the window and the command line agree about them. */

#define G_LOG_DOMAIN "gadget-commands"

#include "config.h"

#include "gadget-commands.h"

#include "gadget-tool-shell.h"
#include "common/gadget-blocking.h"
#include "common/gadget-bus.h"
#include "process/sandbox/gadget-sandbox-cache.h"
#include "process/git/gadget-sandbox-git.h"
#include "process/gadget-sandbox-probe.h"
#include "process/sandbox/gadget-systemd.h"
#include "store/gadget-store-providers.h"

#define UNCONFINED_KEY "commands-unconfined"
#define TOOLS_KEY "commands-tool-folders" /* one per line */

struct _GadgetCommands
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetToolbox *toolbox;
  GadgetRipgrep *ripgrep;
  char *cache_dir;
  GadgetSandbox *sandbox; /* (nullable) */
  GadgetSystemd *systemd;
  char *reason; /* (nullable) */
  gboolean unconfined;
  GStrv changes;
  GadgetSandboxTools *tools; /* (nullable): known once opening has finished */
  guint n_searches;          /* the number of searches for tools; only the last one counts */
  guint n_opening;           /* parts of opening that have not finished */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetCommands, gadget_commands, G_TYPE_OBJECT)

static void
gadget_commands_dispose (GObject *object)
{
  GadgetCommands *self = GADGET_COMMANDS (object);

  g_clear_object (&self->store);
  g_clear_object (&self->toolbox);
  g_clear_object (&self->ripgrep);
  g_clear_object (&self->sandbox);
  g_clear_object (&self->systemd);
  g_clear_pointer (&self->cache_dir, g_free);
  g_clear_pointer (&self->reason, g_free);
  g_clear_pointer (&self->changes, g_strfreev);
  g_clear_pointer (&self->tools, gadget_sandbox_tools_unref);

  G_OBJECT_CLASS (gadget_commands_parent_class)->dispose (object);
}

static void
gadget_commands_class_init (GadgetCommandsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_commands_dispose;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_commands_init (GadgetCommands *self)
{
  self->changes = g_new0 (char *, 1);
  self->ripgrep = gadget_ripgrep_new ();
}

/* --- The tool ----------------------------------------------------------------------------------
 */

static void
offer (GadgetCommands *self)
{
  g_autoptr (GadgetTool) shell = NULL;
  g_autoptr (GadgetSandbox) none = NULL;

  gadget_toolbox_remove (self->toolbox, "shell");
  if (self->sandbox != NULL)
    {
      shell = gadget_tool_shell_new (self->sandbox);
    }
  else if (self->unconfined)
    {
      none = gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
      shell = gadget_tool_shell_new (none);
    }
  if (shell != NULL)
    gadget_toolbox_add (self->toolbox, shell);
  gadget_ripgrep_set_sandbox (self->ripgrep, self->sandbox);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- Tools' folders ----------------------------------------------------------------------------
 */

static gpointer
find_tools (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  return gadget_sandbox_tools_find (g_get_home_dir (), data);
}

/* Opening must not hang with a folder that hangs, so tools that are found later count from then
 * on. */
static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetCommands *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSandboxTools) tools = gadget_blocking_run_finish (result, &error);

  if (tools == NULL)
    g_warning ("the folders of tools were not looked for: %s", error->message);
  if (tools != NULL && GPOINTER_TO_UINT (g_task_get_task_data (task)) == self->n_searches)
    {
      g_clear_pointer (&self->tools, gadget_sandbox_tools_unref);
      self->tools = g_steal_pointer (&tools);
      gadget_sandbox_set_tools (self->sandbox, self->tools);
      g_signal_emit (self, signals[CHANGED], 0);
    }
  g_task_return_boolean (task, TRUE);
}

static void
search_tools (GadgetCommands *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_static_name (task, "gadget-commands-look");
  g_task_set_task_data (task, GUINT_TO_POINTER (++self->n_searches), NULL);
  gadget_blocking_run_async (NULL, find_tools, g_strdupv (self->changes),
                             (GDestroyNotify) g_strfreev, gadget_sandbox_tools_unref, found_cb,
                             g_steal_pointer (&task));
}

/* --- Opening -----------------------------------------------------------------------------------
 */

static void
cleaned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_sandbox_cache_clean_finish (result);
}

static void
network_probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetCommands) self = user_data;

  gadget_sandbox_probe_network_finish (result);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetCommands *self = GADGET_COMMANDS (source);

  g_task_propagate_boolean (G_TASK (result), NULL);
  offer (self);
  gadget_git_notes_check_in_background (gadget_sandbox_dup_notes_dir (self->sandbox));
  gadget_sandbox_cache_clean_async (self->cache_dir, GADGET_SANDBOX_CACHE_MAX_TOTAL, cleaned_cb,
                                    NULL);
  gadget_sandbox_probe_network_async (self->sandbox, network_probed_cb, g_object_ref (self));
  g_task_return_boolean (task, TRUE);
}

static void
part_opened (GTask *task)
{
  GadgetCommands *self = g_task_get_source_object (task);

  if (--self->n_opening > 0)
    return;
  if (self->sandbox != NULL)
    {
      gadget_sandbox_set_cache_dir (self->sandbox, self->cache_dir);
      gadget_sandbox_set_systemd (self->sandbox, self->systemd);
      search_tools (self, searched_cb, g_object_ref (task));
      return;
    }
  offer (self);
  g_task_return_boolean (task, TRUE);
}

static char *
get_value (GObject *source, GAsyncResult *result)
{
  char *value = NULL;

  /* The owner of the store reports its errors. */
  gadget_store_get_setting_finish (GADGET_STORE (source), result, &value, NULL);
  return value;
}

static void
unconfined_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetCommands *self = g_task_get_source_object (task);
  g_autofree char *value = get_value (source, result);

  self->unconfined = g_strcmp0 (value, "yes") == 0;
  part_opened (task);
}

static void
tools_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetCommands *self = g_task_get_source_object (task);
  g_autofree char *value = get_value (source, result);

  if (value != NULL && *value != '\0')
    {
      g_strfreev (self->changes);
      self->changes = g_strsplit (value, "\n", -1);
    }
  part_opened (task);
}

static void
systemd_changed_cb (GadgetCommands *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetCommands *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;

  self->sandbox = gadget_sandbox_probe_finish (result, &error);
  if (self->sandbox == NULL)
    self->reason = g_strdup (error->message);
  part_opened (task);
}

/**
 * gadget_commands_open_async:
 * @cache_dir: the folder for the caches of commands
 *
 * Called once, at the same time as the opening of the store or after it. It always succeeds.
 */
void
gadget_commands_open_async (GadgetCommands *self, const char *cache_dir,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *address = gadget_bus_dup_address ();
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_COMMANDS (self) && self->cache_dir == NULL && cache_dir != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_commands_open_async);
  g_task_set_static_name (task, "gadget-commands-open");
  self->cache_dir = g_strdup (cache_dir);
  self->systemd = gadget_systemd_new (address);
  g_signal_connect_object (self->systemd, "changed", G_CALLBACK (systemd_changed_cb), self,
                           G_CONNECT_SWAPPED);
  self->n_opening = 3;
  gadget_store_get_setting_async (self->store, UNCONFINED_KEY, unconfined_read_cb,
                                  g_object_ref (task));
  gadget_store_get_setting_async (self->store, TOOLS_KEY, tools_read_cb, g_object_ref (task));
  gadget_sandbox_probe_async (NULL, NULL, probed_cb, g_object_ref (task));
}

/* gadget_commands_open_finish: always succeeds; gadget_commands_get_reason () says why there is no
 * sandbox. */
void
gadget_commands_open_finish (GadgetCommands *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* --- Public functions --------------------------------------------------------------------------
 */

GadgetCommands *
gadget_commands_new (GadgetStore *store, GadgetToolbox *toolbox)
{
  GadgetCommands *self;

  g_return_val_if_fail (GADGET_IS_STORE (store) && GADGET_IS_TOOLBOX (toolbox), NULL);

  self = g_object_new (GADGET_TYPE_COMMANDS, NULL);
  self->store = g_object_ref (store);
  self->toolbox = g_object_ref (toolbox);
  return self;
}

GadgetRipgrep *
gadget_commands_get_ripgrep (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), NULL);
  return self->ripgrep;
}

GadgetSandbox *
gadget_commands_get_sandbox (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), NULL);
  return self->sandbox;
}

/**
 * gadget_commands_get_max_memory:
 *
 * Returns: the memory that one command may use, in bytes; 0 when it is not limited
 */
guint64
gadget_commands_get_max_memory (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), 0);

  if (self->sandbox == NULL || self->systemd == NULL || !gadget_systemd_get_works (self->systemd))
    return 0;
  return gadget_systemd_get_max_memory ();
}

/* Returns how many processes and threads one command may have, or 0; Flatpak's sandbox has no such
 * limit. */
guint
gadget_commands_get_max_tasks (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), 0);

  if (self->sandbox == NULL || gadget_sandbox_get_kind (self->sandbox) == GADGET_SANDBOX_FLATPAK)
    return 0;
  return GADGET_SYSTEMD_MAX_TASKS;
}

/* gadget_commands_get_reason: returns a text for the user that says why there is no sandbox; %NULL
 * if there is one, and before opening has finished. (transfer none) */
const char *
gadget_commands_get_reason (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), NULL);
  return self->reason;
}

gboolean
gadget_commands_get_unconfined (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), FALSE);
  return self->unconfined;
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_set_setting_finish (GADGET_STORE (source), result, &error))
    g_warning ("what was set about commands is not saved: %s", error->message);
}

/* gadget_commands_set_unconfined: stores the setting, offers the shell tool or withdraws it, and
 * emits "changed"; nothing of that if the setting is the same. A failure to store is only
 * logged. */
void
gadget_commands_set_unconfined (GadgetCommands *self, gboolean unconfined)
{
  g_return_if_fail (GADGET_IS_COMMANDS (self));

  if (self->unconfined == !!unconfined)
    return;
  self->unconfined = !!unconfined;
  gadget_store_set_setting_async (self->store, UNCONFINED_KEY, unconfined ? "yes" : NULL, saved_cb,
                                  NULL);
  offer (self);
}

gboolean
gadget_commands_get_offered (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), FALSE);
  return gadget_toolbox_find (self->toolbox, "shell") != NULL;
}

GadgetSandboxTools *
gadget_commands_get_tools (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), NULL);
  return self->tools;
}

/* gadget_commands_get_changes: returns what the user set about folders, ended by %NULL; the array
 * may be empty. (transfer none) */
const char *const *
gadget_commands_get_changes (GadgetCommands *self)
{
  g_return_val_if_fail (GADGET_IS_COMMANDS (self), NULL);
  return (const char *const *) self->changes;
}

static void
changes_searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/**
 * gadget_commands_set_changes:
 * @changes: the user's changes to the folders of tools
 *
 * Applies to commands that start from then on; "changed" is emitted when the folders were searched.
 */
void
gadget_commands_set_changes (GadgetCommands *self, const char *const *changes)
{
  g_autofree char *value = NULL;

  g_return_if_fail (GADGET_IS_COMMANDS (self) && changes != NULL);

  g_strfreev (self->changes);
  self->changes = g_strdupv ((char **) changes);
  value = g_strjoinv ("\n", self->changes);
  gadget_store_set_setting_async (self->store, TOOLS_KEY, *value != '\0' ? value : NULL, saved_cb,
                                  NULL);
  if (self->sandbox != NULL)
    search_tools (self, changes_searched_cb, NULL);
}
