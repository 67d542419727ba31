/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A change has two halves, each in a thread:
 *
 *   look: find the file, read it, make the new content and the difference
 *     ─▶ the ledger, which keeps the old content
 *     ─▶ put: find the file again, write beside it, and replace it if it is still the same version
 *
 * The version that the first half finds must be the one that the chat has read last, whoever else
 * changes files meanwhile. When two calls of this chat change the same file (calls of one step run
 * at the same time), the second one starts again with the first half. A stop before the replacement
 * leaves no trace; a stop after it is too late, and the result tells about the change.
 *
 * When the kernel does not let us keep a file's owner, or when version control runs the file, the
 * user is asked, and the change starts again.
 *
 * The difference, in the format of "diff -u", becomes the text of the call's item, where views find
 * it. The model does not get it. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-file-tool.h"

#include "gadget-file-preview.h"
#include "gadget-file-question.h"
#include "common/gadget-line-diff.h"
#include "process/git/gadget-sandbox-git.h"
#include "workspace/gadget-replace.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* These limits are in bytes. Files larger than MAX_OLD are replaced without being read; texts
 * larger than MAX_COMPARED are not compared; a longer difference than MAX_UNIFIED is cut in the
 * item. */
#define MAX_OLD (16 * 1024 * 1024)
#define MAX_COMPARED (4 * 1024 * 1024)
#define MAX_UNIFIED (64 * 1024)
/* Enough for the difference of two texts of MAX_COMPARED bytes, with a mark and a newline in every
 * line. */
#define MAX_WHOLE (64 * 1024 * 1024)
#define MAX_TRIES 16
#define BLOCK (256 * 1024)
/* Begins the digest of a change to a file that is run outside of the sandbox. */
#define PROTECTED "protected "

/* The data of both halves. The threads hold a reference to it, one after the other. */
typedef struct
{
  char *root; /* (nullable) */
  char *resolved;
  GadgetVersionsRead *versions; /* (nullable) */
  GadgetFileMakeFunc make;
  gpointer data;
  GDestroyNotify destroy;
  /* --- Set by the first half --- */
  char *path;                 /* (nullable): the real path */
  GadgetFileVersion known;    /* the version that the chat has read */
  GadgetFileVersion expected; /* the version that the first half found */
  char *text;
  gsize length;
  char *note; /* (nullable): for the model */
  GadgetFileChange *change;
  gboolean any_owner; /* the user allowed another owner for the file */
  gboolean preview;   /* nothing is written; the whole difference is wanted */
  char *approved;     /* (nullable): the digest of the change that the user saw */
} Job;

/* The data of the GTask. */
typedef struct
{
  GadgetToolContext context; /* references to its members are held here */
  char *workspace;
  char *shown;
  GadgetFileFormatFunc format;
  GCancellable *cancellable;
  Job *job;
  int n_tries;
} Change;

void
_gadget_file_change_free (GadgetFileChange *self)
{
  g_free (self->path);
  g_free (self->unified);
  g_free (self->text);
  g_free (self->note);
  g_free (self->digest);
  g_free (self);
}

char *
_gadget_file_change_dup_names (const GadgetFileChange *self)
{
  if (self->n_names < 2)
    return g_strdup ("");
  return g_strdup_printf (" The file had %u other name%s (hard links); what is there is as it was, "
                          "and apart from this one now.",
                          self->n_names - 1, self->n_names == 2 ? "" : "s");
}

static void
job_clear (gpointer data)
{
  Job *job = data;

  g_free (job->root);
  g_free (job->resolved);
  g_clear_pointer (&job->versions, gadget_versions_read_unref);
  if (job->destroy != NULL)
    job->destroy (job->data);
  g_free (job->path);
  g_free (job->text);
  g_free (job->note);
  g_free (job->approved);
  g_clear_pointer (&job->change, _gadget_file_change_free);
}

static void
job_unref (gpointer job)
{
  g_atomic_rc_box_release_full (job, job_clear);
}

static void
change_free (gpointer data)
{
  Change *change = data;

  g_clear_object (&change->context.item);
  g_clear_object (&change->context.effects);
  g_clear_object (&change->cancellable);
  g_free (change->workspace);
  g_free (change->shown);
  job_unref (change->job);
  g_free (change);
}

/* --- The first half: looking ------------------------------------------------------------------ */

/* Returns whether version control runs the file outside of the sandbox although its own path does
 * not show that. */
static gboolean
is_protected (Job *job, const GadgetPathLookup *lookup)
{
  return job->root != NULL && !gadget_workspace_is_protected (job->root, job->resolved)
         && gadget_git_may_run_file (job->root, lookup->path);
}

/* A change that the user saw, or is about to see, says itself that the file is protected. */
static gboolean
may_be_protected (Job *job)
{
  return job->preview || (job->approved != NULL && g_str_has_prefix (job->approved, PROTECTED));
}

static gboolean
check_place (Job *job, const GadgetPathLookup *lookup, GError **error)
{
  if (lookup->exists && !S_ISREG (lookup->info.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s is %s, not a file.",
                   job->resolved, gadget_path_lookup_describe (lookup->info.st_mode));
      return FALSE;
    }
  /* The user was asked about the path in the call, not about the real one. */
  if (gadget_workspace_is_protected (job->root, lookup->path)
      && !gadget_workspace_is_protected (job->root, job->resolved))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                   "%s is really %s. Use that path, so that the user is asked about it.",
                   job->resolved, lookup->path);
      return FALSE;
    }
  if (lookup->exists
      && (job->versions == NULL
          || !gadget_versions_read_lookup (job->versions, lookup->path, &job->known)))
    {
      g_set_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_EXISTS,
                   "%s exists, and was not read in this chat. Read it first, then repeat this.",
                   lookup->path);
      return FALSE;
    }
  if (!may_be_protected (job) && is_protected (job, lookup))
    {
      g_set_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_PROTECTED,
                   "A configuration of version control names %s, which is run outside of the "
                   "sandbox. It can only be written when the user allows that.",
                   lookup->path);
      return FALSE;
    }
  return TRUE;
}

static char *
read_all (int fd, gsize size, gsize *length, GCancellable *cancellable, GError **error)
{
  g_autofree char *text = g_malloc (size + 1);
  gsize n_read = 0;

  while (n_read < size)
    {
      ssize_t n;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      n = read (fd, text + n_read, MIN (size - n_read, BLOCK));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno),
                               g_strerror (errno));
          return NULL;
        }
      if (n == 0)
        break;
      n_read += (gsize) n;
    }
  text[n_read] = '\0';
  *length = n_read;
  return g_steal_pointer (&text);
}

/* Reads the old content and its file version. Returns NULL without an error when it is too
 * large. */
static char *
read_old (Job *job, gsize *length, GCancellable *cancellable, GError **error)
{
  g_autofd int fd = gadget_path_lookup_open_regular (job->root, job->resolved, NULL, error);
  g_autofree char *text = NULL;
  struct stat info;

  if (fd < 0)
    return NULL;
  if (fstat (fd, &info) < 0)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return NULL;
    }
  gadget_file_version_init (&job->expected, &info);
  if (info.st_size > MAX_OLD)
    return NULL;
  text = read_all (fd, (gsize) info.st_size, length, cancellable, error);
  if (text != NULL)
    gadget_file_version_set_content (&job->expected, text, *length);
  return g_steal_pointer (&text);
}

/* Makes a digest of what the user sees of a change: the difference without line numbers, since
 * other changes above may have moved it; or else the new text. */
static char *
make_digest (const GadgetFileChange *change, const char *unified, const char *text, gsize length)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  if (unified == NULL)
    g_checksum_update (checksum, (const guchar *) text, (gssize) length);
  for (const char *line = unified; line != NULL && *line != '\0';)
    {
      const char *newline = strchr (line, '\n');
      const gsize n = newline != NULL ? (gsize) (newline - line) + 1 : strlen (line);

      g_checksum_update (checksum, (const guchar *) line, *line == '@' ? 1 : (gssize) n);
      line += n;
    }
  return g_strconcat (change->is_protected ? PROTECTED : "", g_checksum_get_string (checksum),
                      NULL);
}

/* The whole difference is needed only to show it, or to compare it with the one that was shown. */
static void
compare (Job *job, GadgetFileChange *change, const char *name, const char *old_text,
         gsize old_length)
{
  const gboolean whole = job->preview || job->approved != NULL;
  g_autoptr (GadgetLineDiff) diff = gadget_line_diff_new (
      old_text, old_length, job->text, job->length, name, whole ? MAX_WHOLE : MAX_UNIFIED);

  change->n_added = diff->n_added;
  change->n_removed = diff->n_removed;
  if (whole)
    change->digest = make_digest (change, diff->unified, NULL, 0);
  if (!job->preview && strlen (diff->unified) > MAX_UNIFIED)
    {
      g_autoptr (GadgetLineDiff) cut =
          gadget_line_diff_new (old_text, old_length, job->text, job->length, name, MAX_UNIFIED);

      change->unified = g_steal_pointer (&cut->unified);
      return;
    }
  change->unified = g_steal_pointer (&diff->unified);
}

static void
describe_change (Job *job, const GadgetPathLookup *lookup, const char *old_text, gsize old_length)
{
  const char *relative = gadget_workspace_get_relative (job->root, lookup->path);
  GadgetFileChange *change = g_new0 (GadgetFileChange, 1);
  const gboolean small = old_length <= MAX_COMPARED && job->length <= MAX_COMPARED;

  g_clear_pointer (&job->change, _gadget_file_change_free);
  job->change = change;
  change->path = g_strdup (lookup->path);
  change->made = !lookup->exists;
  change->length = job->length;
  change->note = g_strdup (job->note);
  change->n_lines = gadget_line_count (job->text, job->length);
  change->n_names = lookup->exists ? (guint) lookup->info.st_nlink : 0;
  change->old_size = lookup->exists ? lookup->info.st_size : 0;
  change->is_protected = may_be_protected (job) && is_protected (job, lookup);
  change->unchanged = old_text != NULL && old_length == job->length
                      && memcmp (old_text, job->text, old_length) == 0;
  if (small && (old_text != NULL || !lookup->exists))
    compare (job, change, relative != NULL ? relative : lookup->path, old_text, old_length);
  else
    change->digest = make_digest (change, NULL, job->text, job->length);
  if (job->preview)
    change->text = g_utf8_make_valid (job->text, (gssize) job->length);
}

static gboolean
inspect_file (Job *job, const GadgetPathLookup *lookup, GCancellable *cancellable, GError **error)
{
  g_autofree char *old_text = NULL;
  g_autoptr (GError) failure = NULL;
  gsize old_length = 0;

  if (!check_place (job, lookup, error))
    return FALSE;
  if (lookup->exists)
    old_text = read_old (job, &old_length, cancellable, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (!gadget_file_version_equals (&job->known, &job->expected))
    {
      g_set_error (
          error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED,
          "%s was changed since it was read in this chat. Read it again, then repeat this.",
          lookup->path);
      return FALSE;
    }
  g_clear_pointer (&job->text, g_free);
  g_clear_pointer (&job->note, g_free);
  job->text = job->make (old_text, old_length, job->data, &job->length, &job->note, error);
  if (job->text == NULL)
    return FALSE;
  describe_change (job, lookup, old_text, old_length);
  return TRUE;
}

/* Lets one change of the file at a time proceed; see gadget_versions_read_lock_file (). */
static gboolean
lock_file (Job *job, GCancellable *cancellable, GError **error)
{
  return job->versions == NULL
         || gadget_versions_read_lock_file (job->versions, job->path, cancellable, error);
}

static void
unlock_file (Job *job)
{
  if (job->versions != NULL)
    gadget_versions_read_unlock_file (job->versions, job->path);
}

static gpointer
inspect_in_thread (GadgetBlocking *blocking, gpointer data, GCancellable *cancellable,
                   GError **error)
{
  Job *job = data;
  g_autoptr (GadgetPathLookup) lookup =
      gadget_path_lookup_find (job->root, job->resolved, TRUE, error);
  gboolean done;

  memset (&job->known, 0, sizeof job->known);
  memset (&job->expected, 0, sizeof job->expected);
  if (lookup == NULL)
    return NULL;
  g_set_str (&job->path, lookup->path);
  if (!lock_file (job, cancellable, error))
    return NULL;
  done = inspect_file (job, lookup, cancellable, error);
  unlock_file (job);
  return done ? GINT_TO_POINTER (TRUE) : NULL;
}

/* --- The second half: replacing --------------------------------------------------------------- */

static gboolean
put (Job *job, GadgetPathLookup *lookup, GadgetBlocking *blocking, GCancellable *cancellable,
     GError **error)
{
  g_autoptr (GadgetReplacement) replacement =
      gadget_replacement_new (lookup, &job->expected, !job->any_owner, error);
  GadgetFileVersion version;

  if (replacement == NULL
      || !gadget_replacement_write (replacement, job->text, job->length, cancellable, error)
      || !gadget_replacement_commit (replacement, blocking, &version, error))
    return FALSE;
  gadget_file_version_set_content (&version, job->text, job->length);
  if (job->versions != NULL)
    gadget_versions_read_note (job->versions, job->path, &version);
  return TRUE;
}

static gpointer
put_in_thread (GadgetBlocking *blocking, gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  g_autoptr (GadgetPathLookup) lookup = NULL;
  gboolean done;

  if (!lock_file (job, cancellable, error))
    return NULL;
  lookup = gadget_path_lookup_find (job->root, job->resolved, TRUE, error);
  done = lookup != NULL && g_str_equal (lookup->path, job->path);
  if (lookup != NULL && !done)
    g_set_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED,
                 "%s is another file than a moment ago. Read it again, then repeat this.",
                 job->resolved);
  done = done && put (job, g_steal_pointer (&lookup), blocking, cancellable, error);
  unlock_file (job);
  return done ? GINT_TO_POINTER (TRUE) : NULL;
}

/* --- The sequence ----------------------------------------------------------------------------- */

static void inspect (GTask *task);

/* Returns whether this chat itself made the change that came in between: then it knows the new
 * content. */
static gboolean
is_our_own (Change *change)
{
  Job *job = change->job;
  GadgetFileVersion now;

  return job->path != NULL && job->versions != NULL
         && gadget_versions_read_lookup (job->versions, job->path, &now)
         && !gadget_file_version_equals (&now, &job->known) && ++change->n_tries < MAX_TRIES;
}

static void
allowed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  if (!_gadget_file_question_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  change->job->any_owner = TRUE;
  /* Time has passed, so the first half runs again. */
  inspect (task);
}

/* --- Asking during the call --------------------------------------------------------------------
 */

/* Returns whether the change differs from the one that the user allowed. */
static gboolean
is_another (const Job *job)
{
  return job->approved != NULL && g_strcmp0 (job->approved, job->change->digest) != 0;
}

static void
allowed_change_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  change->job->preview = FALSE;
  g_clear_pointer (&change->job->approved, g_free);
  change->job->approved = _gadget_change_question_finish (result, &error);
  if (change->job->approved == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  /* Time has passed, so the first half runs again. */
  inspect (task);
}

static void
shown_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  gadget_blocking_run_finish (result, &error);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  _gadget_change_question_async (&change->context, change->job->resolved, change->job->change,
                                 change->job->approved != NULL, change->cancellable,
                                 allowed_change_cb, g_object_ref (task));
}

static void
show_and_ask (GTask *task)
{
  Change *change = g_task_get_task_data (task);

  change->job->preview = TRUE;
  gadget_blocking_run_async (change->cancellable, inspect_in_thread,
                             g_atomic_rc_box_acquire (change->job), job_unref, NULL, shown_cb,
                             g_object_ref (task));
}

static gboolean
may_ask (const Change *change)
{
  return change->context.interactive && !change->context.unasked;
}

static void
fail (GTask *task, GError *error)
{
  Change *change = g_task_get_task_data (task);

  if (g_error_matches (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_OWNER) && may_ask (change))
    {
      _gadget_file_question_async (&change->context, change->job->path, change->cancellable,
                                   allowed_cb, g_object_ref (task));
      g_error_free (error);
    }
  else if (g_error_matches (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_PROTECTED)
           && may_ask (change))
    {
      show_and_ask (task);
      g_error_free (error);
    }
  else if (g_error_matches (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED)
           && is_our_own (change))
    {
      inspect (task);
      g_error_free (error);
    }
  else
    g_task_return_error (task, error);
}

static void
succeed (GTask *task)
{
  Change *change = g_task_get_task_data (task);
  const GadgetFileChange *done = change->job->change;

  if (done->unified != NULL && !done->unchanged)
    gadget_item_append_text (change->context.item, done->unified, -1);
  g_task_return_pointer (task, change->format (done, change->shown), gadget_tool_result_free);
}

static void
put_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  _gadget_ledgered_task_finish (result, &error);
  if (error != NULL)
    fail (task, g_steal_pointer (&error));
  else
    succeed (task);
}

static void
inspected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  gadget_blocking_run_finish (result, &error);
  if (error != NULL)
    fail (task, g_steal_pointer (&error));
  else if (change->job->change->unchanged)
    succeed (task);
  else if (is_another (change->job) && may_ask (change))
    show_and_ask (task);
  else if (is_another (change->job))
    g_task_return_new_error (task, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED,
                             "%s was changed since the user allowed this. Nothing was written.",
                             change->job->resolved);
  else
    _gadget_ledgered_task_async (NULL, &change->context, GADGET_EFFECT_CHANGE, change->job->path,
                                 NULL, change->cancellable, put_in_thread,
                                 g_atomic_rc_box_acquire (change->job), job_unref, NULL, put_cb,
                                 g_object_ref (task));
}

static void
inspect (GTask *task)
{
  Change *change = g_task_get_task_data (task);

  gadget_blocking_run_async (change->cancellable, inspect_in_thread,
                             g_atomic_rc_box_acquire (change->job), job_unref, NULL, inspected_cb,
                             g_object_ref (task));
}

void
_gadget_file_change_async (GadgetTool *tool, const GadgetToolContext *context,
                           const GadgetFileChangeSpec *spec, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  Change *change = g_new0 (Change, 1);
  Job *job = g_atomic_rc_box_new0 (Job);

  g_task_set_source_tag (task, _gadget_file_change_async);
  /* A finished change is a result, even when a stop follows it immediately. */
  g_task_set_check_cancellable (task, FALSE);
  job->root = g_strdup (context->workspace);
  job->resolved = g_strdup (spec->resolved);
  job->versions = context->versions != NULL ? gadget_versions_read_ref (context->versions) : NULL;
  job->make = spec->make;
  job->data = spec->data;
  job->destroy = spec->destroy;
  job->approved = g_strdup (context->approved);
  change->job = job;
  change->shown = g_strdup (spec->shown);
  change->format = spec->format;
  change->workspace = g_strdup (context->workspace);
  change->context.workspace = change->workspace;
  change->context.item = g_object_ref (context->item);
  change->context.interactive = context->interactive;
  change->context.unasked = context->unasked;
  g_set_object (&change->context.effects, context->effects);
  g_set_object (&change->cancellable, cancellable);
  g_task_set_task_data (task, change, change_free);
  inspect (task);
}

/* --- Preview ---------------------------------------------------------------------------------- */

static void
previewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Job *job = g_task_get_task_data (task);
  GError *error = NULL;

  gadget_blocking_run_finish (result, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&job->change),
                           (GDestroyNotify) _gadget_file_change_free);
}

void
_gadget_file_change_preview_async (const char *root, GadgetVersionsRead *versions,
                                   const GadgetFileChangeSpec *spec, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_atomic_rc_box_new0 (Job);

  g_task_set_source_tag (task, _gadget_file_change_preview_async);
  job->root = g_strdup (root);
  job->resolved = g_strdup (spec->resolved);
  job->versions = versions != NULL ? gadget_versions_read_ref (versions) : NULL;
  job->make = spec->make;
  job->data = spec->data;
  job->destroy = spec->destroy;
  job->preview = TRUE;
  g_task_set_task_data (task, job, job_unref);
  gadget_blocking_run_async (cancellable, inspect_in_thread, g_atomic_rc_box_acquire (job),
                             job_unref, NULL, previewed_cb, task);
}

GadgetFileChange *
_gadget_file_change_preview_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
