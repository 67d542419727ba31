/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-composer-private.h"

G_BEGIN_DECLS

/* Something to attach that must be read first, from the clipboard or a drop. It belongs to the chat
 * that was shown when it began. */
typedef struct
{
  GadgetComposer *composer; /* (nullable) (weak) */
  GadgetSession *session;
  GtkTextMark *mark;      /* (nullable): where text is inserted */
  GdkDrop *drop;          /* (nullable): the drop to read from; finished at the latest with this */
  gboolean taken;         /* something of it was attached or inserted */
  GadgetIncomingAttachment *incoming; /* (nullable): from gadget_pending_attachment_announce() until
                                       * it was attached, failed or was removed */
} GadgetPendingAttachment;

/* Reference-counted: each asynchronous call holds a reference until its callback, and so does
 * @incoming. */
GadgetPendingAttachment *gadget_pending_attachment_new         (GadgetComposer *composer);
GadgetPendingAttachment *gadget_pending_attachment_ref         (GadgetPendingAttachment *pending);
void                     gadget_pending_attachment_unref       (GadgetPendingAttachment *pending);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetPendingAttachment, gadget_pending_attachment_unref)

/* Tells whether the composer still exists and shows the same chat. */
gboolean gadget_pending_attachment_is_wanted (const GadgetPendingAttachment *pending);

/* Attaches those of @files that are files; the others are addresses from a web page. Returns FALSE
 * when none of them is a file. */
gboolean                 gadget_pending_attachment_add_files   (GadgetPendingAttachment *pending,
                                                                const GSList            *files);

/* Inserts text at @mark, or else at the cursor. */
void                     gadget_pending_attachment_insert      (GadgetPendingAttachment *pending,
                                                                const char              *text);

/* Adds a chip for data that is still to come, see gadget_attachment_list_expect(). @name is a label
 * for people. */
void                     gadget_pending_attachment_announce    (GadgetPendingAttachment *pending,
                                                                const char              *name);
/* Receives a picture from @stream (nullable), or @error, which says why none will come. */
void                     gadget_pending_attachment_receive     (GadgetPendingAttachment *pending,
                                                                GInputStream            *stream,
                                                                const GError            *error);
/* Removes the chip: the data is there, but was handled in another way. */
void                     gadget_pending_attachment_cancel      (GadgetPendingAttachment *pending);

/* Returns the types that data can be read as. Another program offers MIME types; this one (@local)
 * offers GTypes, which are serialized as any MIME type when asked for. (transfer full) */
GdkContentFormats       *gadget_pending_attachment_dup_formats (GdkContentFormats *formats,
                                                                gboolean           local);

/* Returns the MIME types of pictures that can be attached, the preferred one first;
 * NULL-terminated. (transfer none) */
const char *const *gadget_pending_attachment_get_picture_types (void);
gboolean                 gadget_pending_attachment_has_picture (GdkContentFormats *formats);

G_END_DECLS
