/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much each model can read. The provider is asked for it once, beside the turn's own work, and
 * only when a request reaches a size at which it begins to matter, or when the model is known to
 * have no room for all tools: its server may have been given a larger context meanwhile. The
 * question is a call of the turn's run, and ends with the run at the latest.
 *
 * Sizes of requests are estimates (see common/gadget-tokens.c). A model with another vocabulary
 * needs more tokens for the same text. How many more is learned from the usage that its provider
 * reports and from the requests that it refuses. A smaller number is never assumed, because the
 * reported usage does not always include the cached part of a prompt.
 *
 * The limits of a model without room for all tools are stored as a setting, so that they need not
 * be found out again after each start. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-model-limits"

#include "config.h"

#include "gadget-model-limits.h"

#include "store/gadget-store-providers.h"

/* The smallest context that servers give a model by default is 4,096 tokens (Ollama, on most
 * machines); a smaller one has hardly room for the tools, and its provider refuses the request. The
 * provider is asked from four fifths of that size on. */
#define ASK_TOKENS 3276

/* In requests smaller than this, in tokens, what the provider adds by itself weighs too much. */
#define LEARN_TOKENS 400
#define MAX_PERCENT 400
/* See _gadget_model_limit_is_small (). */
#define SMALL_CONTEXT 8192

struct _GadgetModelLimits
{
  GHashTable *limits; /* setting → GadgetModelLimit */
  GadgetStore *store; /* (nullable) */
};

static void
limit_free (gpointer data)
{
  GadgetModelLimit *limit = data;

  g_free (limit->setting);
  g_free (limit);
}

/**
 * _gadget_model_limits_new:
 * @store: (nullable): where the table is kept; with %NULL nothing is kept
 *
 * Returns: (transfer full): an empty table
 */
GadgetModelLimits *
_gadget_model_limits_new (GadgetStore *store)
{
  GadgetModelLimits *self = g_rc_box_new0 (GadgetModelLimits);

  self->limits = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, limit_free);
  g_set_object (&self->store, store);
  return self;
}

GadgetModelLimits *
_gadget_model_limits_ref (GadgetModelLimits *self)
{
  return g_rc_box_acquire (self);
}

static void
limits_clear (gpointer data)
{
  GadgetModelLimits *self = data;

  g_hash_table_unref (self->limits);
  g_clear_object (&self->store);
}

void
_gadget_model_limits_unref (GadgetModelLimits *self)
{
  g_rc_box_release_full (self, limits_clear);
}

static GadgetModelLimit *
get_limit (GadgetModelLimits *self, const char *setting)
{
  GadgetModelLimit *limit = g_hash_table_lookup (self->limits, setting);

  if (limit == NULL)
    {
      limit = g_new0 (GadgetModelLimit, 1);
      limit->setting = g_strdup (setting);
      limit->tool_tokens = -1;
      limit->percent = 100;
      g_hash_table_insert (self->limits, limit->setting, limit);
    }
  return limit;
}

/**
 * _gadget_model_limits_get:
 * @provider_id: (nullable): the provider
 * @model: (nullable): %NULL for the provider's own choice
 *
 * Returns: (transfer none): what is known about the model; an entry without knowledge is made if
 *   there was none
 */
GadgetModelLimit *
_gadget_model_limits_get (GadgetModelLimits *self, const char *provider_id, const char *model)
{
  g_autofree char *setting =
      g_strdup_printf (GADGET_SETTING_MODEL_LIMITS "%s/%s", provider_id != NULL ? provider_id : "",
                       model != NULL ? model : "");

  return get_limit (self, setting);
}

/* --- Keeping them ----------------------------------------------------------------------------- */

static void
parse (GadgetModelLimit *limit, const char *value)
{
  g_auto (GStrv) numbers = g_strsplit (value, " ", 3);
  gint64 context_length;
  gint64 tool_tokens;
  gint64 percent;

  if (g_strv_length (numbers) != 3
      || !g_ascii_string_to_signed (numbers[0], 10, 0, G_MAXINT64 / MAX_PERCENT, &context_length,
                                    NULL)
      || !g_ascii_string_to_signed (numbers[1], 10, -1, G_MAXINT64, &tool_tokens, NULL)
      || !g_ascii_string_to_signed (numbers[2], 10, 100, MAX_PERCENT, &percent, NULL))
    return;
  limit->context_length = context_length;
  limit->tool_tokens = tool_tokens;
  limit->percent = (guint) percent;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetModelLimits *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) settings =
      gadget_store_list_settings_finish (GADGET_STORE (source), result, &error);
  GHashTableIter iter;
  const char *name;
  const char *value;

  if (settings == NULL)
    g_message ("what models can read could not be loaded: %s", error->message);
  else
    {
      g_hash_table_iter_init (&iter, settings);
      while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &value))
        /* Entries that were made meanwhile are newer. */
        if (!g_hash_table_contains (self->limits, name))
          parse (get_limit (self, name), value);
    }
  _gadget_model_limits_unref (self);
}

/**
 * _gadget_model_limits_load:
 *
 * Reads the stored part of the table. The store must be open.
 */
void
_gadget_model_limits_load (GadgetModelLimits *self)
{
  gadget_store_list_settings_async (self->store, GADGET_SETTING_MODEL_LIMITS, loaded_cb,
                                    _gadget_model_limits_ref (self));
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_set_setting_finish (GADGET_STORE (source), result, &error))
    g_message ("what a model can read could not be saved: %s", error->message);
}

static void
save (GadgetModelLimits *self, const GadgetModelLimit *limit)
{
  g_autofree char *value = NULL;

  if (self->store == NULL)
    return;
  /* Only models that cannot be offered all tools need to be known at the next start. */
  if (limit->tool_tokens >= 0)
    value = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %u", limit->context_length,
                             limit->tool_tokens, limit->percent);
  gadget_store_set_setting_async (self->store, limit->setting, value, saved_cb, NULL);
}

/**
 * _gadget_model_limits_set_tool_tokens:
 * @tokens: how many estimated tokens the tools may take from now on; -1 for no limit
 */
void
_gadget_model_limits_set_tool_tokens (GadgetModelLimits *self, GadgetModelLimit *limit,
                                      gint64 tokens)
{
  if (limit->tool_tokens == tokens)
    return;
  limit->lowered = tokens >= 0 && !limit->reported;
  limit->tool_tokens = tokens;
  save (self, limit);
}

/* --- Asking ----------------------------------------------------------------------------------- */

/* A question to a provider that is under way. */
typedef struct
{
  GadgetModelLimits *limits;
  GadgetModelLimit *limit;
  GadgetRun *run;
  GCancellable *call;
  GSourceOnceFunc func;
  gpointer user_data;
} Question;

static void
take_length (GadgetModelLimits *self, GadgetModelLimit *limit, gint64 tokens)
{
  const gint64 before = limit->context_length;

  if (tokens == 0 || tokens == before)
    return;
  limit->context_length = MIN (tokens, G_MAXINT64 / MAX_PERCENT);
  if (limit->tool_tokens < 0)
    return;
  /* The limit for the tools was found with another context length, or without one. */
  if (before > 0)
    _gadget_model_limits_set_tool_tokens (self, limit, -1);
  else
    save (self, limit);
}

static void
described_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (GadgetModel) model =
      gadget_provider_describe_model_finish (GADGET_PROVIDER (source), result, NULL);

  if (model != NULL)
    take_length (question->limits, question->limit, gadget_model_get_context_length (model));
  else if (g_cancellable_is_cancelled (question->call))
    question->limit->asked = FALSE; /* the next request of that size asks again */
  gadget_run_remove_call (question->run, question->call);
  question->func (question->user_data);
  _gadget_model_limits_unref (question->limits);
  g_object_unref (question->run);
  g_object_unref (question->call);
  g_free (question);
}

/**
 * _gadget_model_limits_ask:
 * @request: the request that is about to be sent
 * @run: the run that the question is a call of; it must not end before @func was called
 * @func: called when the question has ended, in whatever way
 *
 * Asks the provider how much the model can read, unless it was asked before or the request is too
 * small.
 *
 * Returns: (transfer full) (nullable): the call, which can be stopped with gadget_run_stop_call ();
 *   %NULL if nothing was asked and @func is not called
 */
GCancellable *
_gadget_model_limits_ask (GadgetModelLimits *self, GadgetModelLimit *limit,
                          GadgetProvider *provider, GadgetRequest *request, GadgetRun *run,
                          GSourceOnceFunc func, gpointer user_data)
{
  Question *question;

  if (limit->asked
      || (limit->tool_tokens < 0 && gadget_request_count_tokens (request) < ASK_TOKENS))
    return NULL;
  limit->asked = TRUE;
  question = g_new0 (Question, 1);
  question->limits = _gadget_model_limits_ref (self);
  question->limit = limit;
  question->run = g_object_ref (run);
  question->call = gadget_run_add_call (run);
  question->func = func;
  question->user_data = user_data;
  gadget_provider_describe_model_async (provider, request->model, gadget_run_get_receipt (run),
                                        question->call, described_cb, question);
  return g_object_ref (question->call);
}

/* --- Learning -------------------------------------------------------------------------------- */

/**
 * _gadget_model_limit_get_window:
 *
 * Returns: how many estimated tokens the model can read; 0 if that is not known
 */
gint64
_gadget_model_limit_get_window (const GadgetModelLimit *limit)
{
  return limit->context_length * 100 / limit->percent;
}

/**
 * _gadget_model_limit_is_small:
 *
 * Returns: whether the model is known to read so few tokens that it is told little and offered few
 *   tools from the start
 */
gboolean
_gadget_model_limit_is_small (const GadgetModelLimit *limit)
{
  if (limit->context_length == 0)
    return limit->refused_little;
  return limit->context_length <= SMALL_CONTEXT;
}

/**
 * _gadget_model_limits_learn:
 * @estimated_tokens: the estimated size of a request
 * @reported_tokens: the size that its provider has reported
 *
 * Raises the ratio between the model's tokens and estimated ones, if the request shows that it is
 * larger than known.
 */
void
_gadget_model_limits_learn (GadgetModelLimits *self, GadgetModelLimit *limit,
                            gint64 estimated_tokens, gint64 reported_tokens)
{
  gint64 percent;

  if (estimated_tokens < LEARN_TOKENS || reported_tokens <= estimated_tokens
      || reported_tokens > G_MAXINT64 / 100)
    return;
  percent = MIN (reported_tokens * 100 / estimated_tokens, MAX_PERCENT);
  if (percent <= limit->percent)
    return;
  limit->percent = (guint) percent;
  if (limit->tool_tokens >= 0)
    save (self, limit);
}

/**
 * _gadget_model_limits_learn_refusal:
 * @estimated_tokens: the estimated size of a request that was refused as too long
 *
 * Raises the ratio between the model's tokens and estimated ones: the request must have had more
 * tokens than the model can read. If it is not known how many that are, remembers whether they can
 * only be few.
 */
void
_gadget_model_limits_learn_refusal (GadgetModelLimits *self, GadgetModelLimit *limit,
                                    gint64 estimated_tokens)
{
  if (limit->context_length > 0)
    _gadget_model_limits_learn (self, limit, estimated_tokens, limit->context_length);
  else if (estimated_tokens <= SMALL_CONTEXT)
    limit->refused_little = TRUE;
}
