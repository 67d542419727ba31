/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Detects secrets among environment variables and HTTP headers, and packs several of them into one
 * JSON object for the keyring. */

#define G_LOG_DOMAIN "gadget-secrets"

#include "config.h"

#include "gadget-secret-values.h"

#include "common/gadget-json.h"

#include <string.h>

/* The last word of a name tells whether its value is a secret: API_KEY is one, MAX_TOKENS and
 * KEY_FILE are not. */
static gboolean
is_secret_name (const char *name)
{
  static const char *const words[] = {
    "token",      "secret",      "password",      "passwd", "pwd",    "passphrase", "passcode",
    "credential", "credentials", "authorization", "auth",   "cookie", "apikey",     "pat",
  };
  static const char *const keys[] = { "api",  "access",  "private",    "secret",
                                      "auth", "service", "encryption", "signing" };
  g_autofree char *lower = g_ascii_strdown (name, -1);
  g_auto (GStrv) parts = g_strsplit_set (lower, "_-", -1);
  const guint n = g_strv_length (parts);
  const char *last = n > 0 ? parts[n - 1] : "";

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (last, words[i]))
      return TRUE;
  for (guint i = 0; n > 1 && g_str_equal (last, "key") && i < G_N_ELEMENTS (keys); i++)
    if (g_str_equal (parts[n - 2], keys[i]))
      return TRUE;
  return FALSE;
}

/* Tells whether the value starts like the keys of well-known services. */
static gboolean
is_secret_value (const char *value)
{
  static const char *const beginnings[] = { "bearer ", "basic ",      "sk-",    "ghp_",  "gho_",
                                            "ghs_",    "github_pat_", "glpat-", "xoxb-", "xoxp-",
                                            "akia",    "aiza",        "eyj",    "hf_",   "npm_" };

  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_ascii_strncasecmp (value, beginnings[i], strlen (beginnings[i])) == 0)
      return TRUE;
  return FALSE;
}

/**
 * gadget_secret_values_find:
 * @words: strings such as "NAME=value" or "Name: value"
 * @separator: the character between name and value
 *
 * Looks for a password or a key, which is recognized by its name or by the start of its value.
 *
 * Returns: (transfer full) (nullable): the name of the first one; %NULL if there is none
 */
char *
gadget_secret_values_find (char **words, char separator)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *at = strchr (words[i], separator);
      g_autofree char *name = at != NULL ? g_strndup (words[i], (gsize) (at - words[i])) : NULL;
      const char *value = at != NULL ? at + 1 + strspn (at + 1, " ") : "";

      if (*value != '\0' && (is_secret_name (name) || is_secret_value (value)))
        return g_steal_pointer (&name);
    }
  return NULL;
}

/**
 * gadget_secret_values_to_json:
 * @pairs: names and values in turns, ended by %NULL
 *
 * Returns: (transfer full): the JSON object for the keyring; free with gadget_secrets_free_key ()
 */
char *
gadget_secret_values_to_json (const char *const *pairs)
{
  JsonObject *object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  for (guint i = 0; pairs[i] != NULL && pairs[i + 1] != NULL; i += 2)
    json_object_set_string_member (object, pairs[i], pairs[i + 1]);
  json_node_take_object (node, object);
  return json_to_string (node, FALSE);
}

static JsonNode *
parse (const char *json)
{
  JsonNode *node = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;

  if (node == NULL || JSON_NODE_HOLDS_OBJECT (node))
    return node;
  json_node_unref (node);
  return NULL;
}

/**
 * gadget_secret_values_dup:
 * @json: (nullable): the JSON object from the keyring
 *
 * Returns: (transfer full) (nullable): the value of @name, to be freed with
 *   gadget_secrets_free_key (); %NULL if there is none
 */
char *
gadget_secret_values_dup (const char *json, const char *name)
{
  g_autoptr (JsonNode) node = parse (json);

  return node != NULL ? g_strdup (gadget_json_get_string (json_node_get_object (node), name))
                      : NULL;
}

/**
 * gadget_secret_values_merge:
 * @names: the names of all secrets, ended by %NULL
 * @old: (nullable): the JSON object from the keyring
 * @fresh: (nullable): a JSON object with new values
 *
 * Returns: (transfer full): the JSON object for the keyring: for each name the new value, or else
 *   the old one; values of other names are removed. Free with gadget_secrets_free_key ()
 */
char *
gadget_secret_values_merge (char **names, const char *old, const char *fresh)
{
  g_autoptr (JsonNode) had = parse (old);
  g_autoptr (JsonNode) has = parse (fresh);
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *value =
          has != NULL ? gadget_json_get_string (json_node_get_object (has), names[i]) : NULL;

      if (value == NULL && had != NULL)
        value = gadget_json_get_string (json_node_get_object (had), names[i]);
      if (value == NULL)
        continue;
      g_ptr_array_add (pairs, (gpointer) names[i]);
      g_ptr_array_add (pairs, (gpointer) value);
    }
  g_ptr_array_add (pairs, NULL);
  return gadget_secret_values_to_json ((const char *const *) pairs->pdata);
}

void
gadget_secret_values_free (char **words)
{
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    explicit_bzero (words[i], strlen (words[i]));
  g_strfreev (words);
}
