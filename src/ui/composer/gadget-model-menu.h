/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_MODEL_MENU (gadget_model_menu_get_type ())
G_DECLARE_FINAL_TYPE (GadgetModelMenu, gadget_model_menu, GADGET, MODEL_MENU, GtkPopover)

/* A menu of providers and their models. Signal: "chosen" (provider, model); the model is NULL for
 * the provider's default. */
GtkWidget *gadget_model_menu_new  (void);

/* Fills the menu for a session. Each opening asks the providers for their models, which are added
 * as the answers arrive. */
void       gadget_model_menu_show (GadgetModelMenu *self,
                                   GadgetEngine    *engine,
                                   GadgetSession   *session);

G_END_DECLS
