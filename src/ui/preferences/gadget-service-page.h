/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "providers/gadget-services.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SERVICE_PAGE (gadget_service_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetServicePage, gadget_service_page, GADGET, SERVICE_PAGE, AdwNavigationPage)

/**
 * GadgetServicePage:
 *
 * A page in which the key of a service is entered, tested and added. Property: "dirty": something
 * was entered that is not added. Signals: "added" (id of the provider): it is in the list, but the
 * page may still ask about a locked keyring; "done": nothing is left to do after that; "other"
 * (const GadgetService *, key): the key is to be added to another service.
 */
GtkWidget *gadget_service_page_new     (GadgetEngine        *engine,
                                        const GadgetService *service);

/* Enters a key and tests it. */
void       gadget_service_page_set_key (GadgetServicePage   *self,
                                        const char          *key);

G_END_DECLS
