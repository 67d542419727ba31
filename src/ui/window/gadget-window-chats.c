/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Renaming, copying and deleting chats, and what was deleted of their folders. A deleted chat
 * disappears from the list at once, but from the store only when the toast that offers to undo it
 * is gone; so undoing needs no restoring. In between the engine lets nothing into the chat. After a
 * deletion the window always shows another chat. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-name-dialog.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

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

/* The data of an asynchronous call: a chat that is being deleted. */
typedef struct
{
  GadgetWindow *window;
  GadgetSession *session;
} Deletion;

static Deletion *
deletion_new (GadgetWindow *self, GadgetSession *session)
{
  Deletion *deletion = g_new0 (Deletion, 1);

  deletion->window = g_object_ref (self);
  deletion->session = g_object_ref (session);
  return deletion;
}

static void
deletion_free (Deletion *deletion)
{
  g_object_unref (deletion->window);
  g_object_unref (deletion->session);
  g_free (deletion);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Deletion, deletion_free)

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
  g_autoptr (Deletion) deletion = user_data;
  g_autoptr (GError) error = NULL;
  GadgetWindow *self = deletion->window;

  if (!gadget_engine_delete_finish (GADGET_ENGINE (object), result, &error) && self->engine != NULL)
    report_failure (self, error);
}

static void
undo_cb (AdwToast *toast, GadgetWindow *self)
{
  GadgetSession *session = g_object_get_data (G_OBJECT (toast), "session");

  if (gadget_engine_cancel_delete (self->engine, session))
    gadget_window_open_session (self, session);
}

static void
toast_gone_cb (AdwToast *toast, GadgetWindow *self)
{
  GadgetSession *session = g_object_get_data (G_OBJECT (toast), "session");

  /* When the window is closed with the toast, closing the engine deletes the chat. */
  if (self->engine != NULL && gadget_session_get_deletion (session) == GADGET_DELETION_PENDING)
    gadget_engine_delete_async (self->engine, session, GADGET_DELETE_UNSENT, deleted_cb,
                                deletion_new (self, session));
}

static void
hide_and_offer_undo (GadgetWindow *self, GadgetSession *session)
{
  const gboolean in_list = gadget_library_has_focus (self->library);
  g_autoptr (GadgetSession) next = gadget_library_dup_neighbor (self->library, session);
  g_autoptr (GError) error = NULL;
  AdwToast *toast;

  /* GADGET_DELETE_UNSENT: the user sees the unsent message here, and deletes the chat all the
   * same. */
  if (!gadget_engine_begin_delete (self->engine, session, GADGET_DELETE_UNSENT, &error))
    {
      report_failure (self, error);
      return;
    }
  toast = gadget_toast_new (_ ("Chat deleted"));
  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_timeout (toast, GADGET_TOAST_UNDO_S);
  g_object_set_data_full (G_OBJECT (toast), "session", g_object_ref (session), g_object_unref);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (undo_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (toast_gone_cb), self, G_CONNECT_DEFAULT);
  if (session == self->session && in_list)
    _gadget_window_show_new_chat (self);
  else if (session == self->session)
    gadget_window_new_chat (self);
  /* The focus stays in the list, so that several chats can be deleted one after the other. */
  if (in_list)
    gadget_library_focus_chat (self->library, next != NULL ? next : self->session);
  gadget_chat_add_toast (self->chat, toast);
}

/* Called when a run, which was stopped for the deletion, has ended. */
static void
idle_cb (GadgetSession *session, GParamSpec *pspec, GadgetWindow *self)
{
  if (gadget_session_get_active_run (session) != NULL)
    return;
  g_signal_handlers_disconnect_by_func (session, idle_cb, self);
  hide_and_offer_undo (self, session);
}

static void
stop_and_delete_cb (AdwAlertDialog *dialog, const char *response, GadgetWindow *self)
{
  GadgetSession *session = g_object_get_data (G_OBJECT (dialog), "session");

  if (!g_str_equal (response, "delete"))
    return;
  if (gadget_session_get_active_run (session) == NULL)
    {
      hide_and_offer_undo (self, session);
      return;
    }
  g_signal_connect_object (session, "notify::active-run", G_CALLBACK (idle_cb), self,
                           G_CONNECT_DEFAULT);
  gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self->engine),
                                             gadget_session_get_id (session), NULL,
                                             GADGET_STOP_CLOSED));
}

static void
ask_before_deleting (GadgetWindow *self, GadgetSession *session)
{
  AdwDialog *dialog = adw_alert_dialog_new (_ ("Stop and Delete?"),
                                            _ ("A reply is still being written in this chat."));

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "delete",
                                  _ ("_Stop and Delete"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "delete",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "session", g_object_ref (session), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (stop_and_delete_cb), self,
                           G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

void
_gadget_window_delete (GadgetWindow *self, GadgetSession *session)
{
  if (gadget_session_get_active_run (session) != NULL)
    ask_before_deleting (self, session);
  else if (gadget_engine_find_session (self->engine, gadget_session_get_id (session)) != NULL)
    hide_and_offer_undo (self, session);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
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
  g_object_set_data_full (G_OBJECT (toast), "folder", g_object_ref (folder), g_object_unref);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (restore_cb), self,
                           G_CONNECT_DEFAULT);
  gadget_chat_add_toast (self->chat, toast);
}
