/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ESCAPE (gadget_escape_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEscape, gadget_escape, GADGET, ESCAPE, GObject)

/* How long the first Esc waits for the second, in milliseconds. */
#define GADGET_ESCAPE_WINDOW_MS 3000

/* The logic of Esc Esc, without a widget. Signals: "armed" (the first press), "disarmed" (the first
 * press is cancelled: the time is over, the work ended, or its toast was dismissed) and "abort"
 * (the second press). */
GadgetEscape *gadget_escape_new        (GadgetClock  *clock);
void          gadget_escape_set_active (GadgetEscape *self,
                                        gboolean      active);
gboolean      gadget_escape_is_armed   (GadgetEscape *self);
gboolean      gadget_escape_press      (GadgetEscape *self);
void          gadget_escape_hold       (GadgetEscape *self);
void          gadget_escape_release    (GadgetEscape *self);
void          gadget_escape_disarm     (GadgetEscape *self);

G_END_DECLS
