/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/shell/gadget-commands.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Fills @row with the folders below the home folder that commands can see, and follows their
 * changes. Each can be switched off and on, and others can be added. */
void gadget_tool_folders_show (AdwExpanderRow *row,
                               GadgetCommands *commands);

G_END_DECLS
