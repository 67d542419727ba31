/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-prices.h"

G_BEGIN_DECLS

/**
 * GadgetUsageGroups:
 * @GADGET_USAGE_BY_DAY: a row for each day, in local time
 * @GADGET_USAGE_BY_MONTH: a row for each month; not together with days
 * @GADGET_USAGE_BY_PROVIDER: a row for each provider
 * @GADGET_USAGE_BY_MODEL: a row for each model of each provider
 * @GADGET_USAGE_BY_CHAT: a row for each chat; what its subagents used is the chat's
 *
 * How usage is divided into rows. Together, days and models give a row for each model and day.
 */
typedef enum
{
  GADGET_USAGE_BY_DAY = 1 << 0,
  GADGET_USAGE_BY_MONTH = 1 << 1,
  GADGET_USAGE_BY_PROVIDER = 1 << 2,
  GADGET_USAGE_BY_MODEL = 1 << 3,
  GADGET_USAGE_BY_CHAT = 1 << 4,
} GadgetUsageGroups;

/**
 * GadgetUsageSum:
 * @usage: the tokens, and the money as far as it is known
 * @unknown: parts that are unknown of at least one request. A part of which some is known and some
 *   unknown is in @usage.known as well: its value is a lower limit
 * @ms: how long the requests took, in milliseconds
 * @n_replies: how many replies the requests were made for. A reply that goes on over midnight is
 *   counted for both days, but once in the total
 *
 * What a number of requests used.
 */
typedef struct
{
  GadgetUsage usage;
  GadgetUsageParts unknown;
  gint64 ms;
  guint n_replies;
} GadgetUsageSum;

/**
 * GadgetUsageRow:
 * @period: (nullable): "2026-11-17" or "2026-11"
 * @provider: (nullable): the id of a provider, which may have been removed
 * @provider_name: (nullable): its name; %NULL if it was removed
 * @base_url: (nullable): its address
 * @model: (nullable): the model
 * @chat: (nullable): the id of a chat; %NULL for chats that are not stored
 * @chat_title: (nullable): its title; %NULL if it has none or was deleted
 * @sum: what was used
 *
 * A row of a report. What the report is not divided by is %NULL.
 */
typedef struct
{
  char *period;
  char *provider;
  char *provider_name;
  char *base_url;
  char *model;
  char *chat;
  char *chat_title;
  GadgetUsageSum sum;
} GadgetUsageRow;

/**
 * GadgetUsageReport:
 * @groups: what it is divided by
 * @rows: (element-type GadgetUsageRow): by period; those of one period, or all without periods, by
 *   tokens, the most first. There are none for periods without usage
 * @total: the sum of all
 * @n_chats: how many chats there are in it, without those that are not stored
 */
typedef struct
{
  GadgetUsageGroups groups;
  GPtrArray *rows;
  GadgetUsageSum total;
  guint n_chats;
} GadgetUsageReport;

/* Reads what was used from FROM_MS up to, but not including, TO_MS, in milliseconds since 1970.
 * Money that no provider reported is counted by the prices of today. Errors are
 * GadgetStoreErrors. */
void               gadget_usage_report_async       (GadgetStore         *store,
                                                    GadgetPrices        *prices,
                                                    gint64               from_ms,
                                                    gint64               to_ms,
                                                    GadgetUsageGroups    groups,
                                                    GAsyncReadyCallback  callback,
                                                    gpointer             user_data);
GadgetUsageReport *gadget_usage_report_finish      (GAsyncResult        *result,
                                                    GError             **error);
void               gadget_usage_report_free        (GadgetUsageReport   *self);

/* Adds OTHER to SELF, as for the rows of one day. */
void               gadget_usage_sum_add            (GadgetUsageSum       *self,
                                                    const GadgetUsageSum *other);

/* The rows as CSV (RFC 4180), with a line of names; what is unknown is empty. (transfer full) */
char              *gadget_usage_report_dup_csv     (const GadgetUsageReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUsageReport, gadget_usage_report_free)

G_END_DECLS
