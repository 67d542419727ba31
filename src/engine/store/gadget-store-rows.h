/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: sessions, turns and items as plain data, which is what travels between
 * the main context (take_…, make_…) and the store's thread (write_…, read_…). */

#pragma once

#include "gadget-sql.h"
#include "gadget-store-attachments-private.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/**
 * GadgetSessionSettings:
 * @GADGET_SESSION_MODEL: with its provider
 *
 * What more than one process may change of a session.
 */
typedef enum
{
  GADGET_SESSION_TITLE = 1 << 0,
  GADGET_SESSION_WORKSPACE = 1 << 1,
  GADGET_SESSION_MODEL = 1 << 2,
  GADGET_SESSION_MODE = 1 << 3,
} GadgetSessionSettings;

#define GADGET_SESSION_ALL_SETTINGS                                                                \
  (GADGET_SESSION_TITLE | GADGET_SESSION_WORKSPACE | GADGET_SESSION_MODEL | GADGET_SESSION_MODE)

typedef struct _GadgetSessionRow GadgetSessionRow;

struct _GadgetSessionRow
{
  char *id;
  char *parent;         /* NULL for a chat of the user's */
  char *title;
  char *workspace;
  char *provider;
  char *model;
  gint64 created_at;
  gint64 updated_at;
  gboolean queue_paused;
  const char *mode; /* static */
  char **queue;         /* of each message, oldest first, its text and what is given with it as
                         * JSON, "" for nothing; NULL: leave the stored queue alone */
  GPtrArray *given;     /* (nullable): of GadgetAttachmentRows, the bytes for these */
  GadgetSessionSettings kept; /* those that were not changed here: the stored ones stay */
  GadgetSessionRow *before; /* (nullable): settings that the store had before those not kept */
  guint n_changes;      /* when taken: how often a row had other settings than the one before */
};

typedef struct
{
  gint64 number;        /* when read: the row's */
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
  char *receipt;        /* JSON, NULL for none */
  GadgetAttachmentRows *attachments; /* when written; NULL for none, and for those stored already */
  char *attachments_json; /* when read */
  GPtrArray *items;     /* of GadgetItemRow, when read; else NULL */
} GadgetTurnRow;

/**
 * GadgetItemRow:
 * @whole: whether @text and @arguments are all there is; else they are left to the pieces
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
  char *summary;        /* the words that earlier versions stored in its place */
  char *replay_source;
  char *replay;
  char *child;
  char *child_turn;
  GadgetAttachmentRows *attachments; /* when written */
  char *attachments_json; /* when read */
  gint64 started_at;
  gint64 ended_at;
} GadgetItemRow;

#define GADGET_PIECE_TEXT "text"
#define GADGET_PIECE_ARGUMENTS "arguments"

/* New text of an item that still grows. */
typedef struct
{
  guint position;       /* of the item */
  const char *field;    /* one of the two above */
  gsize offset;         /* in bytes */
  char *data;
  gsize length;
} GadgetPieceRow;

gboolean          _gadget_session_knows_queue (GadgetSession           *session);
void              _gadget_session_note_queue  (GadgetSession           *session,
                                               char                   **queue);
gboolean          _gadget_session_takes_queue (GadgetSession           *session,
                                               char                   **queue);
gboolean          _gadget_session_merge_queue (GadgetSession           *session,
                                               char                   **queue);
/* How often the settings of the session were found changed; and the settings of the row, which was
 * taken or asked for when it was so often, are stored. */
guint             _gadget_session_count_changes (GadgetSession         *session);
void              _gadget_session_note_settings (GadgetSession         *session,
                                               const GadgetSessionRow  *row,
                                               guint                    n_changes);
void              _gadget_session_merge_settings (GadgetSession        *session,
                                               GadgetSessionRow        *row,
                                               guint                    n_changes,
                                               GadgetSessionSettings    more);
GadgetSessionRow *_gadget_session_row_take    (GadgetSession           *session);
void              _gadget_session_row_apply   (const GadgetSessionRow  *self,
                                               GadgetSession           *session);
GadgetSessionRow *_gadget_session_row_read    (sqlite3_stmt            *stmt);
gboolean          _gadget_session_row_write   (const GadgetSessionRow  *self,
                                               sqlite3                 *db,
                                               GError                 **error);
gboolean          _gadget_session_row_recover (const GadgetSessionRow  *self,
                                               sqlite3                 *db,
                                               GError                 **error);
gboolean          _gadget_session_row_recover_changes (const GadgetSessionRow *self,
                                               sqlite3                 *db,
                                               GError                 **error);
void              _gadget_session_row_free    (GadgetSessionRow        *self);
#define GADGET_SESSION_COLUMNS                                                                     \
  "session.id, (SELECT id FROM session AS above WHERE above.number = session.parent),"             \
  " session.title, session.workspace, session.provider, session.model,"                            \
  " session.created_at, session.updated_at, session.queue_paused, session.mode"
#define GADGET_SESSION_N_COLUMNS 10

GadgetTurnRow    *_gadget_turn_row_take       (GadgetTurn              *turn,
                                               gboolean                 with_attachments);
GadgetTurn       *_gadget_turn_row_make       (const GadgetTurnRow     *self);
void              _gadget_turn_row_update     (const GadgetTurnRow     *self,
                                               GadgetTurn              *turn);
GadgetTurnRow    *_gadget_turn_row_read       (sqlite3_stmt            *stmt);
gboolean          _gadget_turn_row_write      (const GadgetTurnRow     *self,
                                               sqlite3                 *db,
                                               const char              *session_id,
                                               gint64                  *number,
                                               GError                 **error);
void              _gadget_turn_row_free       (GadgetTurnRow           *self);
#define GADGET_TURN_COLUMNS                                                                        \
  "turn.number, turn.id, turn.prompt, turn.status, turn.stop_reason, turn.error_code,"             \
  " turn.error_detail, turn.provider, turn.model, turn.started_at, turn.ended_at,"                 \
  " turn.input_tokens, turn.output_tokens, turn.usage_estimated, turn.cost, turn.receipt,"          \
  " turn.attachments"
#define GADGET_TURN_N_COLUMNS 17

GadgetItemRow    *_gadget_item_row_take       (GadgetItem              *item,
                                               guint                    position,
                                               gboolean                 whole);
GadgetItem       *_gadget_item_row_make       (const GadgetItemRow     *self);
void              _gadget_item_row_update     (const GadgetItemRow     *self,
                                               GadgetItem              *item);
GadgetItemRow    *_gadget_item_row_read       (sqlite3_stmt            *stmt,
                                               int                      first_column);
gboolean          _gadget_item_row_write      (const GadgetItemRow     *self,
                                               sqlite3                 *db,
                                               gint64                   turn_number,
                                               const char              *session_id,
                                               GError                 **error);
void              _gadget_item_row_free       (GadgetItemRow           *self);
void              _gadget_item_row_seal       (GadgetItemRow           *self,
                                               gint64                   ended_at);
#define GADGET_ITEM_COLUMNS                                                                        \
  "item.position, item.kind, item.status, item.step, item.text, item.arguments, item.call_id,"     \
  " item.name, item.result, item.summary, item.replay_source, item.replay, item.child,"            \
  " item.child_turn, item.attachments, item.started_at, item.ended_at, item.call_summary"

GadgetPieceRow   *_gadget_piece_row_new       (guint                    position,
                                               const char              *field,
                                               const char              *text,
                                               gsize                    from,
                                               gsize                    to);
gboolean          _gadget_piece_row_write     (const GadgetPieceRow    *self,
                                               sqlite3                 *db,
                                               gint64                   turn_number,
                                               GError                 **error);
gboolean          _gadget_pieces_read         (sqlite3                 *db,
                                               gint64                   turn_number,
                                               GPtrArray               *items,
                                               GError                 **error);
void              _gadget_piece_row_free      (GadgetPieceRow          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSessionRow, _gadget_session_row_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetTurnRow, _gadget_turn_row_free)

G_END_DECLS
