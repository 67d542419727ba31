/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "strict-body.h"

#include "common/gadget-json.h"

#include <string.h>

char *
strict_run (const char *body, gsize length, GHashTable *issued, StrictCheckFunc check)
{
  g_autoptr (JsonNode) root = gadget_json_parse (body, length, NULL);
  g_autoptr (GHashTable) open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  StrictBody self = { .issued = issued, .open = open, .seen = seen };

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return g_strdup ("not a JSON object");
  self.root = json_node_get_object (root);
  if (!check (&self))
    g_assert_nonnull (self.reason);
  return self.reason;
}

gboolean
strict_refuse (StrictBody *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (self->reason == NULL)
    self->reason = g_strdup_vprintf (format, args);
  va_end (args);
  return FALSE;
}

gboolean
strict_has_only (StrictBody *self, JsonObject *object, const char *what, const char *const *names)
{
  g_autoptr (GList) members = NULL;
  gboolean needed = TRUE;

  if (object == NULL)
    return strict_refuse (self, "%s is not an object", what);
  for (guint i = 0; names[i] != NULL; i++)
    if (*names[i] == '\0')
      needed = FALSE;
    else if (needed && !json_object_has_member (object, names[i]))
      return strict_refuse (self, "%s has no “%s”", what, names[i]);
  members = json_object_get_members (object);
  for (GList *l = members; l != NULL; l = l->next)
    if (!g_strv_contains (names, l->data))
      return strict_refuse (self, "%s has “%s”, which is not known", what, (char *) l->data);
  return TRUE;
}

gboolean
strict_is_name (const char *text, gsize max_length)
{
  if (text == NULL || *text == '\0' || strlen (text) > max_length)
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && *text != '_' && *text != '-')
      return FALSE;
  return TRUE;
}

gboolean
strict_is_blank (const char *text)
{
  return text == NULL || strspn (text, " \t\r\n\f\v") == strlen (text);
}

gboolean
strict_is_image_url (const char *url)
{
  return url != NULL
         && g_regex_match_simple ("^data:image/[a-z]+;base64,[A-Za-z0-9+/]+=*$", url, 0, 0);
}

void
strict_each_event (const char *stream, gsize length, StrictEventFunc func, gpointer user_data)
{
  g_autofree char *text = g_strndup (stream, length);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *data = g_str_has_prefix (lines[i], "data:") ? lines[i] + 5 : NULL;
      g_autoptr (JsonNode) node = NULL;

      if (data != NULL)
        node = gadget_json_parse (data, strlen (data), NULL);
      if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
        func (json_node_get_object (node), user_data);
    }
}
