/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A message that is "/" and the beginning of a word is looked at as a command: those that begin so
 * are offered above it. Enter takes the one that is selected, Tab writes it out. What is no command
 * is a message like any other, and so is all that follows after Esc closed the offer. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

#include "gadget-suggestions.h"

#include <glib/gi18n.h>

static const struct
{
  const char *name;
  const char *detail;
  const char *action; /* (nullable): of the window or the chat */
} commands[] = {
  { "/new", N_ ("Begin a new chat"), "win.new-chat" },
  { "/model", N_ ("Choose the model that answers"), NULL },
  { "/mode", N_ ("Choose what may be done without asking"), NULL },
  { "/workspace", N_ ("Choose the folder to work in"), "session.choose-workspace" },
  { "/attach", N_ ("Attach files"), NULL },
  { "/copy", N_ ("Copy the last reply"), "win.copy-last-answer" },
  { "/retry", N_ ("Ask for the last reply again"), "session.retry-last" },
  { "/undo", N_ ("Undo what the last reply changed in files"), "session.undo-last" },
  { "/rename", N_ ("Rename this chat"), "win.rename-chat" },
};

static gboolean
is_open (GadgetComposer *self)
{
  return self->suggestions != NULL && gtk_widget_get_visible (GTK_WIDGET (self->suggestions));
}

static void
close_offer (GadgetComposer *self)
{
  if (is_open (self))
    gtk_popover_popdown (GTK_POPOVER (self->suggestions));
}

static void
run (GadgetComposer *self, const char *name)
{
  close_offer (self);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), "", 0);
  gadget_composer_focus (self);
  if (g_str_equal (name, "/model"))
    gadget_composer_tools_open_models (self->tools);
  else if (g_str_equal (name, "/mode"))
    gadget_composer_tools_open_modes (self->tools);
  else if (g_str_equal (name, "/attach"))
    g_signal_emit_by_name (self->attach_button, "clicked");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (commands[i].action != NULL && g_str_equal (commands[i].name, name))
      gtk_widget_activate_action (GTK_WIDGET (self), commands[i].action, NULL);
}

static void
chosen_cb (GadgetComposer *self, const char *name)
{
  run (self, name);
}

static void
open_offer (GadgetComposer *self)
{
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (self->card, GTK_WIDGET (self), &bounds))
    return;
  gtk_popover_set_pointing_to (
      GTK_POPOVER (self->suggestions),
      &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width, 1 });
  if (!is_open (self))
    gtk_popover_popup (GTK_POPOVER (self->suggestions));
}

static void
fill (GadgetComposer *self, const char *text)
{
  guint selected = 0;

  if (self->suggestions == NULL)
    {
      self->suggestions = GADGET_SUGGESTIONS (gadget_suggestions_new ());
      gtk_widget_set_parent (GTK_WIDGET (self->suggestions), GTK_WIDGET (self));
      g_signal_connect_object (self->suggestions, "chosen", G_CALLBACK (chosen_cb), self,
                               G_CONNECT_SWAPPED);
    }
  gadget_suggestions_clear (self->suggestions, self->narrow);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_has_prefix (commands[i].name, text))
      {
        /* "/mode" is whole, though "/model" begins so as well. */
        if (g_str_equal (commands[i].name, text))
          selected = gadget_suggestions_get_n (self->suggestions);
        gadget_suggestions_add (self->suggestions, commands[i].name, commands[i].name,
                                _ (commands[i].detail));
      }
  gadget_suggestions_select (self->suggestions, selected);
}

/* After every change of the text. */
void
_gadget_composer_update_commands (GadgetComposer *self)
{
  g_autofree char *text = gadget_composer_dup_text (self);

  if (*text != '/' || self->session == NULL || !gtk_widget_is_focus (GTK_WIDGET (self->text)))
    {
      close_offer (self);
      return;
    }
  fill (self, text);
  if (gadget_suggestions_get_n (self->suggestions) > 0)
    open_offer (self);
  else
    close_offer (self);
}

/* Returns whether the key was meant for what is offered. */
gboolean
_gadget_composer_command_key (GadgetComposer *self, guint keyval)
{
  const GadgetSuggestionsKey key = gadget_suggestions_press (self->suggestions, keyval);
  g_autofree char *name = NULL;

  if (key == GADGET_SUGGESTIONS_KEY_OTHER)
    return FALSE;
  /* What follows makes the offer another one. */
  name = g_strdup (gadget_suggestions_get_selected (self->suggestions));
  if (key == GADGET_SUGGESTIONS_KEY_CLOSE)
    close_offer (self);
  else if (key == GADGET_SUGGESTIONS_KEY_COMPLETE)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), name, -1);
  else if (key == GADGET_SUGGESTIONS_KEY_CHOOSE)
    run (self, name);
  return TRUE;
}

void
_gadget_composer_close_commands (GadgetComposer *self)
{
  close_offer (self);
}

void
_gadget_composer_drop_commands (GadgetComposer *self)
{
  g_clear_pointer ((GtkWidget **) &self->suggestions, gtk_widget_unparent);
}
