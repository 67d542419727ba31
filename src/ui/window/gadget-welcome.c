/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-welcome.h"

#include "secrets/gadget-secrets.h"

#include <glib/gi18n.h>

struct _GadgetWelcome
{
  AdwBin parent_instance;

  GtkLabel *title;
  GtkWidget *suggestions;
  GtkWidget *command_row;
  GtkWidget *keyring_notice;

  GadgetEngine *engine;
};

G_DEFINE_FINAL_TYPE (GadgetWelcome, gadget_welcome, ADW_TYPE_BIN)

static void
update_command (GadgetWelcome *self)
{
  gtk_widget_set_visible (self->command_row, self->engine != NULL
                                                 && gadget_commands_get_offered (
                                                     gadget_engine_get_commands (self->engine)));
}

static void
update_keyring_notice (GadgetWelcome *self)
{
  gtk_widget_set_visible (self->keyring_notice, self->engine != NULL
                                                    && !gadget_secrets_get_persistent (
                                                        gadget_engine_get_secrets (self->engine)));
}

static void
release (GadgetWelcome *self)
{
  if (self->engine != NULL)
    g_signal_handlers_disconnect_by_data (gadget_engine_get_secrets (self->engine), self);
  g_clear_object (&self->engine);
}

static void
gadget_welcome_dispose (GObject *object)
{
  release (GADGET_WELCOME (object));
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_WELCOME);

  G_OBJECT_CLASS (gadget_welcome_parent_class)->dispose (object);
}

static void
gadget_welcome_class_init (GadgetWelcomeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_welcome_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-welcome.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetWelcome, title);
  gtk_widget_class_bind_template_child (widget_class, GadgetWelcome, suggestions);
  gtk_widget_class_bind_template_child (widget_class, GadgetWelcome, command_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetWelcome, keyring_notice);
}

static void
gadget_welcome_init (GadgetWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
gadget_welcome_new (void)
{
  return g_object_new (GADGET_TYPE_WELCOME, NULL);
}

/**
 * gadget_welcome_set_engine:
 * @engine: (nullable): an open engine
 */
void
gadget_welcome_set_engine (GadgetWelcome *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_WELCOME (self));

  release (self);
  g_set_object (&self->engine, engine);
  if (engine != NULL)
    g_signal_connect_object (gadget_engine_get_secrets (engine), "notify::persistent",
                             G_CALLBACK (update_keyring_notice), self, G_CONNECT_SWAPPED);
  update_command (self);
  update_keyring_notice (self);
}

void
gadget_welcome_set_incognito (GadgetWelcome *self, gboolean incognito)
{
  g_return_if_fail (GADGET_IS_WELCOME (self));
  gtk_label_set_label (self->title, incognito ? _ ("Incognito Chat") : _ ("New Chat"));
}
