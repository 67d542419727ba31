/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns are about to leave the chat. What they changed in files does not go with them; whether it
 * is to be taken back is asked before. If it cannot be, the turns stay. Of those whose changes
 * cannot be read it is said, and they go only if the user says so; that takes nothing from what can
 * be done about the others. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "agent/gadget-undoing.h"
#include "ui/common/gadget-error-words.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

typedef struct
{
  GadgetChat *chat;
  GadgetSession *session;
  GPtrArray *turns; /* (element-type utf8): ids of those that may have changed something */
  guint next;       /* the one that is read, or whose changes are taken back */
  guint n_files;
  gboolean unread; /* of some turns it cannot be known */
  GadgetChatLeaveFunc func;
  gpointer user_data;
  GDestroyNotify free_data;
} Leaving;

static void
leaving_free (Leaving *leaving)
{
  if (leaving->free_data != NULL)
    leaving->free_data (leaving->user_data);
  g_object_unref (leaving->chat);
  g_object_unref (leaving->session);
  g_ptr_array_unref (leaving->turns);
  g_free (leaving);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Leaving, leaving_free)

static GadgetKeeper *
get_keeper (GadgetChat *self)
{
  return gadget_agent_get_keeper (gadget_engine_get_agent (self->engine));
}

static const char *
get_id (const Leaving *leaving)
{
  return g_ptr_array_index (leaving->turns, leaving->next);
}

static void
say (Leaving *leaving, const char *text)
{
  gadget_chat_add_toast (leaving->chat, gadget_toast_new (text));
}

/* Whoever asked may have gone on to another chat. */
static void
go_on (Leaving *leaving)
{
  if (leaving->chat->session == leaving->session)
    leaving->func (leaving->chat, leaving->user_data);
}

/* --- Taking back ------------------------------------------------------------------------------ */

/* The last turn first. */
static void undo_next (Leaving *leaving);

static void
undone_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Leaving) leaving = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = gadget_undoing_finish (result, &error);
  g_autofree char *text = NULL;

  if (report != NULL && report->n_left > 0)
    {
      say (leaving, _ ("Undo was stopped. Nothing was removed."));
      return;
    }
  if (report != NULL && report->problems->len == 0)
    {
      undo_next (g_steal_pointer (&leaving));
      return;
    }
  if (report == NULL && g_error_matches (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED))
    {
      /* What became of each file is for the user to see. */
      say (leaving, _ ("Some files have changed since. Nothing was removed."));
      gtk_widget_activate_action (GTK_WIDGET (leaving->chat), "session.undo-changes", "s",
                                  get_id (leaving));
      return;
    }
  if (report != NULL)
    text = g_strdup_printf (_ ("Could not undo: %s"),
                            (const char *) g_ptr_array_index (report->problems, 0));
  else
    text = gadget_error_words_dup (_ ("Nothing was undone."), error);
  say (leaving, text);
}

static void
undo_next (Leaving *leaving)
{
  const char *obstacle = _gadget_chat_get_obstacle (leaving->chat);

  if (leaving->next == 0 || obstacle != NULL)
    {
      if (obstacle != NULL)
        say (leaving, obstacle);
      else
        go_on (leaving);
      leaving_free (leaving);
      return;
    }
  leaving->next--;
  g_object_unref (gadget_undoing_start (
      gadget_agent_get_registry (gadget_engine_get_agent (leaving->chat->engine)),
      get_keeper (leaving->chat), gadget_session_get_id (leaving->session), get_id (leaving), FALSE,
      NULL, GADGET_UNDO_REFUSE, undone_cb, leaving));
}

/* --- Asking ----------------------------------------------------------------------------------- */

static void
response_cb (AdwAlertDialog *dialog, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Leaving) leaving = user_data;
  const char *response = adw_alert_dialog_choose_finish (dialog, result);

  if (g_str_equal (response, "keep"))
    {
      go_on (leaving);
    }
  else if (g_str_equal (response, "undo"))
    {
      leaving->next = leaving->turns->len;
      undo_next (g_steal_pointer (&leaving));
    }
}

/* Nothing can be taken back: it is not known what. */
static void
present_unread (Leaving *leaving)
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
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog), GTK_WIDGET (leaving->chat), NULL,
                           (GAsyncReadyCallback) response_cb, leaving);
}

static char *
dup_changes (Leaving *leaving)
{
  g_autofree char *known = g_strdup_printf (
      ngettext ("What you are about to remove changed %'u file. That stays as it is, unless you "
                "undo it now.",
                "What you are about to remove changed %'u files. They stay as they are, unless you "
                "undo that now.",
                leaving->n_files),
      leaving->n_files);

  if (!leaving->unread)
    return g_steal_pointer (&known);
  return g_strconcat (known, "\n\n",
                      _ ("It may have changed more: some of the record could not be read. What "
                         "is not known stays as it is."),
                      NULL);
}

static void
present (Leaving *leaving)
{
  g_autofree char *changes = dup_changes (leaving);
  AdwDialog *dialog = adw_alert_dialog_new (_ ("Undo File Changes?"), changes);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "undo",
                                  _ ("_Undo Changes"), "keep", _ ("_Keep Changes"), NULL);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "keep");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog), GTK_WIDGET (leaving->chat), NULL,
                           (GAsyncReadyCallback) response_cb, leaving);
}

/* --- Looking ---------------------------------------------------------------------------------- */

static void read_next (Leaving *leaving); /* one after the other */

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Leaving) leaving = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetTurnChanges) changes = gadget_turn_changes_read_finish (result, &error);
  guint n = 0;

  if (changes == NULL)
    {
      g_message ("what a turn changed could not be read: %s", error->message);
      leaving->unread = TRUE;
    }
  else if (gadget_turn_changes_get_recording (changes) == GADGET_RECORDING_PENDING)
    {
      say (leaving, _ ("Its changes are still being recorded. Try again in a moment."));
      return;
    }
  else
    n = gadget_turn_changes_get_n_files (changes) - gadget_turn_changes_get_n_undone (changes);
  leaving->n_files += n;
  if (n > 0)
    leaving->next++;
  else
    g_ptr_array_remove_index (leaving->turns, leaving->next);
  read_next (g_steal_pointer (&leaving));
}

static void
read_next (Leaving *leaving)
{
  if (leaving->next < leaving->turns->len)
    {
      gadget_turn_changes_read_async (get_keeper (leaving->chat), get_id (leaving), read_cb,
                                      leaving);
      return;
    }
  if (leaving->n_files > 0)
    {
      present (leaving);
      return;
    }
  if (leaving->unread)
    {
      present_unread (leaving);
      return;
    }
  go_on (leaving);
  leaving_free (leaving);
}

/* Without a call it has changed nothing. */
gboolean
_gadget_chat_has_calls (GadgetTurn *turn)
{
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    if (gadget_item_get_kind (gadget_turn_get_item (turn, i)) == GADGET_ITEM_TOOL_CALL)
      return TRUE;
  return FALSE;
}

/* Calls @func, now or later, when nothing stands against the leaving of @n turns from @first on. */
void
_gadget_chat_ask_about_changes (GadgetChat *self, guint first, guint n, GadgetChatLeaveFunc func,
                                gpointer user_data, GDestroyNotify free_data)
{
  Leaving *leaving = g_new0 (Leaving, 1);

  leaving->chat = g_object_ref (self);
  leaving->session = g_object_ref (self->session);
  leaving->turns = g_ptr_array_new_with_free_func (g_free);
  leaving->func = func;
  leaving->user_data = user_data;
  leaving->free_data = free_data;
  for (guint i = first; i < first + n && get_keeper (self) != NULL; i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (self->session, i);

      if (_gadget_chat_has_calls (turn))
        g_ptr_array_add (leaving->turns, g_strdup (gadget_turn_get_id (turn)));
    }
  read_next (leaving);
}
