/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-session-locks.h"
#include "common/gadget-clock.h"
#include "store/gadget-journal.h"

G_BEGIN_DECLS

/**
 * GadgetUnsavedTurns:
 *
 * The turns of this process that have ended and are not saved, with what is needed to write them.
 * See gadget-unsaved-turns.c. Emits "changed" when a turn is added or removed, when an attempt to
 * save one has failed, and when its recovery file was written.
 */
#define GADGET_TYPE_UNSAVED_TURNS (gadget_unsaved_turns_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUnsavedTurns, gadget_unsaved_turns, GADGET, UNSAVED_TURNS, GObject)

GadgetUnsavedTurns *gadget_unsaved_turns_new           (GadgetSessionLocks *locks,
                                                        GadgetStore        *store,
                                                        GadgetClock        *clock);

/* Adds a turn that has ended. LOCKED_SESSION_ID is the session under whose lease it was worked on;
 * its open lock is held until the turn is saved. ERROR is why the turn is not saved; NULL while its
 * write is under way, whose failure failed () reports. */
void                gadget_unsaved_turns_add           (GadgetUnsavedTurns *self,
                                                        GadgetTurn         *turn,
                                                        GadgetJournal      *journal,
                                                        const char         *locked_session_id,
                                                        const GError       *error);
/* Watches a turn that begins: while the journal cannot write it, it is in a recovery file as far as
 * it has come. The watch ends when add () is called, or when note_saved () reports that the turn
 * has ended and is saved. */
void                gadget_unsaved_turns_watch         (GadgetUnsavedTurns *self,
                                                        GadgetJournal      *journal);
void                gadget_unsaved_turns_note_saved    (GadgetUnsavedTurns *self,
                                                        GadgetTurn         *turn);
/* Reports that the write of a turn that was added without an error has failed with ERROR. */
void                gadget_unsaved_turns_failed        (GadgetUnsavedTurns *self,
                                                        GadgetTurn         *turn,
                                                        const GError       *error);

/* Tries to save the turns of the chat again, in the order in which they began. What is written to
 * the store after this call comes after them. */
void                gadget_unsaved_turns_save_session  (GadgetUnsavedTurns *self,
                                                        GadgetSession      *session);

/* How many ended turns are not saved. */
guint               gadget_unsaved_turns_get_n         (GadgetUnsavedTurns *self);
/* The ended turns that are not saved, in the order in which they began. (transfer full)
 * (element-type GadgetTurn) */
GPtrArray          *gadget_unsaved_turns_list          (GadgetUnsavedTurns *self);
/* Returns the path of the recovery file of a turn; NULL if there is none, or if the turn is saved.
 * (transfer none) (nullable) */
const char         *gadget_unsaved_turns_get_path      (GadgetUnsavedTurns *self,
                                                        GadgetTurn         *turn);

/* From now on recovery files are not removed, even if their turns are saved: the program is about
 * to end and has told the user about them. The next start removes the files of turns that are
 * saved. */
void                gadget_unsaved_turns_keep_files    (GadgetUnsavedTurns *self);

/* Tries again to write the turn. Returns FALSE if it is not one of these turns, or if the write
 * could not be started. */
gboolean            gadget_unsaved_turns_save          (GadgetUnsavedTurns *self,
                                                        GadgetTurn         *turn);

/* Writes all turns once more and waits for the answers of the store, for at most so many
 * milliseconds. Turns that are not saved then are in recovery files, if these can be written within
 * one more second. */
void                gadget_unsaved_turns_settle_async  (GadgetUnsavedTurns *self,
                                                        guint               milliseconds,
                                                        GAsyncReadyCallback callback,
                                                        gpointer            user_data);
/* Returns whether all turns are saved. */
gboolean            gadget_unsaved_turns_settle_finish (GadgetUnsavedTurns *self,
                                                        GAsyncResult       *result);

G_END_DECLS
