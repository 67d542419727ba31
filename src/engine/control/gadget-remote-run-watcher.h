/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store-runs.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_RUN_WATCHER (gadget_remote_run_watcher_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemoteRunWatcher, gadget_remote_run_watcher, GADGET, REMOTE_RUN_WATCHER, GObject)

/* Waits for runs that this process does not have: runs of other processes, and runs that ended long
 * ago. */
GadgetRemoteRunWatcher *gadget_remote_run_watcher_new         (GadgetStore            *store);
void                    gadget_remote_run_watcher_wait_async  (GadgetRemoteRunWatcher *self,
                                                               const char             *run_id,
                                                               GAsyncReadyCallback     callback,
                                                               gpointer                user_data);
GadgetStoreRun         *gadget_remote_run_watcher_wait_finish (GadgetRemoteRunWatcher *self,
                                                               GAsyncResult           *result,
                                                               GError                **error);

/* Fails all waits with %G_IO_ERROR_CLOSED. */
void                    gadget_remote_run_watcher_close       (GadgetRemoteRunWatcher *self);

G_END_DECLS
