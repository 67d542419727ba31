/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-limits"

#include "config.h"

#include "gadget-limits.h"

#include "session/gadget-limit.h"

#include <glib/gi18n-lib.h>

/**
 * gadget_limits_dup_text:
 *
 * Returns: (transfer full) (nullable): a translated sentence; %NULL if no limit ended the turn
 */
char *
gadget_limits_dup_text (GadgetTurn *turn)
{
  const char *code;
  const char *detail;

  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  code = gadget_turn_get_error_code (turn);
  detail = gadget_turn_get_error_detail (turn);
  if (gadget_turn_get_status (turn) != GADGET_TURN_ABORTED || detail == NULL)
    return NULL;
  for (guint i = 0; i < GADGET_N_LIMITS; i++)
    if (g_strcmp0 (code, gadget_limit_get_code ((GadgetLimit) i)) == 0)
      {
        g_autofree char *amount =
            gadget_limit_dup_text ((GadgetLimit) i, g_ascii_strtoll (detail, NULL, 10));

        /* Translators: what the limit is follows: "20 steps", "10 minutes" */
        return g_strdup_printf (_ ("The turn was aborted at its limit: %s."), amount);
      }
  return NULL;
}
