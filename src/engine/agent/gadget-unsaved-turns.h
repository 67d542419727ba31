/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-leases.h"
#include "gadget-open-sessions.h"
#include "common/gadget-clock.h"
#include "store/gadget-journal.h"

G_BEGIN_DECLS

/**
 * GadgetUnsavedTurns:
 *
 * The ended turns of this process that are not saved, with what they are to be written by. See the
 * source. Emits "changed" when one comes or goes, when a try to save one failed, and when its
 * recovery file was written.
 */
#define GADGET_TYPE_UNSAVED_TURNS (gadget_unsaved_turns_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUnsavedTurns, gadget_unsaved_turns, GADGET, UNSAVED_TURNS, GObject)

GadgetUnsavedTurns *_gadget_unsaved_turns_new    (GadgetLeases        *leases,
                                                  GadgetOpenSessions  *open_sessions,
                                                  GadgetStore         *store,
                                                  GadgetClock         *clock);

/* LEASE_SESSION is the one whose lease the turn was worked on under. ERROR is why it is not saved;
 * NULL while the write is under way, whose failure is told to the second. */
void                _gadget_unsaved_turns_add    (GadgetUnsavedTurns  *self,
                                                  GadgetTurn          *turn,
                                                  GadgetJournal       *journal,
                                                  const char          *lease_session,
                                                  const GError        *error);
/* A turn that begins: what the journal cannot write of it is in a recovery file as long as it goes
 * on. Ends with the two above, or when it is saved. */
void                _gadget_unsaved_turns_watch  (GadgetUnsavedTurns  *self,
                                                  GadgetJournal       *journal);
void                _gadget_unsaved_turns_note_saved (GadgetUnsavedTurns *self,
                                                  GadgetTurn          *turn);
void                _gadget_unsaved_turns_failed (GadgetUnsavedTurns  *self,
                                                  GadgetTurn          *turn,
                                                  const GError        *error);

/* Tries those of the chat again, in the order in which they began; what is written to the store
 * after this comes behind them. */
void                _gadget_unsaved_turns_save_chat (GadgetUnsavedTurns *self,
                                                  GadgetSession       *session);

guint               gadget_unsaved_turns_get_n   (GadgetUnsavedTurns  *self);
/* (transfer full) (element-type GadgetTurn) */
GPtrArray          *gadget_unsaved_turns_list    (GadgetUnsavedTurns  *self);
/* Where the text of the turn is meanwhile; NULL when it is in no file, and when it is saved. */
const char         *gadget_unsaved_turns_get_path (GadgetUnsavedTurns *self,
                                                  GadgetTurn          *turn);

/* From now on the files stay, whatever is saved: the program is about to end, and has told of them.
 * The next start removes those of turns that are saved. */
void                gadget_unsaved_turns_keep_files (GadgetUnsavedTurns *self);

/* Tries again to write the turn. Returns whether it is one of these and could be begun with. */
gboolean            gadget_unsaved_turns_save    (GadgetUnsavedTurns  *self,
                                                  GadgetTurn          *turn);

/* Tries all of them, and waits for the answers, but not for longer than so many milliseconds. What
 * is not saved then is in a recovery file, if one could be written. */
void                gadget_unsaved_turns_settle_async (GadgetUnsavedTurns *self,
                                                  guint                milliseconds,
                                                  GAsyncReadyCallback  callback,
                                                  gpointer             user_data);
/* Whether all are saved. */
gboolean            gadget_unsaved_turns_settle_finish (GadgetUnsavedTurns *self,
                                                  GAsyncResult        *result);

G_END_DECLS
