/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: reading the ledger. */

#pragma once

#include "gadget-store-effects.h"

G_BEGIN_DECLS

/* What is asked of the store's thread, and its answer. */
typedef struct
{
  char *directory;
  char *session_id; /* (nullable) */
  char *turn_id;    /* (nullable) */
  GPtrArray *rows;  /* of GadgetEffectRow */
} GadgetEffectListing;

GadgetEffectListing *_gadget_effect_listing_new    (GadgetStore   *store);
void                 _gadget_effect_listing_free   (gpointer       listing);
GPtrArray           *_gadget_effect_listing_finish (GadgetStore   *store,
                                                    GAsyncResult  *result,
                                                    GError       **error);

/* ?1 is the session, ?2 the turn. */
char                *_gadget_store_make_effects_sql (gboolean      of_session,
                                                     gboolean      of_turn);

G_END_DECLS
