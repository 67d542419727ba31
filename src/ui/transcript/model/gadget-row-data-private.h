/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row-data.h"

G_BEGIN_DECLS

/* gadget_transcript_model_update_row_data () sets all but the first three. */
struct _GadgetRowData
{
  GObject parent_instance;

  GadgetRowKind kind;
  GadgetTurn *turn;
  GadgetItem *item; /* (nullable) */
  gsize start;
  gsize end;
  gsize context;
  gboolean folded;
  gboolean expanded;
  GadgetSession *session; /* (nullable) */
  guint depth;
  GadgetChangeCache *cache; /* (nullable) */
  GadgetTurn *root;
  char *workspace;     /* (nullable) */
  char *provider_name; /* (nullable) */
};

G_END_DECLS
