/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what a turn did that cannot be undone. */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Adds rows, without a choice, for effects beyond files (commands, network, MCP tools) and for file
 * changes that were not recorded. @effects: (element-type GadgetEffectRow); paths are relative to
 * @workspace (nullable). */
void _gadget_undo_effects_add (AdwPreferencesPage *page,
                               GPtrArray          *effects,
                               const char         *workspace);

G_END_DECLS
