/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Commands. A message that is "/" and the beginning of a command's name opens a popover with the
 * commands that begin so. Enter runs the selected one, Tab writes it out. A message that is exactly
 * a command is run also when it is sent without the popover.
 *
 * A message that begins with an unknown command, such as "/nwe", or has words after a known one is
 * probably not meant for the model: it is held back once, and sent when the user confirms that it
 * is text. A path is a message like any other. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

#include "gadget-suggestions.h"
#include "ui/common/gadget-announcer.h"

#include <glib/gi18n.h>

static void
open_models (GadgetComposer *self)
{
  gadget_composer_tools_open_models (self->tools);
}

static void
open_modes (GadgetComposer *self)
{
  gadget_composer_tools_open_modes (self->tools);
}

static void
attach (GadgetComposer *self)
{
  g_signal_emit_by_name (self->attach_button, "clicked");
}

/* In the order in which they are offered. */
static const struct
{
  const char *name;
  const char *detail;
  const char *action;             /* (nullable): of the window or the chat, without a parameter */
  void (*run) (GadgetComposer *); /* (nullable): for a command of the composer itself */
} commands[] = {
  { "/new", N_ ("Begin a new chat"), "win.new-chat", NULL },
  { "/model", N_ ("Choose the model that answers"), NULL, open_models },
  { "/mode", N_ ("Choose what may be done without asking"), NULL, open_modes },
  { "/workspace", N_ ("Choose the folder to work in"), "session.choose-workspace", NULL },
  { "/attach", N_ ("Attach files"), NULL, attach },
  { "/copy", N_ ("Copy the last reply"), "win.copy-last-answer", NULL },
  { "/retry", N_ ("Ask for the last reply again"), "session.retry-last", NULL },
  { "/undo", N_ ("Undo what the last reply changed in files"), "session.undo-last", NULL },
  { "/rename", N_ ("Rename this chat"), "win.rename-chat", NULL },
};

/* In bytes; a longer word is not taken for a command. */
#define LONGEST_COMMAND 40

static gboolean
is_open (GadgetComposer *self)
{
  return self->command_popover != NULL
         && gtk_widget_get_visible (GTK_WIDGET (self->command_popover));
}

void
_gadget_composer_close_commands (GadgetComposer *self)
{
  if (is_open (self))
    gtk_popover_popdown (GTK_POPOVER (self->command_popover));
}

static void
run (GadgetComposer *self, const char *name)
{
  _gadget_composer_close_commands (self);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), "", 0);
  gadget_composer_focus (self);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (!g_str_equal (commands[i].name, name))
        continue;
      if (commands[i].run != NULL)
        commands[i].run (self);
      else
        gtk_widget_activate_action (GTK_WIDGET (self), commands[i].action, NULL);
    }
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
      GTK_POPOVER (self->command_popover),
      &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width, 1 });
  if (!is_open (self))
    gtk_popover_popup (GTK_POPOVER (self->command_popover));
}

static void
fill (GadgetComposer *self, const char *text)
{
  guint selected = 0;

  if (self->command_popover == NULL)
    {
      self->command_popover = GADGET_SUGGESTIONS (gadget_suggestions_new ());
      gtk_widget_set_parent (GTK_WIDGET (self->command_popover), GTK_WIDGET (self));
      g_signal_connect_object (self->command_popover, "chosen", G_CALLBACK (chosen_cb), self,
                               G_CONNECT_SWAPPED);
    }
  gadget_suggestions_clear (self->command_popover, self->narrow);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_has_prefix (commands[i].name, text))
      {
        /* "/mode" is complete, although "/model" begins with it. */
        if (g_str_equal (commands[i].name, text))
          selected = gadget_suggestions_get_n (self->command_popover);
        gadget_suggestions_add (self->command_popover, commands[i].name, commands[i].name,
                                _ (commands[i].detail));
      }
  gadget_suggestions_select (self->command_popover, selected);
}

/* --- Sending ---------------------------------------------------------------------------------- */

static gboolean
is_known (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, word))
      return TRUE;
  return FALSE;
}

/* Returns the first word of @text when it is "/" followed by letters, digits, "-" or "_".
 * (transfer full) (nullable) */
static char *
dup_command_word (const char *text)
{
  const char *end;

  if (*text != '/' || !g_unichar_isalpha (g_utf8_get_char (text + 1)))
    return NULL;
  for (end = text + 1; *end != '\0' && !g_unichar_isspace (g_utf8_get_char (end));
       end = g_utf8_next_char (end))
    {
      const gunichar c = g_utf8_get_char (end);

      if ((!g_unichar_isalnum (c) && c != '-' && c != '_') || end - text > LONGEST_COMMAND)
        return NULL;
    }
  return g_strndup (text, (gsize) (end - text));
}

static void
send_as_text_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetComposer *self = GADGET_COMPOSER (widget);
  g_autofree char *text = gadget_composer_dup_text (self);

  if (!_gadget_composer_can_send (self))
    return;
  gadget_composer_focus (self);
  gtk_widget_set_visible (self->command_note, FALSE);
  /* The reply that it was to steer may have ended meanwhile; _gadget_composer_emit () handles
   * that. */
  _gadget_composer_emit (self, text, self->held_steering);
}

/* Runs @text when it is a command, and shows a question when it only begins like one. @steering is
 * kept for when the user confirms. Returns FALSE when the text is a message, which is to be sent.
 */
gboolean
_gadget_composer_take_command (GadgetComposer *self, const char *text, gboolean steering)
{
  g_autofree char *word = dup_command_word (text);
  g_autofree char *stripped = g_strchomp (g_strdup (text));
  g_autofree char *words = NULL;

  if (word == NULL)
    return FALSE;
  if (is_known (word) && g_str_equal (word, stripped))
    {
      run (self, word);
      return TRUE;
    }
  words = g_strdup_printf (is_known (word)
                               /* Translators: %s is a command, "/undo" */
                               ? _ ("“%s” takes no text. Send as text?")
                               /* Translators: %s is what was typed, "/foo" */
                               : _ ("Unknown command “%s”. Send as text?"),
                           word);
  self->held_steering = steering;
  gtk_label_set_label (self->command_note_label, words);
  gtk_widget_set_visible (self->command_note, TRUE);
  gadget_announce (GTK_WIDGET (self), words, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  return TRUE;
}

void
_gadget_composer_install_commands (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "composer.send-as-text", NULL,
                                   send_as_text_action);
}

/* Called after every change of the text. */
void
_gadget_composer_update_commands (GadgetComposer *self)
{
  g_autofree char *text = gadget_composer_dup_text (self);

  gtk_widget_set_visible (self->command_note, FALSE);
  if (*text != '/' || self->session == NULL || !gtk_widget_is_focus (GTK_WIDGET (self->text)))
    {
      _gadget_composer_close_commands (self);
      return;
    }
  fill (self, text);
  if (gadget_suggestions_get_n (self->command_popover) > 0)
    open_offer (self);
  else
    _gadget_composer_close_commands (self);
}

/* Returns whether the popover used the key. */
gboolean
_gadget_composer_command_key (GadgetComposer *self, guint keyval)
{
  const GadgetSuggestionsKey key = gadget_suggestions_press (self->command_popover, keyval);
  g_autofree char *name = NULL;

  if (key == GADGET_SUGGESTIONS_KEY_OTHER)
    return FALSE;
  /* A copy, because what follows changes the popover's rows. */
  name = g_strdup (gadget_suggestions_get_selected (self->command_popover));
  if (key == GADGET_SUGGESTIONS_KEY_CLOSE)
    _gadget_composer_close_commands (self);
  else if (key == GADGET_SUGGESTIONS_KEY_COMPLETE)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), name, -1);
  else if (key == GADGET_SUGGESTIONS_KEY_CHOOSE)
    run (self, name);
  return TRUE;
}

void
_gadget_composer_drop_commands (GadgetComposer *self)
{
  g_clear_pointer ((GtkWidget **) &self->command_popover, gtk_widget_unparent);
}
