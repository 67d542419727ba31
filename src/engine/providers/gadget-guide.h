/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-provider.h"

G_BEGIN_DECLS

#define GADGET_TYPE_GUIDE (gadget_guide_get_type ())
G_DECLARE_FINAL_TYPE (GadgetGuide, gadget_guide, GADGET, GUIDE, GObject)

#define GADGET_GUIDE_MODEL "guide"

/* The built-in provider: a script in this process, without a network or an account. It explains
 * Gadget and uses the real tools, so that the user can try everything, above all Stop. */
GadgetProvider *gadget_guide_new       (GadgetClock *clock);

G_END_DECLS
