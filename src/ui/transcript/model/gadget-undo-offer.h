/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-block.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * GadgetUndoOffer:
 * @GADGET_UNDO_OFFER_NONE: nothing was changed, as far as is known
 * @GADGET_UNDO_OFFER_WAIT: something may have been changed, which is still being recorded
 * @GADGET_UNDO_OFFER_UNDO: something was changed, or may have been without being recorded
 * @GADGET_UNDO_OFFER_REDO: something was, and all of it was taken back
 *
 * What can be done about the changes of a turn.
 */
typedef enum
{
  GADGET_UNDO_OFFER_NONE,
  GADGET_UNDO_OFFER_WAIT,
  GADGET_UNDO_OFFER_UNDO,
  GADGET_UNDO_OFFER_REDO,
} GadgetUndoOffer;

/* Of a turn that has ended. */
GadgetUndoOffer gadget_undo_offer_of_changes (GadgetTurnChanges *changes);

/* Of the turn that the block belongs to, once it has ended. */
GadgetUndoOffer _gadget_undo_offer_get  (GadgetBlock     *block);

/* A turn that called no tool did nothing outside of the chat: its changes are not even asked for. */
gboolean        _gadget_undo_offer_has_calls (GadgetTurn *turn);

/* What a button does that makes the offer; one that waits cannot be pressed, and one without an
 * offer is not there. Its label and its icon are the caller's. */
void            _gadget_undo_offer_bind (GadgetUndoOffer  offer,
                                         GtkWidget       *button,
                                         GadgetTurn      *turn);

G_END_DECLS
