/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-prompt-row"

#include "config.h"

#include "gadget-prompt-row.h"

#include <glib/gi18n.h>

#define WIDTH_SHARE 0.8

struct _GadgetPromptRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GadgetSelectableText *piece;
  gboolean full; /* one of several rows of a message, which all have the full width */
};

G_DEFINE_FINAL_TYPE (GadgetPromptRow, gadget_prompt_row, GADGET_TYPE_ROW)

static int
get_card_width (GadgetPromptRow *self, int width)
{
  const int widest = (int) (width * WIDTH_SHARE);
  int natural;

  if (self->full)
    return widest;
  gtk_widget_measure (self->card, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return MIN (natural, widest);
}

static void
gadget_prompt_row_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetPromptRow *self = GADGET_PROMPT_ROW (widget);

  gtk_widget_measure (self->card, orientation,
                      orientation == GTK_ORIENTATION_VERTICAL && for_size > 0
                          ? get_card_width (self, for_size)
                          : -1,
                      minimum, natural, NULL, NULL);
}

static void
gadget_prompt_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetPromptRow *self = GADGET_PROMPT_ROW (widget);
  const int card = get_card_width (self, width);
  const gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  const graphene_point_t origin = GRAPHENE_POINT_INIT (rtl ? 0 : (float) (width - card), 0);

  gtk_widget_allocate (self->card, card, height, -1, gsk_transform_translate (NULL, &origin));
}

static void
gadget_prompt_row_update (GadgetRow *row)
{
  GadgetPromptRow *self = GADGET_PROMPT_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  gsize whole = 0;
  gsize length;
  const char *text = gadget_row_data_get_text (data, &length);

  gadget_row_data_get_source (gadget_row_data_get_kind (data), gadget_row_data_get_turn (data),
                              gadget_row_data_get_item (data), &whole);
  gadget_selectable_text_set_text (self->piece, text, length);
  self->full = gadget_row_data_get_start (data) > 0 || gadget_row_data_get_end (data) < whole;
  gadget_row_join_card (row, self->card);
}

static void
gadget_prompt_row_bind (GadgetRow *row)
{
  const gboolean steer =
      gadget_row_data_get_kind (gadget_row_get_data (row)) == GADGET_ROW_KIND_STEER;

  gtk_accessible_update_property (
      GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
      /* Translators: the name of a message that the user wrote: into
         a reply that was going on, or to begin a turn */
      steer ? _ ("Your message, said while it worked") : _ ("Your message"), -1);
}

static void
gadget_prompt_row_class_init (GadgetPromptRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  GADGET_ROW_CLASS (klass)->bind = gadget_prompt_row_bind;
  GADGET_ROW_CLASS (klass)->update = gadget_prompt_row_update;
  widget_class->measure = gadget_prompt_row_measure;
  widget_class->size_allocate = gadget_prompt_row_size_allocate;
}

static void
gadget_prompt_row_init (GadgetPromptRow *self)
{
  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->card, "prompt");
  self->piece = GADGET_SELECTABLE_TEXT (gadget_selectable_text_new (GADGET_TEXT_SHRINK));
  gtk_box_append (GTK_BOX (self->card), GTK_WIDGET (self->piece));
  gadget_row_set_child (GADGET_ROW (self), self->card);
  gadget_row_set_piece (GADGET_ROW (self), self->piece);
}
