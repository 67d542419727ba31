/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "strict-request.h"

#include <json-glib/json-glib.h>
#include <string.h>

static void
assert_call (const GadgetPart *call, GHashTable *ids)
{
  g_autoptr (JsonNode) arguments = json_from_string (call->arguments, NULL);

  g_assert_cmpstr (call->call_id, !=, "");
  g_assert_cmpuint (strlen (call->call_id), <=, 64);
  g_assert_true (g_regex_match_simple ("^[a-zA-Z0-9_-]{1,64}$", call->name, 0, 0));
  g_assert_nonnull (arguments);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (arguments));
  g_assert_true (g_hash_table_add (ids, call->call_id));
}

const char *
request_get_text (GadgetRequest *request, guint index)
{
  g_autofree char *text = NULL;

  g_assert_cmpuint (index, <, request->messages->len);
  text = gadget_message_dup_text (g_ptr_array_index (request->messages, index));
  return g_intern_string (text);
}

static void
assert_part (const GadgetPart *part, GadgetRole role, GHashTable *ids)
{
  switch (part->type)
    {
    case GADGET_PART_TEXT:
      g_assert_cmpuint (strspn (part->text, " \n\t\r"), <, strlen (part->text));
      break;
    case GADGET_PART_REASONING:
      g_assert_cmpint (role, ==, GADGET_ROLE_ASSISTANT);
      g_assert_nonnull (part->replay);
      break;
    case GADGET_PART_CALL:
      g_assert_cmpint (role, ==, GADGET_ROLE_ASSISTANT);
      assert_call (part, ids);
      break;
    default:
      g_assert_cmpint (role, !=, GADGET_ROLE_ASSISTANT);
      g_assert_nonnull (part->data);
    }
}

/* Its results follow in the order of the calls, and are all there. Returns how many. */
static guint
assert_results (GadgetRequest *request, guint index)
{
  const GadgetMessage *message = g_ptr_array_index (request->messages, index);
  guint n_results = 0;

  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);
      const GadgetMessage *answer;

      if (part->type != GADGET_PART_CALL)
        continue;
      g_assert_cmpuint (index + ++n_results, <, request->messages->len);
      answer = g_ptr_array_index (request->messages, index + n_results);
      g_assert_cmpint (answer->role, ==, GADGET_ROLE_TOOL);
      g_assert_cmpstr (answer->call_id, ==, part->call_id);
      g_assert_cmpstr (answer->name, ==, part->name);
    }
  return n_results;
}

void
strict_request_assert (GadgetRequest *request)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  GadgetRole previous = GADGET_ROLE_ASSISTANT;

  g_assert_cmpuint (request->messages->len, >, 0);
  for (guint i = 0; i < request->messages->len;)
    {
      const GadgetMessage *message = g_ptr_array_index (request->messages, i);
      guint n_results;

      g_assert_cmpuint (message->parts->len, >, 0);
      if (message->role == GADGET_ROLE_USER)
        g_assert_true (i == 0 || previous != GADGET_ROLE_USER);
      else
        g_assert_true (message->role == GADGET_ROLE_ASSISTANT && previous != GADGET_ROLE_ASSISTANT);
      for (guint part = 0; part < message->parts->len; part++)
        assert_part (g_ptr_array_index (message->parts, part), message->role, ids);
      /* Reasoning led to something. */
      g_assert_cmpint (
          ((GadgetPart *) g_ptr_array_index (message->parts, message->parts->len - 1))->type, !=,
          GADGET_PART_REASONING);
      n_results = assert_results (request, i);
      previous = n_results > 0 ? GADGET_ROLE_TOOL : message->role;
      i += 1 + n_results;
    }
  g_assert_cmpint (previous, !=, GADGET_ROLE_ASSISTANT);
}
