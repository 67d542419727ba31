/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-body.h"

#include "gadget-remote-picture-slot.h"
#include "gadget-table-view.h"
#include "ui/code/gadget-code-block.h"
#include "ui/markdown/gadget-markdown-attributes.h"

static GtkWidget *
heading_new (guint level)
{
  GtkWidget *piece =
      gadget_selectable_text_new_with_role (GADGET_TEXT_WRAP, GTK_ACCESSIBLE_ROLE_HEADING);
  g_autofree char *css_class = g_strdup_printf ("markdown-h%u", CLAMP (level, 1, 6));

  gtk_widget_add_css_class (piece, css_class);
  gtk_accessible_update_property (GTK_ACCESSIBLE (piece), GTK_ACCESSIBLE_PROPERTY_LEVEL,
                                  (int) level, -1);
  return piece;
}

static GtkWidget *
rule_new (void)
{
  GtkWidget *rule = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);

  gtk_widget_add_css_class (rule, "markdown-rule");
  return rule;
}

GtkWidget *
_gadget_markdown_body_new (const GadgetMarkdownLeaf *leaf)
{
  switch (leaf->kind)
    {
    case GADGET_MARKDOWN_HEADING:
      return heading_new (leaf->level);
    case GADGET_MARKDOWN_RULE:
      return rule_new ();
    case GADGET_MARKDOWN_CODE:
      return gadget_code_block_new ();
    case GADGET_MARKDOWN_TABLE:
      return gadget_table_view_new ();
    case GADGET_MARKDOWN_PICTURE:
      return gadget_remote_picture_slot_new ();
    case GADGET_MARKDOWN_PARAGRAPH:
    case GADGET_MARKDOWN_HTML_TEXT:
    case GADGET_MARKDOWN_MATH:
    default:
      return gadget_selectable_text_new (GADGET_TEXT_WRAP);
    }
}

static gboolean
is_paragraph (GadgetMarkdownKind kind)
{
  return kind == GADGET_MARKDOWN_PARAGRAPH || kind == GADGET_MARKDOWN_HTML_TEXT
         || kind == GADGET_MARKDOWN_MATH;
}

gboolean
_gadget_markdown_body_fits (const GadgetMarkdownLeaf *old, const GadgetMarkdownLeaf *leaf)
{
  if (is_paragraph (old->kind) && is_paragraph (leaf->kind))
    return TRUE;
  return old->kind == leaf->kind && old->level == leaf->level;
}

void
_gadget_markdown_body_show (GtkWidget *body, const GadgetMarkdownLeaf *old,
                            const GadgetMarkdownLeaf *leaf, GadgetItem *item, GadgetCode *code)
{
  if (GADGET_IS_SELECTABLE_TEXT (body))
    gadget_markdown_attributes_apply (leaf->text, GADGET_SELECTABLE_TEXT (body));
  else if (GADGET_IS_CODE_BLOCK (body))
    gadget_code_block_show (GADGET_CODE_BLOCK (body), leaf, code);
  else if (GADGET_IS_TABLE_VIEW (body))
    gadget_table_view_show (GADGET_TABLE_VIEW (body), old != NULL ? old->table : NULL, leaf->table);
  else if (GADGET_IS_REMOTE_PICTURE_SLOT (body))
    gadget_remote_picture_slot_show (GADGET_REMOTE_PICTURE_SLOT (body), leaf, item);
}

void
_gadget_markdown_body_keep (GtkWidget *body, const GadgetMarkdownLeaf *leaf)
{
  if (GADGET_IS_CODE_BLOCK (body))
    gadget_code_block_keep (GADGET_CODE_BLOCK (body), leaf);
}

static void
add_place (GArray *places, GadgetSelectableText *piece, const GadgetMarkdownText *text)
{
  const GadgetTextMapping place = { piece, text };

  g_array_append_val (places, place);
}

void
_gadget_markdown_body_add_places (GtkWidget *body, const GadgetMarkdownLeaf *leaf, GArray *places)
{
  if (GADGET_IS_SELECTABLE_TEXT (body))
    add_place (places, GADGET_SELECTABLE_TEXT (body), leaf->text);
  else if (GADGET_IS_CODE_BLOCK (body))
    add_place (places, gadget_code_block_get_piece (GADGET_CODE_BLOCK (body)), leaf->text);
  else if (GADGET_IS_TABLE_VIEW (body))
    gadget_table_view_add_places (GADGET_TABLE_VIEW (body), leaf->table, places);
  else if (GADGET_IS_REMOTE_PICTURE_SLOT (body))
    add_place (places, gadget_remote_picture_slot_get_piece (GADGET_REMOTE_PICTURE_SLOT (body)),
               leaf->text);
}
