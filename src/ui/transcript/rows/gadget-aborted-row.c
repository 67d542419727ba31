/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The card has a title, a line that unfolds the receipt, and buttons. The receipt is made when it
 * is first unfolded; the list of what the turn did before the stop is added to it when the change
 * cache has read it. */

#define G_LOG_DOMAIN "gadget-aborted-row"

#include "config.h"

#include "gadget-aborted-row.h"
#include "gadget-card.h"
#include "ui/text/gadget-line.h"
#include "ui/transcript/model/gadget-receipt-text.h"
#include "ui/transcript/model/gadget-undo-offer.h"

#include "agent/gadget-stop-text.h"
#include "ui/common/gadget-duration.h"
#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-operation-labels.h"

#include <glib/gi18n.h>

struct _GadgetAbortedRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GadgetLine *summary; /* NULL when there is nothing to unfold */
  GtkWidget *receipt;
  GtkWidget *done;             /* part of the receipt: what the turn did before the stop */
  GadgetTurnChanges *done_for; /* (nullable): the changes that it shows */
  GtkWidget *undo;
};

/* A dialog shows the others. */
#define MAX_EFFECTS 10

G_DEFINE_FINAL_TYPE (GadgetAbortedRow, gadget_aborted_row, GADGET_TYPE_ROW)

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

static void
add_effect (GtkWidget *box, const GadgetEffectRow *row, const char *workspace)
{
  g_autofree char *text = gadget_effect_labels_dup_text (row, workspace);
  g_autofree char *outcome = gadget_effect_labels_dup_outcome (row);

  add_receipt_line (box, gadget_effect_labels_get_icon (row), text, outcome);
}

/* Shows what the turn did before it was stopped, once the change cache has read that. */
static void
update_done (GadgetAbortedRow *self)
{
  GadgetRowData *data = gadget_row_get_data (GADGET_ROW (self));
  GadgetTurnChanges *changes = gadget_row_data_get_changes (data);
  GPtrArray *effects = changes != NULL ? gadget_turn_changes_get_effects (changes) : NULL;
  GtkWidget *title;

  if (changes == self->done_for)
    return;
  g_set_object (&self->done_for, changes);
  if (self->done != NULL)
    gtk_box_remove (GTK_BOX (self->receipt), self->done);
  self->done = NULL;
  if (effects == NULL || effects->len == 0)
    return;
  self->done = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  title = _gadget_card_text_new (_ ("Done before that"), "caption-heading");
  gtk_widget_add_css_class (title, "dimmed");
  gtk_widget_add_css_class (title, "receipt-title");
  gtk_box_append (GTK_BOX (self->done), title);
  for (guint i = 0; i < MIN (effects->len, MAX_EFFECTS); i++)
    add_effect (self->done, g_ptr_array_index (effects, i), gadget_row_data_get_workspace (data));
  if (effects->len > MAX_EFFECTS)
    {
      g_autofree char *label = g_strdup_printf (
          ngettext ("Show All %u Action", "Show All %u Actions", effects->len), effects->len);
      GtkWidget *button = gtk_button_new_with_label (label);

      gtk_widget_add_css_class (button, "flat");
      gtk_widget_add_css_class (button, "receipt-more");
      gtk_widget_set_halign (button, GTK_ALIGN_START);
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s",
                                        gadget_turn_get_id (gadget_row_data_get_turn (data)));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "session.show-effects");
      gtk_box_append (GTK_BOX (self->done), button);
    }
  gtk_box_append (GTK_BOX (self->receipt), self->done);
}

static const char *
get_undo_label (GadgetUndoOffer offer)
{
  switch (offer)
    {
    case GADGET_UNDO_OFFER_WAIT:
      return _ ("Recording Changes…");
    case GADGET_UNDO_OFFER_REDO:
      return _ ("Redo Changes…");
    case GADGET_UNDO_OFFER_NONE:
    case GADGET_UNDO_OFFER_UNDO:
    default:
      return _ ("Undo Changes…");
    }
}

static void
update_undo (GadgetAbortedRow *self)
{
  GadgetRowData *data = gadget_row_get_data (GADGET_ROW (self));
  const GadgetUndoOffer offer = _gadget_undo_offer_get (data);

  gtk_button_set_label (GTK_BUTTON (self->undo), get_undo_label (offer));
  _gadget_undo_offer_bind (offer, self->undo, gadget_row_data_get_turn (data));
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
      g_autofree char *time = gadget_dup_fine_duration (line->ms);

      add_receipt_line (box, gadget_operation_labels_get_icon (line->kind), text, time);
    }
  if (gadget_turn_get_saved (turn))
    add_receipt_line (box, "document-save-symbolic", _ ("Everything above was saved"), NULL);
  return box;
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
  g_signal_connect_swapped (self->summary, "toggled", G_CALLBACK (gadget_row_toggle), self);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->summary));
}

static void
gadget_aborted_row_bind (GadgetRow *row)
{
  GadgetAbortedRow *self = GADGET_ABORTED_ROW (row);
  GadgetTurn *turn = gadget_row_data_get_turn (gadget_row_get_data (row));
  const gboolean interrupted = gadget_turn_get_stop_reason (turn) == GADGET_STOP_INTERRUPTED;
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *buttons = _gadget_card_buttons_new ();
  g_autofree char *title = gadget_turn_dup_stop_text (turn);

  gtk_box_append (GTK_BOX (head), _gadget_card_text_new (title, "heading"));
  add_summary (self, turn, head);
  gtk_box_append (GTK_BOX (self->card), head);
  _gadget_card_add_action (buttons, _ ("Continue"), "session.continue", gadget_turn_get_id (turn));
  self->undo = _gadget_card_add_action (buttons, "", NULL, NULL);
  if (!interrupted)
    _gadget_card_add_action (buttons, _ ("Edit Prompt"), "session.edit-prompt",
                             gadget_turn_get_id (turn));
  gtk_box_append (GTK_BOX (self->card), buttons);
  gadget_row_watch_file_changes (row);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

static void
gadget_aborted_row_update (GadgetRow *row)
{
  GadgetAbortedRow *self = GADGET_ABORTED_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  const gboolean expanded = gadget_row_data_get_expanded (data);

  update_undo (self);
  if (self->summary == NULL)
    return;
  if (expanded && self->receipt == NULL)
    {
      self->receipt = make_receipt (gadget_row_data_get_turn (data));
      gtk_box_insert_child_after (GTK_BOX (self->card), self->receipt,
                                  gtk_widget_get_first_child (self->card));
    }
  if (self->receipt != NULL)
    gtk_widget_set_visible (self->receipt, expanded);
  if (expanded)
    update_done (self);
  gadget_line_set_expanded (self->summary, expanded);
}

static void
gadget_aborted_row_dispose (GObject *object)
{
  g_clear_object (&GADGET_ABORTED_ROW (object)->done_for);
  G_OBJECT_CLASS (gadget_aborted_row_parent_class)->dispose (object);
}

static void
gadget_aborted_row_class_init (GadgetAbortedRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_aborted_row_dispose;
  GADGET_ROW_CLASS (klass)->bind = gadget_aborted_row_bind;
  GADGET_ROW_CLASS (klass)->update = gadget_aborted_row_update;
}

static void
gadget_aborted_row_init (GadgetAbortedRow *self)
{
  self->card = _gadget_card_new ("quiet");
  gadget_row_set_child (GADGET_ROW (self), self->card);
}
