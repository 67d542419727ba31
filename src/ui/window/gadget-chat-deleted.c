/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another process deleted the chat that is shown. The chat stays in view and the focus where it is,
 * so that a user who is typing can go on; a banner says what happened. Nothing can be sent any
 * more; the draft and the queued messages are kept for a new chat. */

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

/* Called when another chat, which is not deleted, is shown. */
void
_gadget_chat_watch_deletion (GadgetChat *self, GadgetSession *before)
{
  if (before != NULL)
    g_signal_handlers_disconnect_by_func (before, deletion_cb, self);
  g_signal_connect_object (self->session, "notify::deletion", G_CALLBACK (deletion_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_revealer_set_reveal_child (self->deleted_banner, FALSE);
}

/* Returns FALSE, and announces the banner, when the chat is deleted or about to be. */
gboolean
_gadget_chat_takes_messages (GadgetChat *self)
{
  if (gadget_session_get_deletion (self->session) == GADGET_DELETION_NONE)
    return TRUE;
  announce (self);
  return FALSE;
}
