/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widget for the part of a block of code that one row shows: the card, the header, the text
 * with its colors, and the button that unfolds a long block. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-block.h"

#include "gadget-code-header.h"
#include "gadget-code-scroll.h"
#include "ui/markdown/gadget-markdown-attributes.h"
#include "ui/common/gadget-ui.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

/* The opacity of the line below the header. */
#define LINE_ALPHA 0.07f
#define LINE_ALPHA_CONTRAST 0.5f

struct _GadgetCodeBlock
{
  GtkWidget parent_instance;

  GtkWidget *card;
  GtkWidget *header; /* (nullable): made when first needed, because most rows of a long block have
                      * none */
  GadgetCodeScroll *body;
  GadgetSelectableText *piece;
  GtkWidget *more; /* (nullable): the button that unfolds the block */
  gboolean joined; /* gadget_code_block_set_joined() has set the next two */
  gboolean continued;
  gboolean continues;
  guint n_folded; /* lines of the block that are not shown; 0 when it is not folded */

  GadgetCode *code;               /* (nullable) */
  const GadgetMarkdownLeaf *leaf; /* (nullable) (unowned): the leaf of the document that is shown */
  gsize colored;                  /* the offset in the source up to which the shown colors are
                                   * final */
};

G_DEFINE_FINAL_TYPE (GadgetCodeBlock, gadget_code_block, GTK_TYPE_WIDGET)

/* --- Colors --- */

static void
apply_colors (GadgetCodeBlock *self)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  gadget_code_add_colors (self->code, self->leaf->text, attributes);
  gadget_selectable_text_set_attributes (self->piece, attributes);
}

/* Tells whether to apply new colors: all of the text is known, or all but its last line, which may
 * still grow. So text that the user reads does not change its colors line by line. */
static gboolean
is_worth_it (GadgetCodeBlock *self, gsize known)
{
  const GadgetMarkdownText *text = self->leaf->text;
  const char *newline = memrchr (text->text, '\n', text->length);
  const gsize last = gadget_markdown_attributes_to_source (
      text, newline != NULL ? (guint) (newline - text->text) : text->length, 0);

  if (known <= self->colored)
    return FALSE;
  return known >= gadget_markdown_attributes_to_source (text, text->length, 0)
         || (known >= last && self->colored < last);
}

static void
colored_cb (GadgetCodeBlock *self)
{
  gsize known;

  if (self->leaf == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  known = gadget_code_want (self->code, self->leaf->text);
  if (!is_worth_it (self, known))
    return;
  self->colored = known;
  apply_colors (self);
}

static void
update_header (GadgetCodeBlock *self)
{
  if (self->code == NULL || self->continued || !self->joined)
    {
      if (self->header != NULL)
        gtk_widget_set_visible (self->header, FALSE);
      return;
    }
  if (self->header == NULL)
    {
      self->header = gadget_code_header_new ();
      gtk_box_prepend (GTK_BOX (self->card), self->header);
    }
  gtk_widget_set_visible (self->header, TRUE);
  gadget_code_header_set_code (GADGET_CODE_HEADER (self->header), self->code);
}

/* --- Folding --- */

static void
update_edges (GadgetCodeBlock *self)
{
  gadget_ui_set_css_class (self->card, "continued", self->continued);
  gadget_ui_set_css_class (self->card, "continues", self->continues && self->n_folded == 0);
  gadget_code_scroll_set_last (self->body, !self->continues || self->n_folded > 0);
  update_header (self);
}

static void
more_clicked_cb (GadgetCodeBlock *self)
{
  gadget_code_set_open (self->code, TRUE);
  /* The action keeps the button in place on the screen. */
  gtk_widget_activate_action (GTK_WIDGET (self), "block.fold-code", NULL);
}

static void
update_more (GadgetCodeBlock *self)
{
  g_autofree char *label = NULL;

  if (self->n_folded == 0)
    {
      if (self->more != NULL)
        gtk_widget_set_visible (self->more, FALSE);
      return;
    }
  if (self->more == NULL)
    {
      self->more = gtk_button_new ();
      gtk_widget_add_css_class (self->more, "flat");
      gtk_widget_add_css_class (self->more, "code-more");
      g_signal_connect_swapped (self->more, "clicked", G_CALLBACK (more_clicked_cb), self);
      gtk_box_append (GTK_BOX (self->card), self->more);
    }
  label = gadget_code_block_dup_more_label (self->n_folded);
  gtk_button_set_label (GTK_BUTTON (self->more), label);
  gtk_widget_set_visible (self->more, TRUE);
}

/* Returns how many bytes of the leaf's text are shown. */
static gsize
get_shown_length (GadgetCodeBlock *self)
{
  const GadgetMarkdownText *text = self->leaf->text;
  const char *at = text->text;

  for (guint i = 0; self->n_folded > 0 && i < GADGET_CODE_SHOWN_LINES; i++)
    {
      const char *newline = memchr (at, '\n', text->length - (gsize) (at - text->text));

      if (newline == NULL)
        return text->length;
      at = newline + 1;
    }
  return self->n_folded > 0 ? (gsize) (at - 1 - text->text) : text->length;
}

static void
show_text (GadgetCodeBlock *self)
{
  /* Only the row with the first part of a folded block is shown. */
  const gboolean hidden = self->n_folded > 0 && self->leaf->continued;

  gtk_widget_set_visible (GTK_WIDGET (self), !hidden);
  gadget_selectable_text_set_text (self->piece, self->leaf->text->text,
                                   hidden ? 0 : get_shown_length (self));
  update_more (self);
  self->colored = hidden ? 0 : gadget_code_want (self->code, self->leaf->text);
  apply_colors (self);
}

static void
fold_changed_cb (GadgetCodeBlock *self)
{
  const guint n_folded = gadget_code_count_folded (self->code);

  if (self->leaf == NULL || n_folded == self->n_folded)
    return;
  self->n_folded = n_folded;
  show_text (self);
  update_edges (self);
}

/* --- Drawing --- */

/* Draws the line below the header. A CSS border of the header, which has rounded corners, would be
 * drawn as a path, which costs as much as the edge of the card. */
static void
gadget_code_block_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetCodeBlock *self = GADGET_CODE_BLOCK (widget);
  AdwStyleManager *style = adw_style_manager_get_default ();
  graphene_rect_t header;
  GdkRGBA color;

  GTK_WIDGET_CLASS (gadget_code_block_parent_class)->snapshot (widget, snapshot);
  if (self->header == NULL || !gtk_widget_get_visible (self->header)
      || !gtk_widget_compute_bounds (self->header, widget, &header))
    return;
  gtk_widget_get_color (self->header, &color);
  color.alpha *= adw_style_manager_get_high_contrast (style) ? LINE_ALPHA_CONTRAST : LINE_ALPHA;
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (header.origin.x,
                                                  header.origin.y + header.size.height - 1,
                                                  header.size.width, 1));
}

/* --- Object --- */

static void
drop_code (GadgetCodeBlock *self)
{
  if (self->code != NULL)
    g_signal_handlers_disconnect_by_data (self->code, self);
  g_clear_object (&self->code);
  self->leaf = NULL;
}

static void
gadget_code_block_dispose (GObject *object)
{
  GadgetCodeBlock *self = GADGET_CODE_BLOCK (object);

  drop_code (self);
  g_clear_pointer (&self->card, gtk_widget_unparent);

  G_OBJECT_CLASS (gadget_code_block_parent_class)->dispose (object);
}

static void
gadget_code_block_class_init (GadgetCodeBlockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_code_block_dispose;
  widget_class->snapshot = gadget_code_block_snapshot;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "codeblock");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
gadget_code_block_init (GadgetCodeBlock *self)
{
  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->card, "code-card");
  self->body = GADGET_CODE_SCROLL (gadget_code_scroll_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->body), "code-body");
  self->piece = gadget_code_scroll_get_piece (self->body);
  gtk_box_append (GTK_BOX (self->card), GTK_WIDGET (self->body));
  gtk_widget_set_parent (self->card, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Code"),
                                  -1);
}

/* gadget_code_block_new: returns a block without code. (transfer floating) */
GtkWidget *
gadget_code_block_new (void)
{
  return g_object_new (GADGET_TYPE_CODE_BLOCK, NULL);
}

static void
set_code (GadgetCodeBlock *self, GadgetCode *code)
{
  if (self->code == code)
    return;
  drop_code (self);
  self->code = g_object_ref (code);
  g_signal_connect_swapped (code, "colored", G_CALLBACK (colored_cb), self);
  g_signal_connect_swapped (code, "notify::foldable", G_CALLBACK (fold_changed_cb), self);
  gadget_code_scroll_set_code (self->body, code);
}

void
gadget_code_block_show (GadgetCodeBlock *self, const GadgetMarkdownLeaf *leaf, GadgetCode *code)
{
  g_return_if_fail (GADGET_IS_CODE_BLOCK (self) && leaf != NULL && GADGET_IS_CODE (code));

  set_code (self, code);
  gadget_code_set_word (code, leaf->language);
  self->leaf = leaf;
  self->n_folded = gadget_code_count_folded (code);
  show_text (self);
}

void
gadget_code_block_keep (GadgetCodeBlock *self, const GadgetMarkdownLeaf *leaf)
{
  g_return_if_fail (GADGET_IS_CODE_BLOCK (self) && leaf != NULL);

  self->leaf = leaf;
  fold_changed_cb (self);
  colored_cb (self);
}

GadgetSelectableText *
gadget_code_block_get_piece (GadgetCodeBlock *self)
{
  return self->piece;
}

GadgetCode *
gadget_code_block_get_code (GadgetCodeBlock *self)
{
  return self->code;
}

void
gadget_code_block_set_joined (GadgetCodeBlock *self, gboolean continued, gboolean continues)
{
  g_return_if_fail (GADGET_IS_CODE_BLOCK (self));

  self->joined = TRUE;
  self->continued = continued;
  self->continues = continues;
  update_edges (self);
}

char *
gadget_code_block_dup_more_label (guint n_lines)
{
  return g_strdup_printf (ngettext ("Show %u More Line", "Show %u More Lines", n_lines), n_lines);
}
