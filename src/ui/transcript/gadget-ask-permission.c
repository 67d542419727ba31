/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The card of a permission: what would be done, whole; where and how far it could reach; and the
 * answers, of which those that last say what else they would allow. Characters that hide or
 * reorder text are written out, so that what is read is what is run. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "common/gadget-visible.h"
#include "gadget-ask-row-private.h"
#include "gadget-ask-draft.h"
#include "gadget-card.h"
#include "gadget-tool-row.h"

#include <glib/gi18n.h>

#define WHY_PLACE "gadget-ask-row-why"
#define MAX_FIELD_HEIGHT 240
/* More than this the field may not show at once. */
#define MANY_LINES 10
#define MANY_CHARACTERS 700

static GtkWidget *
make_caption (const char *text, const char *css_class)
{
  GtkWidget *caption = _gadget_card_text_new (text, "caption");

  gtk_widget_add_css_class (caption, css_class);
  return caption;
}

static guint
count_lines (const char *text)
{
  guint n = 1;

  for (const char *p = text; *p != '\0'; p++)
    n += *p == '\n' ? 1 : 0;
  return n;
}

static GtkWidget *
make_warning (const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *image = gtk_image_new_from_icon_name ("dialog-warning-symbolic");

  gtk_widget_add_css_class (image, "warning");
  gtk_widget_set_valign (image, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), make_caption (text, "warning"));
  return box;
}

/* All of it, in a field that scrolls where it is long; and a line that says so. */
static void
add_subject (GtkBox *what, const char *subject)
{
  g_autofree char *visible = gadget_visible_dup (subject);
  GtkWidget *field = _gadget_card_field_new (visible, FALSE);
  const guint n_lines = count_lines (visible);
  const glong n_characters = g_utf8_strlen (visible, -1);

  if (n_lines > MANY_LINES || n_characters > MANY_CHARACTERS)
    {
      GtkWidget *scrolled = gtk_scrolled_window_new ();
      g_autofree char *text =
          g_strdup_printf (ngettext ("%u line, %ld characters: scroll to read all of it",
                                     "%u lines, %ld characters: scroll to read all of it", n_lines),
                           n_lines, n_characters);

      gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                      GTK_POLICY_AUTOMATIC);
      gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scrolled), FALSE);
      gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
      gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MAX_FIELD_HEIGHT);
      gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), MAX_FIELD_HEIGHT);
      gtk_widget_remove_css_class (field, "card-field");
      gtk_widget_add_css_class (scrolled, "card-field");
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), field);
      gtk_box_append (what, scrolled);
      gtk_box_append (what, make_caption (text, "dimmed"));
    }
  else
    {
      gtk_box_append (what, field);
    }
  if (!gadget_visible_is_plain (subject))
    gtk_box_append (what, make_warning (_ ("There are characters in it that cannot be seen or that "
                                           "reorder text; they are shown as codes.")));
}

/* Each of its lines is a matter of its own. */
static void
add_detail (GtkBox *what, const char *detail)
{
  g_auto (GStrv) lines = g_strsplit (detail, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    gtk_box_append (what, make_caption (lines[i], "dimmed"));
}

static GtkWidget *
make_label (GadgetAskRow *self, const char *label)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *text = gtk_label_new (label);

  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  /* The name of a tool is one word, however long. */
  gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_box_append (GTK_BOX (content), text);
  gtk_box_append (GTK_BOX (content), _gadget_card_digit_new (_gadget_ask_row_get_digit (self)));
  return content;
}

static GtkWidget *
add_decision (GadgetAskRow *self, GtkWidget *buttons, const char *label, const char *answer)
{
  GtkWidget *button = gtk_button_new ();

  gtk_button_set_child (GTK_BUTTON (button), make_label (self, label));
  gtk_widget_add_css_class (button, "decision");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  _gadget_ask_row_add_button (self, button, answer);
  adw_wrap_box_append (ADW_WRAP_BOX (buttons), button);
  return button;
}

static void
add_offer (GadgetAskRow *self, GtkWidget *buttons, const char *answer)
{
  const char *label = gadget_prompt_get_choice_label (_gadget_ask_row_get_prompt (self), answer);

  if (label != NULL)
    add_decision (self, buttons, label, answer);
}

/* "Deny" is one click and one digit; what takes more thought is behind its arrow. */
static void
add_denial (GadgetAskRow *self, GtkWidget *buttons)
{
  static const char *const answers[] = { GADGET_PROMPT_DENY_SESSION, GADGET_PROMPT_DENY_WORKSPACE,
                                         GADGET_PROMPT_DENY_ALWAYS };
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = adw_split_button_new ();

  g_menu_append (menu, _ ("Deny and Say Why…"), "ask.say-why");
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      const char *label =
          gadget_prompt_get_choice_label (_gadget_ask_row_get_prompt (self), answers[i]);
      g_autoptr (GMenuItem) item = label != NULL ? g_menu_item_new (label, NULL) : NULL;

      if (item == NULL)
        continue;
      g_menu_item_set_action_and_target (item, "ask.answer", "s", answers[i]);
      g_menu_append_item (menu, item);
    }
  adw_split_button_set_child (ADW_SPLIT_BUTTON (button), make_label (self, _ ("Deny")));
  adw_split_button_set_menu_model (ADW_SPLIT_BUTTON (button), G_MENU_MODEL (menu));
  /* The button is at the end of the column; so is its menu. */
  gtk_widget_set_halign (GTK_WIDGET (adw_split_button_get_popover (ADW_SPLIT_BUTTON (button))),
                         GTK_ALIGN_END);
  adw_split_button_set_dropdown_tooltip (ADW_SPLIT_BUTTON (button), _ ("Other ways to deny"));
  gtk_widget_add_css_class (button, "decision");
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Deny"), -1);
  _gadget_ask_row_add_button (self, button, GADGET_PROMPT_DENY);
  adw_wrap_box_append (ADW_WRAP_BOX (buttons), button);
}

static void
deny_with_note (GadgetAskRow *self, const char *text)
{
  _gadget_ask_row_answer (self, GADGET_PROMPT_DENY, *text != '\0' ? text : NULL);
}

static void
show_why (GadgetAskRow *self)
{
  GtkWidget *place = g_object_get_data (G_OBJECT (self), WHY_PLACE);

  gtk_widget_set_visible (place, TRUE);
  _gadget_ask_row_show_entry (self, ADW_BIN (place), _ ("Why not, or what to do instead"),
                              _ ("Deny"), deny_with_note);
}

void
_gadget_ask_row_say_why (GadgetAskRow *self)
{
  show_why (self);
  _gadget_ask_row_focus (self);
}

void
_gadget_ask_row_build_permission (GadgetAskRow *self)
{
  GadgetPrompt *prompt = _gadget_ask_row_get_prompt (self);
  GtkBox *card = GTK_BOX (_gadget_ask_row_get_card (self));
  GtkWidget *what = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *buttons = _gadget_card_buttons_new ();
  GtkWidget *why = adw_bin_new ();

  gtk_box_append (card,
                  _gadget_card_title_new (_gadget_get_tool_icon (gadget_prompt_get_tool (prompt)),
                                          NULL, gadget_prompt_get_title (prompt)));
  if (gadget_prompt_get_subject (prompt) != NULL)
    add_subject (GTK_BOX (what), gadget_prompt_get_subject (prompt));
  if (gadget_prompt_get_detail (prompt) != NULL)
    add_detail (GTK_BOX (what), gadget_prompt_get_detail (prompt));
  if (gadget_prompt_get_reach (prompt) != NULL)
    gtk_box_append (GTK_BOX (what), make_caption (gadget_prompt_get_reach (prompt), "dimmed"));
  gtk_box_append (card, what);

  gtk_widget_add_css_class (add_decision (self, buttons, _ ("Allow Once"), GADGET_PROMPT_ALLOW),
                            "suggested-action");
  add_offer (self, buttons, GADGET_PROMPT_ALLOW_SESSION);
  add_offer (self, buttons, GADGET_PROMPT_ALLOW_WORKSPACE);
  add_offer (self, buttons, GADGET_PROMPT_ALLOW_ALWAYS);
  add_denial (self, buttons);
  gtk_box_append (card, buttons);

  g_object_set_data (G_OBJECT (self), WHY_PLACE, why);
  gtk_box_append (card, why);
  gtk_widget_set_visible (why, FALSE);
  /* It was being written when the card was scrolled out of sight. */
  if (_gadget_ask_draft_get (prompt) != NULL)
    show_why (self);
}
