/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: rows of chats, as data/docs/export.md describes them, and statements that
 * are prepared once. To be called in the thread of the connection. */

#pragma once

#include "gadget-import-value.h"
#include "store/gadget-sql.h"

G_BEGIN_DECLS

/* The end of the year 9999, in milliseconds. */
#define GADGET_IMPORT_MAX_TIME G_GINT64_CONSTANT (253402300799999)

typedef struct _GadgetImportRows GadgetImportRows;

/* A column that refers to another row, by its number. */
typedef struct
{
  const char *column;
  gint64 value;
} GadgetImportReference;

GadgetImportRows *_gadget_import_rows_new              (sqlite3                     *db);
void              _gadget_import_rows_free             (GadgetImportRows            *self);
/* Sets the number of the import that chats and turns come from. */
void              _gadget_import_rows_set_import       (GadgetImportRows            *self,
                                                        gint64                       import);
/* Sets the memory of the rows that follow, which is taken out of RAM from time to time. */
void              _gadget_import_rows_set_memory       (GadgetImportRows            *self,
                                                        GadgetImportMemory          *memory);

/* Tells whether an id may be that of a chat or a turn. @id is (nullable). */
gboolean          _gadget_import_rows_is_id            (const char                  *id);

/* Returns a statement (transfer none), to be reset by the caller. */
sqlite3_stmt     *_gadget_import_rows_get_statement    (GadgetImportRows            *self,
                                                        const char                  *sql,
                                                        GError                     **error);
/* Runs a statement with up to two numbers. */
gboolean          _gadget_import_rows_run              (GadgetImportRows            *self,
                                                        const char                  *sql,
                                                        gint64                       first,
                                                        gint64                       second,
                                                        GError                     **error);
/* Sets @value to the number that a query with a text, or else a number, returns; 0 if there is no
 * row. */
gboolean          _gadget_import_rows_get_number       (GadgetImportRows            *self,
                                                        const char                  *sql,
                                                        const char                  *text,
                                                        gint64                       number,
                                                        gint64                      *value,
                                                        GError                     **error);

/* Insert a row with its references, which end with a NULL column; a chat with all that belongs to
 * it, which is that of a subagent of the chat @parent if that is not 0; the turns of a chat from
 * @first on; and the attachments and subagents of a chat that are not there yet. */
gboolean          _gadget_import_rows_insert           (GadgetImportRows            *self,
                                                        const char                  *table,
                                                        const GadgetImportValue     *row,
                                                        const GadgetImportReference *references,
                                                        gint64                      *number,
                                                        GError                     **error);
gboolean          _gadget_import_rows_insert_chat      (GadgetImportRows            *self,
                                                        GadgetImportValue           *chat,
                                                        gint64                       parent,
                                                        GError                     **error);
gboolean          _gadget_import_rows_insert_turns     (GadgetImportRows            *self,
                                                        const GadgetImportValue     *chat,
                                                        guint                        first,
                                                        gint64                       session,
                                                        gboolean                     is_child,
                                                        GError                     **error);
gboolean          _gadget_import_rows_insert_new_parts (GadgetImportRows            *self,
                                                        GadgetImportValue           *chat,
                                                        gint64                       session,
                                                        GError                     **error);
/* Tells whether the error that one of these has just returned is that of a row, and not of the
 * database. */
gboolean          _gadget_import_rows_is_broken        (GadgetImportRows            *self,
                                                        const GError                *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportRows, _gadget_import_rows_free)

G_END_DECLS
