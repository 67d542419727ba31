/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* So many threads may hang after a stop; then nothing more is begun until one of them returns. */
#define GADGET_BLOCKING_MAX_GIVEN_UP 10

typedef struct _GadgetBlocking GadgetBlocking;

/**
 * GadgetBlockingFunc:
 * @job: for gadget_blocking_commit ()
 * @data: what gadget_blocking_run_async () was given; nobody else uses it meanwhile
 * @cancellable: (nullable): looked at between steps, so that the thread ends soon after a stop
 *
 * Called in a thread. Touches no object that belongs to the main context.
 *
 * Returns: the result, or %NULL with @error set
 */
typedef gpointer (*GadgetBlockingFunc) (GadgetBlocking *job,
                                        gpointer        data,
                                        GCancellable   *cancellable,
                                        GError        **error);

/* Calls that may hang, above all those on files. See the source for the rules. */
void     gadget_blocking_run_async  (GCancellable        *cancellable,
                                     GadgetBlockingFunc   work,
                                     gpointer             data,
                                     GDestroyNotify       destroy,
                                     GDestroyNotify       result_destroy,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
void     gadget_blocking_run_urgent_async (GadgetBlockingFunc work,
                                     gpointer             data,
                                     GDestroyNotify       destroy,
                                     GDestroyNotify       result_destroy,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gpointer gadget_blocking_run_finish (GAsyncResult        *result,
                                     GError             **error);

gboolean gadget_blocking_commit     (GadgetBlocking      *job);

/* How many hang now after they were stopped. */
guint    gadget_blocking_get_n_given_up (void);

G_END_DECLS
