/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PROVIDER_PAGE (gadget_provider_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetProviderPage, gadget_provider_page, GADGET, PROVIDER_PAGE,
                      AdwNavigationPage)

/* One provider, to be added (CONFIG is NULL) or changed. Property: "dirty". Signal: "done" (id), with
 * NULL when it was removed. */
GtkWidget *gadget_provider_page_new (GadgetEngine         *engine,
                                     GadgetProviderConfig *config);

G_END_DECLS
