/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-receipt-text"

#include "config.h"

#include "gadget-receipt-text.h"

#include "agent/gadget-stop-text.h"
#include "common/gadget-bidi.h"
#include "ui/common/gadget-duration.h"

#include <glib/gi18n.h>

char *
_gadget_receipt_dup_summary (GadgetReceipt *receipt)
{
  g_autofree char *time = gadget_dup_fine_duration (gadget_receipt_get_total_ms (receipt));
  g_autofree char *counts = gadget_receipt_dup_counts (receipt);
  g_autofree char *stopped = NULL;

  if (gadget_receipt_get_total_ms (receipt) <= 0)
    return NULL;
  /* Translators: %s is a time */
  stopped = g_strdup_printf (_ ("Stopped in %s"), time);
  return *counts != '\0' ? g_strconcat (stopped, " · ", counts, NULL) : g_steal_pointer (&stopped);
}

static char *
describe_process (const GadgetReceiptLine *line)
{
  const gboolean killed = g_strcmp0 (line->outcome, "killed") == 0;

  if (line->count == 0)
    return g_strdup_printf (killed ? _ ("Command \u2068%s\u2069 killed")
                                   : _ ("Command \u2068%s\u2069 ended"),
                            line->name);
  return g_strdup_printf (
      killed ? ngettext ("Command \u2068%s\u2069 killed, with %u child process",
                         "Command \u2068%s\u2069 killed, with %u child processes", line->count)
             : ngettext ("Command \u2068%s\u2069 ended, with %u child process",
                         "Command \u2068%s\u2069 ended, with %u child processes", line->count),
      line->name, line->count);
}

static char *
describe_connection (const GadgetReceiptLine *line)
{
  g_autofree char *sent = g_format_size (line->sent);
  g_autofree char *size = g_format_size (line->size);

  if (line->size == 0)
    return g_strdup_printf (_ ("Connection to %s closed"), line->name);
  /* Translators: a server, and two sizes of data, such as 64 kB and 1.2 MB */
  return g_strdup_printf (_ ("Connection to %1$s reset, after %2$s of %3$s had been sent"),
                          line->name, sent, size);
}

static char *
describe_line (const GadgetReceiptLine *line)
{
  if (g_strcmp0 (line->outcome, "stopped-waiting") == 0)
    return g_strdup_printf (_ ("No longer waited for “%s”; it may go on"), line->name);

  switch (line->kind)
    {
    case GADGET_RECEIPT_CONNECTION:
      return describe_connection (line);
    case GADGET_RECEIPT_PROCESS:
      return describe_process (line);
    case GADGET_RECEIPT_SUBAGENT:
      return g_strdup_printf (_ ("Subagent “%s” stopped"), line->name);
    case GADGET_RECEIPT_QUESTION:
      return g_strdup_printf (_ ("Question “%s” dismissed"), line->name);
    case GADGET_RECEIPT_KEYRING:
      return g_strdup_printf (_ ("Wait for the key of %s ended"), line->name);
    case GADGET_RECEIPT_RETRY:
      return g_strdup_printf (_ ("Wait before another request to %s ended"), line->name);
    case GADGET_RECEIPT_REPLY:
      return g_strdup_printf (_ ("Reply of %s stopped"), line->name);
    case GADGET_RECEIPT_TOOL:
    case GADGET_RECEIPT_MCP:
    default:
      return g_strdup_printf (_ ("Tool \u2068%s\u2069 stopped"), line->name);
    }
}

/* A model may have chosen the name (a command or a question), so characters that reorder it are
 * written out. */
char *
_gadget_receipt_dup_line (const GadgetReceiptLine *line)
{
  g_autofree char *name = line->name != NULL ? gadget_bidi_escape (line->name) : NULL;
  GadgetReceiptLine ordered = *line;

  ordered.name = name;
  return describe_line (&ordered);
}

char *
gadget_receipt_dup_sentence (GadgetTurn *turn)
{
  g_autofree char *title = gadget_turn_dup_stop_text (turn);
  g_autofree char *time = NULL;
  g_autofree char *counts = NULL;
  GadgetReceipt *receipt;

  g_return_val_if_fail (title != NULL, NULL);

  receipt = gadget_turn_get_receipt (turn);
  if (gadget_receipt_get_n_lines (receipt) == 0)
    return g_steal_pointer (&title);
  time = gadget_dup_fine_duration (gadget_receipt_get_total_ms (receipt));
  counts = gadget_receipt_dup_counts (receipt);
  /* Translators: said by a screen reader. A sentence, such as "The turn was aborted by you.", then
   * a time, and what was stopped: "1 connection, 2 commands" */
  return g_strdup_printf (_ ("%s Stopped in %s: %s."), title, time, counts);
}
