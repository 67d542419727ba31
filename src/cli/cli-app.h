/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "cli-output.h"

G_BEGIN_DECLS

/* Exit statuses, beside 128 + the number of the signal. */
#define GADGET_CLI_FINISHED 0
#define GADGET_CLI_ERROR 1
#define GADGET_CLI_USAGE 2
#define GADGET_CLI_ABORTED 3

#define GADGET_TYPE_CLI (gadget_cli_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCli, gadget_cli, GADGET, CLI, GObject)

/* One invocation: its main loop, its outputs, the engine, its end. "signaled" (int number) comes
 * for SIGINT, SIGTERM and SIGHUP; without a handler that answers TRUE the program leaves. "hurried"
 * comes once, for a second SIGINT or SIGTERM, when the handler of the first has not quit yet. */
GadgetCli       *gadget_cli_new         (void);
GadgetCliOutput *gadget_cli_get_out     (GadgetCli  *self);
GadgetCliOutput *gadget_cli_get_err     (GadgetCli  *self);
GadgetEngine    *gadget_cli_get_engine  (GadgetCli  *self);

/* The caller's order: a line that the user has to see, on standard error. */
void             gadget_cli_say         (GadgetCli  *self,
                                         const char *format,
                                         ...) G_GNUC_PRINTF (2, 3);
void             gadget_cli_print       (GadgetCli  *self,
                                         const char *format,
                                         ...) G_GNUC_PRINTF (2, 3);

typedef void (*GadgetCliStart) (GadgetCli *self, gpointer user_data);

/* Calls START, with the engine open if it is wanted, and runs until gadget_cli_quit (). Returns
 * the exit status. When the engine cannot be opened, FAILED is told instead, or if it is NULL the
 * user. */
typedef void (*GadgetCliFailed) (GadgetCli *self, const GError *error, gpointer user_data);

int              gadget_cli_run         (GadgetCli       *self,
                                         gboolean         with_engine,
                                         GadgetCliStart   start,
                                         GadgetCliFailed  failed,
                                         gpointer         user_data);

/* The same for a command that needs the engine and nothing else: CLI is there as long as it runs. */
int              gadget_cli_run_command (GadgetCli      **cli,
                                         GadgetCliStart   start,
                                         gpointer         user_data);

/* Ends gadget_cli_run () once the engine is closed and the output is out. */
void             gadget_cli_quit        (GadgetCli  *self,
                                         int         status);
gboolean         gadget_cli_is_quitting (GadgetCli  *self);

/* Says what went wrong and, if HINT is not NULL, what to do, and ends with an error. */
void             gadget_cli_fail        (GadgetCli  *self,
                                         const char *what,
                                         const char *hint);

/* Options of one command: parses ARGV (from the command's word on) in place. FALSE with the exit
 * status in STATUS when there is nothing left to do. NULL-terminated words are left in ARGV. */
gboolean         gadget_cli_parse       (const char         *synopsis,
                                         const char         *description,
                                         const GOptionEntry *entries,
                                         char             ***argv,
                                         int                *status);

/* The same for a command whose only word is an ID; PROBLEM is said when it is not. */
gboolean         gadget_cli_parse_id    (const char         *synopsis,
                                         const char         *description,
                                         const char         *problem,
                                         char             ***argv,
                                         gboolean           *json,
                                         const char        **id,
                                         int                *status);

/* "gadget-cli: MESSAGE" and how to get help, for a wrong command line. Returns 2. */
int              gadget_cli_usage       (const char *command,
                                         const char *format,
                                         ...) G_GNUC_PRINTF (2, 3);

typedef int (*GadgetCliCommand) (char **argv);

/* Looks ARGV[0] up among NAMES, and runs it with what follows. */
typedef struct
{
  const char *name;
  GadgetCliCommand run;
} GadgetCliCommandEntry;

int              gadget_cli_dispatch    (const char                  *group,
                                         const GadgetCliCommandEntry *entries,
                                         char                       **argv);

int              gadget_cli_ask         (char **argv);
int              gadget_cli_provider    (char **argv);
int              gadget_cli_mcp         (char **argv);
int              gadget_cli_permission  (char **argv);
int              gadget_cli_session     (char **argv);
int              gadget_cli_runs        (char **argv);
int              gadget_cli_undo        (char **argv);

G_END_DECLS
