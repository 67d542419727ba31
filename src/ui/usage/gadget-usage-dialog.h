/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_USAGE_DIALOG (gadget_usage_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUsageDialog, gadget_usage_dialog, GADGET, USAGE_DIALOG, AdwDialog)

/* Makes a dialog that shows the tokens, the money and the time that models used. It follows what is
 * used while it is open. (transfer floating) */
AdwDialog *gadget_usage_dialog_new (GadgetEngine *engine);

G_END_DECLS
