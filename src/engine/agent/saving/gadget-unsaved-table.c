/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each entry of a table, which is a turn, a chat or a draft, is saved independently of the others:
 *
 *   writing ── answer to the last write ──▶ saved, and forgotten here
 *     ▲  │
 *     │  └── failure, or no answer for a second: the entry is in a recovery file from now on
 *     └── after 1, 2, 4 … 30 s, when another write succeeds, and when the entry changes
 *
 * Changes do not put off that second, and a store that is known not to answer gets no further
 * writes of an entry before it answers.
 *
 * So the entry survives however the process ends. Its file is outside of the database, perhaps on a
 * disk that works when that of the store does not. It is written again when the entry changes, and
 * removed when the entry is saved; a process that ends before leaves it to the next process.
 *
 * Entries are reference-counted, since an answer may arrive when its entry was forgotten, and when
 * another entry has the same key.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-table.h"

#include "gadget-save-problem.h"

#define FIRST_RETRY_MS 1000
#define LAST_RETRY_MS 30000
#define MAX_DOUBLINGS 5
#define ANSWER_MS 1000
/* Other writes may succeed ten times a second, and must not cause as many attempts. */
#define RETRY_AT_ONCE_MS 1000
/* How long the end waits for the recovery files only. */
#define COPY_LIMIT_MS 1000

/* A task that waits until all entries are settled. */
typedef struct
{
  GadgetUnsavedTable *table; /* (unowned): the task holds its owner */
  GTask *task;
  guint timeout;
  gboolean late; /* only recovery files are waited for */
} Waiter;

static GPtrArray *
list (GadgetUnsavedTable *self)
{
  return self->funcs->list != NULL ? self->funcs->list (self)
                                   : g_hash_table_get_values_as_ptr_array (self->entries);
}

static void set_timeout (GadgetUnsavedEntry *self, guint milliseconds); /* set again when it ends */

/* --- Entries ---------------------------------------------------------------------------------- */

static void
clear_timeout (GadgetUnsavedEntry *self)
{
  if (self->timeout != 0)
    gadget_clock_remove (self->table->clock, self->timeout);
  self->timeout = 0;
}

static void
entry_free (gpointer data)
{
  GadgetUnsavedEntry *self = data;

  self->table->funcs->free (self);
  g_free (self->name);
}

/* Called when the entry leaves the table. */
static void
entry_removed (gpointer data)
{
  GadgetUnsavedEntry *self = data;

  self->forgotten = TRUE;
  clear_timeout (self);
  g_clear_pointer (&self->file, gadget_recovery_file_close);
  if (self->table->funcs->forget != NULL)
    self->table->funcs->forget (self);
  g_rc_box_release_full (self, entry_free);
}

gpointer
_gadget_unsaved_table_add (GadgetUnsavedTable *self, gsize size, gconstpointer key, char *name)
{
  GadgetUnsavedEntry *entry = g_rc_box_alloc0 (size);

  entry->table = self;
  entry->key = key;
  entry->name = name;
  g_hash_table_insert (self->entries, (gpointer) key, entry);
  return entry;
}

void
_gadget_unsaved_entry_forget (GadgetUnsavedEntry *self)
{
  GadgetUnsavedTable *table = self->table;

  if (self->file != NULL && !table->keep_files)
    _gadget_unsaved_table_remove_file (table, g_steal_pointer (&self->file));
  g_hash_table_remove (table->entries, self->key);
  _gadget_unsaved_table_changed (table);
}

gboolean
_gadget_unsaved_entry_is_lost (const GadgetUnsavedEntry *self)
{
  return self->failed && !self->needs_no_file
         && (self->file_failed || (self->outdated && !self->writing_file));
}

GadgetUnsavedAttempt *
_gadget_unsaved_attempt_new (GadgetUnsavedEntry *entry)
{
  GadgetUnsavedAttempt *self = g_new0 (GadgetUnsavedAttempt, 1);

  g_object_ref (entry->table->owner);
  self->entry = g_rc_box_acquire (entry);
  self->number = entry->n_writes;
  return self;
}

void
_gadget_unsaved_attempt_free (GadgetUnsavedAttempt *self)
{
  g_autoptr (GObject) owner = self->entry->table->owner;

  g_rc_box_release_full (self->entry, entry_free);
  g_free (self->text);
  g_free (self);
}

gboolean
_gadget_unsaved_attempt_end (GadgetUnsavedAttempt *self)
{
  GadgetUnsavedEntry *entry = self->entry;

  if (entry->forgotten)
    return FALSE;
  if (self->number != entry->n_writes)
    {
      /* The store answers, so the last write has as much time. */
      if (entry->writing && !entry->failed)
        set_timeout (entry, ANSWER_MS);
      return FALSE;
    }
  entry->writing = FALSE;
  return TRUE;
}

/* --- Waiting for the end ---------------------------------------------------------------------- */

static void
end_waiter (Waiter *waiter)
{
  g_autoptr (GTask) task = waiter->task;

  g_ptr_array_remove (waiter->table->waiters, waiter);
  if (waiter->timeout != 0)
    gadget_clock_remove (waiter->table->clock, waiter->timeout);
  g_free (waiter);
  g_task_return_boolean (task, TRUE);
}

/* Returns whether nothing has to be waited for any more. */
static gboolean
is_settled (GadgetUnsavedTable *self, gboolean late)
{
  g_autoptr (GPtrArray) all = list (self);

  for (guint i = 0; i < all->len; i++)
    {
      const GadgetUnsavedEntry *entry = g_ptr_array_index (all, i);

      if (entry->writing_file || (entry->writing && !late)
          || (entry->file == NULL && !entry->file_failed && !entry->needs_no_file))
        return FALSE;
    }
  return self->n_removing == 0;
}

static Waiter *
find_settled (GadgetUnsavedTable *self)
{
  for (guint i = 0; i < self->waiters->len; i++)
    {
      Waiter *waiter = g_ptr_array_index (self->waiters, i);

      if (is_settled (self, waiter->late))
        return waiter;
    }
  return NULL;
}

static void
check_waiters (GadgetUnsavedTable *self)
{
  g_autoptr (GObject) hold = g_object_ref (self->owner);
  Waiter *waiter;

  while ((waiter = find_settled (self)) != NULL)
    end_waiter (waiter);
}

void
_gadget_unsaved_table_changed (GadgetUnsavedTable *self)
{
  g_autoptr (GObject) hold = g_object_ref (self->owner);

  g_signal_emit_by_name (self->owner, "changed");
  check_waiters (self);
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetUnsavedTable *self = user_data;
  g_autoptr (GObject) owner = self->owner;

  self->n_removing--;
  check_waiters (self);
}

void
_gadget_unsaved_table_remove_file (GadgetUnsavedTable *self, GadgetRecoveryFile *file)
{
  self->n_removing++;
  g_object_ref (self->owner);
  gadget_recovery_file_remove_async (file, removed_cb, self);
}

/* The answers of the store are late, or the recovery files. */
static void
late_cb (gpointer user_data)
{
  Waiter *waiter = user_data;
  GadgetUnsavedTable *self = waiter->table;
  g_autoptr (GObject) hold = g_object_ref (self->owner);
  g_autoptr (GPtrArray) all = NULL;

  waiter->timeout = 0;
  if (waiter->late)
    {
      end_waiter (waiter);
      return;
    }
  waiter->late = TRUE;
  waiter->timeout = gadget_clock_add_timeout (self->clock, COPY_LIMIT_MS,
                                              "[gadget] write recovery files", late_cb, waiter);
  all = list (self);
  for (guint i = 0; i < all->len; i++)
    _gadget_unsaved_entry_write_file (g_ptr_array_index (all, i));
  check_waiters (self);
}

void
_gadget_unsaved_table_settle_async (GadgetUnsavedTable *self, guint milliseconds,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) all = list (self);
  Waiter *waiter = g_new0 (Waiter, 1);

  waiter->table = self;
  waiter->task = g_task_new (self->owner, NULL, callback, user_data);
  g_task_set_source_tag (waiter->task, _gadget_unsaved_table_settle_async);
  for (guint i = 0; i < all->len; i++)
    {
      GadgetUnsavedEntry *entry = g_ptr_array_index (all, i);

      if (!entry->writing)
        self->funcs->write (entry);
    }
  waiter->timeout = gadget_clock_add_timeout (self->clock, milliseconds,
                                              "[gadget] wait for the store", late_cb, waiter);
  g_ptr_array_add (self->waiters, waiter);
  _gadget_unsaved_table_changed (self);
}

/* --- Recovery files --------------------------------------------------------------------------- */

static void
file_written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUnsavedAttempt) attempt = user_data;
  GadgetUnsavedEntry *self = attempt->entry;
  g_autoptr (GError) error = NULL;
  GadgetRecoveryFile *file = gadget_recovery_write_finish (result, &error);
  const gboolean done = file != NULL;
  gboolean may_write_again;

  if (!done)
    g_message ("%s is in no recovery file either: %s", self->name, error->message);
  if (self->forgotten)
    {
      if (done)
        _gadget_unsaved_table_remove_file (self->table, file);
      return;
    }
  self->writing_file = FALSE;
  /* After a failure, the previous file does not have the entry as it is now. */
  if (done)
    gadget_recovery_file_replace (&self->file, file);
  else
    self->outdated = TRUE;
  may_write_again = self->table->funcs->file_written (self, done);
  if (self->forgotten)
    return;
  self->file_failed = self->file == NULL;
  if (self->outdated && done && may_write_again)
    _gadget_unsaved_entry_write_file (self);
  _gadget_unsaved_table_changed (self->table);
}

void
_gadget_unsaved_entry_write_file (GadgetUnsavedEntry *self)
{
  g_autoptr (GadgetUnsavedAttempt) attempt = NULL;

  if (self->writing_file || (self->file != NULL && !self->outdated))
    return;
  attempt = _gadget_unsaved_attempt_new (self);
  self->writing_file = self->table->funcs->write_file (self, file_written_cb, attempt);
  self->needs_no_file = !self->writing_file;
  if (self->needs_no_file)
    return;
  self->outdated = FALSE;
  g_steal_pointer (&attempt);
}

/* --- Saving ----------------------------------------------------------------------------------- */

/* The entry is written again after the next interval, and is in a recovery file meanwhile. */
static void
retry_later (GadgetUnsavedEntry *self)
{
  const guint doublings = MIN (self->n_failures, MAX_DOUBLINGS);

  self->n_failures++;
  set_timeout (self, MIN (FIRST_RETRY_MS << doublings, LAST_RETRY_MS));
  _gadget_unsaved_entry_write_file (self);
}

static void
note_problem (GadgetUnsavedEntry *self, GadgetSaveProblem problem)
{
  self->failed = TRUE;
  self->problem = problem;
  retry_later (self);
  _gadget_unsaved_table_changed (self->table);
}

static void
timeout_cb (gpointer user_data)
{
  GadgetUnsavedEntry *self = user_data;

  self->timeout = 0;
  if (!self->writing)
    self->table->funcs->write (self);
  else if (self->table->funcs->reports_late)
    note_problem (self, GADGET_SAVE_PENDING);
  else
    retry_later (self);
}

static void
set_timeout (GadgetUnsavedEntry *self, guint milliseconds)
{
  clear_timeout (self);
  self->timeout = gadget_clock_add_timeout (self->table->clock, milliseconds,
                                            self->table->funcs->timeout_name, timeout_cb, self);
}

void
_gadget_unsaved_entry_begin_write (GadgetUnsavedEntry *self)
{
  if (!self->writing)
    set_timeout (self, ANSWER_MS);
  self->writing = TRUE;
  self->write_again = FALSE;
  self->n_writes++;
  self->tried_at = gadget_clock_now (self->table->clock);
}

void
_gadget_unsaved_entry_changed (GadgetUnsavedEntry *self)
{
  self->outdated = TRUE;
  if (self->failed)
    _gadget_unsaved_entry_write_file (self);
  if (self->failed && self->writing)
    self->write_again = TRUE;
  else
    self->table->funcs->write (self);
}

void
_gadget_unsaved_entry_written (GadgetUnsavedEntry *self)
{
  if (self->write_again)
    self->table->funcs->write (self);
  else
    _gadget_unsaved_entry_forget (self);
}

void
_gadget_unsaved_entry_fail (GadgetUnsavedEntry *self, const GError *error)
{
  g_message ("%s is not saved: %s", self->name, error->message);
  self->writing = FALSE;
  note_problem (self, gadget_save_problem_from_error (error));
}

/* Called when a write to the store has succeeded: others may succeed now, too, except those that
 * wait for another process. */
static void
written_cb (GadgetUnsavedTable *self)
{
  g_autoptr (GObject) hold = g_object_ref (self->owner);
  g_autoptr (GPtrArray) all = list (self);
  const gint64 now = gadget_clock_now (self->clock);

  for (guint i = 0; i < all->len; i++)
    {
      GadgetUnsavedEntry *entry = g_ptr_array_index (all, i);

      if (!entry->writing && entry->problem != GADGET_SAVE_CHAT_IN_USE
          && now - entry->tried_at >= RETRY_AT_ONCE_MS * 1000)
        self->funcs->write (entry);
    }
}

/* --- The table -------------------------------------------------------------------------------- */

GadgetUnsavedTable *
_gadget_unsaved_table_new (gpointer owner, GadgetStore *store, GadgetClock *clock,
                           const GadgetUnsavedFuncs *funcs)
{
  GadgetUnsavedTable *self = g_new0 (GadgetUnsavedTable, 1);

  self->owner = owner;
  self->store = g_object_ref (store);
  self->clock = g_object_ref (clock);
  self->funcs = funcs;
  self->entries = g_hash_table_new_full (funcs->hash, funcs->equal, NULL, entry_removed);
  self->waiters = g_ptr_array_new ();
  g_signal_connect_swapped (store, "written", G_CALLBACK (written_cb), self);
  return self;
}

void
_gadget_unsaved_table_free (GadgetUnsavedTable *self)
{
  g_assert (self->waiters->len == 0);

  g_signal_handlers_disconnect_by_data (self->store, self);
  g_hash_table_unref (self->entries);
  g_ptr_array_unref (self->waiters);
  g_object_unref (self->store);
  g_object_unref (self->clock);
  g_free (self);
}
