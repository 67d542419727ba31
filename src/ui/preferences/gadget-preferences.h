/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PREFERENCES (gadget_preferences_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPreferences, gadget_preferences, GADGET, PREFERENCES,
                      AdwPreferencesDialog)

/* Makes the preferences dialog. The engine must be open. (transfer floating) */
GtkWidget *gadget_preferences_new (GadgetEngine *engine);

G_END_DECLS
