/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat is a flat list of items: messages, calls, results and reasoning. The server is told to
 * store nothing, so each request has all items, with reasoning in an encrypted form.
 *
 * No item is sent with an id. The server checks that related items are sent together, but only by
 * their ids ("Item 'rs_…' of type 'reasoning' was provided without its required following item");
 * after an abort, Gadget has only some of the items that the server made. */

#include "config.h"

#include "gadget-openai-responses-format.h"

#include "common/gadget-json.h"
#include "gadget-dialect-json.h"

#include <string.h>

/* --- Items ----------------------------------------------------------------------------------- */

static void
add_text (JsonBuilder *json, const char *type, const char *text)
{
  json_builder_begin_object (json);
  gadget_dialect_add_string (json, "type", type);
  gadget_dialect_add_string (json, "text", text);
  json_builder_end_object (json);
}

/* The published schema requires the list of annotations, even if it is empty. */
static void
add_output_text (JsonBuilder *json, const char *text)
{
  json_builder_begin_object (json);
  gadget_dialect_add_string (json, "type", "output_text");
  gadget_dialect_add_string (json, "text", text);
  gadget_dialect_begin_array (json, "annotations");
  json_builder_end_array (json);
  json_builder_end_object (json);
}

static void
add_image (JsonBuilder *json, const GadgetPart *part)
{
  g_autofree char *words = gadget_dialect_dup_image_words (part);
  g_autofree char *url = NULL;

  if (words != NULL)
    {
      add_text (json, "input_text", words);
      return;
    }
  url = gadget_dialect_dup_data_url (part);
  json_builder_begin_object (json);
  gadget_dialect_add_string (json, "type", "input_image");
  gadget_dialect_add_string (json, "detail", "auto");
  gadget_dialect_add_string (json, "image_url", url);
  json_builder_end_object (json);
}

static void
add_inputs (JsonBuilder *json, const GadgetMessage *message)
{
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      if (part->type == GADGET_PART_IMAGE)
        add_image (json, part);
      else if (!gadget_dialect_is_blank (part->text))
        add_text (json, "input_text", part->text);
    }
}

static void
begin_message (JsonBuilder *json, const char *role)
{
  json_builder_begin_object (json);
  gadget_dialect_add_string (json, "type", "message");
  gadget_dialect_add_string (json, "role", role);
  gadget_dialect_begin_array (json, "content");
}

static void
end_message (JsonBuilder *json)
{
  json_builder_end_array (json);
  json_builder_end_object (json);
}

static void
add_result (JsonBuilder *json, const GadgetMessage *message)
{
  json_builder_begin_object (json);
  gadget_dialect_add_string (json, "type", "function_call_output");
  gadget_dialect_add_string (json, "call_id", message->call_id);
  if (gadget_message_count (message, GADGET_PART_IMAGE) > 0)
    {
      gadget_dialect_begin_array (json, "output");
      add_inputs (json, message);
      json_builder_end_array (json);
    }
  else
    {
      g_autofree char *text = gadget_message_dup_text (message);

      gadget_dialect_add_string (json, "output", text);
    }
  json_builder_end_object (json);
}

static void
add_call (JsonBuilder *json, const GadgetPart *part)
{
  json_builder_begin_object (json);
  gadget_dialect_add_string (json, "type", "function_call");
  gadget_dialect_add_string (json, "call_id", part->call_id);
  gadget_dialect_add_string (json, "name", part->name);
  gadget_dialect_add_string (json, "arguments", part->arguments);
  json_builder_end_object (json);
}

/* Adds the item as it was received; the parser removes its id and its status. */
static void
add_reasoning (JsonBuilder *json, const char *replay)
{
  JsonNode *item = gadget_json_parse (replay, strlen (replay), NULL);

  if (item != NULL)
    json_builder_add_value (json, item);
}

static gboolean
has_text (const GadgetPart *part)
{
  return part->type == GADGET_PART_CALL
         || (part->type == GADGET_PART_TEXT && !gadget_dialect_is_blank (part->text));
}

/* Returns TRUE if a call or text follows. The server refuses reasoning that nothing follows. */
static gboolean
leads_on (const GadgetMessage *message, guint index)
{
  for (guint i = index + 1; i < message->parts->len; i++)
    if (has_text (g_ptr_array_index (message->parts, i)))
      return TRUE;
  return FALSE;
}

static void
add_answer (JsonBuilder *json, const GadgetMessage *message, gboolean with_reasoning)
{
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      if (part->type == GADGET_PART_REASONING && part->replay != NULL && with_reasoning
          && leads_on (message, i))
        {
          add_reasoning (json, part->replay);
        }
      else if (part->type == GADGET_PART_CALL)
        {
          add_call (json, part);
        }
      else if (has_text (part))
        {
          begin_message (json, "assistant");
          add_output_text (json, part->text);
          end_message (json);
        }
    }
}

/* --- Requests -------------------------------------------------------------------------------- */

static void
add_input (JsonBuilder *json, GPtrArray *messages, gboolean with_reasoning)
{
  gadget_dialect_begin_array (json, "input");
  for (guint i = 0; i < messages->len; i++)
    {
      const GadgetMessage *message = g_ptr_array_index (messages, i);

      switch (message->role)
        {
        case GADGET_ROLE_USER:
          begin_message (json, "user");
          add_inputs (json, message);
          end_message (json);
          break;
        case GADGET_ROLE_TOOL:
          add_result (json, message);
          break;
        case GADGET_ROLE_ASSISTANT:
        default:
          add_answer (json, message, with_reasoning);
          break;
        }
    }
  json_builder_end_array (json);
}

/* "strict" is the default of this API, and accepts only schemas of a certain form. */
static void
add_tools (JsonBuilder *json, GPtrArray *tools)
{
  gadget_dialect_begin_array (json, "tools");
  for (guint i = 0; i < tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (tools, i);

      json_builder_begin_object (json);
      gadget_dialect_add_string (json, "type", "function");
      gadget_dialect_add_string (json, "name", tool->name);
      gadget_dialect_add_string (json, "description", tool->description);
      gadget_dialect_add_boolean (json, "strict", FALSE);
      if (!gadget_dialect_add_json (json, "parameters", tool->schema))
        gadget_dialect_add_json (json, "parameters", "{\"type\":\"object\",\"properties\":{}}");
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

/* Asks for the summary of the reasoning, for people to read, and for its encrypted form, which is
 * sent back. */
static void
add_reasoning_options (JsonBuilder *json)
{
  gadget_dialect_begin_array (json, "include");
  json_builder_add_string_value (json, "reasoning.encrypted_content");
  json_builder_end_array (json);
  gadget_dialect_begin_object (json, "reasoning");
  gadget_dialect_add_string (json, "summary", "auto");
  json_builder_end_object (json);
}

/**
 * gadget_openai_responses_make_request:
 * @model: (nullable): left out if %NULL
 * @with_reasoning: %TRUE to ask for reasoning, and to send earlier reasoning back
 *
 * Returns: (transfer full): the JSON body of a streamed request
 */
GBytes *
gadget_openai_responses_make_request (GadgetRequest *request, const char *model,
                                      gboolean with_reasoning)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_object (json);
  if (model != NULL)
    gadget_dialect_add_string (json, "model", model);
  gadget_dialect_add_boolean (json, "stream", TRUE);
  gadget_dialect_add_boolean (json, "store", FALSE);
  if (with_reasoning)
    add_reasoning_options (json);
  if (request->system != NULL && !gadget_dialect_is_blank (request->system))
    gadget_dialect_add_string (json, "instructions", request->system);
  add_input (json, request->messages, with_reasoning);
  if (request->tools->len > 0)
    add_tools (json, request->tools);
  json_builder_end_object (json);

  return gadget_dialect_to_bytes (json);
}
