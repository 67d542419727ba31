/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: an export, and what its formats write. Everything runs in the thread of
 * the export. */

#pragma once

#include "gadget-export.h"
#include "store/gadget-sql.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct _GadgetExport GadgetExport;

/**
 * GadgetExportWriter:
 * @begin_chat: @time and @workspace are %NULL if they are not known
 * @end_chat: (nullable)
 * @begin_message: what the user said
 * @attachment: the name of a file attached to the message, and its text, %NULL for none
 * @end_message: (nullable)
 * @begin_reply: @model is "" if it is not known
 * @reasoning: Markdown, as @answer is
 * @call: a line that says what a tool did, and its output, %NULL for none
 * @picture: (nullable): an attached image, or one that a tool gave
 * @end_reply: @status is that of the turn, see _gadget_export_get_ending ()
 *
 * What a format that is read by people does with the parts of a chat, in their order. Each function
 * returns %FALSE with @error set when it fails.
 */
typedef struct
{
  gboolean (*begin_chat) (GadgetExport *self, const char *title, const char *time,
                          const char *workspace, GError **error);
  gboolean (*end_chat) (GadgetExport *self, GError **error);
  gboolean (*begin_message) (GadgetExport *self, const char *text, GError **error);
  gboolean (*attachment) (GadgetExport *self, const char *name, const char *text, GError **error);
  gboolean (*end_message) (GadgetExport *self, GError **error);
  gboolean (*begin_reply) (GadgetExport *self, const char *model, GError **error);
  gboolean (*answer) (GadgetExport *self, const char *text, GError **error);
  gboolean (*reasoning) (GadgetExport *self, const char *text, GError **error);
  gboolean (*call) (GadgetExport *self, const char *line, const char *output, GError **error);
  gboolean (*picture) (GadgetExport *self, const char *name, const char *mime_type, GBytes *bytes,
                       GError **error);
  gboolean (*end_reply) (GadgetExport *self, const char *model, const char *status, GError **error);
} GadgetExportWriter;

struct _GadgetExport
{
  char *directory;
  char **ids; /* (nullable): NULL for all chats */
  const GadgetExportWriter *writer; /* (nullable): NULL for JSON */
  GadgetExportParts parts;
  GOutputStream *stream; /* (nullable): what is written to, unless that is @blocks */
  GPtrArray *blocks;     /* (nullable): see gadget-export-blocks.c */
  GFile *file;    /* (nullable): what @stream writes to, in place of one of the caller's */
  int *n_written; /* (nullable): see gadget_export_to_file_async () */
  GCancellable *cancellable; /* (nullable) */
  sqlite3 *db;
  guint n_chats; /* written so far */
};

/* The rows of a chat for formats that are read by people: queries, and the columns that they have.
 * ?1 is the number of the chat, or of the turn. */
#define GADGET_EXPORT_CHAT_SQL                                                                     \
  "SELECT number, title, workspace, created_at FROM session WHERE number = ?1"
/* The output of a call is what it wrote while it ran, or else its result. */
#define GADGET_EXPORT_ITEMS_SQL                                                                    \
  "SELECT number, kind, CASE WHEN text = '' THEN coalesce (result, '') ELSE text END, name,"       \
  " summary, call_summary, attachments FROM item WHERE turn = ?1 ORDER BY position"

enum
{
  GADGET_EXPORT_CHAT_NUMBER,
  GADGET_EXPORT_CHAT_TITLE,
  GADGET_EXPORT_CHAT_WORKSPACE,
  GADGET_EXPORT_CHAT_TIME,
};

enum
{
  GADGET_EXPORT_ITEM_NUMBER,
  GADGET_EXPORT_ITEM_KIND,
  GADGET_EXPORT_ITEM_TEXT,
  GADGET_EXPORT_ITEM_NAME,
  GADGET_EXPORT_ITEM_SUMMARY,
  GADGET_EXPORT_ITEM_CALL_SUMMARY,
  GADGET_EXPORT_ITEM_ATTACHMENTS,
};

/* Called for each row of a query. */
typedef gboolean (*GadgetExportRowFunc) (GadgetExport *self,
                                         sqlite3_stmt *stmt,
                                         guint         index,
                                         GError      **error);

/* gadget-export.c. _run () writes the chats, with a connection of its own. @ids: (nullable) */
GadgetExport *_gadget_export_new      (const char         *directory,
                                       const char *const  *ids,
                                       GadgetExportParts   parts);
void     _gadget_export_free          (gpointer            data);
gboolean _gadget_export_run           (GadgetExport       *self,
                                       GError            **error);
gboolean _gadget_export_write         (GadgetExport       *self,
                                       const char         *text,
                                       GError            **error);
/* Calls @func for each row of the query, whose parameter ?1 is @key. */
gboolean _gadget_export_foreach       (GadgetExport       *self,
                                       const char         *sql,
                                       gint64              key,
                                       GadgetExportRowFunc func,
                                       GError            **error);

gboolean _gadget_export_print         (GadgetExport       *self,
                                       GError            **error,
                                       const char         *format,
                                       ...) G_GNUC_PRINTF (3, 4);

/* The words of these rows, in the language of this process (transfer full). */
char    *_gadget_export_dup_text      (sqlite3_stmt       *stmt,
                                       int                 column);
char    *_gadget_export_dup_title     (sqlite3_stmt       *chat);
/* (nullable): NULL for a time that is not known. */
char    *_gadget_export_dup_time      (gint64              ms);
char    *_gadget_export_dup_call      (sqlite3_stmt       *item);
char    *_gadget_export_dup_attachment_name (JsonObject   *attachment);
/* (nullable) (transfer none): the attachments of a message, from their JSON. */
JsonArray *_gadget_export_get_attachments (JsonNode       *root);
/* (nullable) (transfer none): what is to be said of a turn that did not simply finish. */
const char *_gadget_export_get_ending (const char         *status);

/* The formats: what is before the chats, one chat, and what is behind them. @number is the key of
 * the chat's row. */
gboolean _gadget_export_json_begin    (GadgetExport       *self,
                                       GError            **error);
gboolean _gadget_export_json_chat     (GadgetExport       *self,
                                       gint64              number,
                                       GError            **error);
gboolean _gadget_export_json_end      (GadgetExport       *self,
                                       GError            **error);
gboolean _gadget_export_html_begin    (GadgetExport       *self,
                                       GError            **error);
gboolean _gadget_export_html_end      (GadgetExport       *self,
                                       GError            **error);
/* One chat in a format that is read by people, by the writer of that. */
gboolean _gadget_export_walk_chat     (GadgetExport       *self,
                                       gint64              number,
                                       GError            **error);

extern const GadgetExportWriter _gadget_export_markdown_writer;
extern const GadgetExportWriter _gadget_export_html_writer;

/* The style sheet of HTML. */
extern const char _gadget_export_html_style[];

G_END_DECLS
