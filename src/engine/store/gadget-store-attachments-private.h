/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what is given with messages, as plain data. */

#pragma once

#include "gadget-sql.h"
#include "common/gadget-json.h"
#include "session/gadget-attachment.h"

G_BEGIN_DECLS

/* Of one message. */
typedef struct
{
  char *json;       /* what they are, and texts whole */
  GPtrArray *blobs; /* the bytes of pictures, as far as they are in memory */
} GadgetAttachmentRows;

/* NULL for no attachments. */
GadgetAttachmentRows *_gadget_attachment_rows_take  (GPtrArray                   *attachments);
void                  _gadget_attachment_rows_free  (GadgetAttachmentRows        *self);
JsonNode             *_gadget_attachment_rows_to_json (const GadgetAttachmentRows *self);
GadgetAttachmentRows *_gadget_attachment_rows_from_json (JsonObject              *object);

/* Writes the bytes; the JSON belongs into the row of whoever has them. SESSION_ID is NULL for the new
 * chat, which has no row. What is KEPT is of a turn, and stays for good. */
gboolean              _gadget_attachment_rows_write (const GadgetAttachmentRows  *self,
                                                     sqlite3                     *db,
                                                     const char                  *session_id,
                                                     gboolean                     kept,
                                                     GError                     **error);
GPtrArray            *_gadget_attachments_parse     (const char                  *json);
GPtrArray            *_gadget_attachments_from_rows (const GadgetAttachmentRows  *self);

/* Of a turn that is a copy of another: gives it, and its items, bytes of their own. */
gboolean              _gadget_attachments_copy      (sqlite3                     *db,
                                                     const char                  *new_turn,
                                                     GError                     **error);

/* Removes bytes that nobody has any more, if that has been so for long. */
gboolean              _gadget_attachments_sweep     (sqlite3                     *db,
                                                     GError                     **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAttachmentRows, _gadget_attachment_rows_free)

G_END_DECLS
