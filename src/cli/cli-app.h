/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "cli-output.h"

G_BEGIN_DECLS

/* Exit statuses. A command that a signal ended has the status 128 + the signal's number. */
#define GADGET_CLI_FINISHED 0
#define GADGET_CLI_ERROR 1
#define GADGET_CLI_USAGE 2
#define GADGET_CLI_ABORTED 3

#define GADGET_TYPE_CLI (gadget_cli_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCli, gadget_cli, GADGET, CLI, GObject)

/* One invocation: its main loop, outputs and engine, and its end. Signals:
 *
 *   signaled (number)   SIGINT, SIGTERM or SIGHUP; if no handler returns TRUE, the program ends
 *   hurried ()          once, at a further SIGINT or SIGTERM, if the handler of the first has not
 *                       quit yet
 *
 * The getters return objects that belong to @self; the engine is NULL without one. */
GadgetCli       *gadget_cli_new         (void);
GadgetCliOutput *gadget_cli_get_out     (GadgetCli  *self);
GadgetCliOutput *gadget_cli_get_err     (GadgetCli  *self);
GadgetEngine    *gadget_cli_get_engine  (GadgetCli  *self);

/* Print a text that may contain text of others (see gadget_cli_output_write_foreign ()): _say ()
 * one line for the user to standard error, _print () to standard output, without a newline. */
void             gadget_cli_say         (GadgetCli  *self,
                                         const char *format,
                                         ...) G_GNUC_PRINTF (2, 3);
void             gadget_cli_print       (GadgetCli  *self,
                                         const char *format,
                                         ...) G_GNUC_PRINTF (2, 3);

/* Called when the command can begin. */
typedef void (*GadgetCliStart) (GadgetCli *self, gpointer user_data);

/* Called when the engine could not be opened. */
typedef void (*GadgetCliFailed) (GadgetCli *self, const GError *error, gpointer user_data);

/* Calls @start, with an open engine if @with_engine, and runs until gadget_cli_quit (). Returns the
 * exit status. When the engine cannot be opened, @failed is called instead, or the user is told if
 * it is NULL. */
int              gadget_cli_run         (GadgetCli       *self,
                                         gboolean         with_engine,
                                         GadgetCliStart   start,
                                         GadgetCliFailed  failed,
                                         gpointer         user_data);

/* Does the same for a command that needs only the engine. @cli is set as long as the command
 * runs. */
int              gadget_cli_run_command (GadgetCli      **cli,
                                         GadgetCliStart   start,
                                         gpointer         user_data);

/* Ends gadget_cli_run () once the engine is closed and the output is written. To be called once;
 * gadget_cli_is_quitting () returns TRUE from then on, and callbacks must not go on. */
void             gadget_cli_quit        (GadgetCli  *self,
                                         int         status);
gboolean         gadget_cli_is_quitting (GadgetCli  *self);

/* Prints what went wrong and, if @hint is not NULL, what the user can do, and quits with
 * GADGET_CLI_ERROR. */
void             gadget_cli_fail        (GadgetCli  *self,
                                         const char *what,
                                         const char *hint);

/* Parses the options of one command; @argv begins with the command's name and is changed in place.
 * @synopsis is the name with its arguments, these in capitals; @entries is (nullable).
 * Returns FALSE with the exit status in @status when there is nothing left to do. The remaining
 * words stay in @argv, NULL-terminated. */
gboolean         gadget_cli_parse       (const char         *synopsis,
                                         const char         *description,
                                         const GOptionEntry *entries,
                                         char             ***argv,
                                         int                *status);

/* Does the same for a command whose only argument is an id; @problem is printed when that is
 * missing. */
gboolean         gadget_cli_parse_id    (const char         *synopsis,
                                         const char         *description,
                                         const GOptionEntry *entries,
                                         const char         *problem,
                                         char             ***argv,
                                         const char        **id,
                                         int                *status);

/* Prints "gadget-cli: MESSAGE" and how to get help, for a wrong command line. Returns
 * GADGET_CLI_USAGE. */
int              gadget_cli_usage       (const char *command,
                                         const char *format,
                                         ...) G_GNUC_PRINTF (2, 3);

/* Runs a command; @argv begins with its name. Returns the exit status. */
typedef int (*GadgetCliCommand) (char **argv);

/* A command of a group. */
typedef struct
{
  const char *name;
  GadgetCliCommand run;
} GadgetCliCommandEntry;

/* Runs the entry named by @argv[0]; the entries end with a NULL name. Returns the exit status. */
int              gadget_cli_dispatch    (const char                  *group,
                                         const GadgetCliCommandEntry *entries,
                                         char                       **argv);

/* The commands, in files named after them. */
int              gadget_cli_ask         (char **argv);
int              gadget_cli_provider    (char **argv);
int              gadget_cli_mcp         (char **argv);
int              gadget_cli_permission  (char **argv);
int              gadget_cli_session     (char **argv);
int              gadget_cli_session_export (char **argv);
int              gadget_cli_session_import (char **argv);
int              gadget_cli_session_search (char **argv);
int              gadget_cli_runs        (char **argv);
int              gadget_cli_undo        (char **argv);
int              gadget_cli_usage_command (char **argv);

G_END_DECLS
