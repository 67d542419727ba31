/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ripgrep.h"
#include "gadget-toolbox.h"
#include "process/gadget-sandbox.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

#define GADGET_TYPE_COMMANDS (gadget_commands_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCommands, gadget_commands, GADGET, COMMANDS, GObject)

/* Whether and how commands may run here: finds the sandbox, knows what the user set about it, and
 * offers the shell tool, or does not. Emits "changed" when any of it did. */
GadgetCommands     *gadget_commands_new            (GadgetStore          *store,
                                                    GadgetToolbox        *toolbox);
void                gadget_commands_open_async     (GadgetCommands       *self,
                                                    const char           *cache_dir,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
void                gadget_commands_open_finish    (GadgetCommands       *self,
                                                    GAsyncResult         *result);

/* The sandbox that works here, or NULL; then the reason is for people. Known once open. */
GadgetSandbox      *gadget_commands_get_sandbox    (GadgetCommands       *self);
const char         *gadget_commands_get_reason     (GadgetCommands       *self);

/* Limits of each command in the sandbox; 0 where there is none. */
guint64             gadget_commands_get_max_memory (GadgetCommands       *self);
guint               gadget_commands_get_max_tasks  (GadgetCommands       *self);

/* Whether the user wants commands without a sandbox where none can be had. It changes nothing where
 * there is one. */
gboolean            gadget_commands_get_unconfined (GadgetCommands       *self);
void                gadget_commands_set_unconfined (GadgetCommands       *self,
                                                    gboolean              unconfined);

/* Whether the shell tool is offered. */
gboolean            gadget_commands_get_offered    (GadgetCommands       *self);

/* ripgrep may run where commands may. */
GadgetRipgrep      *gadget_commands_get_ripgrep    (GadgetCommands       *self);

/* What commands see of the home folder, and what the user changed about that; see
 * gadget_sandbox_tools_find (). NULL before it is open, and where there is no sandbox. */
GadgetSandboxTools *gadget_commands_get_tools      (GadgetCommands       *self);
const char *const  *gadget_commands_get_changes    (GadgetCommands       *self);
void                gadget_commands_set_changes    (GadgetCommands       *self,
                                                    const char *const    *changes);

G_END_DECLS
