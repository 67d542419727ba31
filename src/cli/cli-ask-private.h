/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to cli-ask.c and cli-ask-end.c. */

#pragma once

#include "cli-app.h"
#include "cli-ask-options.h"
#include "cli-terminal.h"
#include "cli-writer.h"
#include "control/gadget-control.h"

G_BEGIN_DECLS

/* How long saving may take after a signal. The store gets 1.5 s in all, of which the commit of the
 * turn has used half a second. */
#define GADGET_CLI_SAVING_AFTER_SIGNAL_MS 1000

/* One turn, from the command line to the exit status. */
typedef struct
{
  GadgetCliAskOptions options;

  GadgetCli *cli;
  GadgetCliWriter *writer;
  GadgetCliTerminal *terminal; /* (nullable): NULL without a terminal */
  GDBusConnection *bus;        /* (nullable): NULL without a session bus */
  GadgetControl *control;      /* (nullable): NULL unless the run is visible on the bus */
  char *run_id;
  GadgetSession *session;
  GadgetRun *reading;     /* (nullable): set while the attachments are read */
  GPtrArray *attachments; /* (nullable) (element-type GadgetAttachment) */
  gint64 reading_since;   /* monotonic time at which reading the attachments began */
  gint64 deadline_ms;     /* milliseconds left until the deadline; 0 for no deadline */
  GadgetTurn *turn;       /* (nullable): NULL before the turn starts */
  GadgetTurnWatch *watch;
  char *message;     /* (nullable): how the turn was completed; NULL before that */
  int signal;        /* the first signal, or 0 */
  guint saving;      /* timeout: end of waiting for the store */
  guint saving_note; /* timeout: telling the user about that wait */
  gboolean settling; /* the last attempt to save has begun */
  guint leaving;     /* timeout: end of waiting for the bus */
  gboolean started;
  gboolean said_nobody; /* the user was told that nobody can answer */
} GadgetCliAsk;

/* Called when the turn has ended and message says how. Waits until the turn is saved, reports its
 * completion, and quits. */
void _gadget_cli_ask_complete    (GadgetCliAsk *ask);

/* Makes the last attempt to save, within @milliseconds. A turn that is not saved then is written to
 * a file. */
void _gadget_cli_ask_settle      (GadgetCliAsk *ask,
                                  guint         milliseconds);

/* Stops following the turns that are not saved. */
void _gadget_cli_ask_leave_store (GadgetCliAsk *ask);

G_END_DECLS
