/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-fold-row.h"

#include "ui/code/gadget-code-block.h"
#include "ui/markdown/gadget-markdown-line.h"

#include <glib/gi18n.h>
#include <string.h>

struct _GadgetCodeFoldRow
{
  GadgetRow parent_instance;

  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (GadgetCodeFoldRow, gadget_code_fold_row, GADGET_TYPE_ROW)

static void
clicked_cb (GadgetRow *row)
{
  gadget_row_set_expanded (row, TRUE);
}

static gboolean
is_fence (const char *line, const char *end)
{
  line = gadget_markdown_line_skip_spaces (line, end);
  return gadget_markdown_line_get_fence (line, end) > 0;
}

/* Returns the number of folded lines, without the closing fence. */
static guint
count_lines (GadgetRowData *data)
{
  GadgetItem *item = gadget_row_data_get_item (data);
  const char *text = gadget_item_get_text (item);
  const gsize length = gadget_item_get_length (item);
  const char *at = text + MIN (gadget_row_data_get_start (data), length);
  const char *end = text + MIN (gadget_row_data_get_end (data), length);
  guint n = 0;

  while (end > at && g_ascii_isspace (end[-1]))
    end--;
  for (const char *line = at; line < end; n++)
    {
      const char *newline = memchr (line, '\n', (gsize) (end - line));

      if (newline == NULL)
        return is_fence (line, end) ? n : n + 1;
      line = newline + 1;
    }
  return n;
}

static void
gadget_code_fold_row_update (GadgetRow *row)
{
  g_autofree char *label =
      gadget_code_block_dup_more_label (count_lines (gadget_row_get_data (row)));

  gtk_button_set_label (GTK_BUTTON (GADGET_CODE_FOLD_ROW (row)->button), label);
}

static void
gadget_code_fold_row_class_init (GadgetCodeFoldRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->update = gadget_code_fold_row_update;
}

static void
gadget_code_fold_row_init (GadgetCodeFoldRow *self)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class (card, "code-card");
  gtk_widget_add_css_class (card, "continued");
  self->button = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_add_css_class (self->button, "code-more");
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (clicked_cb), self);
  gtk_box_append (GTK_BOX (card), self->button);
  gadget_row_set_child (GADGET_ROW (self), card);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Code"),
                                  -1);
}
