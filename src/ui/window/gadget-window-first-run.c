/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first run: until a provider is chosen the window shows only that choice, without sidebar and
 * composer. It also ends when a provider, a chat or a default comes from another process. The page
 * is made when it is needed, since the first frame of every start would wait for it. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

gboolean
_gadget_window_is_first_run (GadgetWindow *self)
{
  return self->first_run != NULL
         && gtk_stack_get_visible_child (self->pages) == GTK_WIDGET (self->first_run);
}

static void
use_provider_cb (GadgetWindow *self, const char *id)
{
  _gadget_window_use_provider (GTK_WIDGET (self), id);
}

static void
make_page (GadgetWindow *self)
{
  self->first_run = g_object_new (GADGET_TYPE_FIRST_RUN, NULL);
  g_signal_connect_object (self->first_run, "chosen", G_CALLBACK (use_provider_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_stack_add_child (self->pages, GTK_WIDGET (self->first_run));
}

static void
update (GadgetWindow *self)
{
  const gboolean needed = self->engine != NULL && gadget_first_run_is_needed (self->engine);

  if (needed == _gadget_window_is_first_run (self))
    return;
  if (needed && self->first_run == NULL)
    make_page (self);
  gtk_stack_set_visible_child (self->pages, needed ? GTK_WIDGET (self->first_run) : self->chats);
  _gadget_window_update_actions (self);
  if (needed)
    {
      gadget_first_run_set_engine (self->first_run, self->engine);
      gadget_first_run_focus (self->first_run);
    }
  else
    {
      gadget_chat_focus (self->chat);
    }
}

/* Makes the provider the default, and that of the chat that is shown. */
void
_gadget_window_use_provider (GtkWidget *window, const char *id)
{
  gtk_widget_activate_action (GTK_WIDGET (GADGET_WINDOW (window)->chat), "session.use-provider",
                              "s", id);
}

void
_gadget_window_bind_first_run (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, chats);
}

/* Shows the first-run page if it is needed. The engine must be open. */
void
_gadget_window_begin_first_run (GadgetWindow *self)
{
  GadgetProviderList *providers = gadget_engine_get_providers (self->engine);

  g_signal_connect_object (providers, "items-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (providers, "notify::default-id", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_sessions (self->engine), "items-changed",
                           G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
