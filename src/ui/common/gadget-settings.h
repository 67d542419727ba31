/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-limits.h"

G_BEGIN_DECLS

/* The application's settings; NULL without their schema (a program run from an unusual place). */
GSettings    *gadget_settings_new        (void);

/* The limits that the user set for turns. */
GadgetLimits  gadget_settings_get_limits (GSettings *settings);

G_END_DECLS
