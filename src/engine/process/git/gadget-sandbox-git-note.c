/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Notes on the disk: the state of the repositories before a command is kept there until the check
 * after the command. A process that is killed, or quits before the check is complete, leaves its
 * note: then the next command in the workspace, or the next start of the program, does the check
 * instead. A lock on the note says that its process lives. Runs in threads.
 *
 * The notes are in a folder that commands do not see. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-blocking.h"
#include "common/gadget-memory-file.h"
#include "gadget-sandbox-git-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#define MAX_SIZE (64 * 1024 * 1024)

/* The suffix of a note that another process has taken over. */
#define LATE ".late"

struct _GadgetGitNote
{
  char *path;
  int fd; /* holds the lock */
};

/* Returns (transfer full) (nullable) the file at PATH, opened with FLAGS and locked with HOW, of
 * flock (). */
static GadgetGitNote *
lock (const char *path, int flags, int how)
{
  g_autofd int fd = open (path, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
  GadgetGitNote *self;

  if (fd < 0 || flock (fd, how) != 0)
    return NULL;
  self = g_new0 (GadgetGitNote, 1);
  self->path = g_strdup (path);
  self->fd = g_steal_fd (&fd);
  return self;
}

static void
unlock (GadgetGitNote *self)
{
  close (self->fd);
  g_free (self->path);
  g_free (self);
}

void
_gadget_git_note_free (GadgetGitNote *self)
{
  g_unlink (self->path);
  unlock (self);
}

/* Writes the note and renames it to PATH, so that it has a valid name only when it is complete and
 * locked. */
static gboolean
write_all (GadgetGitNote *self, GBytes *bytes, const char *path)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (!gadget_write_all (self->fd, data, length) || g_rename (self->path, path) != 0)
    return FALSE;
  g_set_str (&self->path, path);
  return TRUE;
}

/**
 * _gadget_git_note_new:
 * @folder: the folder of the notes
 * @state: (transfer floating): the guard's state, of type %GADGET_GIT_GUARD_TYPE
 *
 * Returns: (transfer full) (nullable): the note, or %NULL if it cannot be written;
 *   _gadget_git_note_free () removes it from the disk
 */
GadgetGitNote *
_gadget_git_note_new (const char *folder, GVariant *state)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (state);
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (owned);
  g_autofree char *name = g_uuid_string_random ();
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *unfinished = g_strconcat (path, ".new", NULL);
  GadgetGitNote *self;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return NULL;
  self = lock (unfinished, O_RDWR | O_CREAT | O_EXCL, LOCK_EX);
  if (self != NULL && !write_all (self, bytes, path))
    g_clear_pointer (&self, _gadget_git_note_free);
  return self;
}

/* --- Notes of processes that have ended ------------------------------------------------------ */

static GVariant *
read_state (int fd)
{
  gsize length;
  char *text = _gadget_git_read_all (fd, MAX_SIZE, &length);
  g_autoptr (GBytes) bytes = NULL;

  if (text == NULL)
    return NULL;
  bytes = g_bytes_new_take (text, length);
  return g_variant_ref_sink (
      g_variant_new_from_bytes (G_VARIANT_TYPE (GADGET_GIT_GUARD_TYPE), bytes, FALSE));
}

static gboolean
is_of (const char *path, const char *workspace)
{
  g_autofd int fd = _gadget_git_open_at (AT_FDCWD, path, O_RDONLY);
  g_autoptr (GVariant) state = fd >= 0 ? read_state (fd) : NULL;
  const char *own = NULL;

  if (state == NULL || !g_variant_is_normal_form (state))
    return FALSE;
  g_variant_get_child (state, 0, "^&ay", &own);
  return g_str_equal (own, workspace);
}

/* Marks a note whose own process has ended, so that others may wait for the lock. */
static void
rename_late (GadgetGitNote *self)
{
  g_autofree char *late = g_strconcat (self->path, LATE, NULL);

  if (!g_str_has_suffix (self->path, LATE) && g_rename (self->path, late) == 0)
    g_set_str (&self->path, late);
}

/* Does the check for a note, and frees it. Returns (transfer full) (nullable) what was found; the
 * note stays on the disk if not everything could be seen. */
static char *
check_note (GadgetGitNote *self)
{
  g_autoptr (GVariant) state = read_state (self->fd);
  g_autoptr (GadgetGitGuard) guard = state != NULL ? _gadget_git_guard_load (state) : NULL;
  char *found = NULL;

  rename_late (self);
  if (guard != NULL)
    found = gadget_git_guard_check (guard);
  if (gadget_git_get_fd_shortage () == 0)
    g_unlink (self->path);
  unlock (self);
  return found;
}

/* The result of gadget_git_notes_check_in_background (), for the next call of
 * gadget_git_notes_check (). */
static GMutex lock_of_found;
static char *found_before; /* (nullable) */

static void
add_found (char **text, char *found)
{
  char *before = *text;

  if (found == NULL)
    return;
  *text = before != NULL ? g_strconcat (before, ", ", found, NULL) : g_strdup (found);
  g_free (before);
  g_free (found);
}

static char *
check_notes (const char *folder, const char *workspace)
{
  g_autoptr (GDir) dir = _gadget_git_open_dir (folder);
  char *found = NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      const gboolean waits = workspace != NULL && g_str_has_suffix (name, LATE);
      GadgetGitNote *note = NULL;

      if (workspace == NULL || is_of (path, workspace))
        note = lock (path, O_RDONLY, waits ? LOCK_EX : LOCK_EX | LOCK_NB);
      if (note != NULL)
        add_found (&found, check_note (note));
    }
  return found;
}

/**
 * gadget_git_notes_check:
 * @folder: the folder of the notes
 * @workspace: canonical path
 *
 * Does the checks that ended processes have left undone in the workspace. Waits for another process
 * or thread that is doing so already. Blocks: call it in a thread.
 *
 * Returns: (transfer full) (nullable): where something was found, for the user and the model,
 *   including what gadget_git_notes_check_in_background () found in any workspace
 */
char *
gadget_git_notes_check (const char *folder, const char *workspace)
{
  char *found = check_notes (folder, workspace);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock_of_found);

  add_found (&found, g_steal_pointer (&found_before));
  return found;
}

/* --- When the program starts ------------------------------------------------------------------ */

/* The result means nothing. */
static gpointer
check_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  char *found;

  gadget_git_reset_fd_shortage ();
  found = check_notes (data, NULL);
  if (found != NULL)
    {
      g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock_of_found);

      g_message (
          "%s: what version control would have run outside of the sandbox was made harmless, "
          "late",
          found);
      add_found (&found_before, found);
    }
  return g_strdup ("");
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_free (gadget_blocking_run_finish (result, NULL));
}

/**
 * gadget_git_notes_check_in_background:
 * @folder: (transfer full): the folder of the notes
 *
 * Does in a thread the checks that ended processes have left undone in any workspace.
 */
void
gadget_git_notes_check_in_background (char *folder)
{
  gadget_blocking_run_async (NULL, check_in_thread, folder, g_free, g_free, checked_cb, NULL);
}
