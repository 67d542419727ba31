/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The menu buttons of the composer: the folder, the permissions and the model of the chat. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-tools.h"

#include "gadget-fold-layout.h"
#include "gadget-mode-menu.h"
#include "gadget-model-menu.h"
#include "gadget-tools-layout.h"
#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-menu.h"

#include <glib/gi18n.h>

#define MAX_RECENT_FOLDERS 5

/* In characters. A menu does not ellipsize its labels, and must fit into a window of 360 pixels. */
#define MAX_FOLDER_LENGTH 32

struct _GadgetComposerTools
{
  AdwBin parent_instance;

  GtkMenuButton *workspace_button;
  GtkLabel *workspace_label;
  GtkMenuButton *mode_button;
  GtkImage *mode_icon;
  GtkLabel *mode_label;
  GtkMenuButton *model_button;
  GtkLabel *model_label;

  GadgetEngine *engine;
  GadgetSession *session;
};

enum
{
  MODEL_CHOSEN,
  MODE_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetComposerTools, gadget_composer_tools, ADW_TYPE_BIN)

static void
update_mode (GadgetComposerTools *self)
{
  const GadgetMode mode = gadget_session_get_mode (self->session);
  const char *words = gadget_labels_mode (mode);
  /* Translators: the accessible name of a button; what may be done without asking, "Read Only" */
  g_autofree char *name = g_strdup_printf (_ ("Permissions: %s"), words);

  gtk_image_set_from_icon_name (self->mode_icon, gadget_labels_mode_icon (mode));
  gtk_label_set_label (self->mode_label, gadget_labels_mode_short (mode));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->mode_button), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->mode_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}

static void
update (GadgetComposerTools *self)
{
  g_autofree char *workspace = NULL;
  g_autofree char *model = NULL;
  g_autofree char *workspace_name = NULL;
  g_autofree char *model_name = NULL;
  const char *path;

  if (self->session == NULL)
    return;
  update_mode (self);
  path = gadget_session_get_workspace (self->session);
  workspace = path != NULL ? gadget_labels_workspace (path) : g_strdup (_ ("No Workspace"));
  model = gadget_labels_model (gadget_engine_get_providers (self->engine), self->session);
  gtk_label_set_label (self->workspace_label, workspace);
  gtk_label_set_label (self->model_label, model);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->workspace_button),
                               path != NULL ? path : _ ("The folder that Gadget may work in"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->model_button), _ ("The model that answers"));
  /* Translators: the accessible name of a button; the folder's name */
  workspace_name = g_strdup_printf (_ ("Workspace: %s"), workspace);
  /* Translators: the accessible name of a button; the model's name */
  model_name = g_strdup_printf (_ ("Model: %s"), model);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->workspace_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, workspace_name, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->model_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, model_name, -1);
}

/* Follows the list of providers, because its default is the model of a chat that has none. */
static void
follow_providers (GadgetComposerTools *self, GadgetEngine *engine)
{
  GadgetProviderList *providers;

  if (!g_set_object (&self->engine, engine) || engine == NULL)
    return;
  providers = gadget_engine_get_providers (engine);
  g_signal_connect_object (providers, "items-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (providers, "notify::default-id", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
}

static void
model_chosen_cb (GadgetComposerTools *self, const char *provider, const char *model)
{
  g_signal_emit (self, signals[MODEL_CHOSEN], 0, provider, model);
}

/* Menus are made when they are first opened, because they would slow down the first frame. */
static void
create_model_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  GadgetComposerTools *self = user_data;
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popover (button));

  if (menu == NULL)
    {
      menu = gadget_model_menu_new ();
      g_signal_connect_object (menu, "chosen", G_CALLBACK (model_chosen_cb), self,
                               G_CONNECT_SWAPPED);
      gtk_menu_button_set_popover (button, menu);
    }
  gadget_model_menu_show (GADGET_MODEL_MENU (menu), self->engine, self->session);
}

static void
mode_chosen_cb (GadgetComposerTools *self, int mode)
{
  g_signal_emit (self, signals[MODE_CHOSEN], 0, mode);
}

static void
create_mode_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  GadgetComposerTools *self = user_data;
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popover (button));

  if (menu == NULL)
    {
      menu = gadget_mode_menu_new ();
      g_signal_connect_object (menu, "chosen", G_CALLBACK (mode_chosen_cb), self,
                               G_CONNECT_SWAPPED);
      gtk_menu_button_set_popover (button, menu);
    }
  gadget_mode_menu_show (GADGET_MODE_MENU (menu), gadget_session_get_mode (self->session));
}

static void
append_folder (GMenu *menu, const char *path)
{
  g_autofree char *whole = gadget_effect_labels_dup_path (path, NULL);
  g_autofree char *shown = g_utf8_truncate_middle (whole, MAX_FOLDER_LENGTH);

  gadget_menu_append_name (menu, shown, "session.use-workspace", g_variant_new_string (path));
}

/* Returns a menu of the folders of the last chats, without that of this chat. (transfer full) */
static GMenuModel *
make_recent_folders (GadgetComposerTools *self)
{
  GListModel *sessions = gadget_engine_get_sessions (self->engine);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *current = gadget_session_get_workspace (self->session);
  GMenu *menu = g_menu_new ();
  guint n = 0;

  if (current != NULL)
    g_hash_table_add (seen, g_strdup (current));
  for (guint i = 0; i < g_list_model_get_n_items (sessions) && n < MAX_RECENT_FOLDERS; i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);
      const char *path = gadget_session_get_workspace (session);

      if (path == NULL || !g_hash_table_add (seen, g_strdup (path)))
        continue;
      append_folder (menu, path);
      n++;
    }
  return G_MENU_MODEL (menu);
}

/* Made each time, because the folders of other chats change. */
static void
create_workspace_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  GadgetComposerTools *self = user_data;
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) choice = g_menu_new ();
  g_autoptr (GMenuModel) recent = NULL;

  g_menu_append (choice, _ ("Choose Folder…"), "session.choose-workspace");
  g_menu_append (choice, _ ("No Workspace"), "session.no-workspace");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (choice));
  if (self->engine != NULL && self->session != NULL)
    {
      recent = make_recent_folders (self);
      if (g_menu_model_get_n_items (recent) > 0)
        g_menu_append_section (menu, _ ("Recent Folders"), recent);
    }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
gadget_composer_tools_dispose (GObject *object)
{
  GadgetComposerTools *self = GADGET_COMPOSER_TOOLS (object);

  g_clear_object (&self->engine);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_COMPOSER_TOOLS);

  G_OBJECT_CLASS (gadget_composer_tools_parent_class)->dispose (object);
}

static void
gadget_composer_tools_class_init (GadgetComposerToolsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_composer_tools_dispose;

  signals[MODEL_CHOSEN] = g_signal_new ("model-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  signals[MODE_CHOSEN] = g_signal_new ("mode-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_INT);

  g_type_ensure (GADGET_TYPE_FOLD_LAYOUT);
  g_type_ensure (GADGET_TYPE_TOOLS_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/composer/gadget-composer-tools.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetComposerTools, workspace_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposerTools, workspace_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposerTools, mode_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposerTools, mode_icon);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposerTools, mode_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposerTools, model_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetComposerTools, model_label);
}

static void
gadget_composer_tools_init (GadgetComposerTools *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  gtk_menu_button_set_create_popup_func (self->model_button, create_model_menu_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (self->mode_button, create_mode_menu_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (self->workspace_button, create_workspace_menu_cb, self,
                                         NULL);
}

void
gadget_composer_tools_set_session (GadgetComposerTools *self, GadgetEngine *engine,
                                   GadgetSession *session)
{
  static const char *const names[] = { "notify::workspace", "notify::provider", "notify::model",
                                       "notify::mode" };

  g_return_if_fail (GADGET_IS_COMPOSER_TOOLS (self));

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_func (self->session, update, self);
  follow_providers (self, engine);
  g_set_object (&self->session, session);
  for (guint i = 0; session != NULL && i < G_N_ELEMENTS (names); i++)
    g_signal_connect_object (session, names[i], G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

void
gadget_composer_tools_open_models (GadgetComposerTools *self)
{
  g_return_if_fail (GADGET_IS_COMPOSER_TOOLS (self));
  if (self->session != NULL)
    gtk_menu_button_popup (self->model_button);
}

void
gadget_composer_tools_open_modes (GadgetComposerTools *self)
{
  g_return_if_fail (GADGET_IS_COMPOSER_TOOLS (self));
  if (self->session != NULL)
    gtk_menu_button_popup (self->mode_button);
}
