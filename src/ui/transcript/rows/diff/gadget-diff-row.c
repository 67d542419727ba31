/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The change of a file, below the line of the call that made it. A header has the name of the file
 * and buttons. A long change is folded: only its first lines are shown, with a button that shows
 * all. */

#define G_LOG_DOMAIN "gadget-diff-row"

#include "config.h"

#include "gadget-diff-row.h"

#include "gadget-diff-view.h"
#include "ui/transcript/model/gadget-diff.h"
#include "ui/transcript/model/gadget-tool-file.h"

#include "common/gadget-bidi.h"

#include <glib/gi18n.h>

struct _GadgetDiffRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GtkLabel *name;
  GtkWidget *open;
  GtkWidget *copy;
  GadgetDiffView *view;
  GtkWidget *more; /* made when first needed */
};

G_DEFINE_FINAL_TYPE (GadgetDiffRow, gadget_diff_row, GADGET_TYPE_ROW)

/* --- The header --- */

/* Copies the whole difference, even when a part is shown, in a format for "patch -p0". */
static void
copy_cb (GadgetDiffRow *self)
{
  GadgetItem *item = gadget_row_data_get_item (gadget_row_get_data (GADGET_ROW (self)));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          gadget_item_get_text (item));
}

static GtkWidget *
make_button (const char *icon_name, const char *label)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon_name);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "code-button");
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

static GtkWidget *
make_header (GadgetDiffRow *self)
{
  GtkWidget *header = g_object_new (GTK_TYPE_BOX, "css-name", "codeheader", NULL);

  self->name = GTK_LABEL (gtk_label_new (NULL));
  /* The name is ellipsized at the start, since the end of a path is the name of the file. */
  gtk_label_set_ellipsize (self->name, PANGO_ELLIPSIZE_START);
  gtk_label_set_xalign (self->name, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->name), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->name), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->name), "dimmed");
  self->open = make_button ("document-open-symbolic", _ ("Open File"));
  self->copy = make_button ("edit-copy-symbolic", _ ("Copy Patch"));
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (copy_cb), self);
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->name));
  gtk_box_append (GTK_BOX (header), self->open);
  gtk_box_append (GTK_BOX (header), self->copy);
  return header;
}

static void
update_header (GadgetDiffRow *self, const char *name)
{
  GadgetItem *item = gadget_row_data_get_item (gadget_row_get_data (GADGET_ROW (self)));
  g_autofree char *shown = gadget_bidi_escape (name != NULL ? name : "");
  const char *path = gadget_tool_file_get_path (item);

  gtk_label_set_text (self->name, shown);
  gtk_widget_set_visible (self->open, path != NULL);
  if (path != NULL)
    {
      gtk_actionable_set_action_target (GTK_ACTIONABLE (self->open), "s", path);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->open), "transcript.open-file");
    }
  /* A difference whose end was cut off is no valid patch, so it cannot be copied. */
  gtk_widget_set_visible (self->copy, gadget_diff_is_whole (gadget_item_get_text (item),
                                                            gadget_item_get_length (item)));
}

/* --- Folding --- */

static void
update_more (GadgetDiffRow *self)
{
  GadgetRowData *data = gadget_row_get_data (GADGET_ROW (self));
  GadgetItem *item = gadget_row_data_get_item (data);
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
      g_signal_connect_swapped (self->more, "clicked", G_CALLBACK (gadget_row_toggle), self);
      gtk_box_append (GTK_BOX (self->card), self->more);
    }
  if (gadget_row_data_get_expanded (data))
    text = g_strdup (_ ("Show Less"));
  else
    text = g_strdup_printf (ngettext ("Show All %u Line", "Show All %u Lines", n_lines), n_lines);
  gtk_button_set_label (GTK_BUTTON (self->more), text);
}

/* --- Object --- */

static void
gadget_diff_row_update (GadgetRow *row)
{
  GadgetDiffRow *self = GADGET_DIFF_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  GadgetItem *item = gadget_row_data_get_item (data);
  gsize length;
  const char *text = gadget_row_data_get_text (data, &length);
  g_autofree char *name =
      gadget_diff_dup_name (gadget_item_get_text (item), gadget_item_get_length (item));

  update_header (self, name);
  gadget_diff_view_set_text (self->view, name, text, length);
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
  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->card, "diff");
  gtk_widget_set_overflow (self->card, GTK_OVERFLOW_HIDDEN);
  self->view = GADGET_DIFF_VIEW (gadget_diff_view_new ());
  gtk_box_append (GTK_BOX (self->card), make_header (self));
  gtk_box_append (GTK_BOX (self->card), GTK_WIDGET (self->view));
  gadget_row_set_child (GADGET_ROW (self), self->card);
  gadget_row_set_piece (GADGET_ROW (self), gadget_diff_view_get_piece (self->view));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Changes of the file"), -1);
}
