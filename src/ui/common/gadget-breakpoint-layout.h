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
 * A layout manager for a widget with one child. The widget may be smaller than the child needs. The
 * property "narrow" tells whether the widget is at most "max-width" wide; the child is expected to
 * need less when it is. The minimum size of the widget is its size request.
 *
 * An #AdwBreakpointBin does the same, but unmaps its child for a frame at each change. By that the
 * child loses the focus, and keys that are pressed in that frame are lost.
 */

G_END_DECLS
