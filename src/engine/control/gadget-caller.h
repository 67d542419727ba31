/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetCaller:
 * @GADGET_CALLER_UNKNOWN: the program could not be identified
 * @GADGET_CALLER_SANDBOXED: a program in a sandbox
 * @GADGET_CALLER_USER: a program of the same user outside of any sandbox, which has the user's
 *   rights
 *
 * The kinds of programs that call methods on a message bus.
 */
typedef enum
{
  GADGET_CALLER_UNKNOWN,
  GADGET_CALLER_SANDBOXED,
  GADGET_CALLER_USER,
} GadgetCaller;

/* Identify the caller of a method. This never fails: a program that cannot be identified is
 * %GADGET_CALLER_UNKNOWN. */
void         gadget_caller_identify_async  (GDBusConnection     *connection,
                                            const char          *unique_name,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
GadgetCaller gadget_caller_identify_finish (GAsyncResult        *result);

/* Judges a process by its root and its namespaces. @proc is "/proc", except in tests. */
GadgetCaller gadget_caller_from_process    (const char          *proc,
                                            guint                pid);

G_END_DECLS
