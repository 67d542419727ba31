/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Starts another program in a session of its own, so that no key pressed in the terminal of this
 * process, and no hangup of it, can end the program other than by the abort. The program inherits
 * only the descriptors that it is given.
 *
 * posix_spawn () does not copy the memory of this process as fork () does. That copy takes longer
 * the larger this process is, and the main loop waits for it. */

#define G_LOG_DOMAIN "gadget-process"

#include "config.h"

#include "gadget-process-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static void
close_copies (GArray *copies)
{
  for (guint i = 0; i < copies->len; i++)
    close (g_array_index (copies, int, i));
  g_array_unref (copies);
}

static gboolean
has_target (const GadgetDescriptors *self, int fd)
{
  for (guint i = 0; i < self->n; i++)
    if (self->targets[i] == fd)
      return TRUE;
  return FALSE;
}

/* Copies the sources above all targets first, so that no dup2 () overwrites one of them. Returns 0
 * or an errno. */
static int
describe_files (posix_spawn_file_actions_t *actions, const GadgetDescriptors *descriptors,
                const char *folder, GArray *copies)
{
  int top = STDERR_FILENO;
  int status = posix_spawn_file_actions_addchdir_np (actions, folder);

  for (guint i = 0; i < descriptors->n; i++)
    top = MAX (top, descriptors->targets[i]);
  if (status == 0 && !has_target (descriptors, STDIN_FILENO))
    status = posix_spawn_file_actions_addopen (actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (guint i = 0; i < descriptors->n && status == 0; i++)
    {
      const int copy = fcntl (descriptors->sources[i], F_DUPFD_CLOEXEC, top + 1);

      if (copy < 0)
        return errno;
      g_array_append_val (copies, copy);
      status = posix_spawn_file_actions_adddup2 (actions, copy, descriptors->targets[i]);
    }
  for (int fd = STDERR_FILENO + 1; fd <= top && status == 0; fd++)
    if (!has_target (descriptors, fd))
      status = posix_spawn_file_actions_addclose (actions, fd);
  return status == 0 ? posix_spawn_file_actions_addclosefrom_np (actions, top + 1) : status;
}

static int
describe_rest (posix_spawnattr_t *attributes)
{
  sigset_t none;
  sigset_t all;
  int status;

  sigemptyset (&none);
  sigfillset (&all);
  status = posix_spawnattr_setsigmask (attributes, &none);
  if (status == 0)
    status = posix_spawnattr_setsigdefault (attributes, &all);
  if (status == 0)
    status = posix_spawnattr_setflags (attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK
                                                       | POSIX_SPAWN_SETSIGDEF);
  return status;
}

/**
 * _gadget_process_spawn:
 * @folder: the working folder of the program
 * @argv: the first string is the path of the program; PATH is not searched
 * @environment: the complete environment of the program
 * @descriptors: what the program inherits; standard input is empty if it is not among them
 * @error: %GADGET_PROCESS_ERROR_START
 *
 * Returns: the new process, which the caller must reap, or 0 with @error
 */
GPid
_gadget_process_spawn (const char *folder, char **argv, char **environment,
                       const GadgetDescriptors *descriptors, GError **error)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  GArray *copies = g_array_new (FALSE, FALSE, sizeof (int));
  GPid pid = 0;
  int status;

  posix_spawn_file_actions_init (&actions);
  posix_spawnattr_init (&attributes);
  status = describe_files (&actions, descriptors, folder, copies);
  if (status == 0)
    status = describe_rest (&attributes);
  if (status == 0)
    status = posix_spawn (&pid, argv[0], &actions, &attributes, argv, environment);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  close_copies (copies);
  if (status == 0)
    return pid;
  g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
               _ ("The command could not be started: %s"), g_strerror (status));
  return 0;
}
