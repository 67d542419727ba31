/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the switcher lists for a text: chats by their titles, the actions of the window, and the
 * pages of the preferences. The best match comes first, and its group before the others. */

#define G_LOG_DOMAIN "gadget-switcher"

#include "config.h"

#include "gadget-switcher-entries.h"

#include "common/gadget-clock.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-shortcut-table.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_IN_GROUP 4
#define N_RECENT_CHATS 6

/* Scores of a title. */
enum
{
  SCORE_BEGINNING,
  SCORE_WORD,
  SCORE_INSIDE,
  SCORE_NONE,
};

typedef struct
{
  const char *title;
  const char *action;
  const char *icon;
  const char *accelerator;
} Static;

/* Actions without a row in the table of shortcuts, or whose keys are handled without an action. */
static const Static more_actions[] = {
  { N_ ("Stop the reply"), "win.stop", "media-playback-stop-symbolic", "<Shift>Escape" },
  { N_ ("Stop everything"), "win.stop-all", "media-playback-stop-symbolic",
    "<Control><Shift>Escape" },
  { N_ ("Open this chat in a new window"), "win.open-in-window", "window-new-symbolic" },
  { N_ ("Actions in all chats"), "win.actions", "view-list-bullet-symbolic" },
  { N_ ("Rename this chat…"), "win.rename-chat", "document-edit-symbolic" },
  { N_ ("Delete this chat"), "win.delete-chat", "user-trash-symbolic" },
  { N_ ("Choose a model…"), "win.choose-model", "system-run-symbolic" },
  { N_ ("Choose a folder…"), "win.choose-workspace", "folder-symbolic" },
  { N_ ("Restore deleted turns"), "win.restore-turns", "edit-undo-symbolic" },
  { N_ ("Add a provider…"), "win.add-provider", "network-server-symbolic" },
  { N_ ("Usage: tokens and money"), "win.usage", "gadget-usage-symbolic" },
  { N_ ("About Gadget"), "win.about", "help-about-symbolic" },
};

static const struct
{
  const char *title;
  const char *detail;
  const char *action;
  const char *icon;
} settings[] = {
  { N_ ("General"), N_ ("Appearance, new chats, notifications"), "win.preferences-page('general')",
    "preferences-system-symbolic" },
  { N_ ("Providers"), N_ ("Services that provide models, keys"),
    "win.preferences-page('providers')", "network-server-symbolic" },
  { N_ ("Tools"), N_ ("Commands, the sandbox, servers of tools"), "win.preferences-page('tools')",
    "gadget-tool-symbolic" },
  { N_ ("Permissions"), N_ ("What is allowed without asking"),
    "win.preferences-page('permissions')", "security-medium-symbolic" },
  { N_ ("Storage"), N_ ("Chats, attachments, undo data, backups"),
    "win.preferences-page('storage')", "drive-harddisk-symbolic" },
};

/* Icons of actions of the table of shortcuts; the others have a common one. */
static const struct
{
  const char *action;
  const char *icon;
} icons[] = {
  { "win.new-chat", "chat-message-new-symbolic" },
  { "win.new-incognito-chat", "gadget-incognito-symbolic" },
  { "win.new-window", "window-new-symbolic" },
  { "win.search", "edit-find-symbolic" },
  { "win.search-all", "edit-find-symbolic" },
  { "win.find", "edit-find-symbolic" },
  { "win.preferences", "preferences-system-symbolic" },
  { "win.copy-last-answer", "edit-copy-symbolic" },
  { "win.toggle-sidebar", "sidebar-show-symbolic" },
  { "win.toggle-activity", "sidebar-show-right-symbolic" },
};

/* What is listed before anything is typed, below the last chats. */
static const char *const first_actions[] = { "win.new-chat", "win.search-all", "win.preferences" };

void
gadget_switcher_entry_free (GadgetSwitcherEntry *self)
{
  g_free (self->title);
  g_free (self->detail);
  g_clear_object (&self->session);
  g_free (self);
}

const char *
gadget_switcher_group_name (GadgetSwitcherGroup group, gboolean searched)
{
  switch (group)
    {
    case GADGET_SWITCHER_CHATS:
      return searched ? _ ("Chats") : _ ("Last Chats");
    case GADGET_SWITCHER_ACTIONS:
      return _ ("Actions");
    case GADGET_SWITCHER_SETTINGS:
      return _ ("Preferences");
    case GADGET_SWITCHER_SEARCH:
    case GADGET_N_SWITCHER_GROUPS:
    default:
      return NULL;
    }
}

/* --- Matching --------------------------------------------------------------------------------- */

static gboolean
is_word_begin (const char *text, const char *at)
{
  return at == text || !g_unichar_isalnum (g_utf8_get_char (g_utf8_prev_char (at)));
}

/* Both are case-folded. Each word of @words has to be in the title. */
static guint
score_title (const char *title, const char *const *words)
{
  guint worst = SCORE_BEGINNING;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *at = strstr (title, words[i]);
      guint score = at == title ? SCORE_BEGINNING : SCORE_INSIDE;

      if (at == NULL)
        return SCORE_NONE;
      for (; at != NULL && score == SCORE_INSIDE; at = strstr (at + 1, words[i]))
        if (is_word_begin (title, at))
          score = SCORE_WORD;
      worst = MAX (worst, score);
    }
  return worst;
}

/* The entries while they are looked for. */
typedef struct
{
  GStrv words; /* case-folded; empty lists what is offered before anything is typed */
  GPtrArray *groups[GADGET_N_SWITCHER_GROUPS]; /* of GadgetSwitcherEntry */
  GadgetSwitcherEnabledFunc is_enabled;
  gpointer user_data;
} Finding;

static guint
score (const Finding *finding, const char *title)
{
  g_autofree char *folded = g_utf8_casefold (title, -1);

  return score_title (folded, (const char *const *) finding->words);
}

static GadgetSwitcherEntry *
add (Finding *finding, GadgetSwitcherGroup group, const char *title, const char *icon, guint score)
{
  GadgetSwitcherEntry *entry = g_new0 (GadgetSwitcherEntry, 1);

  entry->group = group;
  entry->title = g_strdup (title);
  entry->icon = icon;
  entry->score = score;
  g_ptr_array_add (finding->groups[group], entry);
  return entry;
}

/* --- Sources ---------------------------------------------------------------------------------- */

static char *
dup_chat_detail (GadgetSession *session)
{
  g_autofree char *workspace = gadget_labels_workspace (gadget_session_get_workspace (session));
  g_autofree char *moment =
      gadget_labels_moment (gadget_session_get_updated_at (session), gadget_clock_wall_ms ());

  return g_strdup_printf ("%s · %s", workspace, moment);
}

/* The list of the engine begins with the chat that was used last. */
static void
find_chats (Finding *finding, GadgetEngine *engine)
{
  GListModel *sessions = gadget_engine_get_sessions (engine);
  const guint n = g_list_model_get_n_items (sessions);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);
      const char *title = gadget_labels_title (session);
      const guint found = score (finding, title);
      GadgetSwitcherEntry *entry;

      if (found == SCORE_NONE || gadget_session_get_deletion (session) != GADGET_DELETION_NONE)
        continue;
      if (*finding->words == NULL
          && (finding->groups[GADGET_SWITCHER_CHATS]->len == N_RECENT_CHATS
              || gadget_session_get_archived (session)))
        continue;
      entry = add (finding, GADGET_SWITCHER_CHATS, title,
                   gadget_session_get_archived (session) ? "gadget-archive-symbolic"
                                                         : "gadget-answer-symbolic",
                   found);
      entry->session = g_steal_pointer (&session);
    }
}

static void
find_action (Finding *finding, const char *title, const char *action, const char *icon,
             const char *accelerator)
{
  const guint found = score (finding, title);
  GadgetSwitcherEntry *entry;

  if (found == SCORE_NONE || !finding->is_enabled (action, finding->user_data)
      || (*finding->words == NULL && !g_strv_contains (first_actions, action)))
    return;
  entry = add (finding, GADGET_SWITCHER_ACTIONS, title, icon, found);
  entry->action = action;
  entry->accelerator = accelerator;
}

static const char *
get_icon (const char *action)
{
  for (guint i = 0; i < G_N_ELEMENTS (icons); i++)
    if (g_str_equal (icons[i].action, action))
      return icons[i].icon;
  return "system-run-symbolic";
}

static void
find_actions (Finding *finding)
{
  for (guint i = 0; i < G_N_ELEMENTS (more_actions); i++)
    find_action (finding, _ (more_actions[i].title), more_actions[i].action, more_actions[i].icon,
                 more_actions[i].accelerator);
  for (guint i = 0; i < gadget_shortcut_table_get_n (); i++)
    {
      const GadgetShortcut *shortcut = gadget_shortcut_table_get (i);

      /* An action with a parameter steps through something, which its keys do. */
      if (shortcut->title != NULL && shortcut->action != NULL && shortcut->parameter == NULL
          && g_str_has_prefix (shortcut->action, "win.")
          && !g_str_equal (shortcut->action, "win.switch"))
        find_action (finding, _ (shortcut->title), shortcut->action, get_icon (shortcut->action),
                     shortcut->first);
    }
}

static void
find_settings (Finding *finding)
{
  for (guint i = 0; *finding->words != NULL && i < G_N_ELEMENTS (settings); i++)
    {
      const char *title = _ (settings[i].title);
      const char *detail = _ (settings[i].detail);
      const guint found = MIN (score (finding, title), score (finding, detail) + 1);
      GadgetSwitcherEntry *entry;

      if (found >= SCORE_NONE || !finding->is_enabled (settings[i].action, finding->user_data))
        continue;
      entry = add (finding, GADGET_SWITCHER_SETTINGS, title, settings[i].icon, found);
      entry->detail = g_strdup (detail);
      entry->action = settings[i].action;
    }
}

/* --- The whole list --------------------------------------------------------------------------- */

static gint
compare_entries (gconstpointer a, gconstpointer b)
{
  const GadgetSwitcherEntry *first = *(const GadgetSwitcherEntry *const *) a;
  const GadgetSwitcherEntry *second = *(const GadgetSwitcherEntry *const *) b;

  return first->score < second->score ? -1 : first->score > second->score;
}

/* Takes the best entries of a group into the list. Sorting keeps the order of equal ones. */
static void
take_best (GPtrArray *entries, GPtrArray *group, guint most)
{
  g_ptr_array_sort (group, compare_entries);
  for (guint i = 0; i < group->len && i < most; i++)
    {
      GadgetSwitcherEntry *entry = g_steal_pointer (&group->pdata[i]);

      if (entry->session != NULL)
        entry->detail = dup_chat_detail (entry->session);
      g_ptr_array_add (entries, entry);
    }
  g_ptr_array_set_size (group, 0);
}

static guint
get_best (const GPtrArray *group)
{
  guint best = SCORE_NONE;

  for (guint i = 0; i < group->len; i++)
    best = MIN (best, ((const GadgetSwitcherEntry *) group->pdata[i])->score);
  return best;
}

static void
take_groups (const Finding *finding, GPtrArray *entries)
{
  for (guint wanted = SCORE_BEGINNING; wanted < SCORE_NONE; wanted++)
    for (guint i = 0; i < GADGET_SWITCHER_SEARCH; i++)
      if (get_best (finding->groups[i]) == wanted)
        take_best (entries, finding->groups[i],
                   *finding->words == NULL ? N_RECENT_CHATS : MOST_IN_GROUP);
}

static void
free_entry (gpointer entry)
{
  if (entry != NULL)
    gadget_switcher_entry_free (entry);
}

static GStrv
split_words (const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_auto (GStrv) parts = g_strsplit_set (folded, " \t", -1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_strv_builder_add (words, parts[i]);
  return g_strv_builder_end (words);
}

/**
 * gadget_switcher_find:
 * @text: what was typed; "" lists the last chats and a few actions
 * @is_enabled: (scope call): tells which actions are listed
 *
 * Returns: (transfer full) (element-type GadgetSwitcherEntry): what can be gone to, best first
 */
GPtrArray *
gadget_switcher_find (GadgetEngine *engine, const char *text, GadgetSwitcherEnabledFunc is_enabled,
                      gpointer user_data)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (free_entry);
  g_auto (GStrv) words = split_words (text);
  Finding finding = { .words = words, .is_enabled = is_enabled, .user_data = user_data };

  for (guint i = 0; i < GADGET_N_SWITCHER_GROUPS; i++)
    finding.groups[i] = g_ptr_array_new_with_free_func (free_entry);
  find_chats (&finding, engine);
  find_actions (&finding);
  find_settings (&finding);
  take_groups (&finding, entries);
  if (*words != NULL && is_enabled ("win.search-all", user_data))
    {
      g_autofree char *title = g_strdup_printf (_ ("Search all chats for “%s”"), text);
      GadgetSwitcherEntry *entry =
          add (&finding, GADGET_SWITCHER_SEARCH, title, "edit-find-symbolic", SCORE_NONE);

      entry->accelerator = "<Control><Shift>f";
      take_best (entries, finding.groups[GADGET_SWITCHER_SEARCH], 1);
    }
  for (guint i = 0; i < GADGET_N_SWITCHER_GROUPS; i++)
    g_ptr_array_unref (finding.groups[i]);
  return entries;
}
