/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-rows.h"

#include "common/gadget-clock.h"
#include "gadget-store-pictures-private.h"

static const char read_queue_key[] = "gadget-store-read-queue";

/* --- Sessions --------------------------------------------------------------------------------- */

static void
free_rows (gpointer rows)
{
  _gadget_attachment_rows_free (rows);
}

static char **
dup_queue (GadgetSession *session, GPtrArray *given)
{
  GListModel *queue = gadget_session_get_queue (session);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      g_autoptr (GadgetAttachmentRows) rows =
          _gadget_attachment_rows_take (gadget_attachments_get (message));

      g_strv_builder_add (builder, gadget_queued_message_get_text (message));
      g_strv_builder_add (builder, rows != NULL ? rows->json : "");
      if (rows != NULL && given != NULL)
        g_ptr_array_add (given, g_steal_pointer (&rows));
    }
  return g_strv_builder_end (builder);
}

/* Whether the queue in memory is the session's: it is that of a new session, and of one that was
 * loaded once. Of a session that was only listed it is empty without meaning anything. */
gboolean
_gadget_session_knows_queue (GadgetSession *session)
{
  static const char key[] = "gadget-store-knows-queue";

  if (gadget_session_get_loaded (session))
    g_object_set_data (G_OBJECT (session), key, GINT_TO_POINTER (TRUE));
  return g_object_get_data (G_OBJECT (session), key) != NULL;
}

/* Remembers @queue as what was read. As long as the session's queue is the same it is not written:
 * another process may have changed it since. */
void
_gadget_session_note_queue (GadgetSession *session, char **queue)
{
  g_object_set_data_full (G_OBJECT (session), read_queue_key, g_strdupv (queue),
                          (GDestroyNotify) g_strfreev);
}

/* From its first change on the queue is this process's, whatever it is like later. */
static char **
dup_own_queue (GadgetSession *session, GPtrArray *given)
{
  g_auto (GStrv) queue = dup_queue (session, given);
  char **read = g_object_get_data (G_OBJECT (session), read_queue_key);

  if (read != NULL && g_strv_equal ((const char *const *) read, (const char *const *) queue))
    return NULL;
  g_object_set_data (G_OBJECT (session), read_queue_key, NULL);
  return g_steal_pointer (&queue);
}

GadgetSessionRow *
_gadget_session_row_take (GadgetSession *session)
{
  GadgetSessionRow *self = g_new0 (GadgetSessionRow, 1);

  self->id = g_strdup (gadget_session_get_id (session));
  self->parent = g_strdup (gadget_session_get_parent_id (session));
  self->title = g_strdup (gadget_session_get_title (session));
  self->workspace = g_strdup (gadget_session_get_workspace (session));
  self->provider = g_strdup (gadget_session_get_provider (session));
  self->model = g_strdup (gadget_session_get_model (session));
  self->created_at = gadget_session_get_created_at (session);
  self->updated_at = gadget_session_get_updated_at (session);
  self->queue_paused = gadget_session_get_queue_paused (session);
  self->mode = gadget_mode_to_string (gadget_session_get_mode (session));
  if (_gadget_session_knows_queue (session))
    {
      self->given = g_ptr_array_new_with_free_func (free_rows);
      self->queue = dup_own_queue (session, self->given);
    }
  return self;
}

/* All but the queue. */
void
_gadget_session_row_apply (const GadgetSessionRow *self, GadgetSession *session)
{
  gboolean absolute = self->workspace != NULL && g_path_is_absolute (self->workspace);

  gadget_session_set_parent_id (session, self->parent);
  gadget_session_set_title (session, self->title);
  gadget_session_set_workspace (session, absolute ? self->workspace : NULL);
  gadget_session_set_model (session, self->provider, self->model);
  gadget_session_set_mode (session, gadget_mode_from_string (self->mode));
  gadget_session_set_created_at (session, self->created_at);
  gadget_session_set_updated_at (session, self->updated_at);
}

GadgetSessionRow *
_gadget_session_row_read (sqlite3_stmt *stmt)
{
  GadgetSessionRow *self = g_new0 (GadgetSessionRow, 1);
  int column = 0;

  self->id = _gadget_sql_dup_text (stmt, column++);
  self->parent = _gadget_sql_dup_text (stmt, column++);
  self->title = _gadget_sql_dup_text (stmt, column++);
  self->workspace = _gadget_sql_dup_text (stmt, column++);
  self->provider = _gadget_sql_dup_text (stmt, column++);
  self->model = _gadget_sql_dup_text (stmt, column++);
  self->created_at = sqlite3_column_int64 (stmt, column++);
  self->updated_at = sqlite3_column_int64 (stmt, column++);
  self->queue_paused = sqlite3_column_int (stmt, column++) != 0;
  /* By its own name: rows are not to own what is a constant. */
  self->mode = gadget_mode_to_string (
      gadget_mode_from_string ((const char *) sqlite3_column_text (stmt, column++)));
  return self;
}

static gboolean
write_queue (const GadgetSessionRow *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) clear = NULL;
  g_autoptr (sqlite3_stmt) insert = NULL;

  clear = _gadget_sql_prepare (
      db, "DELETE FROM queued WHERE session = (SELECT number FROM session WHERE id = ?1)", error);
  if (clear == NULL)
    return FALSE;
  _gadget_sql_bind_text (clear, 1, self->id);
  if (!_gadget_sql_run (clear, error))
    return FALSE;

  insert = _gadget_sql_prepare (db,
                                "INSERT INTO queued (session, position, text, attachments)"
                                " VALUES ((SELECT number FROM session WHERE id = ?1), ?2, ?3,"
                                "  nullif (?4, ''))",
                                error);
  if (insert == NULL)
    return FALSE;
  for (guint i = 0; self->queue[i] != NULL; i += 2)
    {
      _gadget_sql_bind_text (insert, 1, self->id);
      _gadget_sql_bind_int (insert, 2, i / 2);
      _gadget_sql_bind_text (insert, 3, self->queue[i]);
      _gadget_sql_bind_text (insert, 4, self->queue[i + 1]);
      if (!_gadget_sql_run (insert, error))
        return FALSE;
    }
  for (guint i = 0; i < self->given->len; i++)
    if (!_gadget_attachment_rows_write (g_ptr_array_index (self->given, i), db, self->id, FALSE,
                                        error))
      return FALSE;
  return TRUE;
}

/* Without the parent it would be a chat of the user's. */
static gboolean
check_parent (const GadgetSessionRow *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if (self->parent == NULL)
    return TRUE;
  stmt = _gadget_sql_prepare (db, "SELECT 1 FROM session WHERE id = ?1", error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, self->parent);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND, "there is no session %s",
                 self->parent);
  return has_row;
}

/* Makes or updates the row; its turns are not touched. */
gboolean
_gadget_session_row_write (const GadgetSessionRow *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  int n = 0;

  if (!check_parent (self, db, error))
    return FALSE;
  stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO session (id, title, workspace, provider, model, created_at, updated_at,"
      "  queue_paused, parent, mode) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
      "  (SELECT number FROM session WHERE id = ?9), ?10)"
      " ON CONFLICT (id) DO UPDATE SET title = excluded.title, workspace = excluded.workspace,"
      "  provider = excluded.provider, model = excluded.model,"
      "  updated_at = max(updated_at, excluded.updated_at), queue_paused = excluded.queue_paused,"
      "  mode = excluded.mode"
      /* Writing what is there already would wake every other process for nothing. */
      " WHERE title IS NOT excluded.title OR workspace IS NOT excluded.workspace"
      "  OR provider IS NOT excluded.provider OR model IS NOT excluded.model"
      "  OR updated_at < excluded.updated_at OR queue_paused IS NOT excluded.queue_paused"
      "  OR mode IS NOT excluded.mode",
      error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, ++n, self->id);
  _gadget_sql_bind_text (stmt, ++n, self->title);
  _gadget_sql_bind_text (stmt, ++n, self->workspace);
  _gadget_sql_bind_text (stmt, ++n, self->provider);
  _gadget_sql_bind_text (stmt, ++n, self->model);
  _gadget_sql_bind_int (stmt, ++n, self->created_at);
  _gadget_sql_bind_int (stmt, ++n, self->updated_at);
  _gadget_sql_bind_int (stmt, ++n, self->queue_paused);
  _gadget_sql_bind_text (stmt, ++n, self->parent);
  _gadget_sql_bind_text (stmt, ++n, self->mode);
  return _gadget_sql_run (stmt, error) && (self->queue == NULL || write_queue (self, db, error));
}

void
_gadget_session_row_free (GadgetSessionRow *self)
{
  g_free (self->id);
  g_free (self->parent);
  g_free (self->title);
  g_free (self->workspace);
  g_free (self->provider);
  g_free (self->model);
  g_strfreev (self->queue);
  g_clear_pointer (&self->given, g_ptr_array_unref);
  g_free (self);
}

/* --- Turns ------------------------------------------------------------------------------------ */

/* {"total_ms":…,"lines":[…]}; NULL for a receipt that says nothing. */
static char *
dup_receipt (GadgetReceipt *receipt)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;

  if (gadget_receipt_get_n_lines (receipt) == 0 && gadget_receipt_get_total_ms (receipt) <= 0)
    return NULL;
  object = json_object_new ();
  json_object_set_double_member (object, "total_ms", gadget_receipt_get_total_ms (receipt));
  json_object_set_member (object, "lines", gadget_receipt_to_json (receipt));
  root = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (root, object);
  return json_to_string (root, FALSE);
}

static GadgetReceipt *
make_receipt (const char *text)
{
  g_autoptr (JsonNode) root = text != NULL ? json_from_string (text, NULL) : NULL;
  JsonObject *object;
  GadgetReceipt *receipt;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return NULL;
  object = json_node_get_object (root);
  receipt = gadget_receipt_new_from_json (json_object_get_member (object, "lines"));
  gadget_receipt_restore_total (receipt,
                                json_object_get_double_member_with_default (object, "total_ms", 0));
  return receipt;
}

GadgetTurnRow *
_gadget_turn_row_take (GadgetTurn *turn, gboolean with_attachments)
{
  GadgetTurnRow *self = g_new0 (GadgetTurnRow, 1);

  self->id = g_strdup (gadget_turn_get_id (turn));
  self->prompt = g_strdup (gadget_turn_get_prompt (turn));
  self->status = gadget_turn_get_status (turn);
  self->stop_reason = gadget_turn_get_stop_reason (turn);
  self->error_code = g_strdup (gadget_turn_get_error_code (turn));
  self->error_detail = g_strdup (gadget_turn_get_error_detail (turn));
  self->provider = g_strdup (gadget_turn_get_provider (turn));
  self->model = g_strdup (gadget_turn_get_model (turn));
  self->started_at = gadget_turn_get_started_at (turn);
  self->ended_at = gadget_turn_get_ended_at (turn);
  self->usage = *gadget_turn_get_usage (turn);
  self->receipt = dup_receipt (gadget_turn_get_receipt (turn));
  if (with_attachments)
    self->attachments = _gadget_attachment_rows_take (gadget_attachments_get (turn));
  return self;
}

static GadgetTurnRecord
make_record (const GadgetTurnRow *self, GadgetReceipt *receipt)
{
  return (GadgetTurnRecord) {
    .status = self->status,
    .stop_reason = self->stop_reason,
    .error_code = self->error_code,
    .error_detail = self->error_detail,
    .started_at = self->started_at,
    .ended_at = self->ended_at,
    .usage = self->usage,
    .receipt = receipt,
  };
}

/* With its items. */
GadgetTurn *
_gadget_turn_row_make (const GadgetTurnRow *self)
{
  GadgetTurn *turn = gadget_turn_new (self->id, self->prompt);
  g_autoptr (GadgetReceipt) receipt = make_receipt (self->receipt);
  const GadgetTurnRecord record = make_record (self, receipt);
  g_autoptr (GPtrArray) attachments = _gadget_attachments_parse (self->attachments_json);

  gadget_turn_set_model (turn, self->provider, self->model);
  gadget_attachments_set (turn, attachments);
  for (guint i = 0; i < self->items->len; i++)
    {
      g_autoptr (GadgetItem) item = _gadget_item_row_make (g_ptr_array_index (self->items, i));

      gadget_turn_append (turn, item);
    }
  gadget_turn_restore (turn, &record);
  return turn;
}

/* Brings a turn that another process works on up to what it has stored. What was seen before stays
 * the same object, and text only grows. */
void
_gadget_turn_row_update (const GadgetTurnRow *self, GadgetTurn *turn)
{
  g_autoptr (GadgetReceipt) receipt = make_receipt (self->receipt);
  const GadgetTurnRecord record = make_record (self, receipt);

  for (guint i = 0; i < self->items->len; i++)
    {
      const GadgetItemRow *row = g_ptr_array_index (self->items, i);

      if (i < gadget_turn_get_n_items (turn))
        _gadget_item_row_update (row, gadget_turn_get_item (turn, i));
      else
        {
          g_autoptr (GadgetItem) item = _gadget_item_row_make (row);

          gadget_turn_append (turn, item);
        }
    }
  gadget_turn_restore (turn, &record);
}

/* Of a row that begins with GADGET_TURN_COLUMNS; without its items. */
GadgetTurnRow *
_gadget_turn_row_read (sqlite3_stmt *stmt)
{
  GadgetTurnRow *self = g_new0 (GadgetTurnRow, 1);
  int column = 0;

  self->number = sqlite3_column_int64 (stmt, column++);
  self->id = _gadget_sql_dup_text (stmt, column++);
  self->prompt = _gadget_sql_dup_text (stmt, column++);
  self->status =
      gadget_turn_status_from_string ((const char *) sqlite3_column_text (stmt, column++));
  self->stop_reason =
      gadget_stop_reason_from_string ((const char *) sqlite3_column_text (stmt, column++));
  self->error_code = _gadget_sql_dup_text (stmt, column++);
  self->error_detail = _gadget_sql_dup_text (stmt, column++);
  self->provider = _gadget_sql_dup_text (stmt, column++);
  self->model = _gadget_sql_dup_text (stmt, column++);
  self->started_at = sqlite3_column_int64 (stmt, column++);
  self->ended_at = sqlite3_column_int64 (stmt, column++);
  self->usage.input_tokens = sqlite3_column_int64 (stmt, column++);
  self->usage.output_tokens = sqlite3_column_int64 (stmt, column++);
  self->usage.estimated = sqlite3_column_int (stmt, column++) != 0;
  self->usage.cost = sqlite3_column_int64 (stmt, column++);
  self->receipt = _gadget_sql_dup_text (stmt, column++);
  self->attachments_json = _gadget_sql_dup_text (stmt, column++);
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_item_row_free);
  return self;
}

static void
bind_turn (const GadgetTurnRow *self, sqlite3_stmt *stmt, const char *session_id)
{
  int n = 0;

  _gadget_sql_bind_text (stmt, ++n, self->id);
  _gadget_sql_bind_text (stmt, ++n, session_id);
  _gadget_sql_bind_text (stmt, ++n, self->prompt);
  _gadget_sql_bind_text (stmt, ++n, gadget_turn_status_to_string (self->status));
  _gadget_sql_bind_text (stmt, ++n, gadget_stop_reason_to_string (self->stop_reason));
  _gadget_sql_bind_text (stmt, ++n, self->error_code);
  _gadget_sql_bind_text (stmt, ++n, self->error_detail);
  _gadget_sql_bind_text (stmt, ++n, self->provider);
  _gadget_sql_bind_text (stmt, ++n, self->model);
  _gadget_sql_bind_int (stmt, ++n, self->started_at);
  _gadget_sql_bind_int (stmt, ++n, self->ended_at);
  _gadget_sql_bind_int (stmt, ++n, gadget_clock_wall_ms ());
  _gadget_sql_bind_int (stmt, ++n, self->usage.input_tokens);
  _gadget_sql_bind_int (stmt, ++n, self->usage.output_tokens);
  _gadget_sql_bind_int (stmt, ++n, self->usage.estimated);
  _gadget_sql_bind_int (stmt, ++n, self->usage.cost);
  _gadget_sql_bind_text (stmt, ++n, self->receipt);
  _gadget_sql_bind_text (stmt, ++n, self->attachments != NULL ? self->attachments->json : NULL);
}

/* Makes or updates the row, a new one as the session's last, and tells its number. The session's
 * row has to be there. */
gboolean
_gadget_turn_row_write (const GadgetTurnRow *self, sqlite3 *db, const char *session_id,
                        gint64 *number, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO turn (session, position, id, prompt, status, stop_reason, error_code,"
      "  error_detail, provider, model, started_at, ended_at, changed_at, input_tokens,"
      "  output_tokens, usage_estimated, cost, receipt, attachments)"
      " SELECT number,"
      "  (SELECT coalesce(max(position) + 1, 0) FROM turn WHERE turn.session = session.number),"
      "  ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18"
      " FROM session WHERE id = ?2"
      " ON CONFLICT (id) DO UPDATE SET prompt = excluded.prompt, status = excluded.status,"
      "  stop_reason = excluded.stop_reason, error_code = excluded.error_code,"
      "  error_detail = excluded.error_detail, provider = excluded.provider,"
      "  model = excluded.model, started_at = excluded.started_at, ended_at = excluded.ended_at,"
      "  changed_at = excluded.changed_at, input_tokens = excluded.input_tokens,"
      "  output_tokens = excluded.output_tokens, usage_estimated = excluded.usage_estimated,"
      "  cost = excluded.cost,"
      "  receipt = excluded.receipt, attachments = coalesce(excluded.attachments, attachments)"
      " RETURNING number",
      error);
  if (stmt == NULL)
    return FALSE;
  bind_turn (self, stmt, session_id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    {
      g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
                   "there is no session %s", session_id);
      return FALSE;
    }
  *number = sqlite3_column_int64 (stmt, 0);
  return _gadget_attachment_rows_write (self->attachments, db, session_id, TRUE, error);
}

void
_gadget_turn_row_free (GadgetTurnRow *self)
{
  g_free (self->id);
  g_free (self->prompt);
  g_free (self->error_code);
  g_free (self->error_detail);
  g_free (self->provider);
  g_free (self->model);
  g_free (self->receipt);
  g_clear_pointer (&self->attachments, _gadget_attachment_rows_free);
  g_free (self->attachments_json);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_free (self);
}

/* --- Items ------------------------------------------------------------------------------------ */

GadgetItemRow *
_gadget_item_row_take (GadgetItem *item, guint position, gboolean whole)
{
  GadgetItemRow *self = g_new0 (GadgetItemRow, 1);

  self->position = position;
  self->kind = gadget_item_get_kind (item);
  self->status = gadget_item_get_status (item);
  self->step = gadget_item_get_step (item);
  self->whole = whole;
  self->text = g_string_new (NULL);
  self->arguments = g_string_new (NULL);
  if (whole)
    {
      g_string_append_len (self->text, gadget_item_get_text (item),
                           (gssize) gadget_item_get_length (item));
      g_string_append (self->arguments, gadget_item_get_arguments (item));
    }
  self->call_id = g_strdup (gadget_item_get_call_id (item));
  self->name = g_strdup (gadget_item_get_name (item));
  self->result = g_strdup (gadget_item_get_result (item));
  self->pictures = _gadget_picture_rows_take (item);
  self->summary = g_strdup (gadget_item_get_summary (item));
  self->replay_source = g_strdup (gadget_item_get_replay_source (item));
  self->replay = g_strdup (gadget_item_get_replay (item));
  self->child = g_strdup (gadget_item_get_child_id (item));
  self->child_turn = g_strdup (gadget_item_get_child_turn_id (item));
  self->attachments = _gadget_attachment_rows_take (gadget_attachments_get (item));
  self->started_at = gadget_item_get_started_at (item);
  self->ended_at = gadget_item_get_ended_at (item);
  return self;
}

GadgetItem *
_gadget_item_row_make (const GadgetItemRow *self)
{
  GadgetItem *item = self->kind == GADGET_ITEM_TOOL_CALL
                         ? gadget_item_new_tool_call (self->call_id, self->name)
                         : gadget_item_new (self->kind);
  g_autoptr (GPtrArray) attachments = _gadget_attachments_parse (self->attachments_json);

  gadget_attachments_set (item, attachments);
  gadget_item_set_step (item, self->step);
  gadget_item_append_text (item, self->text->str, (gssize) self->text->len);
  if (self->arguments->len > 0)
    gadget_item_append_arguments (item, self->arguments->str);
  gadget_item_set_result (item, self->result);
  _gadget_picture_rows_apply (self->pictures, item);
  gadget_item_set_summary (item, self->summary);
  gadget_item_set_replay (item, self->replay_source, self->replay);
  gadget_item_set_child_ids (item, self->child, self->child_turn);
  gadget_item_set_started_at (item, self->started_at);
  gadget_item_set_ended_at (item, self->ended_at);
  gadget_item_set_status (item, self->status);
  return item;
}

/* What is longer or different in @self. */
void
_gadget_item_row_update (const GadgetItemRow *self, GadgetItem *item)
{
  const gsize shown = gadget_item_get_length (item);
  const gsize written = strlen (gadget_item_get_arguments (item));

  if (self->text->len > shown)
    gadget_item_append_text (item, self->text->str + shown, (gssize) (self->text->len - shown));
  if (self->arguments->len > written)
    gadget_item_append_arguments (item, self->arguments->str + written);
  gadget_item_set_result (item, self->result);
  _gadget_picture_rows_apply (self->pictures, item);
  gadget_item_set_summary (item, self->summary);
  gadget_item_set_replay (item, self->replay_source, self->replay);
  gadget_item_set_child_ids (item, self->child, self->child_turn);
  gadget_item_set_started_at (item, self->started_at);
  gadget_item_set_ended_at (item, self->ended_at);
  gadget_item_set_status (item, self->status);
}

static GString *
read_string (sqlite3_stmt *stmt, int column)
{
  const char *text = (const char *) sqlite3_column_text (stmt, column);

  return g_string_new_len (text != NULL ? text : "", sqlite3_column_bytes (stmt, column));
}

/* Of a row that has GADGET_ITEM_COLUMNS from @first_column on. */
GadgetItemRow *
_gadget_item_row_read (sqlite3_stmt *stmt, int first_column)
{
  GadgetItemRow *self = g_new0 (GadgetItemRow, 1);
  int column = first_column;

  self->position = (guint) sqlite3_column_int64 (stmt, column++);
  self->kind = gadget_item_kind_from_string ((const char *) sqlite3_column_text (stmt, column++));
  self->status =
      gadget_item_status_from_string ((const char *) sqlite3_column_text (stmt, column++));
  self->step = (guint) sqlite3_column_int64 (stmt, column++);
  self->whole = TRUE;
  self->text = read_string (stmt, column++);
  self->arguments = read_string (stmt, column++);
  self->call_id = _gadget_sql_dup_text (stmt, column++);
  self->name = _gadget_sql_dup_text (stmt, column++);
  self->result = _gadget_sql_dup_text (stmt, column++);
  self->summary = _gadget_sql_dup_text (stmt, column++);
  self->replay_source = _gadget_sql_dup_text (stmt, column++);
  self->replay = _gadget_sql_dup_text (stmt, column++);
  self->child = _gadget_sql_dup_text (stmt, column++);
  self->child_turn = _gadget_sql_dup_text (stmt, column++);
  self->attachments_json = _gadget_sql_dup_text (stmt, column++);
  self->started_at = sqlite3_column_int64 (stmt, column++);
  self->ended_at = sqlite3_column_int64 (stmt, column++);
  return self;
}

static gboolean
delete_pieces (sqlite3 *db, gint64 turn_number, guint position, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "DELETE FROM piece WHERE turn = ?1 AND position = ?2", error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, turn_number);
  _gadget_sql_bind_int (stmt, 2, position);
  return _gadget_sql_run (stmt, error);
}

/* Makes or updates the row. One that is whole needs no pieces any more. */
gboolean
_gadget_item_row_write (const GadgetItemRow *self, sqlite3 *db, gint64 turn_number,
                        const char *session_id, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  int n = 0;

  stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO item (turn, position, kind, status, step, text, arguments, call_id, name,"
      "  result, summary, replay_source, replay, started_at, ended_at, child, child_turn,"
      "  attachments)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?17, ?18,"
      "  ?19)"
      " ON CONFLICT (turn, position) DO UPDATE SET kind = excluded.kind,"
      "  status = excluded.status, step = excluded.step,"
      "  text = iif(?16, excluded.text, text), arguments = iif(?16, excluded.arguments, arguments),"
      "  call_id = excluded.call_id, name = excluded.name, result = excluded.result,"
      "  summary = excluded.summary, replay_source = excluded.replay_source,"
      "  replay = excluded.replay, child = excluded.child, child_turn = excluded.child_turn,"
      "  started_at = excluded.started_at, ended_at = excluded.ended_at,"
      "  attachments = coalesce(excluded.attachments, attachments)",
      error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, ++n, turn_number);
  _gadget_sql_bind_int (stmt, ++n, self->position);
  _gadget_sql_bind_text (stmt, ++n, gadget_item_kind_to_string (self->kind));
  _gadget_sql_bind_text (stmt, ++n, gadget_item_status_to_string (self->status));
  _gadget_sql_bind_int (stmt, ++n, self->step);
  _gadget_sql_bind_bytes (stmt, ++n, self->text->str, self->text->len);
  _gadget_sql_bind_bytes (stmt, ++n, self->arguments->str, self->arguments->len);
  _gadget_sql_bind_text (stmt, ++n, self->call_id);
  _gadget_sql_bind_text (stmt, ++n, self->name);
  _gadget_sql_bind_text (stmt, ++n, self->result);
  _gadget_sql_bind_text (stmt, ++n, self->summary);
  _gadget_sql_bind_text (stmt, ++n, self->replay_source);
  _gadget_sql_bind_text (stmt, ++n, self->replay);
  _gadget_sql_bind_int (stmt, ++n, self->started_at);
  _gadget_sql_bind_int (stmt, ++n, self->ended_at);
  _gadget_sql_bind_int (stmt, ++n, self->whole);
  _gadget_sql_bind_text (stmt, ++n, self->child);
  _gadget_sql_bind_text (stmt, ++n, self->child_turn);
  _gadget_sql_bind_text (stmt, ++n, self->attachments != NULL ? self->attachments->json : NULL);
  return _gadget_sql_run (stmt, error)
         && _gadget_attachment_rows_write (self->attachments, db, session_id, TRUE, error)
         && _gadget_picture_rows_write (self->pictures, db, turn_number, self->position, error)
         && (!self->whole || delete_pieces (db, turn_number, self->position, error));
}

void
_gadget_item_row_free (GadgetItemRow *self)
{
  g_string_free (self->text, TRUE);
  g_string_free (self->arguments, TRUE);
  g_free (self->call_id);
  g_free (self->name);
  g_free (self->result);
  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  g_free (self->summary);
  g_free (self->replay_source);
  g_free (self->replay);
  g_free (self->child);
  g_free (self->child_turn);
  g_clear_pointer (&self->attachments, _gadget_attachment_rows_free);
  g_free (self->attachments_json);
  g_free (self);
}

/* --- Pieces ----------------------------------------------------------------------------------- */

GadgetPieceRow *
_gadget_piece_row_new (guint position, const char *field, const char *text, gsize from, gsize to)
{
  GadgetPieceRow *self = g_new0 (GadgetPieceRow, 1);

  self->position = position;
  self->field = field;
  self->offset = from;
  self->length = to - from;
  self->data = g_memdup2 (text + from, self->length);
  return self;
}

gboolean
_gadget_piece_row_write (const GadgetPieceRow *self, sqlite3 *db, gint64 turn_number,
                         GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  int n = 0;

  stmt = _gadget_sql_prepare (db,
                              "INSERT OR REPLACE INTO piece (turn, position, field, offset, data)"
                              " VALUES (?1, ?2, ?3, ?4, ?5)",
                              error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, ++n, turn_number);
  _gadget_sql_bind_int (stmt, ++n, self->position);
  _gadget_sql_bind_text (stmt, ++n, self->field);
  _gadget_sql_bind_int (stmt, ++n, (gint64) self->offset);
  _gadget_sql_bind_bytes (stmt, ++n, self->data, self->length);
  return _gadget_sql_run (stmt, error);
}

/* Puts a piece where it belongs. Pieces may overlap where a write was repeated; behind a gap
 * nothing can be trusted. */
static void
join_piece (GString *text, gint64 offset, const char *data, gsize length)
{
  gsize known;

  if (offset < 0 || (guint64) offset > text->len)
    return;
  known = text->len - (gsize) offset;
  if (length > known)
    g_string_append_len (text, data + known, (gssize) (length - known));
}

/* Completes @items, the rows of one turn, in order of their positions. */
gboolean
_gadget_pieces_read (sqlite3 *db, gint64 turn_number, GPtrArray *items, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT position, field, offset, data FROM piece WHERE turn = ?1"
                           " ORDER BY position, field, offset",
                           error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, turn_number);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;

      gint64 position = sqlite3_column_int64 (stmt, 0);
      const char *field = (const char *) sqlite3_column_text (stmt, 1);
      const char *data = (const char *) sqlite3_column_text (stmt, 3);
      GadgetItemRow *item;

      /* Positions are dense: items are only ever appended. */
      if (position < 0 || position >= items->len)
        continue;
      item = g_ptr_array_index (items, (guint) position);
      join_piece (g_strcmp0 (field, GADGET_PIECE_TEXT) == 0 ? item->text : item->arguments,
                  sqlite3_column_int64 (stmt, 2), data, (gsize) sqlite3_column_bytes (stmt, 3));
    }
  return FALSE;
}

void
_gadget_piece_row_free (GadgetPieceRow *self)
{
  g_free (self->data);
  g_free (self);
}
