/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Places the sidebar and the inspector. The sidebar is beside the chat where there is room, and
 * over it otherwise. The inspector is beside the chat where there is room, over its end where there
 * is less, and in a bottom sheet in a narrow window. Beside the chat both stay until the user
 * closes them, also when the window was too narrow in between, and the settings keep that. Over the
 * chat they stay until Esc. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "ui/common/gadget-breakpoint-layout.h"

/* The width of the sidebar, and up to which width a window is that of a phone: as in the
 * template. */
#define SIDEBAR_WIDTH 280
#define PHONE_WIDTH 400

static gboolean
is_narrow (GadgetWindow *self)
{
  return adw_overlay_split_view_get_collapsed (self->split_view);
}

static gboolean
get_narrow (GtkLayoutManager *layout)
{
  gboolean narrow;

  g_object_get (layout, "narrow", &narrow, NULL);
  return narrow;
}

/* When @view becomes narrow its sidebar is hidden, and does not come up over the chat by itself. A
 * view that is not pinned changes at once, without an animation. */
static void
set_narrow (AdwOverlaySplitView *view, gboolean narrow, gboolean wanted)
{
  adw_overlay_split_view_set_pin_sidebar (view, !wanted);
  adw_overlay_split_view_set_collapsed (view, narrow);
  adw_overlay_split_view_set_show_sidebar (view, !narrow && wanted);
}

static gboolean
is_in_place (GadgetWindow *self)
{
  return is_narrow (self) == (adw_bottom_sheet_get_sheet (self->activity_sheet) != NULL);
}

/* Only the inspector is moved. An AdwMultiLayoutView would move the chat too, since both layouts
 * have it: that unmaps the chat, which closes its menus and ends selecting by the pointer whenever
 * the window becomes narrow. */
static void
place_inspector (GadgetWindow *self)
{
  g_autoptr (GtkWidget) inspector = g_object_ref (GTK_WIDGET (self->inspector));

  if (is_in_place (self))
    return;
  if (is_narrow (self))
    {
      adw_overlay_split_view_set_sidebar (self->activity_view, NULL);
      adw_bottom_sheet_set_sheet (self->activity_sheet, inspector);
      return;
    }
  adw_bottom_sheet_set_sheet (self->activity_sheet, NULL);
  adw_overlay_split_view_set_sidebar (self->activity_view, inspector);
  set_narrow (self->activity_view, get_narrow (self->activity_layout), self->shows_activity);
}

/* Closes the inspector where it covers the chat. It goes to its new place when it has slid out, see
 * inspector_unmapped_cb (): what slides would be empty otherwise. */
static void
update_activity (GadgetWindow *self)
{
  adw_bottom_sheet_set_open (self->activity_sheet, FALSE);
  if (is_narrow (self) || is_in_place (self))
    set_narrow (self->activity_view, get_narrow (self->activity_layout), self->shows_activity);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->inspector)))
    place_inspector (self);
}

static gboolean
inspector_gone_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  place_inspector (GADGET_WINDOW (widget));
  return G_SOURCE_REMOVE;
}

/* The inspector cannot be moved now, because its parent is just unmapping its children. */
static void
inspector_unmapped_cb (GadgetWindow *self)
{
  if (!is_in_place (self))
    gtk_widget_add_tick_callback (GTK_WIDGET (self), inspector_gone_cb, NULL, NULL);
}

static gboolean
is_shown (AdwOverlaySplitView *view)
{
  return adw_overlay_split_view_get_show_sidebar (view);
}

/* Tells whether @widget, which had the focus, is in a side that is hidden now or that was moved,
 * by which it lost the focus. */
static gboolean
is_gone (GadgetWindow *self, GtkWidget *widget)
{
  return (!is_shown (self->split_view)
          && gtk_widget_is_ancestor (widget, GTK_WIDGET (self->library)))
         || ((!is_shown (self->activity_view) || gtk_window_get_focus (GTK_WINDOW (self)) != widget)
             && gtk_widget_is_ancestor (widget, GTK_WIDGET (self->inspector)));
}

static void
narrow_changed_cb (GadgetWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  const gboolean narrow = get_narrow (self->sidebar_layout);

  if (narrow != is_narrow (self))
    set_narrow (self->split_view, narrow, self->shows_sidebar);
  update_activity (self);
  if (focus != NULL && is_gone (self, focus))
    gadget_chat_focus (self->chat);
}

/* In a window that is hardly wider than the sidebar, that takes all of it. */
static void
phone_changed_cb (GadgetWindow *self)
{
  const gboolean phone = get_narrow (self->phone_layout);

  adw_overlay_split_view_set_max_sidebar_width (self->split_view,
                                                phone ? PHONE_WIDTH : SIDEBAR_WIDTH);
  gadget_library_set_covering (self->library, phone && is_shown (self->split_view));
}

/* A side is shown or hidden, by an action or by a swipe. Beside the chat, this is also the user's
 * choice for the settings. */
static void
side_shown_cb (GadgetWindow *self, GParamSpec *pspec, AdwOverlaySplitView *view)
{
  const gboolean is_activity = view == self->activity_view;

  phone_changed_cb (self);
  if (adw_overlay_split_view_get_collapsed (view))
    return;
  *(is_activity ? &self->shows_activity : &self->shows_sidebar) = is_shown (view);
  if (self->settings != NULL)
    g_settings_set_boolean (self->settings, is_activity ? "activity-visible" : "sidebar-visible",
                            is_shown (view));
}

void
_gadget_window_bind_activity (GtkWidgetClass *widget_class)
{
  g_type_ensure (GADGET_TYPE_BREAKPOINT_LAYOUT);
  g_type_ensure (GADGET_TYPE_INSPECTOR);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, sidebar_layout);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, phone_layout);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, activity_layout);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, activity_sheet);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, activity_view);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, inspector);
  gtk_widget_class_bind_template_callback (widget_class, narrow_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, phone_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, inspector_unmapped_cb);
  gtk_widget_class_bind_template_callback (widget_class, side_shown_cb);
}

void
_gadget_window_restore_sides (GadgetWindow *self)
{
  GSettings *settings = self->settings;

  self->shows_sidebar = settings == NULL || g_settings_get_boolean (settings, "sidebar-visible");
  self->shows_activity = settings != NULL && g_settings_get_boolean (settings, "activity-visible");
  set_narrow (self->split_view, get_narrow (self->sidebar_layout), self->shows_sidebar);
  update_activity (self);
}

/* The next window has the sides of this one. */
void
_gadget_window_store_sides (GadgetWindow *self)
{
  g_settings_set_boolean (self->settings, "sidebar-visible", self->shows_sidebar);
  g_settings_set_boolean (self->settings, "activity-visible", self->shows_activity);
}

void
_gadget_window_toggle_activity (GadgetWindow *self)
{
  place_inspector (self);
  if (is_narrow (self))
    adw_bottom_sheet_set_open (self->activity_sheet,
                               !adw_bottom_sheet_get_open (self->activity_sheet));
  else
    adw_overlay_split_view_set_show_sidebar (self->activity_view, !is_shown (self->activity_view));
}

gboolean
_gadget_window_close_covering_inspector (GadgetWindow *self)
{
  if (adw_bottom_sheet_get_open (self->activity_sheet))
    adw_bottom_sheet_set_open (self->activity_sheet, FALSE);
  else if (adw_overlay_split_view_get_collapsed (self->activity_view)
           && is_shown (self->activity_view))
    adw_overlay_split_view_set_show_sidebar (self->activity_view, FALSE);
  else
    return FALSE;
  gadget_chat_focus (self->chat);
  return TRUE;
}

/* Hides what covers the chat, so that the user can go to something in it. */
void
_gadget_window_uncover_chat (GadgetWindow *self)
{
  if (is_narrow (self))
    adw_overlay_split_view_set_show_sidebar (self->split_view, FALSE);
  _gadget_window_close_covering_inspector (self);
}

/* Called when another chat is shown. */
void
_gadget_window_update_activity (GadgetWindow *self)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);

  gadget_inspector_set_session (self->inspector, agent, self->session);
}
