/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

typedef enum
{
  GADGET_GUIDE_TEXT,      /* text, streamed word by word */
  GADGET_GUIDE_REASONING, /* the same, as reasoning */
  GADGET_GUIDE_CALL,      /* name, and the arguments in text */
} GadgetGuideStepKind;

typedef struct
{
  GadgetGuideStepKind kind;
  char *name;
  char *text;
} GadgetGuideStep;

/* What the Guide answers to a request: (transfer full) (element-type GadgetGuideStep). Pure, and
 * the same every time. */
GPtrArray *gadget_guide_script_plan (GadgetRequest *request);

G_END_DECLS
