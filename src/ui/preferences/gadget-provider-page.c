/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page for one provider. Testing asks the server for its models with the values of the form,
 * which reach the list of providers only when they are saved. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-provider-page.h"

#include "gadget-mcp-variables.h"
#include "gadget-preferences-rows.h"
#include "providers/gadget-provider-kinds.h"
#include "secrets/gadget-secret-values.h"
#include "secrets/gadget-secrets.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

struct _GadgetProviderPage
{
  AdwNavigationPage parent_instance;

  AdwPreferencesGroup *about_group;
  AdwComboRow *kind_row;
  AdwEntryRow *name_row;
  AdwEntryRow *url_row;
  AdwEntryRow *key_row;
  AdwEntryRow *model_row;
  GtkMenuButton *models_button;
  AdwActionRow *test_row;
  GtkWidget *test_mark; /* (nullable) */
  GtkWidget *test_button;
  GtkWidget *save_button;
  GadgetMcpVariables *headers;
  GtkWidget *remove_group;

  GadgetEngine *engine;
  GadgetProviderList *providers;
  GadgetProviderConfig *config; /* (nullable): the provider to change; NULL for a new one */
  GadgetProviderConfig *saved;  /* (nullable): the configuration of the last try to save */
  char *secret_headers;         /* (nullable): the secret headers that belong to it, for the
                                 * keyring */
  guint kind;                   /* index of the kind in gadget-provider-kinds.h */
  guint serial;                 /* increased by each change: answers to a test of older values are
                                 * dropped */
  GCancellable *test;           /* (nullable): cancels the test that goes on */
  gboolean filled;              /* the first values are set; changes from now on are the user's */
  gboolean dirty;
};

enum
{
  PROP_DIRTY = 1,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetProviderPage, gadget_provider_page, ADW_TYPE_NAVIGATION_PAGE)

static void
set_dirty (GadgetProviderPage *self, gboolean dirty)
{
  if (self->dirty == dirty)
    return;
  self->dirty = dirty;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DIRTY]);
}

/* Returns why the headers cannot be used, for people; NULL when they can. (transfer full)
 * (nullable) */
static char *
find_bad_header (const GadgetProviderHeaders *headers)
{
  g_autofree char *secret = gadget_secret_values_find (headers->plain, ':');
  g_autoptr (GError) error = NULL;

  if (secret != NULL)
    /* Translators: the name of a header */
    return g_strdup_printf (
        _ ("“%s” looks like a secret. Remove it, and add it again as a secret."), secret);
  return gadget_provider_headers_check (headers, &error)
             ? NULL
             : g_strdup (gadget_error_labels_get_reason (error));
}

/* Makes a configuration from the form. @secret_headers: (out): values for the keyring, see
 * gadget_mcp_variables_store_headers (). @why: (out): the reason when NULL is returned */
static GadgetProviderConfig *
make_config (GadgetProviderPage *self, char **secret_headers, char **why)
{
  const char *kind = gadget_provider_kinds_get (self->kind)->id;
  g_autofree char *name = gadget_preferences_dup_text (self->name_row);
  g_autofree char *url = gadget_preferences_dup_text (self->url_row);
  g_autofree char *model = gadget_preferences_dup_text (self->model_row);
  g_autofree char *id = self->config != NULL
                            ? g_strdup (gadget_provider_config_get_id (self->config))
                            : gadget_labels_make_id (self->providers, name);

  g_autoptr (GadgetProviderHeaders) headers = NULL;
  GadgetProviderConfig *config;

  gtk_widget_remove_css_class (GTK_WIDGET (self->url_row), "error");
  if (!gadget_provider_config_check (id, kind, url, NULL))
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->url_row), "error");
      *why = g_strdup (_ ("The address must begin with http:// or https:// and name a server."));
      return NULL;
    }
  *secret_headers = gadget_mcp_variables_store_headers (self->headers, &headers);
  if (headers != NULL && (*why = find_bad_header (headers)) != NULL)
    return NULL;
  config = gadget_provider_config_new (id, *name != '\0' ? name : id, kind, url,
                                       *model != '\0' ? model : NULL);
  gadget_provider_config_take_headers (config, g_steal_pointer (&headers));
  return config;
}

/* --- The test ----------------------------------------------------------------------------------
 */

static void
show_result (GadgetProviderPage *self, GtkWidget *mark, const char *text)
{
  /* Removed, because an empty prefix would indent the row. */
  if (self->test_mark != NULL)
    adw_action_row_remove (self->test_row, self->test_mark);
  self->test_mark = mark;
  if (mark != NULL)
    adw_action_row_add_prefix (self->test_row, mark);
  adw_action_row_set_subtitle (self->test_row, text);
  if (text == NULL)
    return;
  gadget_announce (GTK_WIDGET (self->test_row), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  /* The Save button is above the page, which may be scrolled anywhere. */
  gadget_preferences_reveal (GTK_WIDGET (self->test_row));
}

static void
model_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetProviderPage *self = GADGET_PROVIDER_PAGE (widget);

  gtk_editable_set_text (GTK_EDITABLE (self->model_row), g_variant_get_string (parameter, NULL));
}

static void
offer_models (GadgetProviderPage *self, GPtrArray *models)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < models->len; i++)
    {
      const char *model = gadget_model_get_name (g_ptr_array_index (models, i));
      g_autoptr (GMenuItem) item = g_menu_item_new (model, NULL);

      g_menu_item_set_action_and_target (item, "provider.model", "s", model);
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (self->models_button, G_MENU_MODEL (menu));
  gtk_widget_set_visible (GTK_WIDGET (self->models_button), models->len > 0);
}

/* The data of a test. */
typedef struct
{
  GWeakRef page;
  guint serial;
  GadgetProviderConfig *config;
} Test;

static Test *
test_new (GadgetProviderPage *self, GadgetProviderConfig *config)
{
  Test *test = g_new0 (Test, 1);

  g_weak_ref_init (&test->page, self);
  test->serial = self->serial;
  test->config = g_object_ref (config);
  return test;
}

static void
test_free (Test *test)
{
  g_weak_ref_clear (&test->page);
  g_object_unref (test->config);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Test, test_free)

/* Returns the page, if it still waits for this answer. (transfer full) (nullable) */
static GadgetProviderPage *
test_dup_page (Test *test)
{
  g_autoptr (GadgetProviderPage) page = g_weak_ref_get (&test->page);

  return page != NULL && page->serial == test->serial ? g_steal_pointer (&page) : NULL;
}

/* Returns whether there was a test to stop. */
static gboolean
stop_test (GadgetProviderPage *self)
{
  const gboolean any = self->test != NULL;

  self->serial++;
  if (any)
    g_cancellable_cancel (self->test);
  g_clear_object (&self->test);
  return any;
}

/* A handler of "abort-all". Returns whether there was a test to stop. */
static gboolean
abort_all_cb (GadgetProviderPage *self)
{
  if (!stop_test (self))
    return FALSE;
  gtk_widget_set_sensitive (self->test_button, TRUE);
  show_result (self, gadget_preferences_mark ("dialog-warning-symbolic", "warning"),
               _ ("It was stopped."));
  return TRUE;
}

static void
report_failure (GadgetProviderPage *self, GadgetProviderConfig *config, const GError *error)
{
  g_autofree char *text = gadget_labels_error (error, gadget_provider_config_get_name (config));

  show_result (self, gadget_preferences_mark ("dialog-error-symbolic", "error"), text);
}

static void
models_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Test) test = user_data;
  g_autoptr (GadgetProviderPage) self = test_dup_page (test);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) models =
      gadget_provider_list_models_finish (GADGET_PROVIDER (object), result, &error);

  if (self == NULL)
    return;
  g_clear_object (&self->test);
  gtk_widget_set_sensitive (self->test_button, TRUE);
  if (models == NULL)
    {
      report_failure (self, test->config, error);
      return;
    }
  text = g_strdup_printf (
      ngettext ("Connected · %u model available", "Connected · %u models available", models->len),
      models->len);
  show_result (self, gadget_preferences_mark ("object-select-symbolic", "success"), text);
  offer_models (self, models);
  if (models->len > 0 && *gtk_editable_get_text (GTK_EDITABLE (self->model_row)) == '\0')
    {
      guint serial = self->serial;

      gtk_editable_set_text (GTK_EDITABLE (self->model_row),
                             gadget_model_get_name (g_ptr_array_index (models, 0)));
      self->serial = serial;
      show_result (self, gadget_preferences_mark ("object-select-symbolic", "success"), text);
    }
}

static void
made_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Test) test = user_data;
  g_autoptr (GadgetProviderPage) self = test_dup_page (test);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProvider) provider =
      gadget_provider_list_make_finish (GADGET_PROVIDER_LIST (object), result, &error);

  if (self == NULL)
    return;
  if (provider == NULL)
    {
      g_clear_object (&self->test);
      gtk_widget_set_sensitive (self->test_button, TRUE);
      report_failure (self, test->config, error);
      return;
    }
  gadget_provider_list_models_async (provider, self->test, models_cb, g_steal_pointer (&test));
}

static void
test_cb (GadgetProviderPage *self)
{
  const char *key = gtk_editable_get_text (GTK_EDITABLE (self->key_row));
  char *secret_headers = NULL;
  g_autofree char *why = NULL;
  g_autoptr (GadgetProviderConfig) config = make_config (self, &secret_headers, &why);

  if (config == NULL)
    {
      show_result (self, gadget_preferences_mark ("dialog-error-symbolic", "error"), why);
    }
  else
    {
      stop_test (self);
      self->test = g_cancellable_new ();
      gtk_widget_set_sensitive (self->test_button, FALSE);
      show_result (self, adw_spinner_new (), _ ("Asking the server…"));
      gadget_provider_list_make_async (self->providers, config, *key != '\0' ? key : NULL,
                                       secret_headers, self->test, made_cb,
                                       test_new (self, config));
    }
  gadget_secrets_free_key (secret_headers);
}

/* --- The kind ----------------------------------------------------------------------------------
 */

static void
update_key_row (GadgetProviderPage *self, const char *url)
{
  const gboolean optional = gadget_provider_kinds_get (self->kind)->key != GADGET_KEY_NEEDED;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->key_row),
                                 self->config != NULL ? _ ("New API Key")
                                 : optional           ? _ ("API Key (Optional)")
                                                      : _ ("API Key"));
  gtk_widget_set_visible (GTK_WIDGET (self->key_row),
                          gadget_provider_kinds_has_key (self->kind, url));
}

static void
changed_cb (GadgetProviderPage *self)
{
  g_autofree char *url = NULL;

  if (self->engine == NULL)
    return;
  url = gadget_preferences_dup_text (self->url_row);
  stop_test (self);
  show_result (self, NULL, NULL);
  update_key_row (self, url);
  gtk_widget_set_sensitive (self->save_button, *url != '\0');
  gtk_widget_set_sensitive (self->test_button, *url != '\0');
  set_dirty (self, self->filled);
}

/* Replaces the text of @row if it is empty or was filled in for the kind before, but not what the
 * user typed. */
static void
prefill (AdwEntryRow *row, const char *before, const char *now)
{
  g_autofree char *text = gadget_preferences_dup_text (row);

  if (*text == '\0' || g_str_equal (text, before))
    gtk_editable_set_text (GTK_EDITABLE (row), now);
}

static void
show_kind (GadgetProviderPage *self)
{
  adw_preferences_group_set_description (self->about_group,
                                         _ (gadget_provider_kinds_get (self->kind)->about));
}

static void
kind_cb (GadgetProviderPage *self)
{
  const guint before = self->kind;

  if (self->engine == NULL || adw_combo_row_get_selected (self->kind_row) == before)
    return;
  self->kind = adw_combo_row_get_selected (self->kind_row);
  show_kind (self);
  prefill (self->name_row, gadget_provider_kinds_get (before)->name,
           gadget_provider_kinds_get (self->kind)->name);
  prefill (self->url_row, gadget_provider_kinds_get_url (before),
           gadget_provider_kinds_get_url (self->kind));
  /* The menu has models of another server. */
  gtk_widget_set_visible (GTK_WIDGET (self->models_button), FALSE);
  changed_cb (self);
}

static void
fill_kinds (GadgetProviderPage *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  const guint n = gadget_provider_kinds_get_n ();

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (titles, _ (gadget_provider_kinds_get (i)->title));
  adw_combo_row_set_model (self->kind_row, G_LIST_MODEL (titles));
  adw_combo_row_set_selected (self->kind_row, self->kind);
  show_kind (self);
}

/* --- Saving ------------------------------------------------------------------------------------
 */

/* Shows that saving or removing failed, and why; report_failure () is for answers of a server. */
static void
show_failure (GadgetProviderPage *self, const char *what, const GError *error)
{
  g_autofree char *text = gadget_error_labels_dup (what, error);

  show_result (self, gadget_preferences_mark ("dialog-error-symbolic", "error"), text);
}

static void
saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetProviderPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_provider_list_add_finish (GADGET_PROVIDER_LIST (object), result, &error))
    {
      g_signal_emit (self, signals[DONE], 0, gadget_provider_config_get_id (self->saved));
      return;
    }
  gtk_widget_set_sensitive (self->save_button, TRUE);
  show_failure (self, _ ("The provider could not be saved."), error);
}

static void
save (GtkWidget *page)
{
  GadgetProviderPage *self = GADGET_PROVIDER_PAGE (page);
  const char *key = gtk_editable_get_text (GTK_EDITABLE (self->key_row));

  gtk_widget_set_sensitive (self->save_button, FALSE);
  gadget_provider_list_add_async (self->providers, self->saved, *key != '\0' ? key : NULL,
                                  self->secret_headers, saved_cb, g_object_ref (self));
}

static gboolean
lacks_key (GadgetProviderPage *self, GadgetProviderConfig *config)
{
  if (self->config == NULL || *gtk_editable_get_text (GTK_EDITABLE (self->key_row)) != '\0')
    return FALSE;
  gadget_provider_config_set_key_origin (config,
                                         gadget_provider_config_get_key_origin (self->config));
  return gadget_provider_config_has_foreign_key (config)
         && gadget_provider_config_is_public (config);
}

static void
save_cb (GadgetProviderPage *self)
{
  char *secret_headers = NULL;
  g_autofree char *why = NULL;
  g_autoptr (GadgetProviderConfig) config = make_config (self, &secret_headers, &why);

  g_clear_pointer (&self->secret_headers, gadget_secrets_free_key);
  self->secret_headers = secret_headers;
  if (config == NULL)
    {
      show_result (self, gadget_preferences_mark ("dialog-error-symbolic", "error"), why);
      return;
    }
  g_set_object (&self->saved, config);
  if (lacks_key (self, config))
    {
      gtk_widget_grab_focus (GTK_WIDGET (self->key_row));
      show_result (self, gadget_preferences_mark ("dialog-warning-symbolic", "warning"),
                   _ ("The key was entered for another address. Enter it again for this one."));
    }
  else if (gadget_provider_config_is_exposed (config))
    gadget_preferences_confirm_exposed (GTK_WIDGET (self), save);
  else
    save (GTK_WIDGET (self));
}

static void
removed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetProviderPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_provider_list_remove_finish (GADGET_PROVIDER_LIST (object), result, &error))
    g_signal_emit (self, signals[DONE], 0, NULL);
  else
    show_failure (self, _ ("The provider could not be removed."), error);
}

static void
remove_provider (GtkWidget *page)
{
  GadgetProviderPage *self = GADGET_PROVIDER_PAGE (page);

  gadget_provider_list_remove_async (self->providers, gadget_provider_config_get_id (self->config),
                                     removed_cb, g_object_ref (self));
}

static void
remove_cb (GadgetProviderPage *self)
{
  gadget_preferences_confirm (
      GTK_WIDGET (self), _ ("Remove This Provider?"),
      _ ("Its key is removed as well. The chats stay, and can go on with another model."),
      _ ("_Remove"), remove_provider);
}

/* --- Overrides ---------------------------------------------------------------------------------
 */

static void
gadget_provider_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_DIRTY:
      g_value_set_boolean (value, GADGET_PROVIDER_PAGE (object)->dirty);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_provider_page_dispose (GObject *object)
{
  GadgetProviderPage *self = GADGET_PROVIDER_PAGE (object);

  stop_test (self);
  g_clear_object (&self->engine);
  g_clear_object (&self->providers);
  g_clear_object (&self->config);
  g_clear_object (&self->saved);
  g_clear_pointer (&self->secret_headers, gadget_secrets_free_key);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_PROVIDER_PAGE);

  G_OBJECT_CLASS (gadget_provider_page_parent_class)->dispose (object);
}

static void
gadget_provider_page_class_init (GadgetProviderPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_provider_page_dispose;
  G_OBJECT_CLASS (klass)->get_property = gadget_provider_page_get_property;

  /**
   * GadgetProviderPage:dirty:
   *
   * Whether the user changed something that is not saved.
   */
  props[PROP_DIRTY] =
      g_param_spec_boolean ("dirty", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);

  signals[DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_install_action (widget_class, "provider.model", "s", model_action);

  g_type_ensure (GADGET_TYPE_MCP_VARIABLES);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-provider-page.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, about_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, kind_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, name_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, url_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, key_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, model_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, models_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, test_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, test_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, save_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, headers);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, remove_group);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, kind_cb);
  gtk_widget_class_bind_template_callback (widget_class, test_cb);
  gtk_widget_class_bind_template_callback (widget_class, save_cb);
  gtk_widget_class_bind_template_callback (widget_class, remove_cb);
}

static void
gadget_provider_page_init (GadgetProviderPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gadget_mcp_variables_set_provider (self->headers);
}

/**
 * gadget_provider_page_new:
 * @config: (nullable): the provider to change; %NULL to add one
 */
GtkWidget *
gadget_provider_page_new (GadgetEngine *engine, GadgetProviderConfig *config)
{
  GadgetProviderPage *self;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), NULL);

  self = g_object_new (
      GADGET_TYPE_PROVIDER_PAGE, "title",
      config != NULL ? gadget_provider_config_get_name (config) : _ ("Add Provider"), NULL);
  self->providers = g_object_ref (gadget_engine_get_providers (engine));
  g_set_object (&self->config, config);
  if (config != NULL)
    {
      gadget_preferences_set_text (self->name_row, gadget_provider_config_get_name (config));
      gadget_preferences_set_text (self->url_row, gadget_provider_config_get_base_url (config));
      gadget_preferences_set_text (self->model_row, gadget_provider_config_get_model (config));
      if (gadget_provider_config_get_headers (config) != NULL)
        gadget_mcp_variables_load_headers (self->headers,
                                           gadget_provider_config_get_headers (config));
      gtk_button_set_label (GTK_BUTTON (self->save_button), _ ("_Save"));
      gtk_widget_set_visible (self->remove_group, TRUE);
    }
  if (config != NULL)
    self->kind = gadget_provider_kinds_find (gadget_provider_config_get_kind (config));
  fill_kinds (self);
  self->engine = g_object_ref (engine);
  g_signal_connect_object (gadget_agent_get_registry (gadget_engine_get_agent (engine)),
                           "abort-all", G_CALLBACK (abort_all_cb), self, G_CONNECT_SWAPPED);
  changed_cb (self);
  self->filled = TRUE;
  return GTK_WIDGET (self);
}
