/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a dialect reads in a body, as text: one line an event. */

#pragma once

#include "providers/gadget-dialect.h"

G_BEGIN_DECLS

char *dialect_log_read      (const GadgetDialect *dialect,
                             const char          *body,
                             gsize                length,
                             gsize                piece);

/* For each NAME.body in tests/data/FOLDER a test that it reads as NAME.events says, however it is
 * split. Returns how many. */
guint dialect_log_add_tests (const GadgetDialect *dialect,
                             const char          *folder);

/* Asserts that a body is JSON, and the same as that of tests/data/FOLDER/NAME. */
void  dialect_log_assert_json (GBytes            *body,
                             const char          *folder,
                             const char          *name);

G_END_DECLS
