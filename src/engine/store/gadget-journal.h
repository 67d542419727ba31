/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

#define GADGET_TYPE_JOURNAL (gadget_journal_get_type ())
G_DECLARE_FINAL_TYPE (GadgetJournal, gadget_journal, GADGET, JOURNAL, GObject)

/* Stores a turn while it happens, and its end. The creator holds the session's lease until the
 * commit. The signal "written" (gboolean stored) is emitted after each write before the commit, and
 * with FALSE while a write takes long. */
GadgetJournal *gadget_journal_new           (GadgetStore          *store,
                                             GadgetSession        *session,
                                             GadgetTurn           *turn);
GadgetJournal *gadget_journal_new_for_run   (GadgetStore          *store,
                                             GadgetSession        *session,
                                             GadgetTurn           *turn,
                                             const char *const    *replaced,
                                             const char           *run_id);
GadgetSession *gadget_journal_get_session   (GadgetJournal        *self);
GadgetTurn    *gadget_journal_get_turn      (GadgetJournal        *self);
void           gadget_journal_commit_async  (GadgetJournal        *self,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean       gadget_journal_commit_finish (GadgetJournal        *self,
                                             GAsyncResult         *result,
                                             GError              **error);

G_END_DECLS
