/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The button that sends and stops, and the button beside it that queues. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

#include "ui/common/gadget-pointer-input.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* Returns FALSE while an attachment is still being read. */
gboolean
_gadget_composer_can_send (GadgetComposer *self)
{
  return self->session != NULL && !gadget_attachment_list_is_reading (self->attachments)
         && (_gadget_composer_has_text (self)
             || gadget_attachment_list_has_any (self->attachments));
}

/* Returns a text for what Cancel would stop now. */
static char *
dup_hint (GadgetComposer *self)
{
  g_autofree char *counts =
      self->receipt != NULL ? gadget_receipt_dup_in_flight_counts (self->receipt) : NULL;

  if (counts == NULL || *counts == '\0')
    return g_strdup (_ ("Stops this reply"));
  /* Translators: what a button does; %s is such as "1 connection, 2 commands" */
  return g_strdup_printf (_ ("Stops %s"), counts);
}

static void
draw_hint (GadgetComposer *self, const char *name, gboolean icon_only)
{
  const gboolean cancel = gadget_stop_control_get_state (self->control) == GADGET_STOP_STATE_CANCEL;
  g_autofree char *hint = cancel ? dup_hint (self) : NULL;
  g_autofree char *both = cancel && icon_only ? g_strdup_printf ("%s\n%s", name, hint) : NULL;

  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), both != NULL   ? both
                                                          : hint != NULL ? hint
                                                          : icon_only    ? name
                                                                         : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, hint != NULL ? hint : "",
                                  -1);
}

void
_gadget_composer_update_button_label (GadgetComposer *self)
{
  GtkWidget *button = GTK_WIDGET (self->button);
  GadgetStopState state = gadget_stop_control_get_state (self->control);
  gboolean send = state == GADGET_STOP_STATE_SEND;
  const char *name = send                                ? _ ("Send")
                     : state == GADGET_STOP_STATE_CANCEL ? _ ("Cancel")
                                                         : _ ("Aborting…");
  gboolean icon_only = send || self->narrow;

  gtk_image_set_from_icon_name (self->button_icon,
                                send ? "gadget-send-symbolic" : "media-playback-stop-symbolic");
  gtk_label_set_label (self->button_label, name);
  gtk_widget_set_visible (GTK_WIDGET (self->button_label), !icon_only);
  draw_hint (self, name, icon_only);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  gadget_ui_set_css_class (button, "suggested-action", send);
  gadget_ui_set_css_class (button, "destructive-action", !send);
  gadget_ui_set_css_class (button, "circular", icon_only);
  gadget_ui_set_css_class (button, "composer-stop", !icon_only);
}

/* In a narrow window the button shows an icon, because its label would leave no space for the
 * model's name. */
void
_gadget_composer_update_queue_button_label (GadgetComposer *self)
{
  AdwSplitButton *button = ADW_SPLIT_BUTTON (self->queue_button);
  GtkAccessible *inside;
  GtkWidget *icon;

  if (!self->narrow)
    {
      adw_split_button_set_label (button, _ ("Queue"));
      return;
    }
  icon = gtk_image_new_from_icon_name ("gadget-queue-symbolic");
  adw_split_button_set_child (button, icon);
  /* A button is labelled by its child, and an image has no text, so the button gets its label
   * here. */
  inside = GTK_ACCESSIBLE (gtk_widget_get_ancestor (icon, GTK_TYPE_BUTTON));
  gtk_accessible_reset_relation (inside, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (inside, GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Queue"), -1);
}

/* Follows the receipt of the last turn while that is running, for the button's hint. */
static void
follow_receipt (GadgetComposer *self)
{
  GadgetTurn *turn = NULL;
  GadgetReceipt *receipt = NULL;

  if (self->session != NULL
      && gadget_stop_control_get_phase (self->control) == GADGET_STOP_PHASE_RUNNING)
    turn = gadget_session_get_last_turn (self->session);
  if (turn != NULL)
    receipt = gadget_turn_get_receipt (turn);
  if (receipt == self->receipt)
    return;
  if (self->receipt != NULL)
    g_signal_handlers_disconnect_by_func (self->receipt, _gadget_composer_update_button_label,
                                          self);
  g_set_object (&self->receipt, receipt);
  if (receipt != NULL)
    g_signal_connect_object (receipt, "changed", G_CALLBACK (_gadget_composer_update_button_label),
                             self, G_CONNECT_SWAPPED);
}

/* The button is insensitive for a deleted chat; Enter still submits, and announces why nothing is
 * sent. */
static gboolean
is_deleted (GadgetComposer *self)
{
  return self->session != NULL
         && gadget_session_get_deletion (self->session) != GADGET_DELETION_NONE;
}

void
_gadget_composer_update_buttons (GadgetComposer *self)
{
  gboolean sensitive = gadget_stop_control_get_sensitive (self->control);
  gboolean sendable = _gadget_composer_can_send (self);
  GadgetStopPhase phase = gadget_stop_control_get_phase (self->control);

  if (phase == GADGET_STOP_PHASE_IDLE)
    sensitive = sendable && !is_deleted (self);
  if (!sensitive && gtk_widget_is_focus (GTK_WIDGET (self->button)))
    gadget_composer_focus (self);
  follow_receipt (self);
  _gadget_composer_update_button_label (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->button), sensitive);
  gtk_widget_set_visible (self->queue_button, phase != GADGET_STOP_PHASE_IDLE && sendable);
  if (!sendable && gtk_widget_get_focus_child (self->command_note) != NULL)
    gadget_composer_focus (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "composer.send-as-text", sendable);
}

/* Emits "steer" when the message is to steer a running turn; otherwise, also when the turn is about
 * to end, "submit". */
void
_gadget_composer_emit (GadgetComposer *self, const char *text, gboolean steering)
{
  const gboolean running =
      gadget_stop_control_get_phase (self->control) == GADGET_STOP_PHASE_RUNNING;
  const guint signal = steering && running ? GADGET_COMPOSER_STEER : GADGET_COMPOSER_SUBMIT;

  g_signal_emit (self, _gadget_composer_signals[signal], 0, text);
}

static void
send_text (GadgetComposer *self, gboolean steering)
{
  g_autofree char *text = gadget_composer_dup_text (self);

  if (_gadget_composer_can_send (self) && !_gadget_composer_take_command (self, text, steering))
    _gadget_composer_emit (self, text, steering);
}

void
_gadget_composer_submit (GadgetComposer *self)
{
  send_text (self, FALSE);
}

void
_gadget_composer_steer (GadgetComposer *self)
{
  send_text (self, TRUE);
}

static void
button_clicked_cb (GadgetComposer *self)
{
  const gboolean by_pointer = gadget_pointer_input_take (GTK_WIDGET (self->button));

  switch (gadget_stop_control_press (self->control, by_pointer))
    {
    case GADGET_STOP_ACTION_SEND:
      _gadget_composer_submit (self);
      break;
    case GADGET_STOP_ACTION_CANCEL:
      if (gtk_widget_is_focus (GTK_WIDGET (self->button)))
        gadget_composer_focus (self);
      g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_STOP], 0);
      break;
    case GADGET_STOP_ACTION_NONE:
    default:
      break;
    }
}

static void
queue_clicked_cb (GadgetComposer *self)
{
  gadget_composer_focus (self);
  _gadget_composer_submit (self);
}

void
_gadget_composer_init_button (GadgetComposer *self)
{
  gadget_pointer_input_watch (GTK_WIDGET (self->button));
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (button_clicked_cb), self);
  g_signal_connect_swapped (self->queue_button, "clicked", G_CALLBACK (queue_clicked_cb), self);
}
