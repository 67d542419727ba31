/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The messages of a session that wait for their turn. Seen only when there are any. Signals: "send"
 * (guint index), which is only offered while nothing runs, "edit" (guint index): it is to be taken
 * out of the queue and written anew, "remove" (guint index): it is to be taken out, "changed": the
 * user made it otherwise than it is stored, and "focus-lost": the row that had the focus is gone. */
#define GADGET_TYPE_QUEUE_LIST (gadget_queue_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetQueueList, gadget_queue_list, GADGET, QUEUE_LIST, AdwBin)

void       gadget_queue_list_set_session (GadgetQueueList *self,
                                          GadgetSession   *session);
void       gadget_queue_list_set_busy    (GadgetQueueList *self,
                                          gboolean         busy);
void       gadget_queue_list_set_max_height (GadgetQueueList *self,
                                           int              height);
void       gadget_queue_list_set_narrow  (GadgetQueueList *self,
                                          gboolean         narrow);

G_END_DECLS
