/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-launch.h"
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
 * @GADGET_PROCESS_ERROR_HELPER: gadget-supervise is missing where it should be installed
 * @GADGET_PROCESS_ERROR_SANDBOX: no sandbox is available on this system
 * @GADGET_PROCESS_ERROR_DIRECTORY: the folder does not exist, or contains too much to be given to
 *   commands
 * @GADGET_PROCESS_ERROR_START: the sandbox could not be set up
 * @GADGET_PROCESS_ERROR_COMMAND: the program cannot be executed
 * @GADGET_PROCESS_ERROR_LOST: the helper was killed, so that it is not known how the command ended
 *
 * Why a command could not be run; the domain is %GADGET_PROCESS_ERROR.
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

/**
 * GadgetSandboxKind:
 * @GADGET_SANDBOX_NONE: no confinement: commands have the user's rights
 * @GADGET_SANDBOX_BUBBLEWRAP: bubblewrap
 * @GADGET_SANDBOX_FLATPAK: the portal of Flatpak, from inside of a Flatpak
 *
 * The program that confines commands.
 */
typedef enum
{
  GADGET_SANDBOX_NONE,
  GADGET_SANDBOX_BUBBLEWRAP,
  GADGET_SANDBOX_FLATPAK,
} GadgetSandboxKind;

/**
 * GadgetNetworkKind:
 * @GADGET_NETWORK_OWN: a network namespace of the command's own, which reaches other computers but
 *   no service of this one
 * @GADGET_NETWORK_SHARED: the user's network: services of this computer can be reached as well
 *
 * The kind of network that a command gets if it is granted one; without the grant it has none.
 */
typedef enum
{
  GADGET_NETWORK_OWN,
  GADGET_NETWORK_SHARED,
} GadgetNetworkKind;

/**
 * GadgetSandboxCommand:
 * @helper: the path of gadget-supervise
 * @control_fd: the number of the control socket in the started process
 * @options: (nullable): options for gadget-supervise
 * @workspace: (nullable): the folder that the command runs in and may write to, an absolute path
 * @folders: (nullable): further folders that it may write to, absolute paths
 * @cache: (nullable): the name of a cache of its own, which is not shared with commands of another
 *   name, and is not a path; %NULL for the cache of the workspace
 * @network: whether it is granted the network
 * @scope: whether bubblewrap is to report the first process of the sandbox, where that is possible
 * @argv: the program and its arguments
 * @cancellable: (nullable): when it is cancelled, nothing is created on the disk any more
 *
 * The command to confine. Only needed during the call of gadget_sandbox_prepare ().
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

/**
 * GadgetSandbox:
 *
 * A way to confine a command. In a sandbox the root is read-only. These folders appear empty unless
 * they are given: home folders, Gadget's own data, other drives, file systems of other computers,
 * /srv, /var/mail, /var/spool, /run and /tmp. There is no network unless it is granted, no bus, no
 * other process, no keyring of the kernel and no new namespace. The environment consists of PATH,
 * HOME, LANG, TERM and the variables that point tools to their folders. The workspace alone is
 * writable, except for the parts of it that git would run. If they are set, tool folders of the
 * home folder are visible read-only, and a cache that belongs to the workspace is writable. Use
 * gadget_sandbox_probe_async () to get a sandbox that is known to work.
 */
GadgetSandbox     *gadget_sandbox_new              (GadgetSandboxKind            kind,
                                                    gboolean                     fresh_proc);
GadgetSandboxKind  gadget_sandbox_get_kind         (GadgetSandbox               *self);

/* The setters affect commands that are started later. The source documents them. */
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

/* Returns a copy for a thread (transfer full). Later changes of SELF affect the next command
 * only. */
GadgetSandbox     *gadget_sandbox_copy             (GadgetSandbox               *self);
/* Returns (transfer full) (nullable) the manager that a command started now gets its scope from. */
GadgetSystemd     *gadget_sandbox_dup_systemd      (GadgetSandbox               *self);
/* Cleans the caches in the background, at most once an hour. */
void               gadget_sandbox_clean_caches     (GadgetSandbox               *self);

G_END_DECLS
