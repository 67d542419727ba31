/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Identifies the program behind a D-Bus connection. The bus knows the user and the process of each
 * connection. A program in a sandbox has a mount namespace or user namespace of its own, which it
 * cannot leave; a Flatpak program also has a file /.flatpak-info in its root, which it cannot
 * remove. Any other process of the same user counts as the user.
 *
 * A process id may be reused between the reply of the bus and the inspection of the process.
 * Therefore the bus is asked again after the inspection: a unique name is never given out twice, so
 * a caller that still exists with the same process id is the process that was inspected.
 *
 * Inside Flatpak other processes are not visible, so no caller can be identified there. */

#define G_LOG_DOMAIN "gadget-caller"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gadget-caller.h"

#define TIMEOUT_MS 2000

/* The identification of one caller. It is the task data of the first call's GTask. */
typedef struct
{
  char *name;
  guint pid;
  GadgetCaller identified;
  GPtrArray *others; /* (element-type GTask): later calls for the same name, owned */
} Question;

#define QUESTIONS "gadget-caller-questions"

static void
question_free (Question *question)
{
  g_ptr_array_unref (question->others);
  g_free (question->name);
  g_free (question);
}

static gboolean
stat_namespace (const char *proc, const char *process, const char *name, struct stat *found)
{
  g_autofree char *path = g_build_filename (proc, process, "ns", name, NULL);

  return stat (path, found) == 0;
}

static GadgetCaller
compare_namespaces (const char *proc, guint pid)
{
  static const char *const names[] = { "mnt", "user" };
  g_autofree char *process = g_strdup_printf ("%u", pid);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      struct stat ours;
      struct stat theirs;

      if (!stat_namespace (proc, "self", names[i], &ours)
          || !stat_namespace (proc, process, names[i], &theirs))
        return GADGET_CALLER_UNKNOWN;
      if (ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino)
        return GADGET_CALLER_SANDBOXED;
    }
  return GADGET_CALLER_USER;
}

/**
 * gadget_caller_from_process:
 * @proc: "/proc", except in tests
 * @pid: the process id as seen in @proc
 *
 * Returns: the kind of the process, judged by its root and its namespaces
 */
GadgetCaller
gadget_caller_from_process (const char *proc, guint pid)
{
  g_autofree char *path = g_strdup_printf ("%s/%u/root", proc, pid);
  g_autofd int root = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);

  if (root < 0)
    return GADGET_CALLER_UNKNOWN;
  if (faccessat (root, ".flatpak-info", F_OK, AT_SYMLINK_NOFOLLOW) == 0)
    return GADGET_CALLER_SANDBOXED;
  return errno == ENOENT ? compare_namespaces (proc, pid) : GADGET_CALLER_UNKNOWN;
}

static void
ask_bus (GDBusConnection *connection, const char *name, GAsyncReadyCallback callback,
         gpointer user_data)
{
  g_dbus_connection_call (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                          "org.freedesktop.DBus", "GetConnectionCredentials",
                          g_variant_new ("(s)", name), G_VARIANT_TYPE ("(a{sv})"),
                          G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL, callback, user_data);
}

/* Returns the process id in the reply of the bus, or 0 when there is none or it is another
 * user's. */
static guint
read_credentials (GObject *source, GAsyncResult *result)
{
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) credentials = NULL;
  guint uid = G_MAXUINT;
  guint pid = 0;

  reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  if (reply == NULL)
    return 0;
  credentials = g_variant_get_child_value (reply, 0);
  if (!g_variant_lookup (credentials, "UnixUserID", "u", &uid) || uid != getuid ())
    return 0;
  if (!g_variant_lookup (credentials, "ProcessID", "u", &pid))
    return 0;
  return pid;
}

/* Returns the pending identifications of a connection, by unique name. */
static GHashTable *
get_questions (GDBusConnection *connection)
{
  GHashTable *questions = g_object_get_data (G_OBJECT (connection), QUESTIONS);

  if (questions == NULL)
    {
      questions = g_hash_table_new (g_str_hash, g_str_equal);
      g_object_set_data_full (G_OBJECT (connection), QUESTIONS, questions,
                              (GDestroyNotify) g_hash_table_unref);
    }
  return questions;
}

/* Completes the calls in the order in which they came. */
static void
answer (GTask *task, GadgetCaller caller)
{
  Question *question = g_task_get_task_data (task);
  g_autoptr (GPtrArray) others = g_ptr_array_ref (question->others);

  g_hash_table_remove (get_questions (g_task_get_source_object (task)), question->name);
  g_task_return_int (task, caller);
  for (guint i = 0; i < others->len; i++)
    g_task_return_int (g_ptr_array_index (others, i), caller);
}

static void
confirmed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Question *question = g_task_get_task_data (task);
  const gboolean same = read_credentials (source, result) == question->pid;

  answer (task, same ? question->identified : GADGET_CALLER_UNKNOWN);
}

static void
credentials_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Question *question = g_task_get_task_data (task);

  question->pid = read_credentials (source, result);
  if (question->pid != 0)
    question->identified = gadget_caller_from_process ("/proc", question->pid);
  if (question->identified == GADGET_CALLER_UNKNOWN)
    {
      answer (task, GADGET_CALLER_UNKNOWN);
      return;
    }
  ask_bus (G_DBUS_CONNECTION (source), question->name, confirmed_cb, g_steal_pointer (&task));
}

/**
 * gadget_caller_identify_async:
 * @unique_name: (nullable): the caller's unique name; %NULL, as on a connection without a bus,
 *   yields %GADGET_CALLER_UNKNOWN
 *
 * Identifies the program that owns a unique name.
 */
void
gadget_caller_identify_async (GDBusConnection *connection, const char *unique_name,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Question *question;

  g_return_if_fail (G_IS_DBUS_CONNECTION (connection));

  task = g_task_new (connection, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_caller_identify_async);
  if (unique_name == NULL || g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS))
    {
      g_task_return_int (task, GADGET_CALLER_UNKNOWN);
      return;
    }
  /* A program that calls a thousand times is identified only once at a time; otherwise a stop among
   * these calls would wait for a thousand replies of the bus. */
  question = g_hash_table_lookup (get_questions (connection), unique_name);
  if (question != NULL)
    {
      g_ptr_array_add (question->others, g_steal_pointer (&task));
      return;
    }
  question = g_new0 (Question, 1);
  question->name = g_strdup (unique_name);
  question->others = g_ptr_array_new_with_free_func (g_object_unref);
  g_hash_table_insert (get_questions (connection), question->name, question);
  g_task_set_task_data (task, question, (GDestroyNotify) question_free);
  ask_bus (connection, unique_name, credentials_cb, g_steal_pointer (&task));
}

/**
 * gadget_caller_identify_finish:
 *
 * Returns: the kind of caller; %GADGET_CALLER_UNKNOWN instead of an error
 */
GadgetCaller
gadget_caller_identify_finish (GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (G_IS_TASK (result), GADGET_CALLER_UNKNOWN);
  return (GadgetCaller) g_task_propagate_int (G_TASK (result), &error);
}
