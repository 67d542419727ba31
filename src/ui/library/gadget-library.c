/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sidebar: the search entry over the list of chats. What is listed is computed in
 * gadget-library-entries.c, the rows are in gadget-library-rows.c, and what can be done with a chat
 * in gadget-library-menu.c. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "ui/common/gadget-announcer.h"

#include <glib/gi18n.h>

enum
{
  CHOSEN,
  OPENED,
  ESCAPE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetLibrary, gadget_library, ADW_TYPE_BIN)

void
_gadget_library_update_stack (GadgetLibrary *self)
{
  const char *page = "list";

  if (g_list_model_get_n_items (G_LIST_MODEL (self->model)) == 0)
    page = self->needle != NULL ? "nothing" : "empty";
  gtk_stack_set_visible_child_name (self->stack, page);
}

void
_gadget_library_show_archive (GadgetLibrary *self, gboolean shown)
{
  const gboolean focused = gadget_library_has_focus (self);
  guint position = 0;

  self->shows_archive = shown;
  adw_window_title_set_title (self->title, shown ? _ ("Archive") : _ ("Gadget"));
  gtk_label_set_label (self->empty,
                       shown ? _ ("Archived chats appear here.") : _ ("Chats appear here."));
  _gadget_library_leave_selecting (self);
  _gadget_library_update_head (self);
  _gadget_library_rebuild (self);
  if (!shown)
    position = gadget_library_model_find (self->model, self->archive);
  /* The focus goes to the first archived chat, and back to the row that led there. */
  if (position < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    gtk_list_view_scroll_to (self->list, position,
                             focused ? GTK_LIST_SCROLL_FOCUS : GTK_LIST_SCROLL_NONE, NULL);
}

static void
leave_archive_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  _gadget_library_show_archive (GADGET_LIBRARY (widget), FALSE);
}

static void
chosen_cb (GadgetLibrary *self, GadgetSession *session)
{
  g_signal_emit (self, signals[CHOSEN], 0, session);
}

/* --- Search ------------------------------------------------------------------------------------
 */

static void
search (GadgetLibrary *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *label = g_strdup_printf (_ ("Search all chats for “%s”"), text);

  g_clear_pointer (&self->needle, g_free);
  if (*text != '\0')
    self->needle = g_utf8_casefold (text, -1);
  gtk_label_set_label (self->search_all_label, label);
  gtk_widget_set_visible (self->search_all, self->needle != NULL);
  _gadget_library_rebuild (self);
}

/* Announces the number of results while the search entry has the focus, since screen readers do not
 * follow the list below it. When the focus has left the entry, the user has chosen a chat. */
static void
search_changed_cb (GadgetLibrary *self)
{
  guint n_found = 0;
  g_autofree char *text = NULL;

  search (self);
  if (self->needle == NULL || gtk_widget_get_focus_child (GTK_WIDGET (self->search)) == NULL)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->model)); i++)
    n_found += GADGET_IS_SESSION (gadget_library_model_get_entry (self->model, i)->item);
  text = n_found == 0
             ? g_strdup (_ ("No chat has such a title."))
             : g_strdup_printf (ngettext ("%'u chat found", "%'u chats found", n_found), n_found);
  gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Tells whether the keys of rows have used one. */
static gboolean
press_row_key (GadgetLibrary *self, guint keyval, GdkModifierType state)
{
  const gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  if ((state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_Right || keyval == GDK_KEY_KP_Right)
    return _gadget_library_open_or_close (self, !rtl);
  if (keyval == GDK_KEY_space && gadget_library_model_get_selecting (self->model))
    {
      gadget_library_model_toggle (self->model, _gadget_library_get_focused_item (self));
      return GDK_EVENT_STOP;
    }
  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_KP_Left)
    return _gadget_library_open_or_close (self, rtl);
  return GDK_EVENT_PROPAGATE;
}

/* Typing in the list begins a search. The entry could capture the keys by itself, but would
 * also take those that delete and move. */
static gboolean
typed_cb (GadgetLibrary *self, guint keyval, guint keycode, GdkModifierType state,
          GtkEventController *controller)
{
  const gunichar typed = gdk_keyval_to_unicode (keyval);

  if (press_row_key (self, keyval, state))
    return GDK_EVENT_STOP;
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0 || typed == 0
      || !g_unichar_isgraph (typed))
    return GDK_EVENT_PROPAGATE;
  gadget_library_focus_search (self);
  return gtk_event_controller_key_forward (
      GTK_EVENT_CONTROLLER_KEY (controller),
      GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (self->search))));
}

/* --- Opening -----------------------------------------------------------------------------------
 */

static void
open_chat (GadgetLibrary *self, GadgetSession *session)
{
  g_autoptr (GadgetSession) hold = g_object_ref (session);

  if (gadget_library_model_get_selecting (self->model))
    return;
  if (session != self->current)
    g_signal_emit (self, signals[CHOSEN], 0, session);
  g_signal_emit (self, signals[OPENED], 0);
}

static void
activated_cb (GadgetLibrary *self, guint position)
{
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->model), position);

  if (GADGET_IS_SESSION (item))
    open_chat (self, GADGET_SESSION (item));
  else if (GADGET_IS_CHAT_FOLDER (item))
    _gadget_library_toggle_folder (self, GADGET_CHAT_FOLDER (item));
  else if (item == self->archive)
    _gadget_library_show_archive (self, TRUE);
}

/* Opens the first result; searches again, because the last keys may not have been searched for
 * yet. */
static void
search_activated_cb (GadgetLibrary *self)
{
  search (self);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->model)); i++)
    {
      GObject *item = gadget_library_model_get_entry (self->model, i)->item;

      if (self->needle != NULL && GADGET_IS_SESSION (item))
        {
          open_chat (self, GADGET_SESSION (item));
          return;
        }
    }
}

/* Esc clears the entry. When there is nothing to clear it is passed on by "escape", because
 * GtkSearchEntry consumes the key. */
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

  g_clear_handle_id (&self->rebuild_id, g_source_remove);
  g_clear_handle_id (&self->grow_id, g_source_remove);
  g_clear_handle_id (&self->reveal_id, g_source_remove);
  _gadget_library_stop_hovering (self);
  g_clear_pointer (&self->dragged, g_ptr_array_unref);
  g_clear_weak_pointer (&self->drag);
  _gadget_library_cancel_renaming (self, NULL);
  g_clear_pointer (&self->context_menu, gtk_widget_unparent);
  _gadget_library_unwatch_all (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_LIBRARY);
  g_clear_object (&self->context_item);
  g_clear_object (&self->current);
  g_clear_object (&self->model);
  g_clear_object (&self->archive);
  g_clear_object (&self->engine);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (gadget_library_parent_class)->dispose (object);
}

static void
gadget_library_finalize (GObject *object)
{
  GadgetLibrary *self = GADGET_LIBRARY (object);

  g_hash_table_unref (self->watched);
  g_hash_table_unref (self->closed_folders);
  g_ptr_array_unref (self->headers);
  g_ptr_array_unref (self->rows);
  g_free (self->needle);

  G_OBJECT_CLASS (gadget_library_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/library/gadget-library.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, title);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, new_chat);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, back);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, menu_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, search);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, search_all);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, search_all_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, list);
  gtk_widget_class_bind_template_child (widget_class, GadgetLibrary, empty);
  _gadget_library_bind_rows (widget_class);
  _gadget_library_bind_selecting (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, typed_cb);
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
  /**
   * GadgetLibrary::opened:
   *
   * The user has chosen, and goes on in the chat that is shown.
   */
  signals[OPENED] =
      g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  _gadget_library_menu_class_init (widget_class);
  _gadget_library_folders_class_init (widget_class);
  _gadget_library_selecting_class_init (widget_class);
  signals[ESCAPE] =
      g_signal_new ("escape", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_install_action (widget_class, "library.leave-archive", NULL,
                                   leave_archive_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK,
                                       "library.leave-archive", NULL);
  bind_template (widget_class);
}

static void
gadget_library_init (GadgetLibrary *self)
{
  self->headers = g_ptr_array_new ();
  self->rows = g_ptr_array_new ();
  self->watched = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->model = gadget_library_model_new ();
  self->archive = g_object_new (G_TYPE_OBJECT, NULL);
  _gadget_library_folders_init (self);

  gtk_widget_init_template (GTK_WIDGET (self));

  g_signal_connect_object (self->model, "chosen", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  _gadget_library_selecting_init (self);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->model));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "library.leave-archive", FALSE);
}

/* --- Public ------------------------------------------------------------------------------------
 */

void
gadget_library_set_engine (GadgetLibrary *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self) && GADGET_IS_ENGINE (engine));
  g_return_if_fail (self->engine == NULL);

  _gadget_library_set_engine (self, engine);
}

void
gadget_library_set_current (GadgetLibrary *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));
  _gadget_library_set_current (self, session);
}

/**
 * gadget_library_get_search_text:
 *
 * Returns: (transfer none): what the titles are searched for; "" for nothing
 */
const char *
gadget_library_get_search_text (GadgetLibrary *self)
{
  g_return_val_if_fail (GADGET_IS_LIBRARY (self), "");
  return gtk_editable_get_text (GTK_EDITABLE (self->search));
}

void
gadget_library_focus_search (GadgetLibrary *self)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  /* The last search text stays, and is selected so that typing replaces it. */
  gtk_editable_select_region (GTK_EDITABLE (self->search), 0, -1);
}

/**
 * gadget_library_dup_neighbor:
 * @sessions: (element-type GadgetSession): at least one
 *
 * Returns: (transfer full) (nullable): the first chat below @sessions in the list that is none of
 * them, or else the last one above them
 */
GadgetSession *
gadget_library_dup_neighbor (GadgetLibrary *self, GPtrArray *sessions)
{
  GObject *above = NULL;
  gboolean below = FALSE;

  g_return_val_if_fail (GADGET_IS_LIBRARY (self), NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->model)); i++)
    {
      GObject *item = gadget_library_model_get_entry (self->model, i)->item;

      if (!GADGET_IS_SESSION (item))
        continue;
      if (g_ptr_array_find (sessions, item, NULL))
        below = TRUE;
      else if (below)
        return g_object_ref (GADGET_SESSION (item));
      else
        above = item;
    }
  return below && above != NULL ? g_object_ref (GADGET_SESSION (above)) : NULL;
}

/**
 * gadget_library_focus_chat:
 *
 * Gives the focus to the row of a chat, without showing the chat.
 */
void
gadget_library_focus_chat (GadgetLibrary *self, GadgetSession *session)
{
  guint position;

  g_return_if_fail (GADGET_IS_LIBRARY (self));

  position = gadget_library_model_find (self->model, session);
  if (position == GTK_INVALID_LIST_POSITION)
    return;
  gtk_list_view_scroll_to (self->list, position, GTK_LIST_SCROLL_FOCUS, NULL);
  /* That takes no focus from outside of the list. */
  if (gtk_widget_get_focus_child (GTK_WIDGET (self->list)) == NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

/**
 * gadget_library_has_focus:
 *
 * Returns: whether a row of the list has the focus, or had it when its menu was opened, which is
 *   open or closing
 */
gboolean
gadget_library_has_focus (GadgetLibrary *self)
{
  GtkRoot *root;
  GtkWidget *focus;

  g_return_val_if_fail (GADGET_IS_LIBRARY (self), FALSE);

  root = gtk_widget_get_root (GTK_WIDGET (self));
  focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  return gtk_widget_get_focus_child (GTK_WIDGET (self->list)) != NULL
         || (self->focus_list
             && (focus == NULL || gtk_widget_is_ancestor (focus, self->context_menu)));
}

gboolean
gadget_library_press_escape (GadgetLibrary *self)
{
  g_return_val_if_fail (GADGET_IS_LIBRARY (self), FALSE);
  return _gadget_library_cancel_drag (self) || _gadget_library_leave_selecting (self);
}

void
gadget_library_set_covering (GadgetLibrary *self, gboolean covering)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));

  self->covering = covering;
  _gadget_library_update_head (self);
}

void
gadget_library_open_menu (GadgetLibrary *self)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));
  gtk_menu_button_popup (self->menu_button);
}
