/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <unistd.h>

#include "cli-app.h"
#include "common/gadget-i18n.h"

static void
print_help (void)
{
  g_print (
      "%s",
      _ ("Usage: gadget-cli COMMAND [OPTION…]\n"
         "\n"
         "  ask [OPTION…] (TEXT… | -)   ask, and print the answer\n"
         "  provider list               who serves models\n"
         "  provider add ID …           add or change one\n"
         "  provider remove ID          forget one and its key\n"
         "  provider test ID            reach it and list its models\n"
         "  provider default ID         use it where none is named\n"
         "  permission list             what is allowed or denied without asking\n"
         "  permission allow RULE       allow without asking: mcp:SERVER/TOOL, command:WORDS, …\n"
         "  permission revoke ID        ask again from now on\n"
         "  session list                the chats, the last used first; --archived the others\n"
         "  session show ID             what was said in one\n"
         "  session export ID …         write chats as JSON or Markdown\n"
         "  session import FILE…        add chats from exports, also of other programs\n"
         "  session search TEXT…        find a text in all of them\n"
         "  session pin ID, unpin ID    keep it at the top of the list, or do not\n"
         "  session archive ID          put it into the archive; “unarchive ID” brings it back\n"
         "  session move ID FOLDER      put it into a folder; --none takes it out of one\n"
         "  session delete ID           delete one for good; with --force also one that is open\n"
         "                              in a window, or has something that was not sent\n"
         "  mcp list                    servers of tools\n"
         "  mcp add ID …                add or change one\n"
         "  mcp remove ID               forget one and its secrets\n"
         "  mcp test ID                 start or reach it, and list its tools\n"
         "  mcp enable ID, disable ID   offer its tools, or do not\n"
         "  run list                    what is going on, in the window too\n"
         "  run abort …                 stop it\n"
         "  undo TURN …                 take back what a turn did to files\n"
         "  usage                       the tokens and the money that models used\n"
         "\n"
         "“gadget-cli COMMAND --help” tells more. The built-in Guide answers without any\n"
         "set-up: gadget-cli ask --provider guide hello\n"));
}

/* Opens standard descriptors that are closed; otherwise the next file that is opened would get the
 * descriptor, and output would be written into it. */
static void
ensure_standard_descriptors (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", O_RDWR) != fd)
      _exit (GADGET_CLI_ERROR);
}

/* Writes logs to standard error, because standard output is only for the response. Messages of a
 * low level are shown only if G_MESSAGES_DEBUG is set. */
static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  if ((level & G_LOG_LEVEL_MASK) >= G_LOG_LEVEL_MESSAGE && g_getenv ("G_MESSAGES_DEBUG") == NULL)
    return G_LOG_WRITER_HANDLED;
  return g_log_writer_default (level, fields, n_fields, user_data);
}

static int
unknown (char **argv)
{
  return gadget_cli_usage ("", _ ("There is no command “%s”"), argv[0]);
}

int
main (int argc, char **argv)
{
  static const GadgetCliCommandEntry commands[] = {
    { "ask", gadget_cli_ask },
    { "provider", gadget_cli_provider },
    { "mcp", gadget_cli_mcp },
    { "permission", gadget_cli_permission },
    { "session", gadget_cli_session },
    { "run", gadget_cli_runs },
    { "undo", gadget_cli_undo },
    { "usage", gadget_cli_usage_command },
    { NULL, NULL },
  };

  ensure_standard_descriptors ();
  signal (SIGPIPE, SIG_IGN);
  g_log_writer_default_set_use_stderr (TRUE);
  g_log_set_writer_func (write_log, NULL, NULL);
  gadget_init_i18n ();
  g_set_prgname ("gadget-cli");

  if (argc < 2)
    {
      print_help ();
      return GADGET_CLI_USAGE;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      g_print ("gadget-cli %s\n", GADGET_VERSION);
      return GADGET_CLI_FINISHED;
    }
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h")
      || g_str_equal (argv[1], "help"))
    {
      print_help ();
      return GADGET_CLI_FINISHED;
    }
  for (guint i = 0; commands[i].name != NULL; i++)
    if (g_str_equal (argv[1], commands[i].name))
      return commands[i].run (argv + 1);
  return unknown (argv + 1);
}
