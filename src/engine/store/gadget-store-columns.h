/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: a stored object is a row of a table, and a list of columns
 * says what of it is stored and how. See gadget-session-columns.c, gadget-turn-columns.c and
 * gadget-item-columns.c. The lists also name the fields of recovery files. */

#pragma once

#include "gadget-sql.h"
#include "gadget-store-attachments-private.h"

G_BEGIN_DECLS

/**
 * GadgetStoreType:
 * @GADGET_STORE_TEXT: char *; %NULL is stored as NULL
 * @GADGET_STORE_STRING: #GString *, which is never %NULL
 * @GADGET_STORE_ATTACHMENTS: GadgetAttachmentRows *; the column has their JSON, NULL for none
 * @GADGET_STORE_INT64: gint64
 * @GADGET_STORE_UINT: guint, or an enumeration whose column has words
 * @GADGET_STORE_BOOLEAN: gboolean
 *
 * The C type of a member of a row.
 */
typedef enum
{
  GADGET_STORE_TEXT,
  GADGET_STORE_STRING,
  GADGET_STORE_ATTACHMENTS,
  GADGET_STORE_INT64,
  GADGET_STORE_UINT,
  GADGET_STORE_BOOLEAN,
} GadgetStoreType;

/**
 * GadgetStoreFlags:
 * @GADGET_STORE_IMMUTABLE: the value with which the row was created stays
 * @GADGET_STORE_GREATEST: the greater one of the stored and the written value stays
 * @GADGET_STORE_IGNORE_NULL: a written NULL leaves the stored value alone
 * @GADGET_STORE_NOT_BRANCHED: a branch does not copy the value
 *
 * The fate of a value when its row is written again, and when the row is copied. Without a flag a
 * written value replaces the stored one, and a branch copies it. A column has at most one of the
 * first three flags, and none of them together with a bit to keep.
 */
typedef enum
{
  GADGET_STORE_IMMUTABLE = 1 << 0,
  GADGET_STORE_GREATEST = 1 << 1,
  GADGET_STORE_IGNORE_NULL = 1 << 2,
  GADGET_STORE_NOT_BRANCHED = 1 << 3,
} GadgetStoreFlags;

/* The words by which the values of an enumeration are stored. */
typedef struct
{
  const char *(*to_word) (guint value);
  guint (*from_word) (const char *word);
} GadgetStoreWords;

/**
 * GadgetStoreColumn:
 * @name: the name of the column
 * @member: the name of the member of the row, by which recovery files know it
 * @type: the type of that member
 * @offset: the offset of that member in bytes
 * @flags: how the stored value changes
 * @setting_bit: a bit, or 0. Each write has a mask of bits, and the columns with one of them keep
 *   their stored values. Columns may share a bit
 * @words: (nullable): the words of an enumeration
 * @read: (nullable): an SQL expression for the value; %NULL for the column itself
 * @write: (nullable): an SQL expression for the stored value, in which "?" is the value of the
 *   member; %NULL for that value itself
 * @access: (nullable): how the object in memory gets and sets the value; each table has its type
 */
typedef struct
{
  const char *name;
  const char *member;
  GadgetStoreType type;
  gsize offset;
  GadgetStoreFlags flags;
  guint setting_bit;
  const GadgetStoreWords *words;
  const char *read;
  const char *write;
  gconstpointer access;
} GadgetStoreColumn;

/* A table, and those of its columns that are members of a row. The order of the columns does not
 * matter: nothing depends on the number of one, and statements and recovery files name them. */
typedef struct
{
  const char *name;
  const GadgetStoreColumn *columns;
  guint n_columns;
} GadgetStoreTable;

/* Initialize the first members of a GadgetStoreColumn, whose name is that of the member, or another
 * one. */
#define GADGET_STORE_COLUMN(Row, member) GADGET_STORE_COLUMN_AS (#member, Row, member)
#define GADGET_STORE_COLUMN_AS(column_name, Row, row_member)                                       \
  .name = column_name, .member = #row_member, .offset = G_STRUCT_OFFSET (Row, row_member),         \
  .type = _Generic (((Row *) NULL)->row_member,                                                    \
      char *: GADGET_STORE_TEXT,                                                                   \
      GString *: GADGET_STORE_STRING,                                                              \
      GadgetAttachmentRows *: GADGET_STORE_ATTACHMENTS,                                            \
      gint64: GADGET_STORE_INT64,                                                                  \
      guint: GADGET_STORE_UINT,                                                                    \
      gboolean: GADGET_STORE_BOOLEAN)

/* Defines PREFIX_words for the enumeration TYPE with its PREFIX_to_string () and
 * PREFIX_from_string (). */
#define GADGET_STORE_DEFINE_WORDS(Type, prefix)                                                    \
  static const char *prefix##_to_word (guint value) { return prefix##_to_string ((Type) value); }  \
  static guint prefix##_from_word (const char *word) { return prefix##_from_string (word); }       \
  static const GadgetStoreWords prefix##_words = { prefix##_to_word, prefix##_from_word }

/* Parts of SQL statements (transfer full), each a list of columns:
 *   _read      what a SELECT reads
 *   _names     the names, in the table FROM (nullable), without columns that have a flag of EXCEPT
 *   _values    the values of an INSERT, which are the parameters from 1 on
 *   _updates   the assignments of the DO UPDATE of an INSERT, in which the first parameter behind
 *              the values is the mask of columns to keep
 *   _changes   the conditions, joined by OR, under which these assignments change anything */
char    *_gadget_store_table_dup_read      (const GadgetStoreTable  *self);
char    *_gadget_store_table_dup_names     (const GadgetStoreTable  *self,
                                            const char              *from,
                                            GadgetStoreFlags         except);
char    *_gadget_store_table_dup_values    (const GadgetStoreTable  *self);
char    *_gadget_store_table_dup_updates   (const GadgetStoreTable  *self);
char    *_gadget_store_table_dup_changes   (const GadgetStoreTable  *self);

/* Bind a row to the values of an INSERT; read the members of a row, which were empty, from the
 * columns from FIRST on; free what the members of a row hold. */
void     _gadget_store_table_bind          (const GadgetStoreTable  *self,
                                            gconstpointer            row,
                                            sqlite3_stmt            *stmt);
void     _gadget_store_table_read          (const GadgetStoreTable  *self,
                                            gpointer                 row,
                                            sqlite3_stmt            *stmt,
                                            int                      first);
void     _gadget_store_table_clear         (const GadgetStoreTable  *self,
                                            gpointer                 row);

/* Get and set a member that is a number; a boolean is 0 or 1. */
gint64   _gadget_store_column_get_number   (const GadgetStoreColumn *self,
                                            gconstpointer            row);
void     _gadget_store_column_set_number   (const GadgetStoreColumn *self,
                                            gpointer                 row,
                                            gint64                   number);

/* Copy and compare a member that is a text or a number. */
void     _gadget_store_column_copy         (const GadgetStoreColumn *self,
                                            gpointer                 to,
                                            gconstpointer            from);
gboolean _gadget_store_column_equal        (const GadgetStoreColumn *self,
                                            gconstpointer            a,
                                            gconstpointer            b);

G_END_DECLS
