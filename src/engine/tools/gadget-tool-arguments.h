/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The arguments of a tool: its parameters as a table, the JSON Schema that models get of them, the
 * check of what a model gave, and the numbers in it. */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum
{
  GADGET_TOOL_STRING,
  GADGET_TOOL_BOOLEAN,
  GADGET_TOOL_INTEGER,
  GADGET_TOOL_NUMBER,
  GADGET_TOOL_STRINGS, /* a list of strings */
  GADGET_TOOL_OBJECTS, /* a list of objects */
} GadgetToolParameterType;

typedef struct _GadgetToolParameter GadgetToolParameter;

/**
 * GadgetToolParameter:
 * @name: as models write it; %NULL at the end of a table
 * @type: what its values are
 * @required: whether a call without it fails
 * @description: (nullable): for models
 * @least: the least number; of a list, the least number of elements
 * @most: the largest one; 0 for no limit
 * @fallback: the number that holds when none is given
 * @strict: whether a number outside of the limits fails the call; otherwise it is read as the
 *   nearest one that is allowed
 * @members: (nullable): the parameters of each object of a list
 *
 * A parameter of a tool.
 */
struct _GadgetToolParameter
{
  const char *name;
  GadgetToolParameterType type;
  gboolean required;
  const char *description;
  gint64 least;
  gint64 most;
  gint64 fallback;
  gboolean strict;
  const GadgetToolParameter *members;
};

char    *gadget_tool_parameters_dup_schema (const GadgetToolParameter *parameters);

/* Makes a list of a value that is one object, or the text of a list or an object; leaves any other. */
void     gadget_tool_arguments_make_list   (JsonNode                  *node);

/* Returns: (transfer full) (nullable): the names in @object that no parameter has, in quotes; NULL
 * when there are none. */
char    *gadget_tool_arguments_dup_unknown (JsonObject                *object,
                                            const GadgetToolParameter *parameters);

gboolean gadget_tool_arguments_check       (JsonObject                *arguments,
                                            const GadgetToolParameter *parameters,
                                            GError                   **error);
gint64   gadget_tool_arguments_get_integer (JsonObject                *arguments,
                                            const GadgetToolParameter *parameters,
                                            const char                *name);

G_END_DECLS
