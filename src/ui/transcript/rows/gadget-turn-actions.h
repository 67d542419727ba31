/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TURN_ACTIONS (gadget_turn_actions_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurnActions, gadget_turn_actions, GADGET, TURN_ACTIONS, GtkWidget)

/**
 * GadgetTurnActions:
 *
 * The actions for a turn that has ended: two buttons at its end, and a menu of the others. Where
 * there is little room, all of them are in the menu.
 */
GtkWidget  *gadget_turn_actions_new        (GadgetTurn        *turn);

/* Sets whether the buttons are visible without the pointer, and whether there is room for the menu
 * button only. */
void        gadget_turn_actions_set_shown  (GadgetTurnActions *self,
                                            gboolean           shown);
void        gadget_turn_actions_set_narrow (GadgetTurnActions *self,
                                            gboolean           narrow);

/* Makes a menu of all actions of a turn. While a response is being written in the chat, a heading
 * says why most of them are insensitive. PROVIDERS (nullable) are those whose models a new response
 * can be requested from. (transfer full) */
GMenuModel *gadget_turn_actions_menu_new   (GadgetSession     *session,
                                            GadgetTurn        *turn,
                                            GListModel        *providers);

/* Returns the model's response in this turn as Markdown source; NULL when there is none. (transfer
 * full) (nullable) */
char       *gadget_turn_actions_dup_answer (GadgetTurn        *turn);

G_END_DECLS
