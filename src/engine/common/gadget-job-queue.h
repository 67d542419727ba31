/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Jobs that one thread runs, in the order of the calls. gadget-job-queue.c explains the rules. */
typedef struct _GadgetJobQueue GadgetJobQueue;

typedef void (*GadgetJobFunc) (gpointer job);

GadgetJobQueue *gadget_job_queue_new           (const char     *thread_name);
void            gadget_job_queue_push          (GadgetJobQueue *self,
                                                GadgetJobFunc   run,
                                                GadgetJobFunc   done,
                                                gpointer        job);
gboolean        gadget_job_queue_has_waiting   (GadgetJobQueue *self);
void            gadget_job_queue_finish        (GadgetJobQueue *self);
void            gadget_job_queue_free          (GadgetJobQueue *self);

G_END_DECLS
