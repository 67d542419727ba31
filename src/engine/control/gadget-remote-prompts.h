/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "agent/gadget-engine.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_PROMPTS (gadget_remote_prompts_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemotePrompts, gadget_remote_prompts, GADGET, REMOTE_PROMPTS, GObject)

typedef void (*GadgetRemoteAnswerFunc) (const char *run_id,
                                        const char *id,
                                        const char *answer,
                                        const char *note,
                                        const char *words,
                                        gpointer    user_data);

/* What another process's turn asks, on the items of the session as it is read here. FUNC is told of
 * each answer that the user gives, as long as this lives; WORDS is what the user typed of it, or
 * NULL. */
GadgetRemotePrompts *_gadget_remote_prompts_new          (GadgetEngine           *engine,
                                                          GadgetSession          *session,
                                                          GadgetRemoteAnswerFunc  func,
                                                          gpointer                user_data);
void                 _gadget_remote_prompts_handle_event (GadgetRemotePrompts    *self,
                                                          const char             *run_id,
                                                          GVariant               *event);

/* The answer was not taken. FALSE when it is not asked any more. */
gboolean             _gadget_remote_prompts_ask_again    (GadgetRemotePrompts    *self,
                                                          const char             *id);

G_END_DECLS
