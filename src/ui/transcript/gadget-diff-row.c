/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A change of a file, below the line of the call that made it. A long one is folded: its first
 * lines, and a button for all of them. */

#define G_LOG_DOMAIN "gadget-diff-row"

#include "config.h"

#include "gadget-diff-row.h"

#include "gadget-diff-view.h"
#include "gadget-diff.h"
#include "gadget-sideways.h"

#include <glib/gi18n.h>

struct _GadgetDiffRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GadgetDiffView *view;
  GtkWidget *more; /* made when first needed */
};

G_DEFINE_FINAL_TYPE (GadgetDiffRow, gadget_diff_row, GADGET_TYPE_ROW)

static void
more_cb (GadgetRow *row)
{
  gadget_row_set_expanded (row, !gadget_block_get_expanded (gadget_row_get_block (row)));
}

static void
update_more (GadgetDiffRow *self)
{
  GadgetBlock *block = gadget_row_get_block (GADGET_ROW (self));
  GadgetItem *item = gadget_block_get_item (block);
  const guint n_lines =
      gadget_diff_count_folded (gadget_item_get_text (item), gadget_item_get_length (item));
  g_autofree char *text = NULL;

  if (n_lines == 0)
    return;
  if (self->more == NULL)
    {
      self->more = gtk_button_new_with_label ("");
      gtk_widget_add_css_class (self->more, "flat");
      gtk_widget_add_css_class (self->more, "diff-more");
      g_signal_connect_swapped (self->more, "clicked", G_CALLBACK (more_cb), self);
      gtk_box_append (GTK_BOX (self->card), self->more);
    }
  if (gadget_block_get_expanded (block))
    text = g_strdup (_ ("Show Less"));
  else
    text = g_strdup_printf (ngettext ("Show All %u Line", "Show All %u Lines", n_lines), n_lines);
  gtk_button_set_label (GTK_BUTTON (self->more), text);
}

static void
gadget_diff_row_update (GadgetRow *row)
{
  GadgetDiffRow *self = GADGET_DIFF_ROW (row);
  gsize length;
  const char *text = gadget_block_get_text (gadget_row_get_block (row), &length);

  gadget_diff_view_set_text (self->view, text, length);
  update_more (self);
}

static void
gadget_diff_row_class_init (GadgetDiffRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->update = gadget_diff_row_update;
}

static void
gadget_diff_row_init (GadgetDiffRow *self)
{
  GtkWidget *scrolled;

  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->card, "diff");
  gtk_widget_set_overflow (self->card, GTK_OVERFLOW_HIDDEN);
  self->view = GADGET_DIFF_VIEW (gadget_diff_view_new ());
  scrolled = gadget_sideways_new (GTK_WIDGET (self->view), _ ("Changes of the file"));
  /* What is in a file runs from left to right wherever it is read. */
  gtk_widget_set_direction (scrolled, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled)),
                            GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (GTK_WIDGET (self->view), GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (GTK_WIDGET (gadget_diff_view_get_piece (self->view)), GTK_TEXT_DIR_LTR);
  gtk_box_append (GTK_BOX (self->card), scrolled);
  gadget_row_set_child (GADGET_ROW (self), self->card);
  gadget_row_set_piece (GADGET_ROW (self), gadget_diff_view_get_piece (self->view));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Changes of the file"), -1);
}
