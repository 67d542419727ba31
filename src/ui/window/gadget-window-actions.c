/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The win.* actions. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "gadget-about.h"
#include "gadget-find-bar.h"
#include "gadget-shortcuts.h"
#include "ui/common/gadget-shortcut-table.h"
#include "ui/common/gadget-toast.h"
#include "ui/preferences/gadget-preferences.h"
#include "ui/preferences/gadget-provider-dialog.h"
#include "ui/usage/gadget-usage-dialog.h"

#include <glib/gi18n.h>

static void
new_chat_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_window_new_chat (GADGET_WINDOW (widget));
}

static void
new_incognito_chat_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  _gadget_window_new_incognito (GADGET_WINDOW (widget));
}

static void
keep_chat_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  _gadget_window_keep (self, self->session);
}

static void
toggle_sidebar_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  adw_overlay_split_view_set_show_sidebar (
      self->split_view, !adw_overlay_split_view_get_show_sidebar (self->split_view));
}

static void
toggle_activity_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  _gadget_window_toggle_activity (GADGET_WINDOW (widget));
}

static void
search_all_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  if (self->engine != NULL)
    _gadget_window_search (self, NULL);
}

static void
actions_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  _gadget_window_show_ledger (GADGET_WINDOW (widget), NULL);
}

static void
turn_actions_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  _gadget_window_show_ledger (GADGET_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

static void
export_actions_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  _gadget_window_export_ledger (GADGET_WINDOW (widget),
                                g_str_equal (g_variant_get_string (parameter, NULL), "json"));
}

static void
search_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  adw_overlay_split_view_set_show_sidebar (self->split_view, TRUE);
  gadget_library_focus_search (self->library);
}

/* Shows the sidebar first, which has the menu and may be hidden. */
static void
menu_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  if (_gadget_window_is_first_run (self))
    {
      gadget_first_run_open_menu (self->first_run);
      return;
    }
  adw_overlay_split_view_set_show_sidebar (self->split_view, TRUE);
  gadget_library_open_menu (self->library);
}

static void
switch_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  _gadget_window_switch (GADGET_WINDOW (widget));
}

static void
find_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  _gadget_window_uncover_chat (self);
  gadget_find_bar_open (_gadget_window_get_find_bar (self), NULL);
}

static void
find_step_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_find_bar_step (_gadget_window_get_find_bar (GADGET_WINDOW (widget)),
                        g_variant_get_int32 (parameter) > 0);
}

static void
focus_composer_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  _gadget_window_uncover_chat (self);
  gadget_chat_focus (self->chat);
}

static void
focus_ask_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  _gadget_window_uncover_chat (self);
  if (!gadget_chat_focus_ask (self->chat))
    gadget_chat_add_toast (self->chat, gadget_toast_new (_ ("Nothing is waiting for you here")));
}

static void
preferences_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  if (self->engine != NULL)
    adw_dialog_present (ADW_DIALOG (gadget_preferences_new (self->engine)), widget);
}

static void
preferences_page_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);
  GtkWidget *preferences;

  if (self->engine == NULL)
    return;
  preferences = gadget_preferences_new (self->engine);
  adw_preferences_dialog_set_visible_page_name (ADW_PREFERENCES_DIALOG (preferences),
                                                g_variant_get_string (parameter, NULL));
  adw_dialog_present (ADW_DIALOG (preferences), widget);
}

static void
usage_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  if (self->engine != NULL)
    adw_dialog_present (gadget_usage_dialog_new (self->engine), widget);
}

static void
add_provider_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  if (self->engine != NULL)
    gadget_provider_dialog_add (widget, self->engine, _gadget_window_use_provider);
}

static void
choose_model_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_chat_open_models (GADGET_WINDOW (widget)->chat);
}

static void
choose_workspace_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_activate_action (GTK_WIDGET (GADGET_WINDOW (widget)->chat), "session.choose-workspace",
                              NULL);
}

static void
rename_chat_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  if (self->session != NULL)
    _gadget_window_rename (self, self->session);
}

static void
new_window_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_window_new_beside (GADGET_WINDOW (widget), NULL);
}

static void
open_in_window_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  gadget_window_new_beside (self, self->session);
}

static void
export_chat_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  if (self->session != NULL)
    _gadget_window_export (self, self->session, NULL);
}

static void
print_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);
  const char *id = self->session != NULL ? gadget_session_get_id (self->session) : NULL;
  const char *const ids[] = { id, NULL };

  if (id == NULL)
    return;
  if (gadget_engine_find_session (self->engine, id) != NULL)
    _gadget_window_print (self, ids, GADGET_EXPORT_TOOLS | GADGET_EXPORT_ATTACHMENTS);
  else
    gadget_chat_show_toast (self->chat, _ ("There is nothing to print yet."));
}

static void
delete_chat_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetWindow *self = GADGET_WINDOW (widget);

  g_autoptr (GPtrArray) sessions = g_ptr_array_new ();

  if (self->session == NULL)
    return;
  g_ptr_array_add (sessions, self->session);
  _gadget_window_delete (self, sessions);
}

static void
stop_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_chat_stop (GADGET_WINDOW (widget)->chat);
}

static void
stop_all_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_chat_stop_all (GADGET_WINDOW (widget)->chat);
}

static void
go_to_turn_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_chat_go_to_turn (GADGET_WINDOW (widget)->chat, g_variant_get_int32 (parameter));
}

static void
copy_last_answer_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_chat_copy_last_answer (GADGET_WINDOW (widget)->chat);
}

static void
restore_turns_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_activate_action (GTK_WIDGET (GADGET_WINDOW (widget)->chat), "session.restore-turns",
                              NULL);
}

static void
shortcuts_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  adw_dialog_present (ADW_DIALOG (gadget_shortcuts_new ()), widget);
}

static void
about_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  adw_dialog_present (gadget_about_new (), widget);
}

/* The keys of the actions are in ui/common/gadget-shortcut-table.c. */
static const struct
{
  const char *name;
  const char *type;
  GtkWidgetActionActivateFunc activate;
  gboolean of_chats; /* off during the first run, in which no chat is shown */
} actions[] = {
  { "win.new-chat", NULL, new_chat_action, TRUE },
  { "win.new-incognito-chat", NULL, new_incognito_chat_action, TRUE },
  { "win.keep-chat", NULL, keep_chat_action, FALSE },
  { "win.new-window", NULL, new_window_action, FALSE },
  { "win.open-in-window", NULL, open_in_window_action, FALSE },
  { "win.toggle-sidebar", NULL, toggle_sidebar_action, TRUE },
  { "win.toggle-activity", NULL, toggle_activity_action, TRUE },
  { "win.menu", NULL, menu_action, FALSE },
  { "win.switch", NULL, switch_action, TRUE },
  { "win.search", NULL, search_action, TRUE },
  { "win.search-all", NULL, search_all_action, TRUE },
  { "win.actions", NULL, actions_action, TRUE },
  { "win.turn-actions", "s", turn_actions_action, TRUE },
  { "win.export-actions", "s", export_actions_action, TRUE },
  { "win.find", NULL, find_action, TRUE },
  { "win.find-step", "i", find_step_action, TRUE },
  { "win.focus-composer", NULL, focus_composer_action, TRUE },
  { "win.focus-ask", NULL, focus_ask_action, TRUE },
  { "win.preferences", NULL, preferences_action, FALSE },
  { "win.preferences-page", "s", preferences_page_action, FALSE },
  { "win.usage", NULL, usage_action, FALSE },
  { "win.shortcuts", NULL, shortcuts_action, FALSE },
  { "win.copy-last-answer", NULL, copy_last_answer_action, TRUE },
  { "win.go-to-turn", "i", go_to_turn_action, TRUE },
  { "win.restore-turns", NULL, restore_turns_action, FALSE },
  { "win.add-provider", NULL, add_provider_action, FALSE },
  { "win.choose-model", NULL, choose_model_action, TRUE },
  { "win.choose-workspace", NULL, choose_workspace_action, TRUE },
  { "win.rename-chat", NULL, rename_chat_action, TRUE },
  { "win.export-chat", NULL, export_chat_action, TRUE },
  { "win.print", NULL, print_action, TRUE },
  { "win.delete-chat", NULL, delete_chat_action, TRUE },
  { "win.close-chat", NULL, delete_chat_action, FALSE },
  { "win.stop", NULL, stop_action, FALSE },
  { "win.stop-all", NULL, stop_all_action, FALSE },
  { "win.about", NULL, about_action, FALSE },
};

void
_gadget_window_install_actions (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, actions[i].type,
                                     actions[i].activate);
  gadget_shortcut_table_bind (widget_class, "win.");
}

/* Enables the actions for the chat that is shown. */
void
_gadget_window_update_actions (GadgetWindow *self)
{
  const gboolean shown = !_gadget_window_is_first_run (self);
  const gboolean incognito = self->session != NULL && gadget_session_get_incognito (self->session);

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (actions[i].of_chats)
      gtk_widget_action_set_enabled (GTK_WIDGET (self), actions[i].name, shown);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.export-chat", shown && !incognito);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.print", shown && !incognito);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.delete-chat", shown && !incognito);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.close-chat", incognito);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.keep-chat",
                                 incognito && gadget_session_get_n_turns (self->session) > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.stop",
                                 self->session != NULL
                                     && gadget_session_is_working (self->session));
  /* A chat that is not stored has nothing yet that another window could show. */
  gtk_widget_action_set_enabled (
      GTK_WIDGET (self), "win.open-in-window",
      self->session != NULL
          && gadget_engine_find_session (self->engine, gadget_session_get_id (self->session))
                 != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.restore-turns",
                                 shown && self->session != NULL
                                     && gadget_session_get_has_removed (self->session)
                                     && gadget_session_get_active_run (self->session) == NULL);
}
