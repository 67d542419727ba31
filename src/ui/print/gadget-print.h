/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "store/export/gadget-export.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Prepares to print chats. @ids: (array zero-terminated=1): their ids, in the order in which they are
 * printed. @title: what is said below each page, and the name of the job. */
void               gadget_print_prepare_async  (GadgetEngine        *engine,
                                                const char *const   *ids,
                                                GadgetExportParts    parts,
                                                const char          *title,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
/* Returns what is to be run: in parts, when idle, and it shows its progress. NULL with @error set as
 * by gadget_export_finish (). (transfer full) (nullable) */
GtkPrintOperation *gadget_print_prepare_finish (GadgetEngine        *engine,
                                                GAsyncResult        *result,
                                                GError             **error);

G_END_DECLS
