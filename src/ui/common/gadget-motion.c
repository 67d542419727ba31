/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-motion"

#include "config.h"

#include "gadget-motion.h"

static guint rest_ms = 10000;

static gboolean
is_waiting (GadgetTurnPhase phase)
{
  return phase == GADGET_PHASE_KEYRING || phase == GADGET_PHASE_WAITING
         || phase == GADGET_PHASE_LOADING || phase == GADGET_PHASE_COMPACTING;
}

/**
 * gadget_motion_get_left_ms:
 * @turn: a turn that goes on
 *
 * Returns: for how many milliseconds from now the animation for @turn still moves, if the turn
 * waits for its provider all that time; 0 when the animation rests
 */
guint
gadget_motion_get_left_ms (GadgetTurn *turn)
{
  gint64 waited;

  g_return_val_if_fail (GADGET_IS_TURN (turn), 0);

  if (!is_waiting (gadget_turn_get_phase (turn)))
    return rest_ms;
  waited = gadget_turn_get_now (turn) - gadget_turn_get_phase_since (turn);
  return waited < rest_ms ? (guint) (rest_ms - waited) : 0;
}

void
gadget_motion_set_rest_ms (guint ms)
{
  rest_ms = ms;
}
