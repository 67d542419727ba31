/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A store, and sessions with turns in it. */

#pragma once

#include "test-store.h"

G_BEGIN_DECLS

GPtrArray *store_sessions_list (GadgetStore *store);
GadgetItem *store_sessions_add (GadgetTurn *turn, GadgetItem *item);
/* A turn that ends finished, with one of everything. */
void store_sessions_add_turn (GadgetStore *store, GadgetSession *session, const char *id);

G_END_DECLS
