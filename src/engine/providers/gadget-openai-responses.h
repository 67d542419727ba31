/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-dialect.h"

G_BEGIN_DECLS

/* The dialect of the OpenAI Responses API. */
extern const GadgetDialect gadget_openai_responses_dialect;

G_END_DECLS
