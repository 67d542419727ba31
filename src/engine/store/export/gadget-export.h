/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store-error.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetExportFormat:
 * @GADGET_EXPORT_JSON: every row of the chats; data/docs/export.md describes it
 * @GADGET_EXPORT_MARKDOWN: a text for people and other programs
 * @GADGET_EXPORT_HTML: a page that looks like the window, in one file that loads nothing
 */
typedef enum
{
  GADGET_EXPORT_JSON,
  GADGET_EXPORT_MARKDOWN,
  GADGET_EXPORT_HTML,
} GadgetExportFormat;

/**
 * GadgetExportParts:
 * @GADGET_EXPORT_TOOLS: the calls of tools, with their results
 * @GADGET_EXPORT_REASONING: the reasoning of models
 * @GADGET_EXPORT_ATTACHMENTS: the texts of attached files; in HTML also pictures
 *
 * The contents of a text besides prompts and answers. JSON always contains everything.
 */
typedef enum
{
  GADGET_EXPORT_TOOLS = 1 << 0,
  GADGET_EXPORT_REASONING = 1 << 1,
  GADGET_EXPORT_ATTACHMENTS = 1 << 2,
} GadgetExportParts;

/* Writes chats to @stream, documented in gadget-export.c. */
void     gadget_export_async  (const char          *directory,
                               const char *const   *ids,
                               GadgetExportFormat   format,
                               GadgetExportParts    parts,
                               GOutputStream       *stream,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
/* The same to a file. */
void     gadget_export_to_file_async
                              (const char          *directory,
                               const char *const   *ids,
                               GadgetExportFormat   format,
                               GadgetExportParts    parts,
                               GFile               *file,
                               int                 *n_written,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
gboolean gadget_export_finish (GAsyncResult        *result,
                               guint               *n_chats,
                               GError             **error);

G_END_DECLS
