/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-dialect.h"

G_BEGIN_DECLS

/* The dialect of the Gemini API of Google AI Studio. */
extern const GadgetDialect gadget_gemini_dialect;

G_END_DECLS
