/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A breakpoint takes its child out of sight for a frame or two, and the focus moves on to the next
 * best widget. It comes back when the one that lost it is in sight again. When that stays out of
 * sight, as a sidebar that has no room any more, the message entry gets it.
 *
 * Nothing else moves the focus here: what keeps it in sight has it still. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

/* How long a breakpoint may keep its child out of sight. */
#define FRAMES 4

static void
give_back (GtkWidget *widget)
{
  /* An entry would select its text, and the next key replace it. */
  if (GTK_IS_TEXT (widget))
    gtk_text_grab_focus_without_selecting (GTK_TEXT (widget));
  else
    gtk_widget_grab_focus (widget);
}

static gboolean
frame_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  if (self->lost_focus != NULL && gtk_widget_get_mapped (self->lost_focus))
    give_back (self->lost_focus);
  else if (--self->frames_to_focus > 0)
    return G_SOURCE_CONTINUE;
  else if (self->lost_focus != NULL && self->at_breakpoint)
    gadget_chat_focus (self->chat);
  self->frames_to_focus = 0;
  self->at_breakpoint = FALSE;
  g_clear_weak_pointer (&self->lost_focus);
  return G_SOURCE_REMOVE;
}

static void
watch_frames (GadgetWindow *self)
{
  if (self->frames_to_focus == 0)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), frame_cb, NULL, NULL);
  self->frames_to_focus = FRAMES;
}

static void
breakpoint_changed_cb (GadgetWindow *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->at_breakpoint = TRUE;
  watch_frames (self);
}

/* Is told after the focus moved. */
static void
focus_changed_cb (GadgetWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *before = self->focus;

  if (before != NULL && before != focus && gtk_widget_get_mapped (GTK_WIDGET (self))
      && !gtk_widget_get_mapped (before))
    {
      /* GTK may move it on several times; it comes back to where it was at first. */
      if (self->lost_focus == NULL)
        g_set_weak_pointer (&self->lost_focus, before);
      watch_frames (self);
    }
  g_set_weak_pointer (&self->focus, focus);
}

void
_gadget_window_watch_focus (GadgetWindow *self)
{
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (focus_changed_cb), NULL);
  g_signal_connect (self, "notify::current-breakpoint", G_CALLBACK (breakpoint_changed_cb), NULL);
}

void
_gadget_window_unwatch_focus (GadgetWindow *self)
{
  g_signal_handlers_disconnect_by_func (self, focus_changed_cb, NULL);
  g_clear_weak_pointer (&self->lost_focus);
  g_clear_weak_pointer (&self->focus);
}
