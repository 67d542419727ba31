/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-stop-text.h"

#include "gadget-limits.h"

#include <glib/gi18n.h>

/**
 * gadget_stop_reason_get_text:
 * @reason: why a turn was aborted
 *
 * Returns: (transfer none): a translated sentence
 */
const char *
gadget_stop_reason_get_text (GadgetStopReason reason)
{
  switch (reason)
    {
    case GADGET_STOP_SIGNAL:
      return _ ("The turn was aborted by a signal.");
    case GADGET_STOP_CLOSED:
      return _ ("The turn was aborted because Gadget was closed.");
    case GADGET_STOP_DEADLINE:
      return _ ("The turn was aborted because its time limit was reached.");
    case GADGET_STOP_BUDGET:
      return _ ("The turn was aborted because its budget was used up.");
    case GADGET_STOP_INTERRUPTED:
      return _ ("Gadget was closed before this turn ended.");
    case GADGET_STOP_LENGTH: /* not aborted */
    case GADGET_STOP_NONE:
    case GADGET_STOP_USER:
    case GADGET_STOP_API:
    default:
      return _ ("The turn was aborted by you.");
    }
}

/**
 * gadget_turn_dup_stop_text:
 * @turn: a turn that was aborted
 *
 * Returns: (transfer full): a translated sentence
 */
char *
gadget_turn_dup_stop_text (GadgetTurn *turn)
{
  char *limit;

  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  limit = gadget_limits_dup_text (turn);
  return limit != NULL
             ? limit
             : g_strdup (gadget_stop_reason_get_text (gadget_turn_get_stop_reason (turn)));
}
