/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window and its keys.
 *
 * Esc is handled in the bubble phase: whatever is on top of the chat (an input method, a popover, a
 * dialog, the sidebar when it covers the chat) gets it first. It is handled at the toast overlay as
 * well, since that takes Esc to dismiss its toast. The release of Esc is watched in the capture
 * phase, without consuming it.
 *
 * Esc with Shift stops at the first press, whatever is on top. It is handled in the capture phase,
 * and with GTK_LIMIT_NONE, because a dialog limits the propagation of its keys to itself. A popover
 * has a grab, so its keys do not reach the window at all, and it closes at any Esc: each popover
 * gets a capture controller of its own when the focus enters it. The keys that close are handled in
 * the same way.
 *
 * Under a dialog the other keys of the window do nothing: the dialog has the focus, and keeps its
 * keys to itself. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"
#include "gadget-menu-names.h"
#include "gadget-window-private.h"

#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-settings.h"
#include "ui/common/gadget-toast.h"
#include "ui/transcript/gadget-transcript.h"

#include <glib/gi18n.h>

enum
{
  QUIT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetWindow, gadget_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- Keys ------------------------------------------------------------------------------------- */

/* Closes the dialog from the window: the dialog gets Esc only if the focus is inside, and the focus
 * widget may have become insensitive or gone. */
static gboolean
close_dialog (GadgetWindow *self)
{
  AdwDialog *dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self));

  if (dialog != NULL)
    adw_dialog_close (dialog);
  return dialog != NULL;
}

static gboolean
press_escape (GadgetWindow *self)
{
  if (close_dialog (self) || gadget_library_press_escape (self->library))
    return GDK_EVENT_STOP;
  if (_gadget_window_close_covering_inspector (self))
    return GDK_EVENT_STOP;
  if (adw_overlay_split_view_get_collapsed (self->split_view)
      && adw_overlay_split_view_get_show_sidebar (self->split_view))
    {
      adw_overlay_split_view_set_show_sidebar (self->split_view, FALSE);
      return GDK_EVENT_STOP;
    }
  if (_gadget_window_stop_ledger (self))
    return GDK_EVENT_STOP;
  if (_gadget_window_leave_page (self))
    {
      gadget_chat_focus (self->chat);
      return GDK_EVENT_STOP;
    }
  return gadget_chat_press_escape (self->chat);
}

static gboolean
is_escape (guint keyval, GdkModifierType state, GdkModifierType modifiers)
{
  const GdkModifierType mask = GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK;

  return keyval == GDK_KEY_Escape && (state & mask) == modifiers;
}

static gboolean
key_pressed_cb (GadgetWindow *self, guint keyval, guint keycode, GdkModifierType state)
{
  return is_escape (keyval, state, 0) ? press_escape (self) : GDK_EVENT_PROPAGATE;
}

/* Tells whether there is a dialog and the focus is not in it, because its focus widget is gone. */
static gboolean
lacks_focus (GadgetWindow *self, AdwDialog *dialog)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return dialog != NULL && (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (dialog)));
}

/* Ctrl+W closes what is on top, a dialog or the window. Ctrl+Q quits through a signal, because
 * gtk_window_close () would close the dialog instead. */
static gboolean
press_closing_key (GadgetWindow *self, GtkEventController *controller)
{
  GdkEvent *event = gtk_event_controller_get_current_event (controller);

  if (gdk_key_event_matches (event, GDK_KEY_q, GDK_CONTROL_MASK) != GDK_KEY_MATCH_NONE)
    g_signal_emit (self, signals[QUIT], 0);
  else if (gdk_key_event_matches (event, GDK_KEY_w, GDK_CONTROL_MASK) == GDK_KEY_MATCH_NONE)
    return GDK_EVENT_PROPAGATE;
  else if (!close_dialog (self))
    gtk_window_close (GTK_WINDOW (self));
  return GDK_EVENT_STOP;
}

static gboolean
key_captured_cb (GadgetWindow *self, guint keyval, guint keycode, GdkModifierType state,
                 GtkEventController *controller)
{
  AdwDialog *dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self));

  if (is_escape (keyval, state, GDK_SHIFT_MASK))
    return gadget_chat_stop (self->chat);
  if (is_escape (keyval, state, GDK_SHIFT_MASK | GDK_CONTROL_MASK))
    {
      gadget_chat_stop_all (self->chat);
      return GDK_EVENT_STOP;
    }
  if (press_closing_key (self, controller))
    return GDK_EVENT_STOP;
  if (!lacks_focus (self, dialog) || is_escape (keyval, state, 0))
    return GDK_EVENT_PROPAGATE;
  gtk_widget_child_focus (GTK_WIDGET (dialog), GTK_DIR_TAB_FORWARD);
  return GDK_EVENT_STOP;
}

static void
key_released_cb (GadgetWindow *self, guint keyval)
{
  if (keyval == GDK_KEY_Escape)
    gadget_chat_release_escape (self->chat);
}

/* Counts losing the keyboard as a release of Esc, because the release would not be seen. The next
 * start shows the chat of the window that was used last. */
static void
active_changed_cb (GadgetWindow *self)
{
  if (!gtk_window_is_active (GTK_WINDOW (self)))
    gadget_chat_release_escape (self->chat);
  else if (self->session != NULL)
    _gadget_window_record_again (self);
}

/* The search entry consumes Esc even when it has nothing to clear, and passes it on here. */
static void
escape_cb (GadgetWindow *self)
{
  press_escape (self);
}

static void
add_escape_controller (GadgetWindow *self, GtkWidget *widget)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_BUBBLE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, controller);
}

static void
add_capture_controller (GadgetWindow *self, GtkWidget *widget)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_limit (controller, GTK_LIMIT_NONE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (key_captured_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (controller, "key-released", G_CALLBACK (key_released_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, controller);
}

static void
focus_changed_cb (GadgetWindow *self)
{
  static const char key[] = "gadget-window-captures";

  for (GtkWidget *widget = gtk_window_get_focus (GTK_WINDOW (self)); widget != NULL;
       widget = gtk_widget_get_parent (widget))
    if (GTK_IS_POPOVER (widget) && g_object_get_data (G_OBJECT (widget), key) == NULL)
      {
        g_object_set_data (G_OBJECT (widget), key, self);
        add_capture_controller (self, widget);
      }
}

static void
add_key_controllers (GadgetWindow *self)
{
  add_escape_controller (self, GTK_WIDGET (self));
  add_escape_controller (self, gadget_chat_get_toasts (self->chat));
  add_escape_controller (self, GTK_WIDGET (self->cover_toasts));
  add_capture_controller (self, GTK_WIDGET (self));
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (focus_changed_cb), NULL);
}

/* --- The chat --------------------------------------------------------------------------------- */

static void
set_title (GadgetWindow *self, const char *title, const char *subtitle)
{
  adw_window_title_set_title (self->title, title);
  adw_window_title_set_subtitle (self->title, subtitle);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

void
_gadget_window_update_title (GadgetWindow *self)
{
  g_autofree char *workspace = NULL;
  g_autofree char *model = NULL;
  g_autofree char *subtitle = NULL;

  if (self->session == NULL)
    return;
  if (_gadget_window_is_searching (self))
    {
      set_title (self, _ ("Search"), _ ("All chats"));
      return;
    }
  if (_gadget_window_shows_ledger (self))
    {
      set_title (self, _ ("Actions"), _ ("All chats"));
      return;
    }
  workspace = gadget_labels_workspace (gadget_session_get_workspace (self->session));
  model = gadget_labels_model (gadget_engine_get_providers (self->engine), self->session);
  subtitle = g_strdup_printf (
      "%s · %s", gadget_session_get_incognito (self->session) ? _ ("Not stored") : workspace,
      model);
  set_title (self, gadget_labels_title (self->session), subtitle);
}

static void
chosen_cb (GadgetWindow *self, GadgetSession *session)
{
  gadget_window_open_session (self, session);
  _gadget_window_uncover_chat (self);
}

static void
opened_cb (GadgetWindow *self)
{
  _gadget_window_leave_page (self);
  _gadget_window_uncover_chat (self);
  gadget_chat_focus (self->chat);
}

static void
open_session_cb (GadgetWindow *self, GadgetSession *session)
{
  gadget_window_open_session (self, session);
}

static void
delete_cb (GadgetWindow *self, GPtrArray *sessions)
{
  _gadget_window_delete (self, sessions);
}

static void
duplicate_cb (GadgetWindow *self, GadgetSession *session)
{
  _gadget_window_duplicate (self, session);
}

static void
folder_removed_cb (GadgetWindow *self, GadgetChatFolder *folder)
{
  _gadget_window_offer_folder (self, folder);
}

static void
folder_failed_cb (GadgetWindow *self, const GError *error)
{
  const char *text = _ ("The folder could not be saved yet.");

  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND))
    text = _ ("This folder was deleted elsewhere.");
  _gadget_window_add_toast_in_front (self, text);
}

static void
export_cb (GadgetWindow *self, GPtrArray *sessions)
{
  if (sessions->len == 1)
    _gadget_window_export (self, g_ptr_array_index (sessions, 0), NULL);
  else
    _gadget_window_export (self, self->session, sessions);
}

static void
keep_cb (GadgetWindow *self, GadgetSession *session)
{
  _gadget_window_keep (self, session);
}

static void
open_in_window_cb (GadgetWindow *self, GadgetSession *session)
{
  gadget_window_new_beside (self, session);
}

static void
naming_failed_cb (GadgetWindow *self)
{
  _gadget_window_add_toast_in_front (self, _ ("The model gave no title."));
}

/* The toast is announced, also while a dialog covers it. */
static void
import_ended_cb (GadgetWindow *self, const GadgetImported *imported)
{
  const guint n = imported->report != NULL ? imported->report->n_added : 0;
  g_autofree char *text = NULL;

  if (imported->report != NULL)
    text = g_strdup_printf (ngettext ("%'u chat was imported", "%'u chats were imported", n), n);
  else
    text = g_strdup (_ ("Nothing was imported"));
  _gadget_window_add_toast_in_front (self, text);
}

static void
go_to_origin_cb (GadgetWindow *self, GadgetSession *branch)
{
  GadgetSession *origin =
      gadget_engine_find_session (self->engine, gadget_session_get_origin_id (branch));
  const char *turn_id = gadget_session_get_origin_turn_id (branch);

  if (origin == NULL)
    return;
  if (turn_id != NULL && origin == self->session)
    gadget_chat_show_turn (self->chat, turn_id, NULL);
  else if (turn_id != NULL)
    gadget_transcript_begin_at (origin, turn_id, NULL);
  gadget_window_open_session (self, origin);
  _gadget_window_uncover_chat (self);
}

/* --- Overrides -------------------------------------------------------------------------------- */

static void
gadget_window_dispose (GObject *object)
{
  GadgetWindow *self = GADGET_WINDOW (object);

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      gadget_engine_release_session (self->engine, self->session);
      gadget_engine_set_viewed (self->engine, self, NULL);
    }
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_WINDOW);
  g_clear_handle_id (&self->recover_id, g_source_remove);
  g_clear_pointer (&self->recovered, g_ptr_array_unref);
  g_clear_pointer (&self->recorded_chat, g_free);
  g_clear_pointer (&self->deleted, g_ptr_array_unref);
  g_clear_object (&self->session);
  g_clear_object (&self->engine);
  g_clear_object (&self->settings);
  g_clear_object (&self->find_section);

  G_OBJECT_CLASS (gadget_window_parent_class)->dispose (object);
}

static void
gadget_window_class_init (GadgetWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_window_dispose;

  /**
   * GadgetWindow::quit:
   *
   * The user wants to quit the program.
   */
  signals[QUIT] = g_signal_new ("quit", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);

  _gadget_window_install_actions (widget_class);
  _gadget_window_install_failure (widget_class);

  g_type_ensure (GADGET_TYPE_LIBRARY);
  g_type_ensure (GADGET_TYPE_CHAT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-window.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, split_view);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, library);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, chat);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, title);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, chat_menu);
  _gadget_window_bind_activity (widget_class);
  _gadget_window_bind_recovered (widget_class);
  _gadget_window_bind_first_run (widget_class);
  _gadget_window_bind_search (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, opened_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_session_cb);
  gtk_widget_class_bind_template_callback (widget_class, delete_cb);
  gtk_widget_class_bind_template_callback (widget_class, go_to_origin_cb);
  gtk_widget_class_bind_template_callback (widget_class, duplicate_cb);
  gtk_widget_class_bind_template_callback (widget_class, folder_removed_cb);
  gtk_widget_class_bind_template_callback (widget_class, export_cb);
  gtk_widget_class_bind_template_callback (widget_class, keep_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_in_window_cb);
  gtk_widget_class_bind_template_callback (widget_class, escape_cb);
}

static void
gadget_window_init (GadgetWindow *self)
{
  g_autoptr (GtkWindowGroup) group = gtk_window_group_new ();

  gtk_widget_init_template (GTK_WIDGET (self));

  self->deleted = g_ptr_array_new_with_free_func (g_object_unref);
  add_key_controllers (self);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_changed_cb), NULL);
  /* What is modal to another window, such as a file dialog, leaves this one free. */
  gtk_window_group_add_window (group, GTK_WINDOW (self));
  gadget_menu_names_watch (GTK_WINDOW (self));
  _gadget_window_bind_settings (self);
  gadget_chat_focus (self->chat);
}

/* --- Public ----------------------------------------------------------------------------------- */

/**
 * gadget_window_new:
 * @application: (nullable): %NULL in tests
 */
GadgetWindow *
gadget_window_new (GtkApplication *application)
{
  return g_object_new (GADGET_TYPE_WINDOW, "application", application, NULL);
}

void
gadget_window_set_clock (GadgetWindow *self, GadgetClock *clock)
{
  g_return_if_fail (GADGET_IS_WINDOW (self));
  gadget_chat_set_clock (self->chat, clock);
}

/**
 * gadget_window_set_bus:
 * @bus: (nullable): the session bus; to be set before the engine
 */
void
gadget_window_set_bus (GadgetWindow *self, GDBusConnection *bus)
{
  g_return_if_fail (GADGET_IS_WINDOW (self));
  gadget_chat_set_bus (self->chat, bus);
}

/**
 * gadget_window_set_engine:
 * @engine: an open engine; it is set once
 *
 * Shows a new chat. The first window of the engine restores what an earlier process left behind,
 * and shows the chat that it showed.
 */
void
gadget_window_set_engine (GadgetWindow *self, GadgetEngine *engine)
{
  GadgetProviderList *providers;
  gboolean first;

  g_return_if_fail (GADGET_IS_WINDOW (self) && GADGET_IS_ENGINE (engine) && self->engine == NULL);

  self->engine = g_object_ref (engine);
  first = _gadget_window_is_first (self, engine);
  /* Recovers before a draft is read, because a recovered draft comes with it. */
  if (first)
    _gadget_window_recover (self);
  gadget_chat_set_engine (self->chat, engine);
  if (first)
    _gadget_window_restore_chat (self);
  gadget_window_new_chat (self);
  gadget_library_set_engine (self->library, engine);
  _gadget_window_begin_first_run (self);
  g_signal_connect_object (engine, "naming-failed", G_CALLBACK (naming_failed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_chat_folders (engine), "failed",
                           G_CALLBACK (folder_failed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_imports (engine), "ended",
                           G_CALLBACK (import_ended_cb), self, G_CONNECT_SWAPPED);
  providers = gadget_engine_get_providers (engine);
  g_signal_connect_object (providers, "items-changed", G_CALLBACK (_gadget_window_update_title),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (providers, "notify::default-id",
                           G_CALLBACK (_gadget_window_update_title), self, G_CONNECT_SWAPPED);
}

void
gadget_window_set_failure (GadgetWindow *self, const GError *error)
{
  g_return_if_fail (GADGET_IS_WINDOW (self) && error != NULL);
  self->failed = TRUE;
  gadget_chat_set_failure (self->chat, error);
}

gboolean
gadget_window_is_waiting (GadgetWindow *self)
{
  g_return_val_if_fail (GADGET_IS_WINDOW (self), FALSE);
  return self->engine == NULL && !self->failed;
}

/* Holds the session that is shown, so that other processes do not delete it, and releases the one
 * before. */
static void
hold_session (GadgetWindow *self, GadgetSession *session)
{
  gadget_engine_hold_session (self->engine, session);
  gadget_engine_set_viewed (self->engine, self, session);
  if (self->session != NULL)
    gadget_engine_release_session (self->engine, self->session);
  g_set_object (&self->session, session);
}

static void
turns_changed_cb (GadgetWindow *self)
{
  _gadget_window_record_chat (self);
  _gadget_window_update_actions (self);
}

/* An incognito chat is kept, here or in another window. It was not held before. */
static void
kept_cb (GadgetWindow *self)
{
  gadget_engine_hold_session (self->engine, self->session);
  _gadget_window_record_chat (self);
  _gadget_window_update_actions (self);
}

/* The user deletes or closes the chat, here or in another window. */
static void
deletion_cb (GadgetWindow *self)
{
  const GadgetDeletionState deletion = gadget_session_get_deletion (self->session);

  if (deletion == GADGET_DELETION_PENDING
      || (deletion == GADGET_DELETION_DONE && gadget_session_get_incognito (self->session)))
    _gadget_window_show_new_chat (self);
}

/**
 * gadget_window_open_session:
 * @session: the chat to show; nothing happens if it is deleted or about to be
 */
void
gadget_window_open_session (GadgetWindow *self, GadgetSession *session)
{
  static const char *const names[] = { "notify::title", "notify::workspace", "notify::provider",
                                       "notify::model", "notify::incognito" };

  g_return_if_fail (GADGET_IS_WINDOW (self) && GADGET_IS_SESSION (session));

  _gadget_window_leave_page (self);
  if (session == self->session || gadget_session_get_deletion (session) != GADGET_DELETION_NONE)
    return;
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  hold_session (self, session);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_signal_connect_object (session, names[i], G_CALLBACK (_gadget_window_update_title), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::has-removed",
                           G_CALLBACK (_gadget_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::active-run",
                           G_CALLBACK (_gadget_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::remote-run",
                           G_CALLBACK (_gadget_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::incognito", G_CALLBACK (kept_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "items-changed", G_CALLBACK (turns_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::deletion", G_CALLBACK (deletion_cb), self,
                           G_CONNECT_SWAPPED);
  gadget_chat_set_session (self->chat, session);
  _gadget_window_update_activity (self);
  gadget_library_set_current (self->library, session);
  _gadget_window_update_title (self);
  _gadget_window_update_actions (self);
  _gadget_window_record_chat (self);
}

/* Tells whether a chat is empty and not in the store. A chat that lost all its turns is not new,
 * since it may get them back; nor is a deleted one. */
static gboolean
is_new (GadgetWindow *self, GadgetSession *session)
{
  return gadget_session_get_loaded (session) && gadget_session_get_n_turns (session) == 0
         && gadget_session_get_deletion (session) == GADGET_DELETION_NONE
         && !gadget_session_get_incognito (session)
         && gadget_engine_find_session (self->engine, gadget_session_get_id (session)) == NULL;
}

/* Gives a new chat the mode and the folder from the settings. Its model, and its folder when the
 * settings have none, are those of the chat that was shown. @shown: (nullable) */
void
_gadget_window_begin_chat (GadgetWindow *self, GadgetSession *session, GadgetSession *shown)
{
  g_autofree char *folder = gadget_settings_dup_folder (self->settings);

  gadget_session_set_mode (session, gadget_settings_get_mode (self->settings));
  if (shown != NULL)
    gadget_session_set_model (session, gadget_session_get_provider (shown),
                              gadget_session_get_model (shown));
  if (folder != NULL)
    gadget_session_set_workspace (session, folder);
  else if (shown != NULL)
    gadget_session_set_workspace (session, gadget_session_get_workspace (shown));
}

/* Shows a new chat, unless the one that is shown is new. Leaves the focus where it is. */
void
_gadget_window_show_new_chat (GadgetWindow *self)
{
  g_autoptr (GadgetSession) session = NULL;

  _gadget_window_leave_page (self);
  if (self->session != NULL && is_new (self, self->session))
    return;
  session = gadget_engine_new_session (self->engine);
  _gadget_window_begin_chat (self, session, self->session);
  gadget_window_open_session (self, session);
}

/**
 * gadget_window_new_chat:
 *
 * Shows a new chat and gives the composer the focus. Keeps the chat that is shown if it is new.
 * Before there is an engine, this is remembered.
 */
void
gadget_window_new_chat (GadgetWindow *self)
{
  g_return_if_fail (GADGET_IS_WINDOW (self));

  if (self->engine == NULL)
    {
      self->asked_for_chat = TRUE;
      return;
    }
  _gadget_window_show_new_chat (self);
  _gadget_window_uncover_chat (self);
  gadget_chat_focus (self->chat);
}

GadgetSession *
gadget_window_get_session (GadgetWindow *self)
{
  g_return_val_if_fail (GADGET_IS_WINDOW (self), NULL);
  return self->session;
}
