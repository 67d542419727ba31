/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tools are takes about two thousand tokens, and several times as many with a vocabulary
 * that was not made for it. A small model, or one that a server gives little room, cannot read that
 * with even the shortest message. When a provider says so, the model is offered the few tools that
 * do most, without the words that explain them; and none when that is too much as well. Talking
 * without tools is better than not at all. Kept until the program ends. */

#define G_LOG_DOMAIN "gadget-offer"

#include "config.h"

#include "gadget-offer.h"

#include "common/gadget-json.h"
#include "tools/gadget-tool-task.h"

enum
{
  OFFER_ALL,
  OFFER_FEW,
  OFFER_NONE,
};

GHashTable *
_gadget_offers_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static char *
make_key (const char *provider_id, GadgetRequest *request)
{
  return g_strdup_printf ("%s\n%s", provider_id != NULL ? provider_id : "",
                          request->model != NULL ? request->model : "");
}

static gboolean
is_one_of_few (const char *name)
{
  static const char *const few[] = { "read_file", "write_file",          "list_dir", "shell",
                                     "ask_user",  GADGET_TOOL_TASK_NAME, NULL };

  return g_strv_contains (few, name);
}

static void
strip (JsonNode *node)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        strip (json_array_get_element (array, i));
    }
  else if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObject *object = json_node_get_object (node);
      g_autoptr (GList) members = NULL;

      /* An argument may have that name as well; what it is, is an object. */
      if (gadget_json_get_string (object, "description") != NULL)
        json_object_remove_member (object, "description");
      members = json_object_get_values (object);
      for (GList *member = members; member != NULL; member = member->next)
        strip (member->data);
    }
}

static void
shorten (GadgetToolSpec *tool)
{
  g_autoptr (JsonNode) schema = json_from_string (tool->schema, NULL);

  g_set_str (&tool->description, "");
  if (schema == NULL)
    return;
  strip (schema);
  g_free (tool->schema);
  tool->schema = json_to_string (schema, FALSE);
}

void
_gadget_offer_apply (GHashTable *offers, const char *provider_id, GadgetRequest *request)
{
  g_autofree char *key = make_key (provider_id, request);
  const guint level = GPOINTER_TO_UINT (g_hash_table_lookup (offers, key));

  if (level == OFFER_ALL)
    return;
  for (guint i = request->tools->len; i > 0; i--)
    {
      GadgetToolSpec *tool = g_ptr_array_index (request->tools, i - 1);

      if (level == OFFER_FEW && is_one_of_few (tool->name))
        shorten (tool);
      else
        g_ptr_array_remove_index (request->tools, i - 1);
    }
}

gboolean
_gadget_offer_lower (GHashTable *offers, const char *provider_id, GadgetRequest *request)
{
  g_autofree char *key = make_key (provider_id, request);
  const guint level = GPOINTER_TO_UINT (g_hash_table_lookup (offers, key));
  const gint64 tokens = gadget_request_count_tokens (request);

  if (level == OFFER_NONE || request->tools->len == 0
      || gadget_request_count_tool_tokens (request) * 2 < tokens)
    return FALSE;
  g_message ("the model \"%s\" has no room for %u tools; %s of them will be offered",
             request->model != NULL ? request->model : "", request->tools->len,
             level == OFFER_ALL ? "few" : "none");
  g_hash_table_insert (offers, g_steal_pointer (&key), GUINT_TO_POINTER (level + 1));
  return TRUE;
}
