/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The draft of each chat, which is the message that is written and not sent, is saved as
 * gadget-unsaved-table.c says. The next process takes over the recovery files: each draft that it
 * finds becomes a draft of its own that is not saved yet. This has to be known before the draft of
 * a chat is shown, so reading a draft waits for the search for recovery files. Files that are found
 * after a search that succeeded are left for another start; so are those of a draft that was read
 * after a search that failed, since what is shown would replace it.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-drafts.h"

#include "gadget-unsaved-table.h"
#include "common/gadget-id.h"
#include "store/recovery/gadget-recovery-draft.h"
#include "store/recovery/gadget-recovery-write.h"
#include "store/gadget-store-deletion.h"
#include "store/gadget-store-drafts.h"

/* Stands for the id of a chat: the new chat, which has none. */
#define NEW_CHAT ""

struct _GadgetUnsavedDrafts
{
  GObject parent_instance;

  GadgetUnsavedTable *drafts; /* id of the chat → Draft */
  GadgetSessionList *chats;
  GHashTable *stored; /* id of the chat → the text that the store has, if known */
  GHashTable *read;   /* set of ids of chats: their drafts may be shown */

  gboolean recovering;
  gboolean recovered;  /* the search for recovery files has succeeded */
  GPtrArray *adopting; /* (nullable): of GadgetRecoveredDraft: to be taken over */
  GPtrArray *loads;    /* of GTask: reads that wait for the end of the search */
};

/* A draft that is not saved. */
typedef struct
{
  GadgetUnsavedEntry entry;
  GadgetSession *session; /* (nullable): NULL for the new chat */
  char *text;
  GPtrArray *attachments; /* (nullable) */
  char *file_name;
  GPtrArray *adopted; /* of GadgetRecoveryFile: files of earlier processes that have the draft */
} Draft;

G_DEFINE_FINAL_TYPE (GadgetUnsavedDrafts, gadget_unsaved_drafts, G_TYPE_OBJECT)

static const char *
get_id (GadgetSession *session)
{
  return session != NULL ? gadget_session_get_id (session) : NEW_CHAT;
}

/* Returns the id that the store expects: NULL for the new chat. */
static const char *
get_stored_id (GadgetSession *session)
{
  return session != NULL ? gadget_session_get_id (session) : NULL;
}

static Draft *
find (GadgetUnsavedDrafts *self, GadgetSession *session)
{
  return g_hash_table_lookup (self->drafts->entries, get_id (session));
}

static void
close_file (gpointer file)
{
  gadget_recovery_file_close (file);
}

static Draft *
ensure (GadgetUnsavedDrafts *self, GadgetSession *session)
{
  Draft *draft = find (self, session);

  if (draft != NULL)
    return draft;
  draft = _gadget_unsaved_table_add (self->drafts, sizeof (Draft), get_id (session),
                                     g_strdup ("a draft"));
  draft->file_name = gadget_id_new ();
  draft->adopted = g_ptr_array_new_with_free_func (close_file);
  g_set_object (&draft->session, session);
  return draft;
}

static void
free_draft (GadgetUnsavedEntry *entry)
{
  Draft *draft = (Draft *) entry;

  g_clear_object (&draft->session);
  g_free (draft->text);
  g_clear_pointer (&draft->attachments, g_ptr_array_unref);
  g_free (draft->file_name);
  g_ptr_array_unref (draft->adopted);
}

/* --- Saving ----------------------------------------------------------------------------------- */

static gboolean
write_draft_file (GadgetUnsavedEntry *entry, GAsyncReadyCallback callback, gpointer user_data)
{
  const Draft *draft = (const Draft *) entry;
  const GadgetUnsavedDrafts *self = entry->table->owner;
  const GadgetRecoveredDraft what = {
    .session_id = (char *) get_stored_id (draft->session),
    .text = draft->text,
    .attachments = draft->attachments,
    .before = g_hash_table_lookup (self->stored, get_id (draft->session)),
  };

  gadget_recovery_write_draft_async (entry->table->store, draft->file_name, &what, callback,
                                     user_data);
  return TRUE;
}

static void
remove_adopted (Draft *draft)
{
  while (draft->adopted->len > 0)
    _gadget_unsaved_table_remove_file (draft->entry.table,
                                       g_ptr_array_steal_index (draft->adopted, 0));
}

/* The new file includes what earlier processes left. */
static gboolean
draft_file_written (GadgetUnsavedEntry *entry, gboolean done)
{
  if (done)
    remove_adopted ((Draft *) entry);
  return TRUE;
}

/* Returns whether the draft was deleted with its chat. */
static gboolean
is_deleted (const Draft *draft, const GError *error)
{
  return g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED)
         || (draft->session != NULL
             && gadget_session_get_deletion (draft->session) == GADGET_DELETION_DONE);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUnsavedAttempt) attempt = user_data;
  Draft *draft = (Draft *) attempt->entry;
  GadgetUnsavedDrafts *self = attempt->entry->table->owner;
  g_autoptr (GError) error = NULL;

  if (gadget_store_save_draft_finish (GADGET_STORE (source), result, &error))
    g_hash_table_insert (self->stored, g_strdup (get_id (draft->session)),
                         g_steal_pointer (&attempt->text));
  if (!_gadget_unsaved_attempt_end (attempt))
    return;
  if (error != NULL && !is_deleted (draft, error))
    {
      _gadget_unsaved_entry_fail (&draft->entry, error);
      return;
    }
  remove_adopted (draft);
  if (error == NULL)
    _gadget_unsaved_entry_written (&draft->entry);
  else
    _gadget_unsaved_entry_forget (&draft->entry);
}

static void
write_draft (GadgetUnsavedEntry *entry)
{
  const Draft *draft = (const Draft *) entry;
  GadgetUnsavedAttempt *attempt;

  _gadget_unsaved_entry_begin_write (entry);
  attempt = _gadget_unsaved_attempt_new (entry);
  attempt->text = g_strdup (draft->text);
  gadget_store_save_draft_async (entry->table->store, get_stored_id (draft->session), draft->text,
                                 draft->attachments, saved_cb, attempt);
}

/**
 * gadget_unsaved_drafts_save:
 * @session: (nullable): the chat; %NULL for the new chat
 * @text: the text of the draft; "" for none
 * @attachments: (nullable) (element-type GadgetAttachment): what is attached
 *
 * Saves the draft of a chat, in place of the draft that was saved before, now or as soon as
 * possible.
 */
void
gadget_unsaved_drafts_save (GadgetUnsavedDrafts *self, GadgetSession *session, const char *text,
                            GPtrArray *attachments)
{
  Draft *draft;

  g_return_if_fail (GADGET_IS_UNSAVED_DRAFTS (self) && text != NULL);
  g_assert (session == NULL || !gadget_session_get_incognito (session));

  draft = ensure (self, session);
  g_set_str (&draft->text, text);
  g_clear_pointer (&draft->attachments, g_ptr_array_unref);
  draft->attachments = attachments != NULL ? g_ptr_array_ref (attachments) : NULL;
  _gadget_unsaved_entry_changed (&draft->entry);
}

gboolean
gadget_unsaved_drafts_get_problem (GadgetUnsavedDrafts *self, GadgetSession *session,
                                   GadgetSaveProblem *problem)
{
  const Draft *draft;

  g_return_val_if_fail (GADGET_IS_UNSAVED_DRAFTS (self) && problem != NULL, FALSE);

  draft = find (self, session);
  if (draft == NULL || !draft->entry.failed)
    return FALSE;
  *problem = draft->entry.problem;
  return TRUE;
}

/**
 * gadget_unsaved_drafts_list_lost:
 *
 * Returns: (transfer full) (element-type utf8): the texts of the drafts that are neither saved nor
 *   in a recovery file, and are lost if the program ends now
 */
GPtrArray *
gadget_unsaved_drafts_list_lost (GadgetUnsavedDrafts *self)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer value;

  g_return_val_if_fail (GADGET_IS_UNSAVED_DRAFTS (self), texts);

  g_hash_table_iter_init (&iter, self->drafts->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Draft *draft = value;

      if (_gadget_unsaved_entry_is_lost (&draft->entry)
          && (*draft->text != '\0' || draft->attachments != NULL))
        g_ptr_array_add (texts, g_strdup (draft->text));
    }
  return texts;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* The data of a task that reads a draft. */
typedef struct
{
  GadgetSession *session; /* (nullable) */
  GPtrArray *attachments; /* (nullable) */
} Loading;

static void
loading_free (gpointer data)
{
  Loading *loading = data;

  g_clear_object (&loading->session);
  g_clear_pointer (&loading->attachments, g_ptr_array_unref);
  g_free (loading);
}

static GPtrArray *
ref_attachments (GPtrArray *attachments)
{
  return attachments != NULL ? g_ptr_array_ref (attachments) : NULL;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetUnsavedDrafts *self = g_task_get_source_object (task);
  Loading *loading = g_task_get_task_data (task);
  GError *error = NULL;
  g_autofree char *text =
      gadget_store_load_draft_finish (GADGET_STORE (source), result, &loading->attachments, &error);
  const Draft *draft = find (self, loading->session);

  if (g_task_get_source_tag (task) == gadget_unsaved_drafts_load_async)
    g_hash_table_add (self->read, g_strdup (get_id (loading->session)));
  if (text != NULL)
    g_hash_table_insert (self->stored, g_strdup (get_id (loading->session)), g_strdup (text));
  if (draft != NULL)
    {
      g_clear_error (&error);
      g_clear_pointer (&loading->attachments, g_ptr_array_unref);
      loading->attachments = ref_attachments (draft->attachments);
      g_task_return_pointer (task, g_strdup (draft->text), g_free);
    }
  else if (text != NULL)
    g_task_return_pointer (task, g_steal_pointer (&text), g_free);
  else
    g_task_return_error (task, error);
}

static void
load (GadgetUnsavedDrafts *self, GTask *task)
{
  const Loading *loading = g_task_get_task_data (task);

  gadget_store_load_draft_async (self->drafts->store, get_stored_id (loading->session), loaded_cb,
                                 g_object_ref (task));
}

/**
 * gadget_unsaved_drafts_load_async:
 * @session: (nullable): the chat; %NULL for the new chat
 *
 * Reads the draft of a chat. A draft that is not saved yet takes the place of the stored one. Fails
 * with a #GadgetStoreError.
 */
void
gadget_unsaved_drafts_load_async (GadgetUnsavedDrafts *self, GadgetSession *session,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Loading *loading;

  g_return_if_fail (GADGET_IS_UNSAVED_DRAFTS (self));

  loading = g_new0 (Loading, 1);
  g_set_object (&loading->session, session);
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_unsaved_drafts_load_async);
  g_task_set_task_data (task, loading, loading_free);
  if (self->recovering)
    g_ptr_array_add (self->loads, g_steal_pointer (&task));
  else
    load (self, task);
}

/**
 * gadget_unsaved_drafts_load_finish:
 * @attachments: (out) (transfer full) (nullable) (element-type GadgetAttachment): what is attached;
 *   %NULL for nothing
 *
 * Returns: (transfer full) (nullable): the text of the draft, "" for none; %NULL with a
 *   #GadgetStoreError
 */
char *
gadget_unsaved_drafts_load_finish (GadgetUnsavedDrafts *self, GAsyncResult *result,
                                   GPtrArray **attachments, GError **error)
{
  const Loading *loading;
  char *text;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  loading = g_task_get_task_data (G_TASK (result));
  text = g_task_propagate_pointer (G_TASK (result), error);
  if (text != NULL)
    *attachments = ref_attachments (loading->attachments);
  return text;
}

/* --- Taking over ------------------------------------------------------------------------------ */

static void adopt_next (GadgetUnsavedDrafts *self); /* called after each draft, for the next one */

static void
finish_recovery (GadgetUnsavedDrafts *self)
{
  g_autoptr (GPtrArray) loads = g_steal_pointer (&self->loads);

  g_clear_pointer (&self->adopting, g_ptr_array_unref);
  self->loads = g_ptr_array_new_with_free_func (g_object_unref);
  self->recovering = FALSE;
  for (guint i = 0; i < loads->len; i++)
    load (self, g_ptr_array_index (loads, i));
}

static gboolean
is_same_attachment (gconstpointer a, gconstpointer b)
{
  GadgetPicture *pictures[] = { gadget_attachment_get_picture (a),
                                gadget_attachment_get_picture (b) };

  if (pictures[0] != NULL && pictures[1] != NULL)
    return g_str_equal (gadget_picture_get_id (pictures[0]), gadget_picture_get_id (pictures[1]));
  return pictures[0] == pictures[1]
         && g_strcmp0 (gadget_attachment_get_name (a), gadget_attachment_get_name (b)) == 0
         && g_strcmp0 (gadget_attachment_get_text (a), gadget_attachment_get_text (b)) == 0;
}

/* @stored is (nullable): what is attached to the current draft; it may have some of @recovered
 * already. */
static GPtrArray *
join_attachments (GPtrArray *stored, GPtrArray *recovered)
{
  g_autoptr (GPtrArray) joined = gadget_attachments_new ();

  for (guint i = 0; stored != NULL && i < stored->len; i++)
    g_ptr_array_add (joined, gadget_attachment_ref (g_ptr_array_index (stored, i)));
  for (guint i = 0; recovered != NULL && i < recovered->len; i++)
    if (!g_ptr_array_find_with_equal_func (joined, g_ptr_array_index (recovered, i),
                                           is_same_attachment, NULL))
      g_ptr_array_add (joined, gadget_attachment_ref (g_ptr_array_index (recovered, i)));
  return joined->len > 0 ? g_steal_pointer (&joined) : NULL;
}

static void
adopted_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUnsavedDrafts) self = user_data;
  g_autoptr (GadgetRecoveredDraft) found = g_ptr_array_steal_index (self->adopting, 0);
  GadgetSession *session =
      found->session_id != NULL ? gadget_session_list_find (self->chats, found->session_id) : NULL;
  g_autoptr (GPtrArray) attachments = NULL;
  g_autoptr (GPtrArray) joined = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *current = gadget_unsaved_drafts_load_finish (self, result, &attachments, &error);
  g_autofree char *text = NULL;

  /* The recovery file stays for the next start. */
  if (current == NULL)
    g_message ("a draft cannot be recovered now: %s", error->message);
  else
    {
      text = gadget_recovered_draft_merge (found, current);
      joined = g_str_equal (text, found->text) ? ref_attachments (found->attachments)
                                               : join_attachments (attachments, found->attachments);
      g_ptr_array_add (ensure (self, session)->adopted, g_steal_pointer (&found->file));
      gadget_unsaved_drafts_save (self, session, text, joined);
    }
  adopt_next (self);
}

static void
adopt (GadgetUnsavedDrafts *self, GadgetSession *session)
{
  g_autoptr (GTask) task = NULL;
  Loading *loading;

  if (g_hash_table_contains (self->read, get_id (session)))
    {
      g_message ("a draft is recovered by the next start, since another one may be shown");
      g_ptr_array_remove_index (self->adopting, 0);
      adopt_next (self);
      return;
    }
  task = g_task_new (self, NULL, adopted_read_cb, g_object_ref (self));
  loading = g_new0 (Loading, 1);
  g_set_object (&loading->session, session);
  g_task_set_task_data (task, loading, loading_free);
  load (self, task);
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUnsavedDrafts) self = user_data;
  g_autoptr (GError) error = NULL;

  gadget_store_check_session_finish (GADGET_STORE (source), result, &error);
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    {
      g_autoptr (GadgetRecoveredDraft) found = g_ptr_array_steal_index (self->adopting, 0);

      _gadget_unsaved_table_remove_file (self->drafts, g_steal_pointer (&found->file));
      adopt_next (self);
      return;
    }
  /* The chat of this draft was never stored, so the draft becomes a part of the new chat's
   * draft. */
  adopt (self, NULL);
}

static void
adopt_next (GadgetUnsavedDrafts *self)
{
  const GadgetRecoveredDraft *found;
  GadgetSession *session;

  if (self->adopting == NULL || self->adopting->len == 0)
    {
      finish_recovery (self);
      return;
    }
  found = g_ptr_array_index (self->adopting, 0);
  session =
      found->session_id != NULL ? gadget_session_list_find (self->chats, found->session_id) : NULL;
  if (found->session_id != NULL && session == NULL)
    gadget_store_check_session_async (self->drafts->store, found->session_id, checked_cb,
                                      g_object_ref (self));
  else
    adopt (self, session);
}

void
gadget_unsaved_drafts_begin_recovery (GadgetUnsavedDrafts *self)
{
  /* While drafts of an earlier search are still being taken over, reads go on waiting. */
  if (self->adopting == NULL)
    self->recovering = !self->recovered;
}

/**
 * gadget_unsaved_drafts_end_recovery:
 * @drafts: (nullable) (element-type GadgetRecoveredDraft): the drafts that were found; a reference
 *   is kept. %NULL if the search failed
 *
 * Takes over the drafts, after which reads that waited go on. Only the first search that succeeds
 * counts.
 */
void
gadget_unsaved_drafts_end_recovery (GadgetUnsavedDrafts *self, GPtrArray *drafts)
{
  /* The drafts of an earlier search have been taken over already. */
  if (!self->recovering || self->adopting != NULL)
    return;
  self->adopting = drafts != NULL ? g_ptr_array_ref (drafts) : NULL;
  self->recovered = drafts != NULL;
  adopt_next (self);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_unsaved_drafts_finalize (GObject *object)
{
  GadgetUnsavedDrafts *self = GADGET_UNSAVED_DRAFTS (object);

  _gadget_unsaved_table_free (self->drafts);
  g_hash_table_unref (self->stored);
  g_hash_table_unref (self->read);
  g_ptr_array_unref (self->loads);
  g_clear_pointer (&self->adopting, g_ptr_array_unref);
  g_object_unref (self->chats);

  G_OBJECT_CLASS (gadget_unsaved_drafts_parent_class)->finalize (object);
}

static void
gadget_unsaved_drafts_class_init (GadgetUnsavedDraftsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_unsaved_drafts_finalize;

  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
gadget_unsaved_drafts_init (GadgetUnsavedDrafts *self)
{
  self->stored = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->loads = g_ptr_array_new_with_free_func (g_object_unref);
}

GadgetUnsavedDrafts *
gadget_unsaved_drafts_new (GadgetStore *store, GadgetSessionList *chats, GadgetClock *clock)
{
  static const GadgetUnsavedFuncs funcs = {
    .hash = g_str_hash,
    .equal = g_str_equal,
    .timeout_name = "[gadget] save a draft again",
    .reports_late = TRUE,
    .write = write_draft,
    .write_file = write_draft_file,
    .file_written = draft_file_written,
    .free = free_draft,
  };
  GadgetUnsavedDrafts *self = g_object_new (GADGET_TYPE_UNSAVED_DRAFTS, NULL);

  self->chats = g_object_ref (chats);
  self->drafts = _gadget_unsaved_table_new (self, store, clock, &funcs);
  return self;
}

void
gadget_unsaved_drafts_settle_async (GadgetUnsavedDrafts *self, guint milliseconds,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_UNSAVED_DRAFTS (self));
  _gadget_unsaved_table_settle_async (self->drafts, milliseconds, callback, user_data);
}

/* gadget_unsaved_drafts_settle_finish: always succeeds. What is neither saved nor in a recovery
 * file by then is tried again as long as the process lives. */
void
gadget_unsaved_drafts_settle_finish (GadgetUnsavedDrafts *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
