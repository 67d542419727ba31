/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads what a model is told about a chat's folder. Without an answer of the disk it ends after a
 * moment; it always ends soon after a stop. */
void  gadget_folder_facts_read_async  (const char          *folder,
                                       GadgetClock         *clock,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);

/* Returns sentences (transfer full); "" if there is nothing to tell. */
char *gadget_folder_facts_read_finish (GAsyncResult        *result);

G_END_DECLS
