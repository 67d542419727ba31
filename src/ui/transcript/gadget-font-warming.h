/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * gadget_font_warming_start:
 * @widget: that has the fonts of a transcript
 *
 * Has the fonts of answers looked for and their letters drawn while there is nothing else to do, a
 * font at a time. Otherwise all of that happens in one frame, with the first words of the first
 * answer. Once in a process, and only while @widget lives.
 */
void gadget_font_warming_start (GtkWidget *widget);

G_END_DECLS
