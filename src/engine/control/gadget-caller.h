/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetCaller:
 * @GADGET_CALLER_UNKNOWN: it cannot be told who it is
 * @GADGET_CALLER_SANDBOXED: a program in a sandbox
 * @GADGET_CALLER_USER: the same user's program outside of any sandbox: counts as the user
 */
typedef enum
{
  GADGET_CALLER_UNKNOWN,
  GADGET_CALLER_SANDBOXED,
  GADGET_CALLER_USER,
} GadgetCaller;

/* Who calls on a message bus. Never fails: one that cannot be told is %GADGET_CALLER_UNKNOWN. */
void         gadget_caller_identify_async  (GDBusConnection     *connection,
                                            const char          *unique_name,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
GadgetCaller gadget_caller_identify_finish (GAsyncResult        *result);

/* What a process is, by its root and its namespaces. PROC is "/proc" but in tests. */
GadgetCaller gadget_caller_from_process    (const char          *proc,
                                            guint                pid);

G_END_DECLS
