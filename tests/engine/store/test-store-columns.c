/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lists of columns know each column of their table, and each value survives the way to the
 * database and back, and to the object and back. */

#include "config.h"

#include "store/gadget-sql.h"
#include "store/gadget-store-rows.h"
#include "store/gadget-store-schema.h"

/* A table, and those of its columns that are not part of the row. */
typedef struct
{
  const GadgetStoreTable *table;
  const char *others[8];
} Table;

static const Table session = { &_gadget_session_table,
                               { "number", "draft", "draft_attachments", "edits", "import" } };

static const Table turn = { &_gadget_turn_table,
                            { "number", "session", "position", "changed_at", "removed_at",
                              "replaced_by", "import" } };

static const Table item = { &_gadget_item_table, { "number", "turn" } };

static sqlite3 *
open_database (void)
{
  sqlite3 *db = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  _gadget_store_schema_migrate (db, &error);
  g_assert_no_error (error);
  return db;
}

static gboolean
has_column (const Table *table, const char *name)
{
  for (guint i = 0; i < table->table->n_columns; i++)
    if (g_str_equal (table->table->columns[i].name, name))
      return TRUE;
  return g_strv_contains (table->others, name);
}

static void
test_complete (gconstpointer data)
{
  const Table *table = data;
  sqlite3 *db = open_database ();
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *stmt = _gadget_sql_prepare (db, "SELECT name FROM pragma_table_info (?1)", &error);
  guint n_columns = 0;

  g_assert_no_error (error);
  _gadget_sql_bind_text (stmt, 1, table->table->name);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    {
      const char *name = (const char *) sqlite3_column_text (stmt, 0);

      g_test_message ("%s.%s", table->table->name, name);
      g_assert_true (has_column (table, name));
      n_columns++;
    }
  g_assert_cmpuint (n_columns, ==,
                    table->table->n_columns + g_strv_length ((char **) table->others));
  sqlite3_finalize (stmt);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

/* Gives each member of an empty row a value that it does not have by itself. */
static void
fill (const GadgetStoreTable *table, gpointer row)
{
  for (guint i = 0; i < table->n_columns; i++)
    {
      const GadgetStoreColumn *column = &table->columns[i];
      const gboolean is_small = column->words != NULL || column->type == GADGET_STORE_BOOLEAN;

      if (column->type == GADGET_STORE_TEXT)
        G_STRUCT_MEMBER (char *, row, column->offset) = g_strconcat ("/", column->name, NULL);
      else if (column->type == GADGET_STORE_STRING)
        G_STRUCT_MEMBER (GString *, row, column->offset) = g_string_new (column->name);
      else if (column->type == GADGET_STORE_ATTACHMENTS)
        G_STRUCT_MEMBER (GadgetAttachmentRows *, row, column->offset) =
            _gadget_attachment_rows_new_stored (g_strdup ("[]"));
      else
        _gadget_store_column_set_number (column, row, is_small ? 1 : 100 + i);
    }
}

static char *
dup_value (const GadgetStoreColumn *column, gconstpointer row)
{
  const GadgetAttachmentRows *attachments;
  gint64 number;

  if (column->type == GADGET_STORE_TEXT)
    return g_strdup (G_STRUCT_MEMBER (const char *, row, column->offset));
  if (column->type == GADGET_STORE_STRING)
    return g_strdup (G_STRUCT_MEMBER (const GString *, row, column->offset)->str);
  if (column->type == GADGET_STORE_ATTACHMENTS)
    {
      attachments = G_STRUCT_MEMBER (const GadgetAttachmentRows *, row, column->offset);
      return attachments != NULL ? g_strdup (attachments->json) : NULL;
    }
  number = _gadget_store_column_get_number (column, row);
  return g_strdup_printf ("%" G_GINT64_FORMAT, number);
}

static void
assert_same (const GadgetStoreTable *table, gconstpointer row, gconstpointer expected)
{
  for (guint i = 0; i < table->n_columns; i++)
    {
      g_autofree char *value = dup_value (&table->columns[i], row);
      g_autofree char *expected_value = dup_value (&table->columns[i], expected);

      g_test_message ("%s.%s", table->name, table->columns[i].name);
      g_assert_cmpstr (value, ==, expected_value);
    }
}

static void
write_session (sqlite3 *db, const GadgetSessionRow *row)
{
  g_autoptr (GError) error = NULL;

  _gadget_session_row_write (row, db, &error);
  g_assert_no_error (error);
}

static void
test_session_stored (void)
{
  sqlite3 *db = open_database ();
  g_autoptr (GadgetSessionRow) row = g_new0 (GadgetSessionRow, 1);
  g_autoptr (GadgetSessionRow) parent = g_new0 (GadgetSessionRow, 1);
  g_autoptr (GadgetSessionRow) stored = NULL;
  g_autoptr (GError) error = NULL;

  fill (&_gadget_session_table, row);
  parent->id = g_strdup (row->parent);
  write_session (db, parent);
  write_session (db, row);
  _gadget_session_row_find (db, row->id, &stored, &error);
  g_assert_no_error (error);
  g_assert_nonnull (stored);
  assert_same (&_gadget_session_table, stored, row);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
test_session_object (void)
{
  g_autoptr (GadgetSessionRow) row = g_new0 (GadgetSessionRow, 1);
  g_autoptr (GadgetSessionRow) taken = g_new0 (GadgetSessionRow, 1);
  g_autoptr (GadgetSession) object = NULL;

  fill (&_gadget_session_table, row);
  object = gadget_session_new (row->id);
  _gadget_session_row_apply (row, object);
  /* The queue is not part of the row that is applied. */
  gadget_session_enqueue (object, "Next");
  gadget_session_set_queue_paused (object, TRUE);
  _gadget_session_row_copy_columns (taken, object);
  assert_same (&_gadget_session_table, taken, row);
}

static void
test_session_settings (void)
{
  g_autoptr (GadgetSession) object = gadget_session_new ("a");

  for (guint i = 0; i < _gadget_session_table.n_columns; i++)
    {
      const GadgetStoreColumn *column = &_gadget_session_table.columns[i];
      g_autofree char *property = g_strdelimit (g_strdup (column->name), "_", '-');

      g_test_message ("%s", property);
      g_assert_cmpuint (_gadget_session_find_setting (property), ==, column->setting_bit);
      if (column->setting_bit != 0)
        g_assert_nonnull (g_object_class_find_property (G_OBJECT_GET_CLASS (object), property));
    }
}

/* Writes the row as a turn of a new session. */
static gint64
write_turn (sqlite3 *db, const GadgetTurnRow *row)
{
  g_autoptr (GadgetSessionRow) session_row = g_new0 (GadgetSessionRow, 1);
  g_autoptr (GError) error = NULL;
  gint64 number = 0;

  session_row->id = g_strdup ("a");
  write_session (db, session_row);
  _gadget_turn_row_write (row, db, session_row->id, &number, &error);
  g_assert_no_error (error);
  return number;
}

static void
test_turn_stored (void)
{
  sqlite3 *db = open_database ();
  g_autoptr (GadgetTurnRow) row = g_new0 (GadgetTurnRow, 1);
  g_autoptr (GadgetTurnRow) stored = NULL;
  g_autofree char *columns = _gadget_store_table_dup_read (&_gadget_turn_table);
  g_autofree char *sql = g_strdup_printf ("SELECT turn.number, %s FROM turn", columns);
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *stmt;
  gint64 number;

  fill (&_gadget_turn_table, row);
  number = write_turn (db, row);
  stmt = _gadget_sql_prepare (db, sql, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  stored = _gadget_turn_row_read (stmt);
  sqlite3_finalize (stmt);
  g_assert_cmpint (stored->number, ==, number);
  assert_same (&_gadget_turn_table, stored, row);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
test_turn_object (void)
{
  g_autoptr (GadgetTurnRow) row = g_new0 (GadgetTurnRow, 1);
  g_autoptr (GadgetTurnRow) taken = NULL;
  g_autoptr (GadgetTurn) object = NULL;

  fill (&_gadget_turn_table, row);
  /* These are JSON, and other tests look at them. */
  g_clear_pointer (&row->receipt, g_free);
  g_clear_pointer (&row->attachments, _gadget_attachment_rows_free);
  row->items = g_ptr_array_new ();
  object = _gadget_turn_row_make (row);
  taken = _gadget_turn_row_new_from (object, TRUE);
  assert_same (&_gadget_turn_table, taken, row);
}

static GadgetItemRow *
read_item (sqlite3 *db)
{
  g_autofree char *columns = _gadget_store_table_dup_read (&_gadget_item_table);
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM item", columns);
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *stmt = _gadget_sql_prepare (db, sql, &error);
  GadgetItemRow *row;

  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  row = _gadget_item_row_read (stmt, 0);
  sqlite3_finalize (stmt);
  return row;
}

static void
test_item_stored (void)
{
  sqlite3 *db = open_database ();
  g_autoptr (GadgetTurnRow) turn_row = g_new0 (GadgetTurnRow, 1);
  GadgetItemRow *row = g_new0 (GadgetItemRow, 1);
  GadgetItemRow *stored;
  g_autoptr (GError) error = NULL;
  gint64 number;

  fill (&_gadget_turn_table, turn_row);
  number = write_turn (db, turn_row);
  fill (&_gadget_item_table, row);
  row->whole = TRUE;
  _gadget_item_row_write (row, db, number, "a", &error);
  g_assert_no_error (error);

  /* Only pieces write the text of an item that grows. */
  g_string_append (row->text, " and more");
  row->whole = FALSE;
  _gadget_item_row_write (row, db, number, "a", &error);
  g_assert_no_error (error);
  g_string_assign (row->text, "text");
  stored = read_item (db);
  assert_same (&_gadget_item_table, stored, row);
  _gadget_item_row_free (stored);
  _gadget_item_row_free (row);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
test_item_object (void)
{
  GadgetItemRow *row = g_new0 (GadgetItemRow, 1);
  GadgetItemRow *taken;
  g_autoptr (GadgetItem) object = NULL;

  fill (&_gadget_item_table, row);
  row->kind = GADGET_ITEM_TOOL_CALL;
  /* These are JSON, and other tests look at them. No new item has a summary that is a text. */
  g_clear_pointer (&row->call_summary, g_free);
  g_clear_pointer (&row->summary, g_free);
  g_clear_pointer (&row->attachments, _gadget_attachment_rows_free);
  object = _gadget_item_row_make (row);
  taken = _gadget_item_row_new_from (object, row->position, TRUE);
  assert_same (&_gadget_item_table, taken, row);
  _gadget_item_row_free (taken);
  _gadget_item_row_free (row);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  _gadget_sql_enter_thread ();

  g_test_add_data_func ("/engine/store-columns/session/complete", &session, test_complete);
  g_test_add_func ("/engine/store-columns/session/stored", test_session_stored);
  g_test_add_func ("/engine/store-columns/session/object", test_session_object);
  g_test_add_func ("/engine/store-columns/session/settings", test_session_settings);
  g_test_add_data_func ("/engine/store-columns/turn/complete", &turn, test_complete);
  g_test_add_func ("/engine/store-columns/turn/stored", test_turn_stored);
  g_test_add_func ("/engine/store-columns/turn/object", test_turn_object);
  g_test_add_data_func ("/engine/store-columns/item/complete", &item, test_complete);
  g_test_add_func ("/engine/store-columns/item/stored", test_item_stored);
  g_test_add_func ("/engine/store-columns/item/object", test_item_object);

  return g_test_run ();
}
