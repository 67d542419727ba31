/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: shared by the files of GadgetHttpProvider. */

#pragma once

#include "gadget-http-provider.h"

G_BEGIN_DECLS

struct _GadgetHttpProvider
{
  GObject parent_instance;

  const GadgetDialect *dialect;
  GadgetProviderConfig *config;
  GadgetHttp *http;
  char *key;         /* (nullable): only sent in one header, never anywhere else */
  char **headers;    /* (nullable): names and values, alternating; the values are secret, too */
  char *first_model; /* (nullable): the server's first model, if the settings name none */
  GHashTable *support; /* (element-type utf8 GadgetModelSupport): models that refused requests */
};

/* The model to use: MODEL (nullable), that of the settings, or the server's first model. NULL if
 * none is given and the server was not asked yet. (transfer none) */
const char        *_gadget_http_provider_choose_model (GadgetHttpProvider  *self,
                                                       const char          *model);
/* Replaces secrets in the message of ERROR. Servers quote what they were sent, and secrets must not
 * be shown, stored or logged. */
void               _gadget_http_provider_hide_secrets (GadgetHttpProvider  *self,
                                                       GError              *error);
/* URL: (transfer full) (nullable): NULL fails with %GADGET_PROVIDER_ERROR_ADDRESS. A key that
 * cannot be sent fails with %GADGET_PROVIDER_ERROR_AUTH. (transfer full) */
GadgetHttpRequest *_gadget_http_provider_make_http_request (GadgetHttpProvider *self,
                                                       const char          *method,
                                                       char                *url,
                                                       const char          *accept,
                                                       GError             **error);
/* Sends a request for a small response; a POST if there is a BODY. URL and BODY: (transfer full)
 * (nullable). FALSE with an error, and without a callback, if no request was sent. */
gboolean           _gadget_http_provider_look_up      (GadgetHttpProvider  *self,
                                                       char                *url,
                                                       GBytes              *body,
                                                       GadgetReceipt       *receipt,
                                                       GCancellable        *cancellable,
                                                       GAsyncReadyCallback  callback,
                                                       gpointer             user_data,
                                                       GError             **error);
/* The text of a body, never NULL. (transfer none) */
const char        *_gadget_http_provider_get_text     (GBytes              *body,
                                                       gsize               *length);

/* Like the async function of the interface, with RECEIPT (nullable) for the connections. */
void               _gadget_http_provider_list_models  (GadgetHttpProvider  *self,
                                                       GadgetReceipt       *receipt,
                                                       GCancellable        *cancellable,
                                                       GAsyncReadyCallback  callback,
                                                       gpointer             user_data);

/* The functions of the interface. */
void         _gadget_http_provider_chat_async            (GadgetProvider      *provider,
                                                          GadgetRequest       *request,
                                                          GadgetChatSink       sink,
                                                          gpointer             sink_data,
                                                          GadgetReceipt       *receipt,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
gboolean     _gadget_http_provider_chat_finish           (GadgetProvider      *provider,
                                                          GAsyncResult        *result,
                                                          GError             **error);
void         _gadget_http_provider_list_models_async     (GadgetProvider      *provider,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
GPtrArray   *_gadget_http_provider_list_models_finish    (GadgetProvider      *provider,
                                                          GAsyncResult        *result,
                                                          GError             **error);
void         _gadget_http_provider_describe_model_async  (GadgetProvider      *provider,
                                                          const char          *model,
                                                          GadgetReceipt       *receipt,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
GadgetModel *_gadget_http_provider_describe_model_finish (GadgetProvider      *provider,
                                                          GAsyncResult        *result,
                                                          GError             **error);

G_END_DECLS
