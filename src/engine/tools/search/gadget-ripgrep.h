/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-search.h"
#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

#define GADGET_TYPE_RIPGREP (gadget_ripgrep_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRipgrep, gadget_ripgrep, GADGET, RIPGREP, GObject)

/* Knows how ripgrep runs on this computer. */
GadgetRipgrep *gadget_ripgrep_new         (void);

/* Sets the sandbox in which ripgrep searches the workspace. Without @sandbox (nullable), as at first,
 * and with one that is not of bubblewrap, it runs with the user's own rights. */
void           gadget_ripgrep_set_sandbox (GadgetRipgrep       *self,
                                           GadgetSandbox       *sandbox);

/* For tests: runs @program instead of the "rg" found in PATH. */
void           gadget_ripgrep_set_program (GadgetRipgrep       *self,
                                           const char          *program);

/* Looks up what @search is to look through, and runs ripgrep there. Results go to @search. Fails
 * with the errors of opening the folder or file, with %G_IO_ERROR_CANCELLED, with
 * %G_IO_ERROR_INVALID_ARGUMENT for an invalid pattern, with %G_IO_ERROR_NOT_SUPPORTED if there is
 * no ripgrep, and with other errors when it could not search; the messages are for the model. */
void           _gadget_ripgrep_run_async  (GadgetRipgrep       *self,
                                           GadgetSearch        *search,
                                           GCancellable        *cancellable,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
gboolean       _gadget_ripgrep_run_finish (GadgetRipgrep       *self,
                                           GAsyncResult        *result,
                                           GError             **error);

G_END_DECLS
