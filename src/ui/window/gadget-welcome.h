/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_WELCOME (gadget_welcome_get_type ())
G_DECLARE_FINAL_TYPE (GadgetWelcome, gadget_welcome, GADGET, WELCOME, AdwBin)

/* The page of an empty chat: suggestions, and a notice when the keyring does not keep API keys. */
GtkWidget *gadget_welcome_new        (void);
void       gadget_welcome_set_engine (GadgetWelcome *self,
                                      GadgetEngine  *engine);
void       gadget_welcome_set_incognito (GadgetWelcome *self,
                                      gboolean       incognito);

G_END_DECLS
