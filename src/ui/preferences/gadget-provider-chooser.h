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
 * A box to choose a provider from: the servers that run on this computer, the services that need a
 * key, and, after gadget_provider_chooser_show_guide(), the Guide. Signals: "chosen" (id): a
 * provider to use; "service" (const GadgetService *): a key is needed for this service, or with
 * %NULL for any other server.
 */
void gadget_provider_chooser_set_engine (GadgetProviderChooser *self,
                                         GadgetEngine          *engine);
void gadget_provider_chooser_show_guide (GadgetProviderChooser *self);

/* Searches for local servers again: in the usual places, or in others (static; for tests). */
void gadget_provider_chooser_search     (GadgetProviderChooser        *self,
                                         const GadgetLocalServerPlace *places);

G_END_DECLS
