/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_WINDOW (gadget_window_get_type ())
G_DECLARE_FINAL_TYPE (GadgetWindow, gadget_window, GADGET, WINDOW, AdwApplicationWindow)

/* The window. It is shown before there is an engine, and gets it when it is open. Emits "start-again"
 * when the program is to be left and started anew, and "quit" when it is to be left. */
GadgetWindow  *gadget_window_new          (GtkApplication  *application);
void           gadget_window_set_clock    (GadgetWindow    *self,
                                           GadgetClock     *clock);
void           gadget_window_set_bus      (GadgetWindow    *self,
                                           GDBusConnection *bus);
void           gadget_window_set_engine   (GadgetWindow    *self,
                                           GadgetEngine    *engine);
void           gadget_window_set_failure  (GadgetWindow    *self,
                                           const GError    *error);

/* Shows a chat, or a new one. */
void           gadget_window_open_session (GadgetWindow    *self,
                                           GadgetSession   *session);
void           gadget_window_new_chat     (GadgetWindow    *self);
GadgetSession *gadget_window_get_session  (GadgetWindow    *self);

void           gadget_window_settle       (GadgetWindow    *self,
                                           GadgetStopReason reason);

G_END_DECLS
