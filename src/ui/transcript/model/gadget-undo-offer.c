/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-undo-offer"

#include "config.h"

#include "gadget-undo-offer.h"

GadgetUndoOffer
gadget_undo_offer_of_changes (GadgetTurnChanges *changes)
{
  const guint n =
      gadget_turn_changes_get_n_files (changes) + gadget_turn_changes_get_n_folders (changes);

  if (gadget_turn_changes_get_recording (changes) == GADGET_RECORDING_PENDING)
    return GADGET_UNDO_OFFER_WAIT;
  /* Changes that were not recorded are explained in the dialog that the undo action opens. */
  if (n == 0)
    return gadget_turn_changes_get_recording (changes) == GADGET_RECORDING_LOST
               ? GADGET_UNDO_OFFER_UNDO
               : GADGET_UNDO_OFFER_NONE;
  return gadget_turn_changes_get_n_undone (changes) == n ? GADGET_UNDO_OFFER_REDO
                                                         : GADGET_UNDO_OFFER_UNDO;
}

GadgetUndoOffer
_gadget_undo_offer_get (GadgetRowData *data)
{
  GadgetTurn *turn = gadget_row_data_get_turn (data);
  GadgetTurnChanges *changes;

  if (gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING || !gadget_turn_has_calls (turn))
    return GADGET_UNDO_OFFER_NONE;
  changes = gadget_row_data_get_changes (data);
  return changes != NULL ? gadget_undo_offer_of_changes (changes) : GADGET_UNDO_OFFER_NONE;
}

void
_gadget_undo_offer_bind (GadgetUndoOffer offer, GtkWidget *button, GadgetTurn *turn)
{
  const gboolean waits = offer == GADGET_UNDO_OFFER_WAIT;

  gtk_widget_set_visible (button, offer != GADGET_UNDO_OFFER_NONE);
  /* With an action name, GTK would make the button sensitive again. */
  if (waits)
    {
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), NULL);
      gtk_widget_set_sensitive (button, FALSE);
      return;
    }
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", gadget_turn_get_id (turn));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "session.undo-changes");
}
