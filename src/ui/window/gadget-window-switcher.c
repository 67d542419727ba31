/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The quick switcher of the window, made each time it is asked for. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "ui/switcher/gadget-switcher.h"

static void
open_session_cb (GadgetWindow *self, GadgetSession *session)
{
  gadget_window_open_session (self, session);
  gadget_chat_focus (self->chat);
}

static void
activate_cb (GadgetWindow *self, const char *action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (g_action_parse_detailed_name (action, &name, &target, NULL))
    gtk_widget_activate_action_variant (GTK_WIDGET (self), name, target);
}

void
_gadget_window_switch (GadgetWindow *self)
{
  GtkWidget *switcher;

  if (self->engine == NULL)
    return;
  switcher = gadget_switcher_new (self->engine);
  g_signal_connect_object (switcher, "open-session", G_CALLBACK (open_session_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (switcher, "activate", G_CALLBACK (activate_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (switcher, "search", G_CALLBACK (_gadget_window_search), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (ADW_DIALOG (switcher), GTK_WIDGET (self));
}
