/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the pictures of items as plain data. */

#pragma once

#include "gadget-sql.h"
#include "common/gadget-json.h"
#include "session/gadget-item.h"

G_BEGIN_DECLS

/* Rows are arrays of GadgetPictureRow (transfer full), NULL if an item has no pictures. They are
 * made of an item and applied to one on the main context, and written on the store's thread when
 * the item's row exists. The JSON is for recovery files. */
GPtrArray *_gadget_picture_rows_new_from (GadgetItem  *item);
void       _gadget_picture_rows_apply    (GPtrArray   *rows,
                                          GadgetItem  *item);
JsonNode  *_gadget_picture_rows_to_json   (GPtrArray  *rows);
GPtrArray *_gadget_picture_rows_from_json (JsonArray  *array);
gboolean   _gadget_picture_rows_write    (GPtrArray   *rows,
                                          sqlite3     *db,
                                          gint64       turn_number,
                                          guint        item,
                                          GError     **error);

/* Adds the pictures of a session, without their bytes, to its item rows: TURNS (element-type
 * GadgetTurnRow) are in order, and all of them are behind the position AFTER. */
gboolean   _gadget_pictures_read         (sqlite3     *db,
                                          const char  *session_id,
                                          gint64       after,
                                          GPtrArray   *turns,
                                          GError     **error);

G_END_DECLS
