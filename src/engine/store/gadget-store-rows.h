/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: sessions, turns and items as plain data, which travels between the main
 * context (…_new_from, …_make, …_update, …_apply) and the store's thread (…_read, …_write). */

#pragma once

#include "gadget-sql.h"
#include "gadget-store-attachments-private.h"
#include "gadget-store-columns.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* A set of settings of a session, which more than one process may change, as the bits to keep of
 * their columns; see gadget-session-columns.c. */
typedef guint GadgetSessionSettings;

/* The row of a session. */
typedef struct _GadgetSessionRow GadgetSessionRow;

struct _GadgetSessionRow
{
  char *id;
  char *parent;         /* NULL for a chat of the user's */
  char *title;
  char *workspace;
  char *provider;
  char *model;
  GadgetMode mode;
  gboolean pinned;
  gboolean archived;
  gboolean unread;
  char *chat_folder;
  char *origin;
  char *origin_turn;
  gint64 created_at;
  gint64 updated_at;
  gboolean queue_paused;
  char **queue;         /* for each message, oldest first, its text and its attachments as JSON (""
                         * for none); NULL leaves the stored queue alone */
  GPtrArray *queue_attachments; /* (nullable): GadgetAttachmentRows with the bytes for "queue" */
  GadgetSessionSettings kept; /* settings not changed here, whose stored values stay */
  GadgetSessionRow *before; /* (nullable): the stored settings that the changed ones replace */
  guint n_changes;      /* when taken: _gadget_session_count_changes () including this row */
};

/* The row of a turn. */
typedef struct
{
  gint64 number;        /* when read: the primary key of the row */
  char *id;
  char *prompt;
  GadgetTurnStatus status;
  GadgetStopReason stop_reason;
  char *error_code;
  char *error_detail;
  char *provider;
  char *model;
  gint64 started_at;
  gint64 ended_at;
  GadgetUsage usage;
  char *receipt;        /* JSON; NULL for none */
  GadgetAttachmentRows *attachments; /* NULL for none, and when written if they are stored already;
                                      * without bytes when read */
  GPtrArray *items;     /* when read: of GadgetItemRow; else NULL */
} GadgetTurnRow;

/**
 * GadgetItemRow:
 * @whole: whether @text and @arguments are complete; else only pieces write them
 *
 * One item of a turn.
 */
typedef struct
{
  guint position;
  GadgetItemKind kind;
  GadgetItemStatus status;
  guint step;
  gboolean whole;
  GString *text;
  GString *arguments;
  char *call_id;
  char *name;
  char *result;
  GPtrArray *pictures;  /* see gadget-store-pictures-private.h */
  char *call_summary;   /* JSON, see gadget-call-summary.h */
  char *summary;        /* the text that earlier versions stored instead */
  char *replay_source;
  char *replay;
  char *child;
  char *child_turn;
  GadgetAttachmentRows *attachments; /* without bytes when read */
  gint64 started_at;
  gint64 ended_at;
} GadgetItemRow;

#define GADGET_PIECE_TEXT "text"
#define GADGET_PIECE_ARGUMENTS "arguments"

/* New text of an item that still grows. */
typedef struct
{
  guint position;       /* of the item in its turn */
  const char *field;    /* GADGET_PIECE_TEXT or GADGET_PIECE_ARGUMENTS */
  gsize offset;         /* in bytes */
  char *data;
  gsize length;
} GadgetPieceRow;

/* The queue in memory and the stored one, documented in gadget-session-row.c. */
gboolean          _gadget_session_has_loaded_queue     (GadgetSession          *session);
void              _gadget_session_note_queue           (GadgetSession          *session,
                                                        char                  **queue);
gboolean          _gadget_session_should_replace_queue (GadgetSession          *session,
                                                        char                  **queue);
gboolean          _gadget_session_merge_queue          (GadgetSession          *session,
                                                        char                  **queue);
/* _gadget_session_count_changes () returns how often a row was taken whose settings differed from
 * the stored ones. _gadget_session_note_settings () remembers that the settings of a row are
 * stored; @n_changes is the count when the row was taken or its reading was requested, so that an
 * outdated row is ignored. */
guint             _gadget_session_count_changes        (GadgetSession          *session);
void              _gadget_session_note_settings        (GadgetSession          *session,
                                                        const GadgetSessionRow *row,
                                                        guint                   n_changes);
void              _gadget_session_merge_settings       (GadgetSession          *session,
                                                        GadgetSessionRow       *row,
                                                        guint                   n_changes,
                                                        GadgetSessionSettings   more);
/* The columns of a session; documented in gadget-session-columns.c.
 *   _get_all_settings   all settings
 *   _find_setting       the setting that the property is part of; 0 if it is no setting
 *   _compare            the settings that differ
 *   _replace            copies the settings WHICH
 *   _take_columns       sets the members of an empty row that are columns
 *   _apply              sets everything but the queue, _apply_settings the settings alone */
extern const GadgetStoreTable _gadget_session_table;
GadgetSessionSettings _gadget_session_get_all_settings (void);
GadgetSessionSettings _gadget_session_find_setting     (const char             *property);
GadgetSessionSettings _gadget_session_row_compare      (const GadgetSessionRow *a,
                                                        const GadgetSessionRow *b);
void              _gadget_session_row_replace          (GadgetSessionRow       *to,
                                                        const GadgetSessionRow *from,
                                                        GadgetSessionSettings   which);
void              _gadget_session_row_copy_columns     (GadgetSessionRow       *self,
                                                        GadgetSession          *session);
void              _gadget_session_row_apply            (const GadgetSessionRow *self,
                                                        GadgetSession          *session);
void              _gadget_session_row_apply_settings   (const GadgetSessionRow *self,
                                                        GadgetSession          *session);

/* A session row is made of an object or read from a statement that begins with the columns
 * (transfer full), and written in a transaction. _gadget_session_row_find () sets ROW to the stored
 * one (transfer full), NULL if there is none. The recover functions store the row of a recovery
 * file; see gadget-session-row.c. */
GadgetSessionRow *_gadget_session_row_new_from         (GadgetSession          *session);
GadgetSessionRow *_gadget_session_row_read             (sqlite3_stmt           *stmt);
gboolean          _gadget_session_row_find             (sqlite3                *db,
                                                        const char             *id,
                                                        GadgetSessionRow      **row,
                                                        GError                **error);
gboolean          _gadget_session_row_write            (const GadgetSessionRow *self,
                                                        sqlite3                *db,
                                                        GError                **error);
gboolean          _gadget_session_row_recover          (const GadgetSessionRow *self,
                                                        sqlite3                *db,
                                                        GError                **error);
gboolean          _gadget_session_row_recover_changes  (const GadgetSessionRow *self,
                                                        sqlite3                *db,
                                                        GError                **error);
void              _gadget_session_row_free             (GadgetSessionRow       *self);

/* A turn row is made of an object or read from a statement that begins with the number and the
 * columns (transfer full), and written in a transaction. WITH_ATTACHMENTS includes the attachments,
 * which are written once; _gadget_turn_row_make () returns a new turn with its items (transfer
 * full). */
extern const GadgetStoreTable _gadget_turn_table;
GadgetTurnRow    *_gadget_turn_row_new_from            (GadgetTurn             *turn,
                                                        gboolean                with_attachments);
GadgetTurn       *_gadget_turn_row_make                (const GadgetTurnRow    *self);
void              _gadget_turn_row_update              (const GadgetTurnRow    *self,
                                                        GadgetTurn             *turn);
GadgetTurnRow    *_gadget_turn_row_read                (sqlite3_stmt           *stmt);
gboolean          _gadget_turn_row_write               (const GadgetTurnRow    *self,
                                                        sqlite3                *db,
                                                        const char             *session_id,
                                                        gint64                 *number,
                                                        GError                **error);
void              _gadget_turn_row_free                (GadgetTurnRow          *self);

/* An item row is made of an object or read from a statement with its columns from FIRST_COLUMN
 * on (transfer full), and written in a transaction together with its pictures and attachments.
 * _gadget_item_row_make () returns a new item (transfer full); _gadget_item_row_interrupt () ends a
 * row whose process did not end it. A write of an item that still grows keeps the columns that have
 * GADGET_ITEM_KEEP_TEXT, which pieces write. */
#define GADGET_ITEM_KEEP_TEXT (1u << 0)
extern const GadgetStoreTable _gadget_item_table;
GadgetItemRow    *_gadget_item_row_new_from            (GadgetItem             *item,
                                                        guint                   position,
                                                        gboolean                whole);
GadgetItem       *_gadget_item_row_make                (const GadgetItemRow    *self);
void              _gadget_item_row_update              (const GadgetItemRow    *self,
                                                        GadgetItem             *item);
GadgetItemRow    *_gadget_item_row_read                (sqlite3_stmt           *stmt,
                                                        int                     first_column);
gboolean          _gadget_item_row_write               (const GadgetItemRow    *self,
                                                        sqlite3                *db,
                                                        gint64                  turn_number,
                                                        const char             *session_id,
                                                        GError                **error);
void              _gadget_item_row_free                (GadgetItemRow          *self);
void              _gadget_item_row_interrupt           (GadgetItemRow          *self,
                                                        gint64                  ended_at);

/* A piece copies bytes FROM to TO of TEXT. _gadget_pieces_read () completes ITEMS, the item rows of
 * one turn in order of their positions, with the stored pieces. */
GadgetPieceRow   *_gadget_piece_row_new                (guint                   position,
                                                        const char             *field,
                                                        const char             *text,
                                                        gsize                   from,
                                                        gsize                   to);
gboolean          _gadget_piece_row_write              (const GadgetPieceRow   *self,
                                                        sqlite3                *db,
                                                        gint64                  turn_number,
                                                        GError                **error);
gboolean          _gadget_pieces_read                  (sqlite3                *db,
                                                        gint64                  turn_number,
                                                        GPtrArray              *items,
                                                        GError                **error);
void              _gadget_piece_row_free               (GadgetPieceRow         *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSessionRow, _gadget_session_row_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetTurnRow, _gadget_turn_row_free)

G_END_DECLS
