/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-sandbox-tools.h"
#include "gadget-systemd.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SANDBOX (gadget_sandbox_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSandbox, gadget_sandbox, GADGET, SANDBOX, GObject)

#define GADGET_PROCESS_ERROR (gadget_process_error_quark ())
GQuark gadget_process_error_quark (void);

/**
 * GadgetProcessError:
 * @GADGET_PROCESS_ERROR_HELPER: gadget-supervise is not where it was installed
 * @GADGET_PROCESS_ERROR_SANDBOX: no sandbox can be had here
 * @GADGET_PROCESS_ERROR_DIRECTORY: the folder is not there, or is too wide to be given away
 * @GADGET_PROCESS_ERROR_START: the sandbox did not come up
 * @GADGET_PROCESS_ERROR_COMMAND: the program cannot be executed
 * @GADGET_PROCESS_ERROR_LOST: the helper was killed, how the command ended is not known
 */
typedef enum
{
  GADGET_PROCESS_ERROR_HELPER,
  GADGET_PROCESS_ERROR_SANDBOX,
  GADGET_PROCESS_ERROR_DIRECTORY,
  GADGET_PROCESS_ERROR_START,
  GADGET_PROCESS_ERROR_COMMAND,
  GADGET_PROCESS_ERROR_LOST,
} GadgetProcessError;

typedef enum
{
  GADGET_SANDBOX_NONE,
  GADGET_SANDBOX_BUBBLEWRAP,
  GADGET_SANDBOX_FLATPAK,
} GadgetSandboxKind;

/**
 * GadgetNetworkKind:
 * @GADGET_NETWORK_OWN: a namespace of its own that reaches outwards, and nothing of this computer
 * @GADGET_NETWORK_SHARED: the user's: services of this computer are in reach as well
 *
 * What a command gets if it is granted the network; without the grant there is none.
 */
typedef enum
{
  GADGET_NETWORK_OWN,
  GADGET_NETWORK_SHARED,
} GadgetNetworkKind;

/**
 * GadgetSandboxCommand:
 * @helper: path of gadget-supervise
 * @control_fd: the number of the control socket in the started process
 * @options: (nullable): options for gadget-supervise
 * @workspace: (nullable): the folder it runs in and may write to, an absolute path
 * @folders: (nullable): more folders that it may write to, absolute paths
 * @cache: (nullable): the name of a cache of its own, which no command of another name is given and
 *   which is no path; %NULL for the cache of the workspace
 * @network: whether it is granted the network
 * @scope: whether it is to be said which process is the first of the sandbox, where that can be had
 * @argv: the program and its arguments
 * @cancellable: (nullable): when it is cancelled, nothing is made any more
 *
 * Lent for the call of gadget_sandbox_prepare ().
 */
typedef struct
{
  const char *helper;
  int control_fd;
  const char *const *options;
  const char *workspace;
  const char *const *folders;
  const char *cache;
  gboolean network;
  gboolean scope;
  const char *const *argv;
  GCancellable *cancellable;
} GadgetSandboxCommand;

/* Keeps the name of a cache. */
typedef struct _GadgetCacheUse GadgetCacheUse;

/**
 * GadgetLaunch:
 * @argv: the whole command line, helper included
 * @environment: of the started process. It holds no more than a command needs, so that no key of
 *   ours can be in it
 * @folder: where it is started
 * @sources: (element-type int): descriptors for it besides the control socket, owned
 * @targets: (element-type int): their numbers in it
 * @git: (nullable) (element-type GadgetGitGuard): to be checked when the command has ended
 * @cache: (nullable): until it is kept with @git
 * @status: where bubblewrap says which process is the first of the sandbox, owned; or -1
 * @covered: (element-type GadgetCovered): what may be gone again before bubblewrap covers it
 */
typedef struct
{
  char **argv;
  char **environment;
  char *folder;
  GArray *sources;
  GArray *targets;
  GPtrArray *git;
  GadgetCacheUse *cache;
  int status;
  GPtrArray *covered;
} GadgetLaunch;

void gadget_launch_free (GadgetLaunch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetLaunch, gadget_launch_free)

/**
 * GadgetSandbox:
 *
 * A way to confine a command. In a sandbox the root is read-only; home folders, Gadget's own data,
 * other drives and what is mounted from other computers, /srv, /var/mail, /var/spool, /run and /tmp
 * are not the user's but empty, unless they are given; there is no network unless it is
 * granted, no bus, no other process, no keyring of the kernel, no new namespace, and no environment
 * but PATH, HOME, LANG, TERM and what points tools to their places. The workspace alone is
 * writable, except what git would run of it. Tool folders of the home folder are shown read-only, and
 * a cache of the workspace's own is writable, if they are set.
 * Use gadget_sandbox_probe_async () to get one that is known to work.
 */
GadgetSandbox     *gadget_sandbox_new              (GadgetSandboxKind            kind,
                                                    gboolean                     fresh_proc);
GadgetSandboxKind  gadget_sandbox_get_kind         (GadgetSandbox               *self);

/* Set before the first command, or between two of them. */
void               gadget_sandbox_set_tools        (GadgetSandbox               *self,
                                                    GadgetSandboxTools          *tools);
char              *gadget_sandbox_dup_notes_dir    (GadgetSandbox               *self);
void               gadget_sandbox_set_cache_dir    (GadgetSandbox               *self,
                                                    const char                  *folder);
void               gadget_sandbox_set_systemd       (GadgetSandbox               *self,
                                                    GadgetSystemd                *systemd);
GadgetNetworkKind  gadget_sandbox_get_network_kind (GadgetSandbox               *self);
void               gadget_sandbox_set_network_kind (GadgetSandbox               *self,
                                                    GadgetNetworkKind            kind);

GadgetLaunch      *gadget_sandbox_prepare          (GadgetSandbox               *self,
                                                    const GadgetSandboxCommand  *command,
                                                    GError                     **error);

G_END_DECLS
