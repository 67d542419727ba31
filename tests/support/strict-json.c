/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "strict-json.h"

char *
strict_complain (const char *where, const char *what)
{
  return g_strdup_printf ("%s: %s", where, what);
}

static gboolean
is_of_type (JsonNode *node, JsonNodeType type, GType value)
{
  if (json_node_get_node_type (node) != type)
    return FALSE;
  return type != JSON_NODE_VALUE || value == G_TYPE_NONE
         || json_node_get_value_type (node) == value;
}

static const StrictMember *
find_member (const StrictMember *members, const char *name)
{
  for (guint i = 0; members[i].name != NULL; i++)
    if (g_str_equal (members[i].name, name))
      return &members[i];
  return NULL;
}

char *
strict_check_members (JsonObject *object, const char *where, const StrictMember *members)
{
  g_autoptr (GList) names = json_object_get_members (object);

  for (GList *name = names; name != NULL; name = name->next)
    {
      const StrictMember *member = find_member (members, name->data);

      if (member == NULL)
        return g_strdup_printf ("%s: there is no “%s”", where, (const char *) name->data);
      if (!is_of_type (json_object_get_member (object, name->data), member->node, member->value))
        return g_strdup_printf ("%s: “%s” is of the wrong type", where, member->name);
    }
  for (guint i = 0; members[i].name != NULL; i++)
    if (members[i].needed && !json_object_has_member (object, members[i].name))
      return g_strdup_printf ("%s: “%s” is missing", where, members[i].name);
  return NULL;
}

char *
strict_check_array (JsonArray *array, const char *where, JsonNodeType node)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (json_node_get_node_type (json_array_get_element (array, i)) != node)
      return strict_complain (where, "an element is of the wrong type");
  return NULL;
}
