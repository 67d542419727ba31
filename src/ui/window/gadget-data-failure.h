/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Makes a page that says why Gadget's data cannot be opened, and what the user can do. Its buttons
 * activate actions of the window. (transfer floating) */
GtkWidget *gadget_data_failure_new (const GError *error);

G_END_DECLS
