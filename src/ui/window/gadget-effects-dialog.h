/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "effects/gadget-turn-changes.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_EFFECTS_DIALOG (gadget_effects_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEffectsDialog, gadget_effects_dialog, GADGET, EFFECTS_DIALOG, AdwDialog)

/* What a turn did outside of the chat, a row for each effect in the ledger. @workspace (nullable) is
 * the folder without which paths are shown. */
AdwDialog *gadget_effects_dialog_new (GadgetKeeper *keeper,
                                      const char   *turn_id,
                                      const char   *workspace);

/* What Save As does when a file was chosen. */
void       gadget_effects_dialog_save (GadgetEffectsDialog *self,
                                       GFile               *file);

G_END_DECLS
