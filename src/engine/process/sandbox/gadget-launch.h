/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-sandbox-cache.h"

G_BEGIN_DECLS

/**
 * GadgetLaunch:
 * @argv: the whole command line, including the helper
 * @environment: the environment of the started process. It contains only what a command needs, so
 *   that no API key of Gadget can be in it
 * @folder: the folder in which the process is started
 * @sources: (element-type int): descriptors that it gets besides the control socket, owned
 * @targets: (element-type int): the numbers of these descriptors in the process
 * @git: (nullable) (element-type GadgetGitGuard): to be checked when the command has ended
 * @cache: (nullable): the claim on the cache, until it is handed over to the first guard in @git
 * @status: where bubblewrap reports the first process of the sandbox, owned; or -1
 * @covered: (nullable) (element-type GadgetCovered): files that may vanish before bubblewrap covers
 *   them
 *
 * A command line that is ready to be started, with all that belongs to it.
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

/* Closes the descriptors, and frees the rest. */
void     gadget_launch_free           (GadgetLaunch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetLaunch, gadget_launch_free)

/* Returns whether a covered file has vanished or was replaced since, which makes bubblewrap fail.
 * Vanished files are then no longer covered; neither are replaced ones, unless PATIENT. After that
 * the launch can be used once more. */
gboolean gadget_launch_refresh_covers (GadgetLaunch *self,
                                       gboolean      patient);

G_END_DECLS
