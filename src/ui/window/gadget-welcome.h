/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_WELCOME (gadget_welcome_get_type ())
G_DECLARE_FINAL_TYPE (GadgetWelcome, gadget_welcome, GADGET, WELCOME, AdwBin)

/* What an empty chat shows: suggestions, and the models that are there. */
GtkWidget *gadget_welcome_new         (void);
void       gadget_welcome_set_session (GadgetWelcome *self,
                                       GadgetEngine  *engine,
                                       GadgetSession *session);

G_END_DECLS
