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
 * Shows what a turn changed, and lets the user choose what of it is taken back, or made again when
 * all of it was taken back. It does nothing itself: "chosen" (gboolean redo, GStrv paths, GStrv
 * anyway) tells what to do; @paths is NULL for everything, @anyway are files that have changed since
 * and are to be replaced nevertheless.
 *
 * @workspace (nullable) is the folder without which paths are shown; @only (nullable) are the only
 * files of the turn that it is about.
 */
AdwDialog *gadget_undo_dialog_new          (GadgetKeeper      *keeper,
                                            const char        *turn_id,
                                            const char        *workspace,
                                            const char *const *only);

/* Why nothing can be done now; NULL when it can. */
void       gadget_undo_dialog_set_obstacle (GadgetUndoDialog  *self,
                                            const char        *text);

G_END_DECLS
