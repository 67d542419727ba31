/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "providers/gadget-provider.h"
#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* Turns one response of the model, event by event, into items of a turn. */
typedef struct _GadgetResponseBuilder GadgetResponseBuilder;

GadgetResponseBuilder *_gadget_response_builder_new               (GadgetTurn *turn,
                                                                   guint       step,
                                                                   const char *replay_source,
                                                                   gint64      sent_tokens);
void _gadget_response_builder_set_replay_source (GadgetResponseBuilder *self,
                                                 const char            *replay_source);
void                   _gadget_response_builder_free              (GadgetResponseBuilder *self);
GadgetTurnPhase        _gadget_response_builder_take              (GadgetResponseBuilder *self,
                                                                   const GadgetChatEvent *event);
gboolean               _gadget_response_builder_get_usage         (GadgetResponseBuilder *self,
                                                                   gboolean               whole,
                                                                   GadgetUsage           *usage);
void                   _gadget_response_builder_settle            (GadgetResponseBuilder *self,
                                                                   gboolean               whole,
                                                                   const GadgetUsage     *usage);
/* Returns whether the response was cut at the model's limit of output tokens. */
gboolean               _gadget_response_builder_is_short          (GadgetResponseBuilder *self);
gint64                 _gadget_response_builder_get_input_tokens  (GadgetResponseBuilder *self);
gboolean               _gadget_response_builder_has_whole_calls   (GadgetResponseBuilder *self);
gboolean               _gadget_response_builder_is_silent         (GadgetResponseBuilder *self);
GPtrArray             *_gadget_response_builder_get_calls         (GadgetResponseBuilder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetResponseBuilder, _gadget_response_builder_free)

G_END_DECLS
