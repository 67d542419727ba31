/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "session/gadget-attachment.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ATTACHMENT_LIST (gadget_attachment_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAttachmentList, gadget_attachment_list, GADGET, ATTACHMENT_LIST, AdwBin)

/**
 * GadgetAttachmentList:
 *
 * What will be given with the message that is being written, as chips that can be removed. Seen only
 * when there is something. Signals: "changed", and "left": the focus was on what is gone now.
 */
void       gadget_attachment_list_set_engine (GadgetAttachmentList  *self,
                                              GadgetEngine          *engine);

/* Reads it, as long as it is wanted. */
void       gadget_attachment_list_add_file   (GadgetAttachmentList  *self,
                                              GFile                 *file);
void       gadget_attachment_list_add        (GadgetAttachmentList  *self,
                                              GPtrArray             *attachments);
/* FALSE if it is not there (any more). */
gboolean   gadget_attachment_list_remove     (GadgetAttachmentList  *self,
                                              GadgetAttachment      *attachment);
void       gadget_attachment_list_clear      (GadgetAttachmentList  *self);

/* Those that are read. (transfer full) (nullable): NULL for none */
GPtrArray *gadget_attachment_list_dup        (GadgetAttachmentList  *self);
gboolean   gadget_attachment_list_is_reading (GadgetAttachmentList  *self);
gboolean   gadget_attachment_list_has_any    (GadgetAttachmentList  *self);
gboolean   gadget_attachment_list_has_pictures (GadgetAttachmentList *self);

/* What another program was asked for. */
typedef struct _GadgetArrival GadgetArrival;
typedef void (*GadgetArrivedFunc) (gboolean taken, gpointer user_data);

GadgetArrival *gadget_attachment_list_expect (GadgetAttachmentList  *self,
                                              const char            *name,
                                              GadgetArrivedFunc      arrived,
                                              gpointer               user_data);
GCancellable *gadget_arrival_get_cancellable (GadgetArrival         *arrival);
void       gadget_arrival_take               (GadgetArrival         *arrival,
                                              GInputStream          *stream);
void       gadget_arrival_forget             (GadgetArrival         *arrival);

G_END_DECLS
