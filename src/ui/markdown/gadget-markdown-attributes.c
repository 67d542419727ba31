/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shows a text of Markdown in a GadgetSelectableText, and maps offsets between the source, the text
 * of the document and the text of the widget, which has narrow spaces around code. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-attributes.h"
#include "gadget-markdown-host.h"

#include <adwaita.h>

/* A narrow no-break space. */
#define PAD "\342\200\257"
#define PAD_BYTES 3

#define CODE_SCALE 0.88
#define HIGHLIGHT_ALPHA 0.45
#define DIM_ALPHA 0.7
#define PAPER_TINT 0xeded
#define DIM_ALPHA_CONTRAST 0.9

static const GadgetMarkdownSpan *
get_span (const GadgetMarkdownText *text, guint index)
{
  return &g_array_index (text->spans, GadgetMarkdownSpan, index);
}

static const GadgetMarkdownRun *
get_run (const GadgetMarkdownText *text, guint index)
{
  return &g_array_index (text->runs, GadgetMarkdownRun, index);
}

/* --- Offsets --- */

guint
gadget_markdown_attributes_to_piece (const GadgetMarkdownText *text, guint offset)
{
  guint at = offset;

  for (guint i = 0; i < text->spans->len; i++)
    {
      const GadgetMarkdownSpan *span = get_span (text, i);

      if (span->kind != GADGET_MARKDOWN_SPAN_CODE)
        continue;
      at += span->start < offset ? PAD_BYTES : 0;
      at += span->end <= offset ? PAD_BYTES : 0;
    }
  return at;
}

guint
gadget_markdown_attributes_char_to_piece (const GadgetMarkdownText *text, guint offset)
{
  guint at = offset;

  for (guint i = 0; i < text->spans->len; i++)
    {
      const GadgetMarkdownSpan *span = get_span (text, i);

      if (span->kind != GADGET_MARKDOWN_SPAN_CODE)
        continue;
      at += span->start <= offset ? PAD_BYTES : 0;
      at += span->end <= offset ? PAD_BYTES : 0;
    }
  return at;
}

guint
gadget_markdown_attributes_from_piece (const GadgetMarkdownText *text, guint offset)
{
  guint shift = 0;

  for (guint i = 0; i < text->spans->len; i++)
    {
      const GadgetMarkdownSpan *span = get_span (text, i);
      guint start, end;

      if (span->kind != GADGET_MARKDOWN_SPAN_CODE)
        continue;
      /* "shift" is the size of the spaces before this span; code spans do not nest. */
      start = span->start + shift;
      if (offset <= start)
        break;
      shift += MIN (offset - start, PAD_BYTES);
      end = span->end + shift;
      if (offset <= end)
        break;
      shift += MIN (offset - end, PAD_BYTES);
    }
  return MIN (offset - shift, text->length);
}

gsize
gadget_markdown_attributes_to_source (const GadgetMarkdownText *text, guint offset, gsize fallback)
{
  gsize source = fallback;

  for (guint i = 0; i < text->runs->len; i++)
    {
      const GadgetMarkdownRun *run = get_run (text, i);

      if (i > 0 && run->text > offset)
        break;
      if (offset <= run->text)
        source = run->source;
      else if (run->length == run->source_length)
        source = run->source + MIN (offset - run->text, run->length);
      else
        source = offset < run->text + run->length ? run->source : run->source + run->source_length;
    }
  return source;
}

guint
gadget_markdown_attributes_from_source (const GadgetMarkdownText *text, gsize offset)
{
  guint at = 0;

  for (guint i = 0; i < text->runs->len; i++)
    {
      const GadgetMarkdownRun *run = get_run (text, i);

      if (run->source > offset)
        break;
      if (run->length == run->source_length)
        at = run->text + (guint) MIN (offset - run->source, run->length);
      else
        at = run->text + (offset >= (gsize) run->source + run->source_length ? run->length : 0);
    }
  return at;
}

gboolean
gadget_markdown_attributes_get_begin (const GadgetMarkdownText *text, gsize *begin)
{
  if (text->runs->len == 0)
    return FALSE;
  *begin = get_run (text, 0)->source;
  return TRUE;
}

/* --- Attributes --- */

/* The attributes and marks that are being collected for a text. */
typedef struct
{
  PangoAttrList *attributes;
  GArray *marks; /* of GadgetTextMark, in the order of their beginnings */
  const char *monospace;
  GdkRGBA accent;
  double dim;
} Shape;

static void
add (Shape *shape, PangoAttribute *attribute, guint start, guint end)
{
  attribute->start_index = start;
  attribute->end_index = end;
  pango_attr_list_insert (shape->attributes, attribute);
}

static void
add_mark (Shape *shape, guint start, guint end, const char *address)
{
  const GadgetTextMark mark = { start, end, address };

  g_array_append_val (shape->marks, mark);
}

/* Converts a color component; colors of the style may lie outside of Pango's range. */
static guint16
to_pango (double part)
{
  return (guint16) (CLAMP (part, 0, 1) * G_MAXUINT16);
}

static void
add_link (Shape *shape, guint start, guint end, const char *address)
{
  add (shape,
       pango_attr_foreground_new (to_pango (shape->accent.red), to_pango (shape->accent.green),
                                  to_pango (shape->accent.blue)),
       start, end);
  add (shape, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE), start, end);
  add_mark (shape, start, end, address);
}

static void
add_monospace (Shape *shape, guint start, guint end)
{
  add (shape, pango_attr_family_new (shape->monospace), start, end);
  add (shape, pango_attr_scale_new (CODE_SCALE), start, end);
}

/* A yellow highlight, in the light and in the dark scheme. */
static void
add_highlight (Shape *shape, guint start, guint end)
{
  add (shape, pango_attr_background_new (0xf6f6, 0xd3d3, 0x2d2d), start, end);
  add (shape, pango_attr_background_alpha_new (to_pango (HIGHLIGHT_ALPHA)), start, end);
}

static void
add_span (Shape *shape, const GadgetMarkdownSpan *span, guint start, guint end)
{
  switch (span->kind)
    {
    case GADGET_MARKDOWN_SPAN_STRONG:
      add (shape, pango_attr_weight_new (PANGO_WEIGHT_BOLD), start, end);
      break;
    case GADGET_MARKDOWN_SPAN_EMPHASIS:
      add (shape, pango_attr_style_new (PANGO_STYLE_ITALIC), start, end);
      break;
    case GADGET_MARKDOWN_SPAN_STRIKE:
      add (shape, pango_attr_strikethrough_new (TRUE), start, end);
      break;
    case GADGET_MARKDOWN_SPAN_CODE:
      add_monospace (shape, start, end);
      add_mark (shape, start, end, NULL);
      break;
    case GADGET_MARKDOWN_SPAN_LINK:
      add_link (shape, start, end, span->href);
      break;
    case GADGET_MARKDOWN_SPAN_ADDRESS:
      add (shape, pango_attr_foreground_alpha_new (to_pango (shape->dim)), start, end);
      break;
    case GADGET_MARKDOWN_SPAN_HTML:
      add_monospace (shape, start, end);
      break;
    case GADGET_MARKDOWN_SPAN_IMAGE:
      /* Here pictures are only links, and never loaded. */
      if (span->href != NULL && gadget_markdown_host_is_web (span->href))
        add_link (shape, start, end, span->href);
      break;
    case GADGET_MARKDOWN_SPAN_UNDERLINE:
      add (shape, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE), start, end);
      break;
    case GADGET_MARKDOWN_SPAN_HIGHLIGHT:
      add_highlight (shape, start, end);
      break;
    case GADGET_MARKDOWN_SPAN_SUPERSCRIPT:
      add (shape, pango_attr_font_scale_new (PANGO_FONT_SCALE_SUPERSCRIPT), start, end);
      add (shape, pango_attr_baseline_shift_new (PANGO_BASELINE_SHIFT_SUPERSCRIPT), start, end);
      break;
    case GADGET_MARKDOWN_SPAN_SUBSCRIPT:
      add (shape, pango_attr_font_scale_new (PANGO_FONT_SCALE_SUBSCRIPT), start, end);
      add (shape, pango_attr_baseline_shift_new (PANGO_BASELINE_SHIFT_SUBSCRIPT), start, end);
      break;
    case GADGET_MARKDOWN_SPAN_REFUSED:
    case GADGET_MARKDOWN_SPAN_MATH:
    case GADGET_MARKDOWN_SPAN_BREAK:
    default:
      break;
    }
}

/* Returns the text with narrow spaces around code. (transfer full) */
static char *
pad_code (const GadgetMarkdownText *text)
{
  GString *padded = g_string_sized_new (text->length + 1);
  guint at = 0;

  for (guint i = 0; i < text->spans->len; i++)
    {
      const GadgetMarkdownSpan *span = get_span (text, i);

      if (span->kind != GADGET_MARKDOWN_SPAN_CODE || span->start < at)
        continue;
      g_string_append_len (padded, text->text + at, span->start - at);
      g_string_append (padded, PAD);
      g_string_append_len (padded, text->text + span->start, span->end - span->start);
      g_string_append (padded, PAD);
      at = span->end;
    }
  g_string_append_len (padded, text->text + at, text->length - at);
  return g_string_free_and_steal (padded);
}

/* Collects the attributes and marks of the text. Returns the text that they are for. (transfer
 * full) */
static char *
shape_text (const GadgetMarkdownText *text, Shape *shape)
{
  for (guint i = 0; i < text->spans->len; i++)
    {
      const GadgetMarkdownSpan *span = get_span (text, i);

      add_span (shape, span, gadget_markdown_attributes_to_piece (text, span->start),
                gadget_markdown_attributes_to_piece (text, span->end));
    }
  return pad_code (text);
}

char *
gadget_markdown_attributes_dup_for_paper (const GadgetMarkdownText *text, const char *monospace,
                                          PangoAttrList **attributes)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (GadgetTextMark));
  Shape shape = { .attributes = pango_attr_list_new (),
                  .marks = marks,
                  .monospace = monospace,
                  .accent = { 0.08f, 0.34f, 0.70f, 1 },
                  .dim = DIM_ALPHA };
  char *padded = shape_text (text, &shape);

  /* On the screen the widget draws the tint. */
  for (guint i = 0; i < marks->len; i++)
    {
      const GadgetTextMark *mark = &g_array_index (marks, GadgetTextMark, i);

      if (mark->address == NULL)
        add (&shape, pango_attr_background_new (PAPER_TINT, PAPER_TINT, PAPER_TINT), mark->start,
             mark->end);
    }
  *attributes = shape.attributes;
  return padded;
}

/* The fast path for a text without spans, as most cells of tables are. */
static void
apply_plain (const GadgetMarkdownText *text, GadgetSelectableText *piece)
{
  gadget_selectable_text_set_text (piece, text->text, text->length);
  gadget_selectable_text_set_attributes (piece, NULL);
  gadget_selectable_text_set_marks (piece, NULL, 0);
}

/**
 * gadget_markdown_attributes_apply:
 *
 * Makes @piece show @text.
 */
void
gadget_markdown_attributes_apply (const GadgetMarkdownText *text, GadgetSelectableText *piece)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_autoptr (PangoFontDescription) font = NULL;
  g_autoptr (PangoAttrList) attributes = NULL;
  g_autoptr (GArray) marks = NULL;
  g_autofree char *padded = NULL;
  Shape shape = { 0 };

  if (text->spans->len == 0)
    {
      apply_plain (text, piece);
      return;
    }
  font = pango_font_description_from_string (adw_style_manager_get_monospace_font_name (style));
  shape.attributes = attributes = pango_attr_list_new ();
  shape.marks = marks = g_array_new (FALSE, FALSE, sizeof (GadgetTextMark));
  shape.monospace = pango_font_description_get_family (font);
  shape.dim = adw_style_manager_get_high_contrast (style) ? DIM_ALPHA_CONTRAST : DIM_ALPHA;
  adw_accent_color_to_standalone_rgba (adw_style_manager_get_accent_color (style),
                                       adw_style_manager_get_dark (style), &shape.accent);
  padded = shape_text (text, &shape);
  gadget_selectable_text_set_text (piece, padded, strlen (padded));
  gadget_selectable_text_set_attributes (piece, attributes);
  gadget_selectable_text_set_marks (piece, (const GadgetTextMark *) (gconstpointer) marks->data,
                                    marks->len);
}
