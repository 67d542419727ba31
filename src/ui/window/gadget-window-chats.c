/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Incognito chats; renaming, copying and deleting chats, and what was deleted of their folders. A
 * deleted chat disappears from the list at once, but from the store only when the toast that offers
 * to undo it is gone; so undoing needs no restoring. In between the engine lets nothing into the
 * chat. After a deletion the window always shows another chat. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "effects/gadget-kept-versions.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-name-dialog.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

/* --- Incognito chats --------------------------------------------------------------------------- */

/* Returns an incognito chat that is empty, of which one is enough. (transfer full) */
static GadgetSession *
take_incognito (GadgetWindow *self)
{
  GListModel *sessions = gadget_engine_get_incognito (self->engine);
  GadgetSession *session;

  for (guint i = 0; i < g_list_model_get_n_items (sessions); i++)
    {
      session = g_list_model_get_item (sessions, i);
      if (gadget_session_get_n_turns (session) == 0)
        return session;
      g_object_unref (session);
    }
  session = gadget_engine_new_incognito (self->engine);
  _gadget_window_begin_chat (self, session, self->session);
  return session;
}

void
_gadget_window_new_incognito (GadgetWindow *self)
{
  g_autoptr (GadgetSession) session = NULL;

  if (self->engine == NULL)
    return;
  session = take_incognito (self);
  gadget_window_open_session (self, session);
  _gadget_window_uncover_chat (self);
  gadget_chat_focus (self->chat);
  gadget_announce (GTK_WIDGET (self), _ ("This chat is not stored."),
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

void
_gadget_window_keep (GadgetWindow *self, GadgetSession *session)
{
  gadget_engine_keep_incognito (self->engine, session);
  gadget_chat_keep_draft (self->chat, session);
  gadget_chat_add_toast (self->chat, gadget_toast_new (_ ("This chat is stored now")));
}

/* --- Renaming --------------------------------------------------------------------------------- */

static void
renamed_cb (AdwAlertDialog *dialog, const char *response, GadgetWindow *self)
{
  GadgetSession *session = g_object_get_data (G_OBJECT (dialog), "session");
  g_autofree char *title = gadget_name_dialog_dup_name (dialog, response);

  if (title != NULL)
    {
      gadget_session_set_title (session, title);
      gadget_engine_save (self->engine, session);
    }
  if (!gadget_library_has_focus (self->library))
    gadget_chat_focus (self->chat);
}

void
_gadget_window_rename (GadgetWindow *self, GadgetSession *session)
{
  AdwDialog *dialog =
      gadget_name_dialog_new (_ ("Rename Chat"), gadget_labels_title (session), _ ("_Rename"));

  g_object_set_data_full (G_OBJECT (dialog), "session", g_object_ref (session), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (renamed_cb), self, G_CONNECT_DEFAULT);
  gadget_name_dialog_present (dialog, GTK_WIDGET (self));
}

/* --- Duplicating ------------------------------------------------------------------------------ */

static void
duplicated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSession) copy =
      gadget_engine_branch_finish (GADGET_ENGINE (source), result, &error);

  if (self->engine == NULL)
    return;
  if (copy != NULL)
    {
      gadget_window_open_session (self, copy);
      return;
    }
  g_message ("a chat could not be duplicated: %s", error->message);
  gadget_chat_add_toast (self->chat, gadget_toast_new (_ ("This chat could not be duplicated.")));
}

void
_gadget_window_duplicate (GadgetWindow *self, GadgetSession *session)
{
  /* Translators: the title of the copy of a chat; the title of that chat */
  g_autofree char *title = g_strdup_printf (_ ("%s (copy)"), gadget_labels_title (session));

  gadget_engine_branch_async (self->engine, session, NULL, title, duplicated_cb,
                              g_object_ref (self));
}

/* --- Deleting --------------------------------------------------------------------------------- */

static void
report_failure (GadgetWindow *self, const GError *error)
{
  const char *text = _ ("This chat could not be deleted.");

  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY))
    text = _ ("This chat is still being worked on. Delete it when that is over.");
  else if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN_ELSEWHERE))
    text = _ ("This chat is open in another window. Close it there first.");
  else
    g_message ("a chat could not be deleted: %s", error->message);
  gadget_chat_add_toast (self->chat, gadget_toast_new (text));
}

static void
deleted_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_engine_delete_finish (GADGET_ENGINE (object), result, &error) && self->engine != NULL)
    report_failure (self, error);
}

/* Goes back to the chat that was shown, or to the only one. */
static void
undo_cb (AdwToast *toast, GadgetWindow *self)
{
  GPtrArray *sessions = g_object_get_data (G_OBJECT (toast), "sessions");
  GadgetSession *shown = g_object_get_data (G_OBJECT (toast), "shown");

  for (guint i = 0; i < sessions->len; i++)
    {
      gadget_engine_cancel_delete (self->engine, g_ptr_array_index (sessions, i));
      g_ptr_array_remove (self->deleted, g_ptr_array_index (sessions, i));
    }
  _gadget_window_refresh_ledger (self);
  if (shown != NULL || sessions->len == 1)
    gadget_window_open_session (self, shown != NULL ? shown : g_ptr_array_index (sessions, 0));
}

static void
end_deletion (GadgetWindow *self, GadgetSession *session)
{
  g_autoptr (GadgetSession) hold = g_object_ref (session);

  /* It may have been undone. */
  if (g_ptr_array_remove (self->deleted, session)
      && gadget_session_get_deletion (session) == GADGET_DELETION_PENDING)
    gadget_engine_delete_async (self->engine, session, GADGET_DELETE_UNSENT, deleted_cb,
                                g_object_ref (self));
}

static void
toast_gone_cb (AdwToast *toast, GadgetWindow *self)
{
  GPtrArray *sessions = g_object_get_data (G_OBJECT (toast), "sessions");

  for (guint i = 0; self->engine != NULL && i < sessions->len; i++)
    end_deletion (self, g_ptr_array_index (sessions, i));
}

void
_gadget_window_end_deletions (GadgetWindow *self)
{
  while (self->deleted->len > 0)
    end_deletion (self, g_ptr_array_index (self->deleted, 0));
}

/* @shown: (nullable): the one of @sessions that the window showed */
static void
offer_undo (GadgetWindow *self, GPtrArray *sessions, GadgetSession *shown)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("%'u chat deleted", "%'u chats deleted", sessions->len), sessions->len);
  AdwToast *toast = gadget_toast_new (sessions->len == 1 ? _ ("Chat deleted") : text);

  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_timeout (toast, GADGET_TOAST_UNDO_S);
  g_object_set_data_full (G_OBJECT (toast), "sessions", g_ptr_array_ref (sessions),
                          (GDestroyNotify) g_ptr_array_unref);
  if (shown != NULL)
    g_object_set_data (G_OBJECT (toast), "shown", shown); /* which @sessions holds */
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (undo_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (toast_gone_cb), self, G_CONNECT_DEFAULT);
  gadget_chat_add_toast (self->chat, toast);
}

/* @in_list: the focus was in the list when the user deleted the chats */
static void
hide_and_offer_undo (GadgetWindow *self, GPtrArray *sessions, gboolean in_list)
{
  g_autoptr (GadgetSession) next = gadget_library_dup_neighbor (self->library, sessions);
  g_autoptr (GPtrArray) hidden = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) closed = g_ptr_array_new_with_free_func (g_object_unref);
  GadgetSession *shown = NULL;

  for (guint i = 0; i < sessions->len; i++)
    {
      GadgetSession *session = g_ptr_array_index (sessions, i);
      const gboolean is_shown = session == self->session;
      g_autoptr (GError) error = NULL;

      /* GADGET_DELETE_UNSENT: the user sees the unsent message here, and deletes the chat all the
       * same. */
      if (!gadget_session_get_incognito (session)
          && !gadget_engine_begin_delete (self->engine, session, GADGET_DELETE_UNSENT, &error))
        {
          report_failure (self, error);
          continue;
        }
      g_ptr_array_add (gadget_session_get_incognito (session) ? closed : hidden,
                       g_object_ref (session));
      if (!gadget_session_get_incognito (session))
        g_ptr_array_add (self->deleted, g_object_ref (session));
      if (is_shown)
        shown = session;
    }
  if (hidden->len + closed->len == 0)
    return;
  /* A new chat is shown already, unless the chat was incognito. */
  if (shown != NULL && !in_list)
    gadget_window_new_chat (self);
  else if (shown != NULL)
    _gadget_window_show_new_chat (self);
  for (guint i = 0; i < closed->len; i++)
    gadget_engine_close_incognito (self->engine, g_ptr_array_index (closed, i));
  /* The focus stays in the list, so that several chats can be deleted one after the other. */
  if (in_list)
    gadget_library_focus_chat (self->library, next != NULL ? next : self->session);
  _gadget_window_refresh_ledger (self);
  if (hidden->len > 0)
    offer_undo (self, hidden, shown);
}

/* Chats whose runs are being stopped, so that they can be deleted. */
typedef struct
{
  GadgetWindow *window;
  GPtrArray *sessions; /* of GadgetSession */
  guint n_running;     /* those of them whose runs have not ended */
} Deletion;

static void
run_ended (Deletion *deletion)
{
  deletion->n_running--;
  if (deletion->n_running > 0)
    return;
  if (deletion->window->engine != NULL)
    hide_and_offer_undo (deletion->window, deletion->sessions,
                         gadget_library_has_focus (deletion->window->library));
  g_object_unref (deletion->window);
  g_ptr_array_unref (deletion->sessions);
  g_free (deletion);
}

static void
idle_cb (GadgetSession *session, GParamSpec *pspec, Deletion *deletion)
{
  if (gadget_session_get_active_run (session) != NULL)
    return;
  g_signal_handlers_disconnect_by_func (session, idle_cb, deletion);
  run_ended (deletion);
}

static void
stop_and_delete_cb (AdwAlertDialog *dialog, const char *response, GadgetWindow *self)
{
  GPtrArray *sessions = g_object_get_data (G_OBJECT (dialog), "sessions");
  Deletion *deletion;

  if (!g_str_equal (response, "delete"))
    return;
  deletion = g_new0 (Deletion, 1);
  deletion->window = g_object_ref (self);
  deletion->sessions = g_ptr_array_ref (sessions);
  /* One more, so that a run that ends at once does not end the deletion. */
  deletion->n_running = 1;
  for (guint i = 0; i < sessions->len; i++)
    {
      GadgetSession *session = g_ptr_array_index (sessions, i);

      if (gadget_session_get_active_run (session) == NULL)
        continue;
      deletion->n_running++;
      g_signal_connect (session, "notify::active-run", G_CALLBACK (idle_cb), deletion);
      gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self->engine),
                                                 gadget_session_get_id (session), NULL,
                                                 GADGET_STOP_CLOSED));
    }
  run_ended (deletion);
}

static char *
dup_running_text (guint n_chats, guint n_running)
{
  if (n_running == 0)
    return g_strdup ("");
  if (n_chats == 1)
    return g_strdup (_ ("A reply is still being written in this chat."));
  return g_strdup_printf (ngettext ("A reply is still being written in %'u of these chats.",
                                    "Replies are still being written in %'u of these chats.",
                                    n_running),
                          n_running);
}

/* Returns what undo data goes with the chats. (transfer full) */
static char *
dup_kept_text (guint n_chats, const GadgetKeptVersions *kept)
{
  const guint n = kept->n_files;
  g_autofree char *size = g_format_size (kept->size);

  if (n == 0)
    return g_strdup ("");
  if (n_chats == 1)
    /* Translators: "it" is a chat; %s is a size */
    return g_strdup_printf (ngettext ("The earlier version of %'u file, %s, goes with it.",
                                      "The earlier versions of %'u files, %s, go with it.", n),
                            n, size);
  /* Translators: "them" are chats; %s is a size */
  return g_strdup_printf (ngettext ("The earlier version of %'u file, %s, goes with them.",
                                    "The earlier versions of %'u files, %s, go with them.", n),
                          n, size);
}

static void
ask_before_deleting (GadgetWindow *self, GPtrArray *sessions, guint n_running,
                     const GadgetKeptVersions *kept)
{
  const guint n = sessions->len;
  const gboolean closes = n == 1 && gadget_session_get_incognito (g_ptr_array_index (sessions, 0));
  g_autofree char *running = dup_running_text (n, n_running);
  g_autofree char *versions = dup_kept_text (n, kept);
  g_autofree char *text =
      g_strconcat (running, *running != '\0' && *versions != '\0' ? "\n" : "", versions, NULL);
  g_autofree char *several =
      g_strdup_printf (ngettext ("Delete %'u Chat?", "Delete %'u Chats?", n), n);
  const char *question = n == 1 ? _ ("Delete This Chat?") : several;
  const char *answer = _ ("_Delete");
  AdwDialog *dialog;

  if (n_running > 0)
    {
      question = closes ? _ ("Stop and Close?") : _ ("Stop and Delete?");
      answer = closes ? _ ("_Stop and Close") : _ ("_Stop and Delete");
    }
  dialog = adw_alert_dialog_new (question, text);
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "delete",
                                  answer, NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "delete",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "sessions", g_ptr_array_ref (sessions),
                          (GDestroyNotify) g_ptr_array_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (stop_and_delete_cb), self,
                           G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* The data of a measurement before chats are deleted. */
typedef struct
{
  GadgetWindow *window;
  GPtrArray *sessions; /* of GadgetSession */
  /* A menu that is closing takes the focus with it meanwhile. */
  gboolean in_list;
} Question;

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Question *question = user_data;
  g_autoptr (GadgetWindow) self = question->window;
  g_autoptr (GPtrArray) sessions = question->sessions;
  g_autoptr (GError) error = NULL;
  GadgetKeptVersions kept;
  guint n_running = 0;

  if (!gadget_kept_versions_measure_finish (result, &kept, &error))
    g_message ("the undo data of chats could not be measured: %s", error->message);
  if (self->engine == NULL)
    return;
  /* The key may have been pressed again meanwhile. */
  for (guint i = sessions->len; i > 0; i--)
    {
      GadgetSession *session = g_ptr_array_index (sessions, i - 1);

      n_running += gadget_session_get_active_run (session) != NULL;
      if (gadget_session_get_deletion (session) != GADGET_DELETION_NONE)
        g_ptr_array_remove_index (sessions, i - 1);
    }
  if (sessions->len == 0)
    return;
  if (n_running > 0 || kept.n_files > 0)
    ask_before_deleting (self, sessions, n_running, &kept);
  else
    hide_and_offer_undo (self, sessions, question->in_list);
}

/* @sessions: (element-type GadgetSession): a chat that is not stored is left out */
void
_gadget_window_delete (GadgetWindow *self, GPtrArray *sessions)
{
  g_autoptr (GPtrArray) stored = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  Question *question;

  for (guint i = 0; i < sessions->len; i++)
    {
      GadgetSession *session = g_ptr_array_index (sessions, i);
      const char *id = gadget_session_get_id (session);

      if (gadget_session_get_active_run (session) == NULL && !gadget_session_get_incognito (session)
          && gadget_engine_find_session (self->engine, id) == NULL)
        continue;
      g_ptr_array_add (stored, g_object_ref (session));
      g_ptr_array_add (ids, (gpointer) id);
    }
  if (stored->len == 0)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  g_ptr_array_add (ids, NULL);
  question = g_new0 (Question, 1);
  question->window = g_object_ref (self);
  question->sessions = g_ptr_array_ref (stored);
  question->in_list = gadget_library_has_focus (self->library);
  gadget_kept_versions_measure_async (
      gadget_agent_get_snapshot_service (gadget_engine_get_agent (self->engine)),
      (const char *const *) ids->pdata, measured_cb, question);
}

/* --- Folders ---------------------------------------------------------------------------------- */

static void
restore_cb (AdwToast *toast, GadgetWindow *self)
{
  gadget_chat_folders_restore (gadget_engine_get_chat_folders (self->engine),
                               g_object_get_data (G_OBJECT (toast), "folder"));
}

void
_gadget_window_offer_folder (GadgetWindow *self, GadgetChatFolder *folder)
{
  AdwToast *toast = gadget_toast_new (_ ("Folder deleted"));

  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_timeout (toast, GADGET_TOAST_UNDO_S);
  g_object_set_data_full (G_OBJECT (toast), "folder", g_object_ref (folder), g_object_unref);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (restore_cb), self,
                           G_CONNECT_DEFAULT);
  gadget_chat_add_toast (self->chat, toast);
}
