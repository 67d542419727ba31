/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-model-limits.h"

G_BEGIN_DECLS

/**
 * GadgetContextFit:
 * @GADGET_CONTEXT_FIT_SEND: the request is sent as it is now
 * @GADGET_CONTEXT_FIT_SUMMARIZE: the chat has to be summarized first
 * @GADGET_CONTEXT_FIT_TOO_LONG: the provider has refused a request of this size, and nothing more
 *   can be left out
 *
 * The decision about a request.
 */
typedef enum
{
  GADGET_CONTEXT_FIT_SEND,
  GADGET_CONTEXT_FIT_SUMMARIZE,
  GADGET_CONTEXT_FIT_TOO_LONG,
} GadgetContextFit;

GadgetContextFit _gadget_context_fit (GadgetModelLimits *limits,
                                      GadgetModelLimit  *limit,
                                      GadgetRequest     *request,
                                      gint64             refused_tokens,
                                      gboolean           can_summarize);

G_END_DECLS
