/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The provider that replies without a model. gadget-guide-script.c plans the reply of a request;
 * this file streams it word by word at a constant speed, on the main context. */

#define G_LOG_DOMAIN "gadget-guide"

#include "config.h"

#include "gadget-guide.h"

#include "gadget-guide-script.h"

#include "common/gadget-id.h"
#include "common/gadget-stop-source.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define WORDS_PER_SECOND 40
/* A pause as if for thought, so that the waiting state of the window is seen, too. */
#define FIRST_DELAY_MS 300

struct _GadgetGuide
{
  GObject parent_instance;

  GadgetClock *clock;
};

/* One reply that is being streamed, owned by its task. */
typedef struct
{
  GadgetChatSink sink;
  gpointer sink_data;
  GPtrArray *steps;
  guint step;
  gsize offset; /* in the text of the current step, in bytes */
  guint n_calls;
  gint64 began_us;
  guint n_words; /* emitted so far */
  guint timer;
  GSource *abort_source;
  GadgetReceipt *receipt; /* (nullable) */
  guint receipt_line;
} StoryStream;

static void gadget_guide_iface_init (GadgetProviderInterface *iface);
static void stream_on (GTask *task);

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetGuide, gadget_guide, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_PROVIDER,
                                                      gadget_guide_iface_init))

static void
free_telling (gpointer data)
{
  StoryStream *telling = data;

  g_assert (telling->timer == 0 && telling->abort_source == NULL);
  g_ptr_array_unref (telling->steps);
  g_clear_object (&telling->receipt);
  g_free (telling);
}

static void
finish (GTask *task)
{
  GadgetGuide *self = g_task_get_source_object (task);
  StoryStream *telling = g_task_get_task_data (task);

  if (telling->timer != 0)
    gadget_clock_remove (self->clock, telling->timer);
  telling->timer = 0;
  gadget_stop_source_end (&telling->abort_source);
  if (telling->receipt != NULL)
    gadget_receipt_end (telling->receipt, telling->receipt_line, "stopped", 0);
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static gboolean
aborted_cb (GCancellable *cancellable, gpointer user_data)
{
  finish (user_data);
  return G_SOURCE_REMOVE;
}

static gboolean
is_aborted (GTask *task)
{
  return g_cancellable_is_cancelled (g_task_get_cancellable (task));
}

static void
emit (StoryStream *telling, GadgetChatEvent event)
{
  telling->sink (&event, telling->sink_data);
}

/* Emits the next word together with the space before it. */
static void
emit_word (StoryStream *telling, const GadgetGuideStep *step)
{
  const char *from = step->text + telling->offset;
  const char *to = from;
  g_autofree char *word = NULL;

  while (*to != '\0' && g_ascii_isspace (*to))
    to++;
  while (*to != '\0' && !g_ascii_isspace (*to))
    to++;
  /* Spaces at the end belong to the last word. */
  if (to[strspn (to, " \n")] == '\0')
    to += strlen (to);
  word = g_strndup (from, (gsize) (to - from));
  telling->offset += (gsize) (to - from);
  telling->n_words++;
  if (step->text[telling->offset] == '\0')
    {
      telling->step++;
      telling->offset = 0;
    }
  emit (telling,
        (GadgetChatEvent) { .type = step->kind == GADGET_GUIDE_TEXT ? GADGET_CHAT_TEXT
                                                                    : GADGET_CHAT_REASONING,
                            .text = word });
}

/* Emits the arguments in two parts, as a model would. */
static void
emit_call (GTask *task, StoryStream *telling, const GadgetGuideStep *step)
{
  g_autofree char *unique = gadget_id_new ();
  g_autofree char *id = g_strdup_printf ("guide-%s-%u", unique, telling->n_calls);
  guint index = telling->n_calls++;
  gsize half = (gsize) (g_utf8_offset_to_pointer (step->text, g_utf8_strlen (step->text, -1) / 2)
                        - step->text);
  g_autofree char *head = g_strndup (step->text, half);

  telling->step++;
  emit (telling, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_BEGIN,
                                     .call_index = index,
                                     .call_id = id,
                                     .name = step->name });
  if (!is_aborted (task))
    emit (telling, (GadgetChatEvent) {
                       .type = GADGET_CHAT_CALL_ARGUMENTS, .call_index = index, .text = head });
  if (!is_aborted (task))
    emit (telling, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_ARGUMENTS,
                                       .call_index = index,
                                       .text = step->text + half });
  if (!is_aborted (task))
    emit (telling, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_END, .call_index = index });
}

static void
tick_cb (gpointer user_data)
{
  GTask *task = user_data;
  StoryStream *telling = g_task_get_task_data (task);

  telling->timer = 0;
  stream_on (task);
}

/* Emits the words that are due, and sets the timer for the next word. */
static void
stream_on (GTask *task)
{
  GadgetGuide *self = g_task_get_source_object (task);
  StoryStream *telling = g_task_get_task_data (task);
  double us_per_word = (double) G_USEC_PER_SEC / WORDS_PER_SECOND;
  gint64 now_us = gadget_clock_now (self->clock);
  gint64 next_us = now_us;

  while (next_us <= now_us)
    {
      const GadgetGuideStep *step;

      if (telling->step >= telling->steps->len || is_aborted (task))
        {
          finish (task);
          return;
        }
      step = g_ptr_array_index (telling->steps, telling->step);
      if (step->kind == GADGET_GUIDE_CALL)
        emit_call (task, telling, step);
      else
        emit_word (telling, step);
      next_us = telling->began_us + (gint64) (telling->n_words * us_per_word);
    }
  telling->timer = gadget_clock_add_timeout (self->clock, (guint) ((next_us - now_us + 999) / 1000),
                                             "guide", tick_cb, task);
}

static void
gadget_guide_chat_async (GadgetProvider *provider, GadgetRequest *request, GadgetChatSink sink,
                         gpointer sink_data, GadgetReceipt *receipt, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetGuide *self = GADGET_GUIDE (provider);
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  StoryStream *telling;

  g_task_set_source_tag (task, gadget_guide_chat_async);
  g_task_set_check_cancellable (task, FALSE);
  if (g_task_return_error_if_cancelled (task))
    {
      g_object_unref (task);
      return;
    }

  telling = g_new0 (StoryStream, 1);
  g_task_set_task_data (task, telling, free_telling);
  telling->sink = sink;
  telling->sink_data = sink_data;
  telling->steps = gadget_guide_script_plan (request);
  if (g_set_object (&telling->receipt, receipt))
    telling->receipt_line = gadget_receipt_begin (receipt, GADGET_RECEIPT_REPLY, _ ("Guide"));
  /* Without a model there are no tokens. The event says so, so that none are estimated. */
  emit (telling, (GadgetChatEvent) { .type = GADGET_CHAT_USAGE });
  telling->began_us = gadget_clock_now (self->clock) + FIRST_DELAY_MS * 1000;
  telling->timer = gadget_clock_add_timeout (self->clock, FIRST_DELAY_MS, "guide", tick_cb, task);
  telling->abort_source = gadget_stop_source_new (cancellable, "guide abort", aborted_cb, task);
}

static gboolean
gadget_guide_chat_finish (GadgetProvider *provider, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gadget_guide_list_models_async (GadgetProvider *provider, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, user_data);
  GPtrArray *models = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_model_unref);

  g_task_set_source_tag (task, gadget_guide_list_models_async);
  g_ptr_array_add (models, gadget_model_new (GADGET_GUIDE_MODEL));
  g_task_return_pointer (task, models, (GDestroyNotify) g_ptr_array_unref);
}

static GPtrArray *
gadget_guide_list_models_finish (GadgetProvider *provider, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* The Guide reads only text, and no images. */
static void
gadget_guide_describe_model_async (GadgetProvider *provider, const char *model,
                                   GadgetReceipt *receipt, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, user_data);
  GadgetModel *description = gadget_model_new (GADGET_GUIDE_MODEL);

  g_task_set_source_tag (task, gadget_guide_describe_model_async);
  gadget_model_set_images (description, GADGET_MODEL_IMAGES_NO);
  g_task_return_pointer (task, description, (GDestroyNotify) gadget_model_unref);
}

static GadgetModel *
gadget_guide_describe_model_finish (GadgetProvider *provider, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
gadget_guide_iface_init (GadgetProviderInterface *iface)
{
  iface->chat_async = gadget_guide_chat_async;
  iface->chat_finish = gadget_guide_chat_finish;
  iface->list_models_async = gadget_guide_list_models_async;
  iface->list_models_finish = gadget_guide_list_models_finish;
  iface->describe_model_async = gadget_guide_describe_model_async;
  iface->describe_model_finish = gadget_guide_describe_model_finish;
}

static void
gadget_guide_dispose (GObject *object)
{
  g_clear_object (&GADGET_GUIDE (object)->clock);

  G_OBJECT_CLASS (gadget_guide_parent_class)->dispose (object);
}

static void
gadget_guide_class_init (GadgetGuideClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_guide_dispose;
}

static void
gadget_guide_init (GadgetGuide *self)
{
}

/**
 * gadget_guide_new:
 * @clock: (nullable): the clock for the speed of the words; %NULL for the system's clock
 *
 * Returns: (transfer full)
 */
GadgetProvider *
gadget_guide_new (GadgetClock *clock)
{
  GadgetGuide *self = g_object_new (GADGET_TYPE_GUIDE, NULL);

  self->clock = g_object_ref (clock != NULL ? clock : gadget_clock_get_default ());
  return GADGET_PROVIDER (self);
}
