/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes a request fit its model. A request may fill four fifths of what the model can read, which
 * leaves room for the response. If the provider has just refused a request as too long, the next
 * one may fill three quarters of that. While the request is larger, the following is done, in this
 * order:
 *
 *   old results of tools are shortened, and old pictures left out
 *   tools that take more than a quarter of the window are left out, the largest first ── stored
 *   the chat is summarized
 *   tools are left out of this request, if the rest of it fits or the provider refused it
 *
 * A model with a large window thus keeps its tools, and its chats are summarized. A model with a
 * small window has a small set of tools from then on, the same in all of its chats. If the window
 * is known to be at most 8k, the tools take no more than an eighth of it from the start. If the
 * window is not known, it is taken to be no larger than what was refused, and tools may take half
 * of that. All sizes are estimates, in tokens. */

#define G_LOG_DOMAIN "gadget-context-fit"

#include "config.h"

#include "gadget-context-fit.h"

#include "gadget-compaction.h"
#include "agent/instructions/gadget-tool-set.h"

#define FULL_PERCENT 80
#define REFUSED_PERCENT 75
#define TOOLS_PERCENT 25
#define SMALL_PART 8
/* If the tools may take fewer tokens than this, none is offered. */
#define LEAST_TOOLS 64

/* Returns the size, in estimated tokens, that a request may have; G_MAXINT64 if nothing is
 * known. */
static gint64
get_max_tokens (const GadgetModelLimit *limit, gint64 refused_tokens)
{
  const gint64 window = _gadget_model_limit_get_window (limit);
  gint64 room = window > 0 ? window * FULL_PERCENT / 100 : G_MAXINT64;

  if (refused_tokens > 0)
    room = MIN (room, refused_tokens * REFUSED_PERCENT / 100);
  return room;
}

/* Returns the size, in estimated tokens, that the tools may have. If the window is not known, the
 * tools may have been nearly all of what was refused, so they get half. */
static gint64
get_max_tool_tokens (const GadgetModelLimit *limit, gint64 room)
{
  const gint64 share = limit->context_length > 0 ? room / FULL_PERCENT * TOOLS_PERCENT : room / 2;

  return share >= LEAST_TOOLS ? share : 0;
}

static void
leave_tools_out (GadgetRequest *request, gint64 room, gboolean refused)
{
  const gint64 tools = gadget_request_count_tool_tokens (request);
  const gint64 left = room - (gadget_request_count_tokens (request) - tools);

  /* If the rest is too long as well, only the estimate says so, and the tools stay unless the
   * provider has refused the request. */
  if (left >= 0 || refused)
    gadget_tool_set_reduce (request, MAX (left, 0));
}

static void
reduce_for_small (GadgetModelLimit *limit, GadgetRequest *request)
{
  const guint n = request->tools->len;

  if (!_gadget_model_limit_is_small (limit) || limit->context_length == 0)
    return;
  gadget_tool_set_reduce (request, limit->context_length / SMALL_PART);
  limit->lowered = limit->lowered || (request->tools->len < n && !limit->reported);
}

/**
 * _gadget_context_fit:
 * @limits: the table of @limit
 * @limit: what is known about the model; a smaller set of tools is stored in it
 * @request: a request with all tools that may be offered; changed to fit as far as possible
 * @refused_tokens: the estimated size of the request that the provider has just refused as too
 *   long; 0 if it has refused none
 * @can_summarize: whether summarizing was not tried yet
 *
 * Returns: what to do with @request; %GADGET_CONTEXT_FIT_TOO_LONG only if @refused_tokens is not 0
 */
GadgetContextFit
_gadget_context_fit (GadgetModelLimits *limits, GadgetModelLimit *limit, GadgetRequest *request,
                     gint64 refused_tokens, gboolean can_summarize)
{
  const gint64 room = get_max_tokens (limit, refused_tokens);
  const gint64 share = get_max_tool_tokens (limit, room);

  if (limit->tool_tokens >= 0)
    gadget_tool_set_reduce (request, limit->tool_tokens);
  reduce_for_small (limit, request);
  if (gadget_request_count_tokens (request) <= room)
    return GADGET_CONTEXT_FIT_SEND;
  _gadget_compaction_shorten (request);
  if (gadget_request_count_tokens (request) <= room)
    return GADGET_CONTEXT_FIT_SEND;
  if (gadget_request_count_tool_tokens (request) > share)
    {
      _gadget_model_limits_set_tool_tokens (limits, limit, share);
      gadget_tool_set_reduce (request, share);
    }
  if (gadget_request_count_tokens (request) <= room)
    return GADGET_CONTEXT_FIT_SEND;
  /* A summary cannot make a single message shorter. */
  if (can_summarize && request->messages->len > 1)
    return GADGET_CONTEXT_FIT_SUMMARIZE;
  leave_tools_out (request, room, refused_tokens > 0);
  /* The estimate may be wrong, so the request is sent unless the provider has refused that size. */
  return refused_tokens == 0 || gadget_request_count_tokens (request) < refused_tokens
             ? GADGET_CONTEXT_FIT_SEND
             : GADGET_CONTEXT_FIT_TOO_LONG;
}
