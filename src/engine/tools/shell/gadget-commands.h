/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/search/gadget-ripgrep.h"
#include "tools/gadget-toolbox.h"
#include "process/sandbox/gadget-sandbox.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

#define GADGET_TYPE_COMMANDS (gadget_commands_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCommands, gadget_commands, GADGET, COMMANDS, GObject)

/* Decides whether and how commands may run on this computer: it finds a working sandbox, keeps the
 * user's settings about it, and offers the shell tool, or does not. It emits "changed" when any of
 * these has changed. */
GadgetCommands     *gadget_commands_new            (GadgetStore          *store,
                                                    GadgetToolbox        *toolbox);
void                gadget_commands_open_async     (GadgetCommands       *self,
                                                    const char           *cache_dir,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
void                gadget_commands_open_finish    (GadgetCommands       *self,
                                                    GAsyncResult         *result);

/* The working sandbox, or NULL; then the reason is a text for the user. Both are known when opening
 * has finished. (transfer none) */
GadgetSandbox      *gadget_commands_get_sandbox    (GadgetCommands       *self);
const char         *gadget_commands_get_reason     (GadgetCommands       *self);

/* The limits of each command in the sandbox, in bytes and in processes and threads; 0 without a
 * limit. */
guint64             gadget_commands_get_max_memory (GadgetCommands       *self);
guint               gadget_commands_get_max_tasks  (GadgetCommands       *self);

/* These tell whether the user wants commands to run without a sandbox where there is none. The
 * setting has no effect where there is one. */
gboolean            gadget_commands_get_unconfined (GadgetCommands       *self);
void                gadget_commands_set_unconfined (GadgetCommands       *self,
                                                    gboolean              unconfined);

/* Returns whether the shell tool is offered. */
gboolean            gadget_commands_get_offered    (GadgetCommands       *self);

/* Returns: (transfer none): ripgrep, in the sandbox of the commands. */
GadgetRipgrep      *gadget_commands_get_ripgrep    (GadgetCommands       *self);

/* The tools are the parts of the home folder that commands can read, the changes what the user set
 * about them; see gadget_sandbox_tools_find (). The tools are NULL before opening has finished, and
 * without a sandbox. (transfer none) */
GadgetSandboxTools *gadget_commands_get_tools      (GadgetCommands       *self);
const char *const  *gadget_commands_get_changes    (GadgetCommands       *self);
void                gadget_commands_set_changes    (GadgetCommands       *self,
                                                    const char *const    *changes);

G_END_DECLS
