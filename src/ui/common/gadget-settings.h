/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-limits.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns the application's settings; NULL when their schema is not installed, as when the program
 * runs from an unusual place. */
GSettings    *gadget_settings_new        (void);

/* Returns the limits that the user set for turns. */
GadgetLimits  gadget_settings_get_limits (GSettings *settings);

/* How new chats begin: what they may do without asking, and the folder they work in (NULL: that of
 * the chat before). */
GadgetMode    gadget_settings_get_mode   (GSettings *settings);
char         *gadget_settings_dup_folder (GSettings *settings);
void          gadget_settings_set_folder (GSettings  *settings,
                                          const char *path);

/* Lets the application's color scheme follow its setting. */
void          gadget_settings_bind_style (GSettings *settings);

G_END_DECLS
