/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-code-engine.h"
#include "gadget-code-place.h"
#include "gadget-code.h"

G_BEGIN_DECLS

typedef enum
{
  GADGET_CODE_FOLD_UNSET,
  GADGET_CODE_FOLD_OPEN,
  GADGET_CODE_FOLD_FOLDED,
} GadgetCodeFold;

struct _GadgetCode
{
  GObject parent_instance;

  GadgetItem *item;      /* not owned: it owns us */
  GadgetCodePlace first; /* where it begins */
  GadgetCodeFold fold;
  guint n_lines; /* of one that is in a container; 0: not counted */
  gboolean foldable;
  gboolean wrap;
  GtkAdjustment *scroll; /* made when first needed */
  int widest;            /* of the rows that were seen, in pixels */

  char *word;
  gboolean loading;
  gboolean prepared;
  GadgetCodeEngine *engine; /* (nullable) */
  GadgetCodeEngine *next;   /* (nullable) may take its place */
  gsize next_try;           /* where in the source that begins */
  GArray *runs;             /* of GadgetCodeRun */
  GadgetCodePlace place;    /* to read next, or again */
  gsize known;              /* up to where the colours are known */
  gsize wanted;             /* and are needed */
  gboolean closed;
};

/* gadget-code.c: there are more colours than there were. */
void _gadget_code_emit_colored (GadgetCode *self);

/* gadget-code-colors.c */
void _gadget_code_drop_engines (GadgetCode *self);

G_END_DECLS
