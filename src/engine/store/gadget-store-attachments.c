/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An attachment moves with its message: from the draft to the queue, and into the turn. So its
 * bytes are stored once, and its owner (a turn, an item, a queued message, a draft) refers to them
 * by id. Bytes that were removed from a draft or the queue have no owner; they are not removed at
 * once, since the attachment may be about to move elsewhere, but by a sweep that spares those
 * stored, or taken from a draft or the queue, within the last day. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-attachments-private.h"

#include "common/gadget-clock.h"
#include "common/gadget-id.h"
#include "common/gadget-json.h"

#include <string.h>

#define HOUR_MS (60 * 60 * 1000)
#define DAY_MS (24 * HOUR_MS)

/* The bytes of one picture. */
typedef struct
{
  char *id;
  GBytes *data; /* NULL if not in memory, and stored already */
} Blob;

static void
blob_free (gpointer data)
{
  Blob *blob = data;

  g_free (blob->id);
  g_clear_pointer (&blob->data, g_bytes_unref);
  g_free (blob);
}

static Blob *
blob_new (const GadgetPicture *picture)
{
  Blob *blob = g_new0 (Blob, 1);
  GBytes *data = gadget_picture_get_data (picture);

  blob->id = g_strdup (gadget_picture_get_id (picture));
  blob->data = data != NULL ? g_bytes_ref (data) : NULL;
  return blob;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void
add_string (JsonBuilder *json, const char *name, const char *value)
{
  if (value == NULL)
    return;
  json_builder_set_member_name (json, name);
  json_builder_add_string_value (json, value);
}

static void
add_attachment (JsonBuilder *json, const GadgetAttachment *attachment)
{
  const GadgetPicture *picture = gadget_attachment_get_picture (attachment);

  json_builder_begin_object (json);
  add_string (json, "name", gadget_attachment_get_name (attachment));
  gadget_json_add_int (json, "size", (gint64) gadget_attachment_get_size (attachment));
  add_string (json, "text", gadget_attachment_get_text (attachment));
  if (picture != NULL)
    {
      add_string (json, "picture", gadget_picture_get_id (picture));
      add_string (json, "mime_type", gadget_picture_get_mime_type (picture));
      gadget_json_add_int (json, "width", gadget_picture_get_width (picture));
      gadget_json_add_int (json, "height", gadget_picture_get_height (picture));
    }
  json_builder_end_object (json);
}

static char *
to_json (GPtrArray *attachments)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_array (json);
  for (guint i = 0; i < attachments->len; i++)
    add_attachment (json, g_ptr_array_index (attachments, i));
  json_builder_end_array (json);
  root = json_builder_get_root (json);
  return json_to_string (root, FALSE);
}

static guint
get_side (JsonObject *object, const char *name)
{
  gint64 side = 0;

  gadget_json_get_int (object, name, &side);
  return (guint) CLAMP (side, 0, G_MAXINT);
}

static GadgetAttachment *
parse_attachment (JsonObject *object)
{
  const char *name = gadget_json_get_string (object, "name");
  const char *text = gadget_json_get_string (object, "text");
  const char *id = gadget_json_get_string (object, "picture");
  const char *mime_type = gadget_json_get_string (object, "mime_type");
  g_autoptr (GadgetPicture) picture = NULL;
  gint64 size = 0;

  gadget_json_get_int (object, "size", &size);
  if (text != NULL && name != NULL)
    return gadget_attachment_new_text (name, text, (gsize) MAX (size, 0));
  if (id == NULL || mime_type == NULL)
    return NULL;
  picture = gadget_picture_new_stored (id, name, mime_type, get_side (object, "width"),
                                       get_side (object, "height"), (gsize) MAX (size, 0));
  return gadget_attachment_new_picture (picture);
}

/* Returns NULL if @json is NULL, has no attachments or is not valid. */
GPtrArray *
_gadget_attachments_parse (const char *json)
{
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GPtrArray) attachments = NULL;
  JsonArray *array;

  if (json == NULL)
    return NULL;
  root = gadget_json_parse (json, strlen (json), NULL);
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return NULL;
  array = json_node_get_array (root);
  attachments = gadget_attachments_new ();
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *object = gadget_json_get_element (array, i);
      GadgetAttachment *attachment = object != NULL ? parse_attachment (object) : NULL;

      if (attachment != NULL)
        g_ptr_array_add (attachments, attachment);
    }
  return attachments->len > 0 ? g_steal_pointer (&attachments) : NULL;
}

/* --- Rows ------------------------------------------------------------------------------------- */

GadgetAttachmentRows *
_gadget_attachment_rows_new_from (GPtrArray *attachments)
{
  GadgetAttachmentRows *self;

  if (attachments == NULL || attachments->len == 0)
    return NULL;
  self = g_new0 (GadgetAttachmentRows, 1);
  self->json = to_json (attachments);
  self->blobs = g_ptr_array_new_with_free_func (blob_free);
  for (guint i = 0; i < attachments->len; i++)
    {
      const GadgetPicture *picture =
          gadget_attachment_get_picture (g_ptr_array_index (attachments, i));

      if (picture != NULL)
        g_ptr_array_add (self->blobs, blob_new (picture));
    }
  return self;
}

GadgetAttachmentRows *
_gadget_attachment_rows_new_stored (char *json)
{
  GadgetAttachmentRows *self;

  if (json == NULL)
    return NULL;
  self = g_new0 (GadgetAttachmentRows, 1);
  self->json = json;
  self->blobs = g_ptr_array_new_with_free_func (blob_free);
  return self;
}

void
_gadget_attachment_rows_free (GadgetAttachmentRows *self)
{
  g_free (self->json);
  g_ptr_array_unref (self->blobs);
  g_free (self);
}

/* The format in a recovery file is {"json":…,"blobs":[{"id":…,"data":…},…]}. Bytes that are not in
 * memory are in the database already, and have no "data". */
JsonNode *
_gadget_attachment_rows_to_json (const GadgetAttachmentRows *self)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_object (json);
  add_string (json, "json", self->json);
  json_builder_set_member_name (json, "blobs");
  json_builder_begin_array (json);
  for (guint i = 0; i < self->blobs->len; i++)
    {
      const Blob *blob = g_ptr_array_index (self->blobs, i);

      json_builder_begin_object (json);
      add_string (json, "id", blob->id);
      gadget_json_add_bytes (json, "data", blob->data);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  return json_builder_get_root (json);
}

GadgetAttachmentRows *
_gadget_attachment_rows_from_json (JsonObject *object)
{
  const char *text = gadget_json_get_string (object, "json");
  JsonArray *blobs = gadget_json_get_array (object, "blobs");
  GadgetAttachmentRows *self;

  if (text == NULL || blobs == NULL)
    return NULL;
  self = g_new0 (GadgetAttachmentRows, 1);
  self->json = g_strdup (text);
  self->blobs = g_ptr_array_new_with_free_func (blob_free);
  for (guint i = 0; i < json_array_get_length (blobs); i++)
    {
      JsonObject *element = gadget_json_get_element (blobs, i);
      const char *id = element != NULL ? gadget_json_get_string (element, "id") : NULL;
      Blob *blob;

      if (id == NULL)
        continue;
      blob = g_new0 (Blob, 1);
      blob->id = g_strdup (id);
      blob->data = gadget_json_get_bytes (element, "data");
      g_ptr_array_add (self->blobs, blob);
    }
  return self;
}

static GBytes *
find_bytes (const GadgetAttachmentRows *self, const char *id)
{
  for (guint i = 0; i < self->blobs->len; i++)
    {
      const Blob *blob = g_ptr_array_index (self->blobs, i);

      if (g_str_equal (blob->id, id))
        return blob->data;
    }
  return NULL;
}

GPtrArray *
_gadget_attachments_from_rows (const GadgetAttachmentRows *self)
{
  GPtrArray *attachments = self != NULL ? _gadget_attachments_parse (self->json) : NULL;

  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    {
      GadgetPicture *picture = gadget_attachment_get_picture (g_ptr_array_index (attachments, i));
      GBytes *data = picture != NULL ? find_bytes (self, gadget_picture_get_id (picture)) : NULL;

      if (data != NULL)
        gadget_picture_set_data (picture, data);
    }
  return attachments;
}

/* --- On the thread ---------------------------------------------------------------------------- */

static gboolean
insert (sqlite3 *db, const Blob *blob, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  const void *data;
  gsize size;

  if (blob->data == NULL)
    return TRUE;
  stmt = _gadget_sql_prepare (db,
                              "INSERT INTO attachment (id, data, made_at) VALUES (?1, ?2, ?3)"
                              " ON CONFLICT (id) DO NOTHING",
                              error);
  if (stmt == NULL)
    return FALSE;
  data = g_bytes_get_data (blob->data, &size);
  _gadget_sql_bind_text (stmt, 1, blob->id);
  sqlite3_bind_blob64 (stmt, 2, data, size, SQLITE_STATIC);
  _gadget_sql_bind_int (stmt, 3, gadget_clock_wall_ms ());
  return _gadget_sql_run (stmt, error);
}

gboolean
_gadget_attachment_rows_write (const GadgetAttachmentRows *self, sqlite3 *db,
                               const char *session_id, gboolean kept, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;

  if (self == NULL || self->blobs->len == 0)
    return TRUE;
  stmt = _gadget_sql_prepare (
      db,
      "UPDATE attachment SET session = coalesce ((SELECT number FROM session WHERE id = ?2),"
      "  session), kept = max (kept, ?3) WHERE id = ?1",
      error);
  if (stmt == NULL)
    return FALSE;
  for (guint i = 0; i < self->blobs->len; i++)
    {
      const Blob *blob = g_ptr_array_index (self->blobs, i);

      if (!insert (db, blob, error))
        return FALSE;
      _gadget_sql_bind_text (stmt, 1, blob->id);
      _gadget_sql_bind_text (stmt, 2, session_id);
      _gadget_sql_bind_int (stmt, 3, kept);
      if (!_gadget_sql_run (stmt, error))
        return FALSE;
    }
  return TRUE;
}

/* Lists the ids of the pictures that the turn and its items refer to. */
static GPtrArray *
list_named (sqlite3 *db, const char *turn_id, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "WITH named (json) AS (SELECT attachments FROM turn WHERE id = ?1"
      "  UNION ALL SELECT item.attachments FROM item JOIN turn ON turn.number = item.turn"
      "  WHERE turn.id = ?1)"
      " SELECT DISTINCT value ->> 'picture' FROM named, json_each (named.json)"
      " WHERE named.json IS NOT NULL AND value ->> 'picture' IS NOT NULL",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_text (stmt, 1, turn_id);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return g_steal_pointer (&ids);
      g_ptr_array_add (ids, _gadget_sql_dup_text (stmt, 0));
    }
  return NULL;
}

static gboolean
run (sqlite3 *db, const char *sql, const char *turn_id, const char *id, const char *new_id,
     GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, turn_id);
  _gadget_sql_bind_text (stmt, 2, id);
  _gadget_sql_bind_text (stmt, 3, new_id);
  return _gadget_sql_run (stmt, error);
}

static gboolean
copy_one (sqlite3 *db, const char *new_turn, const char *id, GError **error)
{
  g_autofree char *new_id = gadget_id_new ();

  return run (db,
              "INSERT INTO attachment (id, session, kept, made_at, data)"
              " SELECT ?3, (SELECT session FROM turn WHERE id = ?1), 1, made_at, data"
              " FROM attachment WHERE id = ?2",
              new_turn, id, new_id, error)
         && run (db, "UPDATE turn SET attachments = replace (attachments, ?2, ?3) WHERE id = ?1",
                 new_turn, id, new_id, error)
         && run (db,
                 "UPDATE item SET attachments = replace (attachments, ?2, ?3)"
                 " WHERE turn = (SELECT number FROM turn WHERE id = ?1)",
                 new_turn, id, new_id, error);
}

gboolean
_gadget_attachments_copy (sqlite3 *db, const char *new_turn, GError **error)
{
  g_autoptr (GPtrArray) ids = list_named (db, new_turn, error);

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    if (!copy_one (db, new_turn, g_ptr_array_index (ids, i), error))
      return FALSE;
  return ids != NULL;
}

gboolean
_gadget_attachments_spare (sqlite3 *db, const char *owner, const char *id, GError **error)
{
  const gint64 now = gadget_clock_wall_ms ();
  g_autofree char *sql =
      g_strdup_printf ("UPDATE attachment SET made_at = ?2 WHERE kept = 0 AND made_at < ?3"
                       " AND id IN (SELECT value ->> 'picture'"
                       "  FROM (%s) AS owner, json_each (nullif (owner.json, '')))",
                       owner);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, id);
  _gadget_sql_bind_int (stmt, 2, now);
  /* A draft is saved often, and its attachments need not be written each time. */
  _gadget_sql_bind_int (stmt, 3, now - HOUR_MS);
  return _gadget_sql_run (stmt, error);
}

gboolean
_gadget_attachments_sweep (sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "DELETE FROM attachment WHERE kept = 0 AND made_at < ?1"
      " AND NOT EXISTS (SELECT 1 FROM queued WHERE queued.session = attachment.session"
      "  AND instr (queued.attachments, attachment.id) > 0)"
      " AND NOT EXISTS (SELECT 1 FROM session WHERE session.number = attachment.session"
      "  AND instr (session.draft_attachments, attachment.id) > 0)"
      " AND NOT EXISTS (SELECT 1 FROM setting WHERE key = 'draft-attachments'"
      "  AND instr (value, attachment.id) > 0)",
      error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, gadget_clock_wall_ms () - DAY_MS);
  return _gadget_sql_run (stmt, error);
}
