/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_COMPOSER_TOOLS (gadget_composer_tools_get_type ())
G_DECLARE_FINAL_TYPE (GadgetComposerTools, gadget_composer_tools, GADGET, COMPOSER_TOOLS, AdwBin)

/* Menu buttons for what a chat works with: its folder, its permissions and its model. Signals:
 * "model-chosen" (provider, model) and "mode-chosen" (int, a GadgetMode). */

/* Sets the chat, and opens menus. @engine is (nullable): NULL until it is open. Without a chat no
 * menu opens. */
void gadget_composer_tools_set_session (GadgetComposerTools *self,
                                        GadgetEngine        *engine,
                                        GadgetSession       *session);
void gadget_composer_tools_open_modes  (GadgetComposerTools *self);
void gadget_composer_tools_open_models (GadgetComposerTools *self);

G_END_DECLS
