/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-undo-row.h"

#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

char *
_gadget_undo_row_dup_path (const GadgetUndoEntry *entry)
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

AdwActionRow *
_gadget_undo_row_new (const char *title, const char *subtitle)
{
  GtkWidget *row = gadget_ui_row_new (title, subtitle);

  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 3);
  return ADW_ACTION_ROW (row);
}

AdwActionRow *
_gadget_undo_row_new_file (const GadgetUndoEntry *entry, const char *workspace, const char *more)
{
  g_autofree char *path = _gadget_undo_row_dup_path (entry);
  g_autofree char *shown = gadget_effect_labels_dup_path (path, workspace);
  g_autofree char *change = describe (entry);
  g_autofree char *subtitle =
      more != NULL ? g_strconcat (change, " · ", more, NULL) : g_strdup (change);

  return _gadget_undo_row_new (shown, subtitle);
}

AdwActionRow *
_gadget_undo_row_new_rest (guint n)
{
  g_autofree char *text =
      g_strdup_printf (ngettext ("And %'u more file", "And %'u more files", n), n);

  return _gadget_undo_row_new (text, NULL);
}

AdwPreferencesGroup *
_gadget_undo_row_add_group (AdwPreferencesPage *page, const char *title, const char *description)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  adw_preferences_group_set_title (group, title);
  adw_preferences_group_set_description (group, description);
  adw_preferences_page_add (page, group);
  return group;
}
