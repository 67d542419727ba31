/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A box to choose a provider from: model servers that run on this computer, which are searched for,
 * services that need a key, and the Guide. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-provider-chooser.h"

#include "gadget-tile-layout.h"
#include "providers/gadget-services.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-ui.h"

#include <adwaita.h>
#include <glib/gi18n.h>

struct _GadgetProviderChooser
{
  GtkBox parent_instance;

  GtkWidget *servers_group;
  GtkListBox *servers;
  GtkWidget *services;
  GtkWidget *guide_group;
  GtkListBox *guides;

  GadgetEngine *engine;
  GPtrArray *found; /* (nullable): of GadgetLocalServer; the buttons have unowned pointers to
                     * them */
  gboolean searching;
};

enum
{
  CHOSEN,
  SERVICE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetProviderChooser, gadget_provider_chooser, GTK_TYPE_BOX)

/* --- Rows --- */

static GtkWidget *
make_row (GtkWidget *prefix, const char *title, const char *subtitle)
{
  GtkWidget *row = gadget_ui_row_new (title, subtitle);

  adw_action_row_add_prefix (ADW_ACTION_ROW (row), prefix);
  return row;
}

static GtkWidget *
make_icon (const char *icon_name)
{
  GtkWidget *image = gtk_image_new_from_icon_name (icon_name);

  gtk_widget_add_css_class (image, "dimmed");
  return image;
}

static GtkWidget *
add_use (GtkWidget *row, const char *name)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Use"));
  /* Translators: the accessible name of a button; a provider's name */
  g_autofree char *accessible = g_strdup_printf (_ ("Use %s"), name);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  /* The label says what is used; the text of the button alone does not, but would take
   * precedence. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  accessible, -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  return button;
}

/* --- Servers on this computer --- */

/* Tells whether two addresses have the same host and port: one server may have several APIs at
 * different paths. */
static gboolean
is_same_server (const char *one, const char *other)
{
  g_autoptr (GUri) a = one != NULL ? g_uri_parse (one, G_URI_FLAGS_NONE, NULL) : NULL;
  g_autoptr (GUri) b = g_uri_parse (other, G_URI_FLAGS_NONE, NULL);

  return a != NULL && b != NULL && g_strcmp0 (g_uri_get_host (a), g_uri_get_host (b)) == 0
         && g_uri_get_port (a) == g_uri_get_port (b);
}

static gboolean
is_known (GadgetProviderChooser *self, const char *base_url)
{
  GListModel *providers = G_LIST_MODEL (gadget_engine_get_providers (self->engine));

  for (guint i = 0; i < g_list_model_get_n_items (providers); i++)
    {
      g_autoptr (GadgetProviderConfig) config = g_list_model_get_item (providers, i);

      if (is_same_server (gadget_provider_config_get_base_url (config), base_url))
        return TRUE;
    }
  return FALSE;
}

/* The data of an asynchronous call: a server that becomes a provider. */
typedef struct
{
  GadgetProviderChooser *chooser;
  char *id;
  GtkWidget *row;
} Adding;

static void
adding_free (Adding *adding)
{
  g_object_unref (adding->chooser);
  g_object_unref (adding->row);
  g_free (adding->id);
  g_free (adding);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Adding, adding_free)

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Adding) adding = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_sensitive (adding->row, TRUE);
  if (gadget_provider_list_add_finish (GADGET_PROVIDER_LIST (source), result, &error))
    {
      g_signal_emit (adding->chooser, signals[CHOSEN], 0, adding->id);
      return;
    }
  text = gadget_error_labels_dup (_ ("Could not add the server."), error);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (adding->row), text);
}

static void
use_server_cb (GtkWidget *button, GadgetProviderChooser *self)
{
  const GadgetLocalServer *server = g_object_get_data (G_OBJECT (button), "server");
  GadgetProviderList *providers = gadget_engine_get_providers (self->engine);
  g_autofree char *id = gadget_labels_make_id (providers, server->name);
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      id, server->name, server->kind, server->base_url, server->models[0]);
  Adding *adding = g_new0 (Adding, 1);

  adding->chooser = g_object_ref (self);
  adding->row = g_object_ref (gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW));
  adding->id = g_steal_pointer (&id);
  gtk_widget_set_sensitive (adding->row, FALSE);
  gadget_provider_list_add_async (providers, config, NULL, NULL, NULL, added_cb, adding);
}

/* Describes a local server. (transfer full) */
static char *
describe_server (const GadgetLocalServer *server)
{
  const guint n = g_strv_length (server->models);

  if (n == 0)
    return g_strdup (_ ("Running · no models yet"));
  return g_strdup_printf (
      /* Translators: a model server on this computer; %s is the model that new chats get */
      ngettext ("Running · %u model · starts with %s", "Running · %u models · starts with %s", n),
      n, server->models[0]);
}

static void
add_server (GadgetProviderChooser *self, GadgetLocalServer *server, gboolean first)
{
  g_autofree char *detail = describe_server (server);
  GtkWidget *row = make_row (make_icon ("network-server-symbolic"), server->name, detail);
  GtkWidget *button = add_use (row, server->name);

  if (first)
    gtk_widget_add_css_class (button, "suggested-action");
  g_object_set_data (G_OBJECT (button), "server", server);
  g_signal_connect_object (button, "clicked", G_CALLBACK (use_server_cb), self, G_CONNECT_DEFAULT);
  gtk_list_box_append (self->servers, row);
}

static void
fill_servers (GadgetProviderChooser *self)
{
  guint n = 0;

  gtk_list_box_remove_all (self->servers);
  if (self->searching)
    gtk_list_box_append (self->servers,
                         make_row (adw_spinner_new (), _ ("Looking for local models"), NULL));
  for (guint i = 0; self->found != NULL && i < self->found->len; i++)
    {
      GadgetLocalServer *server = g_ptr_array_index (self->found, i);

      if (!is_known (self, server->base_url))
        add_server (self, server, n++ == 0);
    }
  gtk_widget_set_visible (self->servers_group, self->searching || n > 0);
}

static void
found_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetProviderChooser) self = user_data;
  g_autoptr (GPtrArray) found =
      gadget_local_servers_find_finish (GADGET_HTTP (object), result, NULL);

  self->searching = FALSE;
  if (self->engine == NULL)
    return;
  gtk_list_box_remove_all (self->servers);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  self->found = g_steal_pointer (&found);
  fill_servers (self);
}

/* --- Services --- */

static void
service_cb (GtkWidget *button, GadgetProviderChooser *self)
{
  g_signal_emit (self, signals[SERVICE], 0, g_object_get_data (G_OBJECT (button), "service"));
}

static void
add_service (GadgetProviderChooser *self, const GadgetService *service)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (service != NULL ? service->name : _ ("Other…"));
  GtkWidget *arrow = gtk_image_new_from_icon_name ("go-next-symbolic");

  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_accessible_update_state (GTK_ACCESSIBLE (arrow), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_image_set_pixel_size (GTK_IMAGE (arrow), 12);
  gtk_widget_add_css_class (arrow, "dimmed");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), arrow);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_text (GTK_LABEL (label)), -1);
  gtk_widget_add_css_class (button, "tile");
  g_object_set_data (G_OBJECT (button), "service", (gpointer) service);
  g_signal_connect_object (button, "clicked", G_CALLBACK (service_cb), self, G_CONNECT_DEFAULT);
  gtk_box_append (GTK_BOX (self->services), button);
}

/* --- The Guide --- */

static void
use_guide_cb (GadgetProviderChooser *self)
{
  g_signal_emit (self, signals[CHOSEN], 0, GADGET_GUIDE_ID);
}

/* gadget_provider_chooser_show_guide: adds the row of the Guide, which is offered at the first
 * start only. To be called once. */
void
gadget_provider_chooser_show_guide (GadgetProviderChooser *self)
{
  GtkWidget *row;

  g_return_if_fail (GADGET_IS_PROVIDER_CHOOSER (self));

  row = make_row (make_icon ("help-about-symbolic"), _ ("Guide"),
                  _ ("Built in · no account, no network · shows what Gadget does"));
  g_signal_connect_object (add_use (row, _ ("Guide")), "clicked", G_CALLBACK (use_guide_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_list_box_append (self->guides, row);
  gtk_widget_set_visible (self->guide_group, TRUE);
}

/* --- The object --- */

static void
gadget_provider_chooser_dispose (GObject *object)
{
  GadgetProviderChooser *self = GADGET_PROVIDER_CHOOSER (object);

  g_clear_object (&self->engine);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_PROVIDER_CHOOSER);
  g_clear_pointer (&self->found, g_ptr_array_unref);

  G_OBJECT_CLASS (gadget_provider_chooser_parent_class)->dispose (object);
}

static void
gadget_provider_chooser_class_init (GadgetProviderChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_provider_chooser_dispose;

  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SERVICE] = g_signal_new ("service", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);

  g_type_ensure (GADGET_TYPE_TILE_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-provider-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderChooser, servers_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderChooser, servers);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderChooser, services);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderChooser, guide_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetProviderChooser, guides);
}

static void
gadget_provider_chooser_init (GadgetProviderChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < gadget_services_get_n (); i++)
    add_service (self, gadget_services_get (i));
  add_service (self, NULL);
}

/* --- Public --- */

/* gadget_provider_chooser_set_engine: to be called before anything is searched or chosen; providers
 * are added to @engine. */
void
gadget_provider_chooser_set_engine (GadgetProviderChooser *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_PROVIDER_CHOOSER (self) && GADGET_IS_ENGINE (engine));
  g_set_object (&self->engine, engine);
}

/**
 * gadget_provider_chooser_search:
 * @places: (nullable): see gadget_local_servers_find_async ()
 */
void
gadget_provider_chooser_search (GadgetProviderChooser *self, const GadgetLocalServerPlace *places)
{
  g_return_if_fail (GADGET_IS_PROVIDER_CHOOSER (self) && self->engine != NULL);

  if (self->searching)
    return;
  self->searching = TRUE;
  fill_servers (self);
  /* The search takes a second at most, so it is not cancellable. */
  gadget_local_servers_find_async (
      gadget_provider_list_get_http (gadget_engine_get_providers (self->engine)), places, NULL,
      found_cb, g_object_ref (self));
}
