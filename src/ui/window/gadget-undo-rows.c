/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-undo-rows.h"

#include "session/gadget-item.h"
#include "ui/common/gadget-effect-words.h"

#include <glib/gi18n.h>
#include <string.h>

/* What a command did to thousands of files is decided on together, from here on. */
#define MAX_ROWS 200
#define MAX_EFFECTS 20

/* One row: one file, or the rest of them. */
typedef struct
{
  GPtrArray *paths;      /* absolute */
  GtkCheckButton *check; /* one of the two */
  GtkDropDown *anyway;
} Choice;

struct _GadgetUndoRows
{
  AdwPreferencesPage *page;
  char *workspace;
  const char *const *only; /* (nullable): lent while the rows are made */
  gboolean redo;
  guint n_files;
  gboolean whole;      /* all that the turn changed can be chosen */
  GPtrArray *choices;  /* of Choice */
  GtkWidget *all;      /* (nullable): chooses all or none */
  GHashTable *rowless; /* set of GadgetUndoEntry, not owned: what is not worth a row */
  GPtrArray *along;    /* paths of these: they go along with the files */
  GPtrArray *stuck;    /* paths of files that stay in any case */
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

/* --- Words -------------------------------------------------------------------------------------
 */

static char *
dup_path (const GadgetUndoEntry *entry)
{
  return *entry->path != '\0' ? g_build_filename (entry->root, entry->path, NULL)
                              : g_strdup (entry->root);
}

static const char *
get_change (const GadgetUndoEntry *entry)
{
  const gboolean made = entry->before.type == GADGET_FILE_NONE;
  const gboolean gone = entry->after.type == GADGET_FILE_NONE;

  switch (made ? entry->after.type : entry->before.type)
    {
    case GADGET_FILE_FOLDER:
      if (made || gone)
        return made ? _ ("Folder created") : _ ("Folder deleted");
      break;
    case GADGET_FILE_LINK:
      if (made || gone)
        return made ? _ ("Link created") : _ ("Link deleted");
      break;
    case GADGET_FILE_NONE:
    case GADGET_FILE_REGULAR:
    case GADGET_FILE_SPECIAL:
    default:
      if (made || gone)
        return made ? _ ("Created") : _ ("Deleted");
      break;
    }
  return gadget_file_state_same_content (&entry->before, &entry->after) ? _ ("Permissions changed")
                                                                        : _ ("Changed");
}

static char *
describe (const GadgetUndoEntry *entry)
{
  GString *text = g_string_new (get_change (entry));

  if (entry->n_added > 0 || entry->n_removed > 0)
    g_string_append (text, " ·");
  if (entry->n_added > 0)
    g_string_append_printf (text, " \u2066+%d\u2069", entry->n_added);
  if (entry->n_removed > 0)
    g_string_append_printf (text, " \u2066−%d\u2069", entry->n_removed);
  return g_string_free_and_steal (text);
}

/* --- Rows --------------------------------------------------------------------------------------
 */

static AdwActionRow *
make_row (const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 3);
  return ADW_ACTION_ROW (row);
}

static AdwActionRow *
make_file_row (GadgetUndoRows *self, const GadgetUndoEntry *entry, const char *more)
{
  g_autofree char *path = dup_path (entry);
  g_autofree char *shown = gadget_effect_words_dup_path (path, self->workspace);
  g_autofree char *change = describe (entry);
  g_autofree char *subtitle =
      more != NULL ? g_strconcat (change, " · ", more, NULL) : g_strdup (change);

  return make_row (shown, subtitle);
}

static AdwPreferencesGroup *
add_group (GadgetUndoRows *self, const char *title, const char *description)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  adw_preferences_group_set_title (group, title);
  adw_preferences_group_set_description (group, description);
  adw_preferences_page_add (self->page, group);
  return group;
}

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
  g_ptr_array_add (choice->paths, dup_path (entry));
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

/* --- Groups ------------------------------------------------------------------------------------
 */

/* What becomes of a file. */
typedef enum
{
  SORT_NOT, /* not shown */
  SORT_FREE,
  SORT_CHANGED,
  SORT_STUCK,
  SORT_THERE, /* as it would become */
} Sort;

static gboolean
is_within (const char *path, const char *folder)
{
  const gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && path[length] == '/';
}

/* A folder that was made for files, or was removed with them: one of these is the next entry. */
static gboolean
is_for_others (GadgetUndoList *list, guint index)
{
  const GadgetUndoEntry *entry = g_ptr_array_index (list->entries, index);
  g_autofree char *path = dup_path (entry);
  g_autofree char *next = NULL;

  if ((entry->before.type != GADGET_FILE_FOLDER && entry->after.type != GADGET_FILE_FOLDER)
      || index + 1 == list->entries->len)
    return FALSE;
  next = dup_path (g_ptr_array_index (list->entries, index + 1));
  return is_within (next, path);
}

/* What is not worth a row: times alone, and folders that come and go with their files. */
static void
find_along (GadgetUndoRows *self, GadgetUndoList *list)
{
  for (guint i = 0; i < list->entries->len; i++)
    {
      GadgetUndoEntry *entry = g_ptr_array_index (list->entries, i);

      if (!entry->quiet && !is_for_others (list, i))
        continue;
      g_hash_table_add (self->rowless, entry);
      g_ptr_array_add (self->along, dup_path (entry));
    }
}

static gboolean
is_wanted (GadgetUndoRows *self, const GadgetUndoEntry *entry)
{
  g_autofree char *path = dup_path (entry);

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

static AdwActionRow *
make_rest_row (guint n)
{
  g_autofree char *text =
      g_strdup_printf (ngettext ("And %u more file", "And %u more files", n), n);

  return make_row (text, NULL);
}

static void
add_free (GadgetUndoRows *self, GPtrArray *entries)
{
  AdwPreferencesGroup *group;
  Choice *rest = NULL;

  if (entries->len == 0)
    return;
  group = add_group (self, _ ("Files"), NULL);
  for (guint i = 0; i < entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (entries, i);

      if (i < MAX_ROWS)
        add_checked (self, group, entry, make_file_row (self, entry, NULL));
      else if (rest == NULL)
        rest = add_checked (self, group, entry, make_rest_row (entries->len - MAX_ROWS));
      else
        g_ptr_array_add (rest->paths, dup_path (entry));
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
  group = add_group (self, _ ("Changed Since"),
                     _ ("These files are not as the turn left them. What is in them now is lost "
                        "unless it is kept."));
  for (guint i = 0; i < MIN (entries->len, MAX_ROWS); i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (entries, i);

      add_changed_row (self, group, entry,
                       make_file_row (self, entry,
                                      entry->interleaved ? _ ("changed by others meanwhile")
                                                         : _ ("changed again since")));
    }
  /* These are kept. */
  if (entries->len > MAX_ROWS)
    adw_preferences_group_add (group, GTK_WIDGET (make_rest_row (entries->len - MAX_ROWS)));
}

static void
add_fixed (GadgetUndoRows *self, GPtrArray *entries, const char *title, const char *description)
{
  AdwPreferencesGroup *group;

  if (entries->len == 0)
    return;
  group = add_group (self, title, description);
  for (guint i = 0; i < MIN (entries->len, MAX_ROWS); i++)
    adw_preferences_group_add (
        group, GTK_WIDGET (make_file_row (self, g_ptr_array_index (entries, i), NULL)));
  if (entries->len > MAX_ROWS)
    adw_preferences_group_add (group, GTK_WIDGET (make_rest_row (entries->len - MAX_ROWS)));
}

/* Nothing is left to take back, and something was. */
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
    g_ptr_array_add (self->stuck, dup_path (g_ptr_array_index (stuck, i)));
  add_free (self, free_ones);
  add_changed (self, changed_ones);
  add_fixed (
      self, stuck, self->redo ? _ ("Cannot Be Made Again") : _ ("Cannot Be Taken Back"),
      _ ("What was in these files is not kept: they were too large, or of a kind that is not "
         "recorded."));
  add_fixed (self, there, self->redo ? _ ("As the Turn Left Them") : _ ("Taken Back Already"),
             NULL);
  self->n_files = free_ones->len + changed_ones->len + stuck->len + there->len;
  self->whole = only == NULL && changed_ones->len == 0 && stuck->len == 0;
  self->only = NULL;
  return self;
}

/* --- What is not about files -------------------------------------------------------------------
 */

static char *
describe_effect (const GadgetEffectRow *effect)
{
  GString *text = g_string_new (NULL);
  g_autofree char *details = gadget_effect_words_dup_details (effect);
  const char *recording = NULL;

  if (effect->recording == GADGET_RECORDING_LOST)
    recording = _ ("its changes were not recorded");
  else if (effect->recording == GADGET_RECORDING_PARTLY)
    recording = _ ("its changes are recorded in part");
  if (details != NULL)
    g_string_append (text, details);
  if (recording != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", recording);
  if (effect->skipped != NULL && *effect->skipped != '\0')
    {
      g_auto (GStrv) folders = g_strsplit (effect->skipped, "\n", -1);
      g_autofree char *list = g_strjoinv (", ", folders);
      /* Translators: of a command, some lower-case words before; %s are folders */
      g_autofree char *left_out = g_strdup_printf (_ ("left out: %s"), list);

      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", left_out);
    }
  return g_string_free_and_steal (text);
}

static gboolean
is_beyond_files (const GadgetEffectRow *effect)
{
  return effect->kind == GADGET_EFFECT_COMMAND || effect->kind == GADGET_EFFECT_HOST
         || effect->kind == GADGET_EFFECT_MCP;
}

static void
add_effect (AdwPreferencesGroup *group, const GadgetEffectRow *effect, const char *workspace)
{
  g_autofree char *title = gadget_effect_words_dup_text (effect, workspace);
  g_autofree char *subtitle = describe_effect (effect);
  AdwActionRow *row = make_row (title, *subtitle != '\0' ? subtitle : NULL);
  GtkWidget *icon = gtk_image_new_from_icon_name (gadget_effect_words_get_icon (effect));

  gtk_widget_add_css_class (icon, "dimmed");
  adw_action_row_add_prefix (row, icon);
  adw_preferences_group_add (group, GTK_WIDGET (row));
}

void
_gadget_undo_rows_add_effects (GadgetUndoRows *self, GPtrArray *effects)
{
  AdwPreferencesGroup *group = NULL;
  guint n = 0;

  for (guint i = 0; i < effects->len; i++)
    {
      const GadgetEffectRow *effect = g_ptr_array_index (effects, i);

      if (!is_beyond_files (effect))
        continue;
      if (group == NULL)
        group =
            add_group (self, _ ("Left as It Is"),
                       _ ("Only files are taken back. What was done elsewhere, or sent over the "
                          "network, stays."));
      if (n++ < MAX_EFFECTS)
        add_effect (group, effect, self->workspace);
    }
  if (n > MAX_EFFECTS)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("And %u more", "And %u more", n - MAX_EFFECTS), n - MAX_EFFECTS);

      adw_preferences_group_add (group, GTK_WIDGET (make_row (text, NULL)));
    }
}

/* --- The answer --------------------------------------------------------------------------------
 */

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
    if (is_within (g_ptr_array_index (paths, i), folder))
      return TRUE;
  return FALSE;
}

/* What has no row: a folder goes along with what is in it, unless something in it stays. */
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
