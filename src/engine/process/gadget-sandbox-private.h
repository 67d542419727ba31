/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-path.h"
#include "gadget-sandbox-git.h"
#include "gadget-sandbox-tools.h"
#include "gadget-sandbox.h"

G_BEGIN_DECLS

#define _GADGET_SANDBOX_HOME "/tmp/home"
#define _GADGET_SANDBOX_WORK "/tmp/work"
#define _GADGET_SANDBOX_CACHE "/tmp/cache"
#define _GADGET_SANDBOX_PATH "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

/* Descriptors of the started process, besides the control socket. */
#define _GADGET_SANDBOX_FILTER_FD 4
#define _GADGET_SANDBOX_RESOLVER_FD 5
#define _GADGET_SANDBOX_INFO_FD 6
#define _GADGET_SANDBOX_BLOCK_FD 7
#define _GADGET_SANDBOX_STATUS_FD 8
#define _GADGET_SANDBOX_GIT_FD 40 /* and those behind it; gadget-connect has its own below */

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

/* Words of a command line; the last one is NULL. */
void       _gadget_argv_add                (GPtrArray           *argv,
                                            ...) G_GNUC_NULL_TERMINATED;

/* --- gadget-sandbox-places.c --- */
GPtrArray *_gadget_places_list_hidden      (void);
void       _gadget_places_hide_foreign     (GPtrArray           *hidden,
                                            GPtrArray           *folders);
char      *_gadget_places_resolve_folder   (const char          *folder,
                                            GPtrArray           *hidden,
                                            GError             **error);

/* --- gadget-sandbox-sockets.c --- */
void       _gadget_sockets_cover           (GadgetLaunch        *launch,
                                            GPtrArray           *argv,
                                            GadgetSandboxTools  *tools,
                                            GPtrArray           *hidden,
                                            GPtrArray           *folders);

/* --- gadget-sandbox-mounts.c --- */

/* The program under the name that it has inside. */
const char *_gadget_mounts_get_helper      (const char          *helper,
                                            GPtrArray           *hidden);

/* Adds all that is mounted; the FOLDERS are given, the first of them is the COMMAND's workspace if it
 * has one.
 * Returns whether there is a cache. */
gboolean   _gadget_mounts_add              (GadgetSandbox       *self,
                                            GadgetLaunch        *launch,
                                            GPtrArray           *argv,
                                            GPtrArray           *hidden,
                                            GPtrArray           *folders,
                                            const GadgetSandboxCommand *command);

/* Repositories in the folders, which are looked at again after the command. */
void       _gadget_mounts_protect_git      (GadgetSandbox       *self,
                                            GadgetLaunch        *launch,
                                            GPtrArray           *folders,
                                            const GadgetSandboxCommand *command,
                                            GadgetGitFunc        mount,
                                            gpointer             user_data);

/* --- gadget-sandbox-cache.c --- */
GadgetCacheUse *_gadget_cache_use_new      (const char          *files);
void       _gadget_cache_use_free          (GadgetCacheUse      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetCacheUse, _gadget_cache_use_free)

void       _gadget_cache_list_variables    (const char          *folder,
                                            GadgetSandboxTools  *tools,
                                            GPtrArray           *variables);

/* --- gadget-sandbox-filter.c --- */

/**
 * GadgetFilterFlags:
 * @GADGET_FILTER_UNIX_SOCKETS: Unix sockets can be made, besides pairs of them
 * @GADGET_FILTER_SET_GROUP_ID: the set-group-ID bit can be set: it cannot be told of files and
 *   folders, and in a folder that has it tools keep it for the folders that they make
 *
 * What is allowed that mostly is not.
 */
typedef enum
{
  GADGET_FILTER_UNIX_SOCKETS = 1 << 0,
  GADGET_FILTER_SET_GROUP_ID = 1 << 1,
  GADGET_FILTER_ALL = GADGET_FILTER_UNIX_SOCKETS | GADGET_FILTER_SET_GROUP_ID,
} GadgetFilterFlags;

int        _gadget_filter_open             (GadgetFilterFlags    flags,
                                            GError             **error);

/* --- gadget-sandbox-cover.c --- */

/* Puts a device that cannot be opened there in the place of a file. */
void       _gadget_launch_cover            (GadgetLaunch        *self,
                                            GPtrArray           *argv,
                                            const char          *path);

/* Whether something of it is gone or another by now, which makes bubblewrap fail. Then what is gone
 * is not covered any more, without patience also what is another one, and the launch can be used
 * once more. */
gboolean   _gadget_launch_look_again       (GadgetLaunch        *self,
                                            gboolean             patient);

/* --- gadget-sandbox.c --- */
void       _gadget_launch_give_fd          (GadgetLaunch        *self,
                                            int                  source,
                                            int                  target);

/* (nullable): the cache of the workspace, which is made if there is none; not after a stop. Where
 * there are folders, the launch uses it until these were looked at. */
char      *_gadget_sandbox_prepare_cache   (GadgetSandbox       *self,
                                            GadgetLaunch        *launch,
                                            GPtrArray           *folders,
                                            const GadgetSandboxCommand *command);

GadgetSandbox *_gadget_sandbox_copy        (GadgetSandbox       *self);
GadgetSystemd *_gadget_sandbox_dup_systemd (GadgetSandbox       *self);
void       _gadget_sandbox_clean_caches    (GadgetSandbox       *self);

/* --- gadget-sandbox-network.c --- */

/* Names are asked of the network that is the command's OWN, or of this computer's. */
gboolean   _gadget_network_add_resolver    (GadgetLaunch        *launch,
                                            GPtrArray           *argv,
                                            gboolean             own,
                                            GError             **error);

/* For a network of its own: what starts bubblewrap and joins it. */
gboolean   _gadget_network_add_connect     (GPtrArray           *argv,
                                            const char          *helper,
                                            GError             **error);

G_END_DECLS
