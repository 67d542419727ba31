/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_COMPOSER_TOOLS (gadget_composer_tools_get_type ())
G_DECLARE_FINAL_TYPE (GadgetComposerTools, gadget_composer_tools, GADGET, COMPOSER_TOOLS, AdwBin)

/* What a chat works with, as menu buttons: its folder, what it may do unasked, its model. Signals:
 * "model-chosen" (provider, model) and "mode-chosen" (GadgetMode). ENGINE is NULL until it is open. */
void gadget_composer_tools_set_session (GadgetComposerTools *self,
                                        GadgetEngine        *engine,
                                        GadgetSession       *session);
void gadget_composer_tools_open_modes  (GadgetComposerTools *self);
void gadget_composer_tools_open_models (GadgetComposerTools *self);

G_END_DECLS
