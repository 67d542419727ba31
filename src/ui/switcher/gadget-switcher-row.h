/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-switcher-entries.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SWITCHER_ROW (gadget_switcher_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSwitcherRow, gadget_switcher_row, GADGET, SWITCHER_ROW, GtkListBoxRow)

/* A row of the switcher, which takes the entry (transfer full). @words are marked in its title. */
GtkWidget                 *gadget_switcher_row_new       (GadgetSwitcherEntry *entry,
                                                          const char          *text,
                                                          gboolean             narrow);
const GadgetSwitcherEntry *gadget_switcher_row_get_entry (GadgetSwitcherRow   *self);

G_END_DECLS
