/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_STORAGE_PAGE (gadget_storage_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetStoragePage, gadget_storage_page, GADGET, STORAGE_PAGE,
                      AdwPreferencesPage)

/* How much the data takes, and its backups. Restoring one activates "win.start-again",
 * deleting everything "win.start-empty". */
AdwPreferencesPage *gadget_storage_page_new (GadgetEngine *engine);

G_END_DECLS
