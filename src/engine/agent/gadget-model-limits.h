/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-run.h"
#include "providers/gadget-provider.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetModelLimit:
 * @setting: the key of the setting that stores it
 * @context_length: how many tokens the model can read, as its provider says; 0 if it is not known
 * @tool_tokens: how many estimated tokens the offered tools may take; -1 for no limit
 * @percent: how many tokens of the model 100 estimated tokens are, as far as was seen; at least 100
 * @refused_little: whether a request of few tokens was refused as too long
 * @asked: whether the provider was asked for @context_length
 * @lowered: whether @tool_tokens was lowered and the user was not told yet
 * @reported: whether the user was told
 *
 * The known limits of one model. Owned by the table, and valid as long as the table.
 */
typedef struct
{
  char *setting;
  gint64 context_length;
  gint64 tool_tokens;
  guint percent;
  gboolean refused_little;
  gboolean asked;
  gboolean lowered;
  gboolean reported;
} GadgetModelLimit;

/* The table of what is known about all models; one for each agent. Reference-counted. */
typedef struct _GadgetModelLimits GadgetModelLimits;

GadgetModelLimits *_gadget_model_limits_new         (GadgetStore       *store);
GadgetModelLimits *_gadget_model_limits_ref         (GadgetModelLimits *self);
void               _gadget_model_limits_unref       (GadgetModelLimits *self);
void               _gadget_model_limits_load        (GadgetModelLimits *self);
GadgetModelLimit  *_gadget_model_limits_get         (GadgetModelLimits *self,
                                                     const char        *provider_id,
                                                     const char        *model);
GCancellable      *_gadget_model_limits_ask         (GadgetModelLimits *self,
                                                     GadgetModelLimit  *limit,
                                                     GadgetProvider    *provider,
                                                     GadgetRequest     *request,
                                                     GadgetRun         *run,
                                                     GSourceOnceFunc    func,
                                                     gpointer           user_data);
void               _gadget_model_limits_set_tool_tokens (GadgetModelLimits *self,
                                                     GadgetModelLimit  *limit,
                                                     gint64             tokens);

void               _gadget_model_limits_learn       (GadgetModelLimits *self,
                                                     GadgetModelLimit  *limit,
                                                     gint64             estimated_tokens,
                                                     gint64             reported_tokens);
void               _gadget_model_limits_learn_refusal (GadgetModelLimits *self,
                                                     GadgetModelLimit  *limit,
                                                     gint64             estimated_tokens);
gint64             _gadget_model_limit_get_window   (const GadgetModelLimit *limit);
gboolean           _gadget_model_limit_is_small     (const GadgetModelLimit *limit);

G_END_DECLS
