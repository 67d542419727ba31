/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SHORTCUTS (gadget_shortcuts_get_type ())
G_DECLARE_FINAL_TYPE (GadgetShortcuts, gadget_shortcuts, GADGET, SHORTCUTS, AdwDialog)

/* Makes the dialog that lists the keyboard shortcuts. (transfer floating) */
GtkWidget *gadget_shortcuts_new (void);

G_END_DECLS
