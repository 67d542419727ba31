/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The clipboard actions, opening links, and the context menu, which also has the actions of a
 * turn. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"
#include "ui/text/gadget-text-link.h"
#include "ui/transcript/model/gadget-tool-file.h"
#include "ui/transcript/rows/gadget-turn-actions.h"

#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = gadget_transcript_dup_selection (GADGET_TRANSCRIPT (widget));

  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
copy_source_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = gadget_transcript_dup_selection_source (GADGET_TRANSCRIPT (widget));

  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
select_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gadget_transcript_select_all (GADGET_TRANSCRIPT (widget));
}

/* --- Links --- */

/* A model may write any address; only these schemes are opened. */
static gboolean
may_open (const char *address)
{
  static const char *const schemes[] = { "http", "https", "mailto", NULL };
  g_autofree char *scheme = g_uri_parse_scheme (address);

  return scheme != NULL && g_strv_contains (schemes, scheme);
}

static void
opened_cb (GObject *launcher, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWidget) self = data;
  g_autoptr (GError) error = NULL;
  GtkWidget *overlay;

  if (gtk_uri_launcher_launch_finish (GTK_URI_LAUNCHER (launcher), result, &error)
      || g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED)
      || g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_CANCELLED))
    return;
  overlay = gtk_widget_get_ancestor (self, ADW_TYPE_TOAST_OVERLAY);
  if (overlay != NULL)
    gadget_toast_show (ADW_TOAST_OVERLAY (overlay),
                       gadget_toast_new (_ ("Could not open the link")));
}

static void
open_link_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *address = g_variant_get_string (parameter, NULL);
  g_autoptr (GtkUriLauncher) launcher = NULL;

  if (!may_open (address))
    return;
  launcher = gtk_uri_launcher_new (address);
  gtk_uri_launcher_launch (launcher, GTK_WINDOW (gtk_widget_get_root (widget)), NULL, opened_cb,
                           g_object_ref (widget));
}

static void
copy_link_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget),
                          g_variant_get_string (parameter, NULL));
}

/* --- The menu --- */

static void
append_link (GMenu *menu, const char *label, const char *action, const char *address)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", address);
  g_menu_append_item (menu, item);
}

/* Returns the file of the call that the row shows as a tool line or a difference, or NULL. */
static const char *
get_file (GadgetRow *row)
{
  GadgetRowData *row_data = row != NULL ? gadget_row_get_data (row) : NULL;

  if (row_data == NULL
      || (gadget_row_data_get_kind (row_data) != GADGET_ROW_KIND_TOOL
          && gadget_row_data_get_kind (row_data) != GADGET_ROW_KIND_DIFF))
    return NULL;
  return gadget_tool_file_get_path (gadget_row_data_get_item (row_data));
}

static void
append_links (GMenu *menu, GadgetTextLink *link, GadgetRow *row)
{
  const char *path = get_file (row);
  g_autoptr (GMenu) links = g_menu_new ();

  if (link != NULL && !gadget_text_link_is_file (link))
    {
      const char *address = gadget_text_link_get_address (link);

      append_link (links, _ ("_Open Link"), "transcript.open-link", address);
      append_link (links, _ ("Copy _Link Address"), "transcript.copy-link", address);
    }
  else if (path != NULL)
    {
      append_link (links, _ ("_Open File"), "transcript.open-file", path);
      append_link (links, _ ("Copy _Path"), "transcript.copy-link", path);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (links));
}

static GMenuModel *
menu_new (GadgetTranscript *self, GadgetTextLink *link, GadgetRow *row, GadgetTurn *turn)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) text = g_menu_new ();

  append_links (menu, link, row);
  g_menu_append (text, _ ("_Copy"), "clipboard.copy");
  g_menu_append (text, _ ("Copy as _Markdown"), "transcript.copy-source");
  g_menu_append (text, _ ("Select _All"), "selection.select-all");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (text));
  if (turn != NULL && gadget_turn_get_status (turn) != GADGET_TURN_PROCESSING)
    {
      g_autoptr (GMenuModel) actions = gadget_turn_actions_menu_new (
          gadget_transcript_get_session (self), turn, self->providers);

      g_menu_append_section (menu, NULL, actions);
    }
  return G_MENU_MODEL (menu);
}

static void
show_menu (GadgetTranscript *self, GadgetTextLink *link, GadgetRow *row, GadgetTurn *turn, double x,
           double y)
{
  const GdkRectangle at = { (int) x, (int) y, 1, 1 };
  g_autoptr (GMenuModel) model = menu_new (self, link, row, turn);

  if (self->menu == NULL)
    {
      self->menu = gtk_popover_menu_new_from_model (model);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  else
    gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->menu), model);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &at);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

/* Finds the turn of the focused row, else the turn that is being read. */
static GadgetTurn *
find_turn (GadgetTranscript *self)
{
  GtkWidget *focus = gtk_widget_get_focus_child (GTK_WIDGET (self));
  guint last_row;

  if (self->model == NULL || gadget_transcript_model_get_n_rows (self->model) == 0)
    return NULL;
  last_row = gadget_transcript_model_get_n_rows (self->model) - 1;
  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      const GadgetRealizedRow *row = &g_array_index (self->realized_rows, GadgetRealizedRow, i);

      if (focus == GTK_WIDGET (row->widget))
        return _gadget_transcript_get_turn_of (self, row->position);
    }
  /* While the end is followed, that is the last turn. Until the next frame the anchor may be behind
   * the last row. */
  return _gadget_transcript_get_turn_of (self,
                                         self->following ? last_row : MIN (self->anchor, last_row));
}

static GadgetRow *
find_row (GtkWidget *widget)
{
  return widget != NULL ? (GadgetRow *) gtk_widget_get_ancestor (widget, GADGET_TYPE_ROW) : NULL;
}

/* Opens the menu by the keyboard: at the focused link, else in the middle of the transcript. */
static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GadgetTurn *turn = find_turn (GADGET_TRANSCRIPT (widget));
  GadgetTextLink *link = gadget_text_link_find (focus);
  graphene_rect_t box = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                            (float) gtk_widget_get_height (widget));

  if (link != NULL && !gtk_widget_compute_bounds (GTK_WIDGET (link), widget, &box))
    link = NULL;
  show_menu (GADGET_TRANSCRIPT (widget), link, find_row (focus), turn,
             box.origin.x + box.size.width / 2,
             box.origin.y + (link != NULL ? box.size.height : box.size.height / 2));
}

static void
show_menu_at (GadgetTranscript *self, GtkGesture *gesture, double x, double y)
{
  GtkWidget *at = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);
  GadgetTurn *turn = _gadget_transcript_find_turn_at (self, y);

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  show_menu (self, gadget_text_link_find (at), find_row (at), turn, x, y);
}

static void
menu_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, GadgetTranscript *self)
{
  show_menu_at (self, GTK_GESTURE (gesture), x, y);
}

static void
long_pressed_cb (GtkGestureLongPress *gesture, double x, double y, GadgetTranscript *self)
{
  gadget_transcript_selection_select_word_at (self->selection, x, y);
  show_menu_at (self, GTK_GESTURE (gesture), x, y);
}

void
_gadget_transcript_menu_class_init (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "clipboard.copy", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "selection.select-all", NULL, select_all_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-source", NULL,
                                   copy_source_action);
  gtk_widget_class_install_action (widget_class, "transcript.open-link", "s", open_link_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-link", "s", copy_link_action);
  gtk_widget_class_install_action (widget_class, "menu.popup", NULL, menu_action);
  /* The menu shows the binding that was added last, so Ctrl+C comes after Ctrl+Insert. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Insert, GDK_CONTROL_MASK,
                                       "clipboard.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "clipboard.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_a, GDK_CONTROL_MASK,
                                       "selection.select-all", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "menu.popup",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "menu.popup", NULL);
}

void
_gadget_transcript_menu_init (GadgetTranscript *self)
{
  GtkGesture *menu = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect (menu, "pressed", G_CALLBACK (menu_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (menu));
  /* On a touchscreen, a long press opens the menu; it also selects the word there, since there is
   * no pointer that could have selected one before. */
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (long_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (press));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "clipboard.copy", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.copy-source", FALSE);
}
