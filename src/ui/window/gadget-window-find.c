/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finding text in the chat: the actions, and the options in the menu of the chat while the find bar
 * has no room for its own menu. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "gadget-find-bar.h"

#include <glib/gi18n.h>

/* The options are the section before the last one. */
static void
update_menu (GadgetWindow *self)
{
  GMenu *menu = G_MENU (gtk_menu_button_get_menu_model (self->chat_menu));
  gboolean narrow;
  gboolean wanted;

  g_object_get (self->find_bar, "narrow", &narrow, NULL);
  wanted = narrow && gtk_widget_get_visible (GTK_WIDGET (self->find_bar));
  if (wanted && self->find_section == NULL)
    {
      self->find_section = g_menu_new ();
      g_menu_append (self->find_section, _ ("Match Case"), "find.match-case");
      g_menu_append (self->find_section, _ ("Whole Words"), "find.whole-words");
      g_menu_insert_section (menu, 1, NULL, G_MENU_MODEL (self->find_section));
    }
  else if (!wanted && self->find_section != NULL)
    {
      g_menu_remove (menu, 1);
      g_clear_object (&self->find_section);
    }
}

GadgetFindBar *
_gadget_window_get_find_bar (GadgetWindow *self)
{
  if (self->find_bar == NULL)
    {
      self->find_bar = gadget_chat_get_find_bar (self->chat);
      gtk_widget_insert_action_group (GTK_WIDGET (self), "find",
                                      gadget_find_bar_get_actions (self->find_bar));
      g_signal_connect_object (self->find_bar, "notify::narrow", G_CALLBACK (update_menu), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (self->find_bar, "notify::visible", G_CALLBACK (update_menu), self,
                               G_CONNECT_SWAPPED);
    }
  return self->find_bar;
}

void
gadget_window_find (GadgetWindow *self, GadgetSession *session, const char *query,
                    const char *turn_id, int item, GadgetRowText text, gsize offset)
{
  g_return_if_fail (GADGET_IS_WINDOW (self) && GADGET_IS_SESSION (session) && query != NULL
                    && turn_id != NULL);

  gadget_window_open_session (self, session);
  _gadget_window_uncover_chat (self);
  gadget_find_bar_open_at (_gadget_window_get_find_bar (self), query, turn_id, item, text, offset);
}
