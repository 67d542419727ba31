/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marked ranges of a piece's text. Code is on a tint that is drawn behind the text. Links are
 * children of the piece; they are reused in order while the text grows, so that a link keeps its
 * focus. */

#define G_LOG_DOMAIN "gadget-selectable-text"

#include "config.h"

#include "gadget-selectable-text-private.h"
#include "gadget-text-link.h"

#include <adwaita.h>

#define TINT_LIGHT 0.06f
#define TINT_DARK 0.09f
#define TINT_CONTRAST 0.2f
#define TINT_RADIUS 4

struct _GadgetTextMarks
{
  GadgetSelectableText *piece; /* not owned: the piece owns this object */
  GArray *code;                /* of int: start and end of each range alternate */
  GPtrArray *links;            /* of GadgetTextLink, children of the piece */
};

static void
drop_link (gpointer link)
{
  gtk_widget_unparent (GTK_WIDGET (link));
}

GadgetTextMarks *
_gadget_text_marks_new (GadgetSelectableText *piece)
{
  GadgetTextMarks *self = g_new0 (GadgetTextMarks, 1);

  self->piece = piece;
  self->code = g_array_new (FALSE, FALSE, sizeof (int));
  self->links = g_ptr_array_new_with_free_func (drop_link);
  return self;
}

void
_gadget_text_marks_free (GadgetTextMarks *self)
{
  g_array_unref (self->code);
  g_ptr_array_unref (self->links);
  g_free (self);
}

static void
set_link (GadgetTextMarks *self, guint index, const GadgetTextMark *mark)
{
  g_autofree char *label = g_strndup (gadget_selectable_text_get_text (self->piece) + mark->start,
                                      mark->end - mark->start);

  if (index == self->links->len)
    {
      GtkWidget *link = gadget_text_link_new ();

      gtk_widget_set_parent (link, GTK_WIDGET (self->piece));
      g_ptr_array_add (self->links, link);
    }
  gadget_text_link_set (g_ptr_array_index (self->links, index), mark->start, mark->end,
                        mark->address, mark->is_file, label);
}

void
_gadget_text_marks_set (GadgetTextMarks *self, const GadgetTextMark *marks, guint n_marks)
{
  const guint length = (guint) gadget_selectable_text_get_length (self->piece);
  guint n_links = 0;

  g_array_set_size (self->code, 0);
  for (guint i = 0; i < n_marks; i++)
    {
      const int range[] = { (int) marks[i].start, (int) marks[i].end };

      g_return_if_fail (marks[i].start <= marks[i].end && marks[i].end <= length);
      if (marks[i].address != NULL)
        set_link (self, n_links++, &marks[i]);
      else
        g_array_append_vals (self->code, range, 2);
    }
  g_ptr_array_set_size (self->links, (int) n_links);
}

void
_gadget_text_marks_place (GadgetTextMarks *self, PangoLayout *layout)
{
  for (guint i = 0; i < self->links->len; i++)
    gadget_text_link_place (g_ptr_array_index (self->links, i), layout);
}

static void
snapshot_tint (GtkSnapshot *snapshot, const cairo_rectangle_int_t *box, const GdkRGBA *color)
{
  GskRoundedRect shape;

  gsk_rounded_rect_init_from_rect (
      &shape,
      &GRAPHENE_RECT_INIT ((float) box->x, (float) box->y, (float) box->width, (float) box->height),
      TINT_RADIUS);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, color, &shape.bounds);
  gtk_snapshot_pop (snapshot);
}

void
_gadget_text_marks_snapshot (GadgetTextMarks *self, GtkSnapshot *snapshot, PangoLayout *layout,
                             const GdkRGBA *color)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  GdkRGBA tint = *color;

  tint.alpha *= adw_style_manager_get_high_contrast (style) ? TINT_CONTRAST
                : adw_style_manager_get_dark (style)        ? TINT_DARK
                                                            : TINT_LIGHT;
  /* Each range is drawn separately, so that two ranges which touch have two tints. */
  for (guint i = 0; i + 1 < self->code->len; i += 2)
    {
      cairo_region_t *region =
          gdk_pango_layout_get_clip_region (layout, 0, 0, &g_array_index (self->code, int, i), 1);

      for (int k = 0; k < cairo_region_num_rectangles (region); k++)
        {
          cairo_rectangle_int_t box;

          cairo_region_get_rectangle (region, k, &box);
          snapshot_tint (snapshot, &box, &tint);
        }
      cairo_region_destroy (region);
    }
}
