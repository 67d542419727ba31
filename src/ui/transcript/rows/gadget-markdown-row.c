/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-row.h"

#include "gadget-markdown-view.h"
#include "ui/markdown/gadget-markdown-links.h"
#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/markdown/gadget-markdown-shape.h"

#include <glib/gi18n.h>

/* Above a heading, and above what goes on with a list or a quote of the row before. */
#define LEAD_HEADING 6
#define LEAD_LIST 6
#define LEAD_QUOTE 12

struct _GadgetMarkdownRow
{
  GadgetRow parent_instance;

  GadgetMarkdownView *view;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (GadgetMarkdownRow, gadget_markdown_row, GADGET_TYPE_ROW)

/* --- Places --- */

static const GadgetMarkdownPlace *
get_place (GArray *places, guint index)
{
  return &g_array_index (places, GadgetMarkdownPlace, index);
}

static gsize
gadget_markdown_row_to_source (GadgetRow *row, guint offset)
{
  GArray *places = gadget_markdown_view_get_places (GADGET_MARKDOWN_ROW (row)->view);
  const gsize start = gadget_block_get_start (gadget_row_get_block (row));

  for (guint i = 0; i < places->len; i++)
    {
      const GadgetMarkdownPlace *place = get_place (places, i);
      const guint length = (guint) gadget_text_piece_get_length (place->piece);

      if (offset <= length || i + 1 == places->len)
        return gadget_markdown_shape_to_source (
            place->text, gadget_markdown_shape_from_piece (place->text, offset), start);
      offset -= length + 1;
    }
  return start;
}

static guint
gadget_markdown_row_from_source (GadgetRow *row, gsize offset)
{
  GArray *places = gadget_markdown_view_get_places (GADGET_MARKDOWN_ROW (row)->view);
  guint begin = 0;
  guint found = 0;

  if (offset >= gadget_block_get_end (gadget_row_get_block (row)))
    return G_MAXUINT;
  for (guint i = 0; i < places->len; i++)
    {
      const GadgetMarkdownPlace *place = get_place (places, i);
      gsize source;

      if (gadget_markdown_shape_get_begin (place->text, &source))
        {
          if (source > offset)
            break;
          const guint at = gadget_markdown_shape_to_piece (
              place->text, gadget_markdown_shape_from_source (place->text, offset));

          /* Of code that is folded only the beginning is in the piece. */
          found = begin + MIN (at, (guint) gadget_text_piece_get_length (place->piece));
        }
      begin += (guint) gadget_text_piece_get_length (place->piece) + 1;
    }
  return found;
}

/* --- Showing --- */

static gboolean
is_open (GadgetBlock *block)
{
  GadgetItem *item = gadget_block_get_item (block);

  return gadget_item_get_status (item) == GADGET_ITEM_STREAMING
         && gadget_block_get_end (block) >= gadget_item_get_length (item);
}

static int
get_lead (GadgetBlock *block, const GadgetMarkdownDocument *document)
{
  const GadgetMarkdownLeaf *first =
      document->leaves->len > 0 ? gadget_markdown_document_get_leaf (document, 0) : NULL;

  if (first == NULL || gadget_block_get_start (block) == 0)
    return 0;
  if (gadget_block_get_context (block) == gadget_block_get_start (block))
    return first->kind == GADGET_MARKDOWN_HEADING ? LEAD_HEADING : 0;
  if (first->n_containers == 0)
    return 0;
  return first->containers[0].kind == GADGET_MARKDOWN_ITEM ? LEAD_LIST : LEAD_QUOTE;
}

static void
tell_pieces (GadgetMarkdownRow *self)
{
  GArray *places = gadget_markdown_view_get_places (self->view);
  GPtrArray *pieces = g_ptr_array_sized_new (places->len);

  for (guint i = 0; i < places->len; i++)
    g_ptr_array_add (pieces, get_place (places, i)->piece);
  gadget_row_take_pieces (GADGET_ROW (self), pieces);
}

/* Whether the block at the end of the row goes on in the next one. */
static gboolean
is_continued (GadgetBlock *block, const GadgetMarkdownDocument *document, const char *text,
              gsize length)
{
  const guint n = document->leaves->len;
  gsize next_context = 0;
  gsize end;

  if (gadget_block_get_end (block) >= length)
    return FALSE;
  if (n > 0 && gadget_markdown_document_get_leaf (document, n - 1)->n_containers > 0)
    return gadget_markdown_code_goes_on (text, length, gadget_block_get_start (block),
                                         gadget_block_get_end (block),
                                         gadget_block_get_context (block));
  end = gadget_markdown_segment_end (text, length, gadget_block_get_start (block),
                                     gadget_block_get_context (block), &next_context);
  /* What is folded is cut anywhere. */
  return next_context < end || gadget_block_get_end (block) < end;
}

static void
gadget_markdown_row_update (GadgetRow *row)
{
  GadgetMarkdownRow *self = GADGET_MARKDOWN_ROW (row);
  GadgetBlock *block = gadget_row_get_block (row);
  GadgetItem *item = gadget_block_get_item (block);
  const gsize start = gadget_block_get_start (block);
  const gsize context = gadget_block_get_context (block);
  const gsize length = gadget_item_get_length (item);
  const char *text = gadget_item_get_text (item);
  const gboolean open = is_open (block);
  GadgetMarkdownDocument *document;
  GadgetMarkdownLinks *links;

  /* What it looks at may tell it that it has to be updated. */
  if (self->updating)
    return;
  self->updating = TRUE;
  links = gadget_markdown_links_look (item);
  self->updating = FALSE;
  document = gadget_markdown_parse_in (text, length, MIN (start, length),
                                       MIN (gadget_block_get_end (block), length), context,
                                       gadget_markdown_links_get_definitions (links),
                                       gadget_item_get_status (item) == GADGET_ITEM_STREAMING);
  gadget_markdown_view_set_source (self->view, item, start, context);
  gadget_markdown_view_set_document (self->view, document, get_lead (block, document));
  gadget_markdown_view_set_joined (self->view, context < start,
                                   is_continued (block, document, text, length));
  gadget_markdown_view_set_caret (self->view,
                                  open && gadget_block_get_kind (block) == GADGET_BLOCK_TEXT);
  tell_pieces (self);
}

static void
gadget_markdown_row_bind (GadgetRow *row)
{
  GadgetMarkdownRow *self = GADGET_MARKDOWN_ROW (row);
  GadgetBlock *block = gadget_row_get_block (row);
  GadgetItem *item = gadget_block_get_item (block);
  const gboolean note = gadget_block_get_kind (block) == GADGET_BLOCK_NOTE;

  if (note)
    gtk_widget_add_css_class (GTK_WIDGET (self->view), "note");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  note ? _ ("Note") : _ ("Answer"), -1);
  g_signal_connect_object (item, "notify::status", G_CALLBACK (gadget_row_update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_markdown_links_look (item), "changed",
                           G_CALLBACK (gadget_row_update), self, G_CONNECT_SWAPPED);
}

/* --- Actions --- */

static void
fold_code_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gadget_row_set_expanded (GADGET_ROW (widget), FALSE);
}

static void
gadget_markdown_row_class_init (GadgetMarkdownRowClass *klass)
{
  GadgetRowClass *row_class = GADGET_ROW_CLASS (klass);

  row_class->bind = gadget_markdown_row_bind;
  row_class->update = gadget_markdown_row_update;
  row_class->to_source = gadget_markdown_row_to_source;
  row_class->from_source = gadget_markdown_row_from_source;
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "block.fold-code", NULL,
                                   fold_code_action);
}

static void
gadget_markdown_row_init (GadgetMarkdownRow *self)
{
  self->view = GADGET_MARKDOWN_VIEW (gadget_markdown_view_new ());
  gadget_row_set_child (GADGET_ROW (self), GTK_WIDGET (self->view));
}
