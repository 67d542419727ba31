/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fuzz-dialect.h"

#include "providers/gadget-openai-responses.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  fuzz_dialect (&gadget_openai_responses_dialect, data, size);
  return 0;
}
