/* SPDX-License-Identifier: GPL-3.0-or-later */

/* For tests of every dialect, besides dialect-log. */

#pragma once

#include "providers/gadget-dialect.h"

G_BEGIN_DECLS

/* Looks into what make_models_url () reads: the names, in their order. */
void    test_dialect_assert_models  (const GadgetDialect *dialect,
                                     const char          *text,
                                     const char          *default_model,
                                     const char          *expected);
void    test_dialect_assert_refusal (const GadgetDialect *dialect,
                                     guint                status,
                                     const char          *body,
                                     GadgetProviderError  code,
                                     const char          *said);
/* Reads @begin, and then @piece again and again, a million bytes in the place of its "%s": arguments
 * of one call that have no end. */
void    test_dialect_assert_arguments (const GadgetDialect *dialect,
                                     const char          *begin,
                                     const char          *piece);
/* Reads @call again and again, with numbers from 0 on in the places of its "%u": calls that have no
 * end. */
void    test_dialect_assert_calls   (const GadgetDialect *dialect,
                                     const char          *call);
/* A chat with one of everything that a request may have. @replays: (nullable): what goes with its
 * three pieces of reasoning, the second of which is hidden, and its first call. */
GadgetRequest *test_dialect_sample_request (const char *const *replays);

G_END_DECLS
