/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-turn-environment.h"
#include "session/gadget-session.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/* Called when SESSION has got a new title, which is to be saved, with a NULL ERROR; or when none was
 * made. Not called when the request was stopped. */
typedef void (*GadgetTitleFunc) (GadgetSession *session, const GError *error, gpointer user_data);

char      *_gadget_title_from_prompt (const char         *prompt);
char      *_gadget_title_from_turn   (GadgetTurn         *turn);
char      *_gadget_title_clean       (const char         *answer);
gboolean   _gadget_title_is_wanted   (GadgetSession      *session);
/* Returns whether the chat can be named after the turn. */
gboolean   _gadget_title_can_name    (GadgetTurn         *turn);
/* (transfer none) (nullable): the first turn that the chat can be named after */
GadgetTurn *_gadget_title_find_turn  (GadgetSession      *session);

/* Starts the run that asks the model for a title of SESSION, and registers it. The run keeps itself
 * alive; DESTROY (nullable) frees USER_DATA when the run ends. The turns of a session that is not
 * loaded are read from STORE, which is NULL for one that is. With AGAIN the user has asked for the
 * title. */
void       _gadget_title_start       (GadgetTurnEnvironment *environment,
                                      GadgetStore        *store,
                                      GadgetSession      *session,
                                      gboolean            again,
                                      GadgetTitleFunc     func,
                                      gpointer            user_data,
                                      GDestroyNotify      destroy);

G_END_DECLS
