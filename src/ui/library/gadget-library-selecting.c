/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The head and the foot of the sidebar while the user selects several chats. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include <glib/gi18n.h>

/* A button that is about to be hidden gives the focus back to the list. */
static void
leave_buttons (GadgetLibrary *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL
      && (focus == self->cancel || focus == self->select_all
          || gtk_widget_is_ancestor (focus, self->foot)))
    gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

/* Shows the head and the foot that the list needs: of all chats, of the archive, or of selecting.
 */
void
_gadget_library_update_head (GadgetLibrary *self)
{
  const gboolean selecting = gadget_library_model_get_selecting (self->model);

  if (!selecting)
    leave_buttons (self);
  gtk_widget_set_visible (self->toggle, !selecting && self->covering);
  gtk_window_controls_set_decoration_layout (self->controls,
                                             !selecting && self->covering ? NULL : "");
  gtk_widget_set_visible (self->new_chat, !selecting && !self->shows_archive);
  gtk_widget_set_visible (self->back, !selecting && self->shows_archive);
  gtk_widget_set_visible (GTK_WIDGET (self->menu_button), !selecting);
  gtk_widget_set_visible (GTK_WIDGET (self->title), !selecting);
  gtk_widget_set_visible (self->cancel, selecting);
  gtk_widget_set_visible (self->select_all, selecting);
  gtk_widget_set_visible (self->foot, selecting);
  /* The archive has no folders. */
  gtk_widget_set_visible (self->move_button, !self->shows_archive);
  gtk_label_set_label (self->archive_label, self->shows_archive ? _ ("Unarchive") : _ ("Archive"));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.leave-archive",
                                 !selecting && self->shows_archive);
}

static void
update_row (gpointer item, gpointer library)
{
  _gadget_library_update_row (library, item);
}

static void
selection_changed_cb (GadgetLibrary *self)
{
  static const char *const actions[] = { "library.move", "library.move-to-new", "library.archive",
                                         "library.export", "library.delete" };
  g_autoptr (GPtrArray) selected = NULL;
  g_autofree char *text = NULL;

  g_ptr_array_foreach (self->rows, update_row, self);
  if (!gadget_library_model_get_selecting (self->model))
    return;
  selected = gadget_library_model_dup_selected (self->model);
  text = g_strdup_printf (ngettext ("%'u selected", "%'u selected", selected->len), selected->len);
  gtk_label_set_label (self->n_selected, text);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), actions[i], selected->len > 0);
  gtk_widget_set_sensitive (self->move_button, selected->len > 0);
}

/* Folders may have come or gone since the menu was open. */
static void
make_move_menu (GtkMenuButton *button, gpointer library)
{
  g_autoptr (GMenuModel) menu = _gadget_library_make_move_menu (library);

  gtk_menu_button_set_menu_model (button, menu);
}

/* Returns FALSE if the user does not select. */
gboolean
_gadget_library_leave_selecting (GadgetLibrary *self)
{
  if (!gadget_library_model_get_selecting (self->model))
    return FALSE;
  gadget_library_model_set_selecting (self->model, FALSE);
  return TRUE;
}

static void
cancel_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  _gadget_library_leave_selecting (GADGET_LIBRARY (widget));
}

static void
select_all_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (GADGET_LIBRARY (widget)->model));
}

void
_gadget_library_selecting_init (GadgetLibrary *self)
{
  g_signal_connect_object (self->model, "notify::selecting",
                           G_CALLBACK (_gadget_library_update_head), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "selection-changed", G_CALLBACK (selection_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "unmap", G_CALLBACK (_gadget_library_leave_selecting), NULL);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->move_button), make_move_menu, self,
                                         NULL);
}

void
_gadget_library_selecting_class_init (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "library.cancel", NULL, cancel_action);
  gtk_widget_class_install_action (widget_class, "library.select-all", NULL, select_all_action);
}

void
_gadget_library_bind_selecting (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, controls);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, toggle);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, cancel);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, select_all);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, foot);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, n_selected);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, move_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, archive_label);
}
