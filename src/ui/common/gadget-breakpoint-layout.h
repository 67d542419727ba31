/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_BREAKPOINT_LAYOUT (gadget_breakpoint_layout_get_type ())
G_DECLARE_FINAL_TYPE (GadgetBreakpointLayout, gadget_breakpoint_layout, GADGET, BREAKPOINT_LAYOUT,
                      GtkLayoutManager)

/**
 * GadgetBreakpointLayout:
 *
 * Fills its widget, which may be smaller than its only child needs, with that child, and says in
 * the property `narrow` whether the widget is at most `max-width` wide. The child is expected to
 * need less then. The widget has a size request: the least that it gets.
 *
 * An #AdwBreakpointBin does the same, but unmaps its child for a frame at each change. The child
 * loses the focus by that, and keys that are pressed in that frame are lost.
 */

G_END_DECLS
