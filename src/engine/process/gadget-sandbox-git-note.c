/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was there before a command is on the disk for as long as it is not looked at afterwards. A
 * program that is killed, or leaves before it is through, leaves its note: whoever starts the next
 * command, or the program, looks then instead. A lock says which notes are of programs that live.
 *
 * The notes are in a folder that commands do not see. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-blocking.h"
#include "gadget-sandbox-git-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#define MAX_SIZE (64 * 1024 * 1024)

/* The end of the name of one that somebody looks at instead. */
#define LATE ".late"

struct _GadgetGitNote
{
  char *path;
  int fd; /* has the lock */
};

/* (transfer full) (nullable): the locked file at PATH. */
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

/* It has no name that counts until it is whole and locked. */
static gboolean
write_all (GadgetGitNote *self, GBytes *bytes, const char *path)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  gsize written = 0;

  while (written < length)
    {
      const gssize n = write (self->fd, data + written, length - written);

      if (n <= 0)
        return FALSE;
      written += (gsize) n;
    }
  if (g_rename (self->path, path) != 0)
    return FALSE;
  g_set_str (&self->path, path);
  return TRUE;
}

/**
 * _gadget_git_note_new:
 * @folder: of the notes
 * @state: of gadget_git_guard_save()
 *
 * Returns: (transfer full) (nullable): NULL if it cannot be written; freeing it removes it
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

/* --- Of programs that are gone ----------------------------------------------------------------- */

static GVariant *
read_state (int fd)
{
  g_autofree char *text = NULL;
  g_autoptr (GBytes) bytes = NULL;
  struct stat info;
  gsize length = 0;
  gssize n = 1;

  if (fstat (fd, &info) != 0 || info.st_size > MAX_SIZE)
    return NULL;
  text = g_malloc ((gsize) info.st_size + 1);
  while (length < (gsize) info.st_size && n > 0)
    {
      n = read (fd, text + length, (gsize) info.st_size - length);
      length += n > 0 ? (gsize) n : 0;
    }
  bytes = g_bytes_new_take (g_steal_pointer (&text), length);
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

/* Says that its own program is gone, so that another may wait for the lock. */
static void
rename_late (GadgetGitNote *self)
{
  g_autofree char *late = g_strconcat (self->path, LATE, NULL);

  if (!g_str_has_suffix (self->path, LATE) && g_rename (self->path, late) == 0)
    g_set_str (&self->path, late);
}

/* Returns what was found; a note stays where not all could be seen. */
static char *
look (GadgetGitNote *self)
{
  g_autoptr (GVariant) state = read_state (self->fd);
  g_autoptr (GadgetGitGuard) guard = state != NULL ? _gadget_git_guard_load (state) : NULL;
  char *found = NULL;

  rename_late (self);
  if (guard != NULL)
    found = gadget_git_guard_check (guard);
  if (_gadget_git_get_lacking () == 0)
    g_unlink (self->path);
  unlock (self);
  return found;
}

/* What was found in the background, for the next one who asks. */
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
settle (const char *folder, const char *workspace)
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
        add_found (&found, look (note));
    }
  return found;
}

/**
 * gadget_git_notes_settle:
 * @folder: of the notes
 * @workspace: canonical path
 *
 * Looks at what commands left there whose program was gone before it looked. Waits for whoever does
 * so already. For a thread.
 *
 * Returns: (transfer full) (nullable): where something was found, for people and models, also
 *   what gadget_git_notes_settle_in_background() found anywhere
 */
char *
gadget_git_notes_settle (const char *folder, const char *workspace)
{
  char *found = settle (folder, workspace);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock_of_found);

  add_found (&found, g_steal_pointer (&found_before));
  return found;
}

/* --- When the program starts ------------------------------------------------------------------- */

/* Returns anything. */
static gpointer
settle_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  char *found;

  _gadget_git_begin_looking ();
  found = settle (data, NULL);
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
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_free (gadget_blocking_run_finish (result, NULL));
}

/**
 * gadget_git_notes_settle_in_background:
 * @folder: (transfer full): of the notes
 *
 * Looks, in a thread, at what commands left whose program was gone before it looked.
 */
void
gadget_git_notes_settle_in_background (char *folder)
{
  gadget_blocking_run_async (NULL, settle_in_thread, folder, g_free, g_free, settled_cb, NULL);
}
