/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what a turn did that is not taken back. */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* What did more than change files, or did it where nothing is recorded: rows without a choice. */
void _gadget_undo_effects_add (AdwPreferencesPage *page,
                               GPtrArray          *effects,
                               const char         *workspace);

G_END_DECLS
