/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What windows have to do with each other. All have the same engine and the same GadgetSession of a
 * chat, so they show the same without knowing of each other; what is told here is the rest: how the
 * next window looks, which one restores what an earlier process left behind, and which one tells of
 * what is no window's own. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"
#include "gadget-window-private.h"

#include "ui/common/gadget-settings.h"
#include "ui/common/gadget-toast.h"
#include "ui/common/gadget-ui.h"

static const struct
{
  const char *key;
  const char *property;
} sizes[] = {
  { "window-width", "default-width" },
  { "window-height", "default-height" },
  { "window-maximized", "maximized" },
};

/* The settings are those of the window that was changed or closed last; another one keeps its
 * own. */
void
_gadget_window_bind_settings (GadgetWindow *self)
{
  /* Without settings the window does not remember its size. */
  self->settings = gadget_settings_new ();
  for (guint i = 0; self->settings != NULL && i < G_N_ELEMENTS (sizes); i++)
    g_settings_bind (self->settings, sizes[i].key, self, sizes[i].property,
                     G_SETTINGS_BIND_DEFAULT | G_SETTINGS_BIND_GET_NO_CHANGES);
  _gadget_window_restore_sides (self);
}

/* Lets the next window begin with the size and the sides of this one. */
static void
store_settings (GadgetWindow *self)
{
  if (self->settings == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    g_object_notify (G_OBJECT (self), sizes[i].property);
  _gadget_window_store_sides (self);
}

/* Tells whether no other window has the engine. */
gboolean
_gadget_window_is_first (GadgetWindow *self, GadgetEngine *engine)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (window != GTK_WIDGET (self) && GADGET_IS_WINDOW (window)
          && GADGET_WINDOW (window)->engine == engine)
        return FALSE;
    }
  return TRUE;
}

/* Each window hears of what the engine does; the one that is used tells of it. */
void
_gadget_window_add_toast_in_front (GadgetWindow *self, const char *text)
{
  if (gadget_ui_is_in_front (GTK_WIDGET (self)))
    gadget_chat_add_toast (self->chat, gadget_toast_new (text));
}

/**
 * gadget_window_new_beside:
 * @session: (nullable): the chat to show; %NULL for a new one
 *
 * Shows another window of the same application and engine.
 *
 * Returns: (transfer none): the window
 */
GadgetWindow *
gadget_window_new_beside (GadgetWindow *self, GadgetSession *session)
{
  GadgetWindow *window;

  g_return_val_if_fail (GADGET_IS_WINDOW (self), NULL);
  g_return_val_if_fail (session == NULL || self->engine != NULL, NULL);

  store_settings (self);
  window = gadget_window_new (gtk_window_get_application (GTK_WINDOW (self)));
  gadget_window_set_clock (window, self->chat->clock);
  if (self->engine != NULL)
    {
      /* The chat is shown where it is scrolled to here. */
      _gadget_chat_keep_position (self->chat);
      gadget_window_set_bus (window, self->chat->bus);
      gadget_window_set_engine (window, self->engine);
      _gadget_window_begin_chat (window, window->session, self->session);
    }
  if (session != NULL)
    gadget_window_open_session (window, session);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

/**
 * gadget_window_save_state:
 * @reason: why the window goes. After %GADGET_STOP_CLOSED the next start shows a new chat,
 *   otherwise the chat that is shown now
 *
 * Saves which chat the next start shows, the position of this one, and what the next window looks
 * like. Chats whose deletion could still be undone here are deleted. To be called before the window
 * is closed, or the engine.
 */
void
gadget_window_save_state (GadgetWindow *self, GadgetStopReason reason)
{
  g_return_if_fail (GADGET_IS_WINDOW (self));

  if (self->engine != NULL && reason == GADGET_STOP_CLOSED)
    _gadget_window_forget_chat (self);
  _gadget_chat_keep_position (self->chat);
  store_settings (self);
  _gadget_window_end_deletions (self);
}
