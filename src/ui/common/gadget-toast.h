/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* How long, in seconds, a toast stays that offers to undo what was just removed. */
#define GADGET_TOAST_UNDO_S 10

/* Makes a toast. Every toast of Gadget is made here: its text is never markup, because it may name
 * a file or quote an error. (transfer full) */
AdwToast *gadget_toast_new (const char *text);

/* Announces @toast to screen readers; for a toast that gadget_toast_show() cannot show. */
void gadget_toast_announce (GtkWidget *widget, AdwToast *toast);

/* Shows @toast (transfer full), with more than one line where the window is narrow, and announces
 * its text at once. A toast of high priority waits up to 600 ms while another one still slides in
 * or out. */
void gadget_toast_show (AdwToastOverlay *overlay, AdwToast *toast);

/* Dismisses a toast, also one that still waits to be shown. */
void gadget_toast_dismiss (AdwToast *toast);

G_END_DECLS
