/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: SQLite with GError and automatic clean-up. For the store's thread only,
 * which every call asserts. */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

void          _gadget_sql_enter_thread  (void);
gboolean      _gadget_sql_on_thread     (void);
void          _gadget_sql_set_error     (sqlite3          *db,
                                         int               code,
                                         GError          **error);

gboolean      _gadget_sql_exec          (sqlite3          *db,
                                         const char       *sql,
                                         GError          **error);
gboolean      _gadget_sql_get_int       (sqlite3          *db,
                                         const char       *sql,
                                         gint64           *value,
                                         GError          **error);
gboolean      _gadget_sql_transaction   (sqlite3          *db,
                                         GadgetStoreFunc   func,
                                         gpointer          data,
                                         GError          **error);

sqlite3_stmt *_gadget_sql_prepare       (sqlite3          *db,
                                         const char       *sql,
                                         GError          **error);
void          _gadget_sql_bind_text     (sqlite3_stmt     *stmt,
                                         int               index,
                                         const char       *text);
void          _gadget_sql_bind_bytes    (sqlite3_stmt     *stmt,
                                         int               index,
                                         const char       *text,
                                         gsize             length);
void          _gadget_sql_bind_int      (sqlite3_stmt     *stmt,
                                         int               index,
                                         gint64            value);
gboolean      _gadget_sql_next          (sqlite3_stmt     *stmt,
                                         gboolean         *has_row,
                                         GError          **error);
gboolean      _gadget_sql_run           (sqlite3_stmt     *stmt,
                                         GError          **error);
char         *_gadget_sql_dup_text      (sqlite3_stmt     *stmt,
                                         int               column);

/* Makes one thing of each row of a query and appends it to ROWS. */
typedef gpointer (*GadgetSqlReadFunc)   (sqlite3_stmt     *stmt);
gboolean      _gadget_sql_read_rows     (sqlite3          *db,
                                         const char       *sql,
                                         GadgetSqlReadFunc read,
                                         GPtrArray        *rows,
                                         GError          **error);
void          _gadget_sql_unref_rows    (gpointer          rows);

/* Removes the one row that has ID as ?1; %GADGET_STORE_ERROR_NOT_FOUND when there is none. */
gboolean      _gadget_sql_remove_row    (sqlite3          *db,
                                         const char       *sql,
                                         const char       *what,
                                         const char       *id,
                                         GError          **error);

G_END_DECLS
