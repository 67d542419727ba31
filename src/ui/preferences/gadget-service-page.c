/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page that adds a service with its key. The key is tested when it is pasted, on Enter and by
 * the button, which then stops the test. It reaches the list of providers only by Add, which needs
 * a key that was accepted, or by adding it untested when the service does not answer. While it is
 * being added the form is insensitive, and whatever leaves the page stops it. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-service-page-private.h"

#include "gadget-preferences-rows.h"
#include "secrets/gadget-secrets.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-immediate-button.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

enum
{
  PROP_DIRTY = 1,
  N_PROPS
};

enum
{
  ADDED,
  DONE,
  OTHER,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetServicePage, gadget_service_page, ADW_TYPE_NAVIGATION_PAGE)

/* Makes a configuration from the form: of a new provider, or of the one that this page has added.
 * Returns NULL with an error when the address is not valid. (transfer full) (nullable) */
static GadgetProviderConfig *
make_config (GadgetServicePage *self, GError **error)
{
  g_autofree char *url = gadget_preferences_dup_text (ADW_ENTRY_ROW (self->url_row));
  g_autofree char *id = self->added ? g_strdup (gadget_provider_config_get_id (self->config))
                                    : gadget_labels_make_id (self->providers, self->service->name);
  GObject *model = adw_combo_row_get_selected_item (self->model_row);

  if (!gadget_provider_config_check (id, self->service->kind, url, error))
    return NULL;
  return gadget_provider_config_new (
      id, self->service->name, self->service->kind, url,
      model != NULL ? gtk_string_object_get_string (GTK_STRING_OBJECT (model)) : NULL);
}

/* --- The test --------------------------------------------------------------------------------- */

/* The label names the action of the moment; the button keeps the focus that it has. */
static void
update_test_button (GadgetServicePage *self)
{
  gtk_button_set_label (GTK_BUTTON (self->test_button),
                        self->test != NULL ? _ ("Stop") : _ ("Test"));
  gtk_widget_set_sensitive (self->test_button, *_gadget_service_page_get_key (self) != '\0');
}

/* Returns whether there was a test to stop. */
static gboolean
stop_test (GadgetServicePage *self)
{
  if (self->test == NULL)
    return FALSE;
  g_cancellable_cancel (self->test);
  g_clear_object (&self->test);
  update_test_button (self);
  return TRUE;
}

static void
show_stopped (GadgetServicePage *self)
{
  _gadget_service_page_show_state (
      self, gadget_preferences_mark ("dialog-warning-symbolic", "warning"), _ ("It was stopped."));
}

/* A handler of "abort-all". Returns whether there was something to stop. */
static gboolean
abort_all_cb (GadgetServicePage *self)
{
  if (self->adding != NULL)
    {
      /* added_cb () knows whether it was early enough. */
      g_cancellable_cancel (self->adding);
      return TRUE;
    }
  if (!stop_test (self))
    return FALSE;
  show_stopped (self);
  return TRUE;
}

/* The data of a test. */
typedef struct
{
  GWeakRef page; /* weak, because a page that is closed cancels its test */
  GCancellable *cancellable;
  GadgetProviderConfig *config;
} Test;

static void
test_free (Test *test)
{
  g_weak_ref_clear (&test->page);
  g_object_unref (test->cancellable);
  g_object_unref (test->config);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Test, test_free)

static void
tested_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Test) test = user_data;
  g_autoptr (GadgetServicePage) self = g_weak_ref_get (&test->page);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models = gadget_service_check_finish (GADGET_HTTP (object), result, &error);

  if (self == NULL || self->test != test->cancellable)
    return;
  g_clear_object (&self->test);
  update_test_button (self);
  if (models != NULL)
    _gadget_service_page_show_accepted (self, models);
  else if (g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_QUOTA))
    _gadget_service_page_show_no_credit (self);
  else
    _gadget_service_page_show_failure (self, test->config, error);
}

static void
start_test (GadgetServicePage *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProviderConfig) config = make_config (self, &error);
  Test *test;

  if (self->adding != NULL || *_gadget_service_page_get_key (self) == '\0')
    return;
  stop_test (self);
  _gadget_service_page_set_card_shown (self, FALSE);
  if (config == NULL)
    {
      _gadget_service_page_show_state (
          self, gadget_preferences_mark ("dialog-error-symbolic", "error"),
          _ ("The address must begin with http:// or https:// and name a server."));
      return;
    }
  self->test = g_cancellable_new ();
  update_test_button (self);
  _gadget_service_page_show_state (self, adw_spinner_new (), _ ("Testing the key…"));
  test = g_new0 (Test, 1);
  g_weak_ref_init (&test->page, self);
  test->cancellable = g_object_ref (self->test);
  test->config = g_object_ref (config);
  gadget_service_check_async (self->service, config,
                              gadget_provider_list_get_http (self->providers),
                              _gadget_service_page_get_key (self), self->test, tested_cb, test);
}

/* Starts a test, or stops the one that goes on. */
static void
test_cb (GadgetServicePage *self)
{
  if (!abort_all_cb (self))
    start_test (self);
}

static void
changed_cb (GadgetServicePage *self)
{
  const gboolean pasted = self->pasted;

  if (self->providers == NULL)
    return;
  self->pasted = FALSE;
  stop_test (self);
  _gadget_service_page_set_card_shown (self, FALSE);
  _gadget_service_page_show_state (self, NULL, NULL);
  gtk_widget_set_visible (self->page_list, *_gadget_service_page_get_key (self) == '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->model_row), FALSE);
  adw_combo_row_set_model (self->model_row, NULL);
  gtk_widget_set_sensitive (self->add_button, FALSE);
  update_test_button (self);
  _gadget_service_page_update_address (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DIRTY]);
  if (pasted)
    start_test (self);
}

/* A pasted text arrives asynchronously, and an empty clipboard inserts nothing. */
static void
paste_cb (GadgetServicePage *self)
{
  self->pasting = TRUE;
}

/* Text that comes after an empty clipboard is typed, which is one letter at a time. */
static void
insert_cb (GadgetServicePage *self, const char *text, int length)
{
  self->pasted = self->pasting && g_utf8_strlen (text, length) > 1;
  self->pasting = FALSE;
}

/* Enter tests, or adds when the key was accepted. */
static void
activated_cb (GadgetServicePage *self)
{
  if (gtk_widget_get_sensitive (self->add_button))
    gtk_widget_activate (self->add_button);
  else
    start_test (self);
}

/* --- Adding ----------------------------------------------------------------------------------- */

static void
finish_cb (GadgetServicePage *self)
{
  g_signal_emit (self, signals[DONE], 0);
}

/* Adding begins with a cancellable, and ends with NULL. */
static void
set_adding (GadgetServicePage *self, GCancellable *adding)
{
  g_set_object (&self->adding, adding);
  gadget_preferences_set_sensitive (self->form, adding == NULL);
}

static void
show_add_failure (GadgetServicePage *self, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_stopped (self);
  else
    _gadget_service_page_show_card (
        self, &(GadgetServiceCard) { .title = _ ("The provider could not be saved."),
                                     .text = gadget_error_labels_get_reason (error),
                                     .detail = error->message,
                                     .can_add = TRUE });
  gtk_widget_set_sensitive (self->add_button, TRUE);
  if (gtk_widget_get_mapped (self->add_button))
    gtk_widget_grab_focus (self->add_button);
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetServicePage) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean added =
      gadget_provider_list_add_finish (GADGET_PROVIDER_LIST (source), result, &error);

  if (self->providers == NULL)
    return;
  set_adding (self, NULL);
  _gadget_service_page_show_state (self, NULL, NULL);
  if (!added)
    {
      show_add_failure (self, error);
      return;
    }
  self->added = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DIRTY]);
  _gadget_service_page_update_keyring (self);
  g_signal_emit (self, signals[ADDED], 0, gadget_provider_config_get_id (self->config));
  if (g_error_matches (gadget_secrets_get_failure (gadget_engine_get_secrets (self->engine)),
                       GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_LOCKED))
    _gadget_service_page_show_locked (self);
  else
    finish_cb (self);
}

static void
add (GtkWidget *page)
{
  GadgetServicePage *self = GADGET_SERVICE_PAGE (page);
  g_autoptr (GCancellable) adding = g_cancellable_new ();

  stop_test (self);
  _gadget_service_page_set_card_shown (self, FALSE);
  set_adding (self, adding);
  gtk_widget_set_sensitive (self->add_button, FALSE);
  /* The keyring may ask for its password now. */
  _gadget_service_page_show_state (self, adw_spinner_new (), _ ("Saving the key…"));
  gadget_provider_list_add_async (self->providers, self->config,
                                  _gadget_service_page_get_key (self), NULL, adding, added_cb,
                                  g_object_ref (self));
}

static void
add_cb (GadgetServicePage *self)
{
  g_autoptr (GadgetProviderConfig) config = make_config (self, NULL);

  if (config == NULL)
    return;
  g_set_object (&self->config, config);
  if (gadget_provider_config_is_exposed (config))
    gadget_preferences_confirm_exposed (GTK_WIDGET (self), add);
  else
    add (GTK_WIDGET (self));
}

/* Adds the provider again: storing the key makes the keyring ask for its password again. */
static void
unlock_cb (GadgetServicePage *self)
{
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      gadget_provider_config_get_id (self->config), self->service->name, self->service->kind,
      gadget_provider_config_get_base_url (self->config),
      gadget_provider_config_get_model (self->config));

  g_set_object (&self->config, config);
  add (GTK_WIDGET (self));
}

/* --- Other buttons ---------------------------------------------------------------------------- */

static void
cancel_cb (GadgetServicePage *self)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_DIALOG);

  abort_all_cb (self);
  adw_dialog_force_close (ADW_DIALOG (dialog));
}

static void
other_cb (GadgetServicePage *self)
{
  const GadgetService *other =
      gadget_services_find_by_key (_gadget_service_page_get_key (self), NULL);

  if (other != NULL)
    g_signal_emit (self, signals[OTHER], 0, other, _gadget_service_page_get_key (self));
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetServicePage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gtk_uri_launcher_launch_finish (GTK_URI_LAUNCHER (source), result, &error)
      || g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED)
      || g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_CANCELLED)
      || self->providers == NULL)
    return;
  _gadget_service_page_show_state (self, gadget_preferences_mark ("dialog-error-symbolic", "error"),
                                   _ ("Could not open the link"));
}

static void
get_cb (GadgetServicePage *self)
{
  g_autoptr (GtkUriLauncher) launcher = gtk_uri_launcher_new (self->service->key_url);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_uri_launcher_launch (launcher, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                           opened_cb, g_object_ref (self));
}

static void
edit_address_cb (GadgetServicePage *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->address_row), FALSE);
  gtk_widget_set_visible (self->url_row, TRUE);
  gtk_widget_grab_focus (self->url_row);
}

/* --- The object ------------------------------------------------------------------------------- */

static gboolean
is_dirty (GadgetServicePage *self)
{
  const char *url = gtk_editable_get_text (GTK_EDITABLE (self->url_row));

  return self->service != NULL && !self->added
         && (*_gadget_service_page_get_key (self) != '\0'
             || !g_str_equal (url, self->service->base_url));
}

/* Shows the Cancel button only if there is no back button. */
static void
gadget_service_page_map (GtkWidget *widget)
{
  GadgetServicePage *self = GADGET_SERVICE_PAGE (widget);
  GtkWidget *view = gtk_widget_get_ancestor (widget, ADW_TYPE_NAVIGATION_VIEW);

  gtk_widget_set_visible (self->cancel_button,
                          view == NULL
                              || adw_navigation_view_get_previous_page (ADW_NAVIGATION_VIEW (view),
                                                                        ADW_NAVIGATION_PAGE (self))
                                     == NULL);
  GTK_WIDGET_CLASS (gadget_service_page_parent_class)->map (widget);
}

/* Stops what goes on; it can be repeated when the page is shown again. */
static void
gadget_service_page_hidden (AdwNavigationPage *page)
{
  abort_all_cb (GADGET_SERVICE_PAGE (page));
}

static void
gadget_service_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetServicePage *self = GADGET_SERVICE_PAGE (object);

  switch (prop_id)
    {
    case PROP_DIRTY:
      g_value_set_boolean (value, is_dirty (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_service_page_dispose (GObject *object)
{
  GadgetServicePage *self = GADGET_SERVICE_PAGE (object);

  if (self->providers != NULL)
    stop_test (self);
  g_clear_object (&self->adding);
  g_clear_object (&self->providers);
  g_clear_object (&self->engine);
  g_clear_object (&self->config);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_SERVICE_PAGE);

  G_OBJECT_CLASS (gadget_service_page_parent_class)->dispose (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, GadgetServicePage, child)
  BIND (cancel_button);
  BIND (add_button);
  BIND (form);
  BIND (key_row);
  BIND (test_button);
  BIND (state_line);
  BIND (state_mark);
  BIND (state_label);
  BIND (card);
  BIND (card_title);
  BIND (card_text);
  BIND (details);
  BIND (details_text);
  BIND (other_button);
  BIND (unlock_button);
  BIND (retry_button);
  BIND (untested_button);
  BIND (for_now_button);
  BIND (get_button);
  BIND (model_row);
  BIND (address_row);
  BIND (url_row);
  BIND (keyring_row);
  BIND (page_list);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, add_cb);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, edit_address_cb);
  gtk_widget_class_bind_template_callback (widget_class, finish_cb);
  gtk_widget_class_bind_template_callback (widget_class, get_cb);
  gtk_widget_class_bind_template_callback (widget_class, other_cb);
  gtk_widget_class_bind_template_callback (widget_class, test_cb);
  gtk_widget_class_bind_template_callback (widget_class, unlock_cb);
}

static void
gadget_service_page_class_init (GadgetServicePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_service_page_dispose;
  object_class->get_property = gadget_service_page_get_property;
  widget_class->map = gadget_service_page_map;
  ADW_NAVIGATION_PAGE_CLASS (klass)->hidden = gadget_service_page_hidden;

  props[PROP_DIRTY] =
      g_param_spec_boolean ("dirty", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[ADDED] = g_signal_new ("added", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
  signals[OTHER] = g_signal_new ("other", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_STRING);

  g_type_ensure (GADGET_TYPE_IMMEDIATE_BUTTON);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-service-page.ui");
  bind_template (widget_class);
}

static void
gadget_service_page_init (GadgetServicePage *self)
{
  GtkExpression *expression = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  GtkEditable *text;

  gtk_widget_init_template (GTK_WIDGET (self));
  adw_combo_row_set_expression (self->model_row, expression);
  gtk_expression_unref (expression);
  text = gtk_editable_get_delegate (GTK_EDITABLE (self->key_row));
  g_signal_connect_object (text, "paste-clipboard", G_CALLBACK (paste_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (text, "insert-text", G_CALLBACK (insert_cb), self, G_CONNECT_SWAPPED);
}

static void
probed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetServicePage) self = user_data;

  gadget_secrets_free_key (gadget_secrets_lookup_finish (GADGET_SECRETS (object), result, NULL));
  if (self->engine != NULL)
    _gadget_service_page_update_keyring (self);
}

/* --- Public ----------------------------------------------------------------------------------- */

/**
 * gadget_service_page_new:
 * @service: the service; static
 */
GtkWidget *
gadget_service_page_new (GadgetEngine *engine, const GadgetService *service)
{
  GadgetServicePage *self;
  g_autofree char *title = NULL;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine) && service != NULL, NULL);

  /* Translators: the title of a dialog; the name of a model service */
  title = g_strdup_printf (_ ("Add %s"), service->name);
  self = g_object_new (GADGET_TYPE_SERVICE_PAGE, "title", title, NULL);
  self->engine = g_object_ref (engine);
  self->service = service;
  gtk_editable_set_text (GTK_EDITABLE (self->url_row), service->base_url);
  self->providers = g_object_ref (gadget_engine_get_providers (engine));
  g_signal_connect_object (gadget_agent_get_registry (gadget_engine_get_agent (engine)),
                           "abort-all", G_CALLBACK (abort_all_cb), self, G_CONNECT_SWAPPED);
  _gadget_service_page_update_address (self);
  _gadget_service_page_update_keyring (self);
  /* Looks up any secret, because only that tells whether there is a keyring. The Guide has no
   * key. */
  gadget_secrets_lookup_async (gadget_engine_get_secrets (engine), GADGET_GUIDE_ID, NULL, NULL,
                               probed_cb, g_object_ref (self));
  return GTK_WIDGET (self);
}

void
gadget_service_page_set_key (GadgetServicePage *self, const char *key)
{
  g_return_if_fail (GADGET_IS_SERVICE_PAGE (self) && key != NULL);

  gtk_editable_set_text (GTK_EDITABLE (self->key_row), key);
  start_test (self);
}
