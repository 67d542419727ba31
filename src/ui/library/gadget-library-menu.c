/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be done with a chat of the list, by its context menu and by keys. The library emits
 * "rename", "delete", "go-to-origin" and "duplicate", and the window does these. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "gadget-chat-row.h"
#include "ui/common/gadget-shortcut-table.h"

#include <glib/gi18n.h>

enum
{
  RENAME,
  DELETE,
  GO_TO_ORIGIN,
  DUPLICATE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* Gives the focus back to the list, which a closing popover does not do by itself. */
static void
context_menu_closed_cb (GadgetLibrary *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  if (self->focus_list && (focus == NULL || gtk_widget_is_ancestor (focus, self->context_menu)))
    gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

/* Clears the pressed look of the row: the menu gets the release of the button that opened it, so
 * the row never sees it. */
static void
draw_released (GadgetLibrary *self, GtkWidget *row)
{
  for (GtkWidget *widget = row; widget != NULL && widget != GTK_WIDGET (self);
       widget = gtk_widget_get_parent (widget))
    gtk_widget_unset_state_flags (widget, GTK_STATE_FLAG_ACTIVE);
}

static void
append_with_key (GMenu *menu, const char *label, const char *action, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_append_item (menu, item);
}

static void
append_section (GMenu *menu, GMenu *section)
{
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static GMenuModel *
make_menu (GadgetSession *session)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) first = g_menu_new ();
  g_autoptr (GMenu) place = g_menu_new ();
  g_autoptr (GMenu) change = g_menu_new ();
  g_autoptr (GMenu) going = g_menu_new ();

  if (gadget_session_get_active_run (session) != NULL)
    g_menu_append (first, _ ("Stop"), "library.stop");
  if (gadget_session_get_origin_id (session) != NULL)
    g_menu_append (first, _ ("Go to Origin"), "library.go-to-origin");
  /* The archive has no group of pinned chats. */
  if (!gadget_session_get_archived (session))
    g_menu_append (place, gadget_session_get_pinned (session) ? _ ("Unpin") : _ ("Pin"),
                   "library.pin");
  append_with_key (change, _ ("Rename…"), "library.rename", "F2");
  g_menu_append (change, _ ("Name Again"), "library.name-again");
  g_menu_append (change, _ ("Duplicate"), "library.duplicate");
  g_menu_append (going, gadget_session_get_archived (session) ? _ ("Unarchive") : _ ("Archive"),
                 "library.archive");
  append_with_key (going, _ ("Delete"), "library.delete", "Delete");
  append_section (menu, first);
  append_section (menu, place);
  append_section (menu, change);
  append_section (menu, going);
  return G_MENU_MODEL (menu);
}

/* Returns the stored chat that a branch comes from. (transfer none) (nullable) */
static GadgetSession *
find_origin (GadgetLibrary *self, GadgetSession *session)
{
  const char *id = gadget_session_get_origin_id (session);
  GadgetSession *origin =
      id != NULL && self->engine != NULL ? gadget_engine_find_session (self->engine, id) : NULL;

  return origin != NULL && gadget_session_get_deletion (origin) == GADGET_DELETION_NONE ? origin
                                                                                        : NULL;
}

/* A new chat is not stored, so there is nothing to delete, and no place to remember. */
static void
update_actions (GadgetLibrary *self)
{
  const gboolean stored = _gadget_library_is_stored (self, self->context_session);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.delete", stored);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.pin", stored);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.archive", stored);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.duplicate", stored);
  gtk_widget_action_set_enabled (
      GTK_WIDGET (self), "library.name-again",
      stored && gadget_engine_can_name (self->engine, self->context_session));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.go-to-origin",
                                 find_origin (self, self->context_session) != NULL);
}

void
_gadget_library_open_context_menu (GadgetLibrary *self, GtkWidget *row, double x, double y)
{
  graphene_point_t point;
  g_autoptr (GMenuModel) menu = NULL;

  if (!gtk_widget_compute_point (row, GTK_WIDGET (self),
                                 &GRAPHENE_POINT_INIT ((float) x, (float) y), &point))
    return;
  if (self->context_menu == NULL)
    {
      self->context_menu = gtk_popover_menu_new_from_model (NULL);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->context_menu), FALSE);
      gtk_widget_set_halign (self->context_menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->context_menu, GTK_WIDGET (self));
      g_signal_connect_object (self->context_menu, "closed", G_CALLBACK (context_menu_closed_cb),
                               self, G_CONNECT_SWAPPED);
    }
  g_set_object (&self->context_session, gadget_chat_row_get_session (GADGET_CHAT_ROW (row)));
  menu = make_menu (self->context_session);
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->context_menu), menu);
  update_actions (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->context_menu),
                               &(GdkRectangle) { (int) point.x, (int) point.y, 1, 1 });
  self->focus_list = gtk_widget_get_focus_child (GTK_WIDGET (self->list)) != NULL;
  gtk_popover_popup (GTK_POPOVER (self->context_menu));
  draw_released (self, row);
}

static void
emit_for_menu (GtkWidget *widget, guint signal)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);

  if (self->context_session != NULL)
    g_signal_emit (self, signals[signal], 0, self->context_session);
  g_clear_object (&self->context_session);
}

static void
rename_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  emit_for_menu (widget, RENAME);
}

static void
delete_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  emit_for_menu (widget, DELETE);
}

static void
go_to_origin_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  emit_for_menu (widget, GO_TO_ORIGIN);
}

static void
duplicate_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  emit_for_menu (widget, DUPLICATE);
}

static void
name_again_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GadgetSession) session = g_steal_pointer (&self->context_session);

  if (session != NULL && self->engine != NULL)
    gadget_engine_name_again (self->engine, session);
}

static void
pin_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GadgetSession) session = g_steal_pointer (&self->context_session);

  if (session == NULL || self->engine == NULL)
    return;
  gadget_session_set_pinned (session, !gadget_session_get_pinned (session));
  gadget_engine_save (self->engine, session);
}

/* An archived chat that is shown stays shown. */
static void
archive_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GadgetSession) session = g_steal_pointer (&self->context_session);
  g_autoptr (GadgetSession) next = NULL;

  if (session == NULL || self->engine == NULL)
    return;
  next = gadget_library_dup_neighbor (self, session);
  gadget_session_set_archived (session, !gadget_session_get_archived (session));
  gadget_engine_save (self->engine, session);
  /* The focus stays in the list, as when chats are deleted. */
  if (self->focus_list && next != NULL)
    gadget_library_focus_chat (self, next);
}

static void
stop_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GadgetSession) session = g_steal_pointer (&self->context_session);

  if (session != NULL && self->engine != NULL)
    gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self->engine),
                                               gadget_session_get_id (session), NULL,
                                               GADGET_STOP_USER));
}

/* Returns the row of the list that has the focus. (nullable) */
static GtkWidget *
get_focused_row (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  GtkWidget *child = focus != NULL ? gtk_widget_get_first_child (focus) : NULL;

  return GADGET_IS_CHAT_ROW (child) ? child : NULL;
}

/* Emits for the row that has the focus, which need not be the selected one, that of the chat that
 * is shown. While the focus is in the search entry, the keys are left to the entry. */
static gboolean
emit_for_focused_row (GtkWidget *widget, guint signal)
{
  GtkWidget *row = get_focused_row (widget);

  if (row == NULL)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (widget, signals[signal], 0, gadget_chat_row_get_session (GADGET_CHAT_ROW (row)));
  return GDK_EVENT_STOP;
}

static gboolean
rename_key_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  return emit_for_focused_row (widget, RENAME);
}

static gboolean
delete_key_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  return emit_for_focused_row (widget, DELETE);
}

static void
open_menu_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GtkWidget *child = get_focused_row (widget);

  if (child != NULL)
    _gadget_library_open_context_menu (GADGET_LIBRARY (widget), child, 24,
                                       gtk_widget_get_height (child) / 2.0);
}

void
_gadget_library_menu_class_init (GtkWidgetClass *widget_class)
{
  const GType type = G_TYPE_FROM_CLASS (widget_class);

  signals[RENAME] = g_signal_new ("rename", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[DELETE] = g_signal_new ("delete", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[GO_TO_ORIGIN] = g_signal_new ("go-to-origin", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[DUPLICATE] = g_signal_new ("duplicate", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, GADGET_TYPE_SESSION);

  gtk_widget_class_install_action (widget_class, "library.duplicate", NULL, duplicate_action);
  gtk_widget_class_install_action (widget_class, "library.name-again", NULL, name_again_action);
  gtk_widget_class_install_action (widget_class, "library.stop", NULL, stop_action);
  gtk_widget_class_install_action (widget_class, "library.go-to-origin", NULL, go_to_origin_action);
  gtk_widget_class_install_action (widget_class, "library.pin", NULL, pin_action);
  gtk_widget_class_install_action (widget_class, "library.archive", NULL, archive_action);
  gtk_widget_class_install_action (widget_class, "library.rename", NULL, rename_action);
  gtk_widget_class_install_action (widget_class, "library.delete", NULL, delete_action);
  gtk_widget_class_install_action (widget_class, "library.menu", NULL, open_menu_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "library.menu", NULL);
  gadget_shortcut_table_bind_func (widget_class, "library.rename", rename_key_cb);
  gadget_shortcut_table_bind_func (widget_class, "library.delete", delete_key_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "library.menu",
                                       NULL);
}
