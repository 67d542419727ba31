/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-registry.h"
#include "providers/gadget-provider.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* What is known of how much models can read: a model's key → tokens, 0 while or if it is not. */
GHashTable *_gadget_context_lengths_new (void);
gint64      _gadget_context_lengths_get (GHashTable    *lengths,
                                         const char    *provider_id,
                                         GadgetRequest *request);
GCancellable *_gadget_context_lengths_ask (GHashTable  *lengths,
                                         const char    *provider_id,
                                         GadgetProvider *provider,
                                         GadgetRequest *request,
                                         GadgetRun     *run,
                                         GSourceOnceFunc func,
                                         gpointer       user_data);

gboolean    _gadget_compaction_is_due   (GadgetRequest *request,
                                         gint64         context_length);
void        _gadget_compaction_shorten  (GadgetRequest *request);

/* Summarises what REQUEST would have said, as a child of the turn's run, and appends the summary to
 * the turn. FALSE when there is none: the turn is as it was. */
void        _gadget_compaction_async    (GadgetRegistry       *registry,
                                         GadgetRun            *parent,
                                         GadgetProvider       *provider,
                                         GadgetSession        *session,
                                         GadgetTurn           *turn,
                                         guint                 step,
                                         GadgetRequest        *request,
                                         gint64                context_length,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean    _gadget_compaction_finish   (GAsyncResult         *result);

G_END_DECLS
