/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_MODE_MENU (gadget_mode_menu_get_type ())
G_DECLARE_FINAL_TYPE (GadgetModeMenu, gadget_mode_menu, GADGET, MODE_MENU, GtkPopover)

/* A menu of what a chat's agent may do without asking. Signal: "chosen" (int mode). */
GtkWidget *gadget_mode_menu_new  (void);

/* Marks @mode as the current one. */
void       gadget_mode_menu_show (GadgetModeMenu *self,
                                  GadgetMode      mode);

G_END_DECLS
