/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to cli-ask.c and cli-ask-end.c. */

#pragma once

#include "cli-app.h"
#include "cli-ask-options.h"
#include "cli-terminal.h"
#include "cli-writer.h"
#include "control/gadget-control.h"

G_BEGIN_DECLS

/* After a signal the store has so long, of whose one and a half seconds the turn's commit has had
 * half a second. */
#define GADGET_CLI_SAVING_AFTER_SIGNAL_MS 1000

/* One turn, from the command line to the exit status. */
typedef struct
{
  GadgetCliAskOptions options;

  GadgetCli *cli;
  GadgetCliWriter *writer;
  GadgetCliTerminal *terminal;
  GDBusConnection *bus;
  GadgetControl *control;
  char *run_id;
  GadgetSession *session;
  GadgetRun *reading;     /* while the attachments are read */
  GPtrArray *attachments; /* (nullable) */
  gint64 reading_since;
  gint64 deadline_ms; /* what is left of it; 0 for none */
  GadgetTurn *turn;
  GadgetTurnWatch *watch;
  char *message; /* (nullable): of the completion, once that has come */
  int signal;
  guint saving;      /* timeout: the end of the waiting for the store */
  guint saving_note; /* timeout */
  gboolean settling; /* the last try to save is under way */
  guint leaving;     /* timeout: the bus has that long to take what was said on it */
  gboolean started;
  gboolean said_nobody;
} GadgetCliAsk;

/* Once the turn has ended, and "message" says how: waits until it is saved, tells its completion,
 * and quits. */
void _gadget_cli_ask_complete    (GadgetCliAsk *ask);

/* The last try to save, which has so long; what it does not save is in a file then. */
void _gadget_cli_ask_settle      (GadgetCliAsk *ask,
                                  guint         milliseconds);

/* Follows what is not saved no more. */
void _gadget_cli_ask_leave_store (GadgetCliAsk *ask);

G_END_DECLS
