/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the attachments of messages as plain data. */

#pragma once

#include "gadget-sql.h"
#include "common/gadget-json.h"
#include "session/gadget-attachment.h"

G_BEGIN_DECLS

/* The attachments of one message. */
typedef struct
{
  char *json;       /* descriptions, and complete texts */
  GPtrArray *blobs; /* ids of the pictures, and their bytes as far as they are in memory */
} GadgetAttachmentRows;

/* Takes the attachments on the main context (transfer full); NULL for none. The JSON functions are
 * for recovery files: _gadget_attachment_rows_from_json () returns NULL if the object is not
 * valid. _gadget_attachment_rows_new_stored () returns those of a stored message, JSON (transfer
 * full) (nullable), without bytes; NULL for none. */
GadgetAttachmentRows *_gadget_attachment_rows_new_from (GPtrArray                   *attachments);
GadgetAttachmentRows *_gadget_attachment_rows_new_stored (char                   *json);
void                  _gadget_attachment_rows_free     (GadgetAttachmentRows        *self);
JsonNode             *_gadget_attachment_rows_to_json (const GadgetAttachmentRows *self);
GadgetAttachmentRows *_gadget_attachment_rows_from_json (JsonObject              *object);

/* Writes the bytes; the caller stores the JSON in the row of the message. SELF may be NULL for no
 * attachments, SESSION_ID is NULL for the new chat, which has no row. Attachments of a turn are
 * KEPT as long as their session. */
gboolean              _gadget_attachment_rows_write    (const GadgetAttachmentRows  *self,
                                                        sqlite3                     *db,
                                                        const char                  *session_id,
                                                        gboolean                     kept,
                                                        GError                     **error);
/* Return new #GadgetAttachment objects (transfer full) (nullable): from the stored JSON, without
 * bytes; or from rows (nullable), with the bytes that the rows have. */
GPtrArray            *_gadget_attachments_parse        (const char                  *json);
GPtrArray            *_gadget_attachments_from_rows    (const GadgetAttachmentRows  *self);

/* Gives the copy of a turn, and its items, copies of their attachments with new ids. */
gboolean              _gadget_attachments_copy         (sqlite3                     *db,
                                                        const char                  *new_turn,
                                                        GError                     **error);

/* Keeps the attachments of a message from the sweep for another day, less an hour at most: they are
 * about to lose their owner, and their turn may not be stored yet. OWNER is an SQL query for the
 * message's JSON as "json", with ID as ?1. */
gboolean              _gadget_attachments_spare        (sqlite3                     *db,
                                                        const char                  *owner,
                                                        const char                  *id,
                                                        GError                     **error);

/* Removes bytes that were stored, or spared, more than a day ago and that no turn, draft or queue
 * refers to. */
gboolean              _gadget_attachments_sweep        (sqlite3                     *db,
                                                        GError                     **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAttachmentRows, _gadget_attachment_rows_free)

G_END_DECLS
