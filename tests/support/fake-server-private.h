/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "fake-server.h"

G_BEGIN_DECLS

typedef enum
{
  STEP_SEND,
  STEP_REPEAT,
  STEP_DELAY,
  STEP_STALL,
  STEP_CLOSE,
  STEP_RST,
} StepKind;

typedef struct
{
  StepKind kind;
  GBytes *bytes;
  guint n;
  double per_second;
  guint ms;
  gboolean is_head;
} Step;

struct _FakeReply
{
  char *when;
  GArray *steps;
  gboolean chunked;
};

FakeReply *_fake_reply_new  (void);
void       _fake_reply_free (FakeReply *self);

G_END_DECLS
