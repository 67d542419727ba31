/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A menu button with a popover that has a row for each lasting answer. The digits of the card work
 * in the popover, too. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-lasting.h"

#include "gadget-ask-label.h"
#include "ui/transcript/rows/gadget-card.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define WIDTH 348 /* fits into a window of 360 pixels */
#define PADDING 12

/* The user data of a row of the menu. */
typedef struct
{
  GadgetAskLastingFunc chosen;
  gpointer user_data;
  const char *answer; /* static string */
} Row;

static void
row_clicked_cb (GtkWidget *button, Row *row)
{
  gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_ancestor (button, GTK_TYPE_POPOVER)));
  row->chosen (row->answer, row->user_data);
}

static void
free_row (gpointer row, GClosure *closure)
{
  g_free (row);
}

static char *
dup_duration (GadgetPrompt *prompt, const char *answer)
{
  const char *place = gadget_prompt_get_text (prompt, GADGET_PROMPT_PLACE);

  if (g_str_equal (answer, GADGET_PROMPT_ALLOW_SESSION))
    return g_strdup (_ ("Until the chat is deleted"));
  if (g_str_equal (answer, GADGET_PROMPT_ALLOW_WORKSPACE) && place != NULL && *place == '~')
    /* Translators: %s is a folder */
    return g_strdup_printf (_ ("In every chat in %s, until you revoke it in Preferences"), place);
  if (g_str_equal (answer, GADGET_PROMPT_ALLOW_WORKSPACE))
    return g_strdup (_ ("In every chat in this folder, until you revoke it in Preferences"));
  return g_strdup (_ ("In every chat, until you revoke it in Preferences"));
}

static GtkWidget *
make_row (GadgetPrompt *prompt, guint digit, const char *title, const Row *data)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, PADDING);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  g_autofree char *duration = dup_duration (prompt, data->answer);
  g_autofree char *digits = g_strdup_printf ("%u", digit);
  GtkWidget *chip = _gadget_card_digit_new (digits);
  GtkWidget *caption = _gadget_card_text_new (duration, "caption");

  gtk_widget_set_valign (chip, GTK_ALIGN_START);
  gtk_widget_add_css_class (caption, "dimmed");
  gtk_label_set_max_width_chars (GTK_LABEL (caption), 1);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (words), _gadget_card_text_new (title, NULL));
  gtk_box_append (GTK_BOX (words), caption);
  gtk_box_append (GTK_BOX (content), chip);
  gtk_box_append (GTK_BOX (content), words);
  gtk_button_set_child (GTK_BUTTON (button), content);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "lasting-row");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, duration,
                                  GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS, digits, -1);
  g_object_set_data (G_OBJECT (button), "answer", (gpointer) data->answer);
  g_signal_connect_data (button, "clicked", G_CALLBACK (row_clicked_cb),
                         g_memdup2 (data, sizeof *data), free_row, G_CONNECT_DEFAULT);
  return button;
}

static GtkWidget *
make_note (const char *text)
{
  GtkWidget *note = _gadget_card_text_new (text, "caption");

  gtk_widget_add_css_class (note, "dimmed");
  gtk_widget_set_margin_start (note, 10);
  gtk_widget_set_margin_end (note, 10);
  gtk_widget_set_margin_top (note, 8);
  gtk_widget_set_margin_bottom (note, 8);
  gtk_label_set_max_width_chars (GTK_LABEL (note), 1);
  return note;
}

/* --- Digits ------------------------------------------------------------------------------------
 */

static gboolean
digit_cb (GtkWidget *popover, GVariant *args, gpointer row)
{
  GadgetPrompt *prompt = g_object_get_data (G_OBJECT (popover), "prompt");

  /* On a card with a warning, a digit only moves the focus and does not answer. */
  if (gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING) != NULL)
    return gtk_widget_grab_focus (row);
  g_signal_emit_by_name (row, "clicked");
  return TRUE;
}

/* Key events of the card do not reach the popover, so it has shortcuts of its own. */
static void
add_digit (GtkShortcutController *controller, guint digit, GtkWidget *row)
{
  GtkShortcutTrigger *trigger =
      gtk_alternative_trigger_new (gtk_keyval_trigger_new (GDK_KEY_0 + digit, 0),
                                   gtk_keyval_trigger_new (GDK_KEY_KP_0 + digit, 0));

  gtk_shortcut_controller_add_shortcut (
      controller, gtk_shortcut_new (trigger, gtk_callback_action_new (digit_cb, row, NULL)));
}

static GtkWidget *
make_popover (GadgetPrompt *prompt, GtkWidget *button, GadgetAskLastingFunc chosen,
              gpointer user_data)
{
  const struct
  {
    const char *answer;
    guint digit;
    const char *title;
  } rows[] = {
    { GADGET_PROMPT_ALLOW_SESSION, 2, _ ("This Chat") },
    { GADGET_PROMPT_ALLOW_WORKSPACE, 3, _ ("This Folder") },
    { GADGET_PROMPT_ALLOW_ALWAYS, 4, _ ("Everywhere") },
  };
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *controller = gtk_shortcut_controller_new ();
  GPtrArray *buttons = g_ptr_array_new ();

  g_object_set_data_full (G_OBJECT (popover), "prompt", g_object_ref (prompt), g_object_unref);
  gtk_widget_add_controller (popover, controller);
  gtk_widget_set_size_request (box, WIDTH - 2 * PADDING, -1);
  if (gadget_prompt_get_rule_text (prompt) != NULL)
    gtk_box_append (GTK_BOX (box), make_note (gadget_prompt_get_rule_text (prompt)));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const Row data = { chosen, user_data, rows[i].answer };
      GtkWidget *row;

      if (gadget_prompt_get_choice_label (prompt, rows[i].answer) == NULL)
        continue;
      row = make_row (prompt, rows[i].digit, rows[i].title, &data);
      g_ptr_array_add (buttons, row);
      add_digit (GTK_SHORTCUT_CONTROLLER (controller), rows[i].digit, row);
      gtk_box_append (GTK_BOX (box), row);
    }
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (
      GTK_BOX (box),
      make_note (_ ("With what is said on the card. Anything else is asked about again.")));
  g_object_set_data_full (G_OBJECT (button), "rows", buttons, (GDestroyNotify) g_ptr_array_unref);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_widget_add_css_class (popover, "lasting");
  return popover;
}

static gboolean
is_lasting (GadgetPrompt *prompt)
{
  return gadget_prompt_get_choice_label (prompt, GADGET_PROMPT_ALLOW_SESSION) != NULL
         || gadget_prompt_get_choice_label (prompt, GADGET_PROMPT_ALLOW_WORKSPACE) != NULL
         || gadget_prompt_get_choice_label (prompt, GADGET_PROMPT_ALLOW_ALWAYS) != NULL;
}

GtkWidget *
gadget_ask_lasting_new (GadgetPrompt *prompt, GadgetAskLastingFunc chosen, gpointer user_data)
{
  GtkWidget *button;
  GtkWidget *label;

  g_return_val_if_fail (GADGET_IS_PROMPT (prompt) && chosen != NULL, NULL);

  button = gtk_menu_button_new ();
  label = gtk_label_new (_ ("Allow For…"));
  gtk_menu_button_set_child (
      GTK_MENU_BUTTON (button),
      gadget_ask_label_new (gtk_image_new_from_icon_name ("pan-down-symbolic"), label, TRUE));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Allow For…"), -1);
  gtk_widget_set_sensitive (button, is_lasting (prompt));
  gtk_widget_set_tooltip_text (
      button, is_lasting (prompt) ? NULL : gadget_prompt_get_text (prompt, GADGET_PROMPT_ONCE));
  gtk_widget_add_css_class (button, "decision");
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button),
                               make_popover (prompt, button, chosen, user_data));
  return button;
}

gboolean
gadget_ask_lasting_focus (GtkWidget *button, const char *answer)
{
  GPtrArray *rows;

  g_return_val_if_fail (GTK_IS_MENU_BUTTON (button) && answer != NULL, FALSE);

  rows = g_object_get_data (G_OBJECT (button), "rows");
  for (guint i = 0; i < rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (rows, i);

      if (g_strcmp0 (g_object_get_data (G_OBJECT (row), "answer"), answer) != 0)
        continue;
      gtk_menu_button_popup (GTK_MENU_BUTTON (button));
      gtk_widget_grab_focus (row);
      return TRUE;
    }
  return FALSE;
}
