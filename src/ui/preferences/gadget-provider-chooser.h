/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "providers/gadget-local-servers.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PROVIDER_CHOOSER (gadget_provider_chooser_get_type ())
G_DECLARE_FINAL_TYPE (GadgetProviderChooser, gadget_provider_chooser, GADGET, PROVIDER_CHOOSER, GtkBox)

/**
 * GadgetProviderChooser:
 *
 * Who may answer: the servers that run on this computer, the services that take a key, and perhaps
 * the Guide. Signals: "chosen" (id), when there is a provider to use; "service" (const
 * GadgetService *), when a key has to be entered for one, with %NULL for any other server.
 */
void gadget_provider_chooser_set_engine (GadgetProviderChooser *self,
                                         GadgetEngine          *engine);
void gadget_provider_chooser_show_guide (GadgetProviderChooser *self);

/* Looks for the servers again, in the usual places or in others (static; NULL for the usual). */
void gadget_provider_chooser_search     (GadgetProviderChooser        *self,
                                         const GadgetLocalServerPlace *places);

G_END_DECLS
