/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Editing an earlier message in the composer, under a banner that says what sending does. Esc ends
 * the edit and is consumed, so it does not count as the first Esc of stopping. Changes that were
 * not sent can be restored from a toast. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "session/gadget-attachment.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

#define EDIT_KEY "gadget-edit"

/* A changed message that was not sent. */
typedef struct
{
  GadgetSession *session;
  char *turn_id;
  char *text;
  GPtrArray *attachments; /* (nullable) */
} Edit;

static void
edit_free (gpointer data)
{
  Edit *edit = data;

  g_object_unref (edit->session);
  g_free (edit->turn_id);
  g_free (edit->text);
  g_clear_pointer (&edit->attachments, g_ptr_array_unref);
  g_free (edit);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Edit, edit_free)

static GadgetTurn *
find_turn (GadgetChat *self, const char *turn_id)
{
  const int index = gadget_session_find_turn (self->session, turn_id);

  return index >= 0 ? gadget_session_get_turn (self->session, (guint) index) : NULL;
}

/* Returns what the user changed, or NULL when nothing is edited or nothing was changed. (transfer
 * full) */
static Edit *
dup_changed (GadgetChat *self)
{
  GadgetTurn *turn = self->editing != NULL ? find_turn (self, self->editing) : NULL;
  Edit *edit;

  if (turn == NULL
      || gadget_composer_holds (self->composer, gadget_turn_get_prompt (turn),
                                gadget_attachments_get (turn)))
    return NULL;
  edit = g_new0 (Edit, 1);
  edit->session = g_object_ref (self->session);
  edit->turn_id = g_strdup (self->editing);
  edit->text = gadget_composer_dup_text (self->composer);
  edit->attachments = gadget_composer_dup_attachments (self->composer);
  return edit;
}

static void undo_cb (AdwToast *toast, GadgetChat *self);

/* Offers to restore a discarded edit. @edit: (transfer full) (nullable) */
static void
offer_discarded (GadgetChat *self, Edit *edit)
{
  AdwToast *toast;

  if (edit == NULL)
    return;
  toast = gadget_toast_new (_ ("Edit discarded"));
  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_timeout (toast, GADGET_TOAST_UNDO_S);
  g_object_set_data_full (G_OBJECT (toast), EDIT_KEY, edit, edit_free);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (undo_cb), self, G_CONNECT_DEFAULT);
  gadget_chat_add_toast (self, toast);
}

/* Returns FALSE when the composer cannot begin an edit now. */
static gboolean
begin (GadgetChat *self, GadgetTurn *turn, const char *text, GPtrArray *attachments)
{
  g_autoptr (Edit) other = dup_changed (self);

  if (!gadget_composer_begin_edit (self->composer, text, attachments))
    return FALSE;
  offer_discarded (self, g_steal_pointer (&other));
  g_set_str (&self->editing, gadget_turn_get_id (turn));
  gtk_revealer_set_reveal_child (self->edit_banner, TRUE);
  gadget_composer_focus (self->composer);
  gadget_announce (GTK_WIDGET (self), gtk_label_get_text (GTK_LABEL (self->edit_text)),
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  return TRUE;
}

/* Restores a discarded edit, in its own chat unless that was deleted. Where the turn is gone or
 * cannot be edited, the text becomes a draft. */
static void
undo_cb (AdwToast *toast, GadgetChat *self)
{
  const Edit *edit = g_object_get_data (G_OBJECT (toast), EDIT_KEY);
  GadgetTurn *turn;

  if (gadget_session_get_deletion (edit->session) == GADGET_DELETION_NONE)
    g_signal_emit_by_name (self, "open-session", edit->session);
  turn = find_turn (self, edit->turn_id);
  if (turn != NULL && begin (self, turn, edit->text, edit->attachments))
    return;
  _gadget_chat_end_edit (self);
  gadget_composer_bring_back (self->composer, edit->text, edit->attachments);
  gadget_composer_focus (self->composer);
}

void
_gadget_chat_begin_edit (GadgetChat *self, GadgetTurn *turn)
{
  if (!begin (self, turn, gadget_turn_get_prompt (turn), gadget_attachments_get (turn)))
    gadget_chat_add_toast (
        self, gadget_toast_new (_ ("Wait until the attachment has been read, then edit")));
}

/* Called when the edit was sent: the composer shows the earlier draft again. */
void
_gadget_chat_edit_sent (GadgetChat *self)
{
  g_clear_pointer (&self->editing, g_free);
  gadget_composer_end_edit (self->composer);
  gtk_revealer_set_reveal_child (self->edit_banner, FALSE);
}

/* Ends the edit without sending, and offers to restore what was changed. Returns FALSE when nothing
 * was edited. */
gboolean
_gadget_chat_end_edit (GadgetChat *self)
{
  g_autoptr (Edit) edit = NULL;

  if (self->editing == NULL)
    return FALSE;
  edit = dup_changed (self);
  _gadget_chat_edit_sent (self);
  offer_discarded (self, g_steal_pointer (&edit));
  return TRUE;
}

/* Called when the turns of the chat have changed, or it was deleted. When the edited turn is gone
 * there is nothing that sending could replace, so the edited text becomes a normal draft. */
void
_gadget_chat_check_edit (GadgetChat *self)
{
  if (self->editing == NULL
      || (find_turn (self, self->editing) != NULL
          && gadget_session_get_deletion (self->session) == GADGET_DELETION_NONE))
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

  /* The bubble phase comes after the widgets below, such as a popover or an input method. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_BUBBLE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
