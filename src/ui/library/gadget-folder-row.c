/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-folder-row.h"

#include "gadget-chat-row.h"

#include <glib/gi18n.h>

/* The largest number of unread chats that is shown as such. */
#define MAX_COUNT 99

struct _GadgetFolderRow
{
  AdwBin parent_instance;

  GtkImage *arrow;
  GtkLabel *name;
  GtkLabel *count;
};

G_DEFINE_FINAL_TYPE (GadgetFolderRow, gadget_folder_row, ADW_TYPE_BIN)

static void
gadget_folder_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_FOLDER_ROW);

  G_OBJECT_CLASS (gadget_folder_row_parent_class)->dispose (object);
}

static void
gadget_folder_row_class_init (GadgetFolderRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_folder_row_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/library/gadget-folder-row.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetFolderRow, arrow);
  gtk_widget_class_bind_template_child (widget_class, GadgetFolderRow, name);
  gtk_widget_class_bind_template_child (widget_class, GadgetFolderRow, count);
}

static void
gadget_folder_row_init (GadgetFolderRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
gadget_folder_row_new (void)
{
  return g_object_new (GADGET_TYPE_FOLDER_ROW, NULL);
}

void
gadget_folder_row_set_entry (GadgetFolderRow *self, const GadgetLibraryEntry *entry)
{
  g_autofree char *count = NULL;

  g_return_if_fail (GADGET_IS_FOLDER_ROW (self) && GADGET_IS_CHAT_FOLDER (entry->item));

  count = entry->n_unread > MAX_COUNT ? g_strdup_printf (_ ("%u+"), MAX_COUNT)
                                      : g_strdup_printf ("%u", entry->n_unread);
  gtk_widget_set_margin_start (adw_bin_get_child (ADW_BIN (self)),
                               (int) entry->depth * GADGET_CHAT_ROW_INDENT);
  gtk_image_set_from_icon_name (self->arrow,
                                entry->open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_label_set_label (self->name, gadget_chat_folder_get_name (GADGET_CHAT_FOLDER (entry->item)));
  gtk_label_set_label (self->count, count);
  gtk_widget_set_visible (GTK_WIDGET (self->count), !entry->open && entry->n_unread > 0);
}

char *
gadget_folder_row_describe (const GadgetLibraryEntry *entry)
{
  const char *name = gadget_chat_folder_get_name (GADGET_CHAT_FOLDER (entry->item));
  g_autofree char *chats =
      /* Translators: said by a screen reader of a folder: its name, and what it has */
      g_strdup_printf (
          ngettext ("%s, folder with %'u chat", "%s, folder with %'u chats", entry->count), name,
          entry->count);

  if (entry->open || entry->n_unread == 0)
    return g_steal_pointer (&chats);
  /* Translators: said by a screen reader of a folder: what was said before of its name and its
   * chats, and how many of these are unread */
  return g_strdup_printf (ngettext ("%s, %'u unread", "%s, %'u unread", entry->n_unread), chats,
                          entry->n_unread);
}

GtkWidget *
gadget_folder_row_get_title (GadgetFolderRow *self)
{
  g_return_val_if_fail (GADGET_IS_FOLDER_ROW (self), NULL);
  return GTK_WIDGET (self->name);
}
