/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The stored description of a server: the checks that it is valid, its form as JSON, and the
 * secrets of the keyring that are added before the server is started. The functions have no
 * state. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-config.h"

#include "common/gadget-json.h"
#include "secrets/gadget-secret-values.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* In bytes. */
#define MAX_ID 32

G_DEFINE_QUARK (gadget-mcp-config-error-quark, gadget_mcp_config_error)

/**
 * gadget_mcp_config_new:
 * @id: the server's id
 *
 * Returns: (transfer full): a config without a command and an address, confined and without network
 */
GadgetMcpConfig *
gadget_mcp_config_new (const char *id)
{
  GadgetMcpConfig *self = g_new0 (GadgetMcpConfig, 1);

  self->id = g_strdup (id);
  self->environment = g_new0 (char *, 1);
  self->headers = g_new0 (char *, 1);
  self->secrets = g_new0 (char *, 1);
  self->folders = g_new0 (char *, 1);
  self->confined = TRUE;
  return self;
}

/**
 * gadget_mcp_config_copy:
 *
 * Returns: (transfer full): a deep copy
 */
GadgetMcpConfig *
gadget_mcp_config_copy (const GadgetMcpConfig *self)
{
  g_autofree char *json = gadget_mcp_config_to_json (self);

  return gadget_mcp_config_from_json (self->id, json);
}

/**
 * gadget_mcp_config_free:
 *
 * Frees a config. Does nothing for %NULL.
 */
void
gadget_mcp_config_free (GadgetMcpConfig *self)
{
  if (self == NULL)
    return;
  g_free (self->id);
  g_strfreev (self->command);
  g_free (self->url);
  g_strfreev (self->environment);
  g_strfreev (self->headers);
  g_strfreev (self->secrets);
  g_strfreev (self->folders);
  g_free (self);
}

/* --- Checks -----------------------------------------------------------------------------------
 */

static gboolean fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list words;

  va_start (words, format);
  text = g_strdup_vprintf (format, words);
  va_end (words);
  g_set_error_literal (error, GADGET_MCP_CONFIG_ERROR, GADGET_MCP_CONFIG_ERROR_INVALID, text);
  return FALSE;
}

static gboolean
is_name (const char *word, const char *more)
{
  if (*word == '\0')
    return FALSE;
  for (const char *c = word; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr (more, *c) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
check_id (const char *id, GError **error)
{
  gboolean good = strlen (id) <= MAX_ID && is_name (id, "-_");

  for (const char *c = id; *c != '\0'; c++)
    good = good && !g_ascii_isupper (*c);
  if (good)
    return TRUE;
  return fail (error, _ ("“%s” cannot be an ID: small letters, digits, “-” and “_” can"), id);
}

static gboolean
check_url (const char *url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);

  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0'
      || (!g_str_equal (g_uri_get_scheme (uri), "http")
          && !g_str_equal (g_uri_get_scheme (uri), "https")))
    return fail (error, _ ("“%s” is not an address; one begins with https://"), url);
  if (g_uri_get_userinfo (uri) != NULL)
    return fail (error, _ ("A password cannot be part of the address “%s”; use a header"),
                 g_uri_get_host (uri));
  return TRUE;
}

static gboolean
check_words (const GadgetMcpConfig *self, GError **error)
{
  for (guint i = 0; self->environment[i] != NULL; i++)
    {
      const char *equals = strchr (self->environment[i], '=');
      g_autofree char *name =
          equals != NULL ? g_strndup (self->environment[i], (gsize) (equals - self->environment[i]))
                         : g_strdup ("");

      if (!is_name (name, "_"))
        return fail (error, _ ("“%s” is not of the form NAME=value"), self->environment[i]);
    }
  for (guint i = 0; self->headers[i] != NULL; i++)
    {
      const char *colon = strchr (self->headers[i], ':');
      g_autofree char *name = colon != NULL
                                  ? g_strndup (self->headers[i], (gsize) (colon - self->headers[i]))
                                  : g_strdup ("");

      if (!is_name (name, "-_") || strpbrk (self->headers[i], "\r\n") != NULL)
        return fail (error, _ ("“%s” is not of the form Name: value"), self->headers[i]);
    }
  for (guint i = 0; self->secrets[i] != NULL; i++)
    if (!is_name (self->secrets[i], "-_"))
      return fail (error, _ ("“%s” cannot be the name of a secret"), self->secrets[i]);
  for (guint i = 0; self->folders[i] != NULL; i++)
    if (!g_path_is_absolute (self->folders[i]))
      return fail (error, _ ("“%s” is not the whole path of a folder"), self->folders[i]);
  return TRUE;
}

/**
 * gadget_mcp_config_check:
 *
 * Returns: whether the config is valid; else %FALSE with %GADGET_MCP_CONFIG_ERROR_INVALID and a
 *   translated message that says what is wrong
 */
gboolean
gadget_mcp_config_check (const GadgetMcpConfig *self, GError **error)
{
  const gboolean has_command = self->command != NULL && self->command[0] != NULL;

  if (!check_id (self->id, error))
    return FALSE;
  if (has_command == (self->url != NULL))
    return fail (error, _ ("“%s” needs either a command or an address"), self->id);
  if (self->url != NULL && !check_url (self->url, error))
    return FALSE;
  return check_words (self, error);
}

/**
 * gadget_mcp_config_find_secret:
 *
 * Looks for a password or key that is about to be stored in plain text, judging by its name and by
 * how its value begins.
 *
 * Returns: (transfer full) (nullable): the name of the variable or header
 */
char *
gadget_mcp_config_find_secret (const GadgetMcpConfig *self)
{
  char *name = gadget_secret_values_find (self->environment, '=');

  return name != NULL ? name : gadget_secret_values_find (self->headers, ':');
}

/* --- As JSON ----------------------------------------------------------------------------------
 */

static void
add_words (JsonObject *object, const char *name, char **words)
{
  JsonArray *array;

  if (words == NULL || words[0] == NULL)
    return;
  array = json_array_new ();
  for (guint i = 0; words[i] != NULL; i++)
    json_array_add_string_element (array, words[i]);
  json_object_set_array_member (object, name, array);
}

/**
 * gadget_mcp_config_to_json:
 *
 * Returns: (transfer full): everything but the id, as one line of JSON
 */
char *
gadget_mcp_config_to_json (const GadgetMcpConfig *self)
{
  JsonObject *object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  add_words (object, "command", self->command);
  if (self->url != NULL)
    json_object_set_string_member (object, "url", self->url);
  add_words (object, "environment", self->environment);
  add_words (object, "headers", self->headers);
  add_words (object, "secrets", self->secrets);
  add_words (object, "folders", self->folders);
  json_object_set_boolean_member (object, "network", self->network);
  json_object_set_boolean_member (object, "confined", self->confined);
  json_node_take_object (node, object);
  return json_to_string (node, FALSE);
}

/* Reads the text of gadget_mcp_config_to_json () (transfer full). Missing members get the values of
 * a new config, so a text that cannot be read grants nothing. */
GadgetMcpConfig *
gadget_mcp_config_from_json (const char *id, const char *json)
{
  GadgetMcpConfig *self = gadget_mcp_config_new (id);
  g_autoptr (JsonNode) node = gadget_json_parse (json, strlen (json), NULL);
  JsonObject *object =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

  if (object == NULL)
    return self;
  if (gadget_json_get_array (object, "command") != NULL)
    self->command = gadget_json_dup_strings (object, "command");
  self->url = g_strdup (gadget_json_get_string (object, "url"));
  g_strfreev (self->environment);
  self->environment = gadget_json_dup_strings (object, "environment");
  g_strfreev (self->headers);
  self->headers = gadget_json_dup_strings (object, "headers");
  g_strfreev (self->secrets);
  self->secrets = gadget_json_dup_strings (object, "secrets");
  g_strfreev (self->folders);
  self->folders = gadget_json_dup_strings (object, "folders");
  self->network = json_object_get_boolean_member_with_default (object, "network", FALSE);
  self->confined = json_object_get_boolean_member_with_default (object, "confined", TRUE);
  return self;
}

/**
 * gadget_mcp_config_describe:
 *
 * Returns: (transfer full): the command line or the address, to be shown to the user
 */
char *
gadget_mcp_config_describe (const GadgetMcpConfig *self)
{
  if (self->url != NULL)
    return g_strdup (self->url);
  return self->command != NULL ? g_strjoinv (" ", self->command) : g_strdup ("");
}

/* --- Secrets ----------------------------------------------------------------------------------
 */

/**
 * gadget_mcp_secrets_apply:
 * @self: a config that passed gadget_mcp_config_check ()
 * @json: (nullable): the values of the secrets, as the keyring stores them
 *
 * Returns: (transfer full): the environment of a process, or names and values of headers in turn,
 *   including the secrets; free with gadget_secret_values_free (). %NULL with
 *   %GADGET_MCP_CONFIG_ERROR_INVALID when a secret is missing or has a line break
 */
char **
gadget_mcp_secrets_apply (const GadgetMcpConfig *self, const char *json, GError **error)
{
  g_autoptr (JsonNode) node = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;
  JsonObject *object =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; self->url == NULL && self->environment[i] != NULL; i++)
    g_strv_builder_add (words, self->environment[i]);
  for (guint i = 0; self->url != NULL && self->headers[i] != NULL; i++)
    {
      const char *colon = strchr (self->headers[i], ':');

      g_strv_builder_take (words, g_strndup (self->headers[i], (gsize) (colon - self->headers[i])));
      g_strv_builder_take (words, g_strstrip (g_strdup (colon + 1)));
    }
  for (guint i = 0; self->secrets[i] != NULL; i++)
    {
      const char *value = gadget_json_get_string (object, self->secrets[i]);

      if (value == NULL || strpbrk (value, "\r\n") != NULL)
        {
          fail (error, _ ("The keyring has no value of “%s” that can be used"), self->secrets[i]);
          return NULL;
        }
      if (self->url == NULL)
        {
          g_strv_builder_take (words, g_strconcat (self->secrets[i], "=", value, NULL));
        }
      else
        {
          g_strv_builder_add (words, self->secrets[i]);
          g_strv_builder_add (words, value);
        }
    }
  return g_strv_builder_end (words);
}
