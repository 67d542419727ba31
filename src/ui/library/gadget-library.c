/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engine's list, with the chat that is not in it yet before it, goes through a filter (search,
 * and chats whose removal can still be undone) into groups. Sorters do not watch their items, so
 * the library does: what can move a chat to another place asks for a new sorting, once for however
 * many changes. Until then a chat keeps the place that it was last sorted by: a list whose groups
 * change without a word from its model makes GTK end the program. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library.h"

#include "gadget-chat-row.h"
#include "gadget-library-group.h"
#include "ui/common/gadget-words.h"

#include <glib/gi18n.h>

typedef struct
{
  GadgetLibraryGroup group;
  gint64 time;
} Place;

struct _GadgetLibrary
{
  AdwBin parent_instance;

  GtkMenuButton *menu_button;
  GtkSearchEntry *search;
  GtkStack *stack;
  GtkListView *list;

  GListModel *sessions; /* the engine's */
  GListStore *fresh;    /* the current chat while it is in no list */
  GtkCustomFilter *filter;
  GtkCustomSorter *sorter;
  GtkCustomSorter *section_sorter;
  GtkSortListModel *model;
  GtkSingleSelection *selection;
  GHashTable *hidden; /* of GadgetSession */
  GHashTable *places; /* GadgetSession → Place, as last sorted */
  GPtrArray *headers; /* of GtkListHeader, those in use */
  char *needle;       /* what is searched for, case-folded; NULL for everything */
  GadgetSession *current;
  gboolean reveal; /* the current chat comes to another place */
  gboolean syncing;
  guint sort_id;

  GtkWidget *context_menu;
  GadgetSession *context_session;
  gboolean focus_list; /* it had the focus when the menu was opened */
};

enum
{
  CHOSEN,
  RENAME,
  DELETE,
  ESCAPE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetLibrary, gadget_library, ADW_TYPE_BIN)

/* --- The model ---------------------------------------------------------------------------------
 */

static gboolean
filter_cb (gpointer item, gpointer user_data)
{
  GadgetLibrary *self = user_data;
  g_autofree char *title = NULL;

  if (g_hash_table_contains (self->hidden, item))
    return FALSE;
  if (self->needle == NULL)
    return TRUE;
  title = g_utf8_casefold (gadget_words_title (item), -1);
  return strstr (title, self->needle) != NULL;
}

static const Place *
get_place (GadgetLibrary *self, GadgetSession *session)
{
  Place *place = g_hash_table_lookup (self->places, session);

  if (place == NULL)
    {
      place = g_new (Place, 1);
      place->group = gadget_library_group_of (session, gadget_clock_wall_ms ());
      place->time = gadget_session_get_updated_at (session);
      g_hash_table_insert (self->places, g_object_ref (session), place);
    }
  return place;
}

static int
compare_groups_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GadgetLibraryGroup left = get_place (user_data, (GadgetSession *) a)->group;
  const GadgetLibraryGroup right = get_place (user_data, (GadgetSession *) b)->group;

  return (left > right) - (left < right);
}

static int
compare_times_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const gint64 left = get_place (user_data, (GadgetSession *) a)->time;
  const gint64 right = get_place (user_data, (GadgetSession *) b)->time;

  return (left < right) - (left > right);
}

/* Whether the current chat is in sight, and would not be at the list's top. */
static gboolean
needs_scrolling (GadgetLibrary *self, GtkAdjustment *adjustment)
{
  const double height = gtk_adjustment_get_page_size (adjustment);

  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);
      graphene_rect_t bounds;
      double end;

      if (!GADGET_IS_CHAT_ROW (row)
          || gadget_chat_row_get_session (GADGET_CHAT_ROW (row)) != self->current
          || !gtk_widget_compute_bounds (item, GTK_WIDGET (self->list), &bounds))
        continue;
      end = (double) bounds.origin.y + (double) bounds.size.height;
      return end <= height && end + gtk_adjustment_get_value (adjustment) > height;
    }
  return FALSE;
}

static void
laid_out_cb (GadgetLibrary *self, GdkFrameClock *clock)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));

  g_signal_handlers_disconnect_by_func (clock, laid_out_cb, self);
  if (!needs_scrolling (self, adjustment))
    gtk_adjustment_set_value (adjustment, 0);
}

/* The list changes. GTK keeps the chat that was first in sight where it is, and whatever comes
 * before it, be it the name of its group, is above the edge then. Who looks at the top means the
 * top: the next layout is corrected before it is painted. */
static void
keep_top (GadgetLibrary *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self->list));

  if (clock == NULL || adjustment == NULL || gtk_adjustment_get_value (adjustment) > 0)
    return;
  g_signal_handlers_disconnect_by_func (clock, laid_out_cb, self);
  g_signal_connect_object (clock, "layout", G_CALLBACK (laid_out_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
select_current (GadgetLibrary *self)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  guint found = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < g_list_model_get_n_items (model) && self->current != NULL; i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (model, i);

      if (session == self->current)
        {
          found = i;
          break;
        }
    }
  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->syncing = FALSE;
  /* It is kept in sight when it was moved, and left alone while the list is looked through. */
  if (self->reveal && found != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list, found, GTK_LIST_SCROLL_NONE, NULL);
  self->reveal = FALSE;
}

static void
update_header (gpointer header, gpointer user_data)
{
  GadgetSession *session = gtk_list_header_get_item (header);

  gtk_label_set_label (GTK_LABEL (gtk_list_header_get_child (header)),
                       gadget_library_group_name (get_place (user_data, session)->group));
}

static void
sort_cb (gpointer user_data)
{
  GadgetLibrary *self = user_data;
  guint n;

  self->sort_id = 0;
  keep_top (self);
  self->syncing = TRUE;
  g_hash_table_remove_all (self->places);
  /* Chats that stay where they are may be in other groups now, and the model tells of those that
   * move alone. */
  n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  if (n > 0)
    gtk_section_model_sections_changed (GTK_SECTION_MODEL (self->model), 0, n);
  gtk_sorter_changed (GTK_SORTER (self->section_sorter), GTK_SORTER_CHANGE_DIFFERENT);
  gtk_sorter_changed (GTK_SORTER (self->sorter), GTK_SORTER_CHANGE_DIFFERENT);
  self->syncing = FALSE;
  g_ptr_array_foreach (self->headers, update_header, self);
  select_current (self);
}

static void
sort_soon (GadgetLibrary *self, GParamSpec *pspec, GadgetSession *session)
{
  if (session == self->current)
    self->reveal = TRUE;
  if (self->sort_id != 0)
    return;
  self->sort_id = g_idle_add_once (sort_cb, self);
  g_source_set_name_by_id (self->sort_id, "[gadget] sort the chats");
}

static void
watch (GadgetLibrary *self, GadgetSession *session)
{
  static const char *const names[] = { "notify::active-run", "notify::updated-at",
                                       "notify::title" };

  g_signal_handlers_disconnect_by_func (session, sort_soon, self);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_signal_connect_object (session, names[i], G_CALLBACK (sort_soon), self, G_CONNECT_SWAPPED);
}

static void
update_fresh (GadgetLibrary *self)
{
  gboolean listed = self->current == NULL;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->fresh));
  g_autoptr (GadgetSession) shown = g_list_model_get_item (G_LIST_MODEL (self->fresh), 0);

  /* A chat is in the engine's list from its first turn on. */
  for (guint i = 0;
       self->sessions != NULL && !listed && i < g_list_model_get_n_items (self->sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (self->sessions, i);

      listed = session == self->current;
    }
  if (!listed && shown == self->current)
    return;
  if (!listed)
    watch (self, self->current);
  g_list_store_splice (self->fresh, 0, n, listed ? NULL : (gpointer *) &self->current,
                       listed ? 0 : 1);
}

static void
sessions_changed_cb (GadgetLibrary *self, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (self->sessions, i);

      watch (self, session);
      if (session == self->current)
        self->reveal = TRUE;
    }
  update_fresh (self);
  select_current (self);
}

static void
update_stack (GadgetLibrary *self)
{
  gboolean nothing =
      self->needle != NULL && g_list_model_get_n_items (G_LIST_MODEL (self->selection)) == 0;

  gtk_stack_set_visible_child_name (self->stack, nothing ? "nothing" : "list");
}

static void
selected_cb (GadgetLibrary *self)
{
  GadgetSession *session = gtk_single_selection_get_selected_item (self->selection);

  if (self->syncing || session == NULL || session == self->current)
    return;
  g_signal_emit (self, signals[CHOSEN], 0, session);
}

static void
model_changed_cb (GadgetLibrary *self)
{
  keep_top (self);
  update_stack (self);
}

static void
make_model (GadgetLibrary *self)
{
  GListStore *parts = g_list_store_new (G_TYPE_LIST_MODEL);
  GtkFlattenListModel *flat;
  GtkFilterListModel *filtered;

  g_list_store_append (parts, self->fresh);
  if (self->sessions != NULL)
    g_list_store_append (parts, self->sessions);
  flat = gtk_flatten_list_model_new (G_LIST_MODEL (parts));
  filtered =
      gtk_filter_list_model_new (G_LIST_MODEL (flat), g_object_ref (GTK_FILTER (self->filter)));
  g_set_object (&self->model, NULL);
  self->model =
      gtk_sort_list_model_new (G_LIST_MODEL (filtered), g_object_ref (GTK_SORTER (self->sorter)));
  gtk_sort_list_model_set_section_sorter (self->model, GTK_SORTER (self->section_sorter));
  self->syncing = TRUE;
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->model));
  self->syncing = FALSE;
  select_current (self);
}

/* --- Rows --------------------------------------------------------------------------------------
 */

static void
setup_header_cb (GadgetLibrary *self, GtkListHeader *header)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "dimmed");
  gtk_list_header_set_child (header, label);
}

static void
bind_header_cb (GadgetLibrary *self, GtkListHeader *header)
{
  g_ptr_array_add (self->headers, header);
  update_header (header, self);
}

static void
unbind_header_cb (GadgetLibrary *self, GtkListHeader *header)
{
  g_ptr_array_remove (self->headers, header);
}

static void
describe_item (GtkListItem *item)
{
  GadgetChatRow *row = GADGET_CHAT_ROW (gtk_list_item_get_child (item));

  gtk_list_item_set_accessible_label (item, gadget_chat_row_get_description (row));
}

/* A popover gives the focus back to nobody in particular. */
static void
context_menu_closed_cb (GadgetLibrary *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  if (self->focus_list && (focus == NULL || gtk_widget_is_ancestor (focus, self->context_menu)))
    gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
open_context_menu (GadgetLibrary *self, GtkWidget *row, double x, double y)
{
  graphene_point_t point;

  if (self->context_menu == NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new ();

      g_menu_append (menu, _ ("Rename…"), "library.rename");
      g_menu_append (menu, _ ("Delete"), "library.delete");
      self->context_menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->context_menu), FALSE);
      gtk_widget_set_halign (self->context_menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->context_menu, GTK_WIDGET (self));
      g_signal_connect_object (self->context_menu, "closed", G_CALLBACK (context_menu_closed_cb),
                               self, G_CONNECT_SWAPPED);
    }
  if (!gtk_widget_compute_point (row, GTK_WIDGET (self),
                                 &GRAPHENE_POINT_INIT ((float) x, (float) y), &point))
    return;
  g_set_object (&self->context_session, gadget_chat_row_get_session (GADGET_CHAT_ROW (row)));
  gtk_popover_set_pointing_to (GTK_POPOVER (self->context_menu),
                               &(GdkRectangle) { (int) point.x, (int) point.y, 1, 1 });
  self->focus_list = gtk_widget_get_focus_child (GTK_WIDGET (self->list)) != NULL;
  gtk_popover_popup (GTK_POPOVER (self->context_menu));
}

static void
right_click_cb (GtkGesture *gesture, int n_press, double x, double y, GadgetLibrary *self)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  open_context_menu (self, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)), x, y);
}

static void
long_press_cb (GtkGesture *gesture, double x, double y, GadgetLibrary *self)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  open_context_menu (self, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)), x, y);
}

static void
setup_row_cb (GadgetLibrary *self, GtkListItem *item)
{
  GtkWidget *row = gadget_chat_row_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  g_signal_connect_object (row, "notify::description", G_CALLBACK (describe_item), item,
                           G_CONNECT_SWAPPED);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (right_click_cb), self, G_CONNECT_DEFAULT);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_object (press, "pressed", G_CALLBACK (long_press_cb), self, G_CONNECT_DEFAULT);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (press));
  gtk_list_item_set_child (item, row);
}

static void
bind_row_cb (GadgetLibrary *self, GtkListItem *item)
{
  gadget_chat_row_set_session (GADGET_CHAT_ROW (gtk_list_item_get_child (item)),
                               gtk_list_item_get_item (item));
}

static void
unbind_row_cb (GadgetLibrary *self, GtkListItem *item)
{
  gadget_chat_row_set_session (GADGET_CHAT_ROW (gtk_list_item_get_child (item)), NULL);
}

/* --- Actions -----------------------------------------------------------------------------------
 */

/* The chat that was clicked on, else the one that is selected. */
static GadgetSession *
get_target (GadgetLibrary *self)
{
  return self->context_session != NULL
             ? self->context_session
             : GADGET_SESSION (gtk_single_selection_get_selected_item (self->selection));
}

static void
tell_about_target (GtkWidget *widget, guint signal)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  GadgetSession *target = get_target (self);

  if (target != NULL)
    g_signal_emit (self, signals[signal], 0, target);
  g_clear_object (&self->context_session);
}

static void
rename_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  tell_about_target (widget, RENAME);
}

static void
delete_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  tell_about_target (widget, DELETE);
}

static void
open_menu_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  GtkWidget *child = focus != NULL ? gtk_widget_get_first_child (focus) : NULL;

  if (GADGET_IS_CHAT_ROW (child))
    open_context_menu (GADGET_LIBRARY (widget), child, 24, gtk_widget_get_height (child) / 2.0);
}

static void
search_changed_cb (GadgetLibrary *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));

  g_clear_pointer (&self->needle, g_free);
  if (*text != '\0')
    self->needle = g_utf8_casefold (text, -1);
  self->syncing = TRUE;
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  self->syncing = FALSE;
  select_current (self);
  update_stack (self);
}

/* The entry keeps Esc for itself, though there is nothing to close: pass it on. */
static void
stop_search_cb (GadgetLibrary *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  else
    g_signal_emit (self, signals[ESCAPE], 0);
}

/* --- Overrides ---------------------------------------------------------------------------------
 */

static void
gadget_library_dispose (GObject *object)
{
  GadgetLibrary *self = GADGET_LIBRARY (object);

  g_clear_handle_id (&self->sort_id, g_source_remove);
  g_clear_pointer (&self->context_menu, gtk_widget_unparent);
  if (self->sessions != NULL)
    g_signal_handlers_disconnect_by_data (self->sessions, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_LIBRARY);
  g_clear_object (&self->context_session);
  g_clear_object (&self->current);
  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  g_clear_object (&self->sessions);
  g_clear_object (&self->fresh);
  g_clear_object (&self->filter);
  g_clear_object (&self->sorter);
  g_clear_object (&self->section_sorter);

  G_OBJECT_CLASS (gadget_library_parent_class)->dispose (object);
}

static void
gadget_library_finalize (GObject *object)
{
  GadgetLibrary *self = GADGET_LIBRARY (object);

  g_hash_table_unref (self->hidden);
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->headers);
  g_free (self->needle);

  G_OBJECT_CLASS (gadget_library_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/library/gadget-library.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, menu_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, search);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, list);
  gtk_widget_class_bind_template_callback (widget_class, setup_header_cb);
  gtk_widget_class_bind_template_callback (widget_class, bind_header_cb);
  gtk_widget_class_bind_template_callback (widget_class, unbind_header_cb);
  gtk_widget_class_bind_template_callback (widget_class, setup_row_cb);
  gtk_widget_class_bind_template_callback (widget_class, bind_row_cb);
  gtk_widget_class_bind_template_callback (widget_class, unbind_row_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
}

static void
gadget_library_class_init (GadgetLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = gadget_library_dispose;
  object_class->finalize = gadget_library_finalize;

  signals[CHOSEN] = g_signal_new ("chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[RENAME] = g_signal_new ("rename", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[DELETE] = g_signal_new ("delete", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
  signals[ESCAPE] =
      g_signal_new ("escape", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_install_action (widget_class, "library.rename", NULL, rename_action);
  gtk_widget_class_install_action (widget_class, "library.delete", NULL, delete_action);
  gtk_widget_class_install_action (widget_class, "library.menu", NULL, open_menu_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "library.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "library.menu",
                                       NULL);

  bind_template (widget_class);
}

static void
gadget_library_init (GadgetLibrary *self)
{
  self->hidden = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->places = g_hash_table_new_full (NULL, NULL, g_object_unref, g_free);
  self->headers = g_ptr_array_new ();
  self->fresh = g_list_store_new (GADGET_TYPE_SESSION);
  self->filter = gtk_custom_filter_new (filter_cb, self, NULL);
  self->sorter = gtk_custom_sorter_new (compare_times_cb, self, NULL);
  self->section_sorter = gtk_custom_sorter_new (compare_groups_cb, self, NULL);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);

  gtk_widget_init_template (GTK_WIDGET (self));

  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "items-changed", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
  make_model (self);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
}

/* --- Public ------------------------------------------------------------------------------------
 */

void
gadget_library_set_engine (GadgetLibrary *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self) && GADGET_IS_ENGINE (engine));
  g_return_if_fail (self->sessions == NULL);

  self->sessions = g_object_ref (gadget_engine_get_sessions (engine));
  make_model (self);
  g_signal_connect_object (self->sessions, "items-changed", G_CALLBACK (sessions_changed_cb), self,
                           G_CONNECT_SWAPPED);
  sessions_changed_cb (self, 0, 0, g_list_model_get_n_items (self->sessions));
}

void
gadget_library_set_current (GadgetLibrary *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));

  g_set_object (&self->current, session);
  self->reveal = TRUE;
  update_fresh (self);
  select_current (self);
}

void
gadget_library_set_hidden (GadgetLibrary *self, GadgetSession *session, gboolean hidden)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self) && GADGET_IS_SESSION (session));

  if (hidden)
    g_hash_table_add (self->hidden, g_object_ref (session));
  else
    g_hash_table_remove (self->hidden, session);
  self->syncing = TRUE;
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  self->syncing = FALSE;
  select_current (self);
}

void
gadget_library_focus_search (GadgetLibrary *self)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  /* What was searched for before is still to be seen, and typing replaces it. */
  gtk_editable_select_region (GTK_EDITABLE (self->search), 0, -1);
}

void
gadget_library_open_menu (GadgetLibrary *self)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));
  gtk_menu_button_popup (self->menu_button);
}
