/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the database of Alpaca. */

#pragma once

#include "gadget-import-formats.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GadgetImportAlpaca GadgetImportAlpaca;

/* Tells whether a file that begins so is a database of SQLite. */
gboolean            _gadget_import_alpaca_check (const guint8        *bytes,
                                                 gsize                length);
/* Opens a copy of the database, which is in @directory for a moment. Fails with a
 * #GadgetImportError or an error of GIO. */
GadgetImportAlpaca *_gadget_import_alpaca_new   (const char          *path,
                                                 const char          *directory,
                                                 GCancellable        *cancellable,
                                                 GError             **error);
void                _gadget_import_alpaca_free  (GadgetImportAlpaca  *self);
/* Reads the next chat (transfer full), NULL behind the last one or with @error set. */
GadgetImportConverted *_gadget_import_alpaca_next (GadgetImportAlpaca  *self,
                                                   const GadgetImportContext *context,
                                                   GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportAlpaca, _gadget_import_alpaca_free)

G_END_DECLS
