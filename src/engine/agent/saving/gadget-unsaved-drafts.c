/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The draft of each chat, which is the message that is written and not sent, is saved here
 * independently of the others:
 *
 *   writing ── answer to the last write ──▶ saved, and forgotten here
 *     ▲  │
 *     │  └── failure, or no answer for a second: the draft is in a recovery file from now on
 *     └── after 1, 2, 4 … 30 s, when another write succeeds, and when the draft changes
 *
 * As with turns that could not be saved, the draft survives however the process ends. The next
 * process takes over the recovery files: each draft that it finds becomes a draft of its own that
 * is not saved yet. This has to be known before the draft of a chat is shown, so reading a draft
 * waits for the search for recovery files. Files that are found after that are left for another
 * start.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-drafts.h"

#include "gadget-save-problem.h"
#include "gadget-save-retry.h"
#include "gadget-settle-waiters.h"
#include "common/gadget-id.h"
#include "store/gadget-recovery-draft.h"
#include "store/gadget-recovery-write.h"
#include "store/gadget-store-deletion.h"
#include "store/gadget-store-drafts.h"

/* Stands for the id of a chat: the new chat, which has none. */
#define NEW_CHAT ""

struct _GadgetUnsavedDrafts
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetChatList *chats;
  GadgetClock *clock;
  GHashTable *drafts; /* id of the chat → Draft */
  GHashTable *stored; /* id of the chat → the text that the store has, if known */
  guint64 generation; /* of the last change of any draft */

  gboolean recovering;
  gboolean recovered;  /* the search for recovery files has ended */
  GPtrArray *adopting; /* (nullable): of GadgetRecoveredDraft: to be taken over */
  GPtrArray *loads;    /* of GTask: reads that wait for the end of the search */

  GadgetSettleWaiters *settlings;
};

/* A draft that is not saved. */
typedef struct
{
  GadgetUnsavedDrafts *owner; /* (unowned): it owns this */
  GadgetSession *session;     /* (nullable): NULL for the new chat */
  char *text;
  GPtrArray *attachments; /* (nullable) */
  guint64 generation;     /* of its last change, which was written */
  guint64 answered;       /* the generation of the last write that was answered */
  gboolean failed;        /* the user has to be told */
  GadgetSaveProblem problem;
  GadgetSaveRetry retry;
  char *file_name;
  gboolean copying;  /* a recovery file is being written */
  gboolean outdated; /* the file, or what is being written to it, is older than the draft */
  gboolean uncopied; /* no recovery file could be written */
  GadgetRecoveryFile *file;
  GPtrArray *adopted; /* of GadgetRecoveryFile: files of earlier processes that have the draft */
} Draft;

/* One write to the store, or to a recovery file. */
typedef struct
{
  GadgetUnsavedDrafts *owner;
  char *id;
  char *text;
  char *file_name;
  guint64 generation;
} Attempt;

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

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
  return g_hash_table_lookup (self->drafts, get_id (session));
}

static void
close_file (gpointer file)
{
  gadget_recovery_file_close (file);
}

static void
draft_free (gpointer data)
{
  Draft *draft = data;

  _gadget_save_retry_clear (&draft->retry);
  g_clear_object (&draft->session);
  g_free (draft->text);
  g_clear_pointer (&draft->attachments, g_ptr_array_unref);
  g_free (draft->file_name);
  g_clear_pointer (&draft->file, gadget_recovery_file_close);
  g_ptr_array_unref (draft->adopted);
  g_free (draft);
}

static void retry_cb (gpointer user_data); /* writes drafts, which is defined below */

static Draft *
ensure (GadgetUnsavedDrafts *self, GadgetSession *session)
{
  Draft *draft = find (self, session);

  if (draft != NULL)
    return draft;
  draft = g_new0 (Draft, 1);
  draft->owner = self;
  draft->file_name = gadget_id_new ();
  draft->adopted = g_ptr_array_new_with_free_func (close_file);
  _gadget_save_retry_init (&draft->retry, self->clock, "[gadget] save a draft again", retry_cb,
                           draft);
  g_set_object (&draft->session, session);
  g_hash_table_insert (self->drafts, g_strdup (get_id (session)), draft);
  return draft;
}

static Attempt *
attempt_new (const Draft *draft)
{
  Attempt *attempt = g_new0 (Attempt, 1);

  attempt->owner = g_object_ref (draft->owner);
  attempt->id = g_strdup (get_id (draft->session));
  attempt->text = g_strdup (draft->text);
  attempt->file_name = g_strdup (draft->file_name);
  attempt->generation = draft->generation;
  return attempt;
}

static void
attempt_free (Attempt *attempt)
{
  g_object_unref (attempt->owner);
  g_free (attempt->id);
  g_free (attempt->text);
  g_free (attempt->file_name);
  g_free (attempt);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Attempt, attempt_free)

static gboolean
is_writing (const Draft *draft)
{
  return draft->answered < draft->generation;
}

/* --- Waiting for the end ---------------------------------------------------------------------- */

static gboolean
is_settled (gpointer owner, gboolean late)
{
  GadgetUnsavedDrafts *self = owner;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->drafts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Draft *draft = value;

      if (draft->copying || (is_writing (draft) && !late)
          || (draft->file == NULL && !draft->uncopied))
        return FALSE;
    }
  return TRUE;
}

static void
changed (GadgetUnsavedDrafts *self)
{
  g_autoptr (GadgetUnsavedDrafts) hold = g_object_ref (self);

  g_signal_emit (self, signals[CHANGED], 0);
  _gadget_settle_waiters_check (self->settlings);
}

/* --- Copying ---------------------------------------------------------------------------------- */

static void copy (Draft *draft); /* called again when the file is outdated */

static void
remove_adopted (Draft *draft)
{
  while (draft->adopted->len > 0)
    _gadget_settle_waiters_remove (draft->owner->settlings,
                                   g_ptr_array_steal_index (draft->adopted, 0));
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Attempt) attempt = user_data;
  g_autoptr (GError) error = NULL;
  GadgetRecoveryFile *file = gadget_recovery_write_finish (result, &error);
  Draft *draft = g_hash_table_lookup (attempt->owner->drafts, attempt->id);

  if (file == NULL)
    g_message ("a draft is in no recovery file either: %s", error->message);
  /* The draft was saved meanwhile, and another one may have taken its place. */
  if (draft == NULL || !g_str_equal (draft->file_name, attempt->file_name))
    {
      if (file != NULL)
        _gadget_settle_waiters_remove (attempt->owner->settlings, file);
      return;
    }
  draft->copying = FALSE;
  if (file != NULL)
    {
      /* The new file includes what earlier processes left. */
      gadget_recovery_file_replace (&draft->file, file);
      remove_adopted (draft);
    }
  /* The previous file does not have the current text. */
  if (file == NULL)
    draft->outdated = TRUE;
  draft->uncopied = draft->file == NULL;
  if (draft->outdated && file != NULL)
    copy (draft);
  changed (attempt->owner);
}

static void
copy (Draft *draft)
{
  const GadgetRecoveredDraft what = {
    .session_id = (char *) get_stored_id (draft->session),
    .text = draft->text,
    .attachments = draft->attachments,
    .before = g_hash_table_lookup (draft->owner->stored, get_id (draft->session)),
  };

  if (draft->copying || (draft->file != NULL && !draft->outdated))
    return;
  draft->copying = TRUE;
  draft->outdated = FALSE;
  gadget_recovery_write_draft_async (draft->owner->store, draft->file_name, &what, copied_cb,
                                     attempt_new (draft));
}

/* Called when the answers of the store are late. */
static void
copy_all (gpointer owner)
{
  GadgetUnsavedDrafts *self = owner;
  g_autoptr (GPtrArray) all = g_hash_table_get_values_as_ptr_array (self->drafts);

  for (guint i = 0; i < all->len; i++)
    copy (g_ptr_array_index (all, i));
}

/* --- Saving ----------------------------------------------------------------------------------- */

static void write_draft (Draft *draft); /* called again after a failure */

static void
fail (Draft *draft, GadgetSaveProblem problem)
{
  draft->failed = TRUE;
  draft->problem = problem;
  _gadget_save_retry_fail (&draft->retry);
  copy (draft);
  changed (draft->owner);
}

static void
retry_cb (gpointer user_data)
{
  Draft *draft = user_data;

  if (is_writing (draft))
    fail (draft, GADGET_SAVE_PENDING);
  else
    write_draft (draft);
}

/* Called when the draft needs no saving any more. */
static void
forget (GadgetUnsavedDrafts *self, const char *id)
{
  Draft *draft = g_hash_table_lookup (self->drafts, id);

  if (draft->file != NULL)
    _gadget_settle_waiters_remove (self->settlings, g_steal_pointer (&draft->file));
  remove_adopted (draft);
  g_hash_table_remove (self->drafts, id);
  changed (self);
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
  g_autoptr (Attempt) attempt = user_data;
  GadgetUnsavedDrafts *self = attempt->owner;
  Draft *draft = g_hash_table_lookup (self->drafts, attempt->id);
  g_autoptr (GError) error = NULL;

  if (gadget_store_save_draft_finish (GADGET_STORE (source), result, &error))
    g_hash_table_insert (self->stored, g_strdup (attempt->id), g_strdup (attempt->text));
  if (draft == NULL || draft->generation < attempt->generation)
    return;
  draft->answered = attempt->generation;
  /* A later write is under way; only its answer counts. */
  if (is_writing (draft))
    return;
  if (error == NULL || is_deleted (draft, error))
    {
      forget (self, attempt->id);
      return;
    }
  g_message ("a draft is not saved: %s", error->message);
  fail (draft, gadget_save_problem_from_error (error));
}

static void
write_draft (Draft *draft)
{
  GadgetUnsavedDrafts *self = draft->owner;

  draft->generation = ++self->generation;
  _gadget_save_retry_begin (&draft->retry);
  gadget_store_save_draft_async (self->store, get_stored_id (draft->session), draft->text,
                                 draft->attachments, saved_cb, attempt_new (draft));
}

/* Called when a write to the store has succeeded: others may succeed now, too. */
static void
written_cb (GadgetUnsavedDrafts *self)
{
  g_autoptr (GPtrArray) all = g_hash_table_get_values_as_ptr_array (self->drafts);

  for (guint i = 0; i < all->len; i++)
    {
      Draft *draft = g_ptr_array_index (all, i);

      if (!is_writing (draft) && _gadget_save_retry_is_due (self->clock, draft->retry.tried_at))
        write_draft (draft);
    }
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

  draft = ensure (self, session);
  g_set_str (&draft->text, text);
  g_clear_pointer (&draft->attachments, g_ptr_array_unref);
  draft->attachments = attachments != NULL ? g_ptr_array_ref (attachments) : NULL;
  draft->outdated = TRUE;
  if (draft->failed)
    copy (draft);
  write_draft (draft);
}

gboolean
gadget_unsaved_drafts_get_problem (GadgetUnsavedDrafts *self, GadgetSession *session,
                                   GadgetSaveProblem *problem)
{
  const Draft *draft;

  g_return_val_if_fail (GADGET_IS_UNSAVED_DRAFTS (self) && problem != NULL, FALSE);

  draft = find (self, session);
  if (draft == NULL || !draft->failed)
    return FALSE;
  *problem = draft->problem;
  return TRUE;
}

/* Returns whether, as far as is known, no recovery file has the current draft. */
static gboolean
is_lost (const Draft *draft)
{
  return draft->failed && (draft->uncopied || (draft->outdated && !draft->copying))
         && (*draft->text != '\0' || draft->attachments != NULL);
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
  gpointer draft;

  g_return_val_if_fail (GADGET_IS_UNSAVED_DRAFTS (self), texts);

  g_hash_table_iter_init (&iter, self->drafts);
  while (g_hash_table_iter_next (&iter, NULL, &draft))
    if (is_lost (draft))
      g_ptr_array_add (texts, g_strdup (((Draft *) draft)->text));
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

  gadget_store_load_draft_async (self->store, get_stored_id (loading->session), loaded_cb,
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
  self->recovered = TRUE;
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
      found->session_id != NULL ? gadget_chat_list_find (self->chats, found->session_id) : NULL;
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
  g_autoptr (GTask) task = g_task_new (self, NULL, adopted_read_cb, g_object_ref (self));
  Loading *loading = g_new0 (Loading, 1);

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

      _gadget_settle_waiters_remove (self->settlings, g_steal_pointer (&found->file));
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
      found->session_id != NULL ? gadget_chat_list_find (self->chats, found->session_id) : NULL;
  if (found->session_id != NULL && session == NULL)
    gadget_store_check_session_async (self->store, found->session_id, checked_cb,
                                      g_object_ref (self));
  else
    adopt (self, session);
}

void
gadget_unsaved_drafts_begin_recovery (GadgetUnsavedDrafts *self)
{
  self->recovering = !self->recovered;
}

void
gadget_unsaved_drafts_end_recovery (GadgetUnsavedDrafts *self, GPtrArray *drafts)
{
  /* The drafts of an earlier search have been taken over already. */
  if (!self->recovering || self->adopting != NULL)
    return;
  self->adopting = drafts != NULL ? g_ptr_array_ref (drafts) : NULL;
  adopt_next (self);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_unsaved_drafts_finalize (GObject *object)
{
  GadgetUnsavedDrafts *self = GADGET_UNSAVED_DRAFTS (object);

  g_hash_table_unref (self->drafts);
  g_hash_table_unref (self->stored);
  _gadget_settle_waiters_free (self->settlings);
  g_ptr_array_unref (self->loads);
  g_clear_pointer (&self->adopting, g_ptr_array_unref);
  g_object_unref (self->chats);
  g_object_unref (self->store);
  g_object_unref (self->clock);

  G_OBJECT_CLASS (gadget_unsaved_drafts_parent_class)->finalize (object);
}

static void
gadget_unsaved_drafts_class_init (GadgetUnsavedDraftsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_unsaved_drafts_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_unsaved_drafts_init (GadgetUnsavedDrafts *self)
{
  self->drafts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, draft_free);
  self->stored = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->loads = g_ptr_array_new_with_free_func (g_object_unref);
}

GadgetUnsavedDrafts *
gadget_unsaved_drafts_new (GadgetStore *store, GadgetChatList *chats, GadgetClock *clock)
{
  GadgetUnsavedDrafts *self = g_object_new (GADGET_TYPE_UNSAVED_DRAFTS, NULL);

  self->store = g_object_ref (store);
  self->chats = g_object_ref (chats);
  self->clock = g_object_ref (clock);
  self->settlings = _gadget_settle_waiters_new (clock, is_settled, copy_all, self);
  g_signal_connect_object (store, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  return self;
}

void
gadget_unsaved_drafts_settle_async (GadgetUnsavedDrafts *self, guint milliseconds,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) all = NULL;
  GTask *task;

  g_return_if_fail (GADGET_IS_UNSAVED_DRAFTS (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_unsaved_drafts_settle_async);
  all = g_hash_table_get_values_as_ptr_array (self->drafts);
  for (guint i = 0; i < all->len; i++)
    if (!is_writing (g_ptr_array_index (all, i)))
      write_draft (g_ptr_array_index (all, i));
  _gadget_settle_waiters_add (self->settlings, task, milliseconds);
  changed (self);
}

void
gadget_unsaved_drafts_settle_finish (GadgetUnsavedDrafts *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
