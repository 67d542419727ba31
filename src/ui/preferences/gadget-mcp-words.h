/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the servers of tools are spoken of in the window. What a server says itself (names,
 * descriptions, what it wrote) is not to be trusted: it is shown as it is, never as markup, and with
 * what cannot be seen written out. */

#pragma once

#include "mcp/gadget-mcp-server.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Its state in one line; of a failure the reason, and what to do about it. (transfer full) */
char      *gadget_mcp_words_state        (GadgetMcpServer        *server);

/* A picture of that. */
GtkWidget *gadget_mcp_words_mark         (GadgetMcpServer        *server);

/* What to do about a failure. */
const char *gadget_mcp_words_hint        (const GadgetMcpConfig  *config,
                                          const GError           *failure);

/* A command as it would be typed, and back; NULL with an error for one that cannot be read.
 * (transfer full) */
char      *gadget_mcp_words_join_command (const char *const      *argv);
char     **gadget_mcp_words_split_command (const char            *line,
                                           GError               **error);

/* An id out of a name. (transfer full) */
char      *gadget_mcp_words_make_id      (const char             *name);

G_END_DECLS
