/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row-data.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * GadgetUndoOffer:
 * @GADGET_UNDO_OFFER_NONE: no change is known
 * @GADGET_UNDO_OFFER_WAIT: changes may have been made and are still being recorded
 * @GADGET_UNDO_OFFER_UNDO: there are changes, or there may be some that were not recorded
 * @GADGET_UNDO_OFFER_REDO: there were changes, and all of them were undone
 *
 * The button that is offered for the changes of a turn.
 */
typedef enum
{
  GADGET_UNDO_OFFER_NONE,
  GADGET_UNDO_OFFER_WAIT,
  GADGET_UNDO_OFFER_UNDO,
  GADGET_UNDO_OFFER_REDO,
} GadgetUndoOffer;

/* Returns the offer for the changes of a turn that has ended. */
GadgetUndoOffer gadget_undo_offer_of_changes (GadgetTurnChanges *changes);

/* Returns the offer for the turn of @data; NONE while the turn is running or its changes are not
 * known. */
GadgetUndoOffer _gadget_undo_offer_get       (GadgetRowData     *data);

/* Sets up a button for an offer: its action and target, insensitive for WAIT, hidden for NONE. The
 * caller sets the label and the icon. */
void            _gadget_undo_offer_bind      (GadgetUndoOffer    offer,
                                              GtkWidget         *button,
                                              GadgetTurn        *turn);

G_END_DECLS
