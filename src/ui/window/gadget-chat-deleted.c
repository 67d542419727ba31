/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chat that is shown was deleted by another process. It stays in view, and the focus where it
 * is: who is typing goes on, in the same place, and reads here what has happened. Nothing can be
 * sent there any more; what is written, or waited to be sent, is kept for the new chat. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "ui/common/gadget-announcer.h"

static gboolean
is_deleted (GadgetChat *self)
{
  return self->session != NULL
         && gadget_session_get_deletion (self->session) == GADGET_DELETION_DONE;
}

static void
announce (GadgetChat *self)
{
  gadget_announce (GTK_WIDGET (self), gtk_label_get_text (GTK_LABEL (self->deleted_text)),
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

static void
deletion_cb (GadgetChat *self)
{
  if (!is_deleted (self))
    return;
  _gadget_chat_check_edit (self);
  gadget_composer_note_deleted (self->composer);
  _gadget_chat_update_turn_actions (self);
  gtk_revealer_set_reveal_child (self->deleted_banner, TRUE);
  announce (self);
}

/* Another chat is shown, which is there. */
void
_gadget_chat_watch_deletion (GadgetChat *self, GadgetSession *before)
{
  if (before != NULL)
    g_signal_handlers_disconnect_by_func (before, deletion_cb, self);
  g_signal_connect_object (self->session, "notify::deletion", G_CALLBACK (deletion_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_revealer_set_reveal_child (self->deleted_banner, FALSE);
}

/* FALSE when something is to be sent to a chat that was deleted, which is said then. */
gboolean
_gadget_chat_takes_messages (GadgetChat *self)
{
  if (gadget_session_get_deletion (self->session) == GADGET_DELETION_NONE)
    return TRUE;
  announce (self);
  return FALSE;
}
