/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An earlier message is edited in the composer, under a banner that says what sending does. Esc
 * ends it, and is not seen by anybody else then: it is not the first Esc of stopping. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "session/gadget-attachment.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

void
_gadget_chat_begin_edit (GadgetChat *self, GadgetTurn *turn)
{
  if (!gadget_composer_begin_edit (self->composer, gadget_turn_get_prompt (turn),
                                   gadget_attachments_get (turn)))
    {
      gadget_chat_add_toast (
          self, gadget_toast_new (_ ("Wait until the attachment has been read, then edit")));
      return;
    }
  g_set_str (&self->editing, gadget_turn_get_id (turn));
  gtk_revealer_set_reveal_child (self->edit_banner, TRUE);
  gadget_composer_focus (self->composer);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_accessible_announce (GTK_ACCESSIBLE (self),
                             gtk_label_get_text (GTK_LABEL (self->edit_text)),
                             GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* What was being written before is back. FALSE when nothing was edited. */
gboolean
_gadget_chat_end_edit (GadgetChat *self)
{
  if (self->editing == NULL)
    return FALSE;
  g_clear_pointer (&self->editing, g_free);
  gadget_composer_end_edit (self->composer);
  gtk_revealer_set_reveal_child (self->edit_banner, FALSE);
  return TRUE;
}

/* The turns of the chat are others. When that which is edited is gone, sending could replace
 * nothing: what was made of its message is a draft like any other. */
void
_gadget_chat_check_edit (GadgetChat *self)
{
  if (self->editing == NULL || gadget_session_find_turn (self->session, self->editing) >= 0)
    return;
  g_clear_pointer (&self->editing, g_free);
  gadget_composer_keep_edit (self->composer);
  gtk_revealer_set_reveal_child (self->edit_banner, FALSE);
}

static gboolean
key_pressed_cb (GtkEventController *controller, guint keyval, guint keycode, GdkModifierType state,
                GadgetChat *self)
{
  if (keyval != GDK_KEY_Escape || (state & GDK_SHIFT_MASK) != 0 || !_gadget_chat_end_edit (self))
    return GDK_EVENT_PROPAGATE;
  gadget_composer_focus (self->composer);
  return GDK_EVENT_STOP;
}

void
_gadget_chat_edit_init (GadgetChat *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  /* Behind everything below: a popover, an input method. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_BUBBLE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
