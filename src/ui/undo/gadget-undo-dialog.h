/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "effects/gadget-undo.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_UNDO_DIALOG (gadget_undo_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUndoDialog, gadget_undo_dialog, GADGET, UNDO_DIALOG, AdwDialog)

/**
 * GadgetUndoDialog:
 *
 * Lists the file changes of a turn, and lets the user choose which to undo; or to redo, when all of
 * them are undone. The dialog changes no files itself: the signal "chosen" (gboolean redo, GStrv
 * paths, GStrv anyway) tells what to do. @paths is NULL for everything; @anyway are files that have
 * changed since and are to be overwritten nevertheless.
 *
 * Paths are shown relative to the folder @workspace (nullable); @only (nullable) are the only files
 * of the turn to show.
 */
AdwDialog *gadget_undo_dialog_new          (GadgetSnapshotService *service,
                                            const char            *turn_id,
                                            const char            *workspace,
                                            const char     *const *only);

/* Says why nothing can be done now, in @text; NULL when it can. */
void       gadget_undo_dialog_set_obstacle (GadgetUndoDialog      *self,
                                            const char            *text);

G_END_DECLS
