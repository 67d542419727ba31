/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "gadget-find-bar.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_CHAT (gadget_chat_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChat, gadget_chat, GADGET, CHAT, GtkBox)

/* One chat: the transcript (or the welcome page of an empty chat) with the composer under it. It
 * sends and stops. Property "narrow"; signal "open-session" (GadgetSession) asks the window to show
 * another chat. The engine is set once, when it is open, and before a session. */
void           gadget_chat_set_clock      (GadgetChat      *self,
                                           GadgetClock     *clock);
void           gadget_chat_set_bus        (GadgetChat      *self,
                                           GDBusConnection *bus);
void           gadget_chat_set_engine     (GadgetChat      *self,
                                           GadgetEngine    *engine);
void           gadget_chat_set_failure    (GadgetChat      *self,
                                           const GError      *error);
void           gadget_chat_set_session    (GadgetChat      *self,
                                           GadgetSession   *session);
void           gadget_chat_add_toast      (GadgetChat      *self,
                                           AdwToast        *toast);
/* Shows a toast with a text. */
void           gadget_chat_show_toast     (GadgetChat      *self,
                                           const char      *text);
GtkWidget     *gadget_chat_get_toasts     (GadgetChat      *self);
/* While a page covers the chat, its toasts are shown in @toasts; NULL when none does. */
void           gadget_chat_set_cover      (GadgetChat      *self,
                                           AdwToastOverlay *toasts);

/* The window decides what keys mean; these do it. gadget_chat_press_escape() returns whether Esc
 * was used. */
gboolean       gadget_chat_press_escape   (GadgetChat      *self);
void           gadget_chat_release_escape (GadgetChat      *self);
gboolean       gadget_chat_stop           (GadgetChat      *self);
void           gadget_chat_stop_all       (GadgetChat      *self);
void           gadget_chat_focus          (GadgetChat      *self);
gboolean       gadget_chat_is_empty       (GadgetChat      *self);
gboolean       gadget_chat_focus_ask      (GadgetChat      *self);
void           gadget_chat_open_models    (GadgetChat      *self);
/* Empties the composer. */
void           gadget_chat_keep_draft      (GadgetChat         *self,
                                            GadgetSession      *session);
void           gadget_chat_discard_drafts (GadgetChat      *self);
void           gadget_chat_copy_last_answer (GadgetChat   *self);
void           gadget_chat_go_to_turn     (GadgetChat      *self,
                                           int              direction);
void           gadget_chat_show_turn      (GadgetChat      *self,
                                           const char      *turn_id,
                                           const char      *call_id);

/* Undoes or redoes what a call of a turn of any chat changed; asks if the files have changed since.
 */
void           gadget_chat_undo_call      (GadgetChat      *self,
                                           GadgetSession   *session,
                                           const char      *turn_id,
                                           const char      *call_turn_id,
                                           const char      *call_id,
                                           gboolean         redo);

/* The bar in which text of the chat is found. (transfer none) */
GadgetFindBar *gadget_chat_get_find_bar   (GadgetChat      *self);

G_END_DECLS
