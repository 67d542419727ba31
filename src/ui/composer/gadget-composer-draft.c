/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Drafts. The unsent text and attachments are kept with their chat: in memory, so that they are
 * there at once when the chat is shown again, and in the store, at most SAVE_MS after a change.
 * When several windows show the chat, the draft is saved by the composer that was changed, and the
 * others follow.
 *
 * The draft of a chat is read from the store once, when the chat is first shown. Until it is read
 * nothing is saved for that chat; text that is typed meanwhile is put after it, and saved then,
 * even when another chat is shown by that time. A new chat is not in the store; its draft is in the
 * store's one draft without a chat, see gadget-draft.c, and becomes the chat's own with the first
 * message.
 *
 * The draft of an incognito chat is in memory only.
 *
 * A draft that could not be saved is saved later, see agent/gadget-unsaved-drafts.c; until then a
 * note in the composer says why it is not saved.
 *
 * When another process deletes the chat that is shown, its draft and queue become those of a new
 * chat: see gadget_composer_note_deleted (). */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"
#include "gadget-draft.h"

#include "agent/saving/gadget-save-problem.h"
#include "agent/saving/gadget-unsaved-drafts.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

#define SAVE_MS 500
#define DRAFT_KEY "gadget-draft"

/* The data of an asynchronous call: a draft that is being read. */
typedef struct
{
  GadgetEngine *engine;
  GadgetSession *session;
  GadgetDraft *draft;
} Loading;

static void
loading_free (Loading *loading)
{
  g_object_unref (loading->engine);
  g_object_unref (loading->session);
  _gadget_draft_unref (loading->draft);
  g_free (loading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loading, loading_free)

static Loading *
loading_new (GadgetComposer *self, GadgetDraft *draft)
{
  Loading *loading = g_new0 (Loading, 1);

  loading->engine = g_object_ref (self->engine);
  loading->session = g_object_ref (self->session);
  loading->draft = _gadget_draft_ref (draft);
  return loading;
}

/* Returns the draft of the session. (transfer none) (nullable) */
static GadgetDraft *
get_draft (GadgetSession *session)
{
  return session != NULL ? g_object_get_data (G_OBJECT (session), DRAFT_KEY) : NULL;
}

static gboolean
is_stored (GadgetEngine *engine, GadgetSession *session)
{
  return gadget_engine_find_session (engine, gadget_session_get_id (session)) != NULL;
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
  shown = self->engine != NULL && self->session != NULL && !gadget_composer_is_empty (self)
          && !gadget_session_get_incognito (self->session)
          && gadget_unsaved_drafts_get_problem (
              gadget_engine_get_drafts (self->engine),
              is_stored (self->engine, self->session) ? self->session : NULL, &problem);
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
store_draft (GadgetEngine *engine, GadgetSession *session, GadgetDraft *draft)
{
  GadgetUnsavedDrafts *drafts = gadget_engine_get_drafts (engine);

  if (gadget_session_get_incognito (session))
    return;
  if (!draft->of_deleted && is_stored (engine, session))
    {
      if (_gadget_draft_remove_new (draft, drafts))
        _gadget_draft_save_new (drafts);
      draft->of_stored = TRUE;
      gadget_unsaved_drafts_save (drafts, session, draft->text, draft->attachments);
      return;
    }
  /* The chat was deleted, and its draft with it; it must not become that of the new chat. */
  if (draft->of_stored && !draft->of_deleted)
    return;
  _gadget_draft_add_new (draft, drafts, FALSE);
  _gadget_draft_save_new (drafts);
}

/* --- Several windows -------------------------------------------------------------------------- */

/* Shows the draft, of which nothing has to be saved. @draft: (nullable) */
static void
fill (GadgetComposer *self, const GadgetDraft *draft, gboolean keep_attachments)
{
  self->filling = TRUE;
  _gadget_composer_set_text (self, draft != NULL ? draft->text : "");
  if (!keep_attachments)
    gadget_attachment_list_clear (self->attachments);
  if (!keep_attachments && draft != NULL)
    gadget_attachment_list_add (self->attachments, draft->attachments);
  self->filling = FALSE;
  g_clear_handle_id (&self->draft_id, g_source_remove);
  self->draft_changed = FALSE;
}

/* Shows what another composer has made of the draft, except to a user who is just writing here. */
static void
follow (GadgetComposer *self, const GadgetDraft *draft)
{
  if (self->saved_draft_text != NULL)
    {
      g_autoptr (GPtrArray) before = g_steal_pointer (&self->saved_draft_attachments);

      g_set_str (&self->saved_draft_text, draft->text);
      self->saved_draft_attachments =
          draft->attachments != NULL ? g_ptr_array_ref (draft->attachments) : NULL;
      return;
    }
  if (self->draft_changed || gadget_composer_holds (self, draft->text, draft->attachments))
    return;
  fill (self, draft, gadget_attachment_list_is_reading (self->attachments));
  /* Nothing was typed here. */
  _gadget_composer_close_commands (self);
  _gadget_composer_close_mentions (self);
}

/* @self: (nullable): the composer that has changed the draft */
static void
share (GadgetComposer *self, const GadgetDraft *draft)
{
  for (guint i = 0; i < draft->composers->len; i++)
    if (g_ptr_array_index (draft->composers, i) != self)
      follow (g_ptr_array_index (draft->composers, i), draft);
}

/* Takes what was just written into the draft, in any window. */
static void
gather (GadgetDraft *draft)
{
  for (guint i = 0; i < draft->composers->len; i++)
    _gadget_composer_save_draft (g_ptr_array_index (draft->composers, i));
}

/* To be called before a message is put into the composer by another way than by writing. */
void
_gadget_composer_gather_draft (GadgetComposer *self)
{
  GadgetDraft *draft = get_draft (self->session);

  if (draft != NULL && draft->composers->len > 1)
    gather (draft);
}

static void
update_draft (GadgetComposer *self, GadgetDraft *draft)
{
  g_autofree char *text = gadget_composer_dup_text (self);
  g_autoptr (GPtrArray) attachments = gadget_composer_dup_attachments (self);

  _gadget_draft_set (draft, text, attachments);
  share (self, draft);
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
  GadgetDraft *draft = get_draft (self->session);

  g_clear_handle_id (&self->draft_id, g_source_remove);
  if (!self->draft_changed || self->filling || draft == NULL || self->text == NULL)
    return;
  if (self->saved_draft_text != NULL)
    {
      self->draft_changed = FALSE;
      _gadget_draft_set (draft, self->saved_draft_text, self->saved_draft_attachments);
      share (self, draft);
      if (is_stored (self->engine, self->session))
        store_edit (self);
      return;
    }
  update_draft (self, draft);
  if (draft->loading || draft->reading_new || self->engine == NULL)
    return;
  self->draft_changed = FALSE;
  store_draft (self->engine, self->session, draft);
}

/* Tells whether text that is put into the composer now is saved as the draft. */
gboolean
_gadget_composer_keeps_draft (GadgetComposer *self)
{
  const GadgetDraft *draft = get_draft (self->session);

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
put_before (GadgetComposer *self, GadgetDraft *draft, const char *text, GPtrArray *attachments)
{
  if (_gadget_composer_has_text (self) && *text != '\0')
    gadget_composer_prepend (self, text);
  else if (*text != '\0')
    _gadget_composer_set_text (self, text);
  gadget_attachment_list_add (self->attachments, attachments);
  update_draft (self, draft);
}

/* @self: (nullable): a composer that shows the draft */
static void
handle_loaded (GadgetComposer *self, GadgetDraft *draft, const char *text, GPtrArray *attachments)
{
  gboolean empty;

  if (self == NULL)
    {
      _gadget_draft_prepend (draft, text, attachments);
      return;
    }
  empty = gadget_composer_is_empty (self);
  put_before (self, draft, text, attachments);
  self->draft_changed = !empty;
}

static GadgetComposer *
get_composer (const GadgetDraft *draft)
{
  return draft->composers->len > 0 ? g_ptr_array_index (draft->composers, 0) : NULL;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  GadgetDraft *draft = loading->draft;
  GadgetComposer *self = get_composer (draft);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) attachments = NULL;
  g_autofree char *text = gadget_unsaved_drafts_load_finish (GADGET_UNSAVED_DRAFTS (source), result,
                                                             &attachments, &error);
  gboolean typed;

  if (draft->composers->len > 1)
    gather (draft);
  typed = *draft->text != '\0' || draft->attachments != NULL;
  draft->loading = FALSE;
  if (text == NULL)
    {
      g_message ("a draft could not be read: %s", error->message);
      /* The stored draft is not overwritten by what was typed meanwhile, which stays in memory
       * only; the next change overwrites it. */
      if (self != NULL && self->saved_draft_text == NULL)
        {
          update_draft (self, draft);
          self->draft_changed = FALSE;
        }
      return;
    }
  if (*text != '\0' || attachments != NULL)
    handle_loaded (self, draft, text, attachments);
  if (self != NULL)
    _gadget_composer_save_draft (self);
  else if (typed)
    store_draft (loading->engine, loading->session, draft);
  /* Other windows may have waited for it. */
  if (!draft->of_stored && _gadget_draft_count_new (GADGET_UNSAVED_DRAFTS (source)) > 1)
    _gadget_draft_save_new (GADGET_UNSAVED_DRAFTS (source));
}

static void
load (GadgetComposer *self, GadgetDraft *draft)
{
  draft->loading = TRUE;
  gadget_unsaved_drafts_load_async (gadget_engine_get_drafts (self->engine),
                                    draft->of_stored ? self->session : NULL, loaded_cb,
                                    loading_new (self, draft));
}

/* Called before another chat is shown, and before the composer goes. */
void
_gadget_composer_close_draft (GadgetComposer *self)
{
  GadgetDraft *draft = get_draft (self->session);

  _gadget_composer_save_draft (self);
  if (draft == NULL)
    return;
  g_ptr_array_remove (draft->composers, self);
  /* A new chat gets the draft now. */
  if (draft->of_deleted && draft->composers->len == 0)
    g_object_set_data (G_OBJECT (self->session), DRAFT_KEY, NULL);
}

/* --- A chat that was deleted -------------------------------------------------------------------
 */

/* The stored draft of the new chat was read. It goes before that of the deleted chat, which a new
 * chat may show by now. */
static void
new_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  GadgetDraft *draft = loading->draft;
  GadgetComposer *self = get_composer (draft);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) attachments = NULL;
  g_autofree char *text = gadget_unsaved_drafts_load_finish (GADGET_UNSAVED_DRAFTS (source), result,
                                                             &attachments, &error);

  draft->reading_new = FALSE;
  if (text == NULL)
    {
      g_message ("a draft could not be read: %s", error->message);
    }
  else if (self != NULL && !draft->of_deleted)
    {
      gadget_composer_bring_back (self, text, attachments);
    }
  else if (*text != '\0' || attachments != NULL)
    {
      g_autoptr (GadgetDraft) before = _gadget_draft_new ();

      _gadget_draft_set (before, text, attachments);
      _gadget_draft_add_new (before, GADGET_UNSAVED_DRAFTS (source), TRUE);
    }
  if (self != NULL)
    _gadget_composer_save_draft (self);
  else
    store_draft (loading->engine, loading->session, draft);
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
 * the text that is being written; both are saved as the draft of a new chat, and are there when one
 * is shown.
 */
void
gadget_composer_note_deleted (GadgetComposer *self)
{
  GadgetUnsavedDrafts *drafts;
  GadgetDraft *draft;

  g_return_if_fail (GADGET_IS_COMPOSER (self) && self->session != NULL);

  draft = get_draft (self->session);
  if (draft == NULL || draft->of_deleted)
    return;
  drafts = gadget_engine_get_drafts (self->engine);
  draft->of_deleted = TRUE;
  /* In memory there are all drafts of new chats, or none was read yet. */
  draft->reading_new = _gadget_draft_count_new (drafts) == 0;
  _gadget_draft_add_new (draft, drafts, FALSE);
  _gadget_composer_forget_place (self);
  bring_back_queue (self);
  _gadget_composer_update_buttons (self);
  self->draft_changed = TRUE;
  if (draft->reading_new)
    gadget_unsaved_drafts_load_async (drafts, NULL, new_read_cb, loading_new (self, draft));
  else
    _gadget_composer_save_draft (self);
}

/* --- Another chat ------------------------------------------------------------------------------
 */

/* A draft keeps the attachments that are read; a toast tells of one that was still being read. */
static void
report_reading (GadgetComposer *self)
{
  if (gadget_attachment_list_is_reading (self->attachments))
    {
      g_autoptr (AdwToast) toast =
          gadget_toast_new (_ ("An attachment was still being read, and was left out"));

      g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_TOAST], 0, toast);
    }
}

/* Returns the draft of the chat that is about to be shown, which may have to be loaded. (transfer
 * none) */
static GadgetDraft *
need_draft (GadgetComposer *self)
{
  GadgetUnsavedDrafts *drafts = gadget_engine_get_drafts (self->engine);
  const gboolean stored = is_stored (self->engine, self->session);
  const gboolean incognito = gadget_session_get_incognito (self->session);
  const gboolean has_new = _gadget_draft_count_new (drafts) > 0;
  GadgetDraft *draft = stored || incognito ? NULL : _gadget_draft_take_left (drafts);

  if (draft == NULL)
    {
      draft = _gadget_draft_new ();
      draft->of_stored = stored;
      if (!stored && !incognito)
        _gadget_draft_add_new (draft, drafts, FALSE);
      /* The stored draft is that of the new chat in another window. */
      if (stored || (!has_new && !incognito))
        load (self, draft);
    }
  g_object_set_data_full (G_OBJECT (self->session), DRAFT_KEY, draft, _gadget_draft_unref);
  return draft;
}

/* Called when another chat is shown. @keep_text: keep what was typed before there was a chat. */
void
_gadget_composer_open_draft (GadgetComposer *self, gboolean keep_text)
{
  GadgetDraft *draft = get_draft (self->session);

  if (draft == NULL && self->session != NULL && self->engine != NULL)
    draft = need_draft (self);
  if (!keep_text)
    {
      report_reading (self);
      fill (self, draft, FALSE);
    }
  else if (draft != NULL && (*draft->text != '\0' || draft->attachments != NULL))
    {
      put_before (self, draft, draft->text, draft->attachments);
    }
  if (draft != NULL)
    g_ptr_array_add (draft->composers, self);
  update_note (self);
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
  GadgetDraft *draft;

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
  gather (draft);
  _gadget_draft_prepend (draft, text, NULL);
  share (NULL, draft);
  if (!draft->loading)
    store_draft (self->engine, session, draft);
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
    store_draft (self->engine, session, get_draft (session));
}

/**
 * gadget_composer_discard_drafts:
 *
 * Empties the composer after everything was deleted. The drafts of all new chats are forgotten,
 * also those that other composers show.
 */
void
gadget_composer_discard_drafts (GadgetComposer *self)
{
  g_return_if_fail (GADGET_IS_COMPOSER (self));

  if (self->engine != NULL)
    _gadget_draft_forget_new (gadget_engine_get_drafts (self->engine));
  gadget_composer_clear (self);
}

void
_gadget_composer_init_draft (GadgetComposer *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect_swapped (focus, "leave", G_CALLBACK (_gadget_composer_save_draft), self);
  gtk_widget_add_controller (GTK_WIDGET (self->text), focus);
}
