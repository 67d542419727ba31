/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes the prompt for a call of an MCP tool. A server's claim that a tool only reads is no reason
 * not to ask, and is not repeated in Gadget's own words: it stands on the card as a quotation. */

#define G_LOG_DOMAIN "gadget-tool-mcp"

#include "config.h"

#include "gadget-tool-mcp-ask.h"

#include "common/gadget-json.h"
#include "common/gadget-visible.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The longest name in a title, in characters. */
#define MAX_NAME 60
/* A longer array or object is written on several lines. */
#define MAX_COMPACT 60

/* --- The fingerprint of a tool ---------------------------------------------------------------- */

static void hash_node (GChecksum *checksum, JsonNode *node);

static void
hash_text (GChecksum *checksum, const char *text)
{
  /* The terminating NUL is included, so that two texts do not hash like one. */
  g_checksum_update (checksum, (const guchar *) (text != NULL ? text : ""),
                     (text != NULL ? (gssize) strlen (text) : 0) + 1);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

/* Sorts the members, since a server may write them in another order each time. */
static void
hash_object (GChecksum *checksum, JsonObject *object)
{
  g_autoptr (GList) names = g_list_sort (json_object_get_members (object), compare_names);

  hash_text (checksum, "{");
  for (GList *l = names; l != NULL; l = l->next)
    {
      hash_text (checksum, l->data);
      hash_node (checksum, json_object_get_member (object, l->data));
    }
  hash_text (checksum, "}");
}

static void
hash_array (GChecksum *checksum, JsonArray *array)
{
  hash_text (checksum, "[");
  for (guint i = 0; i < json_array_get_length (array); i++)
    hash_node (checksum, json_array_get_element (array, i));
  hash_text (checksum, "]");
}

static void
hash_node (GChecksum *checksum, JsonNode *node)
{
  g_autofree char *text = NULL;

  if (JSON_NODE_HOLDS_OBJECT (node))
    hash_object (checksum, json_node_get_object (node));
  else if (JSON_NODE_HOLDS_ARRAY (node))
    hash_array (checksum, json_node_get_array (node));
  else
    {
      text = json_to_string (node, FALSE);
      hash_text (checksum, text);
    }
}

/* Returns (transfer full) a hash of the name, title, description and schema of a tool, independent
 * of the order in which the server writes the members of objects. */
static char *
dup_fingerprint (GadgetMcpToolInfo *info)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *schema = gadget_mcp_tool_info_get_schema (info);
  g_autoptr (JsonNode) node =
      schema != NULL ? gadget_json_parse (schema, strlen (schema), NULL) : NULL;

  hash_text (checksum, gadget_mcp_tool_info_get_name (info));
  hash_text (checksum, gadget_mcp_tool_info_get_title (info));
  hash_text (checksum, gadget_mcp_tool_info_get_description (info));
  if (node != NULL)
    hash_node (checksum, node);
  else
    hash_text (checksum, schema);
  return g_strdup (g_checksum_get_string (checksum));
}

/* --- The arguments ---------------------------------------------------------------------------- */

/* Returns a string as it is, other values as JSON. */
static char *
dup_value (JsonNode *node)
{
  g_autofree char *compact = NULL;

  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return g_strdup (json_node_get_string (node));
  compact = json_to_string (node, FALSE);
  if (strlen (compact) <= MAX_COMPACT)
    return g_steal_pointer (&compact);
  return json_to_string (node, TRUE);
}

/* Returns (transfer full) all arguments as lines, see %GADGET_PROMPT_BODY_ARGUMENTS. */
static char *
dup_body (JsonObject *arguments)
{
  g_autoptr (GString) body = g_string_new (NULL);
  g_autoptr (GList) names = json_object_get_members (arguments);

  for (GList *l = names; l != NULL; l = l->next)
    {
      g_autofree char *name = gadget_visible_escape_line (l->data);
      g_autofree char *value = dup_value (json_object_get_member (arguments, l->data));
      g_auto (GStrv) lines = g_strsplit (value, "\n", -1);
      g_autofree char *joined = g_strjoinv ("\n\t", lines);

      if (body->len > 0)
        g_string_append_c (body, '\n');
      g_string_append_printf (body, "%s: %s", name, joined);
    }
  if (names == NULL)
    /* Translators: a tool is called without any */
    g_string_append (body, _ ("No arguments"));
  return g_string_free_and_steal (g_steal_pointer (&body));
}

/* --- The card --------------------------------------------------------------------------------- */

static char *
dup_name (const char *name)
{
  g_autofree char *visible = gadget_visible_escape_line (name);
  const glong length = g_utf8_strlen (visible, -1);

  if (length <= MAX_NAME)
    return g_steal_pointer (&visible);

  g_autofree char *start = g_utf8_substring (visible, 0, MAX_NAME / 2);
  g_autofree char *end = g_utf8_substring (visible, length - MAX_NAME / 2, length);

  return g_strconcat (start, "…", end, NULL);
}

static gboolean
is_this_computer (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  return g_ascii_strcasecmp (host, "localhost") == 0
         || (address != NULL && g_inet_address_get_is_loopback (address));
}

static const char *
describe_reach (const GadgetMcpConfig *config, const char *host)
{
  if (config->url != NULL && (host == NULL || !is_this_computer (host)))
    return _ ("Leaves this computer · writes on the server · reads no file · network: this server");
  if (config->url != NULL)
    return _ ("Stays on this computer · writes as the server does · reads as the server does · "
              "network: this server");
  if (!config->confined)
    return _ ("Stays on this computer · the server’s program may write and read what you may · "
              "network: any server");
  if (config->network)
    return _ ("Stays on this computer · writes and reads in the sandbox · network: any server");
  return _ ("Stays on this computer · writes and reads in the sandbox · no network");
}

GadgetPrompt *
_gadget_tool_mcp_ask (const char *name, const char *subject, GadgetMcpServer *server,
                      GadgetMcpToolInfo *info, JsonObject *arguments)
{
  const GadgetMcpConfig *config = gadget_mcp_server_get_config (server);
  const char *words = gadget_mcp_tool_info_get_description (info);
  g_autoptr (GUri) uri =
      config->url != NULL ? g_uri_parse (config->url, G_URI_FLAGS_NONE, NULL) : NULL;
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  g_autofree char *tool = dup_name (gadget_mcp_tool_info_get_name (info));
  g_autofree char *id = dup_name (gadget_mcp_server_get_id (server));
  g_autofree char *body = dup_body (arguments);
  g_autofree char *fingerprint = dup_fingerprint (info);
  GadgetPrompt *prompt = gadget_prompt_new_permission_for (
      name, gadget_call_summary_new (GADGET_CALL_SUMMARY_ASK_MCP, id, tool), subject,
      describe_reach (config, host));

  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_ARGUMENTS, body);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, host != NULL ? host : _ ("this computer"));
  if (words == NULL)
    words = gadget_mcp_tool_info_get_title (info);
  if (words != NULL && *words != '\0')
    {
      gadget_prompt_set_text (prompt, GADGET_PROMPT_QUOTE_SOURCE,
                              _ ("The server describes this tool:"));
      gadget_prompt_set_text (prompt, GADGET_PROMPT_QUOTE, words);
    }
  gadget_prompt_add_access_as_now (prompt, GADGET_ACCESS_MCP, subject, fingerprint, FALSE);
  return prompt;
}
