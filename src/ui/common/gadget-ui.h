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
void       gadget_ui_init              (void);

/* Makes an AdwActionRow whose title and subtitle (nullable) are plain text, not markup. (transfer
 * floating) */
GtkWidget *gadget_ui_row_new           (const char *title,
                                        const char *subtitle);

/* Tells whether a widget is in the window that was used last. */
gboolean   gadget_ui_is_in_front       (GtkWidget  *widget);

/* Lets an AdwDialog grab the focus when it has opened, besides when it begins to. A dialog that opens
 * as a sheet moves the focus on to its next widget. */
void       gadget_ui_focus_when_open   (GtkWidget  *dialog);

/* Adds a style class to a widget, or removes it. */
void       gadget_ui_set_css_class     (GtkWidget  *widget,
                                        const char *css_class,
                                        gboolean    set);

/* A get_request_mode () for widgets whose height depends on their width. */
GtkSizeRequestMode gadget_ui_get_height_for_width (GtkWidget *widget);

/* The horizontal sizes that a widget requests, in pixels. */
int        gadget_ui_get_minimum_width (GtkWidget  *widget);
int        gadget_ui_get_natural_width (GtkWidget  *widget);

G_END_DECLS
