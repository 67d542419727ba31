/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The scope of one command: common limits for all of its processes, and a fallback to end them
 * should all else fail. It plays no part in how a command is usually ended.
 *
 * bubblewrap reports the first process of the sandbox as soon as it exists, while that process
 * waits for permission to set up its mounts. This process is handed to systemd. It becomes the
 * helper, so that the whole command is born in the scope if the manager is as quick as the mounts
 * are. If not, the processes that were born outside are moved when the scope exists, again and
 * again until none is left outside. No command waits for this: until then the limits are those that
 * the helper sets. One of them is the number of processes, so that the moving comes to an end.
 *
 * A process is handed over as a descriptor, since process IDs are reused; managers before systemd
 * 254 get the process ID. */

#define G_LOG_DOMAIN "gadget-systemd"

#include "config.h"

#include "gadget-systemd-private.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CPU_WEIGHT 50 /* of 100, the weight of all other units */
/* The rest of a command has this time between SIGTERM and SIGKILL when the session ends; by default
 * it would be 90 s, for which the end of the session waits. */
#define STOP_US (2 * G_USEC_PER_SEC)
#define MAX_STATUS 512
#define MAX_PARENTS 4
#define MAX_MOVED 256
#define MAX_PASSES 16

struct _GadgetScope
{
  gatomicrefcount ref_count; /* one for the command, and one for each pending call */
  GadgetSystemd *systemd;
  GPid outer;
  int status;
  GSource *source; /* (nullable) */
  GString *said;
  char *unit; /* (nullable): NULL until the process is known */
  pid_t pid;
  int pidfd;
  guint n_moving;
  guint n_passes;
  gboolean over;
};

static GadgetScope *
scope_ref (GadgetScope *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
scope_unref (GadgetScope *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_object_unref (self->systemd);
  g_clear_fd (&self->pidfd, NULL);
  g_free (self->unit);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetScope, scope_unref)

/* --- Asking ------------------------------------------------------------------------------------
 */

static void
add_number (GVariantBuilder *properties, const char *name, guint64 value)
{
  g_variant_builder_add (properties, "(sv)", name, g_variant_new_uint64 (value));
}

static void
add_text (GVariantBuilder *properties, const char *name, const char *value)
{
  g_variant_builder_add (properties, "(sv)", name, g_variant_new_string (value));
}

/* Returns (transfer floating) the properties of the scope, see org.freedesktop.systemd1(5) and
 * systemd.resource-control(5). */
static GVariant *
make_properties (GadgetScope *self, GUnixFDList *fds)
{
  const guint64 max_memory = gadget_systemd_get_max_memory ();
  GVariantBuilder properties = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(sv)"));
  const guint32 number = (guint32) self->pid;
  const gint32 handle = fds != NULL ? g_unix_fd_list_append (fds, self->pidfd, NULL) : -1;

  add_text (&properties, "Description", "Command of Gadget");
  add_text (&properties, "Slice", "app.slice");
  add_text (&properties, "CollectMode", "inactive-or-failed");
  add_text (&properties, "KillMode", "control-group");
  add_number (&properties, "TimeoutStopUSec", STOP_US);
  /* Without "Delegate" no process can be moved into the scope later. */
  g_variant_builder_add (&properties, "(sv)", "Delegate", g_variant_new_boolean (TRUE));
  add_number (&properties, "TasksMax", GADGET_SYSTEMD_MAX_TASKS);
  add_number (&properties, "CPUWeight", CPU_WEIGHT);
  add_number (&properties, "IOWeight", CPU_WEIGHT);
  if (max_memory != G_MAXUINT64)
    {
      /* From this limit on the command is slowed down and its memory is reclaimed first. */
      add_number (&properties, "MemoryHigh", max_memory / 10 * 9);
      add_number (&properties, "MemoryMax", max_memory);
      add_number (&properties, "MemorySwapMax", max_memory / 2);
    }
  if (fds != NULL)
    g_variant_builder_add (
        &properties, "(sv)", "PIDFDs",
        g_variant_new_fixed_array (G_VARIANT_TYPE_HANDLE, &handle, handle >= 0 ? 1 : 0, 4));
  else
    g_variant_builder_add (&properties, "(sv)", "PIDs",
                           g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, &number, 1, 4));
  return g_variant_builder_end (&properties);
}

/* Returns whether ERROR is what a manager answers that does not know a property. */
static gboolean
is_unknown_property (const GError *error)
{
  g_autofree char *name =
      g_dbus_error_is_remote_error (error) ? g_dbus_error_get_remote_error (error) : NULL;

  return g_strcmp0 (name, "org.freedesktop.DBus.Error.PropertyReadOnly") == 0
         || g_strcmp0 (name, "org.freedesktop.DBus.Error.UnknownProperty") == 0;
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetScope) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), NULL, result, &error);

  if (answer == NULL && is_unknown_property (error)
      && !_gadget_systemd_get_by_number (self->systemd))
    {
      _gadget_systemd_set_by_number (self->systemd);
      if (!self->over)
        _gadget_scope_request (self);
      return;
    }
  /* A command that has ended is a good reason to refuse a scope. */
  if (answer == NULL && self->over && g_dbus_error_is_remote_error (error))
    return;
  _gadget_systemd_note (self->systemd, error);
}

void
_gadget_scope_request (GadgetScope *self)
{
  GDBusConnection *connection = _gadget_systemd_get_connection (self->systemd);
  g_autoptr (GUnixFDList) fds = NULL;

  if (connection == NULL)
    return;
  if (self->pidfd >= 0 && !_gadget_systemd_get_by_number (self->systemd))
    fds = g_unix_fd_list_new ();
  g_dbus_connection_call_with_unix_fd_list (
      connection, _GADGET_SYSTEMD_NAME, _GADGET_SYSTEMD_PATH, _GADGET_SYSTEMD_MANAGER,
      "StartTransientUnit",
      g_variant_new ("(ss@a(sv)@a(sa(sv)))", self->unit, "fail", make_properties (self, fds),
                     g_variant_new_array (G_VARIANT_TYPE ("(sa(sv))"), NULL, 0)),
      G_VARIANT_TYPE ("(o)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, _GADGET_SYSTEMD_TIMEOUT_MS, fds,
      NULL, answered_cb, scope_ref (self));
}

/* --- Moving what was quicker -------------------------------------------------------------------
 */

static char *
read_proc (pid_t pid, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", (int) pid, name);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

static void
add_children (GArray *pids, pid_t parent)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/task", (int) parent);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *thread;

  while (dir != NULL && (thread = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *name = g_strdup_printf ("task/%s/children", thread);
      g_autofree char *text = read_proc (parent, name);
      char *rest = text;

      while (rest != NULL && pids->len < MAX_MOVED)
        {
          char *end;
          const guint32 pid = (guint32) strtoul (rest, &end, 10);

          if (end == rest)
            break;
          g_array_append_val (pids, pid);
          rest = end;
        }
    }
}

/* A process that has ended cannot be moved, and need not be. */
static gboolean
is_alive (pid_t pid)
{
  g_autofree char *stat = read_proc (pid, "stat");
  const char *end = stat != NULL ? strrchr (stat, ')') : NULL;

  return end != NULL && strlen (end) > 2 && strchr ("ZX", end[2]) == NULL;
}

/* Returns (transfer full) (element-type guint32) the processes of the sandbox that are in another
 * control group than its first process; empty if the first process is not in the scope itself. */
static GArray *
list_outside (GadgetScope *self)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *outside = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *group = read_proc (self->pid, "cgroup");

  if (group == NULL || strstr (group, self->unit) == NULL)
    return outside;
  add_children (all, self->pid);
  for (guint i = 0; i < all->len; i++)
    {
      const guint32 pid = g_array_index (all, guint32, i);
      g_autofree char *other = read_proc ((pid_t) pid, "cgroup");

      add_children (all, (pid_t) pid);
      if (other != NULL && !g_str_equal (other, group) && is_alive ((pid_t) pid))
        g_array_append_val (outside, pid);
    }
  return outside;
}

static void move_outsiders (GadgetScope *self);

static void
moved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetScope) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  /* The manager refuses processes that have ended meanwhile. */
  if (answer == NULL && !g_dbus_error_is_remote_error (error))
    _gadget_systemd_note (self->systemd, error);
  if (--self->n_moving == 0 && !self->over)
    move_outsiders (self);
}

/* Each call moves one process: a call with several would move none of them if one has ended. */
static void
move_outsiders (GadgetScope *self)
{
  GDBusConnection *connection = _gadget_systemd_get_connection (self->systemd);
  g_autoptr (GArray) pids = list_outside (self);

  if (pids->len == 0 || connection == NULL)
    return;
  g_debug ("%u processes are moved into %s", pids->len, self->unit);
  if (self->n_passes++ >= MAX_PASSES)
    {
      g_debug ("processes of a command could not be moved into its scope");
      return;
    }
  for (guint i = 0; i < pids->len; i++)
    {
      const guint32 *pid = &g_array_index (pids, guint32, i);

      self->n_moving++;
      g_dbus_connection_call (
          connection, _GADGET_SYSTEMD_NAME, _GADGET_SYSTEMD_PATH, _GADGET_SYSTEMD_MANAGER,
          "AttachProcessesToUnit",
          g_variant_new ("(ss@au)", self->unit, "",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, pid, 1, sizeof *pid)),
          NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, _GADGET_SYSTEMD_TIMEOUT_MS, NULL, moved_cb,
          scope_ref (self));
    }
}

/* Called when the job that creates the scope has ended. */
void
_gadget_scope_started (GadgetScope *self, const char *result)
{
  if (g_str_equal (result, "done"))
    move_outsiders (self);
  else
    g_debug ("the scope of a command: %s", result);
}

/* --- Which process it is -----------------------------------------------------------------------
 */

/* Returns whether PID descends from the outer process, which is not reaped yet, so that its number
 * cannot belong to another process. */
static gboolean
is_ours (GadgetScope *self, pid_t pid)
{
  for (guint i = 0; i < MAX_PARENTS && pid > 1; i++)
    {
      g_autofree char *stat = read_proc (pid, "stat");
      const char *end = stat != NULL ? strrchr (stat, ')') : NULL;

      if (pid == self->outer)
        return TRUE;
      /* text after the name: ") S PARENT …" */
      if (end == NULL || strlen (end) < 4)
        return FALSE;
      pid = atoi (end + 4);
    }
  return FALSE;
}

static void
heard_pid (GadgetScope *self, pid_t pid)
{
  static guint count;

  self->pid = pid;
  self->pidfd = (int) syscall (SYS_pidfd_open, pid, 0);
  if (self->pidfd < 0 && errno != ENOSYS)
    return;
  if (!is_ours (self, pid))
    return;
  self->unit = g_strdup_printf ("gadget-command-%d-%u.scope", (int) getpid (), ++count);
  _gadget_systemd_add (self->systemd, self);
}

/* Parses { "child-pid": 4711, … */
static gboolean
status_cb (int fd, GIOCondition condition, gpointer user_data)
{
  GadgetScope *self = user_data;
  char bytes[MAX_STATUS];
  const char *number;
  const gssize n = read (fd, bytes, sizeof bytes);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  if (n <= 0 || self->said->len > MAX_STATUS)
    return G_SOURCE_REMOVE;
  g_string_append_len (self->said, bytes, n);
  number = strstr (self->said->str, "\"child-pid\":");
  if (number == NULL || strpbrk (number, ",}\n") == NULL)
    return G_SOURCE_CONTINUE;
  heard_pid (self, atoi (number + strlen ("\"child-pid\":")));
  return G_SOURCE_REMOVE;
}

GadgetScope *
gadget_scope_new (GadgetSystemd *systemd, GPid outer, int status)
{
  GadgetScope *self = g_new0 (GadgetScope, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->systemd = g_object_ref (systemd);
  self->outer = outer;
  self->status = status;
  self->said = g_string_new (NULL);
  self->pidfd = -1;
  self->source = g_unix_fd_source_new (status, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (self->source, G_SOURCE_FUNC (status_cb), self, NULL);
  g_source_set_static_name (self->source, "gadget-scope-status");
  g_source_attach (self->source, g_main_context_get_thread_default ());
  return self;
}

/* The status descriptor stays open until now: bubblewrap writes to it once more when it ends. */
void
gadget_scope_free (GadgetScope *self)
{
  self->over = TRUE;
  _gadget_systemd_remove (self->systemd, self);
  g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  g_clear_fd (&self->status, NULL);
  g_string_free (g_steal_pointer (&self->said), TRUE);
  scope_unref (self);
}

const char *
_gadget_scope_get_unit (GadgetScope *self)
{
  return self->unit;
}
