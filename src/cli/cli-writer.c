/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-writer.h"

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

static char *
count_kind (GadgetReceiptKind kind, guint n)
{
  switch (kind)
    {
    case GADGET_RECEIPT_CONNECTION:
      return g_strdup_printf (ngettext ("%u connection", "%u connections", n), n);
    case GADGET_RECEIPT_PROCESS:
      return g_strdup_printf (ngettext ("%u command", "%u commands", n), n);
    case GADGET_RECEIPT_SUBAGENT:
      return g_strdup_printf (ngettext ("%u subagent", "%u subagents", n), n);
    case GADGET_RECEIPT_QUESTION:
      return g_strdup_printf (ngettext ("%u question", "%u questions", n), n);
    case GADGET_RECEIPT_MCP:
    case GADGET_RECEIPT_TOOL:
    default:
      return g_strdup_printf (ngettext ("%u tool", "%u tools", n), n);
    }
}

/**
 * gadget_cli_dup_receipt_text:
 */
char *
gadget_cli_dup_receipt_text (GadgetReceipt *receipt)
{
  guint counts[GADGET_RECEIPT_MCP + 1] = { 0 };
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;
  g_autofree char *joined = NULL;

  if (gadget_receipt_get_n_lines (receipt) == 0)
    return NULL;
  for (guint i = 0; i < gadget_receipt_get_n_lines (receipt); i++)
    counts[gadget_receipt_get_line (receipt, i)->kind]++;
  for (guint kind = 0; kind < G_N_ELEMENTS (counts); kind++)
    if (counts[kind] > 0)
      g_strv_builder_take (parts, count_kind ((GadgetReceiptKind) kind, counts[kind]));
  list = g_strv_builder_end (parts);
  joined = g_strjoinv (", ", list);
  /* Translators: the first is a number of milliseconds, the second a list such as "1 connection,
   * 2 commands". */
  return g_strdup_printf (_ ("stopped in %.0f ms: %s"), gadget_receipt_get_total_ms (receipt),
                          joined);
}
