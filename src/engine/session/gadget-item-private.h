/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the files of GadgetItem: its structure and its properties. */

#pragma once

#include "gadget-item.h"

G_BEGIN_DECLS

struct _GadgetItem
{
  GObject parent_instance;

  GadgetItemKind kind;
  GadgetItemStatus status;
  guint step;
  GString *text;
  GPtrArray *notes; /* (nullable) (element-type GadgetItemNote): notes within the text */
  gint64 started_at;
  gint64 ended_at;
  gint64 clock_ms; /* calendar time of the turn's clock; 0 before it has a turn */
  gint64 clock_us; /* the same moment in monotonic time */
  char *replay;
  char *replay_source;

  /* gadget-item-call.c */
  char *call_id;
  char *name;
  GString *arguments;
  char *arguments_text; /* (nullable): made when first requested */
  char *result;
  GPtrArray *pictures;             /* (nullable) (element-type GadgetPicture) */
  GadgetCallSummary *call_summary; /* (nullable): the data that summary is made of */
  char *summary;                   /* (nullable): text of call_summary */
  GadgetPrompt *prompt;
  guint n_prompts;
  gboolean unresponsive;

  /* gadget-item-child.c */
  char *child_id;
  char *child_turn_id;
  GadgetSession *child;
  gboolean asking;
};

typedef enum
{
  GADGET_ITEM_PROP_0,
  GADGET_ITEM_PROP_STATUS,
  GADGET_ITEM_PROP_ARGUMENTS,
  GADGET_ITEM_PROP_RESULT,
  GADGET_ITEM_PROP_SUMMARY,
  GADGET_ITEM_PROP_REPLAY,
  GADGET_ITEM_PROP_PROMPT,
  GADGET_ITEM_PROP_UNRESPONSIVE,
  GADGET_ITEM_PROP_CHILD,
  GADGET_ITEM_PROP_ASKING,
  GADGET_ITEM_PROP_PICTURES,
  GADGET_ITEM_N_PROPS
} GadgetItemProperty;

void _gadget_item_notify (GadgetItem         *self,
                          GadgetItemProperty  property);

G_END_DECLS
