/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The menu of providers and models. It shows at once the models that are configured or in use, and
 * asks each provider for its list; the models are added as the answers arrive. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-model-menu.h"

#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

#define ANY_MODEL "\n" /* not the name of a model */

struct _GadgetModelMenu
{
  GtkPopover parent_instance;

  GtkListBox *list;

  GadgetProviderList *providers;
  char *used_provider;
  char *used_model;
  GtkWidget *used_row; /* identifies the opening; answers to questions of an older one are
                        * dropped */
  guint serial;        /* increased by each opening: older questions have another one, and their
                        * answers are dropped */

  GadgetRegistry *registry; /* (nullable) */
  GCancellable *asking;     /* (nullable): cancels the questions of this opening */
  guint n_asked;            /* questions that are not answered yet */
};

/* A question for the models of one provider. */
typedef struct
{
  GWeakRef menu;
  guint serial;
  char *provider;
} Question;

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetModelMenu, gadget_model_menu, GTK_TYPE_POPOVER)

static Question *
question_new (GadgetModelMenu *self, const char *provider)
{
  Question *question = g_new0 (Question, 1);

  g_weak_ref_init (&question->menu, self);
  question->serial = self->serial;
  question->provider = g_strdup (provider);
  return question;
}

static void
question_free (Question *question)
{
  g_weak_ref_clear (&question->menu);
  g_free (question->provider);
  g_free (question);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

/* Drops the answers, because the menu was closed or everything is stopped. Returns whether there
 * were unanswered questions. */
static gboolean
stop_asking (GadgetModelMenu *self)
{
  const gboolean any = self->n_asked > 0;

  self->serial++;
  self->n_asked = 0;
  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  return any;
}

/* Returns the menu, if it still waits for this answer. (transfer full) (nullable) */
static GadgetModelMenu *
question_dup_menu (Question *question)
{
  g_autoptr (GadgetModelMenu) menu = g_weak_ref_get (&question->menu);

  return menu != NULL && menu->serial == question->serial ? g_steal_pointer (&menu) : NULL;
}

static const char *
get_string (gpointer row, const char *key)
{
  return g_object_get_data (G_OBJECT (row), key);
}

static void
set_string (gpointer row, const char *key, const char *value)
{
  g_object_set_data_full (G_OBJECT (row), key, g_strdup (value), g_free);
}

static void
row_activated_cb (GadgetModelMenu *self, GtkListBoxRow *row)
{
  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, signals[CHOSEN], 0, get_string (row, "provider"), get_string (row, "model"));
}

static void
add_provider_cb (GadgetModelMenu *self)
{
  gtk_popover_popdown (GTK_POPOVER (self));
}

/* Returns the index after the last row of a provider, or -1. The rows of a provider are together: a
 * heading, which cannot be chosen, and its models. */
static int
find_end (GadgetModelMenu *self, const char *provider)
{
  GtkListBoxRow *row;
  int end = -1;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (g_strcmp0 (get_string (row, "provider"), provider) == 0)
      end = i + 1;
  return end;
}

/* Returns the index of the row of a model, or with ANY_MODEL of any model of the provider; -1 when
 * there is none. */
static int
find_model (GadgetModelMenu *self, const char *provider, const char *model)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (g_strcmp0 (get_string (row, "provider"), provider) == 0
        && gtk_list_box_row_get_activatable (row)
        && (g_strcmp0 (model, ANY_MODEL) == 0 || g_strcmp0 (get_string (row, "model"), model) == 0))
      return i;
  return -1;
}

static GtkWidget *
make_row (GadgetModelMenu *self, GtkWidget *child, const char *provider, const char *model)
{
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), child);
  set_string (row, "provider", provider);
  set_string (row, "model", model);
  gtk_list_box_insert (self->list, row, find_end (self, provider));
  return row;
}

static void
add_heading (GadgetModelMenu *self, const char *provider, const char *name)
{
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *row;

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "dimmed");
  row = make_row (self, label, provider, NULL);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_widget_add_css_class (row, "model-menu-heading");
}

/* Tells whether this row is the model in use. A session without a model uses the provider's
 * default, which is the first row. */
static gboolean
is_used (GadgetModelMenu *self, const char *provider, const char *model)
{
  if (g_strcmp0 (provider, self->used_provider) != 0)
    return FALSE;
  if (self->used_model != NULL)
    return g_strcmp0 (model, self->used_model) == 0;
  return find_model (self, provider, ANY_MODEL) < 0;
}

static void
add_model (GadgetModelMenu *self, const char *provider, const char *model, const char *name,
           const char *detail)
{
  gboolean used = is_used (self, provider, model);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *check = gtk_image_new_from_icon_name ("object-select-symbolic");
  GtkWidget *row;

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  if (detail != NULL)
    {
      GtkWidget *dim = gtk_label_new (detail);

      gtk_widget_add_css_class (dim, "dimmed");
      gtk_widget_add_css_class (dim, "caption");
      gtk_box_append (GTK_BOX (box), dim);
    }
  gtk_widget_set_opacity (check, used ? 1 : 0);
  gtk_box_append (GTK_BOX (box), check);
  row = make_row (self, box, provider, model);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (used)
    self->used_row = row;
  if (used)
    gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_CHECKED,
                                 GTK_ACCESSIBLE_TRISTATE_TRUE, -1);
}

static void
models_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autoptr (GadgetModelMenu) self = question_dup_menu (question);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models =
      gadget_provider_list_models_finish (GADGET_PROVIDER (object), result, &error);

  if (self == NULL)
    return;
  self->n_asked--;
  if (models == NULL)
    {
      g_debug ("no list of models from %s: %s", question->provider, error->message);
      return;
    }
  for (guint i = 0; i < models->len; i++)
    {
      const char *model = gadget_model_get_name (g_ptr_array_index (models, i));

      if (find_model (self, question->provider, model) < 0)
        add_model (self, question->provider, model, model, NULL);
    }
}

static void
resolved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autoptr (GadgetModelMenu) self = question_dup_menu (question);
  g_autoptr (GadgetProvider) provider = NULL;
  g_autoptr (GError) error = NULL;

  provider = gadget_provider_list_resolve_finish (GADGET_PROVIDER_LIST (object), result, &error);
  if (self == NULL)
    return;
  if (provider != NULL)
    gadget_provider_list_models_async (provider, self->asking, models_cb,
                                       g_steal_pointer (&question));
  else
    self->n_asked--;
}

static void
add_provider (GadgetModelMenu *self, GadgetProviderConfig *config)
{
  const char *id = gadget_provider_config_get_id (config);
  const char *name = gadget_provider_config_get_name (config);
  const char *model = gadget_provider_config_get_model (config);
  gboolean has_default = model != NULL && *model != '\0';

  if (g_str_equal (gadget_provider_config_get_kind (config), GADGET_PROVIDER_KIND_GUIDE))
    {
      add_model (self, id, NULL, name, _ ("Built in"));
      return;
    }
  add_heading (self, id, name);
  if (has_default)
    add_model (self, id, model, model, NULL);
  if (g_strcmp0 (id, self->used_provider) == 0 && self->used_model != NULL
      && find_model (self, id, self->used_model) < 0)
    add_model (self, id, self->used_model, self->used_model, NULL);
  if (!has_default && self->used_model == NULL)
    add_model (self, id, NULL, _ ("Default Model"), NULL);
  self->n_asked++;
  gadget_provider_list_resolve_async (self->providers, id, self->asking, resolved_cb,
                                      question_new (self, id));
}

/* The model in use gets the focus. */
static void
map_cb (GadgetModelMenu *self)
{
  if (self->used_row != NULL)
    gtk_widget_grab_focus (self->used_row);
}

static void
set_registry (GadgetModelMenu *self, GadgetRegistry *registry)
{
  if (self->registry == registry)
    return;
  if (self->registry != NULL)
    g_signal_handlers_disconnect_by_func (self->registry, stop_asking, self);
  g_set_object (&self->registry, registry);
  if (registry != NULL)
    g_signal_connect_object (registry, "abort-all", G_CALLBACK (stop_asking), self,
                             G_CONNECT_SWAPPED);
}

static void
gadget_model_menu_dispose (GObject *object)
{
  GadgetModelMenu *self = GADGET_MODEL_MENU (object);

  stop_asking (self);
  set_registry (self, NULL);
  g_clear_object (&self->providers);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_MODEL_MENU);

  G_OBJECT_CLASS (gadget_model_menu_parent_class)->dispose (object);
}

static void
gadget_model_menu_finalize (GObject *object)
{
  GadgetModelMenu *self = GADGET_MODEL_MENU (object);

  g_free (self->used_provider);
  g_free (self->used_model);

  G_OBJECT_CLASS (gadget_model_menu_parent_class)->finalize (object);
}

static void
gadget_model_menu_class_init (GadgetModelMenuClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_model_menu_dispose;
  object_class->finalize = gadget_model_menu_finalize;

  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/composer/gadget-model-menu.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetModelMenu, list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, add_provider_cb);
  gtk_widget_class_bind_template_callback (widget_class, map_cb);
}

static void
gadget_model_menu_init (GadgetModelMenu *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "closed", G_CALLBACK (stop_asking), NULL);
}

GtkWidget *
gadget_model_menu_new (void)
{
  return g_object_new (GADGET_TYPE_MODEL_MENU, NULL);
}

void
gadget_model_menu_show (GadgetModelMenu *self, GadgetEngine *engine, GadgetSession *session)
{
  const char *provider;
  const char *model;

  g_return_if_fail (GADGET_IS_MODEL_MENU (self) && GADGET_IS_ENGINE (engine));
  g_return_if_fail (GADGET_IS_SESSION (session));

  stop_asking (self);
  self->asking = g_cancellable_new ();
  set_registry (self, gadget_agent_get_registry (gadget_engine_get_agent (engine)));
  g_set_object (&self->providers, gadget_engine_get_providers (engine));
  provider = gadget_session_get_provider (session);
  model = gadget_session_get_model (session);
  if (provider == NULL)
    provider = gadget_provider_list_get_default_id (self->providers);
  g_set_str (&self->used_provider, provider);
  g_set_str (&self->used_model, model);
  gtk_list_box_remove_all (self->list);
  self->used_row = NULL;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->providers)); i++)
    {
      g_autoptr (GadgetProviderConfig) config =
          g_list_model_get_item (G_LIST_MODEL (self->providers), i);

      add_provider (self, config);
    }
}
