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

#define FAKE_N_FILLERS 8

/* The mutex guards what the test's thread looks at: events, requests, counters and replies. */
struct _FakeServer
{
  FakeServerKind kind;
  int listener;
  int wake;
  guint16 port;
  int fillers[FAKE_N_FILLERS];
  GThread *thread;
  GMutex mutex;
  GCond cond;
  gboolean quit;
  GPtrArray *replies;
  guint next_reply;
  FakeReply *get_reply;
  char *models;
  GArray *events;
  GPtrArray *requests;
  gsize n_sent;
  gsize n_received;
  guint intake; /* bytes a second; 0 for no limit */
  GByteArray *rest;
  guint n_connections;
  GPtrArray *connections;
  FakeEventFunc listen_func;
  gpointer listen_data;
};

/* The thread of a FakeServer. */
gpointer _fake_server_serve           (gpointer data);
void     _fake_server_free_connection (gpointer data);

G_END_DECLS
