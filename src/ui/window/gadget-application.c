/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The application object: it opens the engine and shows the windows, which all have that engine;
 * how the process ends is in gadget-application-leaving.c. All of it runs on the main thread.
 *
 * The first window is shown, and the engine is opened after its first frame. When the process
 * was started by a call over the session bus there is no window, and the engine is opened for that
 * call. */

#define G_LOG_DOMAIN "gadget"

#include "config.h"

#include "gadget-application-private.h"

#include "ui/common/gadget-settings.h"
#include "ui/common/gadget-ui.h"
#include "ui/composer/gadget-picture-shrink.h"

#include <glib/gi18n.h>

/* The exit status for arguments that are not understood; gadget-cli uses the same one. */
#define EXIT_USAGE 2

/* How long a process without a window stays after its last hold is released. */
#define UNUSED_MS 10000

G_DEFINE_FINAL_TYPE (GadgetApplication, gadget_application, ADW_TYPE_APPLICATION)

/* --- Opening ---------------------------------------------------------------------------------- */

GadgetWindow *
_gadget_application_get_window (GadgetApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  return window != NULL ? GADGET_WINDOW (window) : NULL;
}

static void
attach_window (gpointer window, gpointer user_data)
{
  GadgetApplication *self = user_data;

  if (!gadget_window_is_waiting (window))
    return;
  if (!self->open)
    {
      gadget_window_set_failure (window, self->failure);
      return;
    }
  gadget_window_set_bus (window, g_application_get_dbus_connection (G_APPLICATION (self)));
  gadget_window_set_engine (window, self->engine);
}

/* Gives the engine, or the reason why there is none, to the windows that wait for it. */
static void
attach_windows (GadgetApplication *self)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));

  if (self->leaving || windows == NULL)
    return;
  g_list_foreach (windows, attach_window, self);
  if (self->open)
    _gadget_application_watch_backups (self);
}

static void
opened_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  gadget_engine_open_finish (GADGET_ENGINE (object), result, &error);
  self->open = error == NULL;
  if (self->control != NULL && !self->leaving)
    gadget_control_end_opening (self->control, error);
  if (error != NULL)
    {
      g_message ("the engine cannot be opened: %s", error->message);
      g_clear_error (&self->failure);
      self->failure = g_error_copy (error);
    }
  attach_windows (self);
  g_application_release (G_APPLICATION (self));
}

static void
open_engine (GadgetApplication *self)
{
  if (self->opening || self->leaving)
    return;
  self->opening = TRUE;
  /* Without a window nothing else keeps the process alive. */
  g_application_hold (G_APPLICATION (self));
  gadget_engine_open_async (self->engine, opened_cb, g_object_ref (self));
}

static void
open_cb (gpointer user_data)
{
  GadgetApplication *self = user_data;

  self->open_id = 0;
  if (self->open || self->failure != NULL)
    attach_windows (self);
  else
    open_engine (self);
}

/* Opening waits for the first frame, because everything before it delays it. */
static gboolean
first_frame_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GadgetApplication *self = user_data;

  if (self->open_id == 0)
    {
      self->open_id = g_idle_add_once (open_cb, self);
      g_source_set_name_by_id (self->open_id, "[gadget] open the engine");
    }
  return G_SOURCE_REMOVE;
}

/* --- On the bus ------------------------------------------------------------------------------- */

/* A run keeps the process alive, also without a window: other programs may have started it. */
static void
run_added_cb (GadgetApplication *self)
{
  g_application_hold (G_APPLICATION (self));
}

static void
run_removed_cb (GadgetApplication *self)
{
  _gadget_application_run_ended (self);
  g_application_release (G_APPLICATION (self));
}

static void
make_engine (GadgetApplication *self)
{
  g_autofree char *data_dir = g_build_filename (g_get_user_data_dir (), "gadget", NULL);
  GadgetRegistry *registry;

  self->engine = gadget_engine_new (data_dir);
  gadget_agent_set_titles (gadget_engine_get_agent (self->engine), TRUE);
  registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
  g_signal_connect_object (registry, "added", G_CALLBACK (run_added_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (registry, "removed", G_CALLBACK (run_removed_cb), self,
                           G_CONNECT_SWAPPED);
}

/* The object is exported before the bus name is owned, so that a caller who sees the name finds the
 * object. When exporting fails everything still works, except that other programs do not see the
 * runs. */
static gboolean
gadget_application_dbus_register (GApplication *application, GDBusConnection *connection,
                                  const char *path, GError **error)
{
  GadgetApplication *self = GADGET_APPLICATION (application);
  g_autoptr (GError) local_error = NULL;

  if (!G_APPLICATION_CLASS (gadget_application_parent_class)
           ->dbus_register (application, connection, path, error))
    return FALSE;
  /* GApplication would end the process with the connection, and with it the replies that are being
   * written. */
  g_dbus_connection_set_exit_on_close (connection, FALSE);
  self->control = gadget_control_new (self->engine);
  gadget_control_set_accepts_work (self->control, TRUE);
  gadget_control_set_shrink (self->control, gadget_picture_shrink);
  gadget_control_begin_opening (self->control);
  g_signal_connect_object (self->control, "open-requested", G_CALLBACK (open_engine), self,
                           G_CONNECT_SWAPPED);
  if (!gadget_control_export (self->control, connection, &local_error))
    g_message ("the runs are not on the bus: %s", local_error->message);
  return TRUE;
}

static void
gadget_application_dbus_unregister (GApplication *application, GDBusConnection *connection,
                                    const char *path)
{
  GadgetApplication *self = GADGET_APPLICATION (application);

  if (self->control != NULL)
    gadget_control_unexport (self->control);
  g_clear_object (&self->control);

  G_APPLICATION_CLASS (gadget_application_parent_class)
      ->dbus_unregister (application, connection, path);
}

/* --- Actions ---------------------------------------------------------------------------------- */

static void
new_chat_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetApplication *self = user_data;

  g_application_activate (G_APPLICATION (self));
  if (!self->leaving && !self->stopping)
    gadget_window_new_chat (_gadget_application_get_window (self));
}

static void
new_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetApplication *self = user_data;
  GadgetWindow *window = _gadget_application_get_window (self);

  if (window == NULL || self->leaving || self->stopping)
    g_application_activate (G_APPLICATION (self));
  else
    gadget_window_new_beside (window, NULL);
}

/* Every program on the bus can call these: none of them stops or loses anything. The keys that
 * close are handled by the window, whose actions are not on the bus. */
static const GActionEntry actions[] = {
  { "new-chat", new_chat_action, NULL, NULL, NULL, { 0 } },
  { "new-window", new_window_action, NULL, NULL, NULL, { 0 } },
};

/* --- Overrides -------------------------------------------------------------------------------- */

static void
gadget_application_activate (GApplication *application)
{
  GadgetApplication *self = GADGET_APPLICATION (application);
  GadgetWindow *window;

  if (self->leaving || self->stopping)
    {
      /* The caller that activates now would get no window, so the program starts again after it has
       * left; after a signal it does not. */
      self->again = self->exit_status == 0;
      return;
    }
  window = _gadget_application_get_window (self);
  if (window == NULL)
    window = gadget_window_new (GTK_APPLICATION (self));
  gtk_window_present (GTK_WINDOW (window));
}

static void
gadget_application_window_added (GtkApplication *application, GtkWindow *window)
{
  GadgetApplication *self = GADGET_APPLICATION (application);

  GTK_APPLICATION_CLASS (gadget_application_parent_class)->window_added (application, window);

  _gadget_application_watch_window (self, GADGET_WINDOW (window));
  gtk_widget_add_tick_callback (GTK_WIDGET (window), first_frame_cb, self, NULL);
}

/* The program opens no files from the command line. GApplication would report that as a programming
 * error. */
static int
gadget_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  g_autofree const char **rest = NULL;
  g_autofree char *first = NULL;

  if (!g_variant_dict_lookup (options, G_OPTION_REMAINING, "^a&ay", &rest) || rest[0] == NULL)
    return -1;
  first = g_filename_display_name (rest[0]);
  g_printerr (
      /* Translators: printed in a terminal; the name of a file, or whatever else was written */
      _ ("gadget: “%s” cannot be opened from here. Attach files in the window, or with "
         "“gadget-cli ask --attach”."),
      first);
  g_printerr ("\n");
  return EXIT_USAGE;
}

static void
gadget_application_startup (GApplication *application)
{
  GadgetApplication *self = GADGET_APPLICATION (application);

  gadget_ui_init ();
  G_APPLICATION_CLASS (gadget_application_parent_class)->startup (application);

  self->settings = gadget_settings_new ();
  if (self->settings != NULL)
    gadget_settings_bind_style (self->settings);
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  _gadget_application_watch_signals (self);
}

static void
gadget_application_shutdown (GApplication *application)
{
  GadgetApplication *self = GADGET_APPLICATION (application);
  GadgetWindow *window;

  for (guint i = 0; i < G_N_ELEMENTS (self->signal_ids); i++)
    g_clear_handle_id (&self->signal_ids[i], g_source_remove);
  g_clear_handle_id (&self->open_id, g_source_remove);
  g_clear_handle_id (&self->backup_id, g_source_remove);
  g_clear_handle_id (&self->leave_id, g_source_remove);
  g_clear_handle_id (&self->stop_id, g_source_remove);
  while ((window = _gadget_application_get_window (self)) != NULL)
    gtk_window_destroy (GTK_WINDOW (window));

  G_APPLICATION_CLASS (gadget_application_parent_class)->shutdown (application);
}

static void
gadget_application_dispose (GObject *object)
{
  g_clear_weak_pointer (&GADGET_APPLICATION (object)->question);
  g_clear_object (&GADGET_APPLICATION (object)->control);
  g_clear_object (&GADGET_APPLICATION (object)->engine);

  G_OBJECT_CLASS (gadget_application_parent_class)->dispose (object);
}

static void
gadget_application_finalize (GObject *object)
{
  g_clear_object (&GADGET_APPLICATION (object)->settings);
  g_clear_error (&GADGET_APPLICATION (object)->failure);

  G_OBJECT_CLASS (gadget_application_parent_class)->finalize (object);
}

static void
gadget_application_class_init (GadgetApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_application_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_application_finalize;
  application_class->activate = gadget_application_activate;
  application_class->handle_local_options = gadget_application_handle_local_options;
  application_class->startup = gadget_application_startup;
  application_class->shutdown = gadget_application_shutdown;
  application_class->dbus_register = gadget_application_dbus_register;
  application_class->dbus_unregister = gadget_application_dbus_unregister;
  GTK_APPLICATION_CLASS (klass)->window_added = gadget_application_window_added;
}

static void
gadget_application_init (GadgetApplication *self)
{
  const GOptionEntry entries[] = {
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_application_add_main_option_entries (G_APPLICATION (self), entries);
  make_engine (self);
}

GadgetApplication *
gadget_application_new (void)
{
  return g_object_new (GADGET_TYPE_APPLICATION, "application-id", APPLICATION_ID,
                       "resource-base-path", GADGET_UI_RESOURCES, "inactivity-timeout", UNUSED_MS,
                       NULL);
}

int
gadget_application_get_exit_status (GadgetApplication *self)
{
  g_return_val_if_fail (GADGET_IS_APPLICATION (self), 1);
  return self->exit_status;
}

gboolean
gadget_application_starts_again (GadgetApplication *self)
{
  g_return_val_if_fail (GADGET_IS_APPLICATION (self), FALSE);
  return self->again;
}
