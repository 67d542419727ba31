/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-usage.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetUsagePurpose:
 * @GADGET_USAGE_REPLY: the reply to a message
 * @GADGET_USAGE_SUBAGENT: the work of a subagent for a reply
 * @GADGET_USAGE_SUMMARY: a summary of a long chat
 * @GADGET_USAGE_TITLE: the title of a chat
 *
 * What a request to a model was made for.
 */
typedef enum
{
  GADGET_USAGE_REPLY,
  GADGET_USAGE_SUBAGENT,
  GADGET_USAGE_SUMMARY,
  GADGET_USAGE_TITLE,
} GadgetUsagePurpose;

/**
 * GadgetUsageRecord:
 * @chat: (nullable): the id of the chat, for subagents that of the user's; %NULL if it is not stored
 * @turn: (nullable): the id of the turn in that chat
 * @provider: (nullable): the id of the provider
 * @base_url: (nullable): the address of the provider, of which the host is stored: its published
 *   prices are found by it, also when the provider is removed or gets another address
 * @model: (nullable): the model, if it is known
 * @purpose: what for
 * @ms: how long it took, in milliseconds
 * @usage: what it used; the cost only if the provider reported it
 *
 * A request to a model that has ended.
 */
typedef struct
{
  const char *chat;
  const char *turn;
  const char *provider;
  const char *base_url;
  const char *model;
  GadgetUsagePurpose purpose;
  gint64 ms;
  GadgetUsage usage;
} GadgetUsageRecord;

/* Stores what a request used, with the time of now. A failure is logged: the work goes on. */
void gadget_store_add_usage (GadgetStore             *self,
                             const GadgetUsageRecord *record);

G_END_DECLS
