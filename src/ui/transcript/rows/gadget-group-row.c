/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The line that stands for the calls of one step: how many there are, and how many are running,
 * waiting, failed and so on. The range of its row data is their item numbers in the turn. */

#define G_LOG_DOMAIN "gadget-group-row"

#include "config.h"

#include "gadget-group-row.h"

#include "ui/text/gadget-line.h"
#include "ui/transcript/model/gadget-diff.h"

#include "ui/common/gadget-duration.h"

#include <glib/gi18n.h>

struct _GadgetGroupRow
{
  GadgetRow parent_instance;

  GadgetLine *line;
  guint n_watched; /* how many calls are connected, from the first one on */
};

G_DEFINE_FINAL_TYPE (GadgetGroupRow, gadget_group_row, GADGET_TYPE_ROW)

/* The counts, sums and times of all calls of the group. */
typedef struct
{
  guint n;
  guint n_running;
  guint n_asking;
  guint n_failed;
  guint n_aborted;
  guint n_not_run;
  guint n_added;
  guint n_removed;
  gint64 started; /* when the first of them began; 0 when that is not known */
  gint64 ended;   /* when the last of them ended */
} CallTotals;

static guint
get_end (GadgetRowData *data)
{
  return MIN ((guint) gadget_row_data_get_end (data),
              gadget_turn_get_n_items (gadget_row_data_get_turn (data)));
}

static void
add_item (CallTotals *sum, GadgetItem *item)
{
  const GadgetItemStatus status = gadget_item_get_status (item);
  const gint64 started = gadget_item_get_started_at (item);
  const char *summary = gadget_item_get_summary (item);
  guint n_added = 0;
  guint n_removed = 0;
  gsize length;

  sum->n++;
  sum->n_running += status == GADGET_ITEM_RUNNING || status == GADGET_ITEM_STREAMING;
  sum->n_asking += gadget_item_get_asking (item) || gadget_item_get_prompt (item) != NULL;
  sum->n_failed += status == GADGET_ITEM_FAILED;
  sum->n_aborted += status == GADGET_ITEM_ABORTED;
  sum->n_not_run += status == GADGET_ITEM_NOT_RUN;
  if (summary != NULL && gadget_diff_split_counts (summary, &length, &n_added, &n_removed))
    {
      sum->n_added += n_added;
      sum->n_removed += n_removed;
    }
  if (started > 0 && (sum->started == 0 || started < sum->started))
    sum->started = started;
  sum->ended = MAX (sum->ended, gadget_item_get_ended_at (item));
}

static CallTotals
sum_up (GadgetRowData *data)
{
  GadgetTurn *turn = gadget_row_data_get_turn (data);
  CallTotals sum = { 0 };

  for (guint i = (guint) gadget_row_data_get_start (data); i < get_end (data); i++)
    add_item (&sum, gadget_turn_get_item (turn, i));
  return sum;
}

/* Returns a text such as "4 tools · 2 running" or "4 tools · 1 failed · 3.2 s". (transfer full) */
static char *
describe (const CallTotals *sum)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, ngettext ("%'u tool", "%'u tools", sum->n), sum->n);
  if (sum->n_running > 0)
    g_string_append_printf (text, ngettext (" · %'u running", " · %'u running", sum->n_running),
                            sum->n_running);
  if (sum->n_asking > 0)
    g_string_append_printf (text, " · %s", _ ("waiting for you"));
  if (sum->n_failed > 0)
    g_string_append_printf (text, ngettext (" · %'u failed", " · %'u failed", sum->n_failed),
                            sum->n_failed);
  if (sum->n_aborted > 0)
    g_string_append_printf (text,
                            ngettext (" · %'u interrupted", " · %'u interrupted", sum->n_aborted),
                            sum->n_aborted);
  if (sum->n_not_run > 0)
    g_string_append_printf (text, ngettext (" · %'u not run", " · %'u not run", sum->n_not_run),
                            sum->n_not_run);
  if (sum->n_running == 0 && sum->n_asking == 0 && sum->started > 0
      && sum->ended - sum->started >= 1000)
    {
      g_autofree char *duration = gadget_dup_duration (sum->ended - sum->started);

      g_string_append_printf (text, " · %s", duration);
    }
  return g_string_free_and_steal (text);
}

/* Connects to the calls that were added to the group: it grows while the model writes its calls. */
static void
watch (GadgetGroupRow *self)
{
  GadgetRowData *data = gadget_row_get_data (GADGET_ROW (self));
  const guint start = (guint) gadget_row_data_get_start (data);

  for (; start + self->n_watched < get_end (data); self->n_watched++)
    g_signal_connect_object (
        gadget_turn_get_item (gadget_row_data_get_turn (data), start + self->n_watched), "notify",
        G_CALLBACK (gadget_row_update), self, G_CONNECT_SWAPPED);
}

static void
gadget_group_row_update (GadgetRow *row)
{
  GadgetGroupRow *self = GADGET_GROUP_ROW (row);
  const CallTotals sum = sum_up (gadget_row_get_data (row));
  const gboolean going = sum.n_running > 0;
  g_autofree char *text = describe (&sum);

  watch (self);
  gadget_line_set_icon (self->line,
                        sum.n_asking > 0 ? "dialog-question-symbolic" : "gadget-tool-symbolic");
  gadget_line_set_accented (self->line, sum.n_asking > 0);
  gadget_line_set_spinning (self->line, going && sum.n_asking == 0);
  gadget_line_set_dimmed (self->line, !going && sum.n_asking == 0);
  gadget_line_set_text (self->line, text);
  gadget_line_set_counts (self->line, sum.n_added, sum.n_removed);
  gadget_line_set_expanded (self->line, gadget_row_data_get_expanded (gadget_row_get_data (row)));
}

static void
gadget_group_row_class_init (GadgetGroupRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->update = gadget_group_row_update;
}

static void
gadget_group_row_init (GadgetGroupRow *self)
{
  self->line = GADGET_LINE (gadget_line_new ());
  gadget_line_set_foldable (self->line, TRUE);
  g_signal_connect_swapped (self->line, "toggled", G_CALLBACK (gadget_row_toggle), self);
  gadget_row_set_child (GADGET_ROW (self), GTK_WIDGET (self->line));
  /* A screen reader then reads the button of the line, which has the text. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Tool calls"), -1);
}
