/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preferences dialog. Most pages are classes of their own; the providers, the keyring and the
 * sandbox are handled here. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-preferences.h"

#include "gadget-form-dialog.h"
#include "gadget-general-page.h"
#include "gadget-mcp-page.h"
#include "gadget-mcp-server-page.h"
#include "gadget-permissions-page.h"
#include "gadget-preferences-rows.h"
#include "gadget-provider-dialog.h"
#include "gadget-storage-page.h"
#include "gadget-tool-folders.h"
#include "secrets/gadget-secrets.h"
#include "ui/common/gadget-toast.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

struct _GadgetPreferences
{
  AdwPreferencesDialog parent_instance;

  GtkListBox *providers;
  AdwActionRow *keyring_row;
  AdwPreferencesGroup *sandbox_group;
  AdwActionRow *sandbox_row;
  AdwSwitchRow *unconfined_row;
  AdwExpanderRow *tools_row;
  AdwPreferencesPage *servers_page;

  GPtrArray *checks; /* of GtkCheckButton, unowned: one for each provider */
  GadgetEngine *engine;
};

G_DEFINE_FINAL_TYPE (GadgetPreferences, gadget_preferences, ADW_TYPE_PREFERENCES_DIALOG)

static void
show_toast (GadgetPreferences *self, const char *text)
{
  AdwToast *toast = gadget_toast_new (text);

  gadget_toast_announce (GTK_WIDGET (self), toast);
  adw_preferences_dialog_add_toast (ADW_PREFERENCES_DIALOG (self), toast);
}

/* --- Tool servers --- */

static void
server_done_cb (GtkWidget *page, gpointer user_data)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (page, ADW_TYPE_DIALOG);

  if (dialog != NULL)
    adw_dialog_force_close (ADW_DIALOG (dialog));
}

static void
open_server_cb (GadgetPreferences *self, const char *id)
{
  GtkWidget *page = gadget_mcp_server_page_new (gadget_engine_get_mcp (self->engine), id);

  g_signal_connect (page, "done", G_CALLBACK (server_done_cb), NULL);
  adw_dialog_present (ADW_DIALOG (gadget_form_dialog_new (ADW_NAVIGATION_PAGE (page))),
                      GTK_WIDGET (self));
}

/* --- Providers --- */

static void
change_cb (GadgetPreferences *self, GtkWidget *button)
{
  const char *id = g_object_get_data (G_OBJECT (button), "id");
  GadgetProviderConfig *config =
      gadget_provider_list_find (gadget_engine_get_providers (self->engine), id);

  if (config != NULL)
    gadget_provider_dialog_change (GTK_WIDGET (self), self->engine, config);
}

static void
added (GtkWidget *widget, const char *id)
{
  GadgetPreferences *self = GADGET_PREFERENCES (widget);
  GadgetProviderList *providers = gadget_engine_get_providers (self->engine);

  /* The first provider that is added becomes the default, instead of the Guide. */
  if (g_str_equal (gadget_provider_list_get_default_id (providers), GADGET_GUIDE_ID))
    gadget_provider_list_set_default (providers, id);
  if (!gadget_secrets_get_persistent (gadget_engine_get_secrets (self->engine)))
    show_toast (self, _ ("Keys are kept only until Gadget closes: no keyring can be reached."));
}

static void
add_cb (GadgetPreferences *self)
{
  gadget_provider_dialog_add (GTK_WIDGET (self), self->engine, added);
}

static void
default_toggled_cb (GtkCheckButton *check, GadgetPreferences *self)
{
  if (gtk_check_button_get_active (check))
    gadget_provider_list_set_default (gadget_engine_get_providers (self->engine),
                                      g_object_get_data (G_OBJECT (check), "id"));
}

static GtkWidget *
make_check (GadgetPreferences *self, GadgetProviderConfig *config)
{
  const char *id = gadget_provider_config_get_id (config);
  GadgetProviderList *providers = gadget_engine_get_providers (self->engine);
  GtkWidget *check = gtk_check_button_new ();
  g_autofree char *name =
      /* Translators: a check button's accessible name; a provider's name */
      g_strdup_printf (_ ("Use %s for new chats"), gadget_provider_config_get_name (config));

  if (self->checks->len > 0)
    gtk_check_button_set_group (GTK_CHECK_BUTTON (check), g_ptr_array_index (self->checks, 0));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                               g_strcmp0 (id, gadget_provider_list_get_default_id (providers))
                                   == 0);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (check, _ ("Use for new chats"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data_full (G_OBJECT (check), "id", g_strdup (id), g_free);
  g_signal_connect_object (check, "toggled", G_CALLBACK (default_toggled_cb), self,
                           G_CONNECT_DEFAULT);
  g_ptr_array_add (self->checks, check);
  return check;
}

/* @alone: the provider is the only one, so there is nothing to choose */
static void
add_provider (GadgetPreferences *self, GadgetProviderConfig *config, gboolean alone)
{
  gboolean guide =
      g_str_equal (gadget_provider_config_get_kind (config), GADGET_PROVIDER_KIND_GUIDE);
  GtkWidget *row =
      gadget_ui_row_new (gadget_provider_config_get_name (config),
                         guide ? _ ("Built in") : gadget_provider_config_get_base_url (config));

  if (!alone)
    adw_action_row_add_prefix (ADW_ACTION_ROW (row), make_check (self, config));
  if (!guide)
    {
      /* The row has a button of its own, because Tab would go from row to row only to the check
       * button that is active, past the others. */
      GtkWidget *button = gadget_preferences_add_change_button (
          ADW_ACTION_ROW (row), gadget_provider_config_get_name (config));

      g_object_set_data_full (G_OBJECT (button), "id",
                              g_strdup (gadget_provider_config_get_id (config)), g_free);
      g_signal_connect_object (button, "clicked", G_CALLBACK (change_cb), self, G_CONNECT_SWAPPED);
    }
  gtk_list_box_append (self->providers, row);
}

static void
update_default (GadgetPreferences *self)
{
  const char *id = gadget_provider_list_get_default_id (gadget_engine_get_providers (self->engine));

  for (guint i = 0; i < self->checks->len; i++)
    if (g_strcmp0 (g_object_get_data (g_ptr_array_index (self->checks, i), "id"), id) == 0)
      gtk_check_button_set_active (g_ptr_array_index (self->checks, i), TRUE);
}

static void
fill (GadgetPreferences *self)
{
  GListModel *providers = G_LIST_MODEL (gadget_engine_get_providers (self->engine));
  const guint n = g_list_model_get_n_items (providers);
  GtkWidget *add = gadget_preferences_add_row (_ ("Add Provider…"));

  g_ptr_array_set_size (self->checks, 0);
  gtk_list_box_remove_all (self->providers);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetProviderConfig) config = g_list_model_get_item (providers, i);

      add_provider (self, config, n == 1);
    }
  g_signal_connect_object (add, "activated", G_CALLBACK (add_cb), self, G_CONNECT_SWAPPED);
  gtk_list_box_append (self->providers, add);
}

static void
update_keyring (GadgetPreferences *self)
{
  gboolean persistent = gadget_secrets_get_persistent (gadget_engine_get_secrets (self->engine));

  adw_action_row_set_subtitle (
      self->keyring_row, persistent
                             ? _ ("Kept in the keyring, and nowhere else")
                             : _ ("Kept only until Gadget closes: no keyring can be reached"));
}

static void
probed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  gadget_secrets_free_key (gadget_secrets_lookup_finish (GADGET_SECRETS (object), result, NULL));
}

/* Looks up any secret, because only that tells whether there is a keyring. The Guide has no key. */
static void
probe_keyring (GadgetPreferences *self)
{
  gadget_secrets_lookup_async (gadget_engine_get_secrets (self->engine), GADGET_GUIDE_ID, NULL,
                               NULL, probed_cb, NULL);
}

static void
unconfined_cb (GadgetPreferences *self)
{
  gadget_commands_set_unconfined (gadget_engine_get_commands (self->engine),
                                  adw_switch_row_get_active (self->unconfined_row));
}

/* Returns the limits of commands, for people. (transfer full) */
static char *
describe_limits (GadgetCommands *commands)
{
  const guint64 max_memory = gadget_commands_get_max_memory (commands);
  const guint max_tasks = gadget_commands_get_max_tasks (commands);
  g_autofree char *memory = g_format_size (max_memory);

  if (max_memory > 0)
    /* Translators: limits of one command; %s is a size, %'u a number of processes */
    return g_strdup_printf (_ ("Each can have %s of memory and %'u processes, and other programs "
                               "come first."),
                            memory, max_tasks);
  if (max_tasks > 0)
    return g_strdup_printf (_ ("At most %'u processes each. Memory is not limited here."),
                            max_tasks);
  return g_strdup (_ ("Their memory and their number are not limited in Flatpak's sandbox."));
}

static void
update_sandbox (GadgetPreferences *self)
{
  GadgetCommands *commands = gadget_engine_get_commands (self->engine);
  const char *reason = gadget_commands_get_reason (commands);
  g_autofree char *text = NULL;

  if (reason != NULL && gadget_commands_get_offered (commands))
    {
      /* Translators: commands run without a sandbox; %s says why there is none */
      text = g_strdup_printf (_ ("Run without a sandbox: %s"), reason);
    }
  else if (reason != NULL)
    {
      text = g_strdup_printf (_ ("Not offered: %s"), reason);
    }
  else
    {
      g_autofree char *limits = describe_limits (commands);

      text =
          g_strconcat (_ ("Run in a sandbox where only the chosen folder can be written, without "
                          "network unless you allow it."),
                       "\n", limits, NULL);
    }
  adw_action_row_set_subtitle (self->sandbox_row, text);
  gtk_widget_set_visible (GTK_WIDGET (self->unconfined_row), reason != NULL);
  adw_switch_row_set_active (self->unconfined_row, gadget_commands_get_unconfined (commands));
  gtk_widget_set_visible (GTK_WIDGET (self->tools_row),
                          gadget_commands_get_tools (commands) != NULL);
}

static void
gadget_preferences_dispose (GObject *object)
{
  GadgetPreferences *self = GADGET_PREFERENCES (object);

  g_clear_object (&self->engine);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_PREFERENCES);

  G_OBJECT_CLASS (gadget_preferences_parent_class)->dispose (object);
}

static void
gadget_preferences_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_PREFERENCES (object)->checks);

  G_OBJECT_CLASS (gadget_preferences_parent_class)->finalize (object);
}

static void
gadget_preferences_class_init (GadgetPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_preferences_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_preferences_finalize;

  g_type_ensure (GADGET_TYPE_GENERAL_PAGE);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetPreferences, providers);
  gtk_widget_class_bind_template_child (widget_class, GadgetPreferences, keyring_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetPreferences, sandbox_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetPreferences, sandbox_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetPreferences, unconfined_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetPreferences, tools_row);
}

static void
gadget_preferences_init (GadgetPreferences *self)
{
  self->checks = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
gadget_preferences_new (GadgetEngine *engine)
{
  GadgetPreferences *self;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), NULL);

  self = g_object_new (GADGET_TYPE_PREFERENCES, NULL);
  self->engine = g_object_ref (engine);
  g_signal_connect_object (gadget_engine_get_providers (engine), "items-changed", G_CALLBACK (fill),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_providers (engine), "notify::default-id",
                           G_CALLBACK (update_default), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_secrets (engine), "notify::persistent",
                           G_CALLBACK (update_keyring), self, G_CONNECT_SWAPPED);
  fill (self);
  update_keyring (self);
  probe_keyring (self);
  update_sandbox (self);
  gadget_tool_folders_show (self->tools_row, gadget_engine_get_commands (engine));
  g_signal_connect_object (self->unconfined_row, "notify::active", G_CALLBACK (unconfined_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_commands (engine), "changed",
                           G_CALLBACK (update_sandbox), self, G_CONNECT_SWAPPED);
  self->servers_page = gadget_mcp_page_new (gadget_engine_get_mcp (engine));
  g_signal_connect_object (self->servers_page, "open", G_CALLBACK (open_server_cb), self,
                           G_CONNECT_SWAPPED);
  adw_preferences_page_add (self->servers_page, self->sandbox_group);
  adw_preferences_dialog_add (ADW_PREFERENCES_DIALOG (self), self->servers_page);
  adw_preferences_dialog_add (ADW_PREFERENCES_DIALOG (self), gadget_permissions_page_new (engine));
  adw_preferences_dialog_add (ADW_PREFERENCES_DIALOG (self), gadget_storage_page_new (engine));
  return GTK_WIDGET (self);
}
