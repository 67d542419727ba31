/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Recognizes programs that download a server before they run it: npx, uvx, pipx and the like. */

/**
 * gadget_mcp_downloader_find:
 * @argv: the command of a server
 *
 * Returns: (nullable) (transfer none): the name of the program, such as "npx", if it downloads what
 *   it runs
 */
const char *gadget_mcp_downloader_find             (const char *const *argv);

/**
 * gadget_mcp_downloader_list_environment:
 * @network: whether the server may use the network
 * @own: (nullable): the variables that the user set for the server; these come first and win
 *
 * Makes the environment for such a program. Without the network the program uses what it downloaded
 * before; if that is nothing, it fails at once instead of after a minute of attempts. With the
 * network it does not download again what it has.
 *
 * Returns: (transfer full): "NAME=value", including @own
 */
char      **gadget_mcp_downloader_list_environment (gboolean           network,
                                                    const char *const *own);

G_END_DECLS
