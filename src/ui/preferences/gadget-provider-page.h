/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PROVIDER_PAGE (gadget_provider_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetProviderPage, gadget_provider_page, GADGET, PROVIDER_PAGE,
                      AdwNavigationPage)

/* A page to add a provider (@config is NULL) or to change one. Property: "dirty". Signals: "saved"
 * (id), "removed". */
GtkWidget *gadget_provider_page_new (GadgetEngine         *engine,
                                     GadgetProviderConfig *config);

G_END_DECLS
