/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-writer.h"
#include "agent/saving/gadget-save-problem.h"
#include "session/gadget-turn-text.h"

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

char *
gadget_cli_dup_first_line (const char *text)
{
  g_autofree char *line = g_strndup (text, strcspn (text, "\n"));

  if (g_utf8_strlen (line, -1) <= 200)
    return g_steal_pointer (&line);
  *g_utf8_offset_to_pointer (line, 200) = '\0';
  return g_strconcat (line, "…", NULL);
}

char *
gadget_cli_dup_result_text (GadgetItem *item)
{
  const char *result = gadget_item_get_result (item);
  g_autofree char *summary = gadget_item_dup_plain_summary (item);
  g_autofree char *title = gadget_cli_dup_first_line (summary);
  g_autofree char *line = result != NULL ? gadget_cli_dup_first_line (result) : NULL;

  switch (gadget_item_get_status (item))
    {
    case GADGET_ITEM_FINISHED:
      return g_strdup_printf ("✓ %s", title);
    case GADGET_ITEM_FAILED:
      return g_strdup_printf ("✗ %s: %s", title, line != NULL ? line : _ ("failed"));
    case GADGET_ITEM_ABORTED:
      return g_strdup_printf (_ ("■ %s: stopped"), title);
    case GADGET_ITEM_NOT_RUN:
      return g_strdup_printf (_ ("■ %s: not run"), title);
    case GADGET_ITEM_STREAMING:
    case GADGET_ITEM_PENDING:
    case GADGET_ITEM_RUNNING:
    default:
      return g_strdup_printf ("… %s", title);
    }
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
gadget_cli_dup_unsaved_text (const GadgetCliOutcome *outcome, GadgetTurn *turn)
{
  const char *problem = gadget_save_problem_get_text (gadget_turn_get_save_problem (turn));

  /* Translators: the second is a sentence such as "The disk is full." */
  return g_strdup_printf (turn == outcome->turn
                              ? _ ("gadget-cli: This reply could not be saved. %s")
                              : _ ("gadget-cli: The reply of a subagent could not be saved. %s"),
                          problem);
}

char *
gadget_cli_dup_file_text (const GadgetCliOutcome *outcome, GadgetTurn *turn)
{
  const char *file = gadget_unsaved_turns_get_path (outcome->unsaved, turn);
  g_autofree char *text = NULL;

  if (file != NULL)
    return g_strdup_printf (
        _ ("Its text is in %s. Gadget adds it to its chat when its window is opened the next "
           "time."),
        file);
  if (turn == outcome->turn)
    return g_strdup (_ ("Its text could not be written anywhere else either; keep what is above."));
  /* The text of a subagent was not printed. */
  text = gadget_turn_dup_text (turn);
  return g_strdup_printf (
      _ ("Its text could not be written anywhere else either; keep what follows.\n%s"), text);
}
