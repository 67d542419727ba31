/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats are dragged onto folders, onto what is in them, and onto the dates, which is out of every
 * folder. Under Wayland the compositor takes Esc to end a drag; under X11 the window gets it. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

/* How long a drag stays over a closed folder until that opens. */
#define OPEN_MS 600

/* --- Dragging --------------------------------------------------------------------------------- */

static GdkContentProvider *
prepare_cb (GtkDragSource *source, double x, double y, GadgetLibrary *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  GObject *item = _gadget_library_get_row_item (self, row);

  if (self->shows_archive || !GADGET_IS_SESSION (item)
      || !_gadget_library_is_stored (self, GADGET_SESSION (item)))
    return NULL;
  g_clear_pointer (&self->dragged, g_ptr_array_unref);
  self->dragged = gadget_library_model_dup_selected (self->model);
  if (!g_ptr_array_find (self->dragged, item, NULL))
    {
      g_ptr_array_set_size (self->dragged, 0);
      g_ptr_array_add (self->dragged, g_object_ref (item));
    }
  return gdk_content_provider_new_typed (G_TYPE_PTR_ARRAY, self->dragged);
}

static void
drag_begin_cb (GtkDragSource *source, GdkDrag *drag, GadgetLibrary *self)
{
  const guint n = self->dragged->len;
  g_autofree char *several = g_strdup_printf (ngettext ("%'u chat", "%'u chats", n), n);
  GtkWidget *label =
      gtk_label_new (n > 1 ? several : gadget_labels_title (g_ptr_array_index (self->dragged, 0)));

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_widget_add_css_class (label, "dragged-chats");
  gtk_drag_icon_set_child (GTK_DRAG_ICON (gtk_drag_icon_get_for_drag (drag)), label);
  g_set_weak_pointer (&self->drag, drag);
}

static void
drag_end_cb (GadgetLibrary *self)
{
  g_clear_weak_pointer (&self->drag);
  g_clear_pointer (&self->dragged, g_ptr_array_unref);
}

/* Does what GDK does at Esc where it gets that key. Returns FALSE if nothing is dragged. */
gboolean
_gadget_library_cancel_drag (GadgetLibrary *self)
{
  if (self->drag == NULL)
    return FALSE;
  g_signal_emit_by_name (self->drag, "cancel", GDK_DRAG_CANCEL_USER_CANCELLED);
  return TRUE;
}

void
_gadget_library_add_drag_source (GadgetLibrary *self, GtkWidget *row)
{
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect_object (source, "prepare", G_CALLBACK (prepare_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (source, "drag-begin", G_CALLBACK (drag_begin_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (source, "drag-end", G_CALLBACK (drag_end_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (source));
}

/* --- Dropping --------------------------------------------------------------------------------- */

/* Returns the position of the row, or of the first row below the heading. */
static guint
find_position (GadgetLibrary *self, GtkWidget *widget)
{
  for (guint i = 0; i < self->headers->len; i++)
    {
      GtkListHeader *header = g_ptr_array_index (self->headers, i);

      if (gtk_list_header_get_child (header) == widget)
        return gadget_library_model_find (self->model, gtk_list_header_get_item (header));
    }
  return gadget_library_model_find (self->model, _gadget_library_get_row_item (self, widget));
}

/* Sets @folder, which is NULL for none, to where chats go that are dropped on a row or heading.
 * Returns FALSE if they go nowhere. */
static gboolean
find_place (GadgetLibrary *self, GtkWidget *widget, GadgetChatFolder **folder)
{
  guint position = find_position (self, widget);
  const GadgetLibraryEntry *entry;

  if (self->shows_archive || position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  entry = gadget_library_model_get_entry (self->model, position);
  *folder = NULL;
  if (entry->group != GADGET_LIBRARY_FOLDERS)
    return entry->group >= GADGET_LIBRARY_TODAY && entry->group <= GADGET_LIBRARY_OLDER;
  if (_gadget_library_get_row_item (self, widget) == NULL)
    return FALSE; /* the heading of all folders */
  if (GADGET_IS_SESSION (entry->item))
    position = _gadget_library_find_parent (self, position);
  *folder = GADGET_CHAT_FOLDER (gadget_library_model_get_entry (self->model, position)->item);
  return TRUE;
}

static gboolean
accept_cb (GtkDropTarget *target, GdkDrop *drop, GadgetLibrary *self)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target));
  GadgetChatFolder *folder;

  if (self->dragged == NULL || !find_place (self, widget, &folder))
    return FALSE;
  for (guint i = 0; i < self->dragged->len; i++)
    if (_gadget_library_get_folder (self, g_ptr_array_index (self->dragged, i)) != folder)
      return TRUE;
  return FALSE;
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, GadgetLibrary *self)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target));
  GadgetChatFolder *folder;

  if (!find_place (self, widget, &folder))
    return FALSE;
  _gadget_library_move (self, g_value_get_boxed (value), folder);
  _gadget_library_leave_selecting (self);
  return TRUE;
}

/* --- Opening while something is over it ------------------------------------------------------- */

static void
open_cb (gpointer user_data)
{
  GadgetLibrary *self = user_data;
  g_autoptr (GadgetChatFolder) folder = g_steal_pointer (&self->hovered_folder);

  self->open_id = 0;
  _gadget_library_set_folder_open (self, folder, TRUE);
}

static void
hover_cb (GtkDropControllerMotion *motion, double x, double y, GadgetLibrary *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (motion));

  if (self->dragged == NULL)
    return;
  g_clear_handle_id (&self->open_id, g_source_remove);
  g_set_object (&self->hovered_folder,
                GADGET_CHAT_FOLDER (_gadget_library_get_row_item (self, row)));
  self->open_id = g_timeout_add_once (OPEN_MS, open_cb, self);
  g_source_set_name_by_id (self->open_id, "[gadget] open the folder below a drag");
}

void
_gadget_library_stop_hovering (GadgetLibrary *self)
{
  g_clear_handle_id (&self->open_id, g_source_remove);
  g_clear_object (&self->hovered_folder);
}

void
_gadget_library_add_drop_target (GadgetLibrary *self, GtkWidget *widget)
{
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_PTR_ARRAY, GDK_ACTION_MOVE);

  g_signal_connect_object (target, "accept", G_CALLBACK (accept_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_DEFAULT);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}

/* Lets a folder open when something is dragged over its row. */
void
_gadget_library_open_at_hover (GadgetLibrary *self, GtkWidget *row)
{
  GtkEventController *motion = gtk_drop_controller_motion_new ();

  g_signal_connect_object (motion, "enter", G_CALLBACK (hover_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (motion, "leave", G_CALLBACK (_gadget_library_stop_hovering), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (row, motion);
}
