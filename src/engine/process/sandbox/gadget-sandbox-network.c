/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets up the network of a sandboxed command that was granted one. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-memory-file.h"
#include "common/gadget-path.h"
#include "gadget-sandbox-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONNECT_HELPER "gadget-connect"
/* The name server of commands that have a network of their own; the address is link-local and
 * belongs to no network. */
#define RESOLVER "169.254.1.1"

#define add _gadget_argv_add

/* With a network of the command's own, pasta answers and forwards the queries: the user's resolver
 * may listen on this computer only. /etc/resolv.conf may be a link into /run, which is empty in the
 * sandbox. */
gboolean
_gadget_network_add_resolver (GadgetLaunch *launch, GPtrArray *argv, gboolean own, GError **error)
{
  static const char text[] = "nameserver " RESOLVER "\n";
  g_autofree char *real = realpath ("/etc/resolv.conf", NULL);
  g_autofree char *content = NULL;
  g_autofree char *folder = NULL;
  gsize length = sizeof text - 1;
  g_autofd int fd = -1;

  if (real == NULL)
    return TRUE;
  if (!own && !g_file_get_contents (real, &content, &length, NULL))
    return TRUE;
  fd = gadget_memory_file_new ("gadget-resolver", own ? text : content, length);
  if (fd < 0)
    {
      g_set_error_literal (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
                           _ ("The network of the command could not be set up"));
      return FALSE;
    }
  _gadget_launch_give_fd (launch, g_steal_fd (&fd), _GADGET_SANDBOX_RESOLVER_FD);
  folder = g_path_get_dirname (real);
  if (gadget_path_is_within (real, "/run"))
    add (argv, "--dir", folder, NULL);
  add (argv, "--ro-bind-data", G_STRINGIFY (_GADGET_SANDBOX_RESOLVER_FD), real, NULL);
  return TRUE;
}

/* gadget-connect starts bubblewrap, connects its new namespace by pasta before anything runs in it,
 * and ends pasta with it. The options forward no port in either direction, and no address leads to
 * this computer. */
gboolean
_gadget_network_add_connect (GPtrArray *argv, const char *helper, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (helper);
  g_autofree char *connect = g_build_filename (folder, CONNECT_HELPER, NULL);
  g_autofree char *pasta = g_find_program_in_path ("pasta");

  if (pasta == NULL || !g_file_test (connect, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_set_error_literal (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_SANDBOX,
                           _ ("The network of the command could not be set up"));
      return FALSE;
    }
  add (argv, connect, G_STRINGIFY (_GADGET_SANDBOX_INFO_FD), G_STRINGIFY (_GADGET_SANDBOX_BLOCK_FD),
       "--", pasta, "--foreground", "--quiet", "--config-net", "--no-map-gw", "-t", "none", "-u",
       "none", "-T", "none", "-U", "none", "--no-dhcp", "--no-dhcpv6", "--no-ra", "--dns-forward",
       RESOLVER, "--", NULL);
  return TRUE;
}
