/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Turns of subagents that were unfolded, by numbers from 1 on: a row of one of them has its number,
 * a row of the chat's own turns has 0. Numbers stay as long as the table. */
typedef struct _GadgetScopes GadgetScopes;

GadgetScopes  *gadget_scopes_new         (void);
void           gadget_scopes_free        (GadgetScopes  *self);

/* The number of a turn in CHILD, unfolded within the scope PARENT. */
guint          gadget_scopes_add         (GadgetScopes  *self,
                                          GadgetSession *child,
                                          GadgetTurn    *turn,
                                          guint          parent);
GadgetTurn    *gadget_scopes_get_turn    (GadgetScopes  *self,
                                          guint          scope);
GadgetSession *gadget_scopes_get_session (GadgetScopes  *self,
                                          guint          scope);

/* 0 for the chat's own turns. */
guint          gadget_scopes_get_depth   (GadgetScopes  *self,
                                          guint          scope);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetScopes, gadget_scopes_free)

G_END_DECLS
