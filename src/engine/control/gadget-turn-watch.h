/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN_WATCH (gadget_turn_watch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurnWatch, gadget_turn_watch, GADGET, TURN_WATCH, GObject)

/**
 * GadgetTurnEventType:
 * @GADGET_TURN_EVENT_TEXT: delta
 * @GADGET_TURN_EVENT_REASONING: delta
 * @GADGET_TURN_EVENT_NOTE: delta
 * @GADGET_TURN_EVENT_STEER: delta: what the user said into the turn, all of it
 * @GADGET_TURN_EVENT_SUMMARY: delta: what stands for all that was said before, all of it
 * @GADGET_TURN_EVENT_TOOL_CALL: a call whose arguments are as whole as they will be
 * @GADGET_TURN_EVENT_TOOL_OUTPUT: delta
 * @GADGET_TURN_EVENT_TOOL_RESULT: the call is over; once for each TOOL_CALL
 * @GADGET_TURN_EVENT_PROMPT: prompt waits for an answer
 * @GADGET_TURN_EVENT_PROMPT_GONE: prompt does not any more
 * @GADGET_TURN_EVENT_SUBAGENT_STARTED: the call has a subagent, the child of its item
 * @GADGET_TURN_EVENT_SUBAGENT_ENDED: it is over; once for each SUBAGENT_STARTED, before the call's
 *   TOOL_RESULT
 */
typedef enum
{
  GADGET_TURN_EVENT_TEXT,
  GADGET_TURN_EVENT_REASONING,
  GADGET_TURN_EVENT_NOTE,
  GADGET_TURN_EVENT_STEER,
  GADGET_TURN_EVENT_SUMMARY,
  GADGET_TURN_EVENT_TOOL_CALL,
  GADGET_TURN_EVENT_TOOL_OUTPUT,
  GADGET_TURN_EVENT_TOOL_RESULT,
  GADGET_TURN_EVENT_PROMPT,
  GADGET_TURN_EVENT_PROMPT_GONE,
  GADGET_TURN_EVENT_SUBAGENT_STARTED,
  GADGET_TURN_EVENT_SUBAGENT_ENDED,
} GadgetTurnEventType;

/**
 * GadgetTurnEvent:
 * @delta: only what is new
 * @subagent: (nullable): the chat of the subagent in which it happened; %NULL for the turn itself
 *
 * What happened, lent for the call.
 */
typedef struct
{
  GadgetTurnEventType type;
  GadgetItem *item;
  const char *delta;
  GadgetPrompt *prompt;
  GadgetSession *subagent;
} GadgetTurnEvent;

typedef void (*GadgetTurnEventFunc) (const GadgetTurnEvent *event, gpointer user_data);

/* Follows a turn for those who tell it on as a sequence of events, as --json does. What the turn
 * has already is told at once. The turns of its subagents are followed, too. */
GadgetTurnWatch *gadget_turn_watch_new (GadgetTurn          *turn,
                                        GadgetTurnEventFunc  func,
                                        gpointer             user_data);

G_END_DECLS
