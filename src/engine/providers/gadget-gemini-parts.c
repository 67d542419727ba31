/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Gemini can send the arguments of a call in parts ("partialArgs"). Each part has a path
 * ("$.a.b[0]", RFC 9535, only with names and indices) and a value. A string value is appended to
 * the string that the path already has. See the documentation of Vertex AI, "Function calling",
 * streaming of arguments. */

#include "config.h"

#include "gadget-gemini-parts.h"

#include "common/gadget-json.h"

#include <string.h>

#define MAX_DEPTH 32
#define MAX_INDEX 4096

struct _GadgetGeminiParts
{
  JsonNode *root; /* an object: the arguments so far */
};

static JsonNode *
new_object (void)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, json_object_new ());
  return node;
}

GadgetGeminiParts *
gadget_gemini_parts_new (void)
{
  GadgetGeminiParts *self = g_new0 (GadgetGeminiParts, 1);

  gadget_gemini_parts_clear (self);
  return self;
}

/* gadget_gemini_parts_free: frees the arguments, too. @self may be %NULL. */
void
gadget_gemini_parts_free (GadgetGeminiParts *self)
{
  if (self == NULL)
    return;
  json_node_unref (self->root);
  g_free (self);
}

/* gadget_gemini_parts_clear: drops the parts of one call, before those of the next one. */
void
gadget_gemini_parts_clear (GadgetGeminiParts *self)
{
  g_clear_pointer (&self->root, json_node_unref);
  self->root = new_object ();
}

char *
gadget_gemini_parts_dup (GadgetGeminiParts *self)
{
  return json_to_string (self->root, FALSE);
}

/* --- Paths ----------------------------------------------------------------------------------- */

typedef struct
{
  char *name; /* (nullable): NULL for an index */
  guint index;
} Step;

static void
clear_step (gpointer data)
{
  g_free (((Step *) data)->name);
}

/* Parses "[…]", and moves @path behind it. */
static gboolean
parse_bracket (const char **path, Step *step)
{
  const char *p = *path + 1;
  const char *end;
  char *rest;

  if (*p == '\'' || *p == '"')
    {
      end = strchr (p + 1, *p);
      if (end == NULL || end[1] != ']')
        return FALSE;
      step->name = g_strndup (p + 1, (gsize) (end - p - 1));
      *path = end + 2;
      return TRUE;
    }
  if (!g_ascii_isdigit (*p))
    return FALSE;
  step->index = (guint) MIN (g_ascii_strtoull (p, &rest, 10), MAX_INDEX);
  *path = rest + 1;
  return *rest == ']' && step->index < MAX_INDEX;
}

static gboolean
parse_step (const char **path, Step *step)
{
  gsize length;

  if (**path == '[')
    return parse_bracket (path, step);
  if (**path != '.')
    return FALSE;
  length = strcspn (*path + 1, ".[");
  step->name = g_strndup (*path + 1, length);
  *path += 1 + length;
  return length > 0;
}

/* (transfer full) (nullable) (element-type Step): NULL for an invalid path */
static GArray *
parse_path (const char *path)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));

  g_array_set_clear_func (steps, clear_step);
  if (path == NULL || *path != '$')
    return NULL;
  path++;
  while (*path != '\0')
    {
      Step step = { NULL, 0 };
      const gboolean ok = parse_step (&path, &step);

      g_array_append_val (steps, step);
      if (!ok || steps->len > MAX_DEPTH)
        return NULL;
    }
  return steps->len > 0 ? g_steal_pointer (&steps) : NULL;
}

/* --- Values ---------------------------------------------------------------------------------- */

/* (transfer none) (nullable) */
static JsonNode *
get_child (JsonNode *node, const Step *step)
{
  if (step->name != NULL)
    return JSON_NODE_HOLDS_OBJECT (node)
               ? json_object_get_member (json_node_get_object (node), step->name)
               : NULL;
  return JSON_NODE_HOLDS_ARRAY (node)
                 && step->index < json_array_get_length (json_node_get_array (node))
             ? json_array_get_element (json_node_get_array (node), step->index)
             : NULL;
}

/* @child: (transfer full). An array can only grow by its next index. */
static gboolean
add_child (JsonNode *node, const Step *step, JsonNode *child)
{
  if (step->name != NULL && JSON_NODE_HOLDS_OBJECT (node))
    json_object_set_member (json_node_get_object (node), step->name, child);
  else if (step->name == NULL && JSON_NODE_HOLDS_ARRAY (node)
           && step->index == json_array_get_length (json_node_get_array (node)))
    json_array_add_element (json_node_get_array (node), child);
  else
    {
      json_node_unref (child);
      return FALSE;
    }
  return TRUE;
}

static JsonNode *
make_container (const Step *next)
{
  JsonNode *node;

  if (next->name != NULL)
    return new_object ();
  node = json_node_new (JSON_NODE_ARRAY);
  json_node_take_array (node, json_array_new ());
  return node;
}

/* The new value, which continues the string @old. (transfer full) (nullable): NULL for no value */
static JsonNode *
make_value (JsonObject *piece, JsonNode *old)
{
  const char *text = gadget_json_get_string (piece, "stringValue");
  const char *before =
      old != NULL && JSON_NODE_HOLDS_VALUE (old) && json_node_get_value_type (old) == G_TYPE_STRING
          ? json_node_get_string (old)
          : "";
  g_autofree char *joined = NULL;

  if (text != NULL)
    {
      joined = g_strconcat (before, text, NULL);
      return json_node_init_string (json_node_alloc (), joined);
    }
  if (json_object_has_member (piece, "numberValue"))
    return json_object_dup_member (piece, "numberValue");
  if (json_object_has_member (piece, "boolValue"))
    return json_object_dup_member (piece, "boolValue");
  if (json_object_has_member (piece, "nullValue"))
    return json_node_init_null (json_node_alloc ());
  return old != NULL ? json_node_copy (old) : NULL;
}

static gboolean
put (JsonNode *node, const Step *step, JsonNode *value)
{
  JsonNode *old = get_child (node, step);

  if (value == NULL)
    return TRUE;
  if (old == NULL)
    return add_child (node, step, value);
  if (step->name != NULL)
    json_object_set_member (json_node_get_object (node), step->name, value);
  else
    {
      /* An element of an array cannot be replaced, but its value can be set. */
      GValue copy = G_VALUE_INIT;

      if (!JSON_NODE_HOLDS_VALUE (old) || !JSON_NODE_HOLDS_VALUE (value))
        {
          json_node_unref (value);
          return FALSE;
        }
      json_node_get_value (value, &copy);
      json_node_set_value (old, &copy);
      g_value_unset (&copy);
      json_node_unref (value);
    }
  return TRUE;
}

static gboolean
add_part (GadgetGeminiParts *self, JsonObject *piece)
{
  g_autoptr (GArray) steps = parse_path (gadget_json_get_string (piece, "jsonPath"));
  JsonNode *node = self->root;

  if (steps == NULL)
    return FALSE;
  for (guint i = 0; i + 1 < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);
      JsonNode *child = get_child (node, step);

      if (child == NULL)
        {
          if (!add_child (node, step, make_container (&g_array_index (steps, Step, i + 1))))
            return FALSE;
          child = get_child (node, step);
        }
      node = child;
    }

  const Step *last = &g_array_index (steps, Step, steps->len - 1);

  return put (node, last, make_value (piece, get_child (node, last)));
}

gboolean
gadget_gemini_parts_add (GadgetGeminiParts *self, JsonObject *call)
{
  JsonArray *pieces = gadget_json_get_array (call, "partialArgs");
  JsonObject *whole = gadget_json_get_object (call, "args");

  if (whole != NULL)
    {
      json_node_unref (self->root);
      self->root = json_node_copy (json_object_get_member (call, "args"));
    }
  for (guint i = 0; pieces != NULL && i < json_array_get_length (pieces); i++)
    {
      JsonObject *piece = gadget_json_get_element (pieces, i);

      if (piece != NULL && !add_part (self, piece))
        return FALSE;
    }
  return TRUE;
}
