/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-limits.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The application's settings; NULL without their schema (a program run from an unusual place). */
GSettings    *gadget_settings_new        (void);

/* The limits that the user set for turns. */
GadgetLimits  gadget_settings_get_limits (GSettings *settings);

/* How new chats begin: what they may do without asking, and where (NULL: where the one before is). */
GadgetMode    gadget_settings_get_mode   (GSettings *settings);
char         *gadget_settings_dup_folder (GSettings *settings);

/* The style of the application follows its setting from now on. */
void          gadget_settings_bind_style (GSettings *settings);

G_END_DECLS
