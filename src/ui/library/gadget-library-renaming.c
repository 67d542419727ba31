/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Renames the chat or the folder of a row in its place: the title becomes an entry. Enter takes the
 * new name, and so does going elsewhere; Esc leaves the old one. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "gadget-chat-row.h"
#include "gadget-folder-row.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

static void
take_name (GadgetLibrary *self, GObject *item, const char *text)
{
  g_autofree char *name = g_strstrip (g_strdup (text));

  if (*name == '\0')
    return;
  if (GADGET_IS_CHAT_FOLDER (item))
    {
      gadget_chat_folders_rename (gadget_engine_get_chat_folders (self->engine),
                                  GADGET_CHAT_FOLDER (item), name);
      return;
    }
  if (g_str_equal (name, gadget_labels_title (GADGET_SESSION (item))))
    return;
  gadget_session_set_title (GADGET_SESSION (item), name);
  gadget_engine_save (self->engine, GADGET_SESSION (item));
}

/* Shows the title again. @stay: the row gets the focus of the entry */
static void
end (GadgetLibrary *self, gboolean take, gboolean stay)
{
  g_autoptr (GtkWidget) entry = g_steal_pointer (&self->rename_entry);
  g_autoptr (GObject) item = g_steal_pointer (&self->renamed_item);
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  GtkWidget *box = gtk_widget_get_parent (entry);
  GtkWidget *row = gtk_widget_get_ancestor (box, ADW_TYPE_BIN);

  g_clear_handle_id (&self->rename_id, g_source_remove);
  gtk_widget_set_visible (gtk_widget_get_prev_sibling (entry), TRUE);
  if (stay)
    gtk_widget_grab_focus (gtk_widget_get_parent (row));
  gtk_box_remove (GTK_BOX (box), entry);
  if (take)
    take_name (self, item, text);
}

static void
activate_cb (GadgetLibrary *self)
{
  end (self, TRUE, TRUE);
}

static void
take_cb (gpointer data)
{
  GadgetLibrary *self = data;

  self->rename_id = 0;
  /* The menu that it was begun by took the focus for a moment. */
  if (gtk_widget_get_focus_child (self->rename_entry) == NULL
      || !gtk_widget_has_focus (gtk_widget_get_focus_child (self->rename_entry)))
    end (self, TRUE, FALSE);
}

/* GTK is still moving the focus. */
static void
left_cb (GadgetLibrary *self)
{
  if (self->rename_entry == NULL || self->rename_id != 0)
    return;
  self->rename_id = g_idle_add_once (take_cb, self);
  g_source_set_name_by_id (self->rename_id, "gadget-library renaming");
}

/* Esc is not for the chat, nor for the list. */
static gboolean
key_pressed_cb (GadgetLibrary *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (keyval != GDK_KEY_Escape || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  end (self, FALSE, TRUE);
  return GDK_EVENT_STOP;
}

static GtkWidget *
make_entry (GadgetLibrary *self, GObject *item)
{
  const gboolean is_folder = GADGET_IS_CHAT_FOLDER (item);
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_editable_set_text (GTK_EDITABLE (entry),
                         is_folder ? gadget_chat_folder_get_name (GADGET_CHAT_FOLDER (item))
                                   : gadget_labels_title (GADGET_SESSION (item)));
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_add_css_class (entry, "rename-entry");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_folder ? _ ("Name of the folder") : _ ("Title of the chat"),
                                  -1);
  g_signal_connect_object (entry, "activate", G_CALLBACK (activate_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (left_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (entry, focus);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (entry, keys);
  return entry;
}

/* Returns the title in the row of a chat or of a folder, if that is in use. (nullable) */
static GtkWidget *
find_title (GadgetLibrary *self, GObject *item)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkListItem *row = g_ptr_array_index (self->rows, i);
      GtkWidget *child = gtk_list_item_get_child (row);

      if (gtk_list_item_get_item (row) != item)
        continue;
      return GADGET_IS_FOLDER_ROW (child) ? gadget_folder_row_get_title (GADGET_FOLDER_ROW (child))
                                          : gadget_chat_row_get_title (GADGET_CHAT_ROW (child));
    }
  return NULL;
}

/* Lets the user rename the chat or the folder in its row. */
void
_gadget_library_begin_renaming (GadgetLibrary *self, GObject *item)
{
  GtkWidget *title = find_title (self, item);

  if (title == NULL || self->engine == NULL)
    return;
  if (self->rename_entry != NULL)
    end (self, TRUE, FALSE);
  self->renamed_item = g_object_ref (item);
  self->rename_entry = g_object_ref_sink (make_entry (self, item));
  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (title)), self->rename_entry, title);
  gtk_widget_set_visible (title, FALSE);
  gtk_widget_grab_focus (self->rename_entry);
}

/* To be called when the row of @item goes, or with NULL for any. The old name stays. */
void
_gadget_library_cancel_renaming (GadgetLibrary *self, GObject *item)
{
  if (self->rename_entry != NULL && (item == NULL || item == self->renamed_item))
    end (self, FALSE, FALSE);
}
