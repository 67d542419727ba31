/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/import/gadget-imports.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_IMPORT_DIALOG (gadget_import_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetImportDialog, gadget_import_dialog, GADGET, IMPORT_DIALOG, AdwDialog)

/* Starts imports of chats, and shows the one that goes on and those that ended. (transfer
 * floating) */
GtkWidget *gadget_import_dialog_new (GadgetImports *imports);

G_END_DECLS
