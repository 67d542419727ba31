/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what the files of GadgetHttpProvider share. */

#pragma once

#include "gadget-http-provider.h"

G_BEGIN_DECLS

struct _GadgetHttpProvider
{
  GObject parent_instance;

  const GadgetDialect *dialect;
  GadgetProviderConfig *config;
  GadgetHttp *http;
  char *key;         /* NULL for none; goes into one header and nowhere else */
  char **headers;    /* (nullable): names and values; the same is true of the values */
  char *first_model; /* (nullable): the server's, where the settings name none and it was asked */
  GHashTable *terms; /* (element-type utf8 GadgetTerms): of models that refused some */
};

/* The model that is meant; NULL if neither the chat nor the settings say, and the server was not
 * asked. */
const char        *_gadget_http_provider_choose_model (GadgetHttpProvider  *self,
                                                       const char          *model);
/* Servers quote what they were given; secrets stay out of what is shown, stored and logged. */
void               _gadget_http_provider_hide_secrets (GadgetHttpProvider  *self,
                                                       GError              *error);
/* (transfer full) (nullable) of @url */
GadgetHttpRequest *_gadget_http_provider_make_http_request (GadgetHttpProvider *self,
                                                       const char          *method,
                                                       char                *url,
                                                       const char          *accept,
                                                       GError             **error);
/* (transfer full) of @url and @body, both nullable; %FALSE with an error if nothing was asked. */
gboolean           _gadget_http_provider_look_up      (GadgetHttpProvider  *self,
                                                       char                *url,
                                                       GBytes              *body,
                                                       GadgetReceipt       *receipt,
                                                       GCancellable        *cancellable,
                                                       GAsyncReadyCallback  callback,
                                                       gpointer             user_data,
                                                       GError             **error);
const char        *_gadget_http_provider_get_text     (GBytes              *body,
                                                       gsize               *length);

void               _gadget_http_provider_list_models  (GadgetHttpProvider  *self,
                                                       GadgetReceipt       *receipt,
                                                       GCancellable        *cancellable,
                                                       GAsyncReadyCallback  callback,
                                                       gpointer             user_data);

/* Of the interface. */
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
