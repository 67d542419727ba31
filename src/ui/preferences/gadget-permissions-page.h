/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PERMISSIONS_PAGE (gadget_permissions_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPermissionsPage, gadget_permissions_page, GADGET, PERMISSIONS_PAGE,
                      AdwPreferencesPage)

/* A page of all permission rules, each with where it applies, what it was made from and when it was
 * last used. Rules can be revoked one by one or all at once. */
AdwPreferencesPage *gadget_permissions_page_new (GadgetEngine *engine);

G_END_DECLS
