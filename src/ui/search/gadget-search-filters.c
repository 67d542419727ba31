/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A filter is an action whose state is the chosen value, "" for any. Its chip is a button with a
 * menu of the values of the moment, and a second button, shown while a value is chosen, that clears
 * the filter. */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include "gadget-search-filters.h"

#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-menu.h"

#include <glib/gi18n.h>
#include <stdlib.h>

/* The filters that have a menu; Changed Files is on or off. */
#define N_MENUS GADGET_SEARCH_FILTER_CHANGED_FILES

/* The name of a folder and the title of a chat may be long. */
#define MAX_LABEL_CHARS 24

/* A menu has so many chats, those that were used last. */
#define MAX_CHATS 15

typedef struct
{
  GtkWidget *chip;
  GtkMenuButton *button;
  GtkLabel *label;
  GtkWidget *cross;
  char *value; /* (nullable): NULL for any */
} Filter;

struct _GadgetSearchFilters
{
  AdwBin parent_instance;

  GadgetEngine *engine; /* (nullable) */
  GSimpleActionGroup *actions;
  Filter filters[N_MENUS];
  GtkWidget *changed_files_chip;
  guint offered; /* the filters that have a chip, 1 << GadgetSearchFilter each */
  gboolean changed_files;
};

static const struct
{
  const char *name;
  const char *label;
  const char *any;
} texts[N_MENUS] = {
  [GADGET_SEARCH_FILTER_CHAT] = { "chat", N_ ("Chat"), N_ ("Any Chat") },
  [GADGET_SEARCH_FILTER_DAYS] = { "days", N_ ("Time"), N_ ("Any Time") },
  [GADGET_SEARCH_FILTER_FOLDER] = { "folder", N_ ("Folder"), N_ ("Any Folder") },
  [GADGET_SEARCH_FILTER_TOOL] = { "tool", N_ ("Tool"), N_ ("Any Tool") },
  [GADGET_SEARCH_FILTER_STATUS] = { "status", N_ ("Status"), N_ ("Any Status") },
  [GADGET_SEARCH_FILTER_PROVIDER] = { "provider", N_ ("Provider"), N_ ("Any Provider") },
};

/* A choice that is always there. */
typedef struct
{
  const char *value;
  const char *label;
} Choice;

static const Choice days[] = {
  { "1", N_ ("Today") },
  { "7", N_ ("Last 7 Days") },
  { "30", N_ ("Last 30 Days") },
};

/* The values are those of gadget_turn_status_to_string (). */
static const Choice statuses[] = {
  { "processing", N_ ("Running") },
  { "finished", N_ ("Finished") },
  { "aborted", N_ ("Aborted") },
  { "error", N_ ("Failed") },
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSearchFilters, gadget_search_filters, ADW_TYPE_BIN)

/* --- Choices ---------------------------------------------------------------------------------- */

/* Adds a choice to a menu, or looks for the one with a value. */
typedef struct
{
  const char *action;
  GMenu *menu;       /* (nullable) */
  const char *value; /* (nullable): the value that is looked for */
  char *label;       /* (nullable): that value's */
} Choices;

static void
add_choice (Choices *choices, const char *value, const char *label)
{
  if (choices->menu != NULL)
    gadget_menu_append_name (choices->menu, label, choices->action, g_variant_new_string (value));
  if (choices->label == NULL && g_strcmp0 (value, choices->value) == 0)
    choices->label = g_strdup (label);
}

static void
add_fixed (Choices *choices, const Choice *fixed, guint n)
{
  for (guint i = 0; i < n; i++)
    add_choice (choices, fixed[i].value, _ (fixed[i].label));
}

/* The label of a chat is found also when the menu does not have it any more. */
static void
add_chats (Choices *choices, GListModel *sessions)
{
  guint n_shown = 0;

  for (guint i = 0; i < g_list_model_get_n_items (sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);

      if (gadget_session_get_deletion (session) != GADGET_DELETION_NONE
          || (choices->menu != NULL && n_shown++ == MAX_CHATS))
        continue;
      add_choice (choices, gadget_session_get_id (session), gadget_labels_title (session));
    }
}

/* Each folder is followed by those in it. */
static void
add_folders (Choices *choices, GListModel *folders, GadgetChatFolder *parent)
{
  const char *parent_id = parent != NULL ? gadget_chat_folder_get_id (parent) : NULL;

  for (guint i = 0; i < g_list_model_get_n_items (folders); i++)
    {
      g_autoptr (GadgetChatFolder) folder = g_list_model_get_item (folders, i);
      const char *name = gadget_chat_folder_get_name (folder);
      g_autofree char *label = NULL;

      if (g_strcmp0 (gadget_chat_folder_get_parent_id (folder), parent_id) != 0)
        continue;
      /* Translators: a folder of chats, and a folder in it */
      label = parent != NULL
                  ? g_strdup_printf (_ ("%s / %s"), gadget_chat_folder_get_name (parent), name)
                  : g_strdup (name);
      add_choice (choices, gadget_chat_folder_get_id (folder), label);
      if (parent == NULL)
        add_folders (choices, folders, folder);
    }
}

static void
add_tools (Choices *choices, GListModel *tools)
{
  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GadgetTool) tool = g_list_model_get_item (tools, i);

      add_choice (choices, gadget_tool_get_name (tool), gadget_tool_get_name (tool));
    }
}

static void
add_providers (Choices *choices, GListModel *providers)
{
  for (guint i = 0; i < g_list_model_get_n_items (providers); i++)
    {
      g_autoptr (GadgetProviderConfig) provider = g_list_model_get_item (providers, i);

      add_choice (choices, gadget_provider_config_get_id (provider),
                  gadget_provider_config_get_name (provider));
    }
}

static void
add_choices (GadgetSearchFilters *self, GadgetSearchFilter filter, Choices *choices)
{
  if (filter == GADGET_SEARCH_FILTER_DAYS)
    add_fixed (choices, days, G_N_ELEMENTS (days));
  else if (filter == GADGET_SEARCH_FILTER_STATUS)
    add_fixed (choices, statuses, G_N_ELEMENTS (statuses));
  else if (self->engine == NULL)
    return;
  else if (filter == GADGET_SEARCH_FILTER_CHAT)
    add_chats (choices, gadget_engine_get_sessions (self->engine));
  else if (filter == GADGET_SEARCH_FILTER_FOLDER)
    add_folders (choices, G_LIST_MODEL (gadget_engine_get_chat_folders (self->engine)), NULL);
  else if (filter == GADGET_SEARCH_FILTER_TOOL)
    add_tools (choices,
               G_LIST_MODEL (gadget_agent_get_toolbox (gadget_engine_get_agent (self->engine))));
  else
    add_providers (choices, G_LIST_MODEL (gadget_engine_get_providers (self->engine)));
}

static void
create_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  GadgetSearchFilters *self = user_data;
  const GadgetSearchFilter filter =
      (GadgetSearchFilter) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "filter"));
  g_autofree char *action = g_strconcat ("filter.", texts[filter].name, NULL);
  g_autoptr (GMenu) menu = g_menu_new ();
  Choices choices = { .action = action, .menu = menu };

  gadget_menu_append_name (menu, _ (texts[filter].any), action, g_variant_new_string (""));
  add_choices (self, filter, &choices);
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* --- Chips ------------------------------------------------------------------------------------ */

/* The label of a set chip is only its value; a screen reader also says what it filters by. */
static void
name_chip (const Filter *values, GadgetSearchFilter filter, const char *label)
{
  /* Translators: said by a screen reader of a filter of the search: its kind and the chosen value,
   * as "Folder: Website" */
  g_autofree char *both = g_strdup_printf (_ ("%s: %s"), _ (texts[filter].label), label);
  /* The button in the menu button has the focus. */
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (values->button));

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  values->value != NULL ? both : label, -1);
}

static void
update_chip (GadgetSearchFilters *self, GadgetSearchFilter filter)
{
  Filter *values = &self->filters[filter];
  const gboolean is_set = values->value != NULL;
  g_autofree char *label = gadget_search_filters_dup_label (self, filter);

  /* A button that goes while it has the focus would take the focus to another chip. */
  if (!is_set && gtk_widget_has_focus (values->cross))
    gtk_widget_grab_focus (GTK_WIDGET (values->button));
  gtk_label_set_label (values->label, label);
  name_chip (values, filter, label);
  gtk_menu_button_set_always_show_arrow (values->button, !is_set);
  gtk_widget_set_visible (values->cross, is_set);
  if (is_set)
    gtk_widget_add_css_class (values->chip, "set");
  else
    gtk_widget_remove_css_class (values->chip, "set");
}

static void
set_value (GadgetSearchFilters *self, GadgetSearchFilter filter, const char *value)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), texts[filter].name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (value));
  g_set_str (&self->filters[filter].value, *value != '\0' ? value : NULL);
  update_chip (self, filter);
}

static void
filter_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetSearchFilters *self = user_data;
  const char *name = g_action_get_name (G_ACTION (action));

  for (guint i = 0; i < N_MENUS; i++)
    if (g_str_equal (name, texts[i].name))
      set_value (self, (GadgetSearchFilter) i, g_variant_get_string (parameter, NULL));
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
changed_files_action (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  GadgetSearchFilters *self = user_data;

  g_simple_action_set_state (action, state);
  self->changed_files = g_variant_get_boolean (state);
  g_signal_emit (self, signals[CHANGED], 0);
}

static const GActionEntry actions[] = {
  { "chat", filter_action, "s", "''", NULL, { 0 } },
  { "days", filter_action, "s", "''", NULL, { 0 } },
  { "folder", filter_action, "s", "''", NULL, { 0 } },
  { "tool", filter_action, "s", "''", NULL, { 0 } },
  { "status", filter_action, "s", "''", NULL, { 0 } },
  { "provider", filter_action, "s", "''", NULL, { 0 } },
  { "changed-files", NULL, NULL, "false", changed_files_action, { 0 } },
};

static GtkWidget *
make_cross (const char *action, const char *any)
{
  GtkWidget *cross = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_actionable_set_action_name (GTK_ACTIONABLE (cross), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (cross), "s", "");
  gtk_widget_set_tooltip_text (cross, any);
  gtk_widget_set_visible (cross, FALSE);
  return cross;
}

/* Delete clears the filter whose chip has the focus. */
static void
add_delete_key (GtkWidget *chip, const char *action)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();
  GtkShortcut *shortcut =
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Delete, 0), gtk_named_action_new (action));

  gtk_shortcut_set_arguments (shortcut, g_variant_new_string (""));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
  gtk_widget_add_controller (chip, controller);
}

static GtkWidget *
make_chip (GadgetSearchFilters *self, GadgetSearchFilter filter)
{
  Filter *values = &self->filters[filter];
  g_autofree char *action = g_strconcat ("filter.", texts[filter].name, NULL);

  values->chip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  values->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  values->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (values->label, PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (values->label, MAX_LABEL_CHARS);
  /* With a label of its own, the button would always have an arrow. */
  gtk_menu_button_set_child (values->button, GTK_WIDGET (values->label));
  values->cross = make_cross (action, _ (texts[filter].any));
  g_object_set_data (G_OBJECT (values->button), "filter", GINT_TO_POINTER (filter));
  gtk_menu_button_set_create_popup_func (values->button, create_menu_cb, self, NULL);
  gtk_box_append (GTK_BOX (values->chip), GTK_WIDGET (values->button));
  gtk_box_append (GTK_BOX (values->chip), values->cross);
  gtk_widget_add_css_class (values->chip, "filter-chip");
  add_delete_key (values->chip, action);
  update_chip (self, filter);
  return values->chip;
}

static GtkWidget *
make_changed_files (void)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (_ ("Changed Files"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "filter.changed-files");
  gtk_widget_add_css_class (button, "chip");
  return button;
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_search_filters_dispose (GObject *object)
{
  GadgetSearchFilters *self = GADGET_SEARCH_FILTERS (object);

  for (guint i = 0; i < N_MENUS; i++)
    g_clear_pointer (&self->filters[i].value, g_free);
  g_clear_object (&self->engine);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (gadget_search_filters_parent_class)->dispose (object);
}

static void
gadget_search_filters_class_init (GadgetSearchFiltersClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_search_filters_dispose;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_search_filters_init (GadgetSearchFilters *self)
{
  GtkWidget *box = adw_wrap_box_new ();

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), actions, G_N_ELEMENTS (actions),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "filter", G_ACTION_GROUP (self->actions));
  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (box), 6);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (box), 6);
  for (guint i = 0; i < N_MENUS; i++)
    adw_wrap_box_append (ADW_WRAP_BOX (box), make_chip (self, (GadgetSearchFilter) i));
  self->changed_files_chip = make_changed_files ();
  adw_wrap_box_append (ADW_WRAP_BOX (box), self->changed_files_chip);
  adw_bin_set_child (ADW_BIN (self), box);
  gadget_search_filters_offer (self,
                               GADGET_SEARCH_ALL_FILTERS & ~(1u << GADGET_SEARCH_FILTER_CHAT));
}

/* Without a folder there is none to choose. */
static void
update_folder (GadgetSearchFilters *self)
{
  GListModel *folders = G_LIST_MODEL (gadget_engine_get_chat_folders (self->engine));
  Filter *values = &self->filters[GADGET_SEARCH_FILTER_FOLDER];

  gtk_widget_set_visible (values->chip,
                          (self->offered & 1u << GADGET_SEARCH_FILTER_FOLDER) != 0
                              && (values->value != NULL || g_list_model_get_n_items (folders) > 0));
}

void
gadget_search_filters_set_changed_label (GadgetSearchFilters *self, const char *label)
{
  g_return_if_fail (GADGET_IS_SEARCH_FILTERS (self) && label != NULL);
  gtk_button_set_label (GTK_BUTTON (self->changed_files_chip), label);
}

void
gadget_search_filters_offer (GadgetSearchFilters *self, guint filters)
{
  g_return_if_fail (GADGET_IS_SEARCH_FILTERS (self));

  self->offered = filters;
  for (guint i = 0; i < N_MENUS; i++)
    gtk_widget_set_visible (self->filters[i].chip, (filters & 1u << i) != 0);
  gtk_widget_set_visible (self->changed_files_chip,
                          (filters & 1u << GADGET_SEARCH_FILTER_CHANGED_FILES) != 0);
  if (self->engine != NULL)
    update_folder (self);
}

void
gadget_search_filters_set_days (GadgetSearchFilters *self, guint n_days)
{
  g_autofree char *value = g_strdup_printf ("%u", n_days);

  g_return_if_fail (GADGET_IS_SEARCH_FILTERS (self));
  set_value (self, GADGET_SEARCH_FILTER_DAYS, value);
}

void
gadget_search_filters_set_engine (GadgetSearchFilters *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_SEARCH_FILTERS (self) && GADGET_IS_ENGINE (engine));
  g_return_if_fail (self->engine == NULL);

  self->engine = g_object_ref (engine);
  g_signal_connect_object (gadget_engine_get_chat_folders (engine), "items-changed",
                           G_CALLBACK (update_folder), self, G_CONNECT_SWAPPED);
  update_folder (self);
}

guint
gadget_search_filters_get_set (GadgetSearchFilters *self)
{
  guint set = self->changed_files ? 1u << GADGET_SEARCH_FILTER_CHANGED_FILES : 0;

  g_return_val_if_fail (GADGET_IS_SEARCH_FILTERS (self), 0);

  for (guint i = 0; i < N_MENUS; i++)
    if (self->filters[i].value != NULL)
      set |= 1u << i;
  return set;
}

/* Returns the midnight with which a number of days begins of which today is the last, in
 * milliseconds since 1970. */
static gint64
get_since (int n_days)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) midnight =
      g_date_time_new_local (g_date_time_get_year (now), g_date_time_get_month (now),
                             g_date_time_get_day_of_month (now), 0, 0, 0);
  g_autoptr (GDateTime) since = g_date_time_add_days (midnight, 1 - n_days);

  return g_date_time_to_unix (since) * 1000;
}

void
gadget_search_filters_fill (GadgetSearchFilters *self, guint ignored, GadgetChatSearchQuery *query)
{
  const char *values[N_MENUS];

  g_return_if_fail (GADGET_IS_SEARCH_FILTERS (self));

  for (guint i = 0; i < N_MENUS; i++)
    values[i] = (ignored & 1u << i) != 0 ? NULL : self->filters[i].value;
  if (values[GADGET_SEARCH_FILTER_DAYS] != NULL)
    query->since = get_since (atoi (values[GADGET_SEARCH_FILTER_DAYS]));
  query->session_id = values[GADGET_SEARCH_FILTER_CHAT];
  query->chat_folder = values[GADGET_SEARCH_FILTER_FOLDER];
  query->tool = values[GADGET_SEARCH_FILTER_TOOL];
  query->status = values[GADGET_SEARCH_FILTER_STATUS];
  query->provider = values[GADGET_SEARCH_FILTER_PROVIDER];
  query->changed_files =
      self->changed_files && (ignored & 1u << GADGET_SEARCH_FILTER_CHANGED_FILES) == 0;
}

void
gadget_search_filters_clear (GadgetSearchFilters *self, guint filters)
{
  GAction *action;

  g_return_if_fail (GADGET_IS_SEARCH_FILTERS (self));

  for (guint i = 0; i < N_MENUS; i++)
    if ((filters & 1u << i) != 0)
      set_value (self, (GadgetSearchFilter) i, "");
  if ((filters & 1u << GADGET_SEARCH_FILTER_CHANGED_FILES) == 0)
    return;
  action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "changed-files");
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (FALSE));
  self->changed_files = FALSE;
}

char *
gadget_search_filters_dup_label (GadgetSearchFilters *self, GadgetSearchFilter filter)
{
  Choices choices = { 0 };

  g_return_val_if_fail (GADGET_IS_SEARCH_FILTERS (self), NULL);

  if (filter == GADGET_SEARCH_FILTER_CHANGED_FILES)
    return g_strdup (_ ("Changed Files"));
  choices.value = self->filters[filter].value;
  if (choices.value != NULL)
    add_choices (self, filter, &choices);
  return choices.label != NULL ? choices.label : g_strdup (_ (texts[filter].label));
}
