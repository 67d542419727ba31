/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses and checks the options of "ask". Everything that can be checked without the engine is
 * checked before the program opens it. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "cli-app.h"
#include "cli-ask-options.h"
#include "agent/gadget-attachment-loading.h"

#define COMMAND "ask"
#define MAX_DOLLARS 1000000

static int
check_workspace (GadgetCliAskOptions *self)
{
  g_autofree char *path = NULL;

  if (self->workspace == NULL)
    return GADGET_CLI_FINISHED;
  path = g_canonicalize_filename (self->workspace, NULL);
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return gadget_cli_usage (COMMAND, _ ("--workspace: there is no folder “%s”"), self->workspace);
  g_set_str (&self->workspace, path);
  return GADGET_CLI_FINISHED;
}

/* A file that cannot be read is reported when it is read. */
static int
check_attach (GadgetCliAskOptions *self)
{
  for (guint i = 0; self->attach != NULL && self->attach[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_name (self->attach[i]);

      if (i == GADGET_ATTACHMENT_LOADING_MAX_FILES)
        return gadget_cli_usage (COMMAND, _ ("--attach: more than %d files"),
                                 GADGET_ATTACHMENT_LOADING_MAX_FILES);
      if (*name == '\0' || (access (self->attach[i], F_OK) != 0 && errno != EACCES))
        return gadget_cli_usage (COMMAND, _ ("--attach: there is no file “%s”"), name);
    }
  return GADGET_CLI_FINISHED;
}

static int
check_approve (GadgetCliAskOptions *self)
{
  static const char *const names[] = { "ask", "auto", "never" };
  static const GadgetApproval approvals[] = { GADGET_APPROVAL_ASK, GADGET_APPROVAL_AUTO,
                                              GADGET_APPROVAL_NEVER };

  self->approval = GADGET_APPROVAL_SESSION;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (self->approve, names[i]) == 0)
      self->approval = approvals[i];
  if (self->approve != NULL && self->approval == GADGET_APPROVAL_SESSION)
    return gadget_cli_usage (COMMAND, _ ("--approve is “ask”, “auto” or “never”"));
  return GADGET_CLI_FINISHED;
}

static int
check_text (GadgetCliAskOptions *self, char **words)
{
  self->text = g_strjoinv (" ", words);
  if (!g_utf8_validate (self->text, -1, NULL))
    return gadget_cli_usage (COMMAND, _ ("The text is not UTF-8"));
  if (*g_strchomp (self->text) == '\0')
    return gadget_cli_usage (COMMAND, _ ("The text is empty"));
  return GADGET_CLI_FINISHED;
}

static gboolean
is_sum (double dollars)
{
  return dollars >= 0 && dollars <= MAX_DOLLARS;
}

static int
check_options (GadgetCliAskOptions *self, char **words)
{
  int status;

  if (self->session != NULL && self->fresh)
    return gadget_cli_usage (COMMAND, _ ("--session and --new exclude each other"));
  if ((status = check_approve (self)) != GADGET_CLI_FINISHED)
    return status;
  if (!(self->deadline >= 0 && self->deadline <= G_MAXINT / 1000))
    return gadget_cli_usage (COMMAND, _ ("--deadline is a number of seconds"));
  if (self->max_steps < 0 || self->max_tokens < 0)
    return gadget_cli_usage (COMMAND, _ ("--max-steps and --max-tokens are not negative"));
  if (!is_sum (self->max_cost) || !is_sum (self->max_day_cost))
    return gadget_cli_usage (COMMAND, _ ("--max-cost and --max-day-cost are US dollars"));
  if (words[0] == NULL)
    return gadget_cli_usage (COMMAND, _ ("What should be asked? TEXT, or “-” for standard input"));
  if (self->key_fd == 0 && g_str_equal (words[0], "-"))
    return gadget_cli_usage (COMMAND, _ ("Standard input cannot hold both the key and the text"));
  if (self->key_fd >= 0 && fcntl (self->key_fd, F_SETFD, FD_CLOEXEC) != 0)
    return gadget_cli_usage (COMMAND, _ ("--key-fd: no file descriptor %d is open"), self->key_fd);
  if ((status = check_workspace (self)) != GADGET_CLI_FINISHED
      || (status = check_attach (self)) != GADGET_CLI_FINISHED)
    return status;
  return check_text (self, words);
}

gboolean
gadget_cli_ask_options_parse (GadgetCliAskOptions *self, char **argv, int *status)
{
  const GOptionEntry entries[] = {
    { "session", 0, 0, G_OPTION_ARG_STRING, &self->session, N_ ("Go on in this chat"), "ID" },
    { "new", 0, 0, G_OPTION_ARG_NONE, &self->fresh, N_ ("Begin a new chat (the default)"), NULL },
    { "provider", 0, 0, G_OPTION_ARG_STRING, &self->provider, N_ ("Who serves the model"), "ID" },
    { "model", 0, 0, G_OPTION_ARG_STRING, &self->model, N_ ("Which model"), "ID" },
    { "workspace", 0, 0, G_OPTION_ARG_FILENAME, &self->workspace, N_ ("The folder to work in"),
      "DIR" },
    { "approve", 0, 0, G_OPTION_ARG_STRING, &self->approve,
      N_ ("What needs permission is asked about on the terminal, allowed in the sandbox, or "
          "refused"),
      "ask|auto|never" },
    { "deadline", 0, 0, G_OPTION_ARG_DOUBLE, &self->deadline, N_ ("Abort after this long"),
      "SECONDS" },
    { "max-steps", 0, 0, G_OPTION_ARG_INT, &self->max_steps,
      N_ ("Abort before the model is asked more often than this"), "N" },
    { "max-tokens", 0, 0, G_OPTION_ARG_INT64, &self->max_tokens,
      N_ ("Abort before the next step when this many tokens were used"), "N" },
    { "max-cost", 0, 0, G_OPTION_ARG_DOUBLE, &self->max_cost,
      N_ ("Abort before the next step when this much money was spent, as far as the prices of the "
          "models are known"),
      "DOLLARS" },
    { "max-day-cost", 0, 0, G_OPTION_ARG_DOUBLE, &self->max_day_cost,
      N_ ("The same for all that was asked today"), "DOLLARS" },
    { "wait-answers", 0, 0, G_OPTION_ARG_NONE, &self->wait_answers,
      N_ ("Where there is no terminal, wait for other programs to answer over D-Bus"), NULL },
    { "key-fd", 0, 0, G_OPTION_ARG_INT, &self->key_fd,
      N_ ("Read the provider's key from this file descriptor, for this run"), "N" },
    { "attach", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->attach,
      N_ ("Give this picture, text or PDF with the text; may be repeated"), "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->json, N_ ("Print events as JSON, one a line"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);

  if (!gadget_cli_parse (
          "ask [OPTION…] (TEXT… | -)",
          _ ("Asks, and prints the answer on standard output; everything else goes to standard\n"
             "error. Ctrl+C aborts the turn and keeps what there is; a second one leaves at once.\n"
             "Exit status: 0 finished, 1 error, 2 wrong usage, 3 aborted (a deadline, another\n"
             "program, or nobody reads the output any more), 130, 143 or 129 by a signal."),
          entries, &words, status))
    return FALSE;
  *status = check_options (self, words + 1);
  return *status == GADGET_CLI_FINISHED;
}

void
gadget_cli_ask_options_clear (GadgetCliAskOptions *self)
{
  g_free (self->session);
  g_free (self->provider);
  g_free (self->model);
  g_free (self->workspace);
  g_free (self->approve);
  g_strfreev (self->attach);
  g_free (self->text);
}
