/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Events as D-Bus dictionaries. Members are only ever added, never removed. They have the same
 * names as in the --json output; arguments are the text that the model wrote. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-event.h"

#include "gadget-prompt-event.h"

const char *
gadget_event_get_name (const GadgetTurnEvent *event)
{
  switch (event->type)
    {
    case GADGET_TURN_EVENT_TEXT:
      return "text";
    case GADGET_TURN_EVENT_REASONING:
      return "reasoning";
    case GADGET_TURN_EVENT_NOTE:
      return "note";
    case GADGET_TURN_EVENT_STEER:
      return "steer";
    case GADGET_TURN_EVENT_SUMMARY:
      return "summary";
    case GADGET_TURN_EVENT_TOOL_CALL:
      return "tool-call";
    case GADGET_TURN_EVENT_TOOL_OUTPUT:
      return "tool-output";
    case GADGET_TURN_EVENT_TOOL_RESULT:
      return "tool-result";
    case GADGET_TURN_EVENT_PROMPT:
      return gadget_prompt_get_kind (event->prompt) == GADGET_PROMPT_PERMISSION ? "permission"
                                                                                : "question";
    case GADGET_TURN_EVENT_SUBAGENT_STARTED:
      return "subagent-started";
    case GADGET_TURN_EVENT_SUBAGENT_ENDED:
      return "subagent-ended";
    case GADGET_TURN_EVENT_PROMPT_GONE:
    default:
      return "prompt-gone";
    }
}

static void
add_subagent (GVariantDict *dict, GadgetItem *item, gboolean ended)
{
  GadgetTurn *turn = gadget_item_get_child_turn (item);
  GadgetSession *child = gadget_item_get_child (item);

  _gadget_prompt_event_add_text (dict, "id", gadget_item_get_call_id (item));
  _gadget_prompt_event_add_text (dict, "session", gadget_item_get_child_id (item));
  _gadget_prompt_event_add_text (dict, "turn", gadget_item_get_child_turn_id (item));
  if (ended)
    {
      _gadget_prompt_event_add_text (dict, "status",
                                     gadget_turn_status_to_string (gadget_turn_get_status (turn)));
      return;
    }
  _gadget_prompt_event_add_text (dict, "run", gadget_session_get_active_run (child));
  _gadget_prompt_event_add_text (dict, "title", gadget_session_get_title (child));
}

GVariant *
gadget_event_to_variant (const GadgetTurnEvent *event, const char *delta)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "event", "s", gadget_event_get_name (event));
  _gadget_prompt_event_add_text (&dict, "delta", delta != NULL ? delta : event->delta);
  switch (event->type)
    {
    case GADGET_TURN_EVENT_TOOL_CALL:
      _gadget_prompt_event_add_text (&dict, "id", gadget_item_get_call_id (event->item));
      _gadget_prompt_event_add_text (&dict, "name", gadget_item_get_name (event->item));
      _gadget_prompt_event_add_text (&dict, "arguments", gadget_item_get_arguments (event->item));
      break;
    case GADGET_TURN_EVENT_TOOL_OUTPUT:
      _gadget_prompt_event_add_text (&dict, "id", gadget_item_get_call_id (event->item));
      break;
    case GADGET_TURN_EVENT_TOOL_RESULT:
      _gadget_prompt_event_add_text (&dict, "id", gadget_item_get_call_id (event->item));
      _gadget_prompt_event_add_text (
          &dict, "status", gadget_item_status_to_string (gadget_item_get_status (event->item)));
      _gadget_prompt_event_add_text (&dict, "content", gadget_item_get_result (event->item));
      break;
    case GADGET_TURN_EVENT_PROMPT:
      gadget_prompt_event_add (&dict, event->prompt);
      _gadget_prompt_event_add_text (&dict, "call", gadget_item_get_call_id (event->item));
      break;
    case GADGET_TURN_EVENT_PROMPT_GONE:
      _gadget_prompt_event_add_text (&dict, "id", gadget_prompt_get_id (event->prompt));
      break;
    case GADGET_TURN_EVENT_SUBAGENT_STARTED:
    case GADGET_TURN_EVENT_SUBAGENT_ENDED:
      add_subagent (&dict, event->item, event->type == GADGET_TURN_EVENT_SUBAGENT_ENDED);
      break;
    case GADGET_TURN_EVENT_TEXT:
    case GADGET_TURN_EVENT_REASONING:
    case GADGET_TURN_EVENT_NOTE:
    case GADGET_TURN_EVENT_STEER:
    case GADGET_TURN_EVENT_SUMMARY:
    default:
      break;
    }
  if (event->subagent != NULL)
    _gadget_prompt_event_add_text (&dict, "subagent", gadget_session_get_id (event->subagent));
  return g_variant_dict_end (&dict);
}
