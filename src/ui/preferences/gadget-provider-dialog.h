/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "providers/gadget-services.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Called when a provider was added, after the dialog was closed. */
typedef void (*GadgetProviderAdded) (GtkWidget  *owner,
                                     const char *id);

/* Presents the dialog that adds a provider, above @owner. @added is (nullable). */
void gadget_provider_dialog_add         (GtkWidget            *owner,
                                         GadgetEngine         *engine,
                                         GadgetProviderAdded   added);

/* Does the same for a service that was chosen already; @service is (nullable): NULL for any other
 * server. */
void gadget_provider_dialog_add_service (GtkWidget            *owner,
                                         GadgetEngine         *engine,
                                         const GadgetService  *service,
                                         GadgetProviderAdded   added);

/* Presents the dialog that changes a provider. */
void gadget_provider_dialog_change      (GtkWidget            *owner,
                                         GadgetEngine         *engine,
                                         GadgetProviderConfig *config);

G_END_DECLS
