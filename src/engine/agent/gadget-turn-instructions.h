/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-turn-environment.h"
#include "gadget-turn-options.h"

G_BEGIN_DECLS

/* Finds out what the model of a turn is told about the chat's folder, and sets it on the session:
 * its state, and its instructions if these are allowed. That may ask the user. After an abort it
 * returns soon; the caller has to check for that. */
void _gadget_turn_instructions_async  (GadgetTurnEnvironment   *environment,
                                       GadgetRun               *run,
                                       GadgetSession           *session,
                                       GadgetTurn              *turn,
                                       const GadgetTurnOptions *options,
                                       GAsyncReadyCallback      callback,
                                       gpointer                 user_data);
void _gadget_turn_instructions_finish (GAsyncResult            *result);

G_END_DECLS
