/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-provider.h"

G_BEGIN_DECLS

#define GADGET_TYPE_GUIDE (gadget_guide_get_type ())
G_DECLARE_FINAL_TYPE (GadgetGuide, gadget_guide, GADGET, GUIDE, GObject)

#define GADGET_GUIDE_MODEL "guide"

/* The provider that is built in: a script, in this process, with no network and no account. It
 * explains Gadget and uses the real tools, so that everything can be tried, Stop above all. */
GadgetProvider *gadget_guide_new       (GadgetClock *clock);

G_END_DECLS
