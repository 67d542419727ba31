/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tool is a descriptor with data of its own. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-tool.h"

struct _GadgetTool
{
  GObject parent_instance;

  const GadgetToolDescriptor *descriptor;
  gpointer data;
  GDestroyNotify free_data; /* (nullable) */
  char *name;               /* (nullable): in place of the descriptor's, like the two below */
  char *description;        /* (nullable) */
  char *schema;             /* (nullable): made from the parameters when it is first asked for */
};

G_DEFINE_FINAL_TYPE (GadgetTool, gadget_tool, G_TYPE_OBJECT)

static void
gadget_tool_finalize (GObject *object)
{
  GadgetTool *self = GADGET_TOOL (object);

  if (self->free_data != NULL)
    self->free_data (self->data);
  g_free (self->name);
  g_free (self->description);
  g_free (self->schema);

  G_OBJECT_CLASS (gadget_tool_parent_class)->finalize (object);
}

static void
gadget_tool_class_init (GadgetToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_tool_finalize;
}

static void
gadget_tool_init (GadgetTool *self)
{
}

/**
 * gadget_tool_new:
 * @descriptor: is not copied
 * @data: (nullable): what gadget_tool_get_data () returns
 * @free_data: (nullable): frees @data with the tool
 *
 * Returns: (transfer full): a tool
 */
GadgetTool *
gadget_tool_new (const GadgetToolDescriptor *descriptor, gpointer data, GDestroyNotify free_data)
{
  GadgetTool *self;

  g_return_val_if_fail (descriptor != NULL && descriptor->execute_async != NULL, NULL);

  self = g_object_new (GADGET_TYPE_TOOL, NULL);
  self->descriptor = descriptor;
  self->data = data;
  self->free_data = free_data;
  return self;
}

/* gadget_tool_get_data: returns the data that the tool was made with. (transfer none) */
gpointer
gadget_tool_get_data (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), NULL);
  return self->data;
}

/* gadget_tool_set_name: for tools that share a descriptor; before the tool is offered. */
void
gadget_tool_set_name (GadgetTool *self, const char *name)
{
  g_return_if_fail (GADGET_IS_TOOL (self));
  g_set_str (&self->name, name);
}

/* gadget_tool_set_description: for a description that depends on the data of the tool. */
void
gadget_tool_set_description (GadgetTool *self, const char *description)
{
  g_return_if_fail (GADGET_IS_TOOL (self));
  g_set_str (&self->description, description);
}

/* gadget_tool_set_schema: for a tool without parameters. */
void
gadget_tool_set_schema (GadgetTool *self, const char *schema)
{
  g_return_if_fail (GADGET_IS_TOOL (self));
  g_set_str (&self->schema, schema);
}

/**
 * gadget_tool_result_new:
 * @failed: whether the call failed
 * @text: the result for the model
 * @summary: (transfer full) (nullable): the summary for the user
 *
 * Returns: (transfer full): the result
 */
GadgetToolResult *
gadget_tool_result_new (gboolean failed, const char *text, GadgetCallSummary *summary)
{
  GadgetToolResult *self;

  g_return_val_if_fail (text != NULL, NULL);

  self = g_new0 (GadgetToolResult, 1);
  self->failed = failed;
  self->text = g_strdup (text);
  self->summary = summary;
  return self;
}

/* gadget_tool_result_add_picture: adds a picture that the model gets with the text; a reference is
 * kept. */
void
gadget_tool_result_add_picture (GadgetToolResult *self, GadgetPicture *picture)
{
  g_return_if_fail (self != NULL && picture != NULL);

  if (self->pictures == NULL)
    self->pictures = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);
  g_ptr_array_add (self->pictures, gadget_picture_ref (picture));
}

void
gadget_tool_result_free (gpointer result)
{
  GadgetToolResult *self = result;

  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  g_free (self->text);
  g_clear_pointer (&self->summary, gadget_call_summary_free);
  g_free (self->outcome);
  g_free (self);
}

/* gadget_tool_get_name: returns the name that models use. (transfer none) */
const char *
gadget_tool_get_name (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), NULL);
  return self->name != NULL ? self->name : self->descriptor->name;
}

/* gadget_tool_get_description: returns what models are told about the tool. (transfer none) */
const char *
gadget_tool_get_description (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), NULL);
  return self->description != NULL ? self->description : self->descriptor->description;
}

/* gadget_tool_get_schema: returns the JSON Schema of the arguments, as text; valid as long as the
 * tool is. (transfer none) */
const char *
gadget_tool_get_schema (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), NULL);

  if (self->schema == NULL)
    self->schema = gadget_tool_parameters_dup_schema (self->descriptor->parameters);
  return self->schema;
}

/* gadget_tool_get_receipt_kind: returns how receipts list the calls of the tool. */
GadgetReceiptKind
gadget_tool_get_receipt_kind (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), GADGET_RECEIPT_TOOL);
  return self->descriptor->receipt_kind;
}

/**
 * gadget_tool_get_least_access:
 * @access: (out caller-allocates): what each call of the tool needs at least; its members belong to
 *   the tool
 *
 * Returns: whether there is such an access
 */
gboolean
gadget_tool_get_least_access (GadgetTool *self, GadgetAccess *access)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self) && access != NULL, FALSE);

  *access = (GadgetAccess) { 0 };
  return self->descriptor->least_access != NULL && self->descriptor->least_access (self, access);
}

/**
 * gadget_tool_check_arguments:
 * @arguments: the arguments from a model; repaired where their meaning is obvious
 *
 * Called before the arguments are used for anything else.
 *
 * Returns: whether they are what the tool's parameters ask for; FALSE with
 *   %G_IO_ERROR_INVALID_ARGUMENT, its message for the model. A tool without parameters accepts
 *   anything.
 */
gboolean
gadget_tool_check_arguments (GadgetTool *self, JsonObject *arguments, GError **error)
{
  const GadgetToolParameter *parameters;

  g_return_val_if_fail (GADGET_IS_TOOL (self) && arguments != NULL, FALSE);

  parameters = self->descriptor->parameters;
  if (self->descriptor->repair != NULL)
    self->descriptor->repair (arguments);
  return parameters == NULL || gadget_tool_arguments_check (arguments, parameters, error);
}

/**
 * gadget_tool_describe:
 *
 * Returns: (transfer full): one line for the user that says what this call does
 */
GadgetCallSummary *
gadget_tool_describe (GadgetTool *self, JsonObject *arguments)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self) && arguments != NULL, NULL);

  if (self->descriptor->describe != NULL)
    return self->descriptor->describe (self, arguments);
  return gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, gadget_tool_get_name (self), NULL);
}

/**
 * gadget_tool_permission:
 *
 * Returns: (transfer full) (nullable): what must be allowed before this call starts
 */
GadgetPrompt *
gadget_tool_permission (GadgetTool *self, JsonObject *arguments, const GadgetToolContext *context)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self) && arguments != NULL && context != NULL, NULL);

  if (self->descriptor->permission == NULL)
    return NULL;
  return self->descriptor->permission (self, arguments, context);
}

/**
 * gadget_tool_execute_async:
 * @arguments: what gadget_tool_check_arguments () accepted
 * @context: what the tool works with; borrowed for the call
 * @cancellable: stops the call
 *
 * Does the work. See #GadgetToolDescriptor for what a stop means; the permission is the caller's to
 * ask for.
 */
void
gadget_tool_execute_async (GadgetTool *self, JsonObject *arguments,
                           const GadgetToolContext *context, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_TOOL (self) && arguments != NULL && context != NULL);
  self->descriptor->execute_async (self, arguments, context, cancellable, callback, user_data);
}

/**
 * gadget_tool_execute_finish:
 *
 * Returns: (transfer full): what the call did, or %NULL with an error whose message is for the
 *   model
 */
GadgetToolResult *
gadget_tool_execute_finish (GadgetTool *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gadget_tool_dup_count:
 * @n: the number
 * @one: what is counted, such as "line"
 * @many: its plural
 *
 * For results, which are in English whatever the user's language is.
 *
 * Returns: (transfer full): a text such as "2 lines"
 */
char *
gadget_tool_dup_count (guint64 n, const char *one, const char *many)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s", n, n == 1 ? one : many);
}
