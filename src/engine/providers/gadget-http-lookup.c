/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-http-provider"

#include "config.h"

#include "gadget-http-lookup.h"

typedef struct
{
  GadgetHttpRequest *request;
  const GadgetDialect *dialect;
  GByteArray *body;
} Lookup;

static void
free_lookup (gpointer data)
{
  Lookup *lookup = data;

  gadget_http_request_free (lookup->request);
  g_byte_array_unref (lookup->body);
  g_free (lookup);
}

static gboolean
head_cb (GadgetHttpResponse *response, gpointer user_data, GError **error)
{
  return TRUE;
}

static GadgetHttpVerdict
data_cb (const char *bytes, gsize length, gpointer user_data, GError **error)
{
  Lookup *lookup = user_data;

  if (length > GADGET_DIALECT_MAX_BODY - lookup->body->len)
    {
      g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_TOO_LARGE,
                           "The answer is larger than 8 MiB");
      return GADGET_HTTP_FAILED;
    }
  g_byte_array_append (lookup->body, (const guint8 *) bytes, (guint) length);
  return GADGET_HTTP_MORE;
}

static GError *
refusal_cb (GadgetHttpResponse *response, const char *body, gsize length, gpointer user_data)
{
  const Lookup *lookup = user_data;

  return lookup->dialect->read_refusal (response, body, length);
}

static const GadgetHttpHandler handler = { head_cb, data_cb, NULL, refusal_cb };

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Lookup *lookup = g_task_get_task_data (task);
  GError *error = NULL;

  if (gadget_http_stream_finish (GADGET_HTTP (source), result, NULL, &error))
    g_task_return_pointer (task, g_bytes_new (lookup->body->data, lookup->body->len),
                           (GDestroyNotify) g_bytes_unref);
  else
    {
      gadget_provider_adopt_error (error);
      g_task_return_error (task, error);
    }
}

/**
 * gadget_http_lookup_async:
 * @dialect: static; converts an error response
 * @request: (transfer full): the request to send
 * @receipt: (nullable): as of gadget_http_stream_async ()
 */
void
gadget_http_lookup_async (GadgetHttp *http, const GadgetDialect *dialect,
                          GadgetHttpRequest *request, GadgetReceipt *receipt,
                          GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (http, cancellable, callback, user_data);
  Lookup *lookup = g_new0 (Lookup, 1);

  g_task_set_source_tag (task, gadget_http_lookup_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, lookup, free_lookup);
  lookup->request = request;
  lookup->dialect = dialect;
  lookup->body = g_byte_array_new ();
  gadget_http_stream_async (http, request, &handler, lookup, receipt, cancellable, streamed_cb,
                            task);
}

/**
 * gadget_http_lookup_finish:
 *
 * Returns: (transfer full): the body; or %NULL with a #GadgetProviderError, or
 *   %G_IO_ERROR_CANCELLED
 */
GBytes *
gadget_http_lookup_finish (GadgetHttp *http, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, http), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
