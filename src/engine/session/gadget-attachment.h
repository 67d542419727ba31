/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-picture.h"

G_BEGIN_DECLS

/* The size limit of one text in bytes. Some models can read that much, hardly any can read more. */
#define GADGET_ATTACHMENT_MAX_TEXT (1024 * 1024)

/**
 * GadgetAttachment:
 *
 * A picture or a text that the user attaches to a message. Immutable and reference counted.
 */
typedef struct _GadgetAttachment GadgetAttachment;

/* Create attachments and count references. */
GadgetAttachment *gadget_attachment_new_picture    (GadgetPicture          *picture);
GadgetAttachment *gadget_attachment_new_text       (const char             *name,
                                                    const char             *text,
                                                    gsize                   size);
GadgetAttachment *gadget_attachment_ref            (GadgetAttachment       *self);
void              gadget_attachment_unref          (GadgetAttachment       *self);

/* Returns the name of the file; NULL for a picture that does not come from a file. */
const char       *gadget_attachment_get_name       (const GadgetAttachment *self);
/* Returns the size of the file in bytes. */
gsize             gadget_attachment_get_size       (const GadgetAttachment *self);
/* One of the two is NULL (transfer none). */
GadgetPicture    *gadget_attachment_get_picture    (const GadgetAttachment *self);
const char       *gadget_attachment_get_text       (const GadgetAttachment *self);

/* Returns the text as a model gets it (transfer full). */
char             *gadget_attachment_dup_model_text (const GadgetAttachment *self);

/* The attachments of a message, which is a turn (for its prompt), an item (a steering message) or a
 * queued message. The list (element-type GadgetAttachment) never changes once it is set; NULL
 * stands for no attachments. */
GPtrArray        *gadget_attachments_new           (void);
GPtrArray        *gadget_attachments_get           (gpointer                message);
gboolean          gadget_attachments_have_picture  (const GPtrArray        *attachments);
void              gadget_attachments_set           (gpointer                message,
                                                    GPtrArray              *attachments);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAttachment, gadget_attachment_unref)

G_END_DECLS
