/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: a thin layer over SQLite with GError and automatic cleanup. To be called
 * on the store's thread, or on another one that has a connection of its own, which the functions
 * that run SQL assert. Errors are in the domain GADGET_STORE_ERROR. */

#pragma once

#include "gadget-store-error.h"

#include <sqlite3.h>

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

/* The message of the trigger that refuses to store a deleted session again. It is part of a
 * released step and therefore never changes. */
#define GADGET_SQL_SESSION_DELETED "the session was deleted"

/* A thread that is to run SQL calls _gadget_sql_enter_thread (); _gadget_sql_on_thread () tells
 * whether the current thread has done so. */
void          _gadget_sql_enter_thread        (void);
gboolean      _gadget_sql_on_thread           (void);
/* Sets @error for the result @code that a call on @db (nullable) just returned. */
void          _gadget_sql_set_error           (sqlite3          *db,
                                               int               code,
                                               GError          **error);

/* Runs one or more statements and ignores their rows. */
gboolean      _gadget_sql_exec                (sqlite3          *db,
                                               const char       *sql,
                                               GError          **error);
/* Gets the first column of the first row of @sql; %GADGET_STORE_ERROR_NOT_FOUND if there is no
 * row. */
gboolean      _gadget_sql_get_int             (sqlite3          *db,
                                               const char       *sql,
                                               gint64           *value,
                                               GError          **error);
/* Runs @func in a write transaction, which is rolled back if @func or the commit fails. Other
 * transactions survive the end of the process but perhaps not a power cut; a durable one, and
 * everything before it, is on the disk when the function returns. */
typedef gboolean (*GadgetSqlFunc)             (sqlite3          *db,
                                               gpointer          data,
                                               GError          **error);
gboolean      _gadget_sql_transaction         (sqlite3          *db,
                                               GadgetSqlFunc     func,
                                               gpointer          data,
                                               GError          **error);
gboolean      _gadget_sql_transaction_durable (sqlite3          *db,
                                               GadgetSqlFunc     func,
                                               gpointer          data,
                                               GError          **error);

/* (transfer full) (nullable): the prepared statement; NULL with @error set. */
sqlite3_stmt *_gadget_sql_prepare             (sqlite3          *db,
                                               const char       *sql,
                                               GError          **error);
/* Bind a value to the parameter INDEX, which starts at 1. A bound text must stay alive until the
 * statement has been run. A text that SQLite refuses as too long stays NULL, which the column's
 * constraint turns into an error. */
void          _gadget_sql_bind_text           (sqlite3_stmt     *stmt,
                                               int               index,
                                               const char       *text);
void          _gadget_sql_bind_bytes          (sqlite3_stmt     *stmt,
                                               int               index,
                                               const char       *text,
                                               gsize             length);
void          _gadget_sql_bind_int            (sqlite3_stmt     *stmt,
                                               int               index,
                                               gint64            value);
/* _gadget_sql_next () steps to the next row and sets @has_row to FALSE behind the last one.
 * _gadget_sql_run () runs a statement without rows, then resets it and clears its bindings.
 * _gadget_sql_dup_text () returns a copy (transfer full), NULL for an SQL NULL. */
gboolean      _gadget_sql_next                (sqlite3_stmt     *stmt,
                                               gboolean         *has_row,
                                               GError          **error);
gboolean      _gadget_sql_run                 (sqlite3_stmt     *stmt,
                                               GError          **error);
char         *_gadget_sql_dup_text            (sqlite3_stmt     *stmt,
                                               int               column);

/* Makes a value of the current row of STMT; _gadget_sql_read_rows () appends that of each row of
 * the query to ROWS. */
typedef gpointer (*GadgetSqlReadFunc)         (sqlite3_stmt     *stmt);
gboolean      _gadget_sql_read_rows           (sqlite3          *db,
                                               const char       *sql,
                                               GadgetSqlReadFunc read,
                                               GPtrArray        *rows,
                                               GError          **error);
/* A GDestroyNotify that unreferences a GPtrArray. */
void          _gadget_sql_unref_rows          (gpointer          rows);

/* Runs the DELETE statement SQL with ID as ?1. Fails with %GADGET_STORE_ERROR_NOT_FOUND if it
 * removed no row; WHAT names the kind of row in the message. */
gboolean      _gadget_sql_remove_row          (sqlite3          *db,
                                               const char       *sql,
                                               const char       *what,
                                               const char       *id,
                                               GError          **error);

G_END_DECLS
