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
 * The attachments of the message that is being written, as chips that can be removed. It is visible
 * only when there are any. Signals: "changed", and "left": the last chip, which had the focus, was
 * removed.
 */

/* Sets the engine, which stores pictures and whose "abort-all" stops reading; @engine is
 * (nullable). */
void                      gadget_attachment_list_set_engine          (GadgetAttachmentList *self,
                                                                      GadgetEngine         *engine);

/* Begins to read a file. It is cancelled when the attachment is removed. */
void                      gadget_attachment_list_add_file            (GadgetAttachmentList *self,
                                                                      GFile                *file);
void                      gadget_attachment_list_add (GadgetAttachmentList *self,
                                                      GPtrArray            *attachments);
/* Returns FALSE when the attachment is not in the list (any more). */
gboolean                  gadget_attachment_list_remove (GadgetAttachmentList *self,
                                                         GadgetAttachment     *attachment);
void                      gadget_attachment_list_clear               (GadgetAttachmentList *self);

/* Returns the attachments that are read. (transfer full) (nullable) (element-type
 * GadgetAttachment): NULL for none */
GPtrArray                *gadget_attachment_list_dup                 (GadgetAttachmentList *self);
gboolean                  gadget_attachment_list_is_reading          (GadgetAttachmentList *self);
gboolean                  gadget_attachment_list_has_any             (GadgetAttachmentList *self);
gboolean                  gadget_attachment_list_has_pictures        (GadgetAttachmentList *self);

/* An attachment that another program was asked for. */
typedef struct _GadgetIncomingAttachment GadgetIncomingAttachment;

/* @taken tells whether the data was read and is attached now. */
typedef void (*GadgetArrivedFunc) (gboolean taken, gpointer user_data);

GadgetIncomingAttachment *gadget_attachment_list_expect (GadgetAttachmentList *self,
                                                         const char           *name,
                                                         GadgetArrivedFunc     arrived,
                                                         gpointer              user_data);

/* Functions for the one who asks the other program; @incoming is valid until @arrived was
 * called. */
GCancellable *gadget_incoming_attachment_get_cancellable (GadgetIncomingAttachment *incoming);
void                      gadget_incoming_attachment_receive (GadgetIncomingAttachment *incoming,
                                                              GInputStream             *stream);
void                      gadget_incoming_attachment_cancel (GadgetIncomingAttachment *incoming);

G_END_DECLS
