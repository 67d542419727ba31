/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Decides how a command is confined, and builds the command line for bubblewrap or for Flatpak.
 * gadget-sandbox-mounts.c decides what the command sees.
 *
 * Capabilities are dropped: with them, a command that root runs could undo the mounts that hide
 * folders. bubblewrap is called without --die-with-parent, so that the grace period of the helper
 * is kept when Gadget dies; the helper ends the command at the end of file on the control socket.
 *
 * A hard link in the workspace to a file outside of it was made by the user, and is written through
 * as by any program. A command cannot make one: the two places are different mounts.
 *
 * gadget_sandbox_prepare () runs in a thread, on a copy of the sandbox; all else runs on the main
 * context. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-cache-private.h"
#include "process/git/gadget-sandbox-git.h"
#include "gadget-sandbox-private.h"
#include "gadget-systemd-private.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

G_DEFINE_FINAL_TYPE (GadgetSandbox, gadget_sandbox, G_TYPE_OBJECT)

/* Cleaning reads all folders of all caches. */
#define CLEAN_INTERVAL_US (G_TIME_SPAN_HOUR)
#define MAX_CACHE_TRIES 8

#define add _gadget_argv_add

static char *
dup_language (void)
{
  const char *language = g_getenv ("LANG");

  return g_strdup (language != NULL && *language != '\0' ? language : "C.UTF-8");
}

/* Returns (transfer full) the canonical paths of the folders that are given; the workspace is the
 * first if there is one. NULL with %GADGET_PROCESS_ERROR_DIRECTORY. */
static GPtrArray *
resolve_folders (const GadgetSandboxCommand *command, GPtrArray *hidden, GError **error)
{
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  const guint n_more = command->folders != NULL ? g_strv_length ((char **) command->folders) : 0;

  for (guint i = 0; i <= n_more; i++)
    {
      const char *name = i == 0 ? command->workspace : command->folders[i - 1];
      char *folder;

      if (name == NULL)
        continue;
      folder = _gadget_places_resolve_folder (name, hidden, error);
      if (folder == NULL)
        return NULL;
      g_ptr_array_add (folders, folder);
    }
  return g_steal_pointer (&folders);
}

char *
_gadget_sandbox_prepare_cache (GadgetSandbox *self, GadgetLaunch *launch, GPtrArray *folders,
                               const GadgetSandboxCommand *command)
{
  const char *name;

  if (self->cache_dir == NULL || (command->workspace == NULL && command->cache == NULL)
      || g_cancellable_is_cancelled (command->cancellable))
    return NULL;
  name = command->cache != NULL ? command->cache : g_ptr_array_index (folders, 0);
  if (folders->len == 0)
    return gadget_sandbox_cache_prepare (self->cache_dir, name);
  /* The end of another command may rename the cache between these two calls. */
  for (guint i = 0; i < MAX_CACHE_TRIES; i++)
    {
      g_autofree char *cache = gadget_sandbox_cache_prepare (self->cache_dir, name);

      launch->cache = cache != NULL ? _gadget_cache_use_new (cache) : NULL;
      if (launch->cache != NULL)
        return g_steal_pointer (&cache);
    }
  return NULL;
}

/* --- Environment -------------------------------------------------------------------------------
 */

/* Returns (transfer full) (element-type utf8) the "NAME=value" strings of a command in a
 * sandbox. */
static GPtrArray *
list_variables (GadgetSandbox *self, const char *home, const char *path, const char *cache)
{
  GPtrArray *variables = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *language = dup_language ();
  g_autofree char *searched = gadget_sandbox_tools_dup_path (self->tools, path);

  g_ptr_array_add (variables, g_strconcat ("PATH=", searched, NULL));
  g_ptr_array_add (variables, g_strconcat ("HOME=", home, NULL));
  g_ptr_array_add (variables, g_strconcat ("LANG=", language, NULL));
  g_ptr_array_add (variables, g_strdup ("TERM=dumb"));
  for (guint i = 0; self->tools != NULL && i < self->tools->variables->len; i++)
    g_ptr_array_add (variables, g_strdup (g_ptr_array_index (self->tools->variables, i)));
  if (cache != NULL)
    _gadget_cache_list_variables (cache, self->tools, variables);
  return variables;
}

static void
add_environment (GadgetSandbox *self, GPtrArray *argv, gboolean with_cache)
{
  g_autoptr (GPtrArray) variables = list_variables (
      self, _GADGET_SANDBOX_HOME, _GADGET_SANDBOX_PATH, with_cache ? _GADGET_SANDBOX_CACHE : NULL);

  add (argv, "--clearenv", NULL);
  for (guint i = 0; i < variables->len; i++)
    {
      char *name = g_ptr_array_index (variables, i);
      char *equals = strchr (name, '=');

      *equals = '\0';
      add (argv, "--setenv", name, equals + 1, NULL);
    }
}

/* --- bubblewrap ---------------------------------------------------------------------------------
 */

/* Adds the pipe on which bubblewrap reports its first process. Without it the command has no limits
 * but those that the helper sets. */
static void
add_scope (GadgetLaunch *launch, GPtrArray *argv)
{
  int fds[2];

  if (!g_unix_open_pipe (fds, O_CLOEXEC, NULL))
    return;
  launch->status = fds[0];
  _gadget_launch_give_fd (launch, fds[1], _GADGET_SANDBOX_STATUS_FD);
  add (argv, "--json-status-fd", G_STRINGIFY (_GADGET_SANDBOX_STATUS_FD), NULL);
}

/* Returns the flag if a folder has the set-group-ID bit, as folders that several users share do. */
static GadgetFilterFlags
get_group_flag (GPtrArray *folders)
{
  GStatBuf info;

  for (guint i = 0; i < folders->len; i++)
    if (g_stat (g_ptr_array_index (folders, i), &info) == 0 && (info.st_mode & S_ISGID) != 0)
      return GADGET_FILTER_SET_GROUP_ID;
  return 0;
}

static gboolean
add_bubblewrap (GadgetSandbox *self, GadgetLaunch *launch, GPtrArray *argv,
                const GadgetSandboxCommand *command, GError **error)
{
  const gboolean own = command->network && self->network_kind == GADGET_NETWORK_OWN;
  const gboolean shared = command->network && !own;
  g_autofree char *program = g_find_program_in_path ("bwrap");
  g_autoptr (GPtrArray) hidden = _gadget_places_list_hidden ();
  g_autoptr (GPtrArray) folders = NULL;
  const char *workspace = NULL;
  GadgetFilterFlags flags = 0;
  int filter;

  if (program == NULL)
    {
      g_set_error_literal (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_SANDBOX,
                           _ ("bubblewrap is not installed, so commands cannot be confined"));
      return FALSE;
    }
  folders = resolve_folders (command, hidden, error);
  if (folders == NULL || (own && !_gadget_network_add_connect (argv, command->helper, error)))
    return FALSE;
  _gadget_places_hide_foreign (hidden, folders);
  if (command->workspace != NULL)
    workspace = g_ptr_array_index (folders, 0);
  if (own)
    flags |= GADGET_FILTER_UNIX_SOCKETS;
  filter = _gadget_filter_open (flags | get_group_flag (folders), error);
  if (filter < 0)
    return FALSE;
  _gadget_launch_give_fd (launch, filter, _GADGET_SANDBOX_FILTER_FD);

  add (argv, program, "--unshare-all", "--as-pid-1", "--new-session", "--cap-drop", "ALL",
       "--seccomp", G_STRINGIFY (_GADGET_SANDBOX_FILTER_FD), NULL);
  if (own)
    add (argv, "--info-fd", G_STRINGIFY (_GADGET_SANDBOX_INFO_FD), "--block-fd",
         G_STRINGIFY (_GADGET_SANDBOX_BLOCK_FD), NULL);
  if (shared)
    add (argv, "--share-net", NULL);
  if (command->scope)
    add_scope (launch, argv);
  add_environment (self, argv, _gadget_mounts_add (self, launch, argv, hidden, folders, command));
  if (command->network && !_gadget_network_add_resolver (launch, argv, own, error))
    return FALSE;
  add (argv, "--chdir", workspace != NULL ? workspace : _GADGET_SANDBOX_WORK, "--",
       _gadget_mounts_get_helper (command->helper, hidden), NULL);
  return TRUE;
}

/* --- Flatpak -----------------------------------------------------------------------------------
 */

static void
expose (GPtrArray *argv, const char *path, gboolean read_only)
{
  g_ptr_array_add (
      argv,
      g_strconcat (read_only ? "--sandbox-expose-path-ro=" : "--sandbox-expose-path=", path, NULL));
}

/* The portal accepts paths only, so the descriptor is not used. */
static void
expose_git (const char *path, int fd, gboolean read_only, gpointer user_data)
{
  g_clear_fd (&fd, NULL);
  expose (user_data, path, read_only);
}

/* Inside of a Flatpak, its portal starts the sandbox; --watch-bus ends that when Gadget ends. The
 * portal would pass the environment of the session on. --clear-env would take it from the portal's
 * own "flatpak run" as well, which may not find its installation then, so env clears it inside of
 * the sandbox. */
static gboolean
add_flatpak (GadgetSandbox *self, GadgetLaunch *launch, GPtrArray *argv,
             const GadgetSandboxCommand *command, GError **error)
{
  g_autofree char *program = g_find_program_in_path ("flatpak-spawn");
  g_autofree char *fd = g_strdup_printf ("--forward-fd=%d", command->control_fd);
  g_autoptr (GPtrArray) hidden = _gadget_places_list_hidden ();
  g_autoptr (GPtrArray) folders = NULL;
  g_autoptr (GPtrArray) variables = NULL;
  g_autofree char *cache = NULL;
  const char *workspace = NULL;

  if (program == NULL)
    {
      g_set_error_literal (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_SANDBOX,
                           _ ("flatpak-spawn is missing, so commands cannot be confined"));
      return FALSE;
    }
  folders = resolve_folders (command, hidden, error);
  if (folders == NULL)
    return FALSE;
  if (command->workspace != NULL)
    workspace = g_ptr_array_index (folders, 0);
  cache = _gadget_sandbox_prepare_cache (self, launch, folders, command);

  add (argv, program, "--sandbox", "--watch-bus", fd, NULL);
  if (!command->network)
    add (argv, "--no-network", NULL);
  g_ptr_array_add (argv,
                   g_strconcat ("--directory=", workspace != NULL ? workspace : "/tmp", NULL));
  for (guint i = 0; i < folders->len; i++)
    expose (argv, g_ptr_array_index (folders, i), FALSE);
  if (cache != NULL)
    expose (argv, cache, FALSE);
  _gadget_mounts_protect_git (self, launch, folders, command, expose_git, argv);
  add (argv, "/usr/bin/env", "-i", NULL);
  variables = list_variables (self, "/tmp", "/usr/bin:/bin", cache);
  for (guint i = 0; i < variables->len; i++)
    g_ptr_array_add (argv, g_strdup (g_ptr_array_index (variables, i)));
  add (argv, command->helper, NULL);
  return TRUE;
}

/* --- Class -------------------------------------------------------------------------------------
 */

static void
gadget_sandbox_finalize (GObject *object)
{
  GadgetSandbox *self = GADGET_SANDBOX (object);

  g_clear_pointer (&self->tools, gadget_sandbox_tools_unref);
  g_clear_pointer (&self->cache_dir, g_free);
  g_clear_object (&self->systemd);

  G_OBJECT_CLASS (gadget_sandbox_parent_class)->finalize (object);
}

static void
gadget_sandbox_class_init (GadgetSandboxClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_sandbox_finalize;
}

static void
gadget_sandbox_init (GadgetSandbox *self)
{
  self->network_kind = GADGET_NETWORK_SHARED;
}

/**
 * gadget_sandbox_new:
 * @kind: the program that confines commands
 * @fresh_proc: bubblewrap only: whether it can mount a new /proc; otherwise commands see the /proc
 *   that Gadget sees
 *
 * Creates a sandbox without checking whether it works on this system.
 *
 * Returns: (transfer full): the sandbox
 */
GadgetSandbox *
gadget_sandbox_new (GadgetSandboxKind kind, gboolean fresh_proc)
{
  GadgetSandbox *self = g_object_new (GADGET_TYPE_SANDBOX, NULL);

  self->kind = kind;
  self->fresh_proc = fresh_proc;
  return self;
}

/* gadget_sandbox_get_kind: returns the program that confines commands; it never changes. */
GadgetSandboxKind
gadget_sandbox_get_kind (GadgetSandbox *self)
{
  g_return_val_if_fail (GADGET_IS_SANDBOX (self), GADGET_SANDBOX_NONE);
  return self->kind;
}

/**
 * gadget_sandbox_set_tools:
 * @self: the sandbox
 * @tools: (nullable): the folders of the home folder that commands see; ignored in Flatpak, which
 *   has no home folder
 */
void
gadget_sandbox_set_tools (GadgetSandbox *self, GadgetSandboxTools *tools)
{
  g_return_if_fail (GADGET_IS_SANDBOX (self));

  g_clear_pointer (&self->tools, gadget_sandbox_tools_unref);
  if (tools != NULL && self->kind == GADGET_SANDBOX_BUBBLEWRAP)
    self->tools = gadget_sandbox_tools_ref (tools);
}

/**
 * gadget_sandbox_set_cache_dir:
 * @self: the sandbox
 * @folder: (nullable): the folder of all caches; without it commands have no cache
 */
void
gadget_sandbox_set_cache_dir (GadgetSandbox *self, const char *folder)
{
  g_return_if_fail (GADGET_IS_SANDBOX (self));
  g_set_str (&self->cache_dir, folder);
  /* The caller cleans the caches when it sets the folder. */
  self->cache_cleaned_at = g_get_monotonic_time ();
}

/**
 * gadget_sandbox_dup_notes_dir:
 *
 * Returns: (transfer full) (nullable): the folder, beside the caches, of the notes about the state
 *   of repositories before commands; %NULL without a cache folder
 */
char *
gadget_sandbox_dup_notes_dir (GadgetSandbox *self)
{
  g_autofree char *parent = NULL;

  g_return_val_if_fail (GADGET_IS_SANDBOX (self), NULL);

  if (self->cache_dir == NULL)
    return NULL;
  parent = g_path_get_dirname (self->cache_dir);
  return g_build_filename (parent, "checks", NULL);
}

/**
 * gadget_sandbox_set_systemd:
 * @self: the sandbox
 * @systemd: (nullable): the manager that limits commands; Flatpak sets limits of its own
 */
void
gadget_sandbox_set_systemd (GadgetSandbox *self, GadgetSystemd *systemd)
{
  g_return_if_fail (GADGET_IS_SANDBOX (self));
  g_set_object (&self->systemd, systemd);
}

/* gadget_sandbox_get_network_kind: returns what a command gets if it is granted the network. */
GadgetNetworkKind
gadget_sandbox_get_network_kind (GadgetSandbox *self)
{
  g_return_val_if_fail (GADGET_IS_SANDBOX (self), GADGET_NETWORK_SHARED);
  return self->network_kind;
}

/* The kind is GADGET_NETWORK_SHARED until gadget_sandbox_probe_network_async () finds that a
 * network of the command's own works. */
void
gadget_sandbox_set_network_kind (GadgetSandbox *self, GadgetNetworkKind kind)
{
  g_return_if_fail (GADGET_IS_SANDBOX (self));
  self->network_kind = kind;
}

static char **
end_list (GPtrArray *words)
{
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* Only flatpak-spawn also gets what it needs to reach its portal. */
static char **
make_environment (GadgetSandbox *self)
{
  static const char *const bus_names[] = { "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR" };
  const char *path = g_getenv ("PATH");
  g_autofree char *language = dup_language ();
  char **environment = NULL;

  environment =
      g_environ_setenv (environment, "PATH", path != NULL ? path : _GADGET_SANDBOX_PATH, TRUE);
  environment = g_environ_setenv (environment, "HOME", g_get_home_dir (), TRUE);
  environment = g_environ_setenv (environment, "LANG", language, TRUE);
  environment = g_environ_setenv (environment, "TERM", "dumb", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (bus_names) && self->kind == GADGET_SANDBOX_FLATPAK; i++)
    if (g_getenv (bus_names[i]) != NULL)
      environment = g_environ_setenv (environment, bus_names[i], g_getenv (bus_names[i]), TRUE);
  return environment;
}

GadgetSandbox *
gadget_sandbox_copy (GadgetSandbox *self)
{
  GadgetSandbox *copy = gadget_sandbox_new (self->kind, self->fresh_proc);

  gadget_sandbox_set_tools (copy, self->tools);
  copy->cache_dir = g_strdup (self->cache_dir);
  copy->network_kind = self->network_kind;
  return copy;
}

GadgetSystemd *
gadget_sandbox_dup_systemd (GadgetSandbox *self)
{
  if (self->systemd == NULL || !_gadget_systemd_is_wanted (self->systemd))
    return NULL;
  return g_object_ref (self->systemd);
}

static void
cleaned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_sandbox_cache_clean_finish (result);
}

/* Commands may fill the caches, and Gadget may run for weeks. */
void
gadget_sandbox_clean_caches (GadgetSandbox *self)
{
  const gint64 now = g_get_monotonic_time ();

  if (self->cache_dir == NULL || now - self->cache_cleaned_at < CLEAN_INTERVAL_US)
    return;
  self->cache_cleaned_at = now;
  gadget_sandbox_cache_clean_async (self->cache_dir, GADGET_SANDBOX_CACHE_MAX_TOTAL, cleaned_cb,
                                    NULL);
}

/* Sets an error if file descriptors ran out: then repositories may have been missed, and would not
 * be protected. */
static gboolean
has_seen_all (const GadgetSandboxCommand *command, GError **error)
{
  const int lacking = gadget_git_get_fd_shortage ();

  if (g_cancellable_set_error_if_cancelled (command->cancellable, error))
    return FALSE;
  if (lacking == 0)
    return TRUE;
  g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
               _ ("The command was not started, since Git repositories could not be protected from "
                  "it: %s"),
               g_strerror (lacking));
  return FALSE;
}

/**
 * gadget_sandbox_prepare:
 * @self: the sandbox
 * @command: what to confine
 * @error: %GADGET_PROCESS_ERROR, or %G_IO_ERROR_CANCELLED
 *
 * Prepares the launch of a command. Accesses the file system, which may take any time: call it in a
 * thread.
 *
 * Returns: (transfer full): what to start, or %NULL with @error
 */
GadgetLaunch *
gadget_sandbox_prepare (GadgetSandbox *self, const GadgetSandboxCommand *command, GError **error)
{
  g_autoptr (GPtrArray) words = NULL;
  g_autoptr (GadgetLaunch) launch = NULL;
  g_autofree char *number = NULL;

  g_return_val_if_fail (GADGET_IS_SANDBOX (self), NULL);
  g_return_val_if_fail (
      command->helper != NULL && command->argv != NULL && command->argv[0] != NULL, NULL);

  words = g_ptr_array_new_with_free_func (g_free);
  launch = g_new0 (GadgetLaunch, 1);
  launch->status = -1;
  launch->sources = g_array_new (FALSE, FALSE, sizeof (int));
  launch->targets = g_array_new (FALSE, FALSE, sizeof (int));
  gadget_git_reset_fd_shortage ();
  switch (self->kind)
    {
    case GADGET_SANDBOX_BUBBLEWRAP:
      if (!add_bubblewrap (self, launch, words, command, error))
        return NULL;
      break;
    case GADGET_SANDBOX_FLATPAK:
      if (!add_flatpak (self, launch, words, command, error))
        return NULL;
      break;
    case GADGET_SANDBOX_NONE:
    default:
      add (words, command->helper, NULL);
      break;
    }
  if (!has_seen_all (command, error))
    return NULL;

  number = g_strdup_printf ("%d", command->control_fd);
  add (words, number, NULL);
  for (guint i = 0; command->options != NULL && command->options[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (command->options[i]));
  add (words, "--", NULL);
  for (guint i = 0; command->argv[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (command->argv[i]));
  launch->argv = end_list (g_steal_pointer (&words));
  launch->environment = make_environment (self);
  /* A sandbox changes to the workspace itself; its program is not started in a folder that may
   * vanish. */
  launch->folder = g_strdup (
      self->kind == GADGET_SANDBOX_NONE && command->workspace != NULL ? command->workspace : "/");
  return g_steal_pointer (&launch);
}
