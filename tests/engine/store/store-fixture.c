/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"
#include "test-store.h"

void
store_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->path = g_build_filename (fixture->directory, "gadget.db", NULL);
}

void
store_tear_down (Fixture *fixture, gconstpointer data)
{
  test_dir_free (fixture->directory);
  g_free (fixture->path);
}

gint64
store_get_int (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  gint64 value;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  value = sqlite3_column_int64 (stmt, 0);
  sqlite3_finalize (stmt);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return value;
}
