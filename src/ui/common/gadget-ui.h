/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The resource path of the window's style sheets, templates and icons, for
 * GApplication:resource-base-path. Development builds use the same path, although their application
 * id differs. */
#define GADGET_UI_RESOURCES "/io/github/gadgetchat/Gadget"

/* Registers the resources and must be called before the first widget is made; further calls do
 * nothing. */
void gadget_ui_init (void);

G_END_DECLS
