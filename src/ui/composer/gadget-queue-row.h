/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-queued-message.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_QUEUE_ROW (gadget_queue_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetQueueRow, gadget_queue_row, GADGET, QUEUE_ROW, GtkWidget)

/* A row for one queued message. Signals: "send", "edit", "remove", and "move" (GadgetQueuedMessage,
 * guint to): for this message, or for one that was dropped on the row. */

/* @index is the place of the message in the queue of @n messages. */
GtkWidget *gadget_queue_row_new       (GadgetQueuedMessage *message,
                                       guint                index,
                                       guint                n);

/* Returns the message of the row. (transfer none) */
GadgetQueuedMessage *gadget_queue_row_get_message (GadgetQueueRow *self);
void       gadget_queue_row_set_state (GadgetQueueRow      *self,
                                       gboolean             busy,
                                       gboolean             narrow);

G_END_DECLS
