/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page for one provider. Testing asks the server for its models with the values of the form,
 * which reach the list of providers only when they are saved. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-provider-page.h"

#include "gadget-preferences-rows.h"
#include "gadget-variable-group.h"
#include "providers/gadget-provider-kinds.h"
#include "secrets/gadget-secret-values.h"
#include "secrets/gadget-secrets.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-immediate-button.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-menu.h"

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
  GtkWidget *test_icon; /* (nullable) */
  GtkWidget *test_button;
  GtkWidget *save_button;
  GtkWidget *form;
  GadgetVariableGroup *headers;
  GtkWidget *remove_group;

  GadgetProviderList *providers;
  GadgetProviderConfig *config; /* (nullable): the provider to change; NULL for a new one */
  guint kind;                   /* index of the kind in gadget-provider-kinds.h */
  GCancellable *cancellable;    /* (nullable): cancels the test that goes on */
  gboolean filled;              /* the first values are set; changes from now on are the user's */
  gboolean dirty;               /* the user changed something that is not saved */
  gboolean busy;                /* the provider is being saved or removed */
};

enum
{
  PROP_DIRTY = 1,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  REMOVED,
  SAVED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetProviderPage, gadget_provider_page, ADW_TYPE_NAVIGATION_PAGE)

/* Notes a change by the user. The rows of the name and the model call nothing else, because what
 * they say is not tested. */
static void
set_dirty (GadgetProviderPage *self)
{
  if (self->dirty || self->busy || !self->filled)
    return;
  self->dirty = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DIRTY]);
}

/* Returns the key that the user entered. NULL when there is none, also while its row is hidden: the
 * key was entered for another type, and the server that is chosen now must not get it. (transfer
 * none) (nullable) */
static const char *
get_key (GadgetProviderPage *self)
{
  const char *key = gtk_editable_get_text (GTK_EDITABLE (self->key_row));

  return gtk_widget_get_visible (GTK_WIDGET (self->key_row)) && *key != '\0' ? key : NULL;
}

static void
show_result (GadgetProviderPage *self, GtkWidget *icon, const char *text)
{
  /* Removed, because an empty prefix would indent the row. */
  if (self->test_icon != NULL)
    adw_action_row_remove (self->test_row, self->test_icon);
  self->test_icon = icon;
  if (icon != NULL)
    adw_action_row_add_prefix (self->test_row, icon);
  adw_action_row_set_subtitle (self->test_row, text);
  if (text == NULL)
    return;
  gadget_announce (GTK_WIDGET (self->test_row), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  /* The Save button is above the page, which may be scrolled anywhere. */
  gadget_preferences_reveal (GTK_WIDGET (self->test_row));
}

static void
show_error (GadgetProviderPage *self, const char *text)
{
  show_result (self, gadget_preferences_mark ("dialog-error-symbolic", "error"), text);
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

/* Makes a configuration from the form. Returns NULL after showing why there is none. (transfer
 * full) (nullable). @secret_headers: (out): values for the keyring, see
 * gadget_variable_group_store_headers () */
static GadgetProviderConfig *
make_config (GadgetProviderPage *self, char **secret_headers)
{
  const char *kind = gadget_provider_kinds_get (self->kind)->id;
  g_autofree char *name = gadget_preferences_dup_text (self->name_row);
  g_autofree char *url = gadget_preferences_dup_text (self->url_row);
  g_autofree char *model = gadget_preferences_dup_text (self->model_row);
  g_autofree char *id = self->config != NULL
                            ? g_strdup (gadget_provider_config_get_id (self->config))
                            : gadget_labels_make_id (self->providers, name);
  g_autofree char *reason = NULL;
  g_autoptr (GadgetProviderHeaders) headers = NULL;
  GadgetProviderConfig *config;

  gtk_widget_remove_css_class (GTK_WIDGET (self->url_row), "error");
  if (!gadget_provider_config_check (id, kind, url, NULL))
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->url_row), "error");
      show_error (self, _ ("The address must begin with http:// or https:// and name a server."));
      return NULL;
    }
  *secret_headers = gadget_variable_group_store_headers (self->headers, &headers);
  reason = headers != NULL ? find_bad_header (headers) : NULL;
  if (reason != NULL)
    {
      show_error (self, reason);
      return NULL;
    }
  config = gadget_provider_config_new (id, *name != '\0' ? name : id, kind, url,
                                       *model != '\0' ? model : NULL);
  gadget_provider_config_take_headers (config, g_steal_pointer (&headers));
  return config;
}

/* --- The test --- */

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

      gadget_menu_append_name (menu, model, "provider.model", g_variant_new_string (model));
    }
  gtk_menu_button_set_menu_model (self->models_button, G_MENU_MODEL (menu));
  gtk_widget_set_visible (GTK_WIDGET (self->models_button), models->len > 0);
}

/* The data of a test. */
typedef struct
{
  GWeakRef page;
  GCancellable *cancellable;
  GadgetProviderConfig *config;
} Test;

static Test *
test_new (GadgetProviderPage *self, GadgetProviderConfig *config)
{
  Test *test = g_new0 (Test, 1);

  g_weak_ref_init (&test->page, self);
  test->cancellable = g_object_ref (self->cancellable);
  test->config = g_object_ref (config);
  return test;
}

static void
test_free (Test *test)
{
  g_weak_ref_clear (&test->page);
  g_object_unref (test->cancellable);
  g_object_unref (test->config);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Test, test_free)

/* Returns the page, if it still waits for this answer. (transfer full) (nullable) */
static GadgetProviderPage *
test_dup_page (Test *test)
{
  g_autoptr (GadgetProviderPage) page = g_weak_ref_get (&test->page);

  return page != NULL && page->cancellable == test->cancellable ? g_steal_pointer (&page) : NULL;
}

/* The label names the action of the moment; the button keeps the focus that it has. */
static void
update_test_button (GadgetProviderPage *self)
{
  gtk_button_set_label (GTK_BUTTON (self->test_button),
                        self->cancellable != NULL ? _ ("Stop") : _ ("Test"));
}

/* Returns whether there was a test to stop. */
static gboolean
stop_test (GadgetProviderPage *self)
{
  if (self->cancellable == NULL)
    return FALSE;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  update_test_button (self);
  return TRUE;
}

/* A handler of "abort-all". Returns whether there was a test to stop. */
static gboolean
abort_all_cb (GadgetProviderPage *self)
{
  if (!stop_test (self))
    return FALSE;
  show_result (self, gadget_preferences_mark ("dialog-warning-symbolic", "warning"),
               _ ("It was stopped."));
  return TRUE;
}

static void
show_server_error (GadgetProviderPage *self, GadgetProviderConfig *config, const GError *error)
{
  g_autofree char *text = gadget_labels_error (error, gadget_provider_config_get_name (config));

  show_error (self, text);
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
  g_clear_object (&self->cancellable);
  update_test_button (self);
  if (models == NULL)
    {
      show_server_error (self, test->config, error);
      return;
    }
  text = g_strdup_printf (
      ngettext ("Connected · %u model available", "Connected · %u models available", models->len),
      models->len);
  show_result (self, gadget_preferences_mark ("object-select-symbolic", "success"), text);
  offer_models (self, models);
  if (models->len > 0 && *gtk_editable_get_text (GTK_EDITABLE (self->model_row)) == '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->model_row),
                           gadget_model_get_name (g_ptr_array_index (models, 0)));
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
      g_clear_object (&self->cancellable);
      update_test_button (self);
      show_server_error (self, test->config, error);
      return;
    }
  gadget_provider_list_models_async (provider, self->cancellable, models_cb,
                                     g_steal_pointer (&test));
}

static void
start_test (GadgetProviderPage *self)
{
  char *secret_headers = NULL;
  g_autoptr (GadgetProviderConfig) config = make_config (self, &secret_headers);

  if (config != NULL)
    {
      self->cancellable = g_cancellable_new ();
      update_test_button (self);
      show_result (self, adw_spinner_new (), _ ("Asking the server…"));
      gadget_provider_list_make_async (self->providers, config, get_key (self), secret_headers,
                                       self->cancellable, made_cb, test_new (self, config));
    }
  gadget_secrets_free_key (secret_headers);
}

/* Starts a test, or stops the one that goes on. */
static void
test_cb (GadgetProviderPage *self)
{
  if (!abort_all_cb (self))
    start_test (self);
}

/* --- Changes --- */

static void
update (GadgetProviderPage *self)
{
  const gboolean optional = gadget_provider_kinds_get (self->kind)->key != GADGET_KEY_NEEDED;
  g_autofree char *url = gadget_preferences_dup_text (self->url_row);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->key_row),
                                 self->config != NULL ? _ ("New API Key")
                                 : optional           ? _ ("API Key (Optional)")
                                                      : _ ("API Key"));
  gtk_widget_set_visible (GTK_WIDGET (self->key_row),
                          gadget_provider_kinds_has_key (self->kind, url));
  gadget_preferences_set_sensitive (self->form, !self->busy);
  gtk_widget_set_sensitive (self->save_button, !self->busy && *url != '\0');
  gtk_widget_set_sensitive (self->test_button, *url != '\0');
}

/* Saving and removing begin or, when they failed, end. */
static void
set_busy (GadgetProviderPage *self, gboolean busy)
{
  stop_test (self);
  show_result (self, NULL, NULL);
  self->busy = busy;
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DIRTY]);
}

static void
changed_cb (GadgetProviderPage *self)
{
  if (!self->filled)
    return;
  stop_test (self);
  show_result (self, NULL, NULL);
  update (self);
  set_dirty (self);
}

static void
server_changed_cb (GadgetProviderPage *self)
{
  /* The menu has models of another server. */
  gtk_widget_set_visible (GTK_WIDGET (self->models_button), FALSE);
  changed_cb (self);
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

  if (!self->filled || adw_combo_row_get_selected (self->kind_row) == before)
    return;
  self->kind = adw_combo_row_get_selected (self->kind_row);
  show_kind (self);
  prefill (self->name_row, gadget_provider_kinds_get (before)->name,
           gadget_provider_kinds_get (self->kind)->name);
  prefill (self->url_row, gadget_provider_kinds_get_url (before),
           gadget_provider_kinds_get_url (self->kind));
  server_changed_cb (self);
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

/* --- Saving and removing --- */

/* The data of saving. */
typedef struct
{
  GadgetProviderPage *page;
  GadgetProviderConfig *config;
} Saving;

/* Shows that saving or removing failed, and why. */
static void
show_save_error (GadgetProviderPage *self, const char *what, const GError *error)
{
  g_autofree char *text = gadget_error_labels_dup (what, error);

  set_busy (self, FALSE);
  show_error (self, text);
}

static void
saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autofree Saving *saving = user_data;
  g_autoptr (GadgetProviderPage) self = saving->page;
  g_autoptr (GadgetProviderConfig) config = saving->config;
  g_autoptr (GError) error = NULL;

  if (gadget_provider_list_add_finish (GADGET_PROVIDER_LIST (object), result, &error))
    g_signal_emit (self, signals[SAVED], 0, gadget_provider_config_get_id (config));
  else
    {
      show_save_error (self, _ ("The provider could not be saved."), error);
      gtk_widget_grab_focus (self->save_button);
    }
}

static void
save (GtkWidget *page)
{
  GadgetProviderPage *self = GADGET_PROVIDER_PAGE (page);
  char *secret_headers = NULL;
  g_autoptr (GadgetProviderConfig) config = make_config (self, &secret_headers);
  Saving *saving;

  if (config != NULL)
    {
      saving = g_new0 (Saving, 1);
      saving->page = g_object_ref (self);
      saving->config = g_object_ref (config);
      set_busy (self, TRUE);
      gadget_provider_list_add_async (self->providers, config, get_key (self), secret_headers, NULL,
                                      saved_cb, saving);
    }
  gadget_secrets_free_key (secret_headers);
}

static gboolean
lacks_key (GadgetProviderPage *self, GadgetProviderConfig *config)
{
  if (self->config == NULL || get_key (self) != NULL)
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
  g_autoptr (GadgetProviderConfig) config = make_config (self, &secret_headers);

  gadget_secrets_free_key (secret_headers);
  if (config == NULL)
    return;
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
    g_signal_emit (self, signals[REMOVED], 0);
  else
    show_save_error (self, _ ("The provider could not be removed."), error);
}

static void
remove_provider (GtkWidget *page)
{
  GadgetProviderPage *self = GADGET_PROVIDER_PAGE (page);

  set_busy (self, TRUE);
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

/* --- Overrides --- */

static void
gadget_provider_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetProviderPage *self = GADGET_PROVIDER_PAGE (object);

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
gadget_provider_page_dispose (GObject *object)
{
  GadgetProviderPage *self = GADGET_PROVIDER_PAGE (object);

  stop_test (self);
  self->filled = FALSE; /* what the rows say while they go is not a change */
  g_clear_object (&self->providers);
  g_clear_object (&self->config);
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
   * %TRUE if the user changed something that is neither saved nor being saved.
   */
  props[PROP_DIRTY] =
      g_param_spec_boolean ("dirty", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);

  signals[REMOVED] = g_signal_new ("removed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[SAVED] = g_signal_new ("saved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_install_action (widget_class, "provider.model", "s", model_action);

  g_type_ensure (GADGET_TYPE_VARIABLE_GROUP);
  g_type_ensure (GADGET_TYPE_IMMEDIATE_BUTTON);
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
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, form);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, headers);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderPage, remove_group);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, set_dirty);
  gtk_widget_class_bind_template_callback (widget_class, server_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, kind_cb);
  gtk_widget_class_bind_template_callback (widget_class, test_cb);
  gtk_widget_class_bind_template_callback (widget_class, save_cb);
  gtk_widget_class_bind_template_callback (widget_class, remove_cb);
}

static void
gadget_provider_page_init (GadgetProviderPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gadget_variable_group_set_mode (self->headers, GADGET_VARIABLE_PROVIDER_HEADERS);
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
        gadget_variable_group_load_headers (self->headers,
                                            gadget_provider_config_get_headers (config));
      gtk_button_set_label (GTK_BUTTON (self->save_button), _ ("_Save"));
      gtk_widget_set_visible (self->remove_group, TRUE);
      self->kind = gadget_provider_kinds_find (gadget_provider_config_get_kind (config));
    }
  fill_kinds (self);
  g_signal_connect_object (gadget_agent_get_registry (gadget_engine_get_agent (engine)),
                           "abort-all", G_CALLBACK (abort_all_cb), self, G_CONNECT_SWAPPED);
  update (self);
  self->filled = TRUE;
  return GTK_WIDGET (self);
}
