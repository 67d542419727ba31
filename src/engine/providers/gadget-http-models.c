/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The models of a provider behind HTTP: lists them page by page, and describes one of them.
 * Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-http-provider"

#include "config.h"

#include "gadget-http-provider-private.h"

#include "gadget-http-lookup.h"

/* A list with more pages than this comes from a faulty server. */
#define MAX_PAGES 20

/* A list of models that arrives page by page, owned by its task. */
typedef struct
{
  GadgetReceipt *receipt; /* (nullable) */
  GPtrArray *models;      /* (nullable): of the pages so far */
  guint n_pages;
} Listing;

/* A model that is being described by several requests in turn, owned by its task. */
typedef struct
{
  char *name;
  GadgetModel *model;     /* (nullable): what is known so far */
  GadgetReceipt *receipt; /* (nullable) */
  guint step;
} Description;

static void request_next (GTask *task);

static void
free_listing (gpointer data)
{
  Listing *listing = data;

  g_clear_object (&listing->receipt);
  g_clear_pointer (&listing->models, g_ptr_array_unref);
  g_free (listing);
}

static void
free_description (gpointer data)
{
  Description *description = data;

  g_free (description->name);
  g_clear_pointer (&description->model, gadget_model_unref);
  g_clear_object (&description->receipt);
  g_free (description);
}

static void
fail_lookup (GTask *task, GError *error)
{
  _gadget_http_provider_hide_secrets (g_task_get_source_object (task), error);
  g_task_return_error (task, error);
}

/* Each page has the default model at its front, if at all; it is moved to the front of the whole
 * list. */
static void
add_page (GadgetHttpProvider *self, Listing *listing, GPtrArray *page)
{
  const char *default_model = gadget_provider_config_get_model (self->config);

  listing->n_pages++;
  if (listing->models == NULL)
    {
      listing->models = g_ptr_array_ref (page);
      return;
    }
  for (guint i = 0; i < page->len; i++)
    {
      GadgetModel *model = g_ptr_array_index (page, i);
      const gboolean is_default = g_strcmp0 (gadget_model_get_name (model), default_model) == 0;

      g_ptr_array_insert (listing->models, is_default ? 0 : -1, gadget_model_ref (model));
    }
}

/* Removes models that are not for chats. The default model stays whatever its name is, and so does
 * a list that has no other models. */
static void
leave_out_others (GadgetHttpProvider *self, GPtrArray *models)
{
  const char *default_model = gadget_provider_config_get_model (self->config);
  guint n = 0;

  for (guint i = 0; i < models->len; i++)
    n += gadget_model_is_for_chats (g_ptr_array_index (models, i));
  for (guint i = n > 0 ? models->len : 0; i > 0; i--)
    {
      GadgetModel *model = g_ptr_array_index (models, i - 1);

      if (!gadget_model_is_for_chats (model)
          && g_strcmp0 (gadget_model_get_name (model), default_model) != 0)
        g_ptr_array_remove_index (models, i - 1);
    }
}

/* (transfer full) (nullable): NULL after the last page */
static char *
make_next_url (GadgetHttpProvider *self, const Listing *listing, GBytes *body)
{
  const char *base_url = gadget_provider_config_get_base_url (self->config);
  gsize length;
  const char *text = _gadget_http_provider_get_text (body, &length);

  if (self->dialect->make_next_url == NULL || listing->n_pages >= MAX_PAGES)
    return NULL;
  return self->dialect->make_next_url (base_url, text, length);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Listing *listing = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GBytes) body = gadget_http_lookup_finish (GADGET_HTTP (source), result, &error);
  g_autoptr (GPtrArray) page = NULL;
  char *next = NULL;

  if (body != NULL)
    {
      gsize length;
      const char *text = _gadget_http_provider_get_text (body, &length);

      page = self->dialect->read_models (text, length,
                                         gadget_provider_config_get_model (self->config), &error);
    }
  if (page != NULL)
    {
      add_page (self, listing, page);
      next = make_next_url (self, listing, body);
    }
  else if (listing->models == NULL)
    {
      fail_lookup (task, error);
      return;
    }
  /* If a page fails, the pages before it are returned. */
  g_clear_error (&error);
  if (next != NULL
      && _gadget_http_provider_look_up (self, next, NULL, listing->receipt,
                                        g_task_get_cancellable (task), listed_cb, task, NULL))
    g_steal_pointer (&task);
  else
    {
      leave_out_others (self, listing->models);
      g_task_return_pointer (task, g_steal_pointer (&listing->models),
                             (GDestroyNotify) g_ptr_array_unref);
    }
}

/* Like the async function of the interface, with @receipt (nullable) for the connections. */
void
_gadget_http_provider_list_models (GadgetHttpProvider *self, GadgetReceipt *receipt,
                                   GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  const char *base_url = gadget_provider_config_get_base_url (self->config);
  Listing *listing = g_new0 (Listing, 1);
  GError *error = NULL;

  g_task_set_source_tag (task, _gadget_http_provider_list_models);
  g_task_set_task_data (task, listing, free_listing);
  g_set_object (&listing->receipt, receipt);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (_gadget_http_provider_look_up (self, self->dialect->make_models_url (base_url), NULL, receipt,
                                     cancellable, listed_cb, task, &error))
    g_steal_pointer (&task);
  else
    g_task_return_error (task, error);
}

void
_gadget_http_provider_list_models_async (GadgetProvider *provider, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data)
{
  _gadget_http_provider_list_models (GADGET_HTTP_PROVIDER (provider), NULL, cancellable, callback,
                                     user_data);
}

GPtrArray *
_gadget_http_provider_list_models_finish (GadgetProvider *provider, GAsyncResult *result,
                                          GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- One model ------------------------------------------------------------------------------- */

static GadgetModel *
find_model (GPtrArray *models, const char *name)
{
  for (guint i = 0; i < models->len; i++)
    if (name == NULL || g_str_equal (gadget_model_get_name (g_ptr_array_index (models, i)), name))
      return gadget_model_ref (g_ptr_array_index (models, i));
  return gadget_model_new (name != NULL ? name : "");
}

static void
more_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Description *description = g_task_get_task_data (task);
  g_autoptr (GBytes) body = gadget_http_lookup_finish (GADGET_HTTP (source), result, NULL);

  /* A response that fails here is only optional information. */
  if (body != NULL)
    {
      gsize length;
      const char *text = _gadget_http_provider_get_text (body, &length);

      self->dialect->read_more (text, length, description->model);
    }
  request_next (task);
}

/* (transfer full) of @task */
static void
request_next (GTask *task)
{
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Description *description = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  const char *base_url = gadget_provider_config_get_base_url (self->config);
  char *url = NULL;

  if (self->dialect->make_details_url != NULL && !g_cancellable_is_cancelled (cancellable))
    url = self->dialect->make_details_url (base_url, description->model, description->step++);
  if (url != NULL
      && _gadget_http_provider_look_up (self, url, NULL, description->receipt, cancellable, more_cb,
                                        task, NULL))
    return;
  g_task_return_pointer (task, g_steal_pointer (&description->model),
                         (GDestroyNotify) gadget_model_unref);
  g_object_unref (task);
}

static void
described_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Description *description = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GBytes) body = gadget_http_lookup_finish (GADGET_HTTP (source), result, &error);

  if (body != NULL)
    {
      gsize length;
      const char *text = _gadget_http_provider_get_text (body, &length);

      description->model =
          self->dialect->read_description (text, length, description->name, &error);
    }
  if (description->model == NULL)
    fail_lookup (task, error);
  else
    request_next (g_steal_pointer (&task));
}

static void
listed_to_describe_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Description *description = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) models =
      _gadget_http_provider_list_models_finish (GADGET_PROVIDER (source), result, &error);

  if (models == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  description->model = find_model (models, description->name);
  request_next (g_steal_pointer (&task));
}

void
_gadget_http_provider_describe_model_async (GadgetProvider *provider, const char *model,
                                            GadgetReceipt *receipt, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetHttpProvider *self = GADGET_HTTP_PROVIDER (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  const GadgetDialect *dialect = self->dialect;
  const char *base_url = gadget_provider_config_get_base_url (self->config);
  Description *description = g_new0 (Description, 1);
  const char *name = _gadget_http_provider_choose_model (self, model);
  GError *error = NULL;

  g_task_set_source_tag (task, _gadget_http_provider_describe_model_async);
  g_task_set_task_data (task, description, free_description);
  description->name = g_strdup (name);
  g_set_object (&description->receipt, receipt);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (dialect->make_describe_url == NULL || name == NULL)
    _gadget_http_provider_list_models (self, receipt, cancellable, listed_to_describe_cb,
                                       g_steal_pointer (&task));
  else if (_gadget_http_provider_look_up (
               self, dialect->make_describe_url (base_url, name),
               dialect->make_describe_body != NULL ? dialect->make_describe_body (name) : NULL,
               receipt, cancellable, described_cb, task, &error))
    g_steal_pointer (&task);
  else
    g_task_return_error (task, error);
}

GadgetModel *
_gadget_http_provider_describe_model_finish (GadgetProvider *provider, GAsyncResult *result,
                                             GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
