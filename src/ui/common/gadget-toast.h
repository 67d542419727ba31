/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Every toast of Gadget is made here: its text is never markup, because it may name a file or quote
 * an error. (transfer full) */
AdwToast *gadget_toast_new (const char *text);

/* Tells screen readers what @toast says; for a toast that gadget_toast_show() cannot show. */
void gadget_toast_announce (GtkWidget *widget, AdwToast *toast);

/* Shows @toast (transfer full), and screen readers are told its text at once. One of high priority
 * waits up to 600 ms while another still slides in or out. */
void gadget_toast_show (AdwToastOverlay *overlay, AdwToast *toast);

void gadget_toast_dismiss (AdwToast *toast);

G_END_DECLS
