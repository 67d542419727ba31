/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Drafts. The unsent text and attachments are kept with their chat: in memory, so that they are
 * there at once when the chat is shown again, and in the store, at most SAVE_MS after a change.
 *
 * The draft of a chat is read from the store once, when the chat is first shown. Until it is read
 * nothing is saved for that chat; text that is typed meanwhile is put after it, and saved then,
 * even when another chat is shown by that time. A new chat is not in the store; its draft is the
 * store's one draft without a chat, and becomes the chat's own with the first message.
 *
 * The draft of an incognito chat is in memory only.
 *
 * A draft that could not be saved is saved later, see agent/gadget-unsaved-drafts.c; until then a
 * note in the composer says why it is not saved.
 *
 * When another process deletes the chat that is shown, its draft and queue are added to the new
 * chat's draft: see gadget_composer_note_deleted (). */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

#include "agent/saving/gadget-save-problem.h"
#include "agent/saving/gadget-unsaved-drafts.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

#define SAVE_MS 500
#define DRAFT_KEY "gadget-draft"

/* The draft of a session, in the session's data. */
typedef struct
{
  char *text;
  GPtrArray *attachments; /* (nullable) */
  gboolean loading;
  gboolean of_new_chat; /* the store has it as the draft without a chat */
  gboolean of_stored;   /* the chat is in the store, or was until it was deleted */

  /* For a chat that another process deleted: the new chat's draft, which goes before this one. */
  gboolean of_deleted;
  gboolean reading_before;
  char *before;
  GPtrArray *attachments_before; /* (nullable) */
} Draft;

/* The data of an asynchronous call: a draft that is being read. */
typedef struct
{
  GWeakRef composer;
  GadgetEngine *engine;
  GadgetSession *session;
} Loading;

static void
draft_free (gpointer data)
{
  Draft *draft = data;

  g_free (draft->text);
  g_clear_pointer (&draft->attachments, g_ptr_array_unref);
  g_free (draft->before);
  g_clear_pointer (&draft->attachments_before, g_ptr_array_unref);
  g_free (draft);
}

static void
loading_free (Loading *loading)
{
  g_weak_ref_clear (&loading->composer);
  g_object_unref (loading->engine);
  g_object_unref (loading->session);
  g_free (loading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loading, loading_free)

static Draft *
get_draft (GadgetSession *session)
{
  return g_object_get_data (G_OBJECT (session), DRAFT_KEY);
}

static gboolean
is_stored (GadgetEngine *engine, GadgetSession *session)
{
  return gadget_engine_find_session (engine, gadget_session_get_id (session)) != NULL;
}

/* Returns the chat that the store keeps the draft with: NULL for a new chat. */
static GadgetSession *
get_saved_chat (GadgetEngine *engine, GadgetSession *session)
{
  return is_stored (engine, session) ? session : NULL;
}

/* --- The note about a draft that is not saved ------------------------------------------------- */

/* Announces the note when it appears; it stays until the draft is saved. */
static void
update_note (GadgetComposer *self)
{
  GadgetSaveProblem problem;
  const char *words = "";
  gboolean shown;

  /* The composer may be disposed already. */
  if (self->text == NULL)
    return;
  shown =
      self->engine != NULL && self->session != NULL && !gadget_composer_is_empty (self)
      && !gadget_session_get_incognito (self->session)
      && gadget_unsaved_drafts_get_problem (gadget_engine_get_drafts (self->engine),
                                            get_saved_chat (self->engine, self->session), &problem);
  if (shown)
    words = gadget_save_problem_get_draft_text (problem);
  if (shown && !gtk_widget_get_visible (self->draft_note))
    gadget_announce (GTK_WIDGET (self), words, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  if (shown)
    gtk_label_set_label (self->draft_note_label, words);
  gtk_widget_set_visible (self->draft_note, shown);
}

/* Watches the drafts of the engine, which the composer was just given. */
void
_gadget_composer_watch_drafts (GadgetComposer *self)
{
  g_signal_connect_object (gadget_engine_get_drafts (self->engine), "changed",
                           G_CALLBACK (update_note), self, G_CONNECT_SWAPPED);
}

/* --- Saving ------------------------------------------------------------------------------------
 */

GPtrArray *
_gadget_composer_join_attachments (GPtrArray *first, GPtrArray *second)
{
  g_autoptr (GPtrArray) joined = gadget_attachments_new ();

  for (guint i = 0; first != NULL && i < first->len; i++)
    g_ptr_array_add (joined, gadget_attachment_ref (g_ptr_array_index (first, i)));
  for (guint i = 0; second != NULL && i < second->len; i++)
    g_ptr_array_add (joined, gadget_attachment_ref (g_ptr_array_index (second, i)));
  return joined->len > 0 ? g_steal_pointer (&joined) : NULL;
}

char *
_gadget_composer_join_texts (const char *first, const char *second)
{
  return g_strconcat (first, *first != '\0' && *second != '\0' ? "\n\n" : "", second, NULL);
}

static void
store_of_deleted (GadgetEngine *engine, const Draft *draft)
{
  g_autofree char *text = _gadget_composer_join_texts (draft->before, draft->text);
  g_autoptr (GPtrArray) attachments =
      _gadget_composer_join_attachments (draft->attachments_before, draft->attachments);

  gadget_unsaved_drafts_save (gadget_engine_get_drafts (engine), NULL, text, attachments);
}

static void
store_draft (GadgetEngine *engine, GadgetSession *session)
{
  GadgetUnsavedDrafts *drafts = gadget_engine_get_drafts (engine);
  Draft *draft = get_draft (session);

  if (gadget_session_get_incognito (session))
    return;
  if (draft->of_deleted)
    {
      store_of_deleted (engine, draft);
      return;
    }
  if (is_stored (engine, session))
    {
      if (draft->of_new_chat)
        gadget_unsaved_drafts_save (drafts, NULL, "", NULL);
      draft->of_new_chat = FALSE;
      draft->of_stored = TRUE;
      gadget_unsaved_drafts_save (drafts, session, draft->text, draft->attachments);
      return;
    }
  /* The chat was deleted, and its draft with it; it must not become that of the new chat. */
  if (draft->of_stored)
    return;
  draft->of_new_chat = *draft->text != '\0' || draft->attachments != NULL;
  gadget_unsaved_drafts_save (drafts, NULL, draft->text, draft->attachments);
}

static void
update_draft (GadgetComposer *self, Draft *draft)
{
  g_free (draft->text);
  g_clear_pointer (&draft->attachments, g_ptr_array_unref);
  draft->text = gadget_composer_dup_text (self);
  draft->attachments = gadget_composer_dup_attachments (self);
}

/* Saves while an earlier message is being edited. In memory the draft stays what was put aside; the
 * store also gets the edited text, if it was changed, in case the program ends. */
static void
store_edit (GadgetComposer *self)
{
  g_autofree char *edited = gadget_composer_dup_text (self);
  g_autoptr (GPtrArray) attached = gadget_composer_dup_attachments (self);
  const gboolean changed =
      !gadget_composer_holds (self, self->edited_text, self->edited_attachments);
  g_autofree char *text =
      _gadget_composer_join_texts (self->saved_draft_text, changed ? edited : "");
  g_autoptr (GPtrArray) attachments =
      _gadget_composer_join_attachments (self->saved_draft_attachments, changed ? attached : NULL);

  gadget_unsaved_drafts_save (gadget_engine_get_drafts (self->engine), self->session, text,
                              attachments);
}

/* Saves at once, if anything has changed. */
void
_gadget_composer_save_draft (GadgetComposer *self)
{
  Draft *draft = self->session != NULL ? get_draft (self->session) : NULL;

  g_clear_handle_id (&self->draft_id, g_source_remove);
  if (!self->draft_changed || draft == NULL || self->text == NULL)
    return;
  if (self->saved_draft_text != NULL)
    {
      self->draft_changed = FALSE;
      if (is_stored (self->engine, self->session))
        store_edit (self);
      return;
    }
  update_draft (self, draft);
  if (draft->loading || draft->reading_before || self->engine == NULL)
    return;
  self->draft_changed = FALSE;
  store_draft (self->engine, self->session);
}

/* Tells whether text that is put into the composer now is saved as the draft. */
gboolean
_gadget_composer_keeps_draft (GadgetComposer *self)
{
  const Draft *draft = self->session != NULL ? get_draft (self->session) : NULL;

  return self->saved_draft_text == NULL && (draft == NULL || !draft->loading);
}

static void
save_cb (gpointer user_data)
{
  GadgetComposer *self = user_data;

  self->draft_id = 0;
  _gadget_composer_save_draft (self);
}

void
_gadget_composer_draft_changed (GadgetComposer *self)
{
  self->draft_changed = TRUE;
  update_note (self);
  if (self->draft_id != 0)
    return;
  self->draft_id = g_timeout_add_once (SAVE_MS, save_cb, self);
  g_source_set_name_by_id (self->draft_id, "[gadget] save a draft");
}

/* --- Reading -----------------------------------------------------------------------------------
 */

static void
put_before (GadgetComposer *self, Draft *draft, const char *text, GPtrArray *attachments)
{
  if (_gadget_composer_has_text (self) && *text != '\0')
    gadget_composer_prepend (self, text);
  else if (*text != '\0')
    _gadget_composer_set_text (self, text);
  gadget_attachment_list_add (self->attachments, attachments);
  update_draft (self, draft);
}

/* Adds to the draft of a chat that is not shown (any more). */
static void
join (Draft *draft, const char *text, GPtrArray *attachments)
{
  g_autofree char *typed = g_steal_pointer (&draft->text);
  g_autoptr (GPtrArray) attached = g_steal_pointer (&draft->attachments);

  draft->text = _gadget_composer_join_texts (text, typed);
  draft->attachments = _gadget_composer_join_attachments (attached, attachments);
}

static void
handle_loaded (GadgetComposer *self, GadgetSession *session, const char *text,
               GPtrArray *attachments)
{
  Draft *draft = get_draft (session);
  gboolean empty;

  if (self == NULL || self->session != session)
    {
      join (draft, text, attachments);
      return;
    }
  empty = gadget_composer_is_empty (self);
  put_before (self, draft, text, attachments);
  self->draft_changed = !empty;
}

/* A stored draft that could not be read is not overwritten by what was typed meanwhile, which stays
 * in memory only. The next change overwrites it. */
static void
keep_unstored (GadgetComposer *self, GadgetSession *session)
{
  if (self == NULL || self->session != session || self->saved_draft_text != NULL)
    return;
  update_draft (self, get_draft (session));
  self->draft_changed = FALSE;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  g_autoptr (GadgetComposer) self = g_weak_ref_get (&loading->composer);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) attachments = NULL;
  g_autofree char *text = gadget_unsaved_drafts_load_finish (GADGET_UNSAVED_DRAFTS (source), result,
                                                             &attachments, &error);
  Draft *draft = get_draft (loading->session);
  const gboolean typed = *draft->text != '\0' || draft->attachments != NULL;

  if (self != NULL && self->text == NULL)
    g_clear_object (&self);
  draft->loading = FALSE;
  if (text == NULL)
    {
      g_message ("a draft could not be read: %s", error->message);
      keep_unstored (self, loading->session);
      return;
    }
  if (*text != '\0' || attachments != NULL)
    handle_loaded (self, loading->session, text, attachments);
  if (self != NULL && self->session == loading->session)
    _gadget_composer_save_draft (self);
  else if (typed)
    store_draft (loading->engine, loading->session);
}

static void
load (GadgetComposer *self, Draft *draft)
{
  const gboolean stored = is_stored (self->engine, self->session);
  Loading *loading;

  if (gadget_session_get_incognito (self->session))
    return;
  loading = g_new0 (Loading, 1);
  draft->loading = TRUE;
  draft->of_new_chat = !stored;
  draft->of_stored = stored;
  g_weak_ref_init (&loading->composer, self);
  loading->engine = g_object_ref (self->engine);
  loading->session = g_object_ref (self->session);
  gadget_unsaved_drafts_load_async (gadget_engine_get_drafts (self->engine),
                                    stored ? self->session : NULL, loaded_cb, loading);
}

/* Called before another chat is shown. */
void
_gadget_composer_close_draft (GadgetComposer *self)
{
  const Draft *draft = self->session != NULL ? get_draft (self->session) : NULL;

  _gadget_composer_save_draft (self);
  /* The new chat has the draft now. */
  if (draft != NULL && draft->of_deleted && !draft->reading_before)
    g_object_set_data (G_OBJECT (self->session), DRAFT_KEY, NULL);
}

/* --- A chat that was deleted -------------------------------------------------------------------
 */

/* Called when the user had left the deleted chat before the new chat's draft was read. Puts the
 * deleted chat's draft into the new chat that is shown, or else into its stored draft. */
static void
give_to_shown (GadgetComposer *self, GadgetEngine *engine, GadgetSession *session)
{
  const Draft *draft = get_draft (session);

  if (self != NULL && self->session != NULL && !is_stored (self->engine, self->session)
      && !gadget_session_get_incognito (self->session))
    gadget_composer_bring_back (self, draft->text, draft->attachments);
  else
    store_of_deleted (engine, draft);
  g_object_set_data (G_OBJECT (session), DRAFT_KEY, NULL);
}

static void
before_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  g_autoptr (GadgetComposer) self = g_weak_ref_get (&loading->composer);
  g_autoptr (GError) error = NULL;
  Draft *draft = get_draft (loading->session);

  draft->before = gadget_unsaved_drafts_load_finish (GADGET_UNSAVED_DRAFTS (source), result,
                                                     &draft->attachments_before, &error);
  draft->reading_before = FALSE;
  if (draft->before == NULL)
    {
      g_message ("a draft could not be read: %s", error->message);
      draft->before = g_strdup ("");
    }
  if (self != NULL && self->text == NULL)
    g_clear_object (&self);
  if (self != NULL && self->session == loading->session)
    _gadget_composer_save_draft (self);
  else
    give_to_shown (self, loading->engine, loading->session);
}

/* Puts the queued messages before the text; the cursor stays where the user is writing. */
static void
bring_back_queue (GadgetComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  const guint n = g_list_model_get_n_items (gadget_session_get_queue (self->session));
  GtkTextIter iter;
  int from_end;

  gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
  from_end = gtk_text_buffer_get_char_count (buffer) - gtk_text_iter_get_offset (&iter);
  for (guint i = n; i > 0; i--)
    {
      g_autoptr (GadgetQueuedMessage) message = gadget_session_take_queued (self->session, i - 1);

      gadget_composer_bring_back (self, gadget_queued_message_get_text (message),
                                  gadget_attachments_get (message));
    }
  gtk_text_buffer_get_iter_at_offset (buffer, &iter,
                                      gtk_text_buffer_get_char_count (buffer) - from_end);
  if (n > 0)
    gtk_text_buffer_place_cursor (buffer, &iter);
}

/**
 * gadget_composer_note_deleted:
 *
 * To be called when another process deleted the chat that is shown. Puts its queued messages before
 * the text that is being written; both are saved as a part of the new chat's draft, and are there
 * when a new chat is shown.
 */
void
gadget_composer_note_deleted (GadgetComposer *self)
{
  Draft *draft;
  Loading *loading;

  g_return_if_fail (GADGET_IS_COMPOSER (self) && self->session != NULL);

  draft = get_draft (self->session);
  if (draft == NULL || draft->of_deleted)
    return;
  draft->of_deleted = TRUE;
  draft->reading_before = TRUE;
  _gadget_composer_forget_place (self);
  bring_back_queue (self);
  _gadget_composer_update_buttons (self);
  self->draft_changed = TRUE;
  loading = g_new0 (Loading, 1);
  g_weak_ref_init (&loading->composer, self);
  loading->engine = g_object_ref (self->engine);
  loading->session = g_object_ref (self->session);
  gadget_unsaved_drafts_load_async (gadget_engine_get_drafts (self->engine), NULL, before_read_cb,
                                    loading);
}

/* --- Another chat ------------------------------------------------------------------------------
 */

/* A draft keeps the attachments that are read; a toast tells of one that was still being read. */
static void
drop_attachments (GadgetComposer *self)
{
  if (gadget_attachment_list_is_reading (self->attachments))
    {
      g_autoptr (AdwToast) toast =
          gadget_toast_new (_ ("An attachment was still being read, and was left out"));

      g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_TOAST], 0, toast);
    }
  gadget_attachment_list_clear (self->attachments);
}

/* Called when another chat is shown. @keep_text: keep what was typed before there was a chat. */
void
_gadget_composer_open_draft (GadgetComposer *self, gboolean keep_text)
{
  Draft *draft = self->session != NULL ? get_draft (self->session) : NULL;

  if (!keep_text)
    {
      _gadget_composer_set_text (self, draft != NULL ? draft->text : "");
      drop_attachments (self);
      if (draft != NULL)
        gadget_attachment_list_add (self->attachments, draft->attachments);
      self->draft_changed = FALSE;
    }
  update_note (self);
  if (self->session == NULL || self->engine == NULL || draft != NULL)
    return;
  draft = g_new0 (Draft, 1);
  draft->text = g_strdup ("");
  g_object_set_data_full (G_OBJECT (self->session), DRAFT_KEY, draft, draft_free);
  load (self, draft);
}

/**
 * gadget_composer_prepend_to:
 * @session: a chat that is or was shown here
 *
 * Puts a text before the draft of a chat and saves it at once, because the program may be about to
 * end.
 */
void
gadget_composer_prepend_to (GadgetComposer *self, GadgetSession *session, const char *text)
{
  const gboolean shown = session == self->session;
  Draft *draft;

  g_return_if_fail (GADGET_IS_COMPOSER (self) && GADGET_IS_SESSION (session) && text != NULL);

  if (shown)
    {
      gadget_composer_bring_back (self, text, NULL);
      _gadget_composer_save_draft (self);
      return;
    }
  draft = get_draft (session);
  if (draft == NULL || self->engine == NULL)
    return;
  join (draft, text, NULL);
  if (!draft->loading)
    store_draft (self->engine, session);
}

/**
 * gadget_composer_keep_draft:
 * @session: a chat that is or was shown here, and that was incognito until now
 *
 * Saves the draft of the chat.
 */
void
gadget_composer_keep_draft (GadgetComposer *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_COMPOSER (self) && GADGET_IS_SESSION (session));

  if (session == self->session)
    {
      self->draft_changed = TRUE;
      _gadget_composer_save_draft (self);
    }
  else if (get_draft (session) != NULL && self->engine != NULL)
    store_draft (self->engine, session);
}

void
_gadget_composer_init_draft (GadgetComposer *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect_swapped (focus, "leave", G_CALLBACK (_gadget_composer_save_draft), self);
  gtk_widget_add_controller (GTK_WIDGET (self->text), focus);
}
