/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-undo-effects.h"

#include "gadget-undo-row.h"
#include "store/gadget-store-effects.h"
#include "ui/common/gadget-effect-labels.h"

#include <glib/gi18n.h>

#define MAX_EFFECTS 20

static char *
describe_effect (const GadgetEffectRow *effect)
{
  GString *text = g_string_new (NULL);
  g_autofree char *details = gadget_effect_labels_dup_details (effect);

  if (details != NULL)
    g_string_append (text, details);
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
  g_autofree char *title = gadget_effect_labels_dup_text (effect, workspace);
  g_autofree char *subtitle = describe_effect (effect);
  AdwActionRow *row = _gadget_undo_row_new (title, *subtitle != '\0' ? subtitle : NULL);
  GtkWidget *icon = gtk_image_new_from_icon_name (gadget_effect_labels_get_icon (effect));

  gtk_widget_add_css_class (icon, "dimmed");
  adw_action_row_add_prefix (row, icon);
  adw_preferences_group_add (group, GTK_WIDGET (row));
}

/* Matches changes of a file whose earlier content was not recorded. */
static gboolean
is_lost_edit (const GadgetEffectRow *effect)
{
  return (effect->kind == GADGET_EFFECT_CHANGE || effect->kind == GADGET_EFFECT_DELETE)
         && effect->recording == GADGET_RECORDING_LOST;
}

static void
add_group (AdwPreferencesPage *page, GPtrArray *effects, const char *workspace,
           gboolean (*belongs) (const GadgetEffectRow *), const char *title,
           const char *description)
{
  AdwPreferencesGroup *group = NULL;
  guint n = 0;

  for (guint i = 0; i < effects->len; i++)
    {
      const GadgetEffectRow *effect = g_ptr_array_index (effects, i);

      if (!belongs (effect))
        continue;
      if (group == NULL)
        group = _gadget_undo_row_add_group (page, title, description);
      if (n++ < MAX_EFFECTS)
        add_effect (group, effect, workspace);
    }
  if (n > MAX_EFFECTS)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("And %'u more", "And %'u more", n - MAX_EFFECTS), n - MAX_EFFECTS);

      adw_preferences_group_add (group, GTK_WIDGET (_gadget_undo_row_new (text, NULL)));
    }
}

void
_gadget_undo_effects_add (AdwPreferencesPage *page, GPtrArray *effects, const char *workspace)
{
  add_group (page, effects, workspace, is_lost_edit, _ ("Not Recorded"),
             _ ("What was in these files before is not known. They stay as they are."));
  add_group (page, effects, workspace, is_beyond_files, _ ("Not Undone"),
             _ ("Only files are taken back. What was done elsewhere, or sent over the network, "
                "stays."));
}
