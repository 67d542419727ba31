/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-code-engine.h"
#include "gadget-code-position.h"
#include "gadget-code.h"

G_BEGIN_DECLS

/* The choice of the user; UNSET while there is none. */
typedef enum
{
  GADGET_CODE_FOLD_UNSET,
  GADGET_CODE_FOLD_OPEN,
  GADGET_CODE_FOLD_FOLDED,
} GadgetCodeFold;

struct _GadgetCode
{
  GObject parent_instance;

  GadgetItem *item;      /* (nullable) (unowned): the item owns this; NULL once it is gone */
  GadgetCodePosition first; /* the beginning of the block */
  GadgetCodeFold fold;
  guint n_lines; /* lines of a nested block; 0 when they are not counted yet */
  gboolean foldable;
  gboolean wrap;
  GtkAdjustment *scroll; /* (nullable): made when first needed */
  int widest;            /* of the rows that were laid out, in pixels */

  char *word;               /* (nullable): the language as the fence names it */
  gboolean loading;         /* the list of languages or the rules are being loaded */
  gboolean prepared;        /* the rules were requested */
  GadgetCodeEngine *engine; /* (nullable): the engine that is given the lines */
  GadgetCodeEngine *next;   /* (nullable): an engine that may replace it, see
                             * gadget-code-colors.c */
  gsize next_try;           /* the source offset where the next one begins */
  GArray *runs;             /* of GadgetCodeRun, in the order of the source */
  GadgetCodePosition place;    /* the segment to read next, or again */
  gsize known;              /* the source offset up to which the colors are known */
  gsize wanted;             /* the source offset up to which they are needed */
  gboolean closed;          /* there are no more colors to find */
};

/* gadget-code.c: emits "colored". */
void _gadget_code_emit_colored (GadgetCode *self);

/* gadget-code-colors.c: releases the engines, as at the end of the block. */
void _gadget_code_drop_engines (GadgetCode *self);

G_END_DECLS
