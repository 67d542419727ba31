/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The actions on a chat of the list, by its context menu and by keys. The library emits "delete",
 * "go-to-origin", "duplicate", "open-in-window", "export" and "keep", and the window does these. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "ui/common/gadget-menu.h"
#include "ui/common/gadget-shortcut-table.h"

#include <glib/gi18n.h>

enum
{
  DELETE,
  GO_TO_ORIGIN,
  DUPLICATE,
  OPEN_IN_WINDOW,
  EXPORT,
  KEEP,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* Gives the focus back to the list, which a closing popover does not do by itself. */
static void
context_menu_closed_cb (GadgetLibrary *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  if (self->rename_entry != NULL)
    gtk_widget_grab_focus (self->rename_entry);
  else if (self->focus_list
           && (focus == NULL || gtk_widget_is_ancestor (focus, self->context_menu)))
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
append_section (GMenu *menu, GMenu *section)
{
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

/* An incognito chat has no place and no copies, because both would be stored. */
static GMenuModel *
make_incognito_menu (GadgetSession *session)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) first = g_menu_new ();
  g_autoptr (GMenu) change = g_menu_new ();
  g_autoptr (GMenu) going = g_menu_new ();

  if (gadget_session_get_active_run (session) != NULL)
    g_menu_append (first, _ ("Stop"), "library.stop");
  g_menu_append (change, _ ("Keep This Chat"), "library.keep");
  gadget_menu_append_with_key (change, _ ("Rename…"), "library.rename", "F2");
  gadget_menu_append_with_key (going, _ ("Close"), "library.delete", "Delete");
  append_section (menu, first);
  append_section (menu, change);
  append_section (menu, going);
  return G_MENU_MODEL (menu);
}

static GMenuModel *
make_menu (GadgetLibrary *self, GadgetSession *session)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) first = g_menu_new ();
  g_autoptr (GMenu) place = g_menu_new ();
  g_autoptr (GMenu) change = g_menu_new ();
  g_autoptr (GMenu) out = g_menu_new ();
  g_autoptr (GMenu) going = g_menu_new ();

  if (gadget_session_get_active_run (session) != NULL)
    g_menu_append (first, _ ("Stop"), "library.stop");
  if (gadget_session_get_origin_id (session) != NULL)
    g_menu_append (first, _ ("Go to Origin"), "library.go-to-origin");
  /* The archive has no pinned chats and no folders. */
  if (!gadget_session_get_archived (session))
    {
      g_autoptr (GMenuModel) folders = _gadget_library_make_move_menu (self);

      g_menu_append (place, gadget_session_get_pinned (session) ? _ ("Unpin") : _ ("Pin"),
                     "library.pin");
      g_menu_append_submenu (place, _ ("Move to Folder"), folders);
    }
  gadget_menu_append_with_key (change, _ ("Rename…"), "library.rename", "F2");
  g_menu_append (change, _ ("Name Again"), "library.name-again");
  g_menu_append (change, _ ("Duplicate"), "library.duplicate");
  gadget_menu_append_with_key (out, _ ("Open in New Window"), "library.open-in-window",
                               "<Control>Return");
  g_menu_append (out, _ ("Export…"), "library.export");
  g_menu_append (going,
                 gadget_session_get_archived (session) ? _ ("Unarchive") : C_ ("verb", "Archive"),
                 "library.archive");
  gadget_menu_append_with_key (going, _ ("Delete"), "library.delete", "Delete");
  append_section (menu, first);
  append_section (menu, place);
  append_section (menu, change);
  append_section (menu, out);
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
  static const char *const of_stored[] = { "library.delete",  "library.pin",
                                           "library.archive", "library.duplicate",
                                           "library.move",    "library.move-to-new",
                                           "library.export",  "library.open-in-window" };
  GadgetSession *session =
      GADGET_IS_SESSION (self->context_item) ? GADGET_SESSION (self->context_item) : NULL;
  const gboolean stored = session == NULL || _gadget_library_is_stored (self, session);

  for (guint i = 0; i < G_N_ELEMENTS (of_stored); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), of_stored[i], stored);
  if (session == NULL)
    return;
  if (gadget_session_get_incognito (session))
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.delete", TRUE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.keep",
                                 gadget_session_get_n_turns (session) > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.name-again",
                                 stored && gadget_engine_can_name (self->engine, session));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.go-to-origin",
                                 find_origin (self, session) != NULL);
}

void
_gadget_library_open_context_menu (GadgetLibrary *self, GtkWidget *row, double x, double y)
{
  graphene_point_t point;
  g_autoptr (GMenuModel) menu = NULL;

  if (gadget_library_model_get_selecting (self->model)
      || !gtk_widget_compute_point (row, GTK_WIDGET (self),
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
  g_set_object (&self->context_item, _gadget_library_get_row_item (self, row));
  if (self->context_item == NULL)
    return;
  if (GADGET_IS_CHAT_FOLDER (self->context_item))
    menu = _gadget_library_make_folder_menu (GADGET_CHAT_FOLDER (self->context_item));
  else if (gadget_session_get_incognito (GADGET_SESSION (self->context_item)))
    menu = make_incognito_menu (GADGET_SESSION (self->context_item));
  else
    menu = make_menu (self, GADGET_SESSION (self->context_item));
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->context_menu), menu);
  update_actions (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->context_menu),
                               &(GdkRectangle) { (int) point.x, (int) point.y, 1, 1 });
  self->focus_list = gtk_widget_get_focus_child (GTK_WIDGET (self->list)) != NULL;
  gtk_popover_popup (GTK_POPOVER (self->context_menu));
  draw_released (self, row);
}

/* Returns the chat that the menu is for. (transfer full) (nullable) */
static GadgetSession *
take_session (GadgetLibrary *self)
{
  g_autoptr (GObject) item = g_steal_pointer (&self->context_item);

  return GADGET_IS_SESSION (item) ? GADGET_SESSION (g_steal_pointer (&item)) : NULL;
}

GPtrArray *
_gadget_library_take_targets (GadgetLibrary *self)
{
  GPtrArray *sessions = gadget_library_model_dup_selected (self->model);
  GadgetSession *session;

  if (_gadget_library_leave_selecting (self))
    return sessions;
  session = take_session (self);
  if (session != NULL)
    g_ptr_array_add (sessions, session);
  return sessions;
}

static void
emit_for_menu (GtkWidget *widget, guint signal)
{
  g_autoptr (GadgetSession) session = take_session (GADGET_LIBRARY (widget));

  if (session != NULL)
    g_signal_emit (widget, signals[signal], 0, session);
}

/* Deletes the folder that the menu is for, or the targets. */
static void
delete_targets (GadgetLibrary *self)
{
  g_autoptr (GPtrArray) sessions = NULL;

  if (GADGET_IS_CHAT_FOLDER (self->context_item)
      && !gadget_library_model_get_selecting (self->model))
    {
      g_autoptr (GObject) folder = g_steal_pointer (&self->context_item);

      _gadget_library_remove_folder (self, GADGET_CHAT_FOLDER (folder));
      return;
    }
  sessions = _gadget_library_take_targets (self);
  if (sessions->len > 0)
    g_signal_emit (self, signals[DELETE], 0, sessions);
}

static void
rename_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GObject) item = g_steal_pointer (&self->context_item);

  if (item != NULL)
    _gadget_library_begin_renaming (self, item);
}

static void
delete_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  delete_targets (GADGET_LIBRARY (widget));
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
open_in_window_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  emit_for_menu (widget, OPEN_IN_WINDOW);
}

static void
export_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autoptr (GPtrArray) sessions = _gadget_library_take_targets (GADGET_LIBRARY (widget));

  if (sessions->len > 0)
    g_signal_emit (widget, signals[EXPORT], 0, sessions);
}

static void
keep_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  emit_for_menu (widget, KEEP);
}

static void
name_again_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GadgetSession) session = take_session (self);

  if (session != NULL && self->engine != NULL)
    gadget_engine_name_again (self->engine, session);
}

static void
pin_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GadgetSession) session = take_session (self);

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
  g_autoptr (GPtrArray) sessions = _gadget_library_take_targets (self);
  g_autoptr (GadgetSession) next = gadget_library_dup_neighbor (self, sessions);

  for (guint i = 0; i < sessions->len; i++)
    {
      GadgetSession *session = g_ptr_array_index (sessions, i);

      gadget_session_set_archived (session, !gadget_session_get_archived (session));
      gadget_engine_save (self->engine, session);
    }
  /* The focus stays in the list, as when chats are deleted. */
  if ((self->focus_list || gadget_library_has_focus (self)) && next != NULL)
    gadget_library_focus_chat (self, next);
}

static void
stop_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GadgetSession) session = take_session (self);

  if (session != NULL && self->engine != NULL)
    gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self->engine),
                                               gadget_session_get_id (session), NULL,
                                               GADGET_STOP_USER));
}

/* Returns the row of the list that has the focus. (nullable) */
static GtkWidget *
get_focused_row (GadgetLibrary *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkWidget *child = focus != NULL ? gtk_widget_get_first_child (focus) : NULL;

  return child != NULL && _gadget_library_get_row_item (self, child) != NULL ? child : NULL;
}

GObject *
_gadget_library_get_focused_item (GadgetLibrary *self)
{
  GtkWidget *row = get_focused_row (self);

  return row != NULL ? _gadget_library_get_row_item (self, row) : NULL;
}

/* The keys are for the row that has the focus, which need not be the selected one, that of the chat
 * that is shown. While the focus is in the search entry, they are left to the entry. */
static gboolean
rename_key_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  GObject *item = _gadget_library_get_focused_item (GADGET_LIBRARY (widget));

  if (item == NULL || gadget_library_model_get_selecting (GADGET_LIBRARY (widget)->model))
    return GDK_EVENT_PROPAGATE;
  _gadget_library_begin_renaming (GADGET_LIBRARY (widget), item);
  return GDK_EVENT_STOP;
}

static gboolean
delete_key_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  GObject *item = _gadget_library_get_focused_item (self);

  if (item == NULL)
    return GDK_EVENT_PROPAGATE;
  g_set_object (&self->context_item, item);
  delete_targets (self);
  return GDK_EVENT_STOP;
}

static gboolean
open_in_window_key_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  GObject *item = _gadget_library_get_focused_item (self);

  if (!GADGET_IS_SESSION (item) || !_gadget_library_is_stored (self, GADGET_SESSION (item))
      || gadget_library_model_get_selecting (self->model))
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[OPEN_IN_WINDOW], 0, item);
  return GDK_EVENT_STOP;
}

static void
open_menu_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GtkWidget *child = get_focused_row (GADGET_LIBRARY (widget));

  if (child != NULL)
    _gadget_library_open_context_menu (GADGET_LIBRARY (widget), child, 24,
                                       gtk_widget_get_height (child) / 2.0);
}

void
_gadget_library_menu_class_init (GtkWidgetClass *widget_class)
{
  const GType type = G_TYPE_FROM_CLASS (widget_class);

  signals[DELETE] = g_signal_new ("delete", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_PTR_ARRAY);
  signals[GO_TO_ORIGIN] = g_signal_new ("go-to-origin", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[DUPLICATE] = g_signal_new ("duplicate", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[EXPORT] = g_signal_new ("export", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_PTR_ARRAY);
  signals[KEEP] = g_signal_new ("keep", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, GADGET_TYPE_SESSION);
  signals[OPEN_IN_WINDOW] = g_signal_new ("open-in-window", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);

  gtk_widget_class_install_action (widget_class, "library.keep", NULL, keep_action);
  gtk_widget_class_install_action (widget_class, "library.export", NULL, export_action);
  gtk_widget_class_install_action (widget_class, "library.open-in-window", NULL,
                                   open_in_window_action);
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
  gadget_shortcut_table_bind_func (widget_class, "library.open-in-window", open_in_window_key_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "library.menu",
                                       NULL);
}
