/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-dialect.h"

G_BEGIN_DECLS

/* The dialect of the Anthropic Messages API. */
extern const GadgetDialect gadget_anthropic_dialect;

G_END_DECLS
