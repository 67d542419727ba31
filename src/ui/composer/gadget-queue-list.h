/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The queued messages of a session; visible only when there are any. Signals: "send" (guint index),
 * emitted only while nothing runs; "edit" (guint index): to be taken out of the queue and into the
 * composer; "remove" (guint index): to be taken out; "changed": the user changed the queue, which
 * is to be saved; "focus-lost": the row with the focus is gone. */
#define GADGET_TYPE_QUEUE_LIST (gadget_queue_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetQueueList, gadget_queue_list, GADGET, QUEUE_LIST, AdwBin)

/* See the source for each. @narrow: the rows have a menu in place of their buttons. */
void       gadget_queue_list_set_session (GadgetQueueList *self,
                                          GadgetSession   *session);
void       gadget_queue_list_set_busy    (GadgetQueueList *self,
                                          gboolean         busy);
void       gadget_queue_list_set_max_height (GadgetQueueList *self,
                                           int              height);
void       gadget_queue_list_set_narrow  (GadgetQueueList *self,
                                          gboolean         narrow);

G_END_DECLS
