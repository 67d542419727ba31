/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ledger"

#include "config.h"

#include "gadget-ledger-labels.h"

#include "common/gadget-clock.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

static void
append_count (GString *text, const char *count, guint n)
{
  if (n > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", count);
}

char *
gadget_ledger_labels_dup_counts (const GadgetEffectCounts *counts)
{
  GString *text = g_string_new (NULL);
  const guint n = counts->n_effects;
  g_autofree char *files =
      g_strdup_printf (ngettext ("%'u file", "%'u files", counts->n_files), counts->n_files);
  g_autofree char *commands = g_strdup_printf (
      ngettext ("%'u command", "%'u commands", counts->n_commands), counts->n_commands);
  g_autofree char *hosts =
      g_strdup_printf (ngettext ("%'u host", "%'u hosts", counts->n_hosts), counts->n_hosts);
  g_autofree char *actions = g_strdup_printf (ngettext ("%'u action", "%'u actions", n), n);

  append_count (text, files, counts->n_files);
  append_count (text, commands, counts->n_commands);
  append_count (text, hosts, counts->n_hosts);
  if (text->len == 0)
    g_string_append (text, actions);
  return g_string_free_and_steal (text);
}

char *
gadget_ledger_labels_dup_day (gint64 ms)
{
  const int n = gadget_labels_days_between (ms, gadget_clock_wall_ms ());
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (ms / 1000);

  if (n <= 0)
    return g_strdup (_ ("Today"));
  if (n == 1)
    return g_strdup (_ ("Yesterday"));
  /* Translators: a day as a heading, for strftime; and the same with the year */
  return g_date_time_format (time, n < 300 ? _ ("%A, %-d %B") : _ ("%A, %-d %B %Y"));
}

const char *
gadget_ledger_labels_get_empty (const GadgetEffectQuery *query)
{
  if (query->kinds != 0 || query->text != NULL || query->session_id != NULL
      || query->chat_folder != NULL || query->can_undo)
    return _ ("No Results Found");
  if (query->turn_id != NULL)
    return _ ("Nothing was done for this reply.");
  if (query->since == 0)
    return _ ("Nothing was done yet.");
  if (gadget_labels_days_between (query->since, gadget_clock_wall_ms ()) == 0)
    return _ ("Nothing was done today.");
  if (gadget_labels_days_between (query->since, gadget_clock_wall_ms ()) < GADGET_LEDGER_DAYS)
    return _ ("Nothing was done in the last 7 days.");
  return _ ("Nothing was done in the last 30 days.");
}
