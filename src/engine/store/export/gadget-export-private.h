/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: an export, and what its formats write. Everything runs in the thread of
 * the export. */

#pragma once

#include "gadget-export.h"
#include "store/gadget-sql.h"

G_BEGIN_DECLS

typedef struct _GadgetExport GadgetExport;

struct _GadgetExport
{
  char *directory;
  char **ids; /* (nullable): NULL for all chats */
  GadgetExportFormat format;
  GadgetExportParts parts;
  GOutputStream *stream;
  GCancellable *cancellable; /* (nullable) */
  sqlite3 *db;
  guint n_chats; /* written so far */
};

/* Called for each row of a query. */
typedef gboolean (*GadgetExportRowFunc) (GadgetExport *self,
                                         sqlite3_stmt *stmt,
                                         guint         index,
                                         GError      **error);

gboolean _gadget_export_write         (GadgetExport       *self,
                                       const char         *text,
                                       GError            **error);
/* Calls @func for each row of the query, whose parameter ?1 is @key. */
gboolean _gadget_export_foreach       (GadgetExport       *self,
                                       const char         *sql,
                                       gint64              key,
                                       GadgetExportRowFunc func,
                                       GError            **error);

/* The formats: what is before the chats, one chat, and what is behind them. @number is the key of
 * the chat's row. */
gboolean _gadget_export_json_begin    (GadgetExport       *self,
                                       GError            **error);
gboolean _gadget_export_json_chat     (GadgetExport       *self,
                                       gint64              number,
                                       GError            **error);
gboolean _gadget_export_json_end      (GadgetExport       *self,
                                       GError            **error);
gboolean _gadget_export_markdown_chat (GadgetExport       *self,
                                       gint64              number,
                                       GError            **error);

G_END_DECLS
