/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a request is made to fit its model. A request may fill four fifths of what the model can
 * read, so that there is room for the answer; or three quarters of one that the provider has just
 * refused as too long. While it is larger, this is done, in this order:
 *
 *   old results of tools are shortened, and old pictures left out
 *   tools that take more than a quarter of the window are left out, the largest first ── stored
 *   the chat is summarized
 *   tools are left out of this one request, when the rest of it fits, or the provider refused it
 *
 * A model with a large window thus keeps its tools, and its chats are summarized; one with a small
 * window has a small set of tools from then on, and the same in each of its chats. Where the window
 * is not known it is not larger than what was refused, and the tools may take half of that. */

#define G_LOG_DOMAIN "gadget-context-fit"

#include "config.h"

#include "gadget-context-fit.h"

#include "gadget-compaction.h"
#include "gadget-offer.h"

#define FULL_PERCENT 80
#define REFUSED_PERCENT 75
#define TOOLS_PERCENT 25
/* Fewer tokens than these make no tool of use. */
#define LEAST_TOOLS 64

/* How many tokens, estimated, a request may come to. */
static gint64
get_room (const GadgetModelLimit *limit, gint64 refused_tokens)
{
  const gint64 window = _gadget_model_limit_get_window (limit);
  gint64 room = window > 0 ? window * FULL_PERCENT / 100 : G_MAXINT64;

  if (refused_tokens > 0)
    room = MIN (room, refused_tokens * REFUSED_PERCENT / 100);
  return room;
}

/* How many tokens the tools may come to. Where the window is not known they may have been nearly
 * all that was refused. */
static gint64
get_share (const GadgetModelLimit *limit, gint64 room)
{
  const gint64 share = limit->context_length > 0 ? room / FULL_PERCENT * TOOLS_PERCENT : room / 2;

  return share >= LEAST_TOOLS ? share : 0;
}

static void
leave_tools_out (GadgetRequest *request, gint64 room, gboolean refused)
{
  const gint64 tools = gadget_request_count_tool_tokens (request);
  const gint64 left = room - (gadget_request_count_tokens (request) - tools);

  /* When the rest is too long as well, the estimate is all that says so. */
  if (left >= 0 || refused)
    _gadget_offer_reduce (request, MAX (left, 0));
}

/**
 * _gadget_context_fit:
 * @request: with all tools that may be offered; changed so that it fits, as far as it can
 * @refused_tokens: an estimate of the request that the provider has just refused as too long; 0 if
 *   it has not
 * @can_summarize: whether that was not tried yet
 */
GadgetContextFit
_gadget_context_fit (GadgetModelLimits *limits, GadgetModelLimit *limit, GadgetRequest *request,
                     gint64 refused_tokens, gboolean can_summarize)
{
  const gint64 room = get_room (limit, refused_tokens);
  const gint64 share = get_share (limit, room);

  if (limit->tool_tokens >= 0)
    _gadget_offer_reduce (request, limit->tool_tokens);
  if (gadget_request_count_tokens (request) <= room)
    return GADGET_CONTEXT_FIT_SEND;
  _gadget_compaction_shorten (request);
  if (gadget_request_count_tokens (request) <= room)
    return GADGET_CONTEXT_FIT_SEND;
  if (gadget_request_count_tool_tokens (request) > share)
    {
      _gadget_model_limits_set_tool_tokens (limits, limit, share);
      _gadget_offer_reduce (request, share);
    }
  if (gadget_request_count_tokens (request) <= room)
    return GADGET_CONTEXT_FIT_SEND;
  /* Of a first message there is nothing that a summary could leave out. */
  if (can_summarize && request->messages->len > 1)
    return GADGET_CONTEXT_FIT_SUMMARIZE;
  leave_tools_out (request, room, refused_tokens > 0);
  /* The provider has the last word, as long as it has not said it. */
  return refused_tokens == 0 || gadget_request_count_tokens (request) < refused_tokens
             ? GADGET_CONTEXT_FIT_SEND
             : GADGET_CONTEXT_FIT_TOO_LONG;
}
