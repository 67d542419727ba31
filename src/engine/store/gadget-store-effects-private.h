/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: reading the ledger. */

#pragma once

#include "gadget-store-effects.h"

G_BEGIN_DECLS

/* ?1 is the session, ?2 the turn. */
char *_gadget_store_make_effects_sql (gboolean of_session,
                                      gboolean of_turn);

G_END_DECLS
