/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* So many given-up jobs may hang; new jobs are then refused until one of their threads returns. */
#define GADGET_BLOCKING_MAX_GIVEN_UP 10

/* One call that runs in a thread. */
typedef struct _GadgetBlocking GadgetBlocking;

/**
 * GadgetBlockingFunc:
 * @job: for gadget_blocking_commit ()
 * @data: the data of gadget_blocking_run_async (); nothing else may use it while this runs
 * @cancellable: (nullable): checked between steps, so that the thread ends soon after a stop
 *
 * Called in a thread. Must not touch objects that belong to the main context.
 *
 * Returns: the result, or %NULL with @error set
 */
typedef gpointer (*GadgetBlockingFunc) (GadgetBlocking *job,
                                        gpointer        data,
                                        GCancellable   *cancellable,
                                        GError        **error);

/* Runs calls that may hang, above all those on files. gadget-blocking.c explains the rules. */
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

/* Called by the work function before it changes something; FALSE when the job was stopped. */
gboolean gadget_blocking_commit     (GadgetBlocking      *job);

/* The number of given-up jobs whose threads still hang. From any thread. */
guint    gadget_blocking_get_n_given_up (void);

G_END_DECLS
