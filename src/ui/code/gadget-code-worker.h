/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs low-priority work on the main thread, in slices that are shorter than a frame: the jobs one
 * after the other. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Does a small step of work, ideally far less than a millisecond. Returns whether there is more. */
typedef gboolean (*GadgetCodeWork) (gpointer data);

/* Adds a job: @work is called with @data until it returns FALSE. Does nothing when there is a job
 * for @data already. The caller removes the job before @data is freed. */
void     gadget_code_worker_add    (GadgetCodeWork work,
                                    gpointer       data);
/* Removes the job for @data, if there is one; the job itself may do so. */
void     gadget_code_worker_remove (gpointer       data);

/* Runs work that cannot wait, until there is no more, but for no longer than a slice in the time of
 * one frame, over all callers together. Returns whether there is more. */
gboolean gadget_code_worker_do     (GadgetCodeWork work,
                                    gpointer       data);

G_END_DECLS
