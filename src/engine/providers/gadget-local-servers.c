/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Looks for model servers on this machine: all places are asked for their models at the same time,
 * with short time limits. Places that are not loopback addresses are skipped. */

#define G_LOG_DOMAIN "gadget-local-servers"

#include "config.h"

#include "gadget-local-servers.h"

#include "gadget-provider-factory.h"

#include <string.h>

#define LIMIT_MS 1000

static const GadgetLocalServerPlace usual_places[] = {
  { "Ollama", GADGET_PROVIDER_KIND_OLLAMA, "http://127.0.0.1:11434" },
  { "llama.cpp", GADGET_PROVIDER_KIND_OPENAI_CHAT, "http://127.0.0.1:8080/v1" },
  { "LM Studio", GADGET_PROVIDER_KIND_OPENAI_CHAT, "http://127.0.0.1:1234/v1" },
  { "vLLM", GADGET_PROVIDER_KIND_OPENAI_CHAT, "http://127.0.0.1:8000/v1" },
  { NULL },
};

typedef struct
{
  GTask *task;
  guint place;
} Probe;

typedef struct
{
  GadgetHttp *http;
  GPtrArray *found; /* of GadgetLocalServer, one slot per place, NULL without a response */
  const GadgetLocalServerPlace *places;
  guint n_left;
} Search;

void
gadget_local_server_free (GadgetLocalServer *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->kind);
  g_free (self->base_url);
  g_strfreev (self->models);
  g_free (self);
}

static void
free_search (gpointer data)
{
  Search *search = data;

  g_object_unref (search->http);
  g_clear_pointer (&search->found, g_ptr_array_unref);
  g_free (search);
}

static GadgetLocalServer *
make_server (const GadgetLocalServerPlace *place, GPtrArray *models)
{
  GadgetLocalServer *server = g_new0 (GadgetLocalServer, 1);

  server->name = g_strdup (place->name);
  server->kind = g_strdup (place->kind);
  server->base_url = g_strdup (place->base_url);
  server->models = g_new0 (char *, models->len + 1);
  for (guint i = 0; i < models->len; i++)
    server->models[i] = g_strdup (gadget_model_get_name (g_ptr_array_index (models, i)));
  return server;
}

static void
finish (GTask *task)
{
  Search *search = g_task_get_task_data (task);

  for (guint i = search->found->len; i > 0; i--)
    if (g_ptr_array_index (search->found, i - 1) == NULL)
      g_ptr_array_remove_index (search->found, i - 1);
  g_task_return_pointer (task, g_steal_pointer (&search->found),
                         (GDestroyNotify) g_ptr_array_unref);
  g_object_unref (task);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Probe *probe = user_data;
  Search *search = g_task_get_task_data (probe->task);
  const GadgetLocalServerPlace *place = &search->places[probe->place];
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models =
      gadget_provider_list_models_finish (GADGET_PROVIDER (source), result, &error);

  if (models != NULL)
    g_ptr_array_index (search->found, probe->place) = make_server (place, models);
  else
    g_debug ("%s: %s", place->name, error->message);
  if (--search->n_left == 0)
    finish (probe->task);
}

static gboolean
is_loopback (const char *base_url)
{
  g_autoptr (GUri) uri = g_uri_parse (base_url, G_URI_FLAGS_NONE, NULL);
  g_autoptr (GInetAddress) address =
      uri != NULL ? g_inet_address_new_from_string (g_uri_get_host (uri)) : NULL;

  return address != NULL && g_inet_address_get_is_loopback (address);
}

static void
probe_place (GTask *task, guint index)
{
  Search *search = g_task_get_task_data (task);
  const GadgetLocalServerPlace *place = &search->places[index];
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("local", place->name, place->kind, place->base_url, NULL);
  g_autoptr (GadgetProvider) provider = gadget_provider_new_for_config (
      config, search->http, NULL, gadget_http_get_clock (search->http));
  Probe *probe = g_new0 (Probe, 1);

  probe->task = task;
  probe->place = index;
  search->n_left++;
  gadget_provider_list_models_async (provider, g_task_get_cancellable (task), listed_cb, probe);
}

/* The probes share an object of their own, which has short limits. */
static GadgetHttp *
make_http (GadgetHttp *http)
{
  GadgetHttp *own = gadget_http_new (gadget_http_get_clock (http));
  GadgetHttpLimits limits = *gadget_http_get_limits (http);

  limits.connect_ms = limits.first_byte_ms = limits.idle_ms = limits.refusal_ms = LIMIT_MS;
  gadget_http_set_limits (own, &limits);
  return own;
}

/**
 * gadget_local_servers_find_async:
 * @http: the program's
 * @places: (nullable): static; %NULL for the usual ports of Ollama, llama.cpp, LM Studio and vLLM
 *
 * Asks all places at once.
 */
void
gadget_local_servers_find_async (GadgetHttp *http, const GadgetLocalServerPlace *places,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GTask *task;
  Search *search;
  guint n = 0;

  g_return_if_fail (GADGET_IS_HTTP (http));

  task = g_task_new (http, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_local_servers_find_async);
  search = g_new0 (Search, 1);
  g_task_set_task_data (task, search, free_search);
  search->http = make_http (http);
  search->places = places != NULL ? places : usual_places;
  search->found = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_local_server_free);
  while (search->places[n].name != NULL)
    n++;
  g_ptr_array_set_size (search->found, (gint) n);

  for (guint i = 0; i < n; i++)
    if (is_loopback (search->places[i].base_url))
      probe_place (task, i);
  if (search->n_left == 0)
    finish (task);
}

/**
 * gadget_local_servers_find_finish:
 *
 * Returns: (transfer full) (element-type GadgetLocalServer): the servers that responded, possibly
 *   none; %NULL with %G_IO_ERROR_CANCELLED
 */
GPtrArray *
gadget_local_servers_find_finish (GadgetHttp *http, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, http), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
