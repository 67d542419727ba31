/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "providers/gadget-provider.h"
#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* One answer of the model, from the events of its stream to items of the turn. */
typedef struct _GadgetAnswer GadgetAnswer;

GadgetAnswer    *_gadget_answer_new       (GadgetTurn            *turn,
                                           guint                  step,
                                           const char            *replay_source,
                                           gint64                 sent_tokens);
void             _gadget_answer_set_replay_source (GadgetAnswer        *self,
                                                  const char          *replay_source);
void             _gadget_answer_free      (GadgetAnswer          *self);
GadgetTurnPhase  _gadget_answer_take      (GadgetAnswer          *self,
                                           const GadgetChatEvent *event);
void             _gadget_answer_settle    (GadgetAnswer          *self,
                                           gboolean               whole);
/* Whether the model came to its limit of output tokens in it. */
gboolean         _gadget_answer_is_short       (GadgetAnswer           *self);
gint64           _gadget_answer_get_input_tokens (GadgetAnswer         *self);
gboolean         _gadget_answer_has_whole_calls (GadgetAnswer          *self);
gboolean         _gadget_answer_is_silent (GadgetAnswer          *self);
GPtrArray       *_gadget_answer_get_calls (GadgetAnswer          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAnswer, _gadget_answer_free)

G_END_DECLS
