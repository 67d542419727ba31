/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The interface of tools: defaults of its functions, and their callers. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-tool.h"

G_DEFINE_INTERFACE (GadgetTool, gadget_tool, G_TYPE_OBJECT)

static const char *
default_get_name (GadgetTool *self)
{
  return GADGET_TOOL_GET_IFACE (self)->name;
}

static const char *
default_get_description (GadgetTool *self)
{
  return GADGET_TOOL_GET_IFACE (self)->description;
}

static const char *
default_get_schema (GadgetTool *self)
{
  GadgetToolInterface *iface = GADGET_TOOL_GET_IFACE (self);

  if (iface->schema == NULL)
    iface->schema = gadget_tool_parameters_dup_schema (iface->parameters);
  return iface->schema;
}

static GadgetCallSummary *
default_describe (GadgetTool *self, JsonObject *arguments)
{
  return gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, gadget_tool_get_name (self), NULL);
}

static gboolean
default_least_access (GadgetTool *self, GadgetAccess *access)
{
  return FALSE;
}

static GadgetPrompt *
default_permission (GadgetTool *self, JsonObject *arguments, const GadgetToolContext *context)
{
  return NULL;
}

static GadgetToolResult *
default_execute_finish (GadgetTool *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
gadget_tool_default_init (GadgetToolInterface *iface)
{
  iface->receipt_kind = GADGET_RECEIPT_TOOL;
  iface->get_name = default_get_name;
  iface->get_description = default_get_description;
  iface->get_schema = default_get_schema;
  iface->describe = default_describe;
  iface->least_access = default_least_access;
  iface->permission = default_permission;
  iface->execute_finish = default_execute_finish;
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

const char *
gadget_tool_get_name (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), NULL);
  return GADGET_TOOL_GET_IFACE (self)->get_name (self);
}

/* gadget_tool_get_description: returns what models are told about the tool. (transfer none) */
const char *
gadget_tool_get_description (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), NULL);
  return GADGET_TOOL_GET_IFACE (self)->get_description (self);
}

/* gadget_tool_get_schema: returns the JSON Schema of the arguments, as text; valid as long as the
 * tool is. (transfer none) */
const char *
gadget_tool_get_schema (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), NULL);
  return GADGET_TOOL_GET_IFACE (self)->get_schema (self);
}

/* gadget_tool_get_receipt_kind: returns how receipts list the calls of the tool. */
GadgetReceiptKind
gadget_tool_get_receipt_kind (GadgetTool *self)
{
  g_return_val_if_fail (GADGET_IS_TOOL (self), GADGET_RECEIPT_TOOL);
  return GADGET_TOOL_GET_IFACE (self)->receipt_kind;
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
  return GADGET_TOOL_GET_IFACE (self)->least_access (self, access);
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

  parameters = GADGET_TOOL_GET_IFACE (self)->parameters;
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
  return GADGET_TOOL_GET_IFACE (self)->describe (self, arguments);
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
  return GADGET_TOOL_GET_IFACE (self)->permission (self, arguments, context);
}

/**
 * gadget_tool_execute_async:
 * @arguments: what gadget_tool_check_arguments () accepted
 * @context: what the tool works with; borrowed for the call
 * @cancellable: stops the call
 *
 * Does the work. See #GadgetToolInterface for what a stop means; the permission is the caller's to
 * ask for.
 */
void
gadget_tool_execute_async (GadgetTool *self, JsonObject *arguments,
                           const GadgetToolContext *context, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_TOOL (self) && arguments != NULL && context != NULL);
  GADGET_TOOL_GET_IFACE (self)->execute_async (self, arguments, context, cancellable, callback,
                                               user_data);
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
  g_return_val_if_fail (GADGET_IS_TOOL (self), NULL);
  return GADGET_TOOL_GET_IFACE (self)->execute_finish (self, result, error);
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
