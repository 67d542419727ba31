/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The queued messages, above the text. A queued message that is edited goes into the composer, and
 * back to its place in the queue when it is queued again. */

#define G_LOG_DOMAIN "gadget-composer-queue"

#include "config.h"

#include "gadget-composer-private.h"

#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-toast.h"
#include "ui/markdown/gadget-markdown-beginning.h"

#include <glib/gi18n.h>

#define REMOVED_KEY "gadget-removed"

void
_gadget_composer_forget_place (GadgetComposer *self)
{
  self->has_place = FALSE;
  g_clear_object (&self->place_before);
}

static void
remember_place (GadgetComposer *self, GadgetQueuedMessage *message, guint index)
{
  _gadget_composer_forget_place (self);
  self->has_place = TRUE;
  self->place = index;
  self->place_before = g_list_model_get_item (gadget_session_get_queue (self->session), index);
  self->place_steering = gadget_queued_message_get_steering (message);
}

/* Finds the place for a message again: before the message that followed it, else at its old index;
 * other messages may have been sent or moved meanwhile. @before: (nullable): the message that
 * followed it, NULL when it was the last */
static guint
find_place (GadgetSession *session, guint place, GadgetQueuedMessage *before)
{
  GListModel *queue = gadget_session_get_queue (session);
  const guint n = g_list_model_get_n_items (queue);

  for (guint i = 0; i < n && before != NULL; i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      if (message == before)
        return i;
    }
  return before != NULL ? MIN (place, n) : n;
}

static void
announce_queued (GadgetComposer *self, GadgetQueuedMessage *message)
{
  g_autofree char *beginning = gadget_text_dup_beginning (gadget_queued_message_get_text (message));
  g_autofree char *text = NULL;

  /* Translators: said by a screen reader. The first sentence of the user's message follows */
  text = g_strdup_printf (gadget_queued_message_get_steering (message)
                              ? _ ("Queued for the next step: %s")
                              : _ ("Queued: %s"),
                          beginning);
  gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/**
 * gadget_composer_enqueue:
 * @text: the text of the message
 * @attachments: (nullable) (element-type GadgetAttachment): its attachments
 * @steering: whether it is for the next step of the turn that runs
 *
 * Puts a message into the queue of the chat. If a queued message of the same kind is being edited,
 * the message goes to its place, and otherwise after the others of its kind.
 */
void
gadget_composer_enqueue (GadgetComposer *self, const char *text, GPtrArray *attachments,
                         gboolean steering)
{
  g_autoptr (GadgetQueuedMessage) message = NULL;

  g_return_if_fail (GADGET_IS_COMPOSER (self) && text != NULL);

  steering = steering || (self->has_place && self->place_steering);
  message = steering ? gadget_queued_message_new_steering (text) : gadget_queued_message_new (text);
  gadget_attachments_set (message, attachments);
  if (self->has_place && self->place_steering == steering)
    gadget_session_insert_queued (
        self->session, find_place (self->session, self->place, self->place_before), message);
  else
    gadget_session_enqueue_message (self->session, message);
  _gadget_composer_forget_place (self);
  announce_queued (self, message);
}

static void
send_queued_cb (GadgetComposer *self, guint index)
{
  g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_SEND_QUEUED], 0, index);
}

/* Makes a queued message a part of the draft. An edit of an earlier message ends first, and nothing
 * happens while the draft is still being read. */
static void
edit_queued_cb (GadgetComposer *self, guint index)
{
  g_autoptr (GadgetQueuedMessage) message = NULL;

  if (self->saved_draft_text != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "session.stop-editing", NULL);
  if (!_gadget_composer_keeps_draft (self))
    return;
  message = gadget_session_take_queued (self->session, index);
  if (message == NULL)
    return;
  remember_place (self, message, index);
  gadget_composer_bring_back (self, gadget_queued_message_get_text (message),
                              gadget_attachments_get (message));
  /* The draft is saved before the queue, so that the message is in the store all the time. */
  _gadget_composer_save_draft (self);
  gadget_composer_focus (self);
}

/* --- Removing ----------------------------------------------------------------------------------
 */

/* The data of a toast. */
typedef struct
{
  GadgetSession *session;
  GadgetQueuedMessage *message;
  GadgetQueuedMessage *before; /* (nullable): the message that followed it */
  guint place;
} Removed;

static void
removed_free (gpointer data)
{
  Removed *removed = data;

  g_object_unref (removed->session);
  g_object_unref (removed->message);
  g_clear_object (&removed->before);
  g_free (removed);
}

static void
undo_cb (AdwToast *toast, GadgetComposer *self)
{
  const Removed *removed = g_object_get_data (G_OBJECT (toast), REMOVED_KEY);

  if (self->engine == NULL)
    return;
  /* The chat was deleted and takes no messages, so this one goes into the composer. */
  if (gadget_session_get_deletion (removed->session) != GADGET_DELETION_NONE)
    {
      gadget_composer_bring_back (self, gadget_queued_message_get_text (removed->message),
                                  gadget_attachments_get (removed->message));
      gadget_composer_focus (self);
      return;
    }
  gadget_session_insert_queued (removed->session,
                                find_place (removed->session, removed->place, removed->before),
                                removed->message);
  /* The turn that the message was to steer, or waited for, may have ended. */
  if (gadget_session_get_active_run (removed->session) == NULL
      && gadget_session_get_remote_run (removed->session) == NULL)
    {
      gadget_session_end_steering (removed->session);
      gadget_session_set_queue_paused (removed->session, TRUE);
    }
  gadget_engine_save (self->engine, removed->session);
  gadget_composer_focus (self);
}

static void
remove_queued_cb (GadgetComposer *self, guint index)
{
  g_autoptr (AdwToast) toast = gadget_toast_new (_ ("Message removed"));
  GadgetQueuedMessage *message = gadget_session_take_queued (self->session, index);
  Removed *removed;

  if (message == NULL)
    return;
  removed = g_new0 (Removed, 1);
  removed->session = g_object_ref (self->session);
  removed->message = message;
  removed->before = g_list_model_get_item (gadget_session_get_queue (self->session), index);
  removed->place = index;
  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_timeout (toast, GADGET_TOAST_UNDO_S);
  g_object_set_data_full (G_OBJECT (toast), REMOVED_KEY, removed, removed_free);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (undo_cb), self, G_CONNECT_DEFAULT);
  g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_TOAST], 0, toast);
}

static void
queue_changed_cb (GadgetComposer *self)
{
  if (self->engine != NULL && self->session != NULL)
    gadget_engine_save (self->engine, self->session);
}

void
_gadget_composer_init_queue (GadgetComposer *self)
{
  g_signal_connect_swapped (self->queue, "send", G_CALLBACK (send_queued_cb), self);
  g_signal_connect_swapped (self->queue, "edit", G_CALLBACK (edit_queued_cb), self);
  g_signal_connect_swapped (self->queue, "remove", G_CALLBACK (remove_queued_cb), self);
  g_signal_connect_swapped (self->queue, "changed", G_CALLBACK (queue_changed_cb), self);
  g_signal_connect_swapped (self->queue, "focus-lost", G_CALLBACK (gadget_composer_focus), self);
}
