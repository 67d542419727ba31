/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page for one MCP server. When a server is changed, by this page or from elsewhere, the list
 * replaces the object, so the page follows the id. What the user has typed stays until it is
 * saved. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-mcp-server-page.h"

#include "gadget-mcp-folders.h"
#include "gadget-mcp-labels.h"
#include "gadget-preferences-rows.h"
#include "gadget-variable-group.h"
#include "common/gadget-visible.h"
#include "secrets/gadget-secrets.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-immediate-button.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* How many lines of a description are shown until its row is activated. */
#define FEW_LINES 3

enum
{
  KIND_PROGRAM,
  KIND_ADDRESS,
};

struct _GadgetMcpServerPage
{
  AdwNavigationPage parent_instance;

  GtkWidget *state_group;
  AdwSwitchRow *enabled_row;
  AdwActionRow *test_row;
  AdwBin *test_mark;
  GtkWidget *test_button;
  GtkWidget *complaints_row;
  GtkLabel *complaints_label;
  AdwExpanderRow *tools_row;
  AdwPreferencesGroup *about_group;
  AdwComboRow *kind_row;
  AdwEntryRow *name_row;
  AdwEntryRow *command_row;
  AdwEntryRow *url_row;
  GadgetVariableGroup *variables;
  GtkWidget *access_group;
  AdwSwitchRow *network_row;
  AdwSwitchRow *unconfined_row;
  GtkWidget *folders;
  AdwActionRow *error_row;
  GtkWidget *save_button;
  GtkWidget *remove_group;
  GtkWidget *form;

  GadgetMcpList *servers;
  char *id;                /* (nullable): NULL for a new server */
  GadgetMcpServer *server; /* (nullable): NULL for a new server */
  GPtrArray *shown;        /* (nullable): the tools of @tool_rows */
  GPtrArray *tool_rows;
  char *saving;     /* (nullable): the id that is being saved */
  gboolean filled;  /* the first values are set; changes from now on are the user's */
  gboolean dirty;   /* the user changed something that is not saved */
  gboolean busy;    /* the server is being saved or removed */
  gboolean testing; /* the user waits for the outcome of a test */
  gboolean done;
};

enum
{
  DONE,
  N_SIGNALS
};

enum
{
  PROP_DIRTY = 1,
  N_PROPS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetMcpServerPage, gadget_mcp_server_page, ADW_TYPE_NAVIGATION_PAGE)

static void
finish (GadgetMcpServerPage *self)
{
  if (self->done)
    return;
  self->done = TRUE;
  g_signal_emit (self, signals[DONE], 0);
}

/* --- Its tools --- */

static void
unfold_cb (AdwActionRow *row)
{
  adw_action_row_set_subtitle_lines (row,
                                     adw_action_row_get_subtitle_lines (row) == 0 ? FEW_LINES : 0);
}

static GtkWidget *
make_tool_row (GadgetMcpToolInfo *info)
{
  const char *description = gadget_mcp_tool_info_get_description (info);
  g_autofree char *name = gadget_visible_escape (gadget_mcp_tool_info_get_name (info));
  g_autofree char *words = gadget_visible_escape (description != NULL ? description : "");
  GtkWidget *row = gadget_ui_row_new (name, g_strstrip (words));

  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), FEW_LINES);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_signal_connect (row, "activated", G_CALLBACK (unfold_cb), NULL);
  return row;
}

static void
update_tools (GadgetMcpServerPage *self)
{
  GPtrArray *tools = gadget_mcp_server_get_tools (self->server);
  g_autofree char *count = NULL;

  if (tools == self->shown)
    return;
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  self->shown = g_ptr_array_ref (tools);
  for (guint i = 0; i < self->tool_rows->len; i++)
    adw_expander_row_remove (self->tools_row, g_ptr_array_index (self->tool_rows, i));
  g_ptr_array_set_size (self->tool_rows, 0);
  for (guint i = 0; i < tools->len; i++)
    {
      GtkWidget *row = make_tool_row (g_ptr_array_index (tools, i));

      adw_expander_row_add_row (self->tools_row, row);
      g_ptr_array_add (self->tool_rows, row);
    }
  count = g_strdup_printf (ngettext ("%u tool, in the server’s own words",
                                     "%u tools, in the server’s own words", tools->len),
                           tools->len);
  adw_expander_row_set_subtitle (
      self->tools_row, tools->len > 0 ? count : _ ("Available after the first connection"));
  adw_expander_row_set_enable_expansion (self->tools_row, tools->len > 0);
}

/* --- Its state --- */

static void
update_state (GadgetMcpServerPage *self)
{
  const GadgetMcpStatus status = gadget_mcp_server_get_status (self->server);
  const gboolean enabled = gadget_mcp_server_get_enabled (self->server);
  g_autofree char *state = gadget_mcp_labels_state (self->server);
  g_autofree char *complaints =
      status == GADGET_MCP_FAILED ? gadget_mcp_server_dup_complaints (self->server) : NULL;
  g_autofree char *plain =
      complaints != NULL ? gadget_visible_escape (g_strchomp (complaints)) : NULL;

  adw_action_row_set_subtitle (self->test_row, state);
  adw_bin_set_child (self->test_mark, gadget_mcp_labels_mark (self->server));
  gtk_button_set_label (GTK_BUTTON (self->test_button),
                        status == GADGET_MCP_STARTING ? _ ("Stop") : _ ("Test"));
  gtk_widget_set_sensitive (self->test_button, enabled);
  adw_switch_row_set_active (self->enabled_row, enabled);
  gtk_widget_set_visible (self->complaints_row, plain != NULL && *plain != '\0');
  gtk_label_set_text (self->complaints_label, plain != NULL ? plain : "");
  update_tools (self);
  if (!self->testing || status == GADGET_MCP_STARTING)
    return;
  self->testing = FALSE;
  gadget_announce (GTK_WIDGET (self->test_row),
                   status == GADGET_MCP_OFF ? _ ("It was stopped.") : state,
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Starts a test, or stops the one that goes on. The test of a server that is connected already has
 * its outcome at once. */
static void
test_cb (GadgetMcpServerPage *self)
{
  self->testing = TRUE;
  if (!gadget_mcp_server_stop_connecting (self->server))
    gadget_mcp_server_try (self->server);
  update_state (self);
}

static void
enabled_cb (GadgetMcpServerPage *self)
{
  const gboolean enabled = adw_switch_row_get_active (self->enabled_row);

  if (self->server == NULL || enabled == gadget_mcp_server_get_enabled (self->server))
    return;
  gadget_mcp_list_set_enabled (self->servers, self->server, enabled);
  self->testing = enabled;
  gadget_mcp_server_try (self->server);
}

static void
set_server (GadgetMcpServerPage *self, GadgetMcpServer *server)
{
  if (self->server == server)
    return;
  if (self->server != NULL)
    g_signal_handlers_disconnect_by_data (self->server, self);
  g_set_object (&self->server, server);
  self->testing = FALSE;
  g_signal_connect_object (server, "notify", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (server, "tools-changed", G_CALLBACK (update_state), self,
                           G_CONNECT_SWAPPED);
  update_state (self);
}

/* Closes the page when its server was removed, by this page or from elsewhere. */
static void
servers_changed_cb (GadgetMcpServerPage *self)
{
  GadgetMcpServer *server = gadget_mcp_list_find (self->servers, self->id);

  if (server != NULL)
    set_server (self, server);
  else
    finish (self);
}

/* --- The form --- */

static gboolean
is_remote (GadgetMcpServerPage *self)
{
  return adw_combo_row_get_selected (self->kind_row) == KIND_ADDRESS;
}

static void
show_error (GadgetMcpServerPage *self, const char *text)
{
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->error_row), text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_row), text != NULL);
  if (text == NULL)
    return;
  gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  gadget_preferences_reveal (GTK_WIDGET (self->error_row));
}

static void
show_failure (GadgetMcpServerPage *self, const char *what, const GError *error)
{
  g_autofree char *text = gadget_error_labels_dup (what, error);

  show_error (self, text);
}

/* Notes a change by the user. */
static void
set_dirty (GadgetMcpServerPage *self)
{
  if (self->dirty || self->busy || !self->filled)
    return;
  self->dirty = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DIRTY]);
}

static void
changed_cb (GadgetMcpServerPage *self)
{
  g_autofree char *name = NULL;
  g_autofree char *where = NULL;
  gboolean confined;

  if (self->servers == NULL)
    return;
  name = gadget_preferences_dup_text (self->name_row);
  where = gadget_preferences_dup_text (is_remote (self) ? self->url_row : self->command_row);
  confined = !adw_switch_row_get_active (self->unconfined_row);
  show_error (self, NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->network_row), confined);
  gtk_widget_set_sensitive (self->save_button, !self->busy && *name != '\0' && *where != '\0');
  set_dirty (self);
}

static void
kind_cb (GadgetMcpServerPage *self)
{
  const gboolean remote = is_remote (self);

  if (self->servers == NULL)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->url_row), remote);
  gtk_widget_set_visible (GTK_WIDGET (self->command_row), !remote);
  gtk_widget_set_visible (self->access_group, !remote);
  gtk_widget_set_visible (self->folders, !remote);
  gadget_variable_group_set_mode (self->variables, remote ? GADGET_VARIABLE_SERVER_HEADERS
                                                          : GADGET_VARIABLE_ENVIRONMENT);
  adw_preferences_group_set_description (
      self->about_group,
      remote ? _ ("A service on the web or in your network. What the agent gives to its tools is "
                  "sent there.")
             : _ ("A program on this computer, which is started when its tools are needed."));
  changed_cb (self);
}

/* Makes a configuration from the form. @secrets: (out) (nullable): values for the keyring, see
 * gadget_variable_group_store (). Returns NULL with an error of GADGET_MCP_CONFIG_ERROR. */
static GadgetMcpConfig *
make_config (GadgetMcpServerPage *self, char **secrets, GError **error)
{
  g_autofree char *name = gadget_preferences_dup_text (self->name_row);
  g_autofree char *id = self->id != NULL ? g_strdup (self->id) : gadget_mcp_labels_make_id (name);
  g_autoptr (GadgetMcpConfig) config = gadget_mcp_config_new (id);
  g_autofree char *command = gadget_preferences_dup_text (self->command_row);

  if (is_remote (self))
    {
      config->url = gadget_preferences_dup_text (self->url_row);
    }
  else
    {
      config->command = gadget_mcp_labels_split_command (command, error);
      if (config->command == NULL)
        return NULL;
      g_strfreev (config->folders);
      config->folders = gadget_mcp_folders_dup (GADGET_MCP_FOLDERS (self->folders));
      config->network = adw_switch_row_get_active (self->network_row);
      config->confined = !adw_switch_row_get_active (self->unconfined_row);
    }
  *secrets = gadget_variable_group_store (self->variables, config);
  return gadget_mcp_config_check (config, error) ? g_steal_pointer (&config) : NULL;
}

/* --- Saving and removing --- */

/* Saving and removing begin or, when they failed, end. */
static void
set_busy (GadgetMcpServerPage *self, gboolean busy)
{
  show_error (self, NULL);
  self->busy = busy;
  gtk_widget_set_sensitive (self->save_button, !busy);
  gadget_preferences_set_sensitive (self->form, !busy);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DIRTY]);
}

static void
saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpServerPage) self = user_data;
  GadgetMcpList *servers = GADGET_MCP_LIST (object);
  g_autoptr (GError) error = NULL;
  const gboolean saved = gadget_mcp_list_add_finish (servers, result, &error);
  GadgetMcpServer *server = gadget_mcp_list_find (servers, self->saving);

  if (self->servers == NULL)
    return;
  if (!saved)
    {
      set_busy (self, FALSE);
      show_failure (self, _ ("The tool server could not be saved."), error);
      gtk_widget_grab_focus (self->save_button);
      return;
    }
  /* Connects the server, so that its tools are known when the first chat needs them. Another
   * process may have removed it meanwhile. */
  if (server != NULL)
    gadget_mcp_server_try (server);
  finish (self);
}

static void
save_cb (GadgetMcpServerPage *self)
{
  g_autoptr (GError) error = NULL;
  char *secrets = NULL;
  g_autoptr (GadgetMcpConfig) config = make_config (self, &secrets, &error);

  if (config == NULL)
    {
      show_error (self, gadget_error_labels_get_reason (error));
    }
  else if (self->id == NULL && gadget_mcp_list_find (self->servers, config->id) != NULL)
    {
      g_autofree char *text =
          g_strdup_printf (_ ("There is a tool server “%s” already."), config->id);

      show_error (self, text);
    }
  else
    {
      set_busy (self, TRUE);
      g_set_str (&self->saving, config->id);
      gadget_mcp_list_add_async (self->servers, config, secrets, saved_cb, g_object_ref (self));
    }
  gadget_secrets_free_key (secrets);
}

static void
removed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpServerPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_mcp_list_remove_finish (GADGET_MCP_LIST (object), result, &error))
    finish (self);
  else if (self->servers != NULL)
    {
      set_busy (self, FALSE);
      show_failure (self, _ ("The tool server could not be removed."), error);
    }
}

static void
remove_server (GtkWidget *page)
{
  GadgetMcpServerPage *self = GADGET_MCP_SERVER_PAGE (page);

  if (self->servers == NULL)
    return;
  set_busy (self, TRUE);
  gadget_mcp_list_remove_async (self->servers, self->id, removed_cb, g_object_ref (self));
}

static void
remove_cb (GadgetMcpServerPage *self)
{
  gadget_preferences_confirm (
      GTK_WIDGET (self), _ ("Remove This Tool Server?"),
      _ ("Its secrets are removed from the keyring as well. The chats that used it stay."),
      _ ("_Remove"), remove_server);
}

/* --- Overrides --- */

static void
gadget_mcp_server_page_dispose (GObject *object)
{
  GadgetMcpServerPage *self = GADGET_MCP_SERVER_PAGE (object);

  g_clear_object (&self->servers);
  g_clear_object (&self->server);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_MCP_SERVER_PAGE);

  G_OBJECT_CLASS (gadget_mcp_server_page_parent_class)->dispose (object);
}

static void
gadget_mcp_server_page_get_property (GObject *object, guint prop_id, GValue *value,
                                     GParamSpec *pspec)
{
  GadgetMcpServerPage *self = GADGET_MCP_SERVER_PAGE (object);

  switch (prop_id)
    {
    case PROP_DIRTY:
      g_value_set_boolean (value, self->dirty && !self->busy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_mcp_server_page_finalize (GObject *object)
{
  GadgetMcpServerPage *self = GADGET_MCP_SERVER_PAGE (object);

  g_clear_pointer (&self->shown, g_ptr_array_unref);
  g_ptr_array_unref (self->tool_rows);
  g_free (self->id);
  g_free (self->saving);

  G_OBJECT_CLASS (gadget_mcp_server_page_parent_class)->finalize (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, GadgetMcpServerPage, child)

static void
gadget_mcp_server_page_class_init (GadgetMcpServerPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_mcp_server_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_mcp_server_page_finalize;
  G_OBJECT_CLASS (klass)->get_property = gadget_mcp_server_page_get_property;

  /**
   * GadgetMcpServerPage:dirty:
   *
   * %TRUE if the user changed something that is neither saved nor being saved.
   */
  props[PROP_DIRTY] =
      g_param_spec_boolean ("dirty", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);

  signals[DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);

  g_type_ensure (GADGET_TYPE_VARIABLE_GROUP);
  g_type_ensure (GADGET_TYPE_MCP_FOLDERS);
  g_type_ensure (GADGET_TYPE_IMMEDIATE_BUTTON);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-mcp-server-page.ui");
  BIND (state_group);
  BIND (enabled_row);
  BIND (test_row);
  BIND (test_mark);
  BIND (test_button);
  BIND (complaints_row);
  BIND (complaints_label);
  BIND (tools_row);
  BIND (about_group);
  BIND (kind_row);
  BIND (name_row);
  BIND (command_row);
  BIND (url_row);
  BIND (variables);
  BIND (access_group);
  BIND (network_row);
  BIND (unconfined_row);
  BIND (folders);
  BIND (error_row);
  BIND (save_button);
  BIND (remove_group);
  BIND (form);
  gtk_widget_class_bind_template_callback (widget_class, enabled_cb);
  gtk_widget_class_bind_template_callback (widget_class, test_cb);
  gtk_widget_class_bind_template_callback (widget_class, kind_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, save_cb);
  gtk_widget_class_bind_template_callback (widget_class, remove_cb);
}

static void
gadget_mcp_server_page_init (GadgetMcpServerPage *self)
{
  g_autoptr (GtkStringList) kinds = gtk_string_list_new (NULL);

  self->tool_rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_string_list_append (kinds, _ ("Program"));
  gtk_string_list_append (kinds, _ ("Web Address"));
  adw_combo_row_set_model (self->kind_row, G_LIST_MODEL (kinds));
}

static void
load (GadgetMcpServerPage *self, GadgetMcpServer *server)
{
  const GadgetMcpConfig *config = gadget_mcp_server_get_config (server);
  g_autofree char *command = gadget_mcp_labels_join_command ((const char *const *) config->command);

  self->id = g_strdup (config->id);
  adw_combo_row_set_selected (self->kind_row, config->url != NULL ? KIND_ADDRESS : KIND_PROGRAM);
  gadget_preferences_set_text (self->name_row, config->id);
  gadget_preferences_set_text (self->command_row, command);
  gadget_preferences_set_text (self->url_row, config->url);
  gadget_variable_group_load (self->variables, config);
  gadget_mcp_folders_load (GADGET_MCP_FOLDERS (self->folders),
                           (const char *const *) config->folders);
  adw_switch_row_set_active (self->network_row, config->network);
  adw_switch_row_set_active (self->unconfined_row, !config->confined);
  /* The name is fixed: it is part of the names of the tools, which permission rules are about. */
  gtk_editable_set_editable (GTK_EDITABLE (self->name_row), FALSE);
  gtk_button_set_label (GTK_BUTTON (self->save_button), _ ("_Save"));
  gtk_widget_set_visible (self->state_group, TRUE);
  gtk_widget_set_visible (self->remove_group, TRUE);
  set_server (self, server);
  g_signal_connect_object (self->servers, "items-changed", G_CALLBACK (servers_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

/**
 * gadget_mcp_server_page_new:
 * @id: (nullable): the server to change; %NULL to add one
 */
GtkWidget *
gadget_mcp_server_page_new (GadgetMcpList *servers, const char *id)
{
  GadgetMcpServerPage *self;
  GadgetMcpServer *server;

  g_return_val_if_fail (GADGET_IS_MCP_LIST (servers), NULL);

  server = id != NULL ? gadget_mcp_list_find (servers, id) : NULL;
  self = g_object_new (GADGET_TYPE_MCP_SERVER_PAGE, "title",
                       server != NULL ? id : _ ("Add Tool Server"), NULL);
  self->servers = g_object_ref (servers);
  if (server != NULL)
    load (self, server);
  kind_cb (self);
  self->filled = TRUE;
  return GTK_WIDGET (self);
}
