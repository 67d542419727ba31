/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "strict-request.h"

#include <json-glib/json-glib.h>
#include <string.h>

static void
assert_call (const GadgetRequestCall *call, GHashTable *ids)
{
  g_autoptr (JsonNode) arguments = json_from_string (call->arguments, NULL);

  g_assert_cmpstr (call->id, !=, "");
  g_assert_cmpuint (strlen (call->id), <=, 64);
  g_assert_true (g_regex_match_simple ("^[a-zA-Z0-9_-]{1,64}$", call->name, 0, 0));
  g_assert_nonnull (arguments);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (arguments));
  g_assert_true (g_hash_table_add (ids, call->id));
}

void
strict_request_assert (GadgetRequest *request)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  GadgetRole previous = GADGET_ROLE_ASSISTANT;

  g_assert_cmpuint (request->messages->len, >, 0);
  for (guint i = 0; i < request->messages->len; i++)
    {
      const GadgetMessage *message = g_ptr_array_index (request->messages, i);

      switch (message->role)
        {
        case GADGET_ROLE_USER:
          g_assert_true (i == 0 || previous != GADGET_ROLE_USER);
          g_assert_cmpstr (message->text, !=, "");
          break;
        case GADGET_ROLE_ASSISTANT:
          g_assert_true (previous == GADGET_ROLE_USER || previous == GADGET_ROLE_TOOL);
          g_assert_true (*message->text != '\0' || message->calls->len > 0);
          break;
        default:
          g_assert_not_reached ();
        }
      previous = message->role;

      for (guint call = 0; call < message->calls->len; call++)
        assert_call (g_ptr_array_index (message->calls, call), ids);
      /* The results follow in the order of the calls, and are all there. */
      for (guint call = 0; call < message->calls->len; call++)
        {
          const GadgetRequestCall *made = g_ptr_array_index (message->calls, call);
          const GadgetMessage *answer;

          g_assert_cmpuint (++i, <, request->messages->len);
          answer = g_ptr_array_index (request->messages, i);
          g_assert_cmpint (answer->role, ==, GADGET_ROLE_TOOL);
          g_assert_cmpstr (answer->call_id, ==, made->id);
          previous = GADGET_ROLE_TOOL;
        }
    }
  g_assert_cmpint (previous, !=, GADGET_ROLE_ASSISTANT);
}
