/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

/* The kinds of steps in the Guide's reply. */
typedef enum
{
  GADGET_GUIDE_TEXT,      /* text, streamed word by word */
  GADGET_GUIDE_REASONING, /* text that is streamed as reasoning */
  GADGET_GUIDE_CALL,      /* the name of a tool, and its arguments in text */
} GadgetGuideStepKind;

/* One step of the Guide's reply. The strings are owned; name is NULL except for a call. */
typedef struct
{
  GadgetGuideStepKind kind;
  char *name;
  char *text;
} GadgetGuideStep;

/* Plans the Guide's reply to a request. Pure: the same request always has the same reply. */
GPtrArray *gadget_guide_script_plan (GadgetRequest *request);

G_END_DECLS
