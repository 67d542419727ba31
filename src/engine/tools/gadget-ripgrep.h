/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-search-task.h"
#include "process/gadget-sandbox.h"

G_BEGIN_DECLS

#define GADGET_TYPE_RIPGREP (gadget_ripgrep_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRipgrep, gadget_ripgrep, GADGET, RIPGREP, GObject)

/* Knows whether and how ripgrep may run on this computer. At first it may not. */
GadgetRipgrep *gadget_ripgrep_new        (void);

/* Sets whether ripgrep may run. Without @sandbox (nullable) it runs with the user's own rights. */
void           gadget_ripgrep_set        (GadgetRipgrep        *self,
                                          gboolean              allowed,
                                          GadgetSandbox        *sandbox);
gboolean       gadget_ripgrep_is_allowed (GadgetRipgrep        *self);

/* For tests: runs @program instead of the "rg" found in PATH. */
void           gadget_ripgrep_set_program (GadgetRipgrep       *self,
                                           const char          *program);

/* Searches the folder @folder, a path below the root of @task, "" for the root itself. Results go
 * to the task. Fails with %G_IO_ERROR_CANCELLED, with %G_IO_ERROR_INVALID_ARGUMENT for an invalid
 * pattern, and with other errors when ripgrep could not search. */
void           _gadget_ripgrep_run_async  (GadgetRipgrep       *self,
                                           GadgetSearchTask    *task,
                                           const char          *folder,
                                           GCancellable        *cancellable,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
gboolean       _gadget_ripgrep_run_finish (GadgetRipgrep       *self,
                                           GAsyncResult        *result,
                                           GError             **error);

G_END_DECLS
