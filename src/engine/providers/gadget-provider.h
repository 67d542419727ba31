/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-model.h"
#include "gadget-provider-error.h"
#include "session/gadget-receipt.h"
#include "session/gadget-request.h"
#include "session/gadget-turn.h"

G_BEGIN_DECLS

#define GADGET_TYPE_PROVIDER (gadget_provider_get_type ())
G_DECLARE_INTERFACE (GadgetProvider, gadget_provider, GADGET, PROVIDER, GObject)

/* The kinds of events, and the members that each of them sets. */
typedef enum
{
  GADGET_CHAT_TEXT,            /* text */
  GADGET_CHAT_TEXT_END,        /* replay: has to be sent back with the text before it */
  GADGET_CHAT_REASONING,       /* text */
  GADGET_CHAT_REASONING_END,   /* replay: a part of reasoning is complete, even without text */
  GADGET_CHAT_CALL_BEGIN,      /* call_index, call_id, name */
  GADGET_CHAT_CALL_ARGUMENTS,  /* call_index, text */
  GADGET_CHAT_CALL_END,        /* call_index, replay: the arguments are complete */
  GADGET_CHAT_USAGE,           /* usage: of this request so far */
  GADGET_CHAT_LIMIT,           /* the response ends at the model's limit of output tokens */
  GADGET_CHAT_IMAGES_LEFT_OUT, /* the request is sent without its images */
  GADGET_CHAT_LOADING,         /* the server is loading the model */
  GADGET_CHAT_RETRY,           /* retry_ms: the request is sent again after that long */
} GadgetChatEventType;

/**
 * GadgetChatEvent:
 *
 * One event of a streamed response. The strings are only valid during the call of the sink. @replay
 * is the data that has to be sent back unchanged together with the text, reasoning or call, or
 * %NULL.
 */
typedef struct
{
  GadgetChatEventType type;
  const char *text;
  guint call_index;
  const char *call_id;
  const char *name;
  const char *replay;
  GadgetUsage usage;
  guint retry_ms;
} GadgetChatEvent;

/* Receives the events of one response. */
typedef void (*GadgetChatSink) (const GadgetChatEvent *event, gpointer user_data);

/**
 * GadgetProviderInterface:
 * @chat_async: streams one response into the sink, on the caller's main context. The sink is not
 *   called after the cancellable was cancelled, nor after the callback. The receipt records each
 *   connection from its start to its measured end
 * @list_models_async: (element-type GadgetModel): lists the models, the default one first
 * @describe_model_async: (nullable): describes one model; without it only the name is known
 * @dup_replay_source: (nullable): identifies who accepts replay data, see GadgetItem; without it
 *   nobody does
 *
 * The functions of a provider.
 */
struct _GadgetProviderInterface
{
  GTypeInterface parent_iface;

  void       (*chat_async)         (GadgetProvider       *self,
                                    GadgetRequest        *request,
                                    GadgetChatSink        sink,
                                    gpointer              sink_data,
                                    GadgetReceipt        *receipt,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
  gboolean   (*chat_finish)        (GadgetProvider       *self,
                                    GAsyncResult         *result,
                                    GError              **error);
  void       (*list_models_async)  (GadgetProvider       *self,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
  GPtrArray *(*list_models_finish) (GadgetProvider       *self,
                                    GAsyncResult         *result,
                                    GError              **error);
  void       (*describe_model_async) (GadgetProvider     *self,
                                    const char           *model,
                                    GadgetReceipt        *receipt,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
  GadgetModel *(*describe_model_finish) (GadgetProvider  *self,
                                    GAsyncResult         *result,
                                    GError              **error);
  char      *(*dup_replay_source)  (GadgetProvider       *self,
                                    const char           *model);
};

void       gadget_provider_chat_async         (GadgetProvider       *self,
                                               GadgetRequest        *request,
                                               GadgetChatSink        sink,
                                               gpointer              sink_data,
                                               GadgetReceipt        *receipt,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean   gadget_provider_chat_finish        (GadgetProvider       *self,
                                               GAsyncResult         *result,
                                               GError              **error);
void       gadget_provider_generate_async     (GadgetProvider       *self,
                                               GadgetRequest        *request,
                                               GadgetReceipt        *receipt,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
char      *gadget_provider_generate_finish    (GadgetProvider       *self,
                                               GAsyncResult         *result,
                                               GError              **error);
gboolean   gadget_provider_get_generated_usage (GAsyncResult        *result,
                                               GadgetUsage          *usage);
void       gadget_provider_list_models_async  (GadgetProvider       *self,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
GPtrArray *gadget_provider_list_models_finish (GadgetProvider       *self,
                                               GAsyncResult         *result,
                                               GError              **error);
void       gadget_provider_describe_model_async (GadgetProvider     *self,
                                               const char           *model,
                                               GadgetReceipt        *receipt,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
GadgetModel *gadget_provider_describe_model_finish (GadgetProvider  *self,
                                               GAsyncResult         *result,
                                               GError              **error);
char      *gadget_provider_dup_replay_source  (GadgetProvider       *self,
                                               const char           *model);

G_END_DECLS
