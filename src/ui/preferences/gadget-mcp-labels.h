/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels of MCP servers. Text that comes from a server (names, descriptions, its error output) is
 * not trusted: it is never shown as markup, and invisible characters are shown as codes. */

#pragma once

#include "mcp/gadget-mcp-server.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns the state of the server in one line; for a failure also the reason and what to do about
 * it. (transfer full) */
char      *gadget_mcp_labels_state         (GadgetMcpServer  *server);

/* Makes an icon, or a spinner, for the state. (transfer floating) */
GtkWidget *gadget_mcp_labels_mark          (GadgetMcpServer  *server);

/* Join an argv to a command line as a user would type it, and split it again. (transfer full).
 * gadget_mcp_labels_split_command() returns NULL with %GADGET_MCP_CONFIG_ERROR_INVALID, whose
 * message is for people. */
char      *gadget_mcp_labels_join_command  (const char *const *argv);
char     **gadget_mcp_labels_split_command (const char       *line,
                                            GError          **error);

/* Makes an id from a name: at most 32 characters of a to z, digits, "-" and "_". (transfer full) */
char      *gadget_mcp_labels_make_id       (const char       *name);

G_END_DECLS
