/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A response is a list of items, each with its output_index: reasoning, a message or a call. An
 * item is added, grows by deltas, and arrives once more as a whole when it is done; at the end the
 * whole response arrives again. What the deltas did not contain is taken from the whole item,
 * because servers differ in the deltas that they send. A response that is one JSON object is read
 * as such a list.
 *
 * The replay text of reasoning is its item as it was received, without its id and its status; see
 * the format. Without encrypted content the item has nothing that the server could use. */

#include "config.h"

#include "gadget-openai-responses-parser.h"

#include "gadget-dialect-json.h"
#include "gadget-error-parser.h"
#include "common/gadget-json.h"

#include <string.h>

typedef enum
{
  ITEM_OTHER, /* a kind that was not asked for */
  ITEM_MESSAGE,
  ITEM_REASONING,
  ITEM_CALL,
} ItemType;

typedef struct
{
  ItemType type;
  gint64 index;
  guint call_index;
  gsize reported; /* bytes of text or arguments passed to the sink */
  gboolean done;
} Item;

typedef struct
{
  GadgetResponseParser base;

  GPtrArray *items;   /* of Item, in the order in which they were added */
  gboolean too_large; /* the arguments of a call are */
} GadgetOpenaiResponsesParser;

/* --- Items ----------------------------------------------------------------------------------- */

static ItemType
get_item_type (JsonObject *object)
{
  const char *type = gadget_json_get_string (object, "type");

  if (g_strcmp0 (type, "message") == 0)
    return ITEM_MESSAGE;
  if (g_strcmp0 (type, "reasoning") == 0)
    return ITEM_REASONING;
  if (g_strcmp0 (type, "function_call") == 0)
    return ITEM_CALL;
  return ITEM_OTHER;
}

static Item *
find_item (GadgetOpenaiResponsesParser *self, gint64 index)
{
  for (guint i = self->items->len; i > 0; i--)
    {
      Item *item = g_ptr_array_index (self->items, i - 1);

      if (item->index == index)
        return item;
    }
  return NULL;
}

/* Returns NULL with @error if there are too many items. */
static Item *
need_item (GadgetOpenaiResponsesParser *self, gint64 index, JsonObject *object, GError **error)
{
  Item *item = find_item (self, index);

  if (item != NULL)
    return item;
  if (self->items->len >= GADGET_DIALECT_MAX_PARTS)
    {
      gadget_response_parser_fail (GADGET_PROVIDER_ERROR_TOO_LARGE, "The answer has too many parts",
                                   error);
      return NULL;
    }
  item = g_new0 (Item, 1);
  item->type = get_item_type (object);
  /* A call without a name cannot be run. */
  if (item->type == ITEM_CALL && gadget_dialect_get_text (object, "name") == NULL)
    item->type = ITEM_OTHER;
  item->index = index;
  g_ptr_array_add (self->items, item);
  if (item->type == ITEM_CALL
      && !gadget_response_parser_begin_call (
          &self->base, gadget_json_get_string (object, "call_id"), "call_",
          gadget_json_get_string (object, "name"), &item->call_index, error))
    return NULL;
  return item;
}

static void
grow_item (GadgetOpenaiResponsesParser *self, Item *item, const char *text)
{
  static const GadgetChatEventType types[] = { [ITEM_MESSAGE] = GADGET_CHAT_TEXT,
                                               [ITEM_REASONING] = GADGET_CHAT_REASONING,
                                               [ITEM_CALL] = GADGET_CHAT_CALL_ARGUMENTS };

  if (item == NULL || item->done || item->type == ITEM_OTHER || text == NULL || *text == '\0')
    return;
  if (item->type == ITEM_CALL
      && !gadget_response_parser_check_part_size (item->reported, text, "", NULL))
    {
      self->too_large = TRUE;
      return;
    }
  item->reported += strlen (text);
  gadget_response_parser_emit (&self->base, (GadgetChatEvent) { .type = types[item->type],
                                                                .call_index = item->call_index,
                                                                .text = text });
}

/* Emits the text of a list of parts: of a message, a summary, or reasoning that is not
 * encrypted. */
static void
emit_parts (GadgetOpenaiResponsesParser *self, Item *item, JsonArray *parts, const char *between)
{
  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    {
      JsonObject *part = gadget_json_get_element (parts, i);

      if (i > 0)
        grow_item (self, item, between);
      grow_item (self, item, gadget_json_get_string (part, "text"));
      grow_item (self, item, gadget_json_get_string (part, "refusal"));
    }
}

static char *
make_replay (JsonObject *object)
{
  const char *encrypted = gadget_json_get_string (object, "encrypted_content");
  g_autoptr (JsonObject) kept = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GList) names = NULL;

  if (encrypted == NULL || *encrypted == '\0')
    return NULL;
  kept = json_object_new ();
  names = json_object_get_members (object);
  for (GList *l = names; l != NULL; l = l->next)
    if (strcmp (l->data, "id") != 0 && strcmp (l->data, "status") != 0)
      json_object_set_member (kept, l->data, json_object_dup_member (object, l->data));
  node = json_node_init_object (json_node_alloc (), kept);
  return json_to_string (node, FALSE);
}

static void
end_reasoning (GadgetOpenaiResponsesParser *self, Item *item, JsonObject *object)
{
  g_autofree char *replay = make_replay (object);

  if (item->reported == 0)
    emit_parts (self, item, gadget_json_get_array (object, "summary"), "\n\n");
  if (item->reported == 0)
    emit_parts (self, item, gadget_json_get_array (object, "content"), "\n\n");
  gadget_response_parser_emit (
      &self->base, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING_END, .replay = replay });
}

static void
end_call (GadgetOpenaiResponsesParser *self, Item *item)
{
  grow_item (self, item, item->reported == 0 ? "{}" : NULL);
  item->done = TRUE;
  gadget_response_parser_end_call (&self->base, item->call_index, NULL);
}

/* A call that was cut at the limit of tokens has the status "incomplete", and stays open. If
 * @object has another type than the item it is not that item, though a server gave both one index:
 * the item goes on. */
static void
end_item (GadgetOpenaiResponsesParser *self, Item *item, JsonObject *object)
{
  if (item->done || item->type != get_item_type (object))
    return;
  switch (item->type)
    {
    case ITEM_MESSAGE:
      if (item->reported == 0)
        emit_parts (self, item, gadget_json_get_array (object, "content"), "");
      break;
    case ITEM_REASONING:
      end_reasoning (self, item, object);
      break;
    case ITEM_CALL:
      if (item->reported == 0)
        grow_item (self, item, gadget_json_get_string (object, "arguments"));
      if (g_strcmp0 (gadget_json_get_string (object, "status"), "incomplete") == 0)
        return;
      end_call (self, item);
      break;
    case ITEM_OTHER:
    default:
      break;
    }
  item->done = TRUE;
}

/* --- The response ---------------------------------------------------------------------------- */

/* Items whose own events were received before are skipped. */
static gboolean
parse_output (GadgetOpenaiResponsesParser *self, JsonObject *response, GError **error)
{
  JsonArray *output = gadget_json_get_array (response, "output");

  for (guint i = 0; output != NULL && i < json_array_get_length (output); i++)
    {
      JsonObject *object = gadget_json_get_element (output, i);
      Item *item;

      if (object == NULL)
        continue;
      item = need_item (self, i, object, error);
      if (item == NULL)
        return FALSE;
      end_item (self, item, object);
    }
  return TRUE;
}

static void
parse_usage (GadgetOpenaiResponsesParser *self, JsonObject *usage)
{
  GadgetUsage sum = { 0 };

  if (usage == NULL)
    return;
  gadget_json_get_int (usage, "input_tokens", &sum.input_tokens);
  gadget_json_get_int (usage, "output_tokens", &sum.output_tokens);
  gadget_response_parser_read_details (gadget_json_get_object (usage, "input_tokens_details"),
                                       gadget_json_get_object (usage, "output_tokens_details"),
                                       &sum);
  gadget_response_parser_emit_usage (&self->base, sum);
}

static gboolean
fail_with_error (JsonObject *reported, GError **error)
{
  const char *code = gadget_json_get_string (reported, "code");

  g_propagate_error (error, gadget_error_parser_new (200, code != NULL ? code : "",
                                                     gadget_json_get_string (reported, "message")));
  return FALSE;
}

/* Takes the final response: "completed", "incomplete", "failed" or "cancelled". */
static gboolean
parse_response (GadgetOpenaiResponsesParser *self, JsonObject *response, GError **error)
{
  const char *status = gadget_json_get_string (response, "status");
  JsonObject *details = gadget_json_get_object (response, "incomplete_details");
  const char *reason = gadget_json_get_string (details, "reason");

  gadget_response_parser_finish (&self->base);
  parse_usage (self, gadget_json_get_object (response, "usage"));
  if (gadget_json_get_object (response, "error") != NULL)
    return fail_with_error (gadget_json_get_object (response, "error"), error);
  if (g_strcmp0 (status, "failed") == 0)
    return fail_with_error (NULL, error);
  if (g_strcmp0 (status, "cancelled") == 0)
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_CUT,
                                        "The provider cancelled the answer", error);
  if (g_strcmp0 (status, "incomplete") == 0)
    self->base.finish_reason = g_strdup (reason != NULL ? reason : "");
  return parse_output (self, response, error);
}

static gboolean
handle_item_event (GadgetOpenaiResponsesParser *self, const char *type, JsonObject *object,
                   GError **error)
{
  JsonObject *reported = gadget_json_get_object (object, "item");
  gint64 index = 0;
  gint64 part = 0;
  Item *item;

  gadget_json_get_int (object, "output_index", &index);
  if (g_str_has_prefix (type, "response.output_item.") && reported != NULL)
    {
      item = need_item (self, index, reported, error);
      if (item != NULL && g_str_has_suffix (type, ".done"))
        end_item (self, item, reported);
      return item != NULL;
    }

  item = find_item (self, index);
  if (g_str_equal (type, "response.reasoning_summary_part.added"))
    {
      gadget_json_get_int (object, "summary_index", &part);
      if (part > 0 && item != NULL && item->type == ITEM_REASONING && item->reported > 0)
        grow_item (self, item, "\n\n");
    }
  else if (g_str_equal (type, "response.output_text.delta")
           || g_str_equal (type, "response.refusal.delta")
           || g_str_equal (type, "response.reasoning_summary_text.delta")
           || g_str_equal (type, "response.reasoning_text.delta")
           || g_str_equal (type, "response.function_call_arguments.delta"))
    grow_item (self, item, gadget_json_get_string (object, "delta"));
  else if (g_str_equal (type, "response.function_call_arguments.done") && item != NULL
           && item->type == ITEM_CALL && item->reported == 0)
    grow_item (self, item, gadget_json_get_string (object, "arguments"));
  return TRUE;
}

static gboolean
is_last (const char *type)
{
  static const char *const types[] = { "response.completed", "response.incomplete",
                                       "response.failed", "response.cancelled", NULL };

  return g_strv_contains (types, type);
}

static gboolean
handle_any_event (GadgetOpenaiResponsesParser *self, const char *event, JsonNode *node,
                  GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *type = gadget_json_get_string (object, "type");

  if (type == NULL)
    type = event != NULL ? event : "";
  if (!gadget_response_parser_check_error (NULL, node, error))
    return FALSE;
  if (g_str_equal (type, "error"))
    return fail_with_error (object, error);
  if (event == NULL)
    {
      if (gadget_json_get_array (object, "output") == NULL)
        return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_BAD_ANSWER,
                                            "The answer has no output in it", error);
      return parse_response (self, object, error);
    }
  if (g_str_has_prefix (type, "response."))
    self->base.begun = TRUE;
  if (is_last (type))
    return parse_response (self, gadget_json_get_object (object, "response"), error);
  return handle_item_event (self, type, object, error);
}

static gboolean
parse_value (GadgetResponseParser *base, const char *event, JsonNode *node, GError **error)
{
  GadgetOpenaiResponsesParser *self = (GadgetOpenaiResponsesParser *) base;

  if (!handle_any_event (self, event, node, error))
    return FALSE;
  return !self->too_large
         || gadget_response_parser_fail (GADGET_PROVIDER_ERROR_TOO_LARGE,
                                         "The arguments of a tool call are too large", error);
}

static gboolean
check_incomplete (GadgetOpenaiResponsesParser *self, GError **error)
{
  if (self->base.finish_reason == NULL)
    return TRUE;
  if (g_str_equal (self->base.finish_reason, "content_filter"))
    return gadget_response_parser_fail (
        GADGET_PROVIDER_ERROR_REFUSED,
        "The provider's filter stopped the answer (“content_filter”)", error);
  if (g_str_equal (self->base.finish_reason, "max_output_tokens"))
    return TRUE;
  return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_CUT,
                                      "The provider calls the answer incomplete", error);
}

static gboolean
end (GadgetResponseParser *base, GError **error)
{
  GadgetOpenaiResponsesParser *self = (GadgetOpenaiResponsesParser *) base;

  if (!base->done)
    return gadget_response_parser_fail_cut (base, error);
  if (!check_incomplete (self, error))
    return FALSE;
  if (base->finish_reason != NULL)
    {
      /* A call that is not done was cut. */
      gadget_response_parser_emit (base, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
      return TRUE;
    }
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);

      if (item->type == ITEM_CALL && !item->done)
        end_call (self, item);
    }
  return TRUE;
}

static void
init (GadgetResponseParser *base)
{
  ((GadgetOpenaiResponsesParser *) base)->items = g_ptr_array_new_with_free_func (g_free);
}

static void
clear (GadgetResponseParser *base)
{
  GadgetOpenaiResponsesParser *self = (GadgetOpenaiResponsesParser *) base;

  g_ptr_array_unref (self->items);
}

const GadgetResponseParserClass gadget_openai_responses_parser_class = {
  .size = sizeof (GadgetOpenaiResponsesParser),
  .init = init,
  .clear = clear,
  .parse_value = parse_value,
  .end = end,
};
