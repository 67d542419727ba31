/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "effects/gadget-turn-changes.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_EFFECTS_DIALOG (gadget_effects_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEffectsDialog, gadget_effects_dialog, GADGET, EFFECTS_DIALOG, AdwDialog)

/* Makes a dialog that lists what a turn did outside of the chat, with a row for each effect in the
 * ledger. Paths are shown relative to the folder @workspace (nullable). (transfer floating) */
AdwDialog *gadget_effects_dialog_new (GadgetSnapshotService *service,
                                      const char            *turn_id,
                                      const char            *workspace);

G_END_DECLS
