/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-provider.h"

#include "strict-request.h"

typedef struct _Waiting Waiting;

struct _FakeProvider
{
  GObject parent_instance;

  GPtrArray *requests; /* of GadgetRequest */
  GPtrArray *waiting;  /* of Waiting */
  gboolean parallel;
  gboolean deaf;
  gint64 context_length;
  GadgetModelImages images;
  guint n_described;
  gboolean holds_description;
  Waiting *describing; /* (nullable) */
};

struct _Waiting
{
  FakeProvider *provider;
  GadgetRequest *request; /* (nullable): NULL for a description */
  GTask *task;
  GSource *cancelled;
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetReceipt *receipt;
  guint in_flight;
};

/* The request that is played: the last one, unless another was chosen. */
static Waiting *
get_played (FakeProvider *self)
{
  g_assert_cmpuint (self->waiting->len, >, 0);
  return g_ptr_array_index (self->waiting, self->waiting->len - 1);
}

static GTask *
take_end (Waiting *waiting)
{
  GTask *task = waiting->task;

  if (waiting == waiting->provider->describing)
    waiting->provider->describing = NULL;
  else
    g_ptr_array_remove (waiting->provider->waiting, waiting);
  gadget_receipt_end (waiting->receipt, waiting->in_flight, "closed", 0);
  g_object_unref (waiting->receipt);
  if (waiting->cancelled != NULL)
    g_source_destroy (waiting->cancelled);
  g_clear_pointer (&waiting->cancelled, g_source_unref);
  g_clear_pointer (&waiting->request, gadget_request_unref);
  g_free (waiting);
  return task;
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = take_end (user_data);

  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static Waiting *
begin_waiting (FakeProvider *self, GadgetReceipt *receipt, GCancellable *cancellable,
               GAsyncReadyCallback callback, gpointer user_data)
{
  Waiting *waiting = g_new0 (Waiting, 1);

  g_assert_false (g_cancellable_is_cancelled (cancellable));
  waiting->provider = self;
  waiting->task = g_task_new (self, cancellable, callback, user_data);
  waiting->receipt = receipt != NULL ? g_object_ref (receipt) : gadget_receipt_new ();
  waiting->in_flight = gadget_receipt_begin (waiting->receipt, GADGET_RECEIPT_CONNECTION, "Fake");
  if (self->deaf)
    return waiting;
  waiting->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_callback (waiting->cancelled, G_SOURCE_FUNC (cancelled_cb), waiting, NULL);
  g_source_attach (waiting->cancelled, NULL);
  return waiting;
}

static void
chat_async (GadgetProvider *provider, GadgetRequest *request, GadgetChatSink sink,
            gpointer sink_data, GadgetReceipt *receipt, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  FakeProvider *self = FAKE_PROVIDER (provider);

  Waiting *waiting;

  g_assert_true (self->parallel || self->waiting->len == 0);
  strict_request_assert (request);
  g_ptr_array_add (self->requests, gadget_request_ref (request));

  waiting = begin_waiting (self, receipt, cancellable, callback, user_data);
  waiting->request = gadget_request_ref (request);
  waiting->sink = sink;
  waiting->sink_data = sink_data;
  g_ptr_array_add (self->waiting, waiting);
}

static gboolean
chat_finish (GadgetProvider *provider, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
describe_model_async (GadgetProvider *provider, const char *model, GadgetReceipt *receipt,
                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  FakeProvider *self = FAKE_PROVIDER (provider);

  g_assert_null (self->describing);
  self->n_described++;
  self->describing = begin_waiting (self, receipt, cancellable, callback, user_data);
  if (!self->holds_description)
    fake_provider_describe (self);
}

static GadgetModel *
describe_model_finish (GadgetProvider *provider, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
provider_init (GadgetProviderInterface *iface)
{
  iface->chat_async = chat_async;
  iface->chat_finish = chat_finish;
  iface->describe_model_async = describe_model_async;
  iface->describe_model_finish = describe_model_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeProvider, fake_provider, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_PROVIDER, provider_init))

static void
fake_provider_finalize (GObject *object)
{
  FakeProvider *self = FAKE_PROVIDER (object);

  g_assert_cmpuint (self->waiting->len, ==, 0);
  g_ptr_array_unref (self->waiting);
  g_ptr_array_unref (self->requests);

  G_OBJECT_CLASS (fake_provider_parent_class)->finalize (object);
}

static void
fake_provider_class_init (FakeProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fake_provider_finalize;
}

static void
fake_provider_init (FakeProvider *self)
{
  self->requests = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_request_unref);
  self->waiting = g_ptr_array_new ();
}

void
fake_provider_set_context_length (FakeProvider *self, gint64 tokens)
{
  self->context_length = tokens;
}

void
fake_provider_set_images (FakeProvider *self, GadgetModelImages images)
{
  self->images = images;
}

guint
fake_provider_get_n_described (FakeProvider *self)
{
  return self->n_described;
}

void
fake_provider_set_deaf (FakeProvider *self)
{
  self->deaf = TRUE;
}

void
fake_provider_hold_description (FakeProvider *self)
{
  self->holds_description = TRUE;
}

gboolean
fake_provider_is_describing (FakeProvider *self)
{
  return self->describing != NULL;
}

void
fake_provider_describe (FakeProvider *self)
{
  g_autoptr (GTask) task = NULL;
  GadgetModel *described = gadget_model_new ("model");

  g_assert_nonnull (self->describing);
  task = take_end (self->describing);
  gadget_model_set_context_length (described, self->context_length);
  gadget_model_set_images (described, self->images);
  g_task_return_pointer (task, described, (GDestroyNotify) gadget_model_unref);
}

FakeProvider *
fake_provider_new (void)
{
  return g_object_new (FAKE_TYPE_PROVIDER, NULL);
}

guint
fake_provider_get_n_requests (FakeProvider *self)
{
  return self->requests->len;
}

GadgetRequest *
fake_provider_get_request (FakeProvider *self, guint index)
{
  g_assert_cmpuint (index, <, self->requests->len);
  return g_ptr_array_index (self->requests, index);
}

gboolean
fake_provider_is_waiting (FakeProvider *self)
{
  return self->waiting->len > 0;
}

void
fake_provider_set_parallel (FakeProvider *self)
{
  self->parallel = TRUE;
}

guint
fake_provider_get_n_waiting (FakeProvider *self)
{
  return self->waiting->len;
}

gboolean
fake_provider_choose (FakeProvider *self, const char *prompt)
{
  for (guint i = 0; i < self->waiting->len; i++)
    {
      Waiting *waiting = g_ptr_array_index (self->waiting, i);
      g_autofree char *text =
          gadget_message_dup_text (g_ptr_array_index (waiting->request->messages, 0));

      if (!g_str_equal (text, prompt))
        continue;
      g_ptr_array_remove_index (self->waiting, i);
      g_ptr_array_add (self->waiting, waiting);
      return TRUE;
    }
  return FALSE;
}

static void
feed (FakeProvider *self, const GadgetChatEvent *event)
{
  const Waiting *waiting = get_played (self);

  waiting->sink (event, waiting->sink_data);
}

void
fake_provider_text (FakeProvider *self, const char *text)
{
  feed (self, &(GadgetChatEvent) { .type = GADGET_CHAT_TEXT, .text = text });
}

void
fake_provider_reasoning (FakeProvider *self, const char *text)
{
  feed (self, &(GadgetChatEvent) { .type = GADGET_CHAT_REASONING, .text = text });
}

void
fake_provider_call_begin (FakeProvider *self, guint index, const char *call_id, const char *name)
{
  feed (self, &(GadgetChatEvent) { .type = GADGET_CHAT_CALL_BEGIN,
                                   .call_index = index,
                                   .call_id = call_id,
                                   .name = name });
}

void
fake_provider_call_arguments (FakeProvider *self, guint index, const char *text)
{
  feed (self, &(GadgetChatEvent) {
                  .type = GADGET_CHAT_CALL_ARGUMENTS, .call_index = index, .text = text });
}

void
fake_provider_call_end (FakeProvider *self, guint index)
{
  feed (self, &(GadgetChatEvent) { .type = GADGET_CHAT_CALL_END, .call_index = index });
}

void
fake_provider_call (FakeProvider *self, guint index, const char *call_id, const char *name,
                    const char *arguments)
{
  fake_provider_call_begin (self, index, call_id, name);
  fake_provider_call_arguments (self, index, arguments);
  fake_provider_call_end (self, index);
}

void
fake_provider_limit (FakeProvider *self)
{
  feed (self, &(GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
}

void
fake_provider_retry (FakeProvider *self, guint ms)
{
  feed (self, &(GadgetChatEvent) { .type = GADGET_CHAT_RETRY, .retry_ms = ms });
}

void
fake_provider_usage (FakeProvider *self, gint64 input_tokens, gint64 output_tokens)
{
  feed (self, &(GadgetChatEvent) {
                  .type = GADGET_CHAT_USAGE,
                  .usage = { .input_tokens = input_tokens, .output_tokens = output_tokens } });
}

void
fake_provider_end (FakeProvider *self)
{
  g_autoptr (GTask) task = take_end (get_played (self));

  g_task_return_boolean (task, TRUE);
}

void
fake_provider_fail (FakeProvider *self, GError *error)
{
  g_autoptr (GTask) task = take_end (get_played (self));

  g_task_return_error (task, error);
}
