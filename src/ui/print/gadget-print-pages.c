/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Places pieces on pages, and draws the pages. A piece that does not fit is cut between two lines.
 * Of what is placed only the numbers of pieces and lines are kept: a page makes its layouts again
 * when it is drawn, so that memory does not grow with the number of pages. All distances are in
 * points.
 */

#define G_LOG_DOMAIN "gadget-print"

#include "config.h"

#include "gadget-print-pages.h"

#include <glib/gi18n.h>
#include <math.h>

/* Placing holds the main context no longer than this, in microseconds. */
#define PLACE_US 3000

#define FOOT 28
#define FOOT_SIZE 8
#define TEXT_SIZE 10
#define CODE_SIZE 8.5
#define PAD 5
#define CELL_PAD 4
#define TITLE_SPACE 4
#define MARKER_SPACE 5
#define RULE_HEIGHT 1
/* The size of a pixel of the window. */
#define PIXEL 0.75
/* What a heading has to have below it on its page. */
#define KEEP 40

#define TINT 0.95
#define LINE_COLOR 0.75
#define DIM_COLOR 0.4

/* Lines of a piece on a page. */
typedef struct
{
  guint piece;
  guint first_line;
  guint n_lines;
  double y;
  double height;
  gboolean last; /* the piece ends with them */
  double offset; /* of a row of a table: what of its height is on the pages before */
} Slot;

struct _GadgetPrintPages
{
  GPtrArray *pieces;
  char *title;
  char *font;
  char *monospace;
  GArray *slots; /* of Slot */
  GArray *pages; /* of guint: the first slot of each page */
  guint n_placed;
  double y; /* where the next piece begins on the last page */
};

GadgetPrintPages *
gadget_print_pages_new (GPtrArray *pieces, const char *title, const char *font,
                        const char *monospace)
{
  GadgetPrintPages *self = g_new0 (GadgetPrintPages, 1);
  const guint first = 0;

  self->pieces = pieces;
  self->title = g_strdup (title);
  self->font = g_strdup (font);
  self->monospace = g_strdup (monospace);
  self->slots = g_array_new (FALSE, FALSE, sizeof (Slot));
  self->pages = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (self->pages, first);
  return self;
}

void
gadget_print_pages_free (GadgetPrintPages *self)
{
  g_ptr_array_unref (self->pieces);
  g_free (self->title);
  g_free (self->font);
  g_free (self->monospace);
  g_array_unref (self->slots);
  g_array_unref (self->pages);
  g_free (self);
}

static const GadgetPrintPiece *
get_piece (GadgetPrintPages *self, guint index)
{
  return g_ptr_array_index (self->pieces, index);
}

static gboolean
is_row (const GadgetPrintPiece *piece)
{
  return piece->look == GADGET_PRINT_ROW || piece->look == GADGET_PRINT_HEAD;
}

static gboolean
is_tinted (const GadgetPrintPiece *piece)
{
  return piece->look == GADGET_PRINT_CODE || piece->look == GADGET_PRINT_PROMPT;
}

static gboolean
is_begun (GadgetPrintPages *self, guint index)
{
  return index > 0 && get_piece (self, index - 1)->goes_on;
}

/* --- Layouts ---------------------------------------------------------------------------------- */

static double
get_size (const GadgetPrintPiece *piece)
{
  static const double headings[] = { 15, 13, 11.5, 10.5, 10, 10 };

  switch (piece->look)
    {
    case GADGET_PRINT_TITLE:
      return 18;
    case GADGET_PRINT_CODE:
      return CODE_SIZE;
    case GADGET_PRINT_HEADING:
      return headings[CLAMP (piece->level, 1, G_N_ELEMENTS (headings)) - 1];
    case GADGET_PRINT_SPEAKER:
    case GADGET_PRINT_DIM:
    case GADGET_PRINT_ROW:
    case GADGET_PRINT_HEAD:
      return 9;
    case GADGET_PRINT_TEXT:
    case GADGET_PRINT_PROMPT:
    case GADGET_PRINT_RULE:
    case GADGET_PRINT_PICTURE:
    default:
      return TEXT_SIZE;
    }
}

static gboolean
is_bold (const GadgetPrintPiece *piece)
{
  return piece->look == GADGET_PRINT_TITLE || piece->look == GADGET_PRINT_SPEAKER
         || piece->look == GADGET_PRINT_HEADING || piece->look == GADGET_PRINT_HEAD;
}

static PangoLayout *
make_layout (GadgetPrintPages *self, GtkPrintContext *context, const char *family, double size,
             gboolean bold, const char *text, double width)
{
  PangoLayout *layout = gtk_print_context_create_pango_layout (context);
  g_autoptr (PangoFontDescription) font = pango_font_description_new ();

  pango_font_description_set_family (font, family);
  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, text, -1);
  pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_line_spacing (layout, 1.15f);
  return layout;
}

/* Returns where the piece begins beside the left side of the page, unless it is of a script that is
 * written from right to left. */
static double
get_inset (const GadgetPrintPiece *piece)
{
  return piece->indent + (is_tinted (piece) ? 2 * PAD : 0);
}

static double
get_width (GtkPrintContext *context, const GadgetPrintPiece *piece)
{
  return gtk_print_context_get_width (context) - get_inset (piece)
         - (is_tinted (piece) ? 2 * PAD : 0);
}

/* Returns the layout of a text of the piece. (transfer full) */
static PangoLayout *
layout_text (GadgetPrintPages *self, GtkPrintContext *context, const GadgetPrintPiece *piece,
             guint index)
{
  const gboolean is_code = piece->look == GADGET_PRINT_CODE;
  const double share = is_row (piece) ? piece->widths[index] : 1;
  const double pad = is_row (piece) ? 2 * CELL_PAD : 0;
  PangoLayout *layout = make_layout (self, context, is_code ? self->monospace : self->font,
                                     get_size (piece), is_bold (piece), piece->texts[index].text,
                                     get_width (context, piece) * share - pad);

  pango_layout_set_attributes (layout, piece->texts[index].attributes);
  pango_layout_set_alignment (layout, piece->texts[index].alignment);
  pango_layout_set_auto_dir (layout, !is_code);
  return layout;
}

static double
to_points (int units)
{
  return (double) units / PANGO_SCALE;
}

static double
get_height (PangoLayout *layout)
{
  int height;

  pango_layout_get_size (layout, NULL, &height);
  return to_points (height);
}

/* --- Placing ---------------------------------------------------------------------------------- */

static double
get_bottom (GtkPrintContext *context)
{
  return gtk_print_context_get_height (context) - FOOT;
}

static void
begin_page (GadgetPrintPages *self)
{
  if (self->slots->len == g_array_index (self->pages, guint, self->pages->len - 1))
    return;
  g_array_append_val (self->pages, self->slots->len);
  self->y = 0;
}

static void
add_slot (GadgetPrintPages *self, guint piece, guint first_line, guint n_lines, double height,
          gboolean last)
{
  const Slot slot = { piece, first_line, n_lines, self->y, height, last, 0 };

  g_array_append_val (self->slots, slot);
  self->y += height;
}

/* A row of a table is cut only if it is higher than a page, and then between two lines of its
 * highest cell. */
static void
place_row (GadgetPrintPages *self, GtkPrintContext *context, guint index)
{
  const GadgetPrintPiece *piece = get_piece (self, index);
  double height = 0;
  double line = 0;
  double done = 0;

  for (guint i = 0; i < piece->n_texts; i++)
    {
      g_autoptr (PangoLayout) layout = layout_text (self, context, piece, i);

      if (get_height (layout) + 2 * CELL_PAD <= height)
        continue;
      height = get_height (layout) + 2 * CELL_PAD;
      line = get_height (layout) / pango_layout_get_line_count (layout);
    }
  if (self->y + height > get_bottom (context))
    begin_page (self);
  while (height - done > get_bottom (context) - self->y)
    {
      const double pad = done == 0 ? CELL_PAD : 0;
      const double n_lines = floor ((get_bottom (context) - self->y - pad) / line);

      add_slot (self, index, 0, 1, pad + MAX (n_lines, 1) * line, FALSE);
      g_array_index (self->slots, Slot, self->slots->len - 1).offset = done;
      done += pad + MAX (n_lines, 1) * line;
      begin_page (self);
    }
  add_slot (self, index, 0, 1, height - done, TRUE);
  g_array_index (self->slots, Slot, self->slots->len - 1).offset = done;
}

/* Returns how many points a pixel of an image gets: as in the window, but not more than the width
 * of the page and the half of its height. */
static double
get_scale (GtkPrintContext *context, const GadgetPrintPiece *piece)
{
  const double width = get_width (context, piece) / piece->width;
  const double height = get_bottom (context) / 2 / piece->height;

  return MIN (PIXEL, MIN (width, height));
}

static void
place_picture (GadgetPrintPages *self, GtkPrintContext *context, guint index)
{
  const GadgetPrintPiece *piece = get_piece (self, index);
  const double height = piece->height * get_scale (context, piece);

  if (self->y + height > get_bottom (context))
    begin_page (self);
  add_slot (self, index, 0, 1, height, TRUE);
}

/* Places as many lines as fit from the one that @iter is at, and moves it behind them. Returns
 * FALSE when there are no more. @n_done: (inout): the lines before them */
static gboolean
place_lines (GadgetPrintPages *self, PangoLayoutIter *iter, guint index, double bottom,
             guint *n_done)
{
  const guint first = *n_done;
  double height = 0;
  gboolean more = TRUE;

  while (more)
    {
      int top, end;

      pango_layout_iter_get_line_yrange (iter, &top, &end);
      if (*n_done > first && self->y + height + to_points (end - top) > bottom)
        break;
      height += to_points (end - top);
      (*n_done)++;
      more = pango_layout_iter_next_line (iter);
    }
  add_slot (self, index, first, *n_done - first, height, !more);
  return more;
}

static void
place_text (GadgetPrintPages *self, GtkPrintContext *context, guint index)
{
  const GadgetPrintPiece *piece = get_piece (self, index);
  g_autoptr (PangoLayout) layout = layout_text (self, context, piece, 0);
  g_autoptr (PangoLayoutIter) iter = pango_layout_get_iter (layout);
  const double bottom = get_bottom (context) - (is_tinted (piece) ? PAD : 0);
  const gboolean keeps = piece->look == GADGET_PRINT_SPEAKER || piece->look == GADGET_PRINT_HEADING;
  const double line = get_height (layout) / pango_layout_get_line_count (layout);
  guint n_done = 0;

  /* Neither a heading nor the first line of a text stands alone at the end of a page. */
  if (self->y + MIN (get_height (layout), 2 * line) + (keeps ? KEEP : 0) > bottom)
    {
      begin_page (self);
      if (is_tinted (piece))
        self->y += PAD;
    }
  while (place_lines (self, iter, index, bottom, &n_done))
    {
      begin_page (self);
      if (is_tinted (piece))
        self->y += PAD;
    }
  if (piece->look == GADGET_PRINT_TITLE)
    self->y += TITLE_SPACE;
}

static void
place (GadgetPrintPages *self, GtkPrintContext *context, guint index)
{
  const GadgetPrintPiece *piece = get_piece (self, index);
  const gboolean pads = is_tinted (piece);

  /* Each chat begins on a page of its own. */
  if (piece->look == GADGET_PRINT_TITLE && index > 0)
    begin_page (self);
  if (self->y > 0)
    self->y += piece->gap;
  if (pads && !is_begun (self, index))
    self->y += PAD;
  if (piece->look == GADGET_PRINT_RULE)
    add_slot (self, index, 0, 1, RULE_HEIGHT, TRUE);
  else if (is_row (piece))
    place_row (self, context, index);
  else if (piece->look == GADGET_PRINT_PICTURE)
    place_picture (self, context, index);
  else
    place_text (self, context, index);
  if (pads && !piece->goes_on)
    self->y += PAD;
}

gboolean
gadget_print_pages_place (GadgetPrintPages *self, GtkPrintContext *context)
{
  const gint64 until = g_get_monotonic_time () + PLACE_US;

  while (self->n_placed < self->pieces->len && g_get_monotonic_time () < until)
    place (self, context, self->n_placed++);
  return self->n_placed == self->pieces->len;
}

double
gadget_print_pages_get_progress (GadgetPrintPages *self)
{
  return (double) self->n_placed / MAX (self->pieces->len, 1);
}

guint
gadget_print_pages_get_n (GadgetPrintPages *self)
{
  return self->pages->len;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void
set_gray (cairo_t *cr, double gray)
{
  cairo_set_source_rgb (cr, gray, gray, gray);
}

static void
fill (cairo_t *cr, double gray, double x, double y, double width, double height)
{
  set_gray (cr, gray);
  cairo_rectangle (cr, x, y, width, height);
  cairo_fill (cr);
}

/* The tint behind lines, with space around the whole of what is tinted. */
static void
draw_tint (GadgetPrintPages *self, GtkPrintContext *context, cairo_t *cr, const Slot *slot)
{
  const GadgetPrintPiece *piece = get_piece (self, slot->piece);
  const double above = slot->first_line > 0 || !is_begun (self, slot->piece) ? PAD : 0;
  const double below = !slot->last || !piece->goes_on ? PAD : 0;
  const gboolean tops = slot->y == PAD;

  fill (cr, TINT, piece->indent, slot->y - (tops ? PAD : above),
        gtk_print_context_get_width (context) - piece->indent,
        slot->height + (tops ? PAD : above) + below);
}

/* The bars beside a quote. */
static void
draw_quotes (GtkPrintContext *context, cairo_t *cr, const Slot *slot, const GadgetPrintPiece *piece,
             gboolean rtl)
{
  for (guint i = 0; i < piece->n_quotes; i++)
    {
      const double x = piece->indent - 12 - 8.0 * i;

      fill (cr, LINE_COLOR, rtl ? gtk_print_context_get_width (context) - x : x, slot->y, 2,
            slot->height);
    }
}

static void
draw_row (GadgetPrintPages *self, GtkPrintContext *context, cairo_t *cr, const Slot *slot)
{
  const GadgetPrintPiece *piece = get_piece (self, slot->piece);
  double x = piece->indent;

  cairo_save (cr);
  cairo_rectangle (cr, 0, slot->y, gtk_print_context_get_width (context), slot->height);
  cairo_clip (cr);
  for (guint i = 0; i < piece->n_texts; i++)
    {
      g_autoptr (PangoLayout) layout = layout_text (self, context, piece, i);

      set_gray (cr, 0);
      cairo_move_to (cr, x + CELL_PAD, slot->y + CELL_PAD - slot->offset);
      pango_cairo_show_layout (cr, layout);
      x += get_width (context, piece) * piece->widths[i];
    }
  cairo_restore (cr);
  if (!slot->last)
    return;
  fill (cr, LINE_COLOR, piece->indent, slot->y + slot->height - 0.5, get_width (context, piece),
        piece->look == GADGET_PRINT_HEAD ? 1 : 0.5);
}

static cairo_status_t
read_png (void *data, unsigned char *to, unsigned int length)
{
  return g_input_stream_read_all (data, to, length, NULL, NULL, NULL) ? CAIRO_STATUS_SUCCESS
                                                                      : CAIRO_STATUS_READ_ERROR;
}

static void
draw_picture (GadgetPrintPages *self, GtkPrintContext *context, cairo_t *cr, const Slot *slot)
{
  const GadgetPrintPiece *piece = get_piece (self, slot->piece);
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (piece->picture);
  cairo_surface_t *surface = cairo_image_surface_create_from_png_stream (read_png, stream);

  cairo_save (cr);
  cairo_translate (cr, piece->indent, slot->y);
  cairo_scale (cr, get_scale (context, piece), get_scale (context, piece));
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);
}

/* The marker of an item is on the side where its text begins. */
static void
draw_marker (GadgetPrintPages *self, GtkPrintContext *context, cairo_t *cr, const Slot *slot,
             gboolean rtl)
{
  const GadgetPrintPiece *piece = get_piece (self, slot->piece);
  const double right = gtk_print_context_get_width (context);
  g_autoptr (PangoLayout) layout =
      make_layout (self, context, self->font, TEXT_SIZE, FALSE, piece->marker, -1);
  int width;

  pango_layout_set_width (layout, -1);
  pango_layout_get_size (layout, &width, NULL);
  cairo_move_to (cr,
                 rtl ? right - piece->indent + MARKER_SPACE
                     : piece->indent - MARKER_SPACE - to_points (width),
                 slot->y);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_lines (GadgetPrintPages *self, GtkPrintContext *context, cairo_t *cr, const Slot *slot)
{
  const GadgetPrintPiece *piece = get_piece (self, slot->piece);
  g_autoptr (PangoLayout) layout = layout_text (self, context, piece, 0);
  g_autoptr (PangoLayoutIter) iter = pango_layout_get_iter (layout);
  const gboolean rtl = piece->look != GADGET_PRINT_CODE
                       && pango_layout_get_direction (layout, 0) == PANGO_DIRECTION_RTL;
  const double x = rtl ? get_inset (piece) - piece->indent : get_inset (piece);
  double y = slot->y;

  draw_quotes (context, cr, slot, piece, rtl);
  set_gray (cr, piece->look == GADGET_PRINT_DIM ? DIM_COLOR : 0);
  if (piece->marker != NULL && slot->first_line == 0)
    draw_marker (self, context, cr, slot, rtl);
  for (guint i = 0; i < slot->first_line + slot->n_lines; i++)
    {
      PangoRectangle logical;
      int top, end;

      pango_layout_iter_get_line_yrange (iter, &top, &end);
      pango_layout_iter_get_line_extents (iter, NULL, &logical);
      if (i >= slot->first_line)
        {
          cairo_move_to (cr, x + to_points (logical.x),
                         y + to_points (pango_layout_iter_get_baseline (iter) - top));
          pango_cairo_show_layout_line (cr, pango_layout_iter_get_line_readonly (iter));
          y += to_points (end - top);
        }
      pango_layout_iter_next_line (iter);
    }
}

static void
draw_slot (GadgetPrintPages *self, GtkPrintContext *context, cairo_t *cr, const Slot *slot)
{
  const GadgetPrintPiece *piece = get_piece (self, slot->piece);

  if (is_tinted (piece))
    draw_tint (self, context, cr, slot);
  if (piece->look == GADGET_PRINT_RULE || is_row (piece))
    draw_quotes (context, cr, slot, piece, FALSE);
  if (piece->look == GADGET_PRINT_RULE)
    fill (cr, LINE_COLOR, piece->indent, slot->y, get_width (context, piece), RULE_HEIGHT);
  else if (is_row (piece))
    draw_row (self, context, cr, slot);
  else if (piece->look == GADGET_PRINT_PICTURE)
    draw_picture (self, context, cr, slot);
  else
    draw_lines (self, context, cr, slot);
}

static void
draw_foot (GadgetPrintPages *self, GtkPrintContext *context, cairo_t *cr, guint page)
{
  const double width = gtk_print_context_get_width (context);
  const double y = gtk_print_context_get_height (context) - 2 * FOOT_SIZE;
  /* Translators: below a printed page: its number, and how many there are */
  g_autofree char *number = g_strdup_printf (_ ("%u of %u"), page + 1, self->pages->len);
  g_autoptr (PangoLayout) title =
      make_layout (self, context, self->font, FOOT_SIZE, FALSE, self->title, width * 0.8);
  g_autoptr (PangoLayout) right =
      make_layout (self, context, self->font, FOOT_SIZE, FALSE, number, width);

  set_gray (cr, DIM_COLOR);
  pango_layout_set_ellipsize (title, PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (title, TRUE);
  cairo_move_to (cr, 0, y);
  pango_cairo_show_layout (cr, title);
  pango_layout_set_alignment (right, PANGO_ALIGN_RIGHT);
  cairo_move_to (cr, 0, y);
  pango_cairo_show_layout (cr, right);
}

void
gadget_print_pages_draw (GadgetPrintPages *self, GtkPrintContext *context, guint page)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  guint end;

  g_return_if_fail (page < self->pages->len);

  end =
      page + 1 < self->pages->len ? g_array_index (self->pages, guint, page + 1) : self->slots->len;
  for (guint i = g_array_index (self->pages, guint, page); i < end; i++)
    draw_slot (self, context, cr, &g_array_index (self->slots, Slot, i));
  draw_foot (self, context, cr, page);
}
