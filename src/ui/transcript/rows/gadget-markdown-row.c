/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of Markdown: each update parses the row's range of the text and gives the document to the
 * view. It also converts offsets of the shown texts to offsets of the source and back. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-row.h"

#include "gadget-markdown-view.h"
#include "ui/markdown/gadget-markdown-attributes.h"
#include "ui/markdown/gadget-markdown-links.h"
#include "ui/markdown/gadget-markdown-segment.h"

#include <glib/gi18n.h>

/* Space in pixels above a heading, and above a list or a quote that continues the previous row. */
#define SPACING_HEADING 6
#define SPACING_LIST 6
#define SPACING_QUOTE 12

struct _GadgetMarkdownRow
{
  GadgetRow parent_instance;

  GadgetMarkdownView *view;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (GadgetMarkdownRow, gadget_markdown_row, GADGET_TYPE_ROW)

/* --- Places --- */

static const GadgetTextMapping *
get_place (GArray *places, guint index)
{
  return &g_array_index (places, GadgetTextMapping, index);
}

static gsize
gadget_markdown_row_to_source (GadgetRow *row, guint offset)
{
  GArray *places = gadget_markdown_view_get_places (GADGET_MARKDOWN_ROW (row)->view);
  const gsize start = gadget_row_data_get_start (gadget_row_get_data (row));

  for (guint i = 0; i < places->len; i++)
    {
      const GadgetTextMapping *place = get_place (places, i);
      const guint length = (guint) gadget_selectable_text_get_length (place->piece);

      if (offset <= length || i + 1 == places->len)
        return gadget_markdown_attributes_to_source (
            place->text, gadget_markdown_attributes_from_piece (place->text, offset), start);
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

  if (offset >= gadget_row_data_get_end (gadget_row_get_data (row)))
    return G_MAXUINT;
  for (guint i = 0; i < places->len; i++)
    {
      const GadgetTextMapping *place = get_place (places, i);
      gsize source;

      if (gadget_markdown_attributes_get_begin (place->text, &source))
        {
          if (source > offset)
            break;
          const guint at = gadget_markdown_attributes_to_piece (
              place->text, gadget_markdown_attributes_from_source (place->text, offset));

          /* The piece has only the first lines of folded code. */
          found = begin + MIN (at, (guint) gadget_selectable_text_get_length (place->piece));
        }
      begin += (guint) gadget_selectable_text_get_length (place->piece) + 1;
    }
  return found;
}

/* --- Found --- */

/* Matches are found in the text of the document, of which a piece of folded code has only a part,
 * and which has no spaces around code. A picture may have other words in its piece. */
static void
gadget_markdown_row_find (GadgetRow *row, GadgetTextPattern *pattern, GArray *found)
{
  GArray *places = gadget_markdown_view_get_places (GADGET_MARKDOWN_ROW (row)->view);

  for (guint i = 0; i < places->len; i++)
    {
      const GadgetTextMapping *place = get_place (places, i);
      const char *shown = gadget_selectable_text_get_text (place->piece);
      const guint length = (guint) gadget_selectable_text_get_length (place->piece);
      gsize start, end = 0;

      while (gadget_text_pattern_next (pattern, place->text->text, place->text->length, end, &start,
                                       &end))
        {
          GadgetRowFound one = {
            .piece = i,
            .start = gadget_markdown_attributes_char_to_piece (place->text, (guint) start),
            .end = gadget_markdown_attributes_char_to_piece (place->text, (guint) end - 1) + 1,
          };

          if (one.start < length && shown[one.start] != place->text->text[start])
            one.start = one.end = G_MAXUINT;
          g_array_append_val (found, one);
        }
    }
}

/* --- Showing --- */

static gboolean
is_open (GadgetRowData *data)
{
  GadgetItem *item = gadget_row_data_get_item (data);

  return gadget_item_get_status (item) == GADGET_ITEM_STREAMING
         && gadget_row_data_get_end (data) >= gadget_item_get_length (item);
}

static int
get_top_spacing (GadgetRowData *data, const GadgetMarkdownDocument *document)
{
  const GadgetMarkdownLeaf *first =
      document->leaves->len > 0 ? gadget_markdown_document_get_leaf (document, 0) : NULL;

  if (first == NULL || gadget_row_data_get_start (data) == 0)
    return 0;
  if (gadget_row_data_get_context (data) == gadget_row_data_get_start (data))
    return first->kind == GADGET_MARKDOWN_HEADING ? SPACING_HEADING : 0;
  if (first->n_containers == 0)
    return 0;
  return first->containers[0].kind == GADGET_MARKDOWN_ITEM ? SPACING_LIST : SPACING_QUOTE;
}

static void
update_pieces (GadgetMarkdownRow *self)
{
  GArray *places = gadget_markdown_view_get_places (self->view);
  GPtrArray *pieces = g_ptr_array_sized_new (places->len);

  for (guint i = 0; i < places->len; i++)
    g_ptr_array_add (pieces, get_place (places, i)->piece);
  gadget_row_take_pieces (GADGET_ROW (self), pieces);
}

/* Returns whether the block at the end of the row goes on in the next row. */
static gboolean
is_continued (GadgetRowData *data, const GadgetMarkdownDocument *document, const char *text,
              gsize length)
{
  const guint n = document->leaves->len;
  gsize next_context = 0;
  gsize end;

  if (gadget_row_data_get_end (data) >= length)
    return FALSE;
  if (n > 0 && gadget_markdown_document_get_leaf (document, n - 1)->n_containers > 0)
    return gadget_markdown_code_goes_on (text, length, gadget_row_data_get_start (data),
                                         gadget_row_data_get_end (data),
                                         gadget_row_data_get_context (data));
  end = gadget_markdown_segment_end (text, length, gadget_row_data_get_start (data),
                                     gadget_row_data_get_context (data), &next_context);
  /* Folding may cut a segment anywhere. */
  return next_context < end || gadget_row_data_get_end (data) < end;
}

static void
gadget_markdown_row_update (GadgetRow *row)
{
  GadgetMarkdownRow *self = GADGET_MARKDOWN_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  GadgetItem *item = gadget_row_data_get_item (data);
  const gsize start = gadget_row_data_get_start (data);
  const gsize context = gadget_row_data_get_context (data);
  const gsize length = gadget_item_get_length (item);
  const char *text = gadget_item_get_text (item);
  const gboolean open = is_open (data);
  GadgetMarkdownDocument *document;
  GadgetMarkdownLinks *links;

  /* gadget_markdown_links_update () may emit "changed", which calls this function again. */
  if (self->updating)
    return;
  self->updating = TRUE;
  links = gadget_markdown_links_update (item);
  self->updating = FALSE;
  document = gadget_markdown_parse_in (text, length, MIN (start, length),
                                       MIN (gadget_row_data_get_end (data), length), context,
                                       gadget_markdown_links_get_definitions (links),
                                       gadget_item_get_status (item) == GADGET_ITEM_STREAMING);
  gadget_markdown_view_set_source (self->view, item, start, context);
  gadget_markdown_view_set_document (self->view, document, get_top_spacing (data, document));
  gadget_markdown_view_set_joined (self->view, context < start,
                                   is_continued (data, document, text, length));
  gadget_markdown_view_set_caret (self->view,
                                  open && gadget_row_data_get_kind (data) == GADGET_ROW_KIND_TEXT);
  update_pieces (self);
}

static void
gadget_markdown_row_bind (GadgetRow *row)
{
  GadgetMarkdownRow *self = GADGET_MARKDOWN_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  GadgetItem *item = gadget_row_data_get_item (data);
  const gboolean note = gadget_row_data_get_kind (data) == GADGET_ROW_KIND_NOTE;

  if (note)
    gtk_widget_add_css_class (GTK_WIDGET (self->view), "note");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  note ? _ ("Note") : _ ("Answer"), -1);
  g_signal_connect_object (item, "notify::status", G_CALLBACK (gadget_row_update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_markdown_links_update (item), "changed",
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
  row_class->find = gadget_markdown_row_find;
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "block.fold-code", NULL,
                                   fold_code_action);
}

static void
gadget_markdown_row_init (GadgetMarkdownRow *self)
{
  self->view = GADGET_MARKDOWN_VIEW (gadget_markdown_view_new ());
  gadget_row_set_child (GADGET_ROW (self), GTK_WIDGET (self->view));
}
