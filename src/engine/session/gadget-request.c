/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-request"

#include "config.h"

#include "gadget-request.h"

static void
call_free (gpointer data)
{
  GadgetRequestCall *call = data;

  g_free (call->id);
  g_free (call->name);
  g_free (call->arguments);
  g_free (call);
}

static void
message_free (gpointer data)
{
  GadgetMessage *message = data;

  g_free (message->text);
  g_ptr_array_unref (message->calls);
  g_free (message->call_id);
  g_free (message);
}

static void
tool_free (gpointer data)
{
  GadgetToolSpec *tool = data;

  g_free (tool->name);
  g_free (tool->description);
  g_free (tool->schema);
  g_free (tool);
}

GadgetRequest *
gadget_request_new (void)
{
  GadgetRequest *self = g_new0 (GadgetRequest, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->messages = g_ptr_array_new_with_free_func (message_free);
  self->tools = g_ptr_array_new_with_free_func (tool_free);
  return self;
}

GadgetRequest *
gadget_request_ref (GadgetRequest *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gadget_request_unref (GadgetRequest *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->model);
  g_free (self->system);
  g_ptr_array_unref (self->messages);
  g_ptr_array_unref (self->tools);
  g_free (self);
}

/**
 * gadget_request_add_message:
 *
 * Returns: (transfer none): the new last message, for adding calls or a call id
 */
GadgetMessage *
gadget_request_add_message (GadgetRequest *self, GadgetRole role, const char *text)
{
  GadgetMessage *message;

  g_return_val_if_fail (self != NULL && text != NULL, NULL);

  message = g_new0 (GadgetMessage, 1);
  message->role = role;
  message->text = g_strdup (text);
  message->calls = g_ptr_array_new_with_free_func (call_free);
  g_ptr_array_add (self->messages, message);
  return message;
}

void
gadget_message_add_call (GadgetMessage *self, const char *id, const char *name,
                         const char *arguments)
{
  GadgetRequestCall *call;

  g_return_if_fail (self != NULL && id != NULL && name != NULL && arguments != NULL);

  call = g_new0 (GadgetRequestCall, 1);
  call->id = g_strdup (id);
  call->name = g_strdup (name);
  call->arguments = g_strdup (arguments);
  g_ptr_array_add (self->calls, call);
}

void
gadget_request_add_tool (GadgetRequest *self, const char *name, const char *description,
                         const char *schema)
{
  GadgetToolSpec *tool;

  g_return_if_fail (self != NULL && name != NULL && description != NULL && schema != NULL);

  tool = g_new0 (GadgetToolSpec, 1);
  tool->name = g_strdup (name);
  tool->description = g_strdup (description);
  tool->schema = g_strdup (schema);
  g_ptr_array_add (self->tools, tool);
}
