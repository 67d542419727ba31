/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Removes the bytes of images, and gives what the database does not use any more back to the file
 * system. Both go on in steps, which are jobs of a few milliseconds, so that nothing else waits for
 * them for long. They can be stopped between two steps; each image is whole or gone, also when the
 * process dies.
 *
 * An image of a message is a row of "attachment", which is deleted: the message keeps its name, its
 * kind and its size. An image of a result is a row of "picture", which describes it as well and
 * only loses its bytes. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-sql.h"
#include "gadget-store-clear.h"
#include "gadget-store-schema.h"

/* A step goes on until so much time has passed. */
#define STEP_US 6000
/* How many pages of 4096 bytes a step gives back. */
#define STEP_PAGES "256"

/* --- Attachments ------------------------------------------------------------------------------ */

/* What is to be removed. The jobs of the store use it one after the other. */
typedef struct
{
  gint64 before;
  gboolean also_pinned;
  GArray *rows; /* of Row; NULL as long as they are not listed. Steps take the last ones */
  guint n_removed;
} Clearing;

typedef struct
{
  gboolean is_picture;
  gint64 number;
} Row;

static void
clearing_free (gpointer data)
{
  Clearing *clearing = data;

  g_clear_pointer (&clearing->rows, g_array_unref);
  g_free (clearing);
}

static gboolean
list_rows (sqlite3 *db, Clearing *clearing, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "WITH RECURSIVE " GADGET_SQL_OLD_CHATS
      " SELECT FALSE, number FROM attachment WHERE kept AND session IN (SELECT number FROM old)"
      " UNION ALL SELECT TRUE, picture.number FROM picture JOIN turn ON turn.number = picture.turn"
      "  WHERE length (data) > 0 AND turn.session IN (SELECT number FROM old)",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  clearing->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  _gadget_sql_bind_int (stmt, 1, clearing->before);
  _gadget_sql_bind_int (stmt, 2, clearing->also_pinned);
  _gadget_sql_bind_int (stmt, 3, TRUE);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      const Row row = { sqlite3_column_int (stmt, 0) != 0, sqlite3_column_int64 (stmt, 1) };

      if (!has_row)
        return TRUE;
      g_array_append_val (clearing->rows, row);
    }
  return FALSE;
}

/* The session %s is still one of GADGET_SQL_OLD_CHATS. */
#define IS_OLD                                                                                     \
  " NOT EXISTS (WITH RECURSIVE above (number, parent, updated_at, pinned) AS"                      \
  "  (SELECT number, parent, updated_at, pinned FROM session WHERE number = %s"                    \
  "   UNION ALL SELECT session.number, session.parent, session.updated_at, session.pinned"         \
  "    FROM session JOIN above ON session.number = above.parent)"                                  \
  "  SELECT 1 FROM above WHERE parent IS NULL AND (updated_at >= ?2 OR (pinned AND NOT ?3))"       \
  "   OR EXISTS (SELECT 1 FROM turn WHERE turn.session = above.number"                             \
  "    AND turn.status = 'processing'))"

/* Removes an image, unless its chat was used or pinned since it was listed. */
static gboolean
remove_row (sqlite3 *db, const Clearing *clearing, const Row *row, guint *n_removed, GError **error)
{
  g_autofree char *sql =
      row->is_picture
          ? g_strdup_printf ("UPDATE picture SET data = x'' WHERE number = ?1 AND" IS_OLD,
                             "(SELECT session FROM turn WHERE number = picture.turn)")
          : g_strdup_printf ("DELETE FROM attachment WHERE number = ?1 AND" IS_OLD,
                             "attachment.session");
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, row->number);
  _gadget_sql_bind_int (stmt, 2, clearing->before);
  _gadget_sql_bind_int (stmt, 3, clearing->also_pinned);
  if (!_gadget_sql_run (stmt, error))
    return FALSE;
  *n_removed += (guint) sqlite3_changes (db);
  return TRUE;
}

static gboolean
remove_some (sqlite3 *db, gpointer data, GError **error)
{
  Clearing *clearing = data;
  const gint64 end_us = g_get_monotonic_time () + STEP_US;

  do
    {
      const Row row = g_array_index (clearing->rows, Row, clearing->rows->len - 1);

      if (!remove_row (db, clearing, &row, &clearing->n_removed, error))
        return FALSE;
      g_array_set_size (clearing->rows, clearing->rows->len - 1);
    }
  while (clearing->rows->len > 0 && g_get_monotonic_time () < end_us);
  return TRUE;
}

static gboolean
clear_step (sqlite3 *db, gpointer data, GError **error)
{
  Clearing *clearing = data;

  if (clearing->rows == NULL)
    return list_rows (db, clearing, error);
  return _gadget_sql_transaction (db, remove_some, clearing, error);
}

static void
shrunk_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gadget_store_shrink_finish (GADGET_STORE (source), result);
  g_task_return_boolean (task, TRUE);
}

static void
cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetStore *self = GADGET_STORE (source);
  GCancellable *cancellable = g_task_get_cancellable (task);
  Clearing *clearing = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_store_run_finish (self, result, &error))
    g_task_return_error (task, error);
  else if (clearing->rows->len > 0 && !g_cancellable_is_cancelled (cancellable))
    gadget_store_run_async (self, clear_step, clearing, NULL, cleared_cb, g_steal_pointer (&task));
  else
    gadget_store_shrink_async (self, cancellable, shrunk_cb, g_steal_pointer (&task));
}

/**
 * gadget_store_clear_attachments_async:
 * @before: the time before which the chats were used last, in milliseconds since 1970
 * @also_pinned: whether pinned chats lose their images, too
 *
 * Removes the images in messages and results of such chats, but not those of drafts and queued
 * messages, and none of a chat that runs. When @cancellable is cancelled, what was not removed yet
 * stays.
 */
void
gadget_store_clear_attachments_async (GadgetStore *self, gint64 before, gboolean also_pinned,
                                      GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  Clearing *clearing;
  GTask *task;

  g_return_if_fail (GADGET_IS_STORE (self));

  clearing = g_new0 (Clearing, 1);
  clearing->before = before;
  clearing->also_pinned = also_pinned;
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_store_clear_attachments_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, clearing, clearing_free);
  gadget_store_run_async (self, clear_step, clearing, NULL, cleared_cb, task);
}

/**
 * gadget_store_clear_attachments_finish:
 * @n_removed: (out): how many images were removed, also if it was stopped or failed
 *
 * Returns: whether it did not fail; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_clear_attachments_finish (GadgetStore *self, GAsyncResult *result, guint *n_removed,
                                       GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  *n_removed = ((const Clearing *) g_task_get_task_data (G_TASK (result)))->n_removed;
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Free pages ------------------------------------------------------------------------------- */

/* A database that was made before auto_vacuum was set keeps its pages for the next chats. */
static gboolean
shrink_step (sqlite3 *db, gpointer data, GError **error)
{
  gboolean *more = data;
  gint64 before;
  gint64 after;

  *more = FALSE;
  if (!_gadget_sql_get_int (db, "PRAGMA freelist_count", &before, error)
      || !_gadget_sql_exec (db, "PRAGMA incremental_vacuum (" STEP_PAGES ")", error)
      || !_gadget_sql_get_int (db, "PRAGMA freelist_count", &after, error))
    return FALSE;
  *more = after > 0 && after < before;
  return TRUE;
}

static void
stepped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetStore *self = GADGET_STORE (source);
  gboolean *more = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!gadget_store_run_finish (self, result, &error))
    g_message ("the database keeps pages that it does not use: %s", error->message);
  if (error == NULL && *more && !g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    gadget_store_run_async (self, shrink_step, more, NULL, stepped_cb, g_steal_pointer (&task));
  else
    g_task_return_boolean (task, TRUE);
}

/**
 * gadget_store_shrink_async:
 *
 * Makes the file of the database smaller, until nothing in it is unused or @cancellable is
 * cancelled.
 */
void
gadget_store_shrink_async (GadgetStore *self, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  gboolean *more;

  g_return_if_fail (GADGET_IS_STORE (self));

  more = g_new0 (gboolean, 1);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_store_shrink_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, more, g_free);
  gadget_store_run_async (self, shrink_step, more, NULL, stepped_cb, task);
}

/* gadget_store_shrink_finish: always succeeds. */
void
gadget_store_shrink_finish (GadgetStore *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
