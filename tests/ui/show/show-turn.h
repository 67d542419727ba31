/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns and their items as they are made up for pictures. What is returned belongs to what it was
 * added to. */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

GadgetTurn *show_turn_add      (GadgetSession    *session,
                                const char       *prompt,
                                gint64            started_ago);
GadgetItem *show_turn_add_text (GadgetTurn       *turn,
                                GadgetItemKind    kind,
                                const char       *text,
                                GadgetItemStatus  status);
GadgetItem *show_turn_add_call (GadgetTurn       *turn,
                                const char       *name,
                                const char       *summary,
                                GadgetItemStatus  status,
                                const char       *output);
void        show_turn_end      (GadgetTurn       *turn,
                                GadgetTurnStatus  status,
                                GadgetStopReason  reason,
                                gint64            tokens,
                                gint64            seconds);

G_END_DECLS
