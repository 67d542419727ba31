/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The card of a permission, always in this order: what is asked and where, warnings, the reason
 * with its author, the whole text of what would be done, what it may reach, why it cannot be undone
 * or only be allowed once, and the answers. The digits mean the same on every card. On a card with
 * a warning no answer is highlighted, and a digit only moves the focus, so that an unintended key
 * press cannot allow anything. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-buttons.h"
#include "gadget-ask-field.h"
#include "gadget-ask-label.h"
#include "gadget-ask-lasting.h"
#include "gadget-ask-row-private.h"
#include "ui/common/gadget-menu.h"
#include "ui/text/gadget-narrow-bin.h"
#include "ui/transcript/rows/gadget-card.h"
#include "ui/transcript/rows/gadget-tool-row.h"

#include <glib/gi18n.h>

#define WHY_PLACE "gadget-ask-row-why"
#define ALLOW_BUTTON "gadget-ask-row-allow"
#define LASTING_BUTTON "gadget-ask-row-lasting"

static gboolean
warns (GadgetPrompt *prompt)
{
  return gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING) != NULL;
}

/* --- The head ----------------------------------------------------------------------------------
 */

static GtkWidget *
make_count (guint n, const char *sign, const char *css_class)
{
  g_autofree char *text = g_strdup_printf ("%s%u", sign, n);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "line-count");
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  return label;
}

static const char *
get_icon (GadgetPrompt *prompt)
{
  const char *tool = gadget_prompt_get_tool (prompt);

  if (gadget_prompt_get_body_kind (prompt) == GADGET_PROMPT_BODY_FILE
      && g_str_equal (tool, "write_file"))
    return "document-new-symbolic";
  return _gadget_get_tool_icon (tool);
}

static GtkWidget *
make_head (GadgetPrompt *prompt, gboolean narrow)
{
  const char *place = narrow ? NULL : gadget_prompt_get_text (prompt, GADGET_PROMPT_PLACE);
  GtkWidget *head =
      _gadget_card_title_new (get_icon (prompt), NULL, gadget_prompt_get_title (prompt));
  GtkWidget *title = gtk_widget_get_last_child (head);
  guint n_added, n_removed;

  gadget_prompt_get_counts (prompt, &n_added, &n_removed);
  gtk_widget_set_hexpand (title, n_added + n_removed == 0);
  if (n_added > 0)
    gtk_box_append (GTK_BOX (head), make_count (n_added, "+", "success"));
  if (n_removed > 0)
    gtk_box_append (GTK_BOX (head), make_count (n_removed, "\u2212", "error"));
  if (place != NULL)
    {
      GtkWidget *label = gtk_label_new (place);

      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_widget_set_hexpand (label, TRUE);
      gtk_widget_set_halign (label, GTK_ALIGN_END);
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, "dimmed");
      gtk_box_append (GTK_BOX (head), label);
    }
  return head;
}

/* --- What would be done ------------------------------------------------------------------------
 */

static void
add_warnings (GtkBox *card, GadgetPrompt *prompt)
{
  g_auto (GStrv) lines = NULL;

  if (!warns (prompt))
    return;
  lines = g_strsplit (gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    gtk_box_append (card, _gadget_card_warning_new (lines[i]));
}

static void
add_quote (GtkBox *card, GadgetPrompt *prompt)
{
  const char *quote = gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE);

  if (quote != NULL)
    gtk_box_append (card, _gadget_card_quote_new (
                              gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE_SOURCE), quote));
}

static void
add_caption (GtkBox *card, GadgetPrompt *prompt, GadgetPromptText which)
{
  const char *text = gadget_prompt_get_text (prompt, which);
  GtkWidget *caption;

  if (text == NULL)
    return;
  caption = _gadget_card_text_new (text, "caption");
  gtk_widget_add_css_class (caption, "dimmed");
  gtk_box_append (card, caption);
}

/* --- The answers -------------------------------------------------------------------------------
 */

/* The digit is "1", or "1 ⏎" on a card with a warning: there the digit moves the focus and Enter
 * presses the button. */
static GtkWidget *
make_label (const char *label, const char *digit)
{
  GtkWidget *text = gtk_label_new (label);

  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_justify (GTK_LABEL (text), GTK_JUSTIFY_CENTER);
  return gadget_ask_label_new (text, _gadget_card_digit_new (digit), FALSE);
}

static void
allow_cb (GadgetAskRow *self)
{
  _gadget_ask_row_answer (self, GADGET_PROMPT_ALLOW, NULL);
}

static void
deny_cb (GadgetAskRow *self)
{
  _gadget_ask_row_answer (self, GADGET_PROMPT_DENY, NULL);
}

static void
lasting_cb (const char *answer, gpointer user_data)
{
  _gadget_ask_row_answer (GADGET_ASK_ROW (user_data), answer, NULL);
}

static GtkWidget *
make_allow (GadgetAskRow *self)
{
  const gboolean warning = warns (_gadget_ask_row_get_prompt (self));
  GtkWidget *button = gtk_button_new ();

  gtk_button_set_child (GTK_BUTTON (button),
                        make_label (_ ("Allow Once"), warning ? "1\u2009⏎" : "1"));
  gtk_widget_add_css_class (button, "decision");
  if (!warning)
    gtk_widget_add_css_class (button, "suggested-action");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Allow Once"), GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS, "1", -1);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (allow_cb), self);
  g_object_set_data (G_OBJECT (self), ALLOW_BUTTON, button);
  return button;
}

/* Makes the menu beside "Deny". Deny itself takes one click or one digit; answers that need more
 * thought are in the menu. */
static GMenuModel *
make_denials (GadgetPrompt *prompt)
{
  static const char *const answers[] = { GADGET_PROMPT_DENY_SESSION, GADGET_PROMPT_DENY_WORKSPACE,
                                         GADGET_PROMPT_DENY_ALWAYS };
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) lasting = g_menu_new ();

  g_menu_append (menu, _ ("Deny and Say Why…"), "ask.say-why");
  g_menu_append (menu, _ ("Deny and Stop"), "ask.deny-and-stop");
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      const char *label = gadget_prompt_get_choice_label (prompt, answers[i]);

      if (label != NULL)
        gadget_menu_append_name (lasting, label, "ask.answer", g_variant_new_string (answers[i]));
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (lasting));
  return G_MENU_MODEL (menu);
}

static GtkWidget *
make_deny (GadgetAskRow *self)
{
  g_autoptr (GMenuModel) menu = make_denials (_gadget_ask_row_get_prompt (self));
  GtkWidget *button = adw_split_button_new ();

  adw_split_button_set_child (ADW_SPLIT_BUTTON (button), make_label (_ ("Deny"), "0"));
  adw_split_button_set_menu_model (ADW_SPLIT_BUTTON (button), menu);
  /* The button is at the end of the column, so its menu is aligned with that end. */
  gtk_widget_set_halign (GTK_WIDGET (adw_split_button_get_popover (ADW_SPLIT_BUTTON (button))),
                         GTK_ALIGN_END);
  adw_split_button_set_dropdown_tooltip (ADW_SPLIT_BUTTON (button), _ ("More Deny Options"));
  gtk_widget_add_css_class (button, "decision");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Deny"), GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS, "0", -1);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (deny_cb), self);
  return button;
}

static GtkWidget *
make_buttons (GadgetAskRow *self)
{
  GtkWidget *lasting = gadget_ask_lasting_new (_gadget_ask_row_get_prompt (self), lasting_cb, self);

  g_object_set_data (G_OBJECT (self), LASTING_BUTTON, lasting);
  return gadget_ask_buttons_new (make_allow (self), lasting, make_deny (self));
}

gboolean
_gadget_ask_row_press_digit (GadgetAskRow *self, guint digit)
{
  static const char *const answers[] = { GADGET_PROMPT_DENY, GADGET_PROMPT_ALLOW,
                                         GADGET_PROMPT_ALLOW_SESSION, GADGET_PROMPT_ALLOW_WORKSPACE,
                                         GADGET_PROMPT_ALLOW_ALWAYS };
  GadgetPrompt *prompt = _gadget_ask_row_get_prompt (self);

  if (digit >= G_N_ELEMENTS (answers)
      || (digit > 1 && gadget_prompt_get_choice_label (prompt, answers[digit]) == NULL))
    return FALSE;
  if (!warns (prompt) || digit == 0)
    _gadget_ask_row_answer (self, answers[digit], NULL);
  else if (digit == 1)
    gtk_widget_grab_focus (g_object_get_data (G_OBJECT (self), ALLOW_BUTTON));
  else
    gadget_ask_lasting_focus (g_object_get_data (G_OBJECT (self), LASTING_BUTTON), answers[digit]);
  return TRUE;
}

/* --- Why not -----------------------------------------------------------------------------------
 */

static void
deny_with_note (GadgetAskRow *self, const char *text)
{
  _gadget_ask_row_answer (self, GADGET_PROMPT_DENY, *text != '\0' ? text : NULL);
}

void
_gadget_ask_row_show_why (GadgetAskRow *self)
{
  GtkWidget *place = g_object_get_data (G_OBJECT (self), WHY_PLACE);

  gtk_widget_set_visible (place, TRUE);
  _gadget_ask_row_show_entry (self, ADW_BIN (place), _ ("Why not, or what to do instead"),
                              _ ("Deny"), deny_with_note);
}

void
_gadget_ask_row_say_why (GadgetAskRow *self)
{
  _gadget_ask_row_show_why (self);
  _gadget_ask_row_focus (self);
}

/* --- The card ----------------------------------------------------------------------------------
 */

void
_gadget_ask_row_build_permission (GadgetAskRow *self)
{
  GadgetPrompt *prompt = _gadget_ask_row_get_prompt (self);
  GtkBox *card = GTK_BOX (_gadget_ask_row_get_card (self));
  GtkWidget *field = gadget_ask_field_new (prompt);
  GtkWidget *why = adw_bin_new ();
  g_autofree char *description = gadget_ask_field_dup_description (prompt);

  gtk_box_append (card,
                  gadget_narrow_bin_new (make_head (prompt, FALSE), make_head (prompt, TRUE)));
  add_warnings (card, prompt);
  add_quote (card, prompt);
  gtk_box_append (card, field);
  add_caption (card, prompt, GADGET_PROMPT_UNDO);
  add_caption (card, prompt, GADGET_PROMPT_ONCE);
  gtk_box_append (card, make_buttons (self));

  g_object_set_data (G_OBJECT (self), WHY_PLACE, why);
  gtk_box_append (card, why);
  gtk_widget_set_visible (why, FALSE);
  _gadget_ask_row_set_first (self, gadget_ask_field_get_focus (GADGET_ASK_FIELD (field)));
  _gadget_ask_row_describe (self, description);
}
