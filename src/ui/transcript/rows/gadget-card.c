/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Helpers that build the widgets of cards. Texts may come from models and servers, so characters
 * that reorder text are written out, and no markup is used. */

#define G_LOG_DOMAIN "gadget-card"

#include "config.h"

#include "gadget-card.h"

#include "common/gadget-bidi.h"
#include "common/gadget-visible.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* Height of a quotation in pixels: six lines of the default font, fewer when the font is larger. */
#define MAX_QUOTE_HEIGHT 132

GtkWidget *
_gadget_card_new (const char *css_class)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  gtk_widget_add_css_class (card, "transcript-card");
  gtk_widget_add_css_class (card, css_class);
  return card;
}

GtkWidget *
_gadget_card_text_new (const char *text, const char *css_class)
{
  g_autofree char *ordered = gadget_bidi_escape (text);
  GtkWidget *label = gtk_label_new (ordered);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  /* Hyphens at line breaks would look like a part of a path or a command. */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

GtkWidget *
_gadget_card_title_new (const char *icon_name, const char *icon_class, const char *title)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  if (icon_name != NULL)
    {
      GtkWidget *image = gtk_image_new_from_icon_name (icon_name);

      gtk_widget_set_valign (image, GTK_ALIGN_START);
      gtk_widget_add_css_class (image, "card-icon");
      if (icon_class != NULL)
        gtk_widget_add_css_class (image, icon_class);
      gtk_box_append (GTK_BOX (box), image);
    }
  gtk_box_append (GTK_BOX (box), _gadget_card_text_new (title, "heading"));
  return box;
}

static void
copy_cb (GtkButton *button, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), text);
}

static void
free_text (gpointer text, GClosure *closure)
{
  g_free (text);
}

GtkWidget *
_gadget_card_field_new (const char *text, gboolean copy)
{
  GtkWidget *field = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = _gadget_card_text_new (text, NULL);

  gtk_widget_add_css_class (field, "card-field");
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  /* A command, or a server's text, runs from left to right in any language of the window. */
  gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
  gtk_box_append (GTK_BOX (field), label);
  if (copy)
    {
      GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");

      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_widget_set_tooltip_text (button, _ ("Copy"));
      g_signal_connect_data (button, "clicked", G_CALLBACK (copy_cb), g_strdup (text), free_text,
                             G_CONNECT_DEFAULT);
      gtk_box_append (GTK_BOX (field), button);
    }
  return field;
}

GtkWidget *
_gadget_card_buttons_new (void)
{
  GtkWidget *box = adw_wrap_box_new ();

  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (box), 6);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (box), 6);
  return box;
}

GtkWidget *
_gadget_card_add_action (GtkWidget *buttons, const char *label, const char *action,
                         const char *target)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  if (target != NULL)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  if (action != NULL)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  adw_wrap_box_append (ADW_WRAP_BOX (buttons), button);
  return button;
}

GtkWidget *
_gadget_card_digit_new (const char *digit)
{
  GtkWidget *label = gtk_label_new (digit);

  gtk_widget_add_css_class (label, "digit");
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

GtkWidget *
_gadget_card_warning_new (const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *image = gtk_image_new_from_icon_name ("dialog-warning-symbolic");

  gtk_widget_add_css_class (image, "warning");
  gtk_widget_add_css_class (image, "card-icon");
  gtk_widget_set_valign (image, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Warning"), -1);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), _gadget_card_text_new (text, NULL));
  return box;
}

GtkWidget *
_gadget_card_quote_new (const char *source, const char *text)
{
  g_autofree char *visible = gadget_visible_escape (text);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  if (source != NULL)
    {
      GtkWidget *caption = _gadget_card_text_new (source, "caption");

      gtk_widget_add_css_class (caption, "dimmed");
      gtk_box_append (GTK_BOX (box), caption);
    }
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MAX_QUOTE_HEIGHT);
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scrolled), FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled),
                                 _gadget_card_text_new (visible, NULL));
  gtk_widget_add_css_class (scrolled, "card-quote");
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  source != NULL ? source : _ ("Quotation"), -1);
  gtk_box_append (GTK_BOX (box), scrolled);
  return box;
}
