/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sidebar: the search entry over the list of chats. The model is in gadget-library-model.c, the
 * rows in gadget-library-rows.c, renaming and deleting in gadget-library-menu.c. */

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
  _gadget_library_keep_top (self);
  update_stack (self);
}

/* --- Search ------------------------------------------------------------------------------------
 */

static void
search (GadgetLibrary *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));

  g_clear_pointer (&self->needle, g_free);
  if (*text != '\0')
    self->needle = g_utf8_casefold (text, -1);
  self->syncing = TRUE;
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  self->syncing = FALSE;
  _gadget_library_select_current (self);
  update_stack (self);
}

/* Announces the number of results while the search entry has the focus, since screen readers do not
 * follow the list below it. When the focus has left the entry, the user has chosen a chat. */
static void
search_changed_cb (GadgetLibrary *self)
{
  guint n_found;
  g_autofree char *text = NULL;

  search (self);
  if (self->needle == NULL || gtk_widget_get_focus_child (GTK_WIDGET (self->search)) == NULL)
    return;
  n_found = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  text = n_found == 0
             ? g_strdup (_ ("No Results Found"))
             : g_strdup_printf (ngettext ("%'u chat found", "%'u chats found", n_found), n_found);
  gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* --- Opening -----------------------------------------------------------------------------------
 */

static void
open_at (GadgetLibrary *self, guint position)
{
  g_autoptr (GadgetSession) session =
      g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (session == NULL)
    return;
  if (session != self->current)
    g_signal_emit (self, signals[CHOSEN], 0, session);
  g_signal_emit (self, signals[OPENED], 0);
}

static void
activated_cb (GadgetLibrary *self, guint position)
{
  open_at (self, position);
}

/* Opens the first result; searches again, because the last keys may not have been searched for
 * yet. */
static void
search_activated_cb (GadgetLibrary *self)
{
  search (self);
  if (self->needle != NULL)
    open_at (self, 0);
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

  g_hash_table_unref (self->sort_keys);
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
  _gadget_library_bind_rows (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
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
  /**
   * GadgetLibrary::opened:
   *
   * The user has chosen, and goes on in the chat that is shown.
   */
  signals[OPENED] =
      g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  _gadget_library_menu_class_init (widget_class);
  signals[ESCAPE] =
      g_signal_new ("escape", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  bind_template (widget_class);
}

static void
gadget_library_init (GadgetLibrary *self)
{
  self->headers = g_ptr_array_new ();
  self->fresh = g_list_store_new (GADGET_TYPE_SESSION);
  _gadget_library_model_init (self);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);

  gtk_widget_init_template (GTK_WIDGET (self));

  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "items-changed", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
  _gadget_library_make_model (self);
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
  _gadget_library_make_model (self);
  g_signal_connect_object (self->sessions, "items-changed",
                           G_CALLBACK (_gadget_library_sessions_changed_cb), self,
                           G_CONNECT_SWAPPED);
  _gadget_library_sessions_changed_cb (self, 0, 0, g_list_model_get_n_items (self->sessions));
}

void
gadget_library_set_current (GadgetLibrary *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));

  g_set_object (&self->current, session);
  self->reveal = TRUE;
  _gadget_library_update_fresh (self);
  _gadget_library_select_current (self);
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
 *
 * Returns: (transfer full) (nullable): the chat below @session in the list, or else the one above
 */
GadgetSession *
gadget_library_dup_neighbor (GadgetLibrary *self, GadgetSession *session)
{
  guint position;
  GadgetSession *below;

  g_return_val_if_fail (GADGET_IS_LIBRARY (self), NULL);

  position = _gadget_library_find (self, session);
  if (position == GTK_INVALID_LIST_POSITION)
    return NULL;
  below = g_list_model_get_item (G_LIST_MODEL (self->selection), position + 1);
  if (below != NULL || position == 0)
    return below;
  return g_list_model_get_item (G_LIST_MODEL (self->selection), position - 1);
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

  position = _gadget_library_find (self, session);
  if (position != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list, position, GTK_LIST_SCROLL_FOCUS, NULL);
}

/**
 * gadget_library_has_focus:
 *
 * Returns: whether a row of the list has the focus
 */
gboolean
gadget_library_has_focus (GadgetLibrary *self)
{
  g_return_val_if_fail (GADGET_IS_LIBRARY (self), FALSE);
  return gtk_widget_get_focus_child (GTK_WIDGET (self->list)) != NULL;
}

void
gadget_library_open_menu (GadgetLibrary *self)
{
  g_return_if_fail (GADGET_IS_LIBRARY (self));
  gtk_menu_button_popup (self->menu_button);
}
