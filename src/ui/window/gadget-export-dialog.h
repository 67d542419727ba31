/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_EXPORT_DIALOG (gadget_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetExportDialog, gadget_export_dialog, GADGET, EXPORT_DIALOG, AdwDialog)

/* Makes a dialog that exports a chat, the selected ones, or all but the archived ones, to a file that
 * the user chooses. @session: a chat that need not be stored; then it cannot be chosen. @selected:
 * (nullable) (element-type GadgetSession): NULL when no others are selected. Signal: "exported"
 * (GFile, the number of chats as guint), after which the dialog closes. Signal: "print" (GStrv of ids,
 * GadgetExportParts as guint), when the user wants to print instead. (transfer floating) */
AdwDialog *gadget_export_dialog_new (GadgetEngine  *engine,
                                     GadgetSession *session,
                                     GPtrArray     *selected);

G_END_DECLS
