/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-code-block.h"

#include "gadget-markdown-shape.h"

#include <glib/gi18n.h>

struct _GadgetCodeBlock
{
  GtkWidget parent_instance;

  GtkWidget *card;
  GtkWidget *header;
  GtkWidget *language;
  GadgetTextPiece *piece;
  gboolean continues;
};

G_DEFINE_FINAL_TYPE (GadgetCodeBlock, gadget_code_block, GTK_TYPE_WIDGET)

/* Of a block that is several rows, the row knows the rest. */
static void
copy_cb (GadgetCodeBlock *self)
{
  if (self->continues)
    gtk_widget_activate_action (GTK_WIDGET (self), "block.copy-code", NULL);
  else
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                            gadget_text_piece_get_text (self->piece));
}

static GtkWidget *
button_new (GadgetCodeBlock *self, const char *icon_name, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon_name);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "code-button");
  gtk_widget_set_tooltip_text (button, label);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  return button;
}

static void
gadget_code_block_dispose (GObject *object)
{
  GadgetCodeBlock *self = GADGET_CODE_BLOCK (object);

  g_clear_pointer (&self->card, gtk_widget_unparent);

  G_OBJECT_CLASS (gadget_code_block_parent_class)->dispose (object);
}

static void
gadget_code_block_class_init (GadgetCodeBlockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_code_block_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "codeblock");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
gadget_code_block_init (GadgetCodeBlock *self)
{
  GtkWidget *body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->card, "code-card");
  self->header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->header, "code-header");
  self->language = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->language), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->language), 0);
  gtk_widget_set_hexpand (self->language, TRUE);
  gtk_widget_add_css_class (self->language, "caption");
  gtk_widget_add_css_class (self->language, "dimmed");
  gtk_box_append (GTK_BOX (self->header), self->language);
  gtk_box_append (GTK_BOX (self->header),
                  button_new (self, "edit-copy-symbolic", _ ("Copy Code"), G_CALLBACK (copy_cb)));
  gtk_box_append (GTK_BOX (self->card), self->header);

  self->piece = GADGET_TEXT_PIECE (gadget_text_piece_new (GADGET_TEXT_WRAP));
  /* What is in a file runs from left to right wherever it is read. */
  gtk_widget_set_direction (GTK_WIDGET (self->piece), GTK_TEXT_DIR_LTR);
  gtk_widget_add_css_class (body, "code-body");
  gtk_box_append (GTK_BOX (body), GTK_WIDGET (self->piece));
  gtk_box_append (GTK_BOX (self->card), body);
  gtk_widget_set_parent (self->card, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Code"),
                                  -1);
}

GtkWidget *
gadget_code_block_new (void)
{
  return g_object_new (GADGET_TYPE_CODE_BLOCK, NULL);
}

void
gadget_code_block_show (GadgetCodeBlock *self, const GadgetMarkdownLeaf *leaf)
{
  g_return_if_fail (GADGET_IS_CODE_BLOCK (self));

  gtk_label_set_text (GTK_LABEL (self->language), leaf->language != NULL ? leaf->language : "");
  gadget_markdown_shape_apply (leaf->text, self->piece);
}

GadgetTextPiece *
gadget_code_block_get_piece (GadgetCodeBlock *self)
{
  return self->piece;
}

static void
set_css_class (GtkWidget *widget, const char *css_class, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

void
gadget_code_block_set_joined (GadgetCodeBlock *self, gboolean continued, gboolean continues)
{
  g_return_if_fail (GADGET_IS_CODE_BLOCK (self));

  self->continues = continues;
  set_css_class (self->card, "continued", continued);
  set_css_class (self->card, "continues", continues);
  gtk_widget_set_visible (self->header, !continued);
}
