/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The factories of the list's rows and headers. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "gadget-archive-row.h"
#include "gadget-chat-row.h"
#include "gadget-folder-row.h"

#include <glib/gi18n.h>

/* --- Headers ---------------------------------------------------------------------------------- */

static void
setup_header_cb (GadgetLibrary *self, GtkListHeader *header)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *button = gtk_button_new_from_icon_name ("folder-new-symbolic");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "dimmed");
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("New Folder"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "library.new-folder");
  gtk_box_append (GTK_BOX (box), button);
  gtk_list_header_set_child (header, box);
  _gadget_library_add_drop_target (self, box);
}

void
_gadget_library_update_header (gpointer header, gpointer library)
{
  GadgetLibrary *self = library;
  const guint position = gadget_library_model_find (self->model, gtk_list_header_get_item (header));
  GtkWidget *box = gtk_list_header_get_child (header);
  GadgetLibraryGroup group;
  const char *name;

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  group = gadget_library_model_get_entry (self->model, position)->group;
  name = gadget_library_group_name (group);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (box)), name);
  gtk_widget_set_visible (box, *name != '\0');
  gtk_widget_set_visible (gtk_widget_get_last_child (box), group == GADGET_LIBRARY_FOLDERS);
}

static void
bind_header_cb (GadgetLibrary *self, GtkListHeader *header)
{
  g_ptr_array_add (self->headers, header);
  _gadget_library_update_header (header, self);
}

static void
unbind_header_cb (GadgetLibrary *self, GtkListHeader *header)
{
  g_ptr_array_remove (self->headers, header);
}

/* --- Rows ------------------------------------------------------------------------------------- */

GObject *
_gadget_library_get_row_item (GadgetLibrary *self, GtkWidget *row)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkListItem *item = g_ptr_array_index (self->rows, i);

      if (gtk_list_item_get_child (item) == row && !GADGET_IS_ARCHIVE_ROW (row))
        return gtk_list_item_get_item (item);
    }
  return NULL;
}

static void
describe_item (GtkListItem *item)
{
  GadgetChatRow *row = GADGET_CHAT_ROW (gtk_list_item_get_child (item));

  gtk_list_item_set_accessible_label (item, gadget_chat_row_get_description (row));
}

static void
right_click_cb (GtkGesture *gesture, int n_press, double x, double y, GadgetLibrary *self)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  _gadget_library_open_context_menu (
      self, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)), x, y);
}

/* A long press begins to select with a chat, and opens the menu of a folder. */
static void
long_press_cb (GtkGesture *gesture, double x, double y, GadgetLibrary *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  if (GADGET_IS_CHAT_ROW (row))
    gadget_library_model_toggle (self->model, _gadget_library_get_row_item (self, row));
  else
    _gadget_library_open_context_menu (self, row, x, y);
}

/* While the user selects, a click is for the check box. GTK sees those with Ctrl or Shift. */
static void
chat_released_cb (GtkGesture *gesture, int n_press, double x, double y, GadgetLibrary *self)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (gesture);
  GtkWidget *row = gtk_event_controller_get_widget (controller);
  const GdkModifierType state = gtk_event_controller_get_current_event_state (controller);

  if (!gadget_library_model_get_selecting (self->model)
      || (state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) != 0)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (gtk_widget_get_parent (row));
  gadget_library_model_toggle (self->model, _gadget_library_get_row_item (self, row));
}

static void
add_menu_gestures (GadgetLibrary *self, GtkWidget *row)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (right_click_cb), self, G_CONNECT_DEFAULT);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_object (press, "pressed", G_CALLBACK (long_press_cb), self, G_CONNECT_DEFAULT);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (press));
}

static GtkWidget *
make_chat_row (GadgetLibrary *self, GtkListItem *item)
{
  GtkWidget *row = gadget_chat_row_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_object (click, "released", G_CALLBACK (chat_released_cb), self,
                           G_CONNECT_DEFAULT);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (row, "notify::description", G_CALLBACK (describe_item), item,
                           G_CONNECT_SWAPPED);
  add_menu_gestures (self, row);
  _gadget_library_add_drag_source (self, row);
  _gadget_library_add_drop_target (self, row);
  return row;
}

/* Keeps the press from GTK, which activates a row at the second press of a double click. */
static void
folder_pressed_cb (GtkGesture *gesture, int n_press, double x, double y, GadgetLibrary *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (gtk_widget_get_parent (row));
}

static void
folder_released_cb (GtkGesture *gesture, int n_press, double x, double y, GadgetLibrary *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  GObject *folder = _gadget_library_get_row_item (self, row);

  if (folder != NULL)
    _gadget_library_toggle_folder (self, GADGET_CHAT_FOLDER (folder));
}

static GtkWidget *
make_folder_row (GadgetLibrary *self)
{
  GtkWidget *row = gadget_folder_row_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_object (click, "pressed", G_CALLBACK (folder_pressed_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (click, "released", G_CALLBACK (folder_released_cb), self,
                           G_CONNECT_DEFAULT);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  add_menu_gestures (self, row);
  _gadget_library_add_drop_target (self, row);
  _gadget_library_open_at_hover (self, row);
  return row;
}

static void
archive_clicked_cb (GadgetLibrary *self)
{
  _gadget_library_show_archive (self, TRUE);
}

static GtkWidget *
make_archive_row (GadgetLibrary *self)
{
  GtkWidget *row = gadget_archive_row_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_object (click, "released", G_CALLBACK (archive_clicked_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  return row;
}

/* Tells a screen reader whether a folder is open. The widget of GTK around the row is what it
 * reads. */
static void
update_expanded (GtkWidget *row, const GadgetLibraryEntry *entry)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (gtk_widget_get_parent (row));

  if (GADGET_IS_CHAT_FOLDER (entry->item))
    gtk_accessible_update_state (accessible, GTK_ACCESSIBLE_STATE_EXPANDED, (int) entry->open, -1);
  else
    gtk_accessible_reset_state (accessible, GTK_ACCESSIBLE_STATE_EXPANDED);
}

/* A row that GTK keeps for the focus may be of an item that is not listed any more. */
void
_gadget_library_update_row (GadgetLibrary *self, GtkListItem *item)
{
  const guint position = gadget_library_model_find (self->model, gtk_list_item_get_item (item));
  GtkWidget *row = gtk_list_item_get_child (item);
  const GadgetLibraryEntry *entry;
  g_autofree char *label = NULL;

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  entry = gadget_library_model_get_entry (self->model, position);
  update_expanded (row, entry);
  if (GADGET_IS_CHAT_ROW (row))
    {
      gadget_chat_row_set_depth (GADGET_CHAT_ROW (row), entry->depth);
      gadget_chat_row_set_check (
          GADGET_CHAT_ROW (row),
          entry->selectable && gadget_library_model_get_selecting (self->model),
          gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->model), position));
      return;
    }
  if (GADGET_IS_FOLDER_ROW (row))
    {
      gadget_folder_row_set_entry (GADGET_FOLDER_ROW (row), entry);
      label = gadget_folder_row_describe (entry);
    }
  else
    {
      gadget_archive_row_set_count (GADGET_ARCHIVE_ROW (row), entry->count);
      label = g_strdup_printf (ngettext ("Archive, %'u chat", "Archive, %'u chats", entry->count),
                               entry->count);
    }
  gtk_list_item_set_accessible_label (item, label);
}

static void
bind_row_cb (GadgetLibrary *self, GtkListItem *item)
{
  GObject *of = gtk_list_item_get_item (item);
  GtkWidget *row = gtk_list_item_get_child (item);

  g_ptr_array_add (self->rows, item);
  if (GADGET_IS_SESSION (of) && !GADGET_IS_CHAT_ROW (row))
    row = make_chat_row (self, item);
  else if (GADGET_IS_CHAT_FOLDER (of) && !GADGET_IS_FOLDER_ROW (row))
    row = make_folder_row (self);
  else if (of == self->archive && !GADGET_IS_ARCHIVE_ROW (row))
    row = make_archive_row (self);
  /* GTK refuses the child that is there already. */
  if (row != gtk_list_item_get_child (item))
    gtk_list_item_set_child (item, row);
  if (GADGET_IS_SESSION (of))
    gadget_chat_row_set_session (GADGET_CHAT_ROW (row), GADGET_SESSION (of), self->engine);
  _gadget_library_update_row (self, item);
}

static void
unbind_row_cb (GadgetLibrary *self, GtkListItem *item)
{
  _gadget_library_cancel_renaming (self, gtk_list_item_get_item (item));
  g_ptr_array_remove (self->rows, item);
  if (GADGET_IS_CHAT_ROW (gtk_list_item_get_child (item)))
    gadget_chat_row_set_session (GADGET_CHAT_ROW (gtk_list_item_get_child (item)), NULL, NULL);
}

void
_gadget_library_bind_rows (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, setup_header_cb);
  gtk_widget_class_bind_template_callback (widget_class, bind_header_cb);
  gtk_widget_class_bind_template_callback (widget_class, unbind_header_cb);
  gtk_widget_class_bind_template_callback (widget_class, bind_row_cb);
  gtk_widget_class_bind_template_callback (widget_class, unbind_row_cb);
}
