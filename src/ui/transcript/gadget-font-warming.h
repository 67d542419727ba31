/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * gadget_font_warming_start:
 * @widget: a widget with the fonts of a transcript
 *
 * Loads the fonts of responses and draws their letters while the main loop is idle, one font at a
 * time. Without this, all of that work falls into one frame, the one with the first words of the
 * first response. Only the first call in a process has an effect, and the work ends when @widget is
 * finalized.
 */
void gadget_font_warming_start (GtkWidget *widget);

G_END_DECLS
