/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "fuzz.h"

#include "providers/gadget-dialect.h"

/* Gives the bytes to every reader of the dialect. Its parser has to find the same events in them
 * however they are split, in their grammar: text is UTF-8 and not empty; a call begins once, before
 * its arguments, and ends at most once, after them; a failure has an error of the provider's. */
void fuzz_dialect (const GadgetDialect *dialect, const guint8 *data, gsize size);
