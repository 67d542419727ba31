/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Where the style sheets, templates and icons of the window are. It is the same in development
 * builds, whose application id differs: give it to GApplication:resource-base-path. */
#define GADGET_UI_RESOURCES "/io/github/gadgetchat/Gadget"

/* Makes them available. To be called before the first widget; calling it again does nothing. */
void gadget_ui_init (void);

G_END_DECLS
