/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-writer.h"
#include "agent/saving/gadget-save-problem.h"

G_DEFINE_INTERFACE (GadgetCliWriter, gadget_cli_writer, G_TYPE_OBJECT)

static void
gadget_cli_writer_default_init (GadgetCliWriterInterface *iface)
{
}

void
gadget_cli_writer_started (GadgetCliWriter *self, const char *session_id, const char *turn_id,
                           const char *run_id)
{
  GADGET_CLI_WRITER_GET_IFACE (self)->started (self, session_id, turn_id, run_id);
}

void
gadget_cli_writer_event (GadgetCliWriter *self, const GadgetTurnEvent *event)
{
  GADGET_CLI_WRITER_GET_IFACE (self)->event (self, event);
}

void
gadget_cli_writer_completed (GadgetCliWriter *self, const GadgetCliOutcome *outcome)
{
  GADGET_CLI_WRITER_GET_IFACE (self)->completed (self, outcome);
}

/**
 * gadget_cli_dup_receipt_text:
 *
 * Returns: (transfer full) (nullable): a text such as "stopped in 12 ms: 1 connection, 2 commands";
 *   %NULL when nothing was stopped
 */
char *
gadget_cli_dup_receipt_text (GadgetReceipt *receipt)
{
  g_autofree char *counts = gadget_receipt_dup_counts (receipt);

  if (*counts == '\0')
    return NULL;
  /* Translators: the first is a number of milliseconds, the second a list such as "1 connection,
   * 2 commands". */
  return g_strdup_printf (_ ("stopped in %.0f ms: %s"), gadget_receipt_get_total_ms (receipt),
                          counts);
}

char *
gadget_cli_dup_unsaved_text (const GadgetCliOutcome *outcome)
{
  const GadgetSaveProblem problem = gadget_turn_get_saved (outcome->turn)
                                        ? GADGET_SAVE_FAILED
                                        : gadget_turn_get_save_problem (outcome->turn);

  /* Translators: the second is a sentence such as "The disk is full." */
  return g_strdup_printf (_ ("gadget-cli: This reply could not be saved. %s"),
                          gadget_save_problem_get_text (problem));
}

char *
gadget_cli_dup_file_text (const GadgetCliOutcome *outcome)
{
  if (outcome->file == NULL)
    return g_strdup (_ ("Its text could not be written anywhere else either; keep what is above."));
  return g_strdup_printf (
      _ ("Its text is in %s. Gadget adds it to its chat when its window is opened the next time."),
      outcome->file);
}
