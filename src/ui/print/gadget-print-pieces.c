/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cuts the parts of chats into pieces that are laid out by themselves, so that no layout takes
 * long: the leaves of Markdown, and the chunks of other texts. */

#define G_LOG_DOMAIN "gadget-print"

#include "config.h"

#include "gadget-print-pieces.h"

#include "ui/markdown/gadget-markdown-attributes.h"
#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/markdown/gadget-markdown.h"
#include "ui/pictures/gadget-picture-decode.h"
#include "ui/text/gadget-chunks.h"

#include <glib/gi18n.h>
#include <string.h>

#define GAP 7
#define GAP_TIGHT 2
#define GAP_MESSAGE 16
#define INDENT 18

/* As in the window, not all of a long output is seen. */
#define OUTPUT_LINES 20

/* The largest size of an image, in pixels. A page is not wider at 150 of them in an inch. */
#define MAX_PICTURE 1200

/* A column of a table is as wide as its longest cell needs, between these, in characters. */
#define MIN_COLUMN 4
#define MAX_COLUMN 40

typedef struct
{
  GPtrArray *pieces;
  const char *monospace;
} Builder;

static void
piece_free (gpointer data)
{
  GadgetPrintPiece *piece = data;

  for (guint i = 0; i < piece->n_texts; i++)
    {
      g_free (piece->texts[i].text);
      g_clear_pointer (&piece->texts[i].attributes, pango_attr_list_unref);
    }
  g_free (piece->texts);
  g_free (piece->widths);
  g_free (piece->marker);
  g_clear_pointer (&piece->picture, g_bytes_unref);
  g_free (piece);
}

static GadgetPrintPiece *
add_piece (Builder *self, GadgetPrintLook look, guint n_texts, double gap)
{
  GadgetPrintPiece *piece = g_new0 (GadgetPrintPiece, 1);

  piece->look = look;
  piece->gap = gap;
  piece->n_texts = n_texts;
  piece->texts = g_new0 (GadgetPrintText, n_texts);
  g_ptr_array_add (self->pieces, piece);
  return piece;
}

static void
add_line (Builder *self, GadgetPrintLook look, const char *text, double gap)
{
  add_piece (self, look, 1, gap)->texts[0].text = g_strdup (text);
}

/* Adds a text of any length. */
static void
add_chunks (Builder *self, GadgetPrintLook look, const char *text, gsize length, double gap)
{
  for (gsize start = 0, end; start < length; start = end)
    {
      GadgetPrintPiece *piece = add_piece (self, look, 1, start == 0 ? gap : 0);

      end = gadget_chunk_end (text, length, start);
      piece->texts[0].text =
          g_strndup (text + start, gadget_chunk_visible (text, length, start, end));
      piece->goes_on = end < length;
    }
}

static void
add_output (Builder *self, const char *text)
{
  const gsize length = strlen (text);
  const char *cut = gadget_chunk_skip_lines (text, text + length, OUTPUT_LINES);
  guint n_left = 0;
  g_autofree char *note = NULL;

  for (const char *at = cut; at != NULL && at < text + length;
       at = gadget_chunk_skip_lines (at, text + length, 1))
    n_left++;
  add_chunks (self, GADGET_PRINT_CODE, text, n_left > 0 ? (gsize) (cut - text) : length, GAP);
  if (n_left == 0)
    return;
  note = g_strdup_printf (ngettext ("%'u more line", "%'u more lines", n_left), n_left);
  add_line (self, GADGET_PRINT_DIM, note, GAP);
}

/* Adds an image at the size at which it is printed, since a page is drawn in the main context. What
 * is not an image that can be shown is left out: its name stands above it. */
static void
add_picture (Builder *self, GBytes *bytes)
{
  g_autoptr (GdkTexture) texture = gadget_picture_decode (bytes, MAX_PICTURE, MAX_PICTURE, NULL);
  GadgetPrintPiece *piece;

  if (texture == NULL)
    return;
  piece = add_piece (self, GADGET_PRINT_PICTURE, 0, GAP);
  piece->picture = gdk_texture_save_to_png_bytes (texture);
  piece->width = (guint) gdk_texture_get_width (texture);
  piece->height = (guint) gdk_texture_get_height (texture);
}

/* --- Markdown --------------------------------------------------------------------------------- */

static void
set_text (Builder *self, GadgetPrintText *print, const GadgetMarkdownText *text)
{
  print->text =
      gadget_markdown_attributes_dup_for_paper (text, self->monospace, &print->attributes);
}

static double *
measure_columns (const GadgetMarkdownTable *table)
{
  double *widths = g_new0 (double, table->n_columns);
  double sum = 0;

  for (guint i = 0; i < table->n_columns; i++)
    {
      glong longest = MIN_COLUMN;

      for (guint row = 0; row < table->n_rows; row++)
        longest =
            MAX (longest, g_utf8_strlen (gadget_markdown_table_get_cell (table, row, i)->text, -1));
      widths[i] = (double) MIN (longest, MAX_COLUMN);
      sum += widths[i];
    }
  for (guint i = 0; i < table->n_columns; i++)
    widths[i] /= sum;
  return widths;
}

static PangoAlignment
get_alignment (GadgetMarkdownAlignment alignment)
{
  if (alignment == GADGET_MARKDOWN_ALIGN_CENTER)
    return PANGO_ALIGN_CENTER;
  return alignment == GADGET_MARKDOWN_ALIGN_RIGHT ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT;
}

static void
add_table (Builder *self, const GadgetMarkdownTable *table, double gap)
{
  g_autofree double *widths = measure_columns (table);

  for (guint row = 0; row < table->n_rows; row++)
    {
      GadgetPrintPiece *piece =
          add_piece (self, row == 0 && table->has_header ? GADGET_PRINT_HEAD : GADGET_PRINT_ROW,
                     table->n_columns, row == 0 ? gap : 0);

      piece->widths = g_memdup2 (widths, table->n_columns * sizeof *widths);
      for (guint i = 0; i < table->n_columns; i++)
        {
          set_text (self, &piece->texts[i], gadget_markdown_table_get_cell (table, row, i));
          piece->texts[i].alignment = get_alignment (table->alignments[i]);
        }
    }
}

static GadgetPrintLook
get_look (const GadgetMarkdownLeaf *leaf)
{
  switch (leaf->kind)
    {
    case GADGET_MARKDOWN_HEADING:
      return GADGET_PRINT_HEADING;
    case GADGET_MARKDOWN_CODE:
      return GADGET_PRINT_CODE;
    case GADGET_MARKDOWN_RULE:
      return GADGET_PRINT_RULE;
    case GADGET_MARKDOWN_PARAGRAPH:
    case GADGET_MARKDOWN_TABLE:
    case GADGET_MARKDOWN_HTML_TEXT:
    case GADGET_MARKDOWN_MATH:
    case GADGET_MARKDOWN_PICTURE:
    default:
      return GADGET_PRINT_TEXT;
    }
}

static void
add_leaf (Builder *self, const GadgetMarkdownLeaf *leaf, double gap, gboolean dim)
{
  GadgetPrintPiece *piece;

  if (leaf->kind == GADGET_MARKDOWN_TABLE)
    {
      add_table (self, leaf->table, gap);
      return;
    }
  piece = add_piece (self, get_look (leaf), 1, gap);
  piece->level = leaf->level;
  set_text (self, &piece->texts[0], leaf->text);
  if (dim && piece->look == GADGET_PRINT_TEXT)
    piece->look = GADGET_PRINT_DIM;
}

/* Returns what is before the first line of an item. (nullable) (transfer full) */
static char *
dup_marker (const GadgetMarkdownContainer *item)
{
  if (item->kind != GADGET_MARKDOWN_ITEM || !item->first)
    return NULL;
  if (item->task != GADGET_MARKDOWN_NO_TASK)
    return g_strdup (item->task == GADGET_MARKDOWN_TASK_DONE ? "☑" : "☐");
  return g_strdup (item->marker);
}

/* Puts the pieces from @first on into the quotes and list items of the leaf. */
static void
put_into_containers (Builder *self, guint first, const GadgetMarkdownLeaf *leaf)
{
  for (guint i = first; i < self->pieces->len; i++)
    {
      GadgetPrintPiece *piece = g_ptr_array_index (self->pieces, i);

      piece->indent = INDENT * leaf->n_containers;
      for (guint depth = 0; depth < leaf->n_containers; depth++)
        piece->n_quotes += leaf->containers[depth].kind == GADGET_MARKDOWN_QUOTE;
      if (i == first && leaf->n_containers > 0)
        piece->marker = dup_marker (&leaf->containers[leaf->n_containers - 1]);
    }
}

static double
get_gap (const GadgetMarkdownLeaf *leaf, gboolean continues)
{
  const GadgetMarkdownContainer *inner =
      leaf->n_containers > 0 ? &leaf->containers[leaf->n_containers - 1] : NULL;

  if (leaf->kind == GADGET_MARKDOWN_CODE)
    return continues ? 0 : GAP;
  if (leaf->kind == GADGET_MARKDOWN_TABLE && continues)
    return 0;
  if (leaf->kind == GADGET_MARKDOWN_HEADING)
    return 2 * GAP;
  return inner != NULL && inner->kind == GADGET_MARKDOWN_ITEM && inner->tight ? GAP_TIGHT : GAP;
}

static void
add_markdown (Builder *self, const char *text, gboolean dim)
{
  const gsize length = strlen (text);
  g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
  gsize context = 0;

  gadget_markdown_definitions_scan (definitions, text, length, FALSE);
  for (gsize start = 0, end; start < length; start = end)
    {
      gsize next_context = 0;
      g_autoptr (GadgetMarkdownDocument) document = NULL;

      end = gadget_markdown_segment_end (text, length, start, context, &next_context);
      document = gadget_markdown_parse_in (text, length, start, end, context, definitions, FALSE);
      for (guint i = 0; i < document->leaves->len; i++)
        {
          const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);
          const gboolean continues = i == 0 && context < start;
          const guint first = self->pieces->len;

          if (continues && first > 0)
            ((GadgetPrintPiece *) g_ptr_array_index (self->pieces, first - 1))->goes_on = TRUE;
          add_leaf (self, leaf, get_gap (leaf, continues), dim);
          put_into_containers (self, first, leaf);
        }
      context = next_context;
    }
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void
add_block (Builder *self, const GadgetExportBlock *block)
{
  switch (block->kind)
    {
    case GADGET_EXPORT_BLOCK_TITLE:
      add_line (self, GADGET_PRINT_TITLE, block->text, 0);
      break;
    case GADGET_EXPORT_BLOCK_SPEAKER:
      add_line (self, GADGET_PRINT_SPEAKER, block->text, GAP_MESSAGE);
      break;
    case GADGET_EXPORT_BLOCK_PROMPT:
      add_chunks (self, GADGET_PRINT_PROMPT, block->text, strlen (block->text), GAP);
      break;
    case GADGET_EXPORT_BLOCK_PICTURE:
      add_picture (self, block->picture);
      break;
    case GADGET_EXPORT_BLOCK_ANSWER:
      add_markdown (self, block->text, FALSE);
      break;
    case GADGET_EXPORT_BLOCK_REASONING:
      add_markdown (self, block->text, TRUE);
      break;
    case GADGET_EXPORT_BLOCK_OUTPUT:
      add_output (self, block->text);
      break;
    case GADGET_EXPORT_BLOCK_ABOUT:
    case GADGET_EXPORT_BLOCK_ATTACHMENT:
    case GADGET_EXPORT_BLOCK_CALL:
    case GADGET_EXPORT_BLOCK_ENDING:
    default:
      add_chunks (self, GADGET_PRINT_DIM, block->text, strlen (block->text), GAP);
      break;
    }
}

GPtrArray *
gadget_print_pieces_new (GPtrArray *blocks, const char *monospace, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func (piece_free);
  Builder self = { .pieces = pieces, .monospace = monospace };

  g_return_val_if_fail (blocks != NULL && monospace != NULL, NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return NULL;
      add_block (&self, g_ptr_array_index (blocks, i));
    }
  return g_steal_pointer (&pieces);
}
