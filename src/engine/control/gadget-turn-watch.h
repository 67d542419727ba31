/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN_WATCH (gadget_turn_watch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurnWatch, gadget_turn_watch, GADGET, TURN_WATCH, GObject)

/**
 * GadgetTurnEventType:
 * @GADGET_TURN_EVENT_TEXT: @delta is text of the response
 * @GADGET_TURN_EVENT_REASONING: @delta is text of the reasoning
 * @GADGET_TURN_EVENT_NOTE: @delta is text of a note or warning
 * @GADGET_TURN_EVENT_STEER: @delta is the whole message that the user sent into the turn
 * @GADGET_TURN_EVENT_SUMMARY: @delta is the whole summary that replaces the earlier conversation
 * @GADGET_TURN_EVENT_TOOL_CALL: the arguments of a call are complete
 * @GADGET_TURN_EVENT_TOOL_OUTPUT: @delta is output of a call
 * @GADGET_TURN_EVENT_TOOL_RESULT: a call is over; once for each TOOL_CALL
 * @GADGET_TURN_EVENT_PROMPT: @prompt waits for an answer
 * @GADGET_TURN_EVENT_PROMPT_GONE: @prompt does not wait any more
 * @GADGET_TURN_EVENT_SUBAGENT_STARTED: the call has a subagent, the child of its item
 * @GADGET_TURN_EVENT_SUBAGENT_ENDED: the subagent is over; once for each SUBAGENT_STARTED, before
 *   the call's TOOL_RESULT
 *
 * The kinds of events.
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
 * @delta: (nullable): only the new part of a text
 * @prompt: (nullable): only for PROMPT and PROMPT_GONE
 * @subagent: (nullable): the chat of the subagent in which it happened; %NULL for the turn itself
 *
 * An event. It and its members are valid only during the call of #GadgetTurnEventFunc.
 */
typedef struct
{
  GadgetTurnEventType type;
  GadgetItem *item;
  const char *delta;
  GadgetPrompt *prompt;
  GadgetSession *subagent;
} GadgetTurnEvent;

/* Receives an event (transfer none). */
typedef void (*GadgetTurnEventFunc) (const GadgetTurnEvent *event, gpointer user_data);

/* Follows a turn and reports it as a sequence of events, as --json shows it. What the turn already
 * contains is reported at once. The turns of its subagents are followed as well. */
GadgetTurnWatch *gadget_turn_watch_new (GadgetTurn          *turn,
                                        GadgetTurnEventFunc  func,
                                        gpointer             user_data);

G_END_DECLS
