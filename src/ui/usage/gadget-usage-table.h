/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-usage-pattern.h"
#include "store/usage/gadget-usage-report.h"

G_BEGIN_DECLS

/**
 * GadgetUsageModel:
 * @key: what tells it from others
 * @name: what it is called
 * @provider: what its provider is called
 * @sum: what was used of the model
 * @periods: (element-type GadgetUsageRow): its rows in the report, by time
 * @pattern: how it is drawn
 *
 * What was used of a model. Its rows are the report's.
 */
typedef struct
{
  char *key;
  char *name;
  char *provider;
  GadgetUsageSum sum;
  GPtrArray *periods;
  GadgetUsagePattern pattern;
} GadgetUsageModel;

#define GADGET_TYPE_USAGE_TABLE (gadget_usage_table_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUsageTable, gadget_usage_table, GADGET, USAGE_TABLE, GtkBox)

/* Shows MODELS (element-type GadgetUsageModel), which must live until others are shown, or the
 * table is disposed. The share of a model is of the money or of the tokens. */
void _gadget_usage_table_set_models (GadgetUsageTable *self,
                                     GPtrArray        *models,
                                     gboolean          by_money);

/* Shows few columns, or all. */
void _gadget_usage_table_set_narrow (GadgetUsageTable *self,
                                     gboolean          narrow);

G_END_DECLS
