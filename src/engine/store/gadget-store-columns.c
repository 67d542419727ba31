/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes parts of SQL statements from the columns of a table, and moves values between the members
 * of a row and the parameters and results of statements. All but the texts of statements is done
 * for each row, so it looks nothing up by name. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-columns.h"

/* --- SQL -------------------------------------------------------------------------------------- */

static void
start_part (GString *sql, const char *separator)
{
  if (sql->len > 0)
    g_string_append (sql, separator);
}

char *
_gadget_store_table_dup_read (const GadgetStoreTable *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < self->n_columns; i++)
    {
      const GadgetStoreColumn *column = &self->columns[i];

      start_part (sql, ", ");
      if (column->read != NULL)
        g_string_append (sql, column->read);
      else
        g_string_append_printf (sql, "%s.%s", self->name, column->name);
    }
  return g_string_free_and_steal (g_steal_pointer (&sql));
}

char *
_gadget_store_table_dup_names (const GadgetStoreTable *self, const char *from,
                               GadgetStoreFlags except)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < self->n_columns; i++)
    {
      if ((self->columns[i].flags & except) != 0)
        continue;
      start_part (sql, ", ");
      if (from != NULL)
        g_string_append_printf (sql, "%s.", from);
      g_string_append (sql, self->columns[i].name);
    }
  return g_string_free_and_steal (g_steal_pointer (&sql));
}

char *
_gadget_store_table_dup_values (const GadgetStoreTable *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  /* SQLite numbers the parameters without a number in their order. */
  for (guint i = 0; i < self->n_columns; i++)
    {
      start_part (sql, ", ");
      g_string_append (sql, self->columns[i].write != NULL ? self->columns[i].write : "?");
    }
  return g_string_free_and_steal (g_steal_pointer (&sql));
}

char *
_gadget_store_table_dup_updates (const GadgetStoreTable *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < self->n_columns; i++)
    {
      const GadgetStoreColumn *column = &self->columns[i];
      const char *name = column->name;

      if ((column->flags & GADGET_STORE_IMMUTABLE) != 0)
        continue;
      start_part (sql, ", ");
      if (column->setting_bit != 0)
        g_string_append_printf (sql, "%s = iif (?%u & %u, %s, excluded.%s)", name,
                                self->n_columns + 1, column->setting_bit, name, name);
      else if ((column->flags & GADGET_STORE_GREATEST) != 0)
        g_string_append_printf (sql, "%s = max (%s, excluded.%s)", name, name, name);
      else if ((column->flags & GADGET_STORE_IGNORE_NULL) != 0)
        g_string_append_printf (sql, "%s = coalesce (excluded.%s, %s)", name, name, name);
      else
        g_string_append_printf (sql, "%s = excluded.%s", name, name);
    }
  return g_string_free_and_steal (g_steal_pointer (&sql));
}

char *
_gadget_store_table_dup_changes (const GadgetStoreTable *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < self->n_columns; i++)
    {
      const GadgetStoreColumn *column = &self->columns[i];
      const char *name = column->name;

      if ((column->flags & GADGET_STORE_IMMUTABLE) != 0)
        continue;
      start_part (sql, " OR ");
      if (column->setting_bit != 0)
        g_string_append_printf (sql, "(NOT (?%u & %u) AND %s IS NOT excluded.%s)",
                                self->n_columns + 1, column->setting_bit, name, name);
      else if ((column->flags & GADGET_STORE_GREATEST) != 0)
        g_string_append_printf (sql, "%s < excluded.%s", name, name);
      else if ((column->flags & GADGET_STORE_IGNORE_NULL) != 0)
        g_string_append_printf (sql, "%s IS NOT coalesce (excluded.%s, %s)", name, name, name);
      else
        g_string_append_printf (sql, "%s IS NOT excluded.%s", name, name);
    }
  return g_string_free_and_steal (g_steal_pointer (&sql));
}

/* --- Values ----------------------------------------------------------------------------------- */

gint64
_gadget_store_column_get_number (const GadgetStoreColumn *self, gconstpointer row)
{
  switch (self->type)
    {
    case GADGET_STORE_INT64:
      return G_STRUCT_MEMBER (gint64, row, self->offset);
    case GADGET_STORE_UINT:
      return G_STRUCT_MEMBER (guint, row, self->offset);
    case GADGET_STORE_BOOLEAN:
      return G_STRUCT_MEMBER (gboolean, row, self->offset) != 0;
    case GADGET_STORE_TEXT:
    case GADGET_STORE_STRING:
    case GADGET_STORE_ATTACHMENTS:
    default:
      g_assert_not_reached ();
    }
}

void
_gadget_store_column_set_number (const GadgetStoreColumn *self, gpointer row, gint64 number)
{
  switch (self->type)
    {
    case GADGET_STORE_INT64:
      G_STRUCT_MEMBER (gint64, row, self->offset) = number;
      break;
    case GADGET_STORE_UINT:
      G_STRUCT_MEMBER (guint, row, self->offset) = (guint) number;
      break;
    case GADGET_STORE_BOOLEAN:
      G_STRUCT_MEMBER (gboolean, row, self->offset) = number != 0;
      break;
    case GADGET_STORE_TEXT:
    case GADGET_STORE_STRING:
    case GADGET_STORE_ATTACHMENTS:
    default:
      g_assert_not_reached ();
    }
}

void
_gadget_store_column_copy (const GadgetStoreColumn *self, gpointer to, gconstpointer from)
{
  if (self->type == GADGET_STORE_TEXT)
    g_set_str (&G_STRUCT_MEMBER (char *, to, self->offset),
               G_STRUCT_MEMBER (const char *, from, self->offset));
  else
    _gadget_store_column_set_number (self, to, _gadget_store_column_get_number (self, from));
}

gboolean
_gadget_store_column_equal (const GadgetStoreColumn *self, gconstpointer a, gconstpointer b)
{
  if (self->type == GADGET_STORE_TEXT)
    return g_strcmp0 (G_STRUCT_MEMBER (const char *, a, self->offset),
                      G_STRUCT_MEMBER (const char *, b, self->offset))
           == 0;
  return _gadget_store_column_get_number (self, a) == _gadget_store_column_get_number (self, b);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void
bind_number (const GadgetStoreColumn *column, gconstpointer row, sqlite3_stmt *stmt, int index)
{
  const gint64 number = _gadget_store_column_get_number (column, row);

  if (column->words != NULL)
    _gadget_sql_bind_text (stmt, index, column->words->to_word ((guint) number));
  else
    _gadget_sql_bind_int (stmt, index, number);
}

static void
bind (const GadgetStoreColumn *column, gconstpointer row, sqlite3_stmt *stmt, int index)
{
  const GadgetAttachmentRows *attachments;
  const GString *string;

  switch (column->type)
    {
    case GADGET_STORE_TEXT:
      _gadget_sql_bind_text (stmt, index, G_STRUCT_MEMBER (const char *, row, column->offset));
      break;
    case GADGET_STORE_STRING:
      string = G_STRUCT_MEMBER (const GString *, row, column->offset);
      _gadget_sql_bind_bytes (stmt, index, string->str, string->len);
      break;
    case GADGET_STORE_ATTACHMENTS:
      attachments = G_STRUCT_MEMBER (const GadgetAttachmentRows *, row, column->offset);
      _gadget_sql_bind_text (stmt, index, attachments != NULL ? attachments->json : NULL);
      break;
    case GADGET_STORE_INT64:
    case GADGET_STORE_UINT:
    case GADGET_STORE_BOOLEAN:
    default:
      bind_number (column, row, stmt, index);
    }
}

void
_gadget_store_table_bind (const GadgetStoreTable *self, gconstpointer row, sqlite3_stmt *stmt)
{
  for (guint i = 0; i < self->n_columns; i++)
    bind (&self->columns[i], row, stmt, (int) i + 1);
}

static GString *
read_string (sqlite3_stmt *stmt, int index)
{
  const char *text = (const char *) sqlite3_column_text (stmt, index);

  return g_string_new_len (text != NULL ? text : "", sqlite3_column_bytes (stmt, index));
}

static void
read_number (const GadgetStoreColumn *column, gpointer row, sqlite3_stmt *stmt, int index)
{
  const gint64 number =
      column->words != NULL
          ? column->words->from_word ((const char *) sqlite3_column_text (stmt, index))
          : sqlite3_column_int64 (stmt, index);

  _gadget_store_column_set_number (column, row, number);
}

static void
read_column (const GadgetStoreColumn *column, gpointer row, sqlite3_stmt *stmt, int index)
{
  switch (column->type)
    {
    case GADGET_STORE_TEXT:
      G_STRUCT_MEMBER (char *, row, column->offset) = _gadget_sql_dup_text (stmt, index);
      break;
    case GADGET_STORE_STRING:
      G_STRUCT_MEMBER (GString *, row, column->offset) = read_string (stmt, index);
      break;
    case GADGET_STORE_ATTACHMENTS:
      G_STRUCT_MEMBER (GadgetAttachmentRows *, row, column->offset) =
          _gadget_attachment_rows_new_stored (_gadget_sql_dup_text (stmt, index));
      break;
    case GADGET_STORE_INT64:
    case GADGET_STORE_UINT:
    case GADGET_STORE_BOOLEAN:
    default:
      read_number (column, row, stmt, index);
    }
}

void
_gadget_store_table_read (const GadgetStoreTable *self, gpointer row, sqlite3_stmt *stmt, int first)
{
  for (guint i = 0; i < self->n_columns; i++)
    read_column (&self->columns[i], row, stmt, first + (int) i);
}

static void
free_string (GString *string)
{
  g_string_free (string, TRUE);
}

static void
clear (const GadgetStoreColumn *column, gpointer row)
{
  switch (column->type)
    {
    case GADGET_STORE_TEXT:
      g_clear_pointer (&G_STRUCT_MEMBER (char *, row, column->offset), g_free);
      break;
    case GADGET_STORE_STRING:
      g_clear_pointer (&G_STRUCT_MEMBER (GString *, row, column->offset), free_string);
      break;
    case GADGET_STORE_ATTACHMENTS:
      g_clear_pointer (&G_STRUCT_MEMBER (GadgetAttachmentRows *, row, column->offset),
                       _gadget_attachment_rows_free);
      break;
    case GADGET_STORE_INT64:
    case GADGET_STORE_UINT:
    case GADGET_STORE_BOOLEAN:
    default:
      break;
    }
}

void
_gadget_store_table_clear (const GadgetStoreTable *self, gpointer row)
{
  for (guint i = 0; i < self->n_columns; i++)
    clear (&self->columns[i], row);
}
