/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-first-run.h"

#include "ui/preferences/gadget-provider-chooser.h"
#include "ui/preferences/gadget-provider-dialog.h"

struct _GadgetFirstRun
{
  AdwBin parent_instance;

  GtkMenuButton *menu_button;
  GadgetProviderChooser *chooser;

  GadgetEngine *engine;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetFirstRun, gadget_first_run, ADW_TYPE_BIN)

static void
choose (GtkWidget *self, const char *id)
{
  g_signal_emit (self, signals[CHOSEN], 0, id);
}

static void
chosen_cb (GadgetFirstRun *self, const char *id)
{
  choose (GTK_WIDGET (self), id);
}

static void
service_cb (GadgetFirstRun *self, const GadgetService *service)
{
  gadget_provider_dialog_add_service (GTK_WIDGET (self), self->engine, service, choose);
}

static void
gadget_first_run_dispose (GObject *object)
{
  GadgetFirstRun *self = GADGET_FIRST_RUN (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_FIRST_RUN);
  g_clear_object (&self->engine);

  G_OBJECT_CLASS (gadget_first_run_parent_class)->dispose (object);
}

static void
gadget_first_run_class_init (GadgetFirstRunClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_first_run_dispose;

  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (GADGET_TYPE_PROVIDER_CHOOSER);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-first-run.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetFirstRun, menu_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetFirstRun, chooser);
  gtk_widget_class_bind_template_callback (widget_class, chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, service_cb);
}

static void
gadget_first_run_init (GadgetFirstRun *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gadget_provider_chooser_show_guide (self->chooser);
}

/* --- Public ----------------------------------------------------------------------------------- */

/**
 * gadget_first_run_is_needed:
 * @engine: an open engine
 *
 * Returns: whether no default provider was chosen, no provider was added and there are no chats
 */
gboolean
gadget_first_run_is_needed (GadgetEngine *engine)
{
  GadgetProviderList *providers;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), FALSE);

  providers = gadget_engine_get_providers (engine);
  return !gadget_provider_list_get_has_default (providers)
         && g_list_model_get_n_items (G_LIST_MODEL (providers)) <= 1
         && g_list_model_get_n_items (gadget_engine_get_sessions (engine)) == 0;
}

void
gadget_first_run_set_engine (GadgetFirstRun *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_FIRST_RUN (self) && GADGET_IS_ENGINE (engine));

  g_set_object (&self->engine, engine);
  gadget_provider_chooser_set_engine (self->chooser, engine);
  gadget_provider_chooser_search (self->chooser, NULL);
}

void
gadget_first_run_open_menu (GadgetFirstRun *self)
{
  g_return_if_fail (GADGET_IS_FIRST_RUN (self));
  gtk_menu_button_popup (self->menu_button);
}

void
gadget_first_run_focus (GadgetFirstRun *self)
{
  g_return_if_fail (GADGET_IS_FIRST_RUN (self));
  gtk_widget_child_focus (GTK_WIDGET (self->chooser), GTK_DIR_TAB_FORWARD);
}
