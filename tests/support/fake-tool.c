/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-tool.h"

struct _FakeTool
{
  GObject parent_instance;

  char *name;
  gboolean asks;
  gboolean deaf;
  gboolean hasty;
  guint n_calls;
  GTask *task;
  GadgetItem *item;
  GSource *cancelled;
};

static void
end (FakeTool *self, GadgetToolResult *result)
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
  FakeTool *self = user_data;
  GadgetToolResult *result =
      gadget_tool_result_new (FALSE, gadget_item_get_text (self->item), NULL);

  result->cut = TRUE;
  end (self, result);
  return G_SOURCE_REMOVE;
}

static void
hasty_cb (GCancellable *cancellable, FakeTool *self)
{
  cancelled_cb (cancellable, self);
}

static const char *
get_name (GadgetTool *tool)
{
  return FAKE_TOOL (tool)->name;
}

static const char *
get_description (GadgetTool *tool)
{
  return "A tool of the tests.";
}

static const char *
get_schema (GadgetTool *tool)
{
  return "{\"type\":\"object\"}";
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  return FAKE_TOOL (tool)->asks ? gadget_prompt_new_permission ("fake", "May it?", "it", "") : NULL;
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  FakeTool *self = FAKE_TOOL (tool);

  g_assert_null (self->task);
  g_assert_false (g_cancellable_is_cancelled (cancellable));
  self->n_calls++;
  self->task = g_task_new (self, NULL, callback, user_data);
  self->item = g_object_ref (context->item);
  if (self->hasty)
    g_cancellable_connect (cancellable, G_CALLBACK (hasty_cb), self, NULL);
  if (self->deaf || self->hasty)
    return;
  self->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_callback (self->cancelled, G_SOURCE_FUNC (cancelled_cb), self, NULL);
  g_source_attach (self->cancelled, NULL);
}

static void
tool_init (GadgetToolInterface *iface)
{
  iface->get_name = get_name;
  iface->get_description = get_description;
  iface->get_schema = get_schema;
  iface->permission = permission;
  iface->execute_async = execute_async;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeTool, fake_tool, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_TOOL, tool_init))

static void
fake_tool_finalize (GObject *object)
{
  FakeTool *self = FAKE_TOOL (object);

  g_assert_null (self->task);
  g_free (self->name);

  G_OBJECT_CLASS (fake_tool_parent_class)->finalize (object);
}

static void
fake_tool_class_init (FakeToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fake_tool_finalize;
}

static void
fake_tool_init (FakeTool *self)
{
}

FakeTool *
fake_tool_new (const char *name)
{
  FakeTool *self = g_object_new (FAKE_TYPE_TOOL, NULL);

  self->name = g_strdup (name);
  return self;
}

/* Whether its calls need permission. */
void
fake_tool_set_asks (FakeTool *self, gboolean asks)
{
  self->asks = asks;
}

/* Whether it ignores its cancellable. */
void
fake_tool_set_deaf (FakeTool *self, gboolean deaf)
{
  self->deaf = deaf;
}

/* Whether it answers at once when it is cancelled, before the one who cancels goes on. */
void
fake_tool_set_hasty (FakeTool *self, gboolean hasty)
{
  self->hasty = hasty;
}

guint
fake_tool_get_n_calls (FakeTool *self)
{
  return self->n_calls;
}

gboolean
fake_tool_is_running (FakeTool *self)
{
  return self->task != NULL;
}

void
fake_tool_output (FakeTool *self, const char *text)
{
  g_assert_nonnull (self->item);
  gadget_item_append_text (self->item, text, -1);
}

void
fake_tool_end (FakeTool *self, const char *text)
{
  end (self, gadget_tool_result_new (FALSE, text, NULL));
}

void
fake_tool_end_with (FakeTool *self, const char *text, GadgetPicture *picture)
{
  GadgetToolResult *result = gadget_tool_result_new (FALSE, text, NULL);

  gadget_tool_result_add_picture (result, picture);
  end (self, result);
}
