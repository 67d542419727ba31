/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-journal.h"
#include "gadget-recovery-file.h"

G_BEGIN_DECLS

/* Write a turn, or changes of a session, to a recovery file. */
void                gadget_recovery_write_async         (GadgetStore          *store,
                                                         GadgetJournal        *journal,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean            gadget_recovery_write_session_async (GadgetStore          *store,
                                                         const char           *name,
                                                         GadgetSession        *session,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
GadgetRecoveryFile *gadget_recovery_write_finish        (GAsyncResult         *result,
                                                         GError              **error);

G_END_DECLS
