/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entries of the list are computed anew from all chats, once for any number of changes that
 * come together. The engine's list is ordered by time already, so this takes time in proportion to
 * the number of chats.
 *
 * GtkListView makes 200 rows, however few are in sight, which takes longer than all else that is
 * done for the first frame. So the first frame has a window full of entries, and some more follow
 * about once a frame, until GtkListView has all its rows. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "common/gadget-clock.h"
#include "common/gadget-day-watch.h"
#include "ui/common/gadget-labels.h"

/* The entries of the first frame, those that are added every so many milliseconds, and the rows of
 * a GtkListView. */
#define N_FIRST 30
#define N_MORE 10
#define GROW_MS 16
#define N_VIEW_ROWS 200
/* So long after the current chat has changed, the list is scrolled to it, in milliseconds. */
#define REVEAL_MS 100

/* The entries while they are computed. */
typedef struct
{
  GadgetLibrary *library;
  GadgetLibraryDays days;
  GArray *groups[GADGET_N_LIBRARY_GROUPS]; /* (nullable): the entries of each */
  GHashTable *chats; /* (nullable): GadgetChatFolder → GPtrArray of the chats directly in it */
  guint n_archived;
} Building;

static void
add_entry (Building *building, GadgetLibraryGroup group, GadgetLibraryEntry entry)
{
  if (building->groups[group] == NULL)
    building->groups[group] = gadget_library_entries_new ();
  entry.group = group;
  entry.selectable =
      GADGET_IS_SESSION (entry.item) && group != GADGET_LIBRARY_NOT_STORED
      && (!building->library->fresh || entry.item != (GObject *) building->library->current);
  g_object_ref (entry.item);
  g_array_append_val (building->groups[group], entry);
}

static gboolean
is_found (GadgetLibrary *self, GadgetSession *session)
{
  g_autofree char *title = NULL;

  if (self->needle == NULL)
    return TRUE;
  title = g_utf8_casefold (gadget_labels_title (session), -1);
  return strstr (title, self->needle) != NULL;
}

/* A chat is in one group: pinned before running before its folder before its date. */
static GadgetLibraryGroup
find_group (Building *building, GadgetSession *session, GadgetChatFolder *folder)
{
  if (!building->library->shows_archive && gadget_session_get_pinned (session))
    return GADGET_LIBRARY_PINNED;
  if (!building->library->shows_archive && gadget_session_is_working (session))
    return GADGET_LIBRARY_RUNNING;
  if (!building->library->shows_archive && folder != NULL)
    return GADGET_LIBRARY_FOLDERS;
  return gadget_library_days_group (&building->days, gadget_session_get_updated_at (session));
}

/* Returns the chats that are directly in a folder, which add_folder () lists. (transfer none) */
static GPtrArray *
get_chats (Building *building, GadgetChatFolder *folder)
{
  GPtrArray *chats;

  if (building->chats == NULL)
    building->chats = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  chats = g_hash_table_lookup (building->chats, folder);
  if (chats == NULL)
    {
      chats = g_ptr_array_new ();
      g_hash_table_insert (building->chats, folder, chats);
    }
  return chats;
}

static void
add_chat (Building *building, GadgetSession *session)
{
  const gboolean archived = gadget_session_get_archived (session);
  GadgetChatFolder *folder;
  GadgetLibraryGroup group;

  building->n_archived += archived;
  if (archived != building->library->shows_archive || !is_found (building->library, session))
    return;
  folder = _gadget_library_get_folder (building->library, session);
  group = find_group (building, session, folder);
  if (group == GADGET_LIBRARY_FOLDERS)
    g_ptr_array_add (get_chats (building, folder), session);
  else
    add_entry (building, group, (GadgetLibraryEntry) { .item = G_OBJECT (session) });
}

static void
count_chats (GadgetLibraryEntry *entry, GPtrArray *chats)
{
  entry->count += chats->len;
  for (guint i = 0; i < chats->len; i++)
    entry->n_unread += gadget_session_get_unread (g_ptr_array_index (chats, i));
}

/* Lists a folder, and if it is open its subfolders and then its chats. While the user searches,
 * folders in which nothing was found are not listed. */
static void
add_folder (Building *building, GadgetChatFolder *folder, guint depth)
{
  GadgetLibrary *self = building->library;
  GPtrArray *chats = get_chats (building, folder);
  g_autoptr (GPtrArray) subfolders = _gadget_library_dup_subfolders (self, folder);
  GadgetLibraryEntry entry = { .item = G_OBJECT (folder), .depth = depth & 0xf };

  entry.open = _gadget_library_is_folder_open (self, folder);
  count_chats (&entry, chats);
  for (guint i = 0; i < subfolders->len; i++)
    count_chats (&entry, get_chats (building, g_ptr_array_index (subfolders, i)));
  if (self->needle != NULL && entry.count == 0)
    return;
  add_entry (building, GADGET_LIBRARY_FOLDERS, entry);
  if (!entry.open)
    return;
  for (guint i = 0; i < subfolders->len; i++)
    add_folder (building, g_ptr_array_index (subfolders, i), depth + 1);
  for (guint i = 0; i < chats->len; i++)
    add_entry (
        building, GADGET_LIBRARY_FOLDERS,
        (GadgetLibraryEntry) { .item = g_ptr_array_index (chats, i), .depth = (depth + 1) & 0xf });
}

/* Joins the groups. (transfer full) */
static GArray *
join_groups (Building *building)
{
  GArray *entries = gadget_library_entries_new ();

  for (guint i = 0; i < GADGET_N_LIBRARY_GROUPS; i++)
    {
      GArray *group = building->groups[i];

      if (group == NULL)
        continue;
      g_array_append_vals (entries, group->data, group->len);
      /* The items belong to @entries now. */
      g_array_set_clear_func (group, NULL);
      g_array_unref (group);
    }
  return entries;
}

/* --- Watching --------------------------------------------------------------------------------- */

static gboolean
rebuild_cb (gpointer user_data)
{
  GadgetLibrary *self = user_data;

  self->rebuild_id = 0;
  _gadget_library_rebuild (self);
  return G_SOURCE_REMOVE;
}

/* Before the next frame, and after all changes that are being made now. */
static void
queue_rebuild (GadgetLibrary *self)
{
  if (self->rebuild_id != 0)
    return;
  self->rebuild_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, rebuild_cb, self, NULL);
  g_source_set_name_by_id (self->rebuild_id, "[gadget] list the chats");
}

static void
notify_cb (GObject *item, GParamSpec *pspec, GadgetLibrary *self)
{
  static const char *const moving[] = { "active-run", "remote-run", "updated-at", NULL };
  static const char *const placing[] = { "pinned", "archived",  "chat-folder",
                                         "unread", "parent-id", NULL };

  if (g_strv_contains (moving, pspec->name))
    {
      self->reveal = self->reveal || item == (GObject *) self->current;
      queue_rebuild (self);
    }
  else if (g_strv_contains (placing, pspec->name))
    queue_rebuild (self);
  /* A title does not move a chat, but a search may find it now, or not any more. */
  else if (self->needle != NULL && g_str_equal (pspec->name, "title"))
    queue_rebuild (self);
}

/* @item: a chat or a folder */
static void
watch (GadgetLibrary *self, gpointer item)
{
  if (g_hash_table_insert (self->watched, g_object_ref (item), GUINT_TO_POINTER (self->n_rebuilds)))
    g_signal_connect (item, "notify", G_CALLBACK (notify_cb), self);
}

static gboolean
unwatch_gone (gpointer item, gpointer last_rebuild, gpointer user_data)
{
  GadgetLibrary *self = user_data;

  if (GPOINTER_TO_UINT (last_rebuild) == self->n_rebuilds)
    return FALSE;
  g_signal_handlers_disconnect_by_func (item, notify_cb, self);
  return TRUE;
}

void
_gadget_library_unwatch_all (GadgetLibrary *self)
{
  self->n_rebuilds++;
  g_hash_table_foreach_remove (self->watched, unwatch_gone, self);
}

/* --- Growing ---------------------------------------------------------------------------------- */

static gboolean
grow_cb (gpointer user_data)
{
  GadgetLibrary *self = user_data;

  self->n_listed = self->n_listed + N_MORE < N_VIEW_ROWS ? self->n_listed + N_MORE : G_MAXUINT;
  if (self->n_listed == G_MAXUINT)
    self->grow_id = 0;
  _gadget_library_rebuild (self);
  return self->n_listed == G_MAXUINT ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* Takes from @entries what is not to be listed yet. */
static void
limit (GadgetLibrary *self, GArray *entries)
{
  if (self->n_listed == 0)
    self->n_listed = N_FIRST;
  if (entries->len <= self->n_listed)
    return;
  g_array_set_size (entries, self->n_listed);
  if (self->grow_id != 0)
    return;
  self->grow_id = g_timeout_add_full (G_PRIORITY_LOW, GROW_MS, grow_cb, self, NULL);
  g_source_set_name_by_id (self->grow_id, "[gadget] list more chats");
}

/* --- Rebuilding ------------------------------------------------------------------------------- */

/* Tells whether the current chat has to be listed though the engine does not list it: it has no
 * turns yet. A deleted chat is still shown until the user goes on, but not listed. */
static gboolean
is_fresh (GadgetLibrary *self)
{
  return self->current != NULL
         && gadget_session_get_deletion (self->current) == GADGET_DELETION_NONE
         && !gadget_session_get_incognito (self->current)
         && !_gadget_library_is_stored (self, self->current);
}

static void
collect_folders (Building *building)
{
  GadgetLibrary *self = building->library;
  g_autoptr (GPtrArray) folders = _gadget_library_dup_subfolders (self, NULL);
  GListModel *all =
      self->engine != NULL ? G_LIST_MODEL (gadget_engine_get_chat_folders (self->engine)) : NULL;

  for (guint i = 0; all != NULL && i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GObject) folder = g_list_model_get_item (all, i);

      watch (self, folder);
    }
  for (guint i = 0; !self->shows_archive && i < folders->len; i++)
    add_folder (building, g_ptr_array_index (folders, i), 0);
}

static void
collect_incognito (Building *building)
{
  GadgetLibrary *self = building->library;
  GListModel *sessions = self->engine != NULL ? gadget_engine_get_incognito (self->engine) : NULL;

  for (guint i = 0; sessions != NULL && i < g_list_model_get_n_items (sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);

      watch (self, session);
      if (!self->shows_archive && is_found (self, session))
        add_entry (building, GADGET_LIBRARY_NOT_STORED,
                   (GadgetLibraryEntry) { .item = G_OBJECT (session) });
    }
}

static void
collect (Building *building)
{
  GadgetLibrary *self = building->library;
  GListModel *sessions = self->engine != NULL ? gadget_engine_get_sessions (self->engine) : NULL;
  const guint n = sessions != NULL ? g_list_model_get_n_items (sessions) : 0;
  gboolean left = self->fresh;

  collect_incognito (building);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);

      if (left
          && gadget_session_get_updated_at (self->current)
                 >= gadget_session_get_updated_at (session))
        {
          add_chat (building, self->current);
          left = FALSE;
        }
      watch (self, session);
      add_chat (building, session);
    }
  if (left)
    add_chat (building, self->current);
  if (self->fresh)
    watch (self, self->current);
  collect_folders (building);
  /* The archive has its row where its chats are not listed. */
  if (building->n_archived > 0 && !self->shows_archive && self->needle == NULL)
    add_entry (building, GADGET_LIBRARY_ARCHIVE,
               (GadgetLibraryEntry) { .item = self->archive, .count = building->n_archived });
}

static void
update_row (gpointer item, gpointer library)
{
  _gadget_library_update_row (library, item);
}

void
_gadget_library_rebuild (GadgetLibrary *self)
{
  Building building = { .library = self, .days = gadget_library_days_at (gadget_clock_wall_ms ()) };
  const gboolean was_fresh = self->fresh;
  GArray *entries;

  g_clear_handle_id (&self->rebuild_id, g_source_remove);
  self->n_rebuilds++;
  self->fresh = is_fresh (self);
  /* The first turn stores the chat, which may move it. */
  self->reveal = self->reveal || (was_fresh && !self->fresh);
  collect (&building);
  g_clear_pointer (&building.chats, g_hash_table_unref);
  g_hash_table_foreach_remove (self->watched, unwatch_gone, self);
  _gadget_library_keep_top (self);
  entries = join_groups (&building);
  limit (self, entries);
  gadget_library_model_take (self->model, entries);
  g_ptr_array_foreach (self->headers, _gadget_library_update_header, self);
  g_ptr_array_foreach (self->rows, update_row, self);
  _gadget_library_update_stack (self);
  _gadget_library_show_current (self);
}

/* Selects the current chat, and scrolls to it when it was moved or chosen, but not while the user
 * searches. */
void
_gadget_library_show_current (GadgetLibrary *self)
{
  const guint position = gadget_library_model_find (self->model, self->current);

  gadget_library_model_set_current (self->model, self->current);
  if (self->reveal && position != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list, position, GTK_LIST_SCROLL_NONE, NULL);
  self->reveal = self->reveal && position == GTK_INVALID_LIST_POSITION && self->grow_id != 0;
}

static void
reveal_cb (gpointer user_data)
{
  GadgetLibrary *self = user_data;

  self->reveal_id = 0;
  self->reveal = TRUE;
  _gadget_library_show_current (self);
}

/* The list is scrolled a little later: with the rows of another part of it, the first frame of the
 * chat would take half as long again. */
void
_gadget_library_set_current (GadgetLibrary *self, GadgetSession *session)
{
  g_set_object (&self->current, session);
  if (self->rebuild_id != 0 || self->fresh || is_fresh (self))
    _gadget_library_rebuild (self);
  else
    _gadget_library_show_current (self);
  if (self->reveal_id != 0)
    return;
  self->reveal_id = g_timeout_add_once (REVEAL_MS, reveal_cb, self);
  g_source_set_name_by_id (self->reveal_id, "[gadget] scroll to the current chat");
}

/* A chat is in the engine's list from its first turn on. */
gboolean
_gadget_library_is_stored (GadgetLibrary *self, GadgetSession *session)
{
  return self->engine != NULL
         && gadget_engine_find_session (self->engine, gadget_session_get_id (session)) == session;
}

void
_gadget_library_set_engine (GadgetLibrary *self, GadgetEngine *engine)
{
  self->engine = g_object_ref (engine);
  g_signal_connect_object (gadget_engine_get_sessions (engine), "items-changed",
                           G_CALLBACK (queue_rebuild), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_incognito (engine), "items-changed",
                           G_CALLBACK (queue_rebuild), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_chat_folders (engine), "items-changed",
                           G_CALLBACK (queue_rebuild), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_day_watch_get_default (), "changed", G_CALLBACK (queue_rebuild),
                           self, G_CONNECT_SWAPPED);
  _gadget_library_rebuild (self);
}
