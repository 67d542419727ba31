/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Programs that download the server before they run it: npx, uvx, pipx and the like. */

/**
 * gadget_mcp_downloader_find:
 * @argv: the command of a server
 *
 * Returns: (nullable) (transfer none): the name of the program, such as "npx", if it is one that
 *   downloads what it runs
 */
const char *gadget_mcp_downloader_find             (const char *const *argv);

/**
 * gadget_mcp_downloader_list_environment:
 * @network: whether the server has the network
 * @own: (nullable): the variables that the user set for the server; these come first
 *
 * The variables for such a program. Without the network it uses what it has downloaded before, and
 * fails at once, rather than after a minute of attempts, where that is nothing. With the network it
 * does not download again what it has.
 *
 * Returns: (transfer full): "NAME=value", with those of @own
 */
char      **gadget_mcp_downloader_list_environment (gboolean           network,
                                                    const char *const *own);

G_END_DECLS
