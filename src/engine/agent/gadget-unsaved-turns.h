/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-leases.h"
#include "store/gadget-journal.h"

G_BEGIN_DECLS

/* The turns of this process that could not be written, with what they were to be written by. They
 * are kept until they are saved after all: late, or at the user's wish. */
#define GADGET_TYPE_UNSAVED_TURNS (gadget_unsaved_turns_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUnsavedTurns, gadget_unsaved_turns, GADGET, UNSAVED_TURNS, GObject)

GadgetUnsavedTurns *_gadget_unsaved_turns_new  (GadgetLeases       *leases);

/* LEASE_SESSION is the one whose lease the turn was worked on under. */
void                _gadget_unsaved_turns_keep (GadgetUnsavedTurns *self,
                                                GadgetTurn         *turn,
                                                GadgetJournal      *journal,
                                                const char         *lease_session);

/* Tries again to write the turn. Returns whether it is one of these and could be begun with. */
gboolean            _gadget_unsaved_turns_save (GadgetUnsavedTurns *self,
                                                GadgetTurn         *turn);

G_END_DECLS
