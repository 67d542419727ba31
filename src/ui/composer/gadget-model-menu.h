/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_MODEL_MENU (gadget_model_menu_get_type ())
G_DECLARE_FINAL_TYPE (GadgetModelMenu, gadget_model_menu, GADGET, MODEL_MENU, GtkPopover)

/* Providers and their models to choose from. Signal: "chosen" (provider, model, which is NULL for
 * the provider's own). */
GtkWidget *gadget_model_menu_new  (void);

/* Fills it for a session. The models of a provider are asked for each time it is opened, and come
 * in when they come. */
void       gadget_model_menu_show (GadgetModelMenu *self,
                                   GadgetEngine    *engine,
                                   GadgetSession   *session);

G_END_DECLS
