/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Actions on the last turn that can be undone or tried again, for the menu and the keyboard. They
 * find that turn, and activate the action of the turn's own button. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "ui/common/gadget-toast.h"
#include "ui/transcript/model/gadget-undo-offer.h"

#include <glib/gi18n.h>

/* --- Undo --- */

/* A search for the last turn that changed files, from the last turn to the first. */
typedef struct
{
  GadgetChat *chat;
  GadgetSession *session;
  GPtrArray *turns; /* (element-type utf8): ids of the turns that have calls, in the order of the
                     * chat */
} Search;

static void
search_free (Search *search)
{
  if (search->chat->undo_searched == search->session)
    search->chat->undo_searched = NULL;
  g_object_unref (search->chat);
  g_object_unref (search->session);
  g_ptr_array_unref (search->turns);
  g_free (search);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

static const char *
get_last (const Search *search)
{
  return g_ptr_array_index (search->turns, search->turns->len - 1);
}

static void search_next (Search *search); /* continues the search; takes @search */

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Search) search = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetTurnChanges) changes = gadget_turn_changes_read_finish (result, &error);
  GadgetUndoOffer offer;

  /* The user may have gone to another chat meanwhile. */
  if (search->chat->session != search->session)
    return;
  /* The search ends here: undoing an older turn instead is not what the user meant. */
  if (changes == NULL)
    {
      g_message ("what a turn changed could not be read: %s", error->message);
      gadget_chat_show_toast (search->chat, _ ("The Changes Could Not Be Read"));
      return;
    }
  offer = gadget_undo_offer_of_changes (changes);
  if (offer == GADGET_UNDO_OFFER_WAIT)
    {
      gadget_chat_show_toast (search->chat,
                              _ ("Its changes are still being recorded. Try again in a moment."));
      return;
    }
  if (offer == GADGET_UNDO_OFFER_UNDO)
    {
      gtk_widget_activate_action (GTK_WIDGET (search->chat), "session.undo-changes", "s",
                                  get_last (search));
      return;
    }
  g_ptr_array_set_size (search->turns, (int) search->turns->len - 1);
  search_next (g_steal_pointer (&search));
}

static void
search_next (Search *search)
{
  if (search->turns->len > 0)
    {
      gadget_turn_changes_read_async (
          gadget_agent_get_snapshot_service (gadget_engine_get_agent (search->chat->engine)),
          get_last (search), read_cb, search);
      return;
    }
  gadget_chat_show_toast (search->chat, _ ("There are no changes to undo in this chat"));
  search_free (search);
}

/* The toast does not wait until that of the undo is gone. */
static void
report_undoing (GadgetChat *self)
{
  AdwToast *toast = gadget_toast_new (
      _ ("An undo is running in this chat. Wait until it has ended, or stop it."));

  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  gadget_chat_add_toast (self, toast);
}

static void
undo_last_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *obstacle = _gadget_chat_get_obstacle (self);
  Search *search;

  if (self->session == NULL || self->engine == NULL
      || gadget_agent_get_snapshot_service (gadget_engine_get_agent (self->engine)) == NULL)
    return;
  if (_gadget_chat_is_undoing (self))
    {
      report_undoing (self);
      return;
    }
  if (obstacle != NULL)
    {
      gadget_chat_show_toast (self, obstacle);
      return;
    }
  /* The dialog of the search that goes on is about to be there. */
  if (self->undo_searched == self->session)
    return;
  self->undo_searched = self->session;
  search = g_new0 (Search, 1);
  search->chat = g_object_ref (self);
  search->session = g_object_ref (self->session);
  search->turns = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < gadget_session_get_n_turns (self->session); i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (self->session, i);

      if (gadget_turn_has_calls (turn))
        g_ptr_array_add (search->turns, g_strdup (gadget_turn_get_id (turn)));
    }
  search_next (search);
}

/* --- Retry --- */

/* A failed turn is asked again after it, as its error card does; the reply of any other turn is
 * replaced, as its own button does. */
static void
retry_last_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  GadgetTurn *turn = self->session != NULL ? gadget_session_get_last_turn (self->session) : NULL;

  if (turn == NULL)
    gadget_chat_show_toast (self, _ ("There is nothing to try again yet"));
  else if (gadget_session_is_working (self->session)
           || gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING)
    gadget_chat_show_toast (
        self, _ ("A turn is running in this chat. Wait until it has ended, or stop it."));
  else
    gtk_widget_activate_action (
        widget,
        gadget_turn_get_status (turn) == GADGET_TURN_ERROR ? "session.retry" : "session.regenerate",
        "s", gadget_turn_get_id (turn));
}

void
_gadget_chat_install_commands (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "session.undo-last", NULL, undo_last_action);
  gtk_widget_class_install_action (widget_class, "session.retry-last", NULL, retry_last_action);
}
