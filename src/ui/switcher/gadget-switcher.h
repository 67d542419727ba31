/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SWITCHER (gadget_switcher_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSwitcher, gadget_switcher, GADGET, SWITCHER, AdwDialog)

/* The quick way to a chat, an action or a setting. Signals, emitted when the dialog has closed:
 * "open-session" (GadgetSession), "activate" (detailed name of an action), and "search" (text) for
 * the search over all chats. */
GtkWidget *gadget_switcher_new (GadgetEngine *engine);

G_END_DECLS
