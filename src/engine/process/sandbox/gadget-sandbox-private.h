/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interfaces between the source files of the sandbox. */
#pragma once

#include "gadget-launch-private.h"
#include "process/git/gadget-sandbox-git.h"
#include "gadget-sandbox.h"

G_BEGIN_DECLS

#define _GADGET_SANDBOX_HOME "/tmp/home"
#define _GADGET_SANDBOX_WORK "/tmp/work"
#define _GADGET_SANDBOX_CACHE "/tmp/cache"
#define _GADGET_SANDBOX_PATH "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

/* Descriptor numbers in the started process, besides the control socket. */
#define _GADGET_SANDBOX_FILTER_FD 4
#define _GADGET_SANDBOX_RESOLVER_FD 5
#define _GADGET_SANDBOX_INFO_FD 6
#define _GADGET_SANDBOX_BLOCK_FD 7
#define _GADGET_SANDBOX_STATUS_FD 8
#define _GADGET_SANDBOX_GIT_FD 40 /* the first of several; gadget-connect moves its own descriptors
                                     out of the way */

struct _GadgetSandbox
{
  GObject parent_instance;

  GadgetSandboxKind kind;
  gboolean fresh_proc;
  GadgetSandboxTools *tools; /* (nullable) */
  char *cache_dir;           /* (nullable) */
  gint64 cache_cleaned_at;   /* monotonic time in microseconds */
  GadgetNetworkKind network_kind;
  GadgetSystemd *systemd; /* (nullable) */
};

/* --- gadget-sandbox-places.c --- */
GPtrArray      *_gadget_places_list_hidden    (void);
void            _gadget_places_hide_foreign   (GPtrArray                  *hidden,
                                               GPtrArray                  *folders);
char           *_gadget_places_resolve_folder (const char                 *folder,
                                               GPtrArray                  *hidden,
                                               GError                    **error);

/* --- gadget-sandbox-sockets.c --- */
void            _gadget_sockets_cover         (GadgetLaunch               *launch,
                                               GPtrArray                  *argv,
                                               GadgetSandboxTools         *tools,
                                               GPtrArray                  *hidden,
                                               GPtrArray                  *folders);

/* --- gadget-sandbox-mounts.c --- */

/* Returns the path under which the command sees the helper; HELPER itself, or a static string. */
const char     *_gadget_mounts_get_helper     (const char                 *helper,
                                               GPtrArray                  *hidden);

/* Adds all mounts to ARGV. FOLDERS are those that are given to the command; the first of them is
 * COMMAND's workspace if it has one. Returns whether the command has a cache. */
gboolean        _gadget_mounts_add            (GadgetSandbox              *self,
                                               GadgetLaunch               *launch,
                                               GPtrArray                  *argv,
                                               GPtrArray                  *hidden,
                                               GPtrArray                  *folders,
                                               const GadgetSandboxCommand *command);

/* Protects the repositories in FOLDERS, and adds guards to LAUNCH that check them after the
 * command. MOUNT is called with USER_DATA for each mount. */
void            _gadget_mounts_protect_git    (GadgetSandbox              *self,
                                               GadgetLaunch               *launch,
                                               GPtrArray                  *folders,
                                               const GadgetSandboxCommand *command,
                                               GadgetGitFunc               mount,
                                               gpointer                    user_data);

/* --- gadget-sandbox-filter.c --- */

/**
 * GadgetFilterFlags:
 * @GADGET_FILTER_UNIX_SOCKETS: Unix sockets can be created, not only pairs of them
 * @GADGET_FILTER_SET_GROUP_ID: the set-group-ID bit can be set. The filter cannot tell files from
 *   folders, and in a folder with that bit tools set it for the folders that they create
 * @GADGET_FILTER_ALL: all flags
 *
 * The system calls that a filter allows although they are refused by default.
 */
typedef enum
{
  GADGET_FILTER_UNIX_SOCKETS = 1 << 0,
  GADGET_FILTER_SET_GROUP_ID = 1 << 1,
  GADGET_FILTER_ALL = GADGET_FILTER_UNIX_SOCKETS | GADGET_FILTER_SET_GROUP_ID,
} GadgetFilterFlags;

int             _gadget_filter_open           (GadgetFilterFlags           flags,
                                               GError                    **error);

/* --- gadget-sandbox.c --- */
/* Returns the path of the cache for COMMAND (transfer full) (nullable). Creates it if there is
 * none, but not after a cancellation. If FOLDERS are given, LAUNCH holds a claim on the cache until
 * they are checked. */
char           *_gadget_sandbox_prepare_cache (GadgetSandbox              *self,
                                               GadgetLaunch               *launch,
                                               GPtrArray                  *folders,
                                               const GadgetSandboxCommand *command);

/* --- gadget-sandbox-network.c --- */

/* Lets the command resolve host names: with OWN by pasta, for a network of the command's own,
 * otherwise as this computer does. Returns FALSE with %GADGET_PROCESS_ERROR_START. */
gboolean        _gadget_network_add_resolver  (GadgetLaunch               *launch,
                                               GPtrArray                  *argv,
                                               gboolean                    own,
                                               GError                    **error);

/* For a network of the command's own: adds the program that starts bubblewrap and connects its
 * network. Returns FALSE with %GADGET_PROCESS_ERROR_SANDBOX if pasta or the program is missing. */
gboolean        _gadget_network_add_connect   (GPtrArray                  *argv,
                                               const char                 *helper,
                                               GError                    **error);

G_END_DECLS
