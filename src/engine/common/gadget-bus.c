/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-bus.h"

char *
gadget_bus_dup_address (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  const char *directory = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *socket = NULL;
  g_autofree char *escaped = NULL;

  if (address != NULL && *address != '\0')
    return g_str_equal (address, "autolaunch:") ? NULL : g_strdup (address);
  if (directory == NULL || *directory == '\0')
    return NULL;
  socket = g_build_filename (directory, "bus", NULL);
  if (!g_file_test (socket, G_FILE_TEST_EXISTS))
    return NULL;
  escaped = g_dbus_address_escape_value (socket);
  return g_strconcat ("unix:path=", escaped, NULL);
}
