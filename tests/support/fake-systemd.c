/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-systemd.h"

#include <errno.h>
#include <gio/gunixfdlist.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME "org.freedesktop.systemd1"
#define PATH "/org/freedesktop/systemd1"
#define MANAGER "org.freedesktop.systemd1.Manager"

static const char xml[] =
    "<node><interface name='" MANAGER "'>"
    "<method name='Subscribe'/>"
    "<method name='StartTransientUnit'><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='a(sv)' direction='in'/><arg type='a(sa(sv))' direction='in'/>"
    "<arg type='o' direction='out'/></method>"
    "<method name='AttachProcessesToUnit'><arg type='s' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='au' direction='in'/></method>"
    "<signal name='JobRemoved'><arg type='u'/><arg type='o'/><arg type='s'/><arg "
    "type='s'/></signal>"
    "</interface></node>";

/* "Pid:" of a process that is gone is -1. */
static int
read_pidfd (int fd)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fdinfo/%d", fd);
  g_autofree char *text = NULL;
  const char *line;
  int pid = -1;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return -1;
  line = strstr (text, "Pid:");
  return line != NULL && sscanf (line, "Pid: %d", &pid) == 1 ? pid : -1;
}

static void
take_pid (FakeSystemd *self, GDBusMethodInvocation *invocation)
{
  GUnixFDList *fds =
      g_dbus_message_get_unix_fd_list (g_dbus_method_invocation_get_message (invocation));
  GVariantIter iter;
  const char *name;
  GVariant *value;

  self->pid = -1;
  g_clear_fd (&self->pidfd, NULL);
  g_variant_iter_init (&iter, self->properties);
  while (g_variant_iter_loop (&iter, "(&sv)", &name, &value))
    if (g_str_equal (name, "PIDs"))
      {
        g_assert_cmpuint (g_variant_n_children (value), ==, 1);
        self->n_by_number++;
        g_variant_get_child (value, 0, "u", &self->pid);
      }
    else if (g_str_equal (name, "PIDFDs"))
      {
        g_assert_cmpuint (g_variant_n_children (value), ==, 1);
        g_assert_nonnull (fds);
        self->pidfd = g_unix_fd_list_get (fds, 0, NULL);
        self->pid = read_pidfd (self->pidfd);
      }
}

static void
succeed (FakeSystemd *self, GDBusMethodInvocation *invocation, const char *result)
{
  g_autoptr (GVariant) parameters =
      g_variant_ref (g_dbus_method_invocation_get_parameters (invocation));
  const char *unit;

  g_variant_get_child (parameters, 0, "&s", &unit);
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", PATH "/job/1"));
  g_dbus_connection_emit_signal (self->connection, NULL, PATH, MANAGER, "JobRemoved",
                                 g_variant_new ("(uoss)", 1u, PATH "/job/1", unit, result), NULL);
}

static void
die (FakeSystemd *self)
{
  g_dbus_connection_close (self->connection, NULL, NULL, NULL);
  g_clear_object (&self->connection);
}

static void
start (FakeSystemd *self, GDBusMethodInvocation *invocation, GVariant *parameters)
{
  self->n_started++;
  g_clear_pointer (&self->unit, g_free);
  g_clear_pointer (&self->properties, g_variant_unref);
  g_variant_get (parameters, "(s&s@a(sv)@a(sa(sv)))", &self->unit, NULL, &self->properties, NULL);
  take_pid (self, invocation);
  switch (self->kind)
    {
    case FAKE_SYSTEMD_REFUSES:
      g_dbus_method_invocation_return_dbus_error (invocation,
                                                  "org.freedesktop.DBus.Error.AccessDenied", "no");
      break;
    case FAKE_SYSTEMD_OLD:
      if (self->pidfd >= 0)
        g_dbus_method_invocation_return_dbus_error (
            invocation, "org.freedesktop.DBus.Error.PropertyReadOnly",
            "Cannot set property PIDFDs, or unknown property.");
      else
        succeed (self, invocation, "done");
      break;
    case FAKE_SYSTEMD_FAILS:
      succeed (self, invocation, "failed");
      break;
    case FAKE_SYSTEMD_DIES:
      g_object_unref (invocation);
      die (self);
      break;
    case FAKE_SYSTEMD_HANGS:
    case FAKE_SYSTEMD_LATE:
      g_queue_push_tail (&self->late, invocation);
      break;
    case FAKE_SYSTEMD_WORKS:
    default:
      succeed (self, invocation, "done");
      break;
    }
}

static void
called_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
           const char *method, GVariant *parameters, GDBusMethodInvocation *invocation,
           gpointer user_data)
{
  FakeSystemd *self = user_data;

  if (g_str_equal (method, "StartTransientUnit"))
    {
      start (self, invocation, parameters);
      return;
    }
  if (g_str_equal (method, "Subscribe"))
    self->n_subscribed++;
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
add_manager (FakeSystemd *self)
{
  static const GDBusInterfaceVTable vtable = { .method_call = called_cb };
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (xml, NULL);
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  self->connection =
      g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (self->bus),
                                              G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                  | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                              NULL, NULL, &error);
  g_assert_no_error (error);
  g_dbus_connection_register_object (self->connection, PATH, node->interfaces[0], &vtable, self,
                                     NULL, &error);
  g_assert_no_error (error);
  reply = g_dbus_connection_call_sync (self->connection, "org.freedesktop.DBus",
                                       "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                       "RequestName", g_variant_new ("(su)", NAME, 4u), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
}

FakeSystemd *
fake_systemd_new (gboolean with_manager)
{
  FakeSystemd *self = g_new0 (FakeSystemd, 1);

  self->pid = -1;
  self->pidfd = -1;
  g_queue_init (&self->late);
  self->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (self->bus);
  if (with_manager)
    add_manager (self);
  return self;
}

void
fake_systemd_answer (FakeSystemd *self)
{
  GDBusMethodInvocation *invocation;

  while ((invocation = g_queue_pop_head (&self->late)) != NULL)
    succeed (self, invocation, "done");
}

guint64
fake_systemd_get_number (FakeSystemd *self, const char *name)
{
  GVariantIter iter;
  const char *other;
  GVariant *value;
  guint64 number = 0;

  if (self->properties == NULL)
    return 0;
  g_variant_iter_init (&iter, self->properties);
  while (g_variant_iter_loop (&iter, "(&sv)", &other, &value))
    if (g_str_equal (name, other) && g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64))
      number = g_variant_get_uint64 (value);
  return number;
}

void
fake_systemd_free (FakeSystemd *self)
{
  g_queue_clear_full (&self->late, g_object_unref);
  if (self->connection != NULL)
    die (self);
  g_test_dbus_stop (self->bus);
  g_object_unref (self->bus);
  g_clear_pointer (&self->unit, g_free);
  g_clear_pointer (&self->properties, g_variant_unref);
  g_clear_fd (&self->pidfd, NULL);
  g_free (self);
}
