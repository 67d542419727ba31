/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-tool.h"

typedef struct
{
  gboolean asks;
  gboolean deaf;
  gboolean hasty;
  guint n_calls;
  GTask *task;
  GadgetItem *item;
  GSource *cancelled;
} State;

static void
end (State *self, GadgetToolResult *result)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  g_assert_nonnull (task);
  if (self->cancelled != NULL)
    {
      g_source_destroy (self->cancelled);
      g_clear_pointer (&self->cancelled, g_source_unref);
    }
  g_clear_object (&self->item);
  g_task_return_pointer (task, result, gadget_tool_result_free);
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  State *self = user_data;
  GadgetToolResult *result =
      gadget_tool_result_new (FALSE, gadget_item_get_text (self->item), NULL);

  result->cut = TRUE;
  end (self, result);
  return G_SOURCE_REMOVE;
}

static void
hasty_cb (GCancellable *cancellable, State *self)
{
  cancelled_cb (cancellable, self);
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  const State *self = gadget_tool_get_data (tool);

  return self->asks ? gadget_prompt_new_permission ("fake", "May it?", "it", "") : NULL;
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  State *self = gadget_tool_get_data (tool);

  g_assert_null (self->task);
  g_assert_false (g_cancellable_is_cancelled (cancellable));
  self->n_calls++;
  self->task = g_task_new (tool, NULL, callback, user_data);
  self->item = g_object_ref (context->item);
  if (self->hasty)
    g_cancellable_connect (cancellable, G_CALLBACK (hasty_cb), self, NULL);
  if (self->deaf || self->hasty)
    return;
  self->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_callback (self->cancelled, G_SOURCE_FUNC (cancelled_cb), self, NULL);
  g_source_attach (self->cancelled, NULL);
}

static const GadgetToolDescriptor descriptor = {
  .description = "A tool of the tests.",
  .receipt_kind = GADGET_RECEIPT_TOOL,
  .permission = permission,
  .execute_async = execute_async,
};

static void
state_free (gpointer data)
{
  State *self = data;

  g_assert_null (self->task);
  g_free (self);
}

FakeTool *
fake_tool_new (const char *name)
{
  FakeTool *self = gadget_tool_new (&descriptor, g_new0 (State, 1), state_free);

  gadget_tool_set_name (self, name);
  gadget_tool_set_schema (self, "{\"type\":\"object\"}");
  return self;
}

static State *
get_state (FakeTool *self)
{
  return gadget_tool_get_data (self);
}

/* Whether its calls need permission. */
void
fake_tool_set_asks (FakeTool *self, gboolean asks)
{
  get_state (self)->asks = asks;
}

/* Whether it ignores its cancellable. */
void
fake_tool_set_deaf (FakeTool *self, gboolean deaf)
{
  get_state (self)->deaf = deaf;
}

/* Whether it answers at once when it is cancelled, before the one who cancels goes on. */
void
fake_tool_set_hasty (FakeTool *self, gboolean hasty)
{
  get_state (self)->hasty = hasty;
}

guint
fake_tool_get_n_calls (FakeTool *self)
{
  return get_state (self)->n_calls;
}

gboolean
fake_tool_is_running (FakeTool *self)
{
  return get_state (self)->task != NULL;
}

void
fake_tool_output (FakeTool *self, const char *text)
{
  g_assert_nonnull (get_state (self)->item);
  gadget_item_append_text (get_state (self)->item, text, -1);
}

void
fake_tool_end (FakeTool *self, const char *text)
{
  end (get_state (self), gadget_tool_result_new (FALSE, text, NULL));
}

void
fake_tool_end_with (FakeTool *self, const char *text, GadgetPicture *picture)
{
  GadgetToolResult *result = gadget_tool_result_new (FALSE, text, NULL);

  gadget_tool_result_add_picture (result, picture);
  end (get_state (self), result);
}
