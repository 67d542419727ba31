/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-picture.h"

G_BEGIN_DECLS

/* Of one text: there are models that can read as much, hardly any that read more. */
#define GADGET_ATTACHMENT_MAX_TEXT (1024 * 1024)

/**
 * GadgetAttachment:
 *
 * Something that the user gives with a message: a picture, or a text. What it is never changes.
 */
typedef struct _GadgetAttachment GadgetAttachment;

GadgetAttachment *gadget_attachment_new_picture (GadgetPicture          *picture);
GadgetAttachment *gadget_attachment_new_text    (const char             *name,
                                                 const char             *text,
                                                 gsize                   size);
GadgetAttachment *gadget_attachment_ref         (GadgetAttachment       *self);
void              gadget_attachment_unref       (GadgetAttachment       *self);

/* Its file's name; NULL for a picture that came from no file. */
const char       *gadget_attachment_get_name    (const GadgetAttachment *self);
/* Of its file, in bytes. */
gsize             gadget_attachment_get_size    (const GadgetAttachment *self);
/* One of the two is NULL. */
GadgetPicture    *gadget_attachment_get_picture (const GadgetAttachment *self);
const char       *gadget_attachment_get_text    (const GadgetAttachment *self);

/* What a model is given of a text. (transfer full) */
char             *gadget_attachment_dup_words   (const GadgetAttachment *self);

/* Those of a message, which is a turn (of its prompt), an item (that steers) or a queued message:
 * (element-type GadgetAttachment), never changed once it is there; NULL for none. */
GPtrArray        *gadget_attachments_new        (void);
GPtrArray        *gadget_attachments_get        (gpointer                message);
gboolean          gadget_attachments_have_picture (const GPtrArray      *attachments);
void              gadget_attachments_set        (gpointer                message,
                                                 GPtrArray              *attachments);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAttachment, gadget_attachment_unref)

G_END_DECLS
