/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "agent/gadget-engine.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_PROMPTS (gadget_remote_prompts_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemotePrompts, gadget_remote_prompts, GADGET, REMOTE_PROMPTS, GObject)

/* Receives an answer. @note is nullable; @words is the text that the user typed, or NULL. */
typedef void (*GadgetRemoteAnswerFunc) (const char *run_id,
                                        const char *id,
                                        const char *answer,
                                        const char *note,
                                        const char *words,
                                        gpointer    user_data);

/* Shows the prompts of another process's turn on the items of the session as it is read here. @func
 * is called for each answer that the user gives, as long as the object exists. */
GadgetRemotePrompts *_gadget_remote_prompts_new          (GadgetEngine           *engine,
                                                          GadgetSession          *session,
                                                          GadgetRemoteAnswerFunc  func,
                                                          gpointer                user_data);
void                 _gadget_remote_prompts_handle_event (GadgetRemotePrompts    *self,
                                                          const char             *run_id,
                                                          GVariant               *event);

/* Shows the prompt again because the other process did not take the answer. Returns FALSE when the
 * prompt is not open any more. */
gboolean             _gadget_remote_prompts_ask_again    (GadgetRemotePrompts    *self,
                                                          const char             *id);

G_END_DECLS
