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
 * What can be done with a turn that has ended: two quiet buttons at its foot, and a menu of the rest.
 * Where there is little room all is in the menu.
 */
GtkWidget  *gadget_turn_actions_new       (GadgetTurn        *turn);
void        gadget_turn_actions_set_shown (GadgetTurnActions *self,
                                           gboolean           shown);
void        gadget_turn_actions_set_narrow (GadgetTurnActions *self,
                                           gboolean           narrow);

/* The same as a menu, which says why most of it cannot be chosen while a reply is being written in
 * the turn's chat. PROVIDERS (nullable) are those whose models the reply can be asked for again.
 * (transfer full) */
GMenuModel *gadget_turn_actions_menu_new  (GadgetSession     *session,
                                           GadgetTurn        *turn,
                                           GListModel        *providers);

/* What the model answered in this turn, in Markdown as it was written; NULL when it said nothing.
 * (transfer full) (nullable) */
char       *gadget_turn_actions_dup_answer (GadgetTurn       *turn);

G_END_DECLS
