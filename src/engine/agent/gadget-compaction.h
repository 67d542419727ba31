/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-turn-environment.h"
#include "providers/gadget-provider.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

void        _gadget_compaction_shorten  (GadgetRequest *request);

/* Summarizes what REQUEST would have sent, in a child of the run PARENT, and appends the summary to
 * TURN as an item of step STEP. What it uses is counted for CHAT (nullable), an id. WINDOW is how
 * many estimated tokens the model can read; 0 if that is not known. finish () returns FALSE if there
 * is no summary, because the run was aborted or the request failed; TURN has no new item then. */
void        _gadget_compaction_async    (GadgetTurnEnvironment *environment,
                                         const char           *chat,
                                         GadgetRun            *parent,
                                         GadgetProvider       *provider,
                                         GadgetSession        *session,
                                         GadgetTurn           *turn,
                                         guint                 step,
                                         GadgetRequest        *request,
                                         gint64                window,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean    _gadget_compaction_finish   (GAsyncResult         *result);

G_END_DECLS
