/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "ui/transcript/model/gadget-row-kind.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_WINDOW (gadget_window_get_type ())
G_DECLARE_FINAL_TYPE (GadgetWindow, gadget_window, GADGET, WINDOW, AdwApplicationWindow)

/* A window. It is shown before there is an engine, and gets the engine when that is open; see the
 * source for its keys. Signals: "start-again" when the program is to leave and be started anew, and
 * "quit" when it is to leave. */
GadgetWindow  *gadget_window_new          (GtkApplication  *application);
GadgetWindow  *gadget_window_new_beside   (GadgetWindow    *self,
                                           GadgetSession   *session);
void           gadget_window_set_clock    (GadgetWindow    *self,
                                           GadgetClock     *clock);
void           gadget_window_set_bus      (GadgetWindow    *self,
                                           GDBusConnection *bus);
void           gadget_window_set_engine   (GadgetWindow    *self,
                                           GadgetEngine    *engine);
void           gadget_window_set_failure  (GadgetWindow    *self,
                                           const GError    *error);

/* Tells whether the window has neither an engine nor the reason why there is none. */
gboolean       gadget_window_is_waiting   (GadgetWindow    *self);

/* Show a chat, or a new one, and return the one that is shown. (transfer none) (nullable): there is
 * none before the engine is set. */
void           gadget_window_open_session (GadgetWindow    *self,
                                           GadgetSession   *session);
void           gadget_window_new_chat     (GadgetWindow    *self);
GadgetSession *gadget_window_get_session  (GadgetWindow    *self);

/* Shows a chat with the find bar open, for @query, and the match at a place of the chat as the
 * current one: see gadget_transcript_find_place (). */
void           gadget_window_find         (GadgetWindow    *self,
                                           GadgetSession   *session,
                                           const char      *query,
                                           const char      *turn_id,
                                           int              item,
                                           GadgetRowText    text,
                                           gsize            offset);

/* Saves what the next window and the next start need; to be called before the window is closed. */
void           gadget_window_save_state   (GadgetWindow    *self,
                                           GadgetStopReason reason);

G_END_DECLS
