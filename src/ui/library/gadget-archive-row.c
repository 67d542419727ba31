/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-archive-row.h"

struct _GadgetArchiveRow
{
  AdwBin parent_instance;

  GtkLabel *count;
};

G_DEFINE_FINAL_TYPE (GadgetArchiveRow, gadget_archive_row, ADW_TYPE_BIN)

static void
gadget_archive_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_ARCHIVE_ROW);

  G_OBJECT_CLASS (gadget_archive_row_parent_class)->dispose (object);
}

static void
gadget_archive_row_class_init (GadgetArchiveRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_archive_row_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/library/gadget-archive-row.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetArchiveRow, count);
}

static void
gadget_archive_row_init (GadgetArchiveRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
gadget_archive_row_new (void)
{
  return g_object_new (GADGET_TYPE_ARCHIVE_ROW, NULL);
}

/* gadget_archive_row_set_count: shows how many chats are archived. */
void
gadget_archive_row_set_count (GadgetArchiveRow *self, guint n_chats)
{
  g_autofree char *text = g_strdup_printf ("%'u", n_chats);

  g_return_if_fail (GADGET_IS_ARCHIVE_ROW (self));
  gtk_label_set_label (self->count, text);
}
