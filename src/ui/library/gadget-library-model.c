/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The model of the list. The engine's list, preceded by the current chat while that is not in it
 * yet, goes through a filter (search) and two sorters (groups and times).
 *
 * GTK sorters do not watch their items, so the library does: changes that can move a chat queue one
 * sort_cb (). Until then each chat keeps the keys that it was last sorted by, in @sort_keys: a
 * list whose sections change without a signal of its model makes GTK abort the program. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "common/gadget-day-watch.h"
#include "ui/common/gadget-labels.h"

typedef struct
{
  GadgetLibraryGroup group;
  gint64 time;
} SortKeys;

static gboolean
filter_cb (gpointer item, gpointer user_data)
{
  GadgetLibrary *self = user_data;
  g_autofree char *title = NULL;

  if (self->needle == NULL)
    return TRUE;
  title = g_utf8_casefold (gadget_labels_title (item), -1);
  return strstr (title, self->needle) != NULL;
}

static const SortKeys *
get_sort_keys (GadgetLibrary *self, GadgetSession *session)
{
  SortKeys *keys = g_hash_table_lookup (self->sort_keys, session);

  if (keys == NULL)
    {
      keys = g_new (SortKeys, 1);
      keys->group = gadget_library_group_of (session, gadget_clock_wall_ms ());
      keys->time = gadget_session_get_updated_at (session);
      g_hash_table_insert (self->sort_keys, g_object_ref (session), keys);
    }
  return keys;
}

static int
compare_groups_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GadgetLibraryGroup left = get_sort_keys (user_data, (GadgetSession *) a)->group;
  const GadgetLibraryGroup right = get_sort_keys (user_data, (GadgetSession *) b)->group;

  return (left > right) - (left < right);
}

static int
compare_times_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const gint64 left = get_sort_keys (user_data, (GadgetSession *) a)->time;
  const gint64 right = get_sort_keys (user_data, (GadgetSession *) b)->time;

  return (left < right) - (left > right);
}

guint
_gadget_library_find (GadgetLibrary *self, GadgetSession *session)
{
  GListModel *model = G_LIST_MODEL (self->selection);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (GadgetSession) listed = g_list_model_get_item (model, i);

      if (listed == session)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

void
_gadget_library_select_current (GadgetLibrary *self)
{
  const guint found = _gadget_library_find (self, self->current);

  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->syncing = FALSE;
  /* The chat is scrolled into view when it was moved or chosen, but not while the user searches. */
  if (self->reveal && found != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list, found, GTK_LIST_SCROLL_NONE, NULL);
  self->reveal = FALSE;
}

void
_gadget_library_update_header (gpointer header, gpointer user_data)
{
  GadgetSession *session = gtk_list_header_get_item (header);

  gtk_label_set_label (GTK_LABEL (gtk_list_header_get_child (header)),
                       gadget_library_group_name (get_sort_keys (user_data, session)->group));
}

static void
sort_cb (gpointer user_data)
{
  GadgetLibrary *self = user_data;
  guint n;

  self->sort_id = 0;
  _gadget_library_keep_top (self);
  self->syncing = TRUE;
  g_hash_table_remove_all (self->sort_keys);
  /* Chats that do not move may change their group all the same, as at midnight. GtkSortListModel
   * takes a change of the section sorter as a change of the order alone, and signals only items
   * that move. So sections_changed is emitted in its name, before the sections are asked for
   * again. */
  n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  if (n > 0)
    gtk_section_model_sections_changed (GTK_SECTION_MODEL (self->model), 0, n);
  gtk_sorter_changed (GTK_SORTER (self->section_sorter), GTK_SORTER_CHANGE_DIFFERENT);
  gtk_sorter_changed (GTK_SORTER (self->sorter), GTK_SORTER_CHANGE_DIFFERENT);
  if (self->needle != NULL)
    gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  self->syncing = FALSE;
  g_ptr_array_foreach (self->headers, _gadget_library_update_header, self);
  _gadget_library_select_current (self);
}

static void
queue_sort (GadgetLibrary *self)
{
  if (self->sort_id != 0)
    return;
  self->sort_id = g_idle_add_once (sort_cb, self);
  g_source_set_name_by_id (self->sort_id, "[gadget] sort the chats");
}

static void
moved_cb (GadgetLibrary *self, GParamSpec *pspec, GadgetSession *session)
{
  if (session == self->current)
    self->reveal = TRUE;
  queue_sort (self);
}

/* A title does not move a chat, but a search may find it now, or not any more. */
static void
titled_cb (GadgetLibrary *self)
{
  if (self->needle != NULL)
    queue_sort (self);
}

static void
watch (GadgetLibrary *self, GadgetSession *session)
{
  static const char *const names[] = { "notify::active-run", "notify::remote-run",
                                       "notify::updated-at" };

  g_signal_handlers_disconnect_by_func (session, moved_cb, self);
  g_signal_handlers_disconnect_by_func (session, titled_cb, self);
  g_signal_connect_object (session, "notify::title", G_CALLBACK (titled_cb), self,
                           G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_signal_connect_object (session, names[i], G_CALLBACK (moved_cb), self, G_CONNECT_SWAPPED);
}

/* A chat is in the engine's list from its first turn on. */
gboolean
_gadget_library_is_stored (GadgetLibrary *self, GadgetSession *session)
{
  for (guint i = 0; self->sessions != NULL && i < g_list_model_get_n_items (self->sessions); i++)
    {
      g_autoptr (GadgetSession) stored = g_list_model_get_item (self->sessions, i);

      if (stored == session)
        return TRUE;
    }
  return FALSE;
}

void
_gadget_library_update_fresh (GadgetLibrary *self)
{
  /* A deleted chat is still shown until the user goes on, but not listed. */
  gboolean listed =
      self->current == NULL || gadget_session_get_deletion (self->current) != GADGET_DELETION_NONE;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->fresh));
  g_autoptr (GadgetSession) shown = g_list_model_get_item (G_LIST_MODEL (self->fresh), 0);

  listed = listed || _gadget_library_is_stored (self, self->current);
  if (!listed && shown == self->current)
    return;
  if (!listed)
    watch (self, self->current);
  g_list_store_splice (self->fresh, 0, n, listed ? NULL : (gpointer *) &self->current,
                       listed ? 0 : 1);
}

void
_gadget_library_sessions_changed_cb (GadgetLibrary *self, guint position, guint removed,
                                     guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (self->sessions, i);

      watch (self, session);
      if (session == self->current)
        self->reveal = TRUE;
    }
  /* The keys of a removed chat hold it. */
  if (removed > 0)
    queue_sort (self);
  _gadget_library_update_fresh (self);
  _gadget_library_select_current (self);
}

void
_gadget_library_make_model (GadgetLibrary *self)
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
  _gadget_library_select_current (self);
}

void
_gadget_library_model_init (GadgetLibrary *self)
{
  self->sort_keys = g_hash_table_new_full (NULL, NULL, g_object_unref, g_free);
  g_signal_connect_object (gadget_day_watch_get_default (), "changed", G_CALLBACK (queue_sort),
                           self, G_CONNECT_SWAPPED);
  self->filter = gtk_custom_filter_new (filter_cb, self, NULL);
  self->sorter = gtk_custom_sorter_new (compare_times_cb, self, NULL);
  self->section_sorter = gtk_custom_sorter_new (compare_groups_cb, self, NULL);
}
