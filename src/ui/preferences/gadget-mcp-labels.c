/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts for MCP servers: their state, failures, commands and ids. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-mcp-labels.h"

#include "gadget-preferences-rows.h"
#include "common/gadget-visible.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_ID 32

/* --- State --- */

static const char *
get_start_hint (const GadgetMcpConfig *config)
{
  if (config->url != NULL)
    return _ ("Check the address and the network, then test again.");
  return _ ("Check that the program is installed and that the command is spelled right.");
}

/* Returns what to do about a failure. */
static const char *
get_hint (const GadgetMcpConfig *config, const GError *failure)
{
  if (failure->domain == GADGET_MCP_CONFIG_ERROR)
    return _ ("Type the value again, and save.");
  if (failure->domain != GADGET_MCP_ERROR)
    return _ ("Test again.");
  switch ((GadgetMcpError) failure->code)
    {
    case GADGET_MCP_ERROR_START:
      return get_start_hint (config);
    case GADGET_MCP_ERROR_GONE:
      return config->url != NULL
                 ? get_start_hint (config)
                 : _ ("What it wrote may say why. It may need the network or a folder.");
    case GADGET_MCP_ERROR_VERSION:
      return _ ("Update the server.");
    case GADGET_MCP_ERROR_PROTOCOL:
      return _ ("Check that this is an MCP server.");
    case GADGET_MCP_ERROR_TIMEOUT:
      return config->url != NULL
                 ? get_start_hint (config)
                 : _ ("Test again. A program that downloads its parts first needs the network.");
    case GADGET_MCP_ERROR_REFUSED:
      return _ ("Check its headers: a token may be missing or too old.");
    case GADGET_MCP_ERROR_WEDGED:
    case GADGET_MCP_ERROR_SESSION:
    default:
      return _ ("Test again.");
    }
}

static char *
describe_failure (GadgetMcpServer *server)
{
  const GError *failure = gadget_mcp_server_get_failure (server);
  const GadgetMcpConfig *config = gadget_mcp_server_get_config (server);
  g_autofree char *reason = gadget_visible_escape (failure->message);

  /* Translators: why a tool server failed, and what to do about it */
  return g_strdup_printf (_ ("Failed: %s\n%s"), reason, get_hint (config, failure));
}

char *
gadget_mcp_labels_state (GadgetMcpServer *server)
{
  const gboolean remote = gadget_mcp_server_get_config (server)->url != NULL;
  const guint n = gadget_mcp_server_get_tools (server)->len;
  g_autofree char *tools = g_strdup_printf (ngettext ("%u tool", "%u tools", n), n);

  if (!gadget_mcp_server_get_enabled (server))
    return g_strdup (_ ("Off"));
  switch (gadget_mcp_server_get_status (server))
    {
    case GADGET_MCP_STARTING:
      return g_strdup (remote ? _ ("Connecting…") : _ ("Starting…"));
    case GADGET_MCP_READY:
      /* Translators: the state of a tool server; "5 tools" */
      return g_strdup_printf (_ ("Connected · %s"), tools);
    case GADGET_MCP_FAILED:
      return describe_failure (server);
    case GADGET_MCP_OFF:
    default:
      if (n == 0)
        return g_strdup (_ ("Not connected yet"));
      /* Translators: the state of a tool server; "5 tools" */
      return g_strdup_printf (remote ? _ ("Connects when it is needed · %s")
                                     : _ ("Starts when it is needed · %s"),
                              tools);
    }
}

GtkWidget *
gadget_mcp_labels_mark (GadgetMcpServer *server)
{
  if (!gadget_mcp_server_get_enabled (server))
    return gadget_preferences_mark ("gadget-tool-symbolic", "dimmed");
  switch (gadget_mcp_server_get_status (server))
    {
    case GADGET_MCP_STARTING:
      return adw_spinner_new ();
    case GADGET_MCP_READY:
      return gadget_preferences_mark ("object-select-symbolic", "success");
    case GADGET_MCP_FAILED:
      return gadget_preferences_mark ("dialog-error-symbolic", "error");
    case GADGET_MCP_OFF:
    default:
      return gadget_preferences_mark ("gadget-tool-symbolic", "dimmed");
    }
}

/* --- Commands and names --- */

static gboolean
needs_quotes (const char *word)
{
  return *word == '\0'
         || word[strspn (word, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_./:=@%+,")] != '\0';
}

char *
gadget_mcp_labels_join_command (const char *const *argv)
{
  GString *line = g_string_new (NULL);

  for (guint i = 0; argv != NULL && argv[i] != NULL; i++)
    {
      g_autofree char *quoted = needs_quotes (argv[i]) ? g_shell_quote (argv[i]) : NULL;

      g_string_append_printf (line, "%s%s", i > 0 ? " " : "", quoted != NULL ? quoted : argv[i]);
    }
  return g_string_free (line, FALSE);
}

char **
gadget_mcp_labels_split_command (const char *line, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  char **argv = NULL;

  if (g_shell_parse_argv (line, NULL, &argv, &local_error))
    return argv;
  g_info ("the command is not one: %s", local_error->message);
  g_set_error_literal (
      error, GADGET_MCP_CONFIG_ERROR, GADGET_MCP_CONFIG_ERROR_INVALID,
      g_error_matches (local_error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING)
          ? _ ("Enter a command.")
          : _ ("A quotation mark or a backslash in the command has nothing that belongs to it."));
  return NULL;
}

char *
gadget_mcp_labels_make_id (const char *name)
{
  g_autofree char *ascii = g_str_to_ascii (name, NULL);
  char *id = g_ascii_strdown (ascii, MIN (MAX_ID, (gssize) strlen (ascii)));

  return g_strcanon (id, "abcdefghijklmnopqrstuvwxyz0123456789-_", '-');
}
