/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-dialect.h"

G_BEGIN_DECLS

/* The dialect of the OpenAI Chat Completions API, as many servers implement it. */
extern const GadgetDialect gadget_openai_chat_dialect;

G_END_DECLS
