/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-toolbox"

#include "config.h"

#include "gadget-toolbox.h"

#include "common/gadget-array-model.h"

struct _GadgetToolbox
{
  GObject parent_instance;

  GPtrArray *tools;
};

GADGET_DEFINE_ARRAY_MODEL (GadgetToolbox, gadget_toolbox, GADGET_TYPE_TOOL, tools)

static void
gadget_toolbox_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_TOOLBOX (object)->tools);

  G_OBJECT_CLASS (gadget_toolbox_parent_class)->finalize (object);
}

static void
gadget_toolbox_class_init (GadgetToolboxClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_toolbox_finalize;
}

static void
gadget_toolbox_init (GadgetToolbox *self)
{
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
}

GadgetToolbox *
gadget_toolbox_new (void)
{
  return g_object_new (GADGET_TYPE_TOOLBOX, NULL);
}

/**
 * gadget_toolbox_add:
 * @tool: (transfer none): a tool whose name no other tool has
 *
 * Offers a tool from now on.
 */
void
gadget_toolbox_add (GadgetToolbox *self, GadgetTool *tool)
{
  g_return_if_fail (GADGET_IS_TOOLBOX (self) && GADGET_IS_TOOL (tool));
  g_return_if_fail (gadget_toolbox_find (self, gadget_tool_get_name (tool)) == NULL);

  g_ptr_array_add (self->tools, g_object_ref (tool));
  g_list_model_items_changed (G_LIST_MODEL (self), self->tools->len - 1, 0, 1);
}

/**
 * gadget_toolbox_remove:
 *
 * Stops offering the tool of that name, if there is one. Calls of it that are running continue.
 */
void
gadget_toolbox_remove (GadgetToolbox *self, const char *name)
{
  GadgetTool *tool;
  guint position;

  g_return_if_fail (GADGET_IS_TOOLBOX (self) && name != NULL);

  tool = gadget_toolbox_find (self, name);
  if (tool == NULL || !g_ptr_array_find (self->tools, tool, &position))
    return;
  g_ptr_array_remove_index (self->tools, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

/**
 * gadget_toolbox_find:
 *
 * Returns: (transfer none) (nullable): the tool of that name
 */
GadgetTool *
gadget_toolbox_find (GadgetToolbox *self, const char *name)
{
  g_return_val_if_fail (GADGET_IS_TOOLBOX (self), NULL);

  for (guint i = 0; i < self->tools->len; i++)
    {
      GadgetTool *tool = g_ptr_array_index (self->tools, i);

      if (g_strcmp0 (gadget_tool_get_name (tool), name) == 0)
        return tool;
    }
  return NULL;
}

/**
 * gadget_toolbox_add_to:
 * @filter: (scope call): which tools are offered
 *
 * Adds the offered tools to a request.
 */
void
gadget_toolbox_add_to (GadgetToolbox *self, GadgetRequest *request, GadgetToolFilter filter,
                       gpointer user_data)
{
  g_return_if_fail (GADGET_IS_TOOLBOX (self) && request != NULL);

  for (guint i = 0; i < self->tools->len; i++)
    {
      GadgetTool *tool = g_ptr_array_index (self->tools, i);

      if (filter (tool, user_data))
        gadget_request_add_tool (request, gadget_tool_get_name (tool),
                                 gadget_tool_get_description (tool), gadget_tool_get_schema (tool));
    }
}
