/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two ways to know what an effect changes.
 *
 * One file is looked at before and after, in a thread of its own, since that must not wait behind a
 * long look at a workspace; see gadget-edit.c.
 *
 * A command may change anything. So the workspace is looked at before and after it, on the keeper's
 * thread. The command waits for the first look, but for a quarter of a second at most (for longer
 * where the workspace was never looked at), and not at all after a stop. Then it starts, and the
 * look finds out what was there before it, see gadget-tracker.c; where it cannot, the turn says
 * that it can perhaps not be undone completely. Nobody waits for the second.
 *
 * What the first look of a command finds changed since the last look was done by nobody who is on
 * record (the user, most likely), or by another command that runs at this moment, and then belongs
 * to that one's turn. What the user changes while a command runs cannot be told from what the
 * command does. */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-effect-watch.h"

#include "common/gadget-stop-source.h"
#include "gadget-edit.h"
#include "gadget-marks.h"
#include "gadget-moment.h"
#include "store/gadget-store-changes.h"

#include <string.h>

#define MAX_WAIT_MS 2000
/* For a look at a workspace that was looked at before, and for the first one. */
#define LOOK_MS 250
#define FIRST_LOOK_MS 800

struct _GadgetEffectWatch
{
  GadgetKeeper *keeper;
  char *turn_id;
  GadgetEffectKind kind;
  char *root; /* what paths are relative to */
  char *path; /* of the file, below @root */
  gint64 effect;
  gint64 begun_at;           /* of _gadget_moment_next () */
  gboolean whole;            /* the workspace is looked at, not only the file */
  GadgetRecording recording; /* what can be said at the end */
  guint n_without_room;
  guint n_unkept;
  GPtrArray *before; /* (nullable): of the file, see gadget-edit.h */
};

/* PATH below FOLDER, or NULL. */
static const char *
get_below (const char *path, const char *folder)
{
  const gsize length = folder != NULL ? strlen (folder) : 0;

  if (length <= 1 || strncmp (path, folder, length) != 0 || path[length] != '/')
    return NULL;
  return path + length + 1;
}

GadgetEffectWatch *
_gadget_effect_watch_new (GadgetKeeper *keeper, const char *turn_id, GadgetEffectKind kind,
                          const char *workspace, const char *root, const char *subject)
{
  GadgetEffectWatch *self = g_new0 (GadgetEffectWatch, 1);
  const char *below = get_below (subject, workspace);

  if (below == NULL)
    below = get_below (subject, root);
  self->keeper = g_object_ref (keeper);
  self->turn_id = g_strdup (turn_id);
  self->kind = kind;
  self->recording = GADGET_RECORDING_DONE;
  self->whole = kind == GADGET_EFFECT_COMMAND;
  if (self->whole || below != NULL)
    self->root = g_strdup (root);
  else
    self->root = g_strdup ("/");
  if (!self->whole)
    self->path = g_strdup (below != NULL ? below : subject + strspn (subject, "/"));
  return self;
}

const char *
_gadget_effect_watch_get_root (GadgetEffectWatch *self)
{
  return self->root;
}

GadgetRecording
_gadget_effect_watch_get_recording (GadgetEffectWatch *self, guint *n_without_room, guint *n_unkept)
{
  *n_without_room = self->n_without_room;
  *n_unkept = self->n_unkept;
  return self->recording;
}

static void
watch_free (GadgetEffectWatch *self)
{
  g_object_unref (self->keeper);
  g_clear_pointer (&self->before, g_ptr_array_unref);
  g_free (self->turn_id);
  g_free (self->root);
  g_free (self->path);
  g_free (self);
}

/* --- Writing down ------------------------------------------------------------------------------
 */

typedef struct
{
  GadgetKeeper *keeper;
  char *turn_id;
} Written;

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Written *written = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_store_add_changes_finish (GADGET_STORE (source), result, &error))
    g_message ("changes of files are not recorded: %s", error->message);
  _gadget_keeper_emit_recorded (written->keeper, written->turn_id);
  g_object_unref (written->keeper);
  g_free (written->turn_id);
  g_free (written);
}

static Written *
written_new (GadgetEffectWatch *self)
{
  Written *written = g_new0 (Written, 1);

  written->keeper = g_object_ref (self->keeper);
  written->turn_id = g_strdup (self->turn_id);
  return written;
}

static void
write_changes (GadgetEffectWatch *self, gint64 effect, GPtrArray *changes,
               GadgetRecording recording, const char *skipped)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  gadget_store_add_changes_async (gadget_keeper_get_store (self->keeper), effect,
                                  changes != NULL ? changes : none, recording, skipped, written_cb,
                                  written_new (self));
}

/* In the place of what was there before. */
static void
write_edit (GadgetEffectWatch *self, gint64 effect, GPtrArray *changes, GadgetRecording recording)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  gadget_store_end_edit_async (gadget_keeper_get_store (self->keeper), effect,
                               changes != NULL ? changes : none, recording, written_cb,
                               written_new (self));
}

/* --- A whole workspace -------------------------------------------------------------------------
 */

typedef struct
{
  char *root;
  gint64 effect;
  gboolean ends; /* the second look */
  GCancellable *cancellable;
  GadgetLookTerms terms;

  GPtrArray *changes; /* (nullable): what differs from the last look */
  gint64 changed_by;  /* 0: nobody who is on record */
  gboolean first;     /* there was no look before it */
  guint n_without_room;
  char *skipped;
  GError *error;
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  g_free (look->root);
  g_clear_object (&look->cancellable);
  g_clear_pointer (&look->changes, g_ptr_array_unref);
  g_free (look->skipped);
  g_clear_error (&look->error);
  g_free (look);
}

static void
look_at_workspace (GadgetKeeping *keeping, gpointer data)
{
  Look *look = data;
  GadgetTracker *tracker = _gadget_keeping_get_tracker (keeping, look->root);

  look->first = !_gadget_tracker_has_looked (tracker);
  look->changed_by = look->ends ? look->effect : _gadget_tracker_get_running (tracker);
  if (!g_cancellable_set_error_if_cancelled (look->cancellable, &look->error))
    look->changes = _gadget_tracker_look (tracker, &look->terms, look->cancellable, &look->error);
  if (look->ends)
    look->terms.partly = _gadget_tracker_is_partly (tracker, look->effect);
  else if (look->terms.partly)
    _gadget_tracker_set_partly (tracker, look->effect);
  _gadget_tracker_set_running (tracker, look->effect, !look->ends);
  if (look->ends)
    _gadget_marks_remove (keeping->directory, look->root, look->effect);
  else if (look->changes != NULL)
    _gadget_marks_set (keeping->directory, look->root, look->effect, keeping->owner);
  look->n_without_room = _gadget_tracker_get_n_without_room (tracker);
  look->skipped = _gadget_tracker_dup_skipped (tracker);
  _gadget_keeping_note_unkept (keeping, look->root, look->terms.n_unkept);
  _gadget_keeping_go_on (keeping, look->root);
}

static Look *
look_new (GadgetEffectWatch *self, gboolean ends, GCancellable *cancellable)
{
  Look *look = g_new0 (Look, 1);

  look->root = g_strdup (self->root);
  look->effect = self->effect;
  look->ends = ends;
  if (!ends)
    {
      look->terms.wanted_at = self->begun_at;
      look->terms.until = g_get_monotonic_time () + LOOK_MS * G_TIME_SPAN_MILLISECOND;
    }
  g_set_object (&look->cancellable, cancellable);
  return look;
}

/* The first look, as long as somebody waits for it. */
typedef struct
{
  GadgetEffectWatch *watch; /* of the waiting alone */
  GadgetKeeper *keeper;
  GTask *task; /* NULL once it was answered */
  Look *look;  /* the job's */
  GSource *stop;
  guint timeout;
  gboolean first; /* it has waited for as long as for a look that is not the first */
} Waiting;

static GTask *
take_task (Waiting *waiting)
{
  gadget_stop_source_end (&waiting->stop);
  g_clear_handle_id (&waiting->timeout, g_source_remove);
  waiting->watch = NULL;
  return g_steal_pointer (&waiting->task);
}

static gboolean
look_stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = take_task (user_data);

  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                   "stopped before it began");
  return G_SOURCE_REMOVE;
}

static void look_late_cb (gpointer user_data);

static void
set_limit (Waiting *waiting, guint limit_ms)
{
  waiting->timeout = g_timeout_add_once (limit_ms, look_late_cb, waiting);
  g_source_set_name_by_id (waiting->timeout, "[gadget] first look at a workspace");
}

static void
look_late_cb (gpointer user_data)
{
  Waiting *waiting = user_data;
  GadgetLookTerms *terms = &waiting->look->terms;
  const gboolean known = g_atomic_int_get (&terms->known);

  waiting->timeout = 0;
  if (!known && !waiting->first)
    {
      waiting->first = TRUE;
      set_limit (waiting, FIRST_LOOK_MS - LOOK_MS);
      return;
    }
  /* What is kept later is looked at more closely; see gadget-tracker.c. */
  if (_gadget_look_terms_begin (terms) && !known)
    waiting->watch->recording = GADGET_RECORDING_PARTLY;
  waiting->watch->n_unkept = _gadget_keeper_get_n_unkept (waiting->keeper, waiting->look->root);
  g_autoptr (GTask) task = take_task (waiting);

  g_task_return_boolean (task, TRUE);
}

static void
looked_before_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Waiting *waiting = user_data;
  Look *look = _gadget_keeper_get_job_data (result);
  GadgetEffectWatch *watch = waiting->watch;
  g_autoptr (GTask) task = take_task (waiting);

  if (look->error != NULL && watch != NULL)
    watch->recording = GADGET_RECORDING_LOST;
  if (watch != NULL)
    {
      watch->n_without_room = look->n_without_room;
      watch->n_unkept = look->terms.n_unkept;
    }
  if (look->changed_by != 0 && look->changes != NULL && look->changes->len > 0)
    gadget_store_add_changes_async (gadget_keeper_get_store (waiting->keeper), look->changed_by,
                                    look->changes, GADGET_RECORDING_PENDING, look->skipped, NULL,
                                    NULL);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
  g_object_unref (waiting->keeper);
  g_free (waiting);
}

static void
look_before (GadgetEffectWatch *self, GTask *task, GCancellable *cancellable)
{
  Waiting *waiting = g_new0 (Waiting, 1);

  waiting->watch = self;
  waiting->keeper = g_object_ref (self->keeper);
  waiting->task = task;
  waiting->look = look_new (self, FALSE, cancellable);
  set_limit (waiting, LOOK_MS);
  waiting->stop = gadget_stop_source_new (cancellable, "[gadget] stop a look at a workspace",
                                          look_stopped_cb, waiting);
  _gadget_keeper_run_async (self->keeper, look_at_workspace, waiting->look, look_free,
                            looked_before_cb, waiting);
}

static void
looked_after_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetEffectWatch *self = user_data;
  const Look *look = _gadget_keeper_get_job_data (result);
  GadgetRecording recording = GADGET_RECORDING_DONE;

  if (look->changes == NULL || look->first || self->recording == GADGET_RECORDING_LOST)
    recording = GADGET_RECORDING_LOST;
  else if (look->skipped != NULL || look->terms.partly)
    recording = GADGET_RECORDING_PARTLY;
  _gadget_keeper_set_skipped (self->keeper, self->root, look->skipped);
  write_changes (self, self->effect, look->changes, recording, look->skipped);
  _gadget_turnstile_open (_gadget_keeper_get_turnstile (self->keeper));
  watch_free (self);
}

static void
forget (GadgetKeeping *keeping, gpointer data)
{
  const Look *look = data;

  _gadget_tracker_set_running (_gadget_keeping_get_tracker (keeping, look->root), look->effect,
                               FALSE);
  _gadget_marks_remove (keeping->directory, look->root, look->effect);
}

/* --- One file ----------------------------------------------------------------------------------
 */

static void
look_at_file (GadgetEffectWatch *self, GCancellable *cancellable, GAsyncReadyCallback callback,
              gpointer user_data)
{
  _gadget_edit_look_async (self->keeper, self->root, self->path, self->before, cancellable,
                           callback, user_data);
}

typedef struct
{
  GadgetEffectWatch *watch;
  GCancellable *cancellable;
  GTask *task;
} Before;

static void
before_free (Before *before)
{
  g_clear_object (&before->cancellable);
  g_clear_object (&before->task);
  g_free (before);
}

static void
noted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Before *before = user_data;
  GError *error = NULL;

  if (_gadget_edit_note_finish (result, &error))
    g_task_return_boolean (before->task, TRUE);
  else
    g_task_return_error (before->task, error);
  before_free (before);
}

static void
looked_at_file_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Before *before = user_data;
  GadgetEffectWatch *self = before->watch;
  GError *error = NULL;
  const GadgetChange *file;

  self->before = _gadget_edit_look_finish (result, &error);
  if (self->before == NULL)
    {
      g_task_return_error (before->task, error);
      before_free (before);
      return;
    }
  file = g_ptr_array_index (self->before, 0);
  /* With all that is in it. */
  self->whole = file->before.type == GADGET_FILE_FOLDER && strcmp (self->root, "/") != 0;
  if (!self->whole)
    {
      _gadget_edit_note_async (gadget_keeper_get_store (self->keeper), self->effect, self->before,
                               before->cancellable, noted_cb, before);
      return;
    }
  look_before (self, g_steal_pointer (&before->task), before->cancellable);
  before_free (before);
}

static void
looked_after_edit_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetEffectWatch *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) changes = _gadget_edit_look_finish (result, &error);
  GadgetRecording recording = self->recording;

  if (changes == NULL)
    {
      g_message ("what became of %s is not known: %s", self->path, error->message);
      changes = _gadget_edit_assume (self->before);
      recording = GADGET_RECORDING_PARTLY;
    }
  write_edit (self, self->effect, changes, recording);
  _gadget_turnstile_open (_gadget_keeper_get_turnstile (self->keeper));
  watch_free (self);
}

/* --- Beginning and ending ----------------------------------------------------------------------
 */

static void
passed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Before *before = user_data;
  GError *error = NULL;

  if (_gadget_turnstile_pass_finish (result, &error) && before->watch->whole)
    {
      look_before (before->watch, g_steal_pointer (&before->task), before->cancellable);
      before_free (before);
    }
  else if (error == NULL)
    look_at_file (before->watch, before->cancellable, looked_at_file_cb, before);
  else
    {
      g_task_return_error (before->task, error);
      before_free (before);
    }
}

void
_gadget_effect_watch_begin_async (GadgetEffectWatch *self, gint64 effect, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Before *before;

  g_task_set_source_tag (task, _gadget_effect_watch_begin_async);
  self->effect = effect;
  self->begun_at = _gadget_moment_next ();
  before = g_new0 (Before, 1);
  before->watch = self;
  g_set_object (&before->cancellable, cancellable);
  before->task = task;
  _gadget_turnstile_pass_async (_gadget_keeper_get_turnstile (self->keeper), MAX_WAIT_MS,
                                cancellable, passed_cb, before);
}

gboolean
_gadget_effect_watch_begin_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
_gadget_effect_watch_end (GadgetEffectWatch *self)
{
  _gadget_turnstile_close (_gadget_keeper_get_turnstile (self->keeper));
  if (self->whole)
    _gadget_keeper_run_async (self->keeper, look_at_workspace, look_new (self, TRUE, NULL),
                              look_free, looked_after_cb, self);
  else
    look_at_file (self, NULL, looked_after_edit_cb, self);
}

void
_gadget_effect_watch_drop (GadgetEffectWatch *self, gint64 effect)
{
  if (self->whole && self->effect != 0)
    _gadget_keeper_run_async (self->keeper, forget, look_new (self, TRUE, NULL), look_free, NULL,
                              NULL);
  if (effect != 0 && self->whole)
    write_changes (self, effect, NULL, GADGET_RECORDING_NONE, NULL);
  else if (effect != 0)
    write_edit (self, effect, NULL, GADGET_RECORDING_NONE);
  watch_free (self);
}
