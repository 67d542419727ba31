/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* A page that says why Gadget's data cannot be opened, and what can be done. Its buttons are actions
 * of the window. */
GtkWidget *gadget_data_failure_new (const GError *error);

G_END_DECLS
