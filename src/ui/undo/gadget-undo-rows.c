/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of the undo dialog, in groups: files that can be undone, files that have changed since,
 * files that cannot be undone, and files that are undone already. Collects what the user chose. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-undo-rows.h"

#include "common/gadget-path.h"
#include "gadget-undo-row.h"

#include <glib/gi18n.h>
#include <string.h>

/* Files beyond this number share one row and one choice; a command may have changed thousands. */
#define MAX_ROWS 200

/* The choice of one row: for one file, or for all the files beyond MAX_ROWS. */
typedef struct
{
  GPtrArray *paths;      /* absolute, owned */
  GtkCheckButton *check; /* either this or @anyway is set */
  GtkDropDown *anyway;
} Choice;

struct _GadgetUndoRows
{
  AdwPreferencesPage *page;
  char *workspace;
  const char *const *only; /* (nullable) (unowned): set only while the rows are made */
  gboolean redo;
  guint n_files;
  gboolean whole;      /* every change of the turn can be chosen */
  GPtrArray *choices;  /* of Choice, owned */
  GtkWidget *all;      /* (nullable): the button that selects all or none */
  GHashTable *rowless; /* set of GadgetUndoEntry, not owned: entries without a row */
  GPtrArray *along;    /* paths of the entries in @rowless: they follow the files */
  GPtrArray *stuck;    /* paths of files that cannot be undone */
  GFunc changed;
  gpointer user_data;
};

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_ptr_array_unref (choice->paths);
  g_free (choice);
}

void
_gadget_undo_rows_free (GadgetUndoRows *self)
{
  for (guint i = 0; i < self->choices->len; i++)
    {
      const Choice *choice = g_ptr_array_index (self->choices, i);

      if (choice->check != NULL)
        g_signal_handlers_disconnect_by_data (choice->check, self);
      if (choice->anyway != NULL)
        g_signal_handlers_disconnect_by_data (choice->anyway, self);
    }
  if (self->all != NULL)
    g_signal_handlers_disconnect_by_data (self->all, self);
  g_ptr_array_unref (self->choices);
  g_hash_table_unref (self->rowless);
  g_ptr_array_unref (self->along);
  g_ptr_array_unref (self->stuck);
  g_free (self->workspace);
  g_free (self);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static gboolean
get_all_checked (GadgetUndoRows *self)
{
  for (guint i = 0; i < self->choices->len; i++)
    {
      const Choice *choice = g_ptr_array_index (self->choices, i);

      if (choice->check != NULL && !gtk_check_button_get_active (choice->check))
        return FALSE;
    }
  return TRUE;
}

static void
changed_cb (GadgetUndoRows *self)
{
  if (self->all != NULL)
    gtk_button_set_label (GTK_BUTTON (self->all),
                          get_all_checked (self) ? _ ("Select None") : _ ("Select All"));
  self->changed (self->user_data, NULL);
}

static void
all_cb (GadgetUndoRows *self)
{
  const gboolean checked = !get_all_checked (self);

  for (guint i = 0; i < self->choices->len; i++)
    {
      const Choice *choice = g_ptr_array_index (self->choices, i);

      if (choice->check != NULL)
        gtk_check_button_set_active (choice->check, checked);
    }
}

static Choice *
add_choice (GadgetUndoRows *self, const GadgetUndoEntry *entry)
{
  Choice *choice = g_new0 (Choice, 1);

  choice->paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (choice->paths, _gadget_undo_row_dup_path (entry));
  g_ptr_array_add (self->choices, choice);
  return choice;
}

static Choice *
add_checked (GadgetUndoRows *self, AdwPreferencesGroup *group, const GadgetUndoEntry *entry,
             AdwActionRow *row)
{
  Choice *choice = add_choice (self, entry);

  choice->check = GTK_CHECK_BUTTON (gtk_check_button_new ());
  gtk_check_button_set_active (choice->check, TRUE);
  gtk_widget_set_valign (GTK_WIDGET (choice->check), GTK_ALIGN_CENTER);
  g_signal_connect_swapped (choice->check, "toggled", G_CALLBACK (changed_cb), self);
  adw_action_row_add_prefix (row, GTK_WIDGET (choice->check));
  adw_action_row_set_activatable_widget (row, GTK_WIDGET (choice->check));
  adw_preferences_group_add (group, GTK_WIDGET (row));
  return choice;
}

static void
add_select_all (GadgetUndoRows *self, AdwPreferencesGroup *group)
{
  self->all = gtk_button_new_with_label (_ ("Select None"));
  gtk_widget_add_css_class (self->all, "flat");
  gtk_widget_set_valign (self->all, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->all, "clicked", G_CALLBACK (all_cb), self);
  adw_preferences_group_set_header_suffix (group, self->all);
}

/* --- Groups ----------------------------------------------------------------------------------- */

/* The group that a file is shown in. */
typedef enum
{
  SORT_NOT, /* not shown */
  SORT_FREE,
  SORT_CHANGED,
  SORT_STUCK,
  SORT_THERE, /* in the state that undoing, or redoing, would lead to */
} Sort;

/* Tells whether the entry is a folder that was made or removed together with files in it. The
 * entries are sorted, so a file in it would be the next entry. */
static gboolean
is_for_others (GadgetUndoList *list, guint index)
{
  const GadgetUndoEntry *entry = g_ptr_array_index (list->entries, index);
  g_autofree char *path = _gadget_undo_row_dup_path (entry);
  g_autofree char *next = NULL;

  if ((entry->before.type == GADGET_FILE_FOLDER) == (entry->after.type == GADGET_FILE_FOLDER)
      || index + 1 == list->entries->len)
    return FALSE;
  next = _gadget_undo_row_dup_path (g_ptr_array_index (list->entries, index + 1));
  return gadget_path_is_within (next, path);
}

/* Finds the entries without a row: changes of times alone, and folders that come and go with their
 * files. */
static void
find_along (GadgetUndoRows *self, GadgetUndoList *list)
{
  for (guint i = 0; i < list->entries->len; i++)
    {
      GadgetUndoEntry *entry = g_ptr_array_index (list->entries, i);

      if (!entry->quiet && !is_for_others (list, i))
        continue;
      g_hash_table_add (self->rowless, entry);
      g_ptr_array_add (self->along, _gadget_undo_row_dup_path (entry));
    }
}

static gboolean
is_wanted (GadgetUndoRows *self, const GadgetUndoEntry *entry)
{
  g_autofree char *path = _gadget_undo_row_dup_path (entry);

  return self->only == NULL || g_strv_contains (self->only, path);
}

static Sort
get_sort (GadgetUndoRows *self, const GadgetUndoEntry *entry)
{
  const GadgetUndoState there = self->redo ? GADGET_UNDO_STATE_DONE : GADGET_UNDO_STATE_UNDONE;

  if (g_hash_table_contains (self->rowless, entry) || !is_wanted (self, entry))
    return SORT_NOT;
  if (entry->state == there)
    return SORT_THERE;
  if (!(self->redo ? entry->can_redo : entry->can_undo))
    return SORT_STUCK;
  return entry->state == GADGET_UNDO_STATE_CHANGED ? SORT_CHANGED : SORT_FREE;
}

static GPtrArray *
collect (GadgetUndoRows *self, GadgetUndoList *list, Sort sort)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < list->entries->len; i++)
    if (get_sort (self, g_ptr_array_index (list->entries, i)) == sort)
      g_ptr_array_add (found, g_ptr_array_index (list->entries, i));
  return found;
}

static void
add_free (GadgetUndoRows *self, GPtrArray *entries)
{
  AdwPreferencesGroup *group;
  Choice *rest = NULL;

  if (entries->len == 0)
    return;
  group = _gadget_undo_row_add_group (self->page, _ ("Files"), NULL);
  for (guint i = 0; i < entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (entries, i);

      if (i < MAX_ROWS)
        add_checked (self, group, entry, _gadget_undo_row_new_file (entry, self->workspace, NULL));
      else if (rest == NULL)
        rest =
            add_checked (self, group, entry, _gadget_undo_row_new_rest (entries->len - MAX_ROWS));
      else
        g_ptr_array_add (rest->paths, _gadget_undo_row_dup_path (entry));
    }
  if (entries->len > 2)
    add_select_all (self, group);
}

static void
add_changed_row (GadgetUndoRows *self, AdwPreferencesGroup *group, const GadgetUndoEntry *entry,
                 AdwActionRow *row)
{
  const char *const words[] = { _ ("Keep"), self->redo ? _ ("Redo Anyway") : _ ("Undo Anyway"),
                                NULL };
  Choice *choice = add_choice (self, entry);

  choice->anyway = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (words));
  gtk_widget_set_valign (GTK_WIDGET (choice->anyway), GTK_ALIGN_CENTER);
  g_signal_connect_swapped (choice->anyway, "notify::selected", G_CALLBACK (changed_cb), self);
  adw_action_row_add_suffix (row, GTK_WIDGET (choice->anyway));
  adw_action_row_set_activatable_widget (row, GTK_WIDGET (choice->anyway));
  adw_preferences_group_add (group, GTK_WIDGET (row));
}

static void
add_changed (GadgetUndoRows *self, GPtrArray *entries)
{
  AdwPreferencesGroup *group;

  if (entries->len == 0)
    return;
  group = _gadget_undo_row_add_group (
      self->page, _ ("Changed Since"),
      _ ("These files are not as the turn left them. What is in them now is lost "
         "unless it is kept."));
  for (guint i = 0; i < MIN (entries->len, MAX_ROWS); i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (entries, i);

      add_changed_row (self, group, entry,
                       _gadget_undo_row_new_file (entry, self->workspace,
                                                  entry->interleaved
                                                      ? _ ("changed by others meanwhile")
                                                      : _ ("changed again since")));
    }
  /* Files beyond MAX_ROWS have no choice here: they are kept. */
  if (entries->len > MAX_ROWS)
    adw_preferences_group_add (group,
                               GTK_WIDGET (_gadget_undo_row_new_rest (entries->len - MAX_ROWS)));
}

static void
add_fixed (GadgetUndoRows *self, GPtrArray *entries, const char *title, const char *description)
{
  AdwPreferencesGroup *group;

  if (entries->len == 0)
    return;
  group = _gadget_undo_row_add_group (self->page, title, description);
  for (guint i = 0; i < MIN (entries->len, MAX_ROWS); i++)
    adw_preferences_group_add (group, GTK_WIDGET (_gadget_undo_row_new_file (
                                          g_ptr_array_index (entries, i), self->workspace, NULL)));
  if (entries->len > MAX_ROWS)
    adw_preferences_group_add (group,
                               GTK_WIDGET (_gadget_undo_row_new_rest (entries->len - MAX_ROWS)));
}

/* Tells whether everything that can be undone is undone already, so that the rows offer to redo. */
static gboolean
is_undone (GadgetUndoRows *self, GadgetUndoList *list)
{
  g_autoptr (GPtrArray) done = collect (self, list, SORT_FREE);
  g_autoptr (GPtrArray) changed = collect (self, list, SORT_CHANGED);
  g_autoptr (GPtrArray) undone = collect (self, list, SORT_THERE);

  return done->len == 0 && changed->len == 0 && undone->len > 0;
}

GadgetUndoRows *
_gadget_undo_rows_new (AdwPreferencesPage *page, GadgetUndoList *list, const char *workspace,
                       const char *const *only, GFunc changed, gpointer user_data)
{
  GadgetUndoRows *self = g_new0 (GadgetUndoRows, 1);
  g_autoptr (GPtrArray) free_ones = NULL;
  g_autoptr (GPtrArray) changed_ones = NULL;
  g_autoptr (GPtrArray) stuck = NULL;
  g_autoptr (GPtrArray) there = NULL;

  self->page = page;
  self->workspace = g_strdup (workspace);
  self->only = only;
  self->changed = changed;
  self->user_data = user_data;
  self->choices = g_ptr_array_new_with_free_func (choice_free);
  self->rowless = g_hash_table_new (NULL, NULL);
  self->along = g_ptr_array_new_with_free_func (g_free);
  self->stuck = g_ptr_array_new_with_free_func (g_free);
  find_along (self, list);
  self->redo = is_undone (self, list);
  free_ones = collect (self, list, SORT_FREE);
  changed_ones = collect (self, list, SORT_CHANGED);
  stuck = collect (self, list, SORT_STUCK);
  there = collect (self, list, SORT_THERE);
  for (guint i = 0; i < stuck->len; i++)
    g_ptr_array_add (self->stuck, _gadget_undo_row_dup_path (g_ptr_array_index (stuck, i)));
  add_free (self, free_ones);
  add_changed (self, changed_ones);
  add_fixed (
      self, stuck, self->redo ? _ ("Cannot Be Redone") : _ ("Cannot Be Undone"),
      _ ("What was in these files is not kept: they were too large, or of a kind that is not "
         "recorded."));
  add_fixed (self, there, self->redo ? _ ("Unchanged Since This Turn") : _ ("Already Undone"),
             NULL);
  self->n_files = free_ones->len + changed_ones->len + stuck->len + there->len;
  self->whole = only == NULL && changed_ones->len == 0 && stuck->len == 0;
  self->only = NULL;
  return self;
}

/* --- The user's choice ------------------------------------------------------------------------ */

gboolean
_gadget_undo_rows_get_redo (GadgetUndoRows *self)
{
  return self->redo;
}

guint
_gadget_undo_rows_get_n_files (GadgetUndoRows *self)
{
  return self->n_files;
}

static void
add_paths (GPtrArray *to, GPtrArray *from)
{
  for (guint i = 0; i < from->len; i++)
    g_ptr_array_add (to, g_ptr_array_index (from, i));
}

static gboolean
has_below (GPtrArray *paths, const char *folder)
{
  for (guint i = 0; i < paths->len; i++)
    if (gadget_path_is_within (g_ptr_array_index (paths, i), folder))
      return TRUE;
  return FALSE;
}

/* Adds the entries without a row: a folder follows the files in it, unless one of these stays. */
static void
add_along (GadgetUndoRows *self, GPtrArray *chosen, GPtrArray *replaced, GPtrArray *kept)
{
  const guint n_chosen = chosen->len;
  const guint n_replaced = replaced->len;

  for (guint i = 0; i < self->along->len; i++)
    {
      char *path = g_ptr_array_index (self->along, i);

      if (has_below (kept, path) || has_below (self->stuck, path))
        continue;
      if (n_replaced > 0 && has_below (replaced, path))
        g_ptr_array_add (replaced, path);
      else if (n_chosen > 0 && (kept->len == 0 || has_below (chosen, path)))
        g_ptr_array_add (chosen, path);
    }
}

static char **
dup_strv (GPtrArray *paths)
{
  g_ptr_array_add (paths, NULL);
  return g_strdupv ((char **) paths->pdata);
}

static gboolean
is_chosen (const Choice *choice)
{
  return choice->check != NULL ? gtk_check_button_get_active (choice->check)
                               : gtk_drop_down_get_selected (choice->anyway) == 1;
}

gboolean
_gadget_undo_rows_has_choice (GadgetUndoRows *self)
{
  for (guint i = 0; i < self->choices->len; i++)
    if (is_chosen (g_ptr_array_index (self->choices, i)))
      return TRUE;
  return FALSE;
}

void
_gadget_undo_rows_take (GadgetUndoRows *self, char ***paths, char ***anyway)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  g_autoptr (GPtrArray) replaced = g_ptr_array_new ();
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (guint i = 0; i < self->choices->len; i++)
    {
      const Choice *choice = g_ptr_array_index (self->choices, i);

      if (!is_chosen (choice))
        add_paths (kept, choice->paths);
      else
        add_paths (choice->check != NULL ? chosen : replaced, choice->paths);
    }
  *paths = NULL;
  *anyway = NULL;
  if (self->whole && kept->len == 0)
    return;
  add_along (self, chosen, replaced, kept);
  *paths = dup_strv (chosen);
  *anyway = dup_strv (replaced);
}
