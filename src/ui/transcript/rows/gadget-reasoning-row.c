/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-reasoning-row"

#include "config.h"

#include "gadget-reasoning-row.h"
#include "ui/text/gadget-line.h"

#include "ui/common/gadget-duration.h"

#include <glib/gi18n.h>

/* At most this many bytes of a streaming line are shown. */
#define TAIL_BYTES 160

struct _GadgetReasoningRow
{
  GadgetRow parent_instance;

  GadgetLine *line;
};

G_DEFINE_FINAL_TYPE (GadgetReasoningRow, gadget_reasoning_row, GADGET_TYPE_ROW)

/* Returns the end of the last line that is not blank. */
static char *
dup_last_line (GadgetItem *item)
{
  const char *text = gadget_item_get_text (item);
  const char *end = text + gadget_item_get_length (item);
  const char *start;

  while (end > text && g_ascii_isspace (end[-1]))
    end--;
  start = end;
  while (start > text && start[-1] != '\n' && end - start < TAIL_BYTES)
    start--;
  if (start == text || start[-1] == '\n')
    return g_strndup (start, (gsize) (end - start));

  /* The text begins with a whole word. */
  while (start < end && *start != ' ')
    start++;
  while ((*start & 0xc0) == 0x80)
    start++;
  return g_strdup_printf ("…%.*s", (int) (end - start), start);
}

static char *
describe (GadgetItem *item)
{
  const gint64 started = gadget_item_get_started_at (item);
  const gint64 ended = gadget_item_get_ended_at (item);
  g_autofree char *duration = NULL;

  if (gadget_item_get_kind (item) == GADGET_ITEM_SUMMARY)
    return g_strdup (_ ("Earlier messages were summarized"));
  if (gadget_item_get_status (item) == GADGET_ITEM_STREAMING)
    return dup_last_line (item);
  if (started == 0 || ended < started + 1000)
    return g_strdup (_ ("Thought for a moment"));
  duration = gadget_dup_duration (ended - started);
  /* Translators: how long a model reasoned before it answered */
  return g_strdup_printf (_ ("Thought for %s"), duration);
}

static void
gadget_reasoning_row_update (GadgetRow *row)
{
  GadgetReasoningRow *self = GADGET_REASONING_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  g_autofree char *text = describe (gadget_row_data_get_item (data));

  gadget_line_set_text (self->line, text);
  gadget_line_set_expanded (self->line, gadget_row_data_get_expanded (data));
}

static void
gadget_reasoning_row_bind (GadgetRow *row)
{
  GadgetReasoningRow *self = GADGET_REASONING_ROW (row);

  g_signal_connect_object (gadget_row_data_get_item (gadget_row_get_data (row)), "notify::status",
                           G_CALLBACK (gadget_row_update), row, G_CONNECT_SWAPPED);
  if (gadget_row_data_get_kind (gadget_row_get_data (row)) != GADGET_ROW_KIND_SUMMARY)
    return;
  gadget_line_set_icon (self->line, "view-list-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Summary"), -1);
}

static void
gadget_reasoning_row_class_init (GadgetReasoningRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->bind = gadget_reasoning_row_bind;
  GADGET_ROW_CLASS (klass)->update = gadget_reasoning_row_update;
}

static void
gadget_reasoning_row_init (GadgetReasoningRow *self)
{
  self->line = GADGET_LINE (gadget_line_new ());
  gadget_line_set_icon (self->line, "content-loading-symbolic");
  gadget_line_set_dimmed (self->line, TRUE);
  gadget_line_set_foldable (self->line, TRUE);
  g_signal_connect_swapped (self->line, "toggled", G_CALLBACK (gadget_row_toggle), self);
  gadget_row_set_child (GADGET_ROW (self), GTK_WIDGET (self->line));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Reasoning"), -1);
}
