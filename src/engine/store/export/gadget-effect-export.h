/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-effect-query.h"

G_BEGIN_DECLS

/**
 * GadgetEffectFormat:
 * @GADGET_EFFECT_FORMAT_CSV: a line for each effect, below one with names, by RFC 4180
 * @GADGET_EFFECT_FORMAT_JSON: an array of objects
 *
 * A format for the ledger.
 */
typedef enum
{
  GADGET_EFFECT_FORMAT_CSV,
  GADGET_EFFECT_FORMAT_JSON,
} GadgetEffectFormat;

/* Writes all effects that match @query, whose page is ignored, newest first. Other jobs of the store
 * run in between. */
void    gadget_effect_export_async  (GadgetStore              *store,
                                     const GadgetEffectQuery  *query,
                                     GadgetEffectFormat        format,
                                     GAsyncReadyCallback       callback,
                                     gpointer                  user_data);

/* Returns: (transfer full): the text; NULL with a #GadgetStoreError. */
GBytes *gadget_effect_export_finish (GAsyncResult             *result,
                                     GError                  **error);

G_END_DECLS
