/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "providers/gadget-services.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Called when a provider was added, and the dialog is about to close. */
typedef void (*GadgetProviderAdded) (GtkWidget  *owner,
                                     const char *id);

/* Presents the dialog in which a provider is chosen and added, above @owner. */
void gadget_provider_dialog_add         (GtkWidget            *owner,
                                         GadgetEngine         *engine,
                                         GadgetProviderAdded   added);

/* The same for one service, which was chosen already; NULL for any other server. */
void gadget_provider_dialog_add_service (GtkWidget            *owner,
                                         GadgetEngine         *engine,
                                         const GadgetService  *service,
                                         GadgetProviderAdded   added);

/* Presents the dialog in which a provider is changed. */
void gadget_provider_dialog_change      (GtkWidget            *owner,
                                         GadgetEngine         *engine,
                                         GadgetProviderConfig *config);

G_END_DECLS
