/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

G_BEGIN_DECLS

/* Opens an engine and waits until that is done; it must work. */
void test_engine_open  (GadgetEngine     *engine);

/* Closes it and waits until that is done. The caller keeps its reference. */
void test_engine_close (GadgetEngine     *engine,
                        GadgetStopReason  reason);

/* Adds a provider without a key, and waits until it is stored. */
void test_engine_add_provider (GadgetEngine         *engine,
                               GadgetProviderConfig *config);

/* Counts the turns that end from now on. @n_completed must outlive the agent. */
void test_count_completed (GadgetAgent   *agent,
                        guint            *n_completed);

G_END_DECLS
