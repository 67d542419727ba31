/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-journal-write.h"
#include "gadget-journal.h"

G_BEGIN_DECLS

/* Copies all rows, whatever is stored already, for a recovery file (transfer full). */
GadgetJournalWrite *_gadget_journal_dup_all (GadgetJournal *self);

G_END_DECLS
