/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the pictures of items as plain data. */

#pragma once

#include "gadget-sql.h"
#include "common/gadget-json.h"
#include "session/gadget-item.h"

G_BEGIN_DECLS

/* Lists of GadgetPictureRow; NULL where an item has none. */
GPtrArray *_gadget_picture_rows_take  (GadgetItem  *item);
void       _gadget_picture_rows_apply (GPtrArray   *rows,
                                       GadgetItem  *item);
JsonNode  *_gadget_picture_rows_to_json   (GPtrArray  *rows);
GPtrArray *_gadget_picture_rows_from_json (JsonArray  *array);
gboolean   _gadget_picture_rows_write (GPtrArray   *rows,
                                       sqlite3     *db,
                                       gint64       turn_number,
                                       guint        item,
                                       GError     **error);

/* Gives the items (GadgetItemRow) of each turn (GadgetTurnRow, in their order, all behind the
 * position AFTER) their pictures. */
gboolean   _gadget_pictures_read      (sqlite3     *db,
                                       const char  *session_id,
                                       gint64       after,
                                       GPtrArray   *turns,
                                       GError     **error);

G_END_DECLS
