/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks what happens to file changes when turns are about to leave the chat. Removing a turn does
 * not undo its changes, so the user is asked first whether to undo them. If undoing fails, the
 * turns stay. When the changes of some turns cannot be read, the dialog says so and the turns leave
 * only if the user confirms; the changes of the others can be undone all the same. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "agent/gadget-undo-run.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

/* Turns that are about to leave a chat, while their changes are read and undone. */
typedef struct
{
  GadgetChat *chat;
  GadgetSession *session;
  GPtrArray *turns; /* (element-type utf8): ids of turns that may have changed files */
  guint next;       /* index of the turn that is being read, or undone */
  guint n_files;
  gboolean unread; /* the changes of some turns could not be read */
  GadgetChatLeaveFunc func;
  gpointer user_data;
  GDestroyNotify free_data;
} RemoveTurnsJob;

static void
removal_free (RemoveTurnsJob *removal)
{
  if (removal->free_data != NULL)
    removal->free_data (removal->user_data);
  g_object_unref (removal->chat);
  g_object_unref (removal->session);
  g_ptr_array_unref (removal->turns);
  g_free (removal);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RemoveTurnsJob, removal_free)

static GadgetSnapshotService *
get_snapshot_service (GadgetChat *self)
{
  return gadget_agent_get_snapshot_service (gadget_engine_get_agent (self->engine));
}

static const char *
get_id (const RemoveTurnsJob *removal)
{
  return g_ptr_array_index (removal->turns, removal->next);
}

/* Calls the caller's function, unless the user has gone to another chat meanwhile. */
static void
call_back (RemoveTurnsJob *removal)
{
  if (removal->chat->session == removal->session)
    removal->func (removal->chat, removal->user_data);
}

/* --- Undoing ---------------------------------------------------------------------------------- */

/* Undoes the turns from the last to the first; takes @removal. */
static void undo_next (RemoveTurnsJob *removal);

static void
undone_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RemoveTurnsJob) removal = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = gadget_undo_run_finish (result, &error);
  g_autofree char *text = NULL;

  if (report != NULL && report->n_left > 0)
    {
      gadget_chat_show_toast (removal->chat, _ ("Undo was stopped. Nothing was removed."));
      return;
    }
  if (report != NULL && report->problems->len == 0)
    {
      undo_next (g_steal_pointer (&removal));
      return;
    }
  if (report == NULL && g_error_matches (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED))
    {
      /* The dialog shows the user what happened to each file. */
      gadget_chat_show_toast (removal->chat,
                              _ ("Some files have changed since. Nothing was removed."));
      gtk_widget_activate_action (GTK_WIDGET (removal->chat), "session.undo-changes", "s",
                                  get_id (removal));
      return;
    }
  if (report != NULL)
    text = g_strdup_printf (_ ("Could not undo: %s"),
                            (const char *) g_ptr_array_index (report->problems, 0));
  else
    text = gadget_error_labels_dup (_ ("Nothing was undone."), error);
  gadget_chat_show_toast (removal->chat, text);
}

static void
undo_next (RemoveTurnsJob *removal)
{
  const char *obstacle = _gadget_chat_get_obstacle (removal->chat);

  if (removal->next == 0 || obstacle != NULL)
    {
      if (obstacle != NULL)
        gadget_chat_show_toast (removal->chat, obstacle);
      else
        call_back (removal);
      removal_free (removal);
      return;
    }
  removal->next--;
  g_object_unref (gadget_undo_run_start (
      gadget_agent_get_registry (gadget_engine_get_agent (removal->chat->engine)),
      get_snapshot_service (removal->chat), gadget_session_get_id (removal->session),
      get_id (removal), FALSE, NULL, GADGET_UNDO_REFUSE, undone_cb, removal));
}

/* --- Asking ----------------------------------------------------------------------------------- */

static void
response_cb (AdwAlertDialog *dialog, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RemoveTurnsJob) removal = user_data;
  const char *response = adw_alert_dialog_choose_finish (dialog, result);

  if (g_str_equal (response, "keep"))
    {
      call_back (removal);
    }
  else if (g_str_equal (response, "undo"))
    {
      removal->next = removal->turns->len;
      undo_next (g_steal_pointer (&removal));
    }
}

/* For turns whose changes are all unknown: nothing can be undone. */
static void
present_unread (RemoveTurnsJob *removal)
{
  AdwDialog *dialog = adw_alert_dialog_new (
      _ ("Remove Without Undo?"),
      _ ("What you are about to remove may have changed files, and the record of that could not be "
         "read. The files stay as they are."));

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "keep",
                                  _ ("_Remove"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "keep",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog), GTK_WIDGET (removal->chat), NULL,
                           (GAsyncReadyCallback) response_cb, removal);
}

static char *
dup_changes (RemoveTurnsJob *removal)
{
  g_autofree char *known = g_strdup_printf (
      ngettext ("What you are about to remove changed %'u file. That stays as it is, unless you "
                "undo it now.",
                "What you are about to remove changed %'u files. They stay as they are, unless you "
                "undo that now.",
                removal->n_files),
      removal->n_files);

  if (!removal->unread)
    return g_steal_pointer (&known);
  return g_strconcat (known, "\n\n",
                      _ ("It may have changed more: some of the record could not be read. What "
                         "is not known stays as it is."),
                      NULL);
}

static void
present (RemoveTurnsJob *removal)
{
  g_autofree char *changes = dup_changes (removal);
  AdwDialog *dialog = adw_alert_dialog_new (_ ("Undo File Changes?"), changes);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "undo",
                                  _ ("_Undo Changes"), "keep", _ ("_Keep Changes"), NULL);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "keep");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog), GTK_WIDGET (removal->chat), NULL,
                           (GAsyncReadyCallback) response_cb, removal);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void read_next (RemoveTurnsJob *removal); /* reads the next turn; takes @removal */

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RemoveTurnsJob) removal = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetTurnChanges) changes = gadget_turn_changes_read_finish (result, &error);
  guint n = 0;

  if (changes == NULL)
    {
      g_message ("what a turn changed could not be read: %s", error->message);
      removal->unread = TRUE;
    }
  else if (gadget_turn_changes_get_recording (changes) == GADGET_RECORDING_PENDING)
    {
      gadget_chat_show_toast (removal->chat,
                              _ ("Its changes are still being recorded. Try again in a moment."));
      return;
    }
  else if (gadget_turn_changes_get_n_files (changes) > 0)
    n = gadget_turn_changes_get_n_files (changes) - gadget_turn_changes_get_n_undone (changes);
  removal->n_files += n;
  if (n > 0)
    removal->next++;
  else
    g_ptr_array_remove_index (removal->turns, removal->next);
  read_next (g_steal_pointer (&removal));
}

static void
read_next (RemoveTurnsJob *removal)
{
  if (removal->next < removal->turns->len)
    {
      gadget_turn_changes_read_async (get_snapshot_service (removal->chat), get_id (removal),
                                      read_cb, removal);
      return;
    }
  if (removal->n_files > 0)
    {
      present (removal);
      return;
    }
  if (removal->unread)
    {
      present_unread (removal);
      return;
    }
  call_back (removal);
  removal_free (removal);
}

/* Calls @func, now or later, when @n turns from index @first on may leave the chat; never when the
 * user cancels or undoing fails. @free_data is called with @user_data in any case. */
void
_gadget_chat_ask_about_changes (GadgetChat *self, guint first, guint n, GadgetChatLeaveFunc func,
                                gpointer user_data, GDestroyNotify free_data)
{
  RemoveTurnsJob *removal = g_new0 (RemoveTurnsJob, 1);

  removal->chat = g_object_ref (self);
  removal->session = g_object_ref (self->session);
  removal->turns = g_ptr_array_new_with_free_func (g_free);
  removal->func = func;
  removal->user_data = user_data;
  removal->free_data = free_data;
  for (guint i = first; i < first + n && get_snapshot_service (self) != NULL; i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (self->session, i);

      if (gadget_turn_has_calls (turn))
        g_ptr_array_add (removal->turns, g_strdup (gadget_turn_get_id (turn)));
    }
  read_next (removal);
}
