/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-aborted-row"

#include "config.h"

#include "gadget-aborted-row.h"
#include "gadget-card.h"
#include "gadget-duration.h"
#include "gadget-line.h"
#include "gadget-receipt-text.h"

#include "agent/gadget-limits.h"

#include <glib/gi18n.h>

struct _GadgetAbortedRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GadgetLine *summary; /* NULL when there is nothing to unfold */
  GtkWidget *receipt;
};

G_DEFINE_FINAL_TYPE (GadgetAbortedRow, gadget_aborted_row, GADGET_TYPE_ROW)

static const char *
get_title (GadgetTurn *turn)
{
  switch (gadget_turn_get_stop_reason (turn))
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
    case GADGET_STOP_NONE:
    case GADGET_STOP_USER:
    case GADGET_STOP_API:
    default:
      return _ ("The turn was aborted by you.");
    }
}

static void
add_receipt_line (GtkWidget *receipt, const char *icon_name, const char *text, const char *time)
{
  GtkWidget *line = gadget_line_new ();

  gadget_line_set_icon (GADGET_LINE (line), icon_name);
  gadget_line_set_text (GADGET_LINE (line), text);
  if (time != NULL)
    {
      GtkWidget *label = gtk_label_new (time);

      gtk_widget_add_css_class (label, "dimmed");
      gtk_widget_add_css_class (label, "numeric");
      gtk_widget_set_margin_start (label, 12);
      gadget_line_add_suffix (GADGET_LINE (line), label);
    }
  gtk_box_append (GTK_BOX (receipt), line);
}

static GtkWidget *
make_receipt (GadgetTurn *turn)
{
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  for (guint i = 0; i < gadget_receipt_get_n_lines (receipt); i++)
    {
      const GadgetReceiptLine *line = gadget_receipt_get_line (receipt, i);
      g_autofree char *text = _gadget_receipt_dup_line (line);
      g_autofree char *time = _gadget_dup_fine_duration (line->ms);

      add_receipt_line (box, _gadget_receipt_get_icon (line), text, time);
    }
  if (gadget_turn_get_saved (turn))
    add_receipt_line (box, "document-save-symbolic", _ ("Turn saved with everything shown above"),
                      NULL);
  return box;
}

static void
toggled_cb (GadgetRow *row)
{
  gadget_row_set_expanded (row, !gadget_block_get_expanded (gadget_row_get_block (row)));
}

static void
add_summary (GadgetAbortedRow *self, GadgetTurn *turn, GtkWidget *head)
{
  g_autofree char *text = _gadget_receipt_dup_summary (gadget_turn_get_receipt (turn));

  if (text == NULL)
    return;
  self->summary = GADGET_LINE (gadget_line_new ());
  gadget_line_set_text (self->summary, text);
  gadget_line_set_dimmed (self->summary, TRUE);
  gadget_line_set_foldable (self->summary, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "compact");
  g_signal_connect_swapped (self->summary, "toggled", G_CALLBACK (toggled_cb), self);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->summary));
}

static void
gadget_aborted_row_bind (GadgetRow *row)
{
  GadgetAbortedRow *self = GADGET_ABORTED_ROW (row);
  GadgetTurn *turn = gadget_block_get_turn (gadget_row_get_block (row));
  const gboolean interrupted = gadget_turn_get_stop_reason (turn) == GADGET_STOP_INTERRUPTED;
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *buttons = _gadget_card_buttons_new ();
  g_autofree char *limit = gadget_limits_dup_text (turn);
  const char *title = limit != NULL ? limit : get_title (turn);

  gtk_box_append (GTK_BOX (head), _gadget_card_text_new (title, "heading"));
  add_summary (self, turn, head);
  gtk_box_append (GTK_BOX (self->card), head);
  _gadget_card_add_action (buttons, _ ("Continue"), "session.continue", gadget_turn_get_id (turn));
  if (!interrupted)
    _gadget_card_add_action (buttons, _ ("Edit Prompt"), "session.edit-prompt",
                             gadget_turn_get_id (turn));
  gtk_box_append (GTK_BOX (self->card), buttons);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

static void
gadget_aborted_row_update (GadgetRow *row)
{
  GadgetAbortedRow *self = GADGET_ABORTED_ROW (row);
  GadgetBlock *block = gadget_row_get_block (row);
  const gboolean expanded = gadget_block_get_expanded (block);

  if (self->summary == NULL)
    return;
  if (expanded && self->receipt == NULL)
    {
      self->receipt = make_receipt (gadget_block_get_turn (block));
      gtk_box_insert_child_after (GTK_BOX (self->card), self->receipt,
                                  gtk_widget_get_first_child (self->card));
    }
  if (self->receipt != NULL)
    gtk_widget_set_visible (self->receipt, expanded);
  gadget_line_set_expanded (self->summary, expanded);
}

static void
gadget_aborted_row_class_init (GadgetAbortedRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->bind = gadget_aborted_row_bind;
  GADGET_ROW_CLASS (klass)->update = gadget_aborted_row_update;
}

static void
gadget_aborted_row_init (GadgetAbortedRow *self)
{
  self->card = _gadget_card_new ("quiet");
  gadget_row_set_child (GADGET_ROW (self), self->card);
}
