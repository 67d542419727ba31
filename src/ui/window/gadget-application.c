/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window is shown first; the engine is opened after its first frame. Without a window, started
 * by a call over the bus, it is opened for that call. Leaving is the other way round: the window
 * goes at once, and the program when everything that ran is stopped and written, or after LEAVE_MS,
 * whichever comes first. Replies that are being written are stopped before the window goes, and it
 * asks about those that cannot be saved, and about messages not sent that would be lost. What
 * cannot be written is in a file then, see agent/gadget-unsaved-turns.h. */

#define G_LOG_DOMAIN "gadget"

#include "config.h"

#include "gadget-application.h"

#include "agent/gadget-engine.h"
#include "control/gadget-control.h"
#include "gadget-unsaved-dialog.h"
#include "gadget-window.h"
#include "ui/common/gadget-settings.h"
#include "ui/common/gadget-ui.h"
#include "ui/composer/gadget-picture-shrink.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>

/* Enough for a turn to end, for the store to answer, and for a file that is written instead. */
#define LEAVE_MS 3500

/* After Stop and Close, for replies to end and then to be saved, while the window is still there to
 * ask about those that are not. */
#define STOP_MS 1000
#define SAVE_MS 1000

/* The exit status for arguments that are not understood, as of gadget-cli. */
#define EXIT_USAGE 2

/* How long a program without a window stays after its last work. */
#define UNUSED_MS 10000

struct _GadgetApplication
{
  AdwApplication parent_instance;

  GSettings *settings; /* (nullable) */
  GadgetEngine *engine;
  GadgetControl *control; /* (nullable): its face on the bus */
  GadgetWindow *window;
  AdwDialog *question; /* (nullable) (weak): whether to stop and close */
  gboolean opening;    /* the engine is being opened, or was */
  gboolean open;       /* the engine is */
  gboolean attached;   /* the window has it */
  GError *failure;     /* (nullable): why it could not be */
  gboolean stopping;   /* it leaves when what ran is stopped and saved */
  gboolean leaving;
  gboolean again; /* the program is started anew when it has left */
  guint open_id;
  guint leave_id;
  guint stop_id;
  guint signal_ids[3];
  int exit_status;
};

G_DEFINE_FINAL_TYPE (GadgetApplication, gadget_application, ADW_TYPE_APPLICATION)

/* --- Leaving -----------------------------------------------------------------------------------
 */

static void
leave_cb (gpointer user_data)
{
  GadgetApplication *self = user_data;

  self->leave_id = 0;
  g_message ("something did not stop in time; leaving without it");
  g_application_quit (G_APPLICATION (self));
}

static void
closed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetApplication) self = user_data;

  gadget_engine_close_finish (GADGET_ENGINE (object), result);
  g_application_quit (G_APPLICATION (self));
}

static void
leave (GadgetApplication *self, GadgetStopReason reason)
{
  if (self->leaving)
    return;
  self->leaving = TRUE;
  if (self->window != NULL)
    {
      gadget_window_settle (self->window, reason);
      gtk_widget_set_visible (GTK_WIDGET (self->window), FALSE);
    }
  if (!self->open)
    {
      g_application_quit (G_APPLICATION (self));
      return;
    }
  self->leave_id = g_timeout_add_once (LEAVE_MS, leave_cb, self);
  g_source_set_name_by_id (self->leave_id, "[gadget] leave");
  gadget_engine_close_async (self->engine, reason, closed_cb, g_object_ref (self));
}

/* How many replies are being written. */
static guint
count_work (GadgetApplication *self)
{
  g_autoptr (GPtrArray) runs = NULL;
  guint n = 0;

  if (!self->open)
    return 0;
  runs = gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (self->engine)));
  /* Nobody is asked about what nobody asked for: a title, say. */
  for (guint i = 0; i < runs->len; i++)
    n += gadget_run_get_kind (g_ptr_array_index (runs, i)) == GADGET_RUN_TURN;
  return n;
}

static void
close_unsaved_cb (gpointer user_data)
{
  leave (user_data, GADGET_STOP_CLOSED);
}

/* Nothing runs any more. */
static void
ask_or_leave (GadgetApplication *self)
{
  if (self->window != NULL && !self->leaving && gadget_unsaved_dialog_is_needed (self->engine))
    gadget_unsaved_dialog_present (GTK_WINDOW (self->window), self->engine, close_unsaved_cb, self);
  else
    leave (self, GADGET_STOP_CLOSED);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetApplication) self = user_data;

  gadget_engine_settle_finish (GADGET_ENGINE (source), result);
  self->stopping = FALSE;
  ask_or_leave (self);
}

/* Only then it is known what would be lost. */
static void
save_and_leave (GadgetApplication *self)
{
  self->stopping = TRUE;
  gadget_engine_settle_async (self->engine, SAVE_MS, saved_cb, g_object_ref (self));
}

/* All is stopped, or something does not listen. */
static void
stopped_cb (gpointer user_data)
{
  GadgetApplication *self = user_data;

  self->stop_id = 0;
  save_and_leave (self);
}

static void
set_stop_timeout (GadgetApplication *self, guint milliseconds)
{
  g_clear_handle_id (&self->stop_id, g_source_remove);
  self->stop_id = g_timeout_add_once (milliseconds, stopped_cb, self);
  g_source_set_name_by_id (self->stop_id, "[gadget] stop and close");
}

/* The window stays until the replies are saved, so that it can ask about those that are not. */
static void
stop_and_close (GadgetApplication *self)
{
  if (self->stopping || self->leaving)
    return;
  self->stopping = TRUE;
  gadget_abort_ack_free (
      gadget_agent_abort (gadget_engine_get_agent (self->engine), NULL, NULL, GADGET_STOP_CLOSED));
  set_stop_timeout (self, count_work (self) > 0 ? STOP_MS : 0);
}

static void
answered_cb (AdwAlertDialog *dialog, const char *response, GadgetApplication *self)
{
  /* Something else may hold the dialog for longer. */
  g_clear_weak_pointer (&self->question);
  if (g_str_equal (response, "close"))
    stop_and_close (self);
}

/* Once, however often it is pressed. */
static void
ask_before_leaving (GadgetApplication *self, guint n)
{
  g_autofree char *text = NULL;
  AdwDialog *dialog;

  if (self->question != NULL)
    return;
  text = g_strdup_printf (
      ngettext ("A reply is still being written. What it has done so far is kept.",
                "%u replies are still being written. What they have done so far is kept.", n),
      n);
  dialog = adw_alert_dialog_new (_ ("Stop and Close?"), text);
  g_set_weak_pointer (&self->question, dialog);
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Keep Open"), "close",
                                  _ ("_Stop and Close"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "close",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), self, G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, GTK_WIDGET (self->window));
}

static gboolean
close_request_cb (GadgetApplication *self)
{
  const guint n = count_work (self);

  if (self->stopping)
    return GDK_EVENT_STOP;
  /* The window may have stayed after it was started again. */
  self->again = self->again && self->leaving;
  if (self->window != NULL && n > 0 && !self->leaving)
    ask_before_leaving (self, n);
  else if (self->window != NULL && self->open && !self->leaving)
    save_and_leave (self);
  else
    leave (self, GADGET_STOP_CLOSED);
  return GDK_EVENT_STOP;
}

static void
quit_cb (GadgetApplication *self)
{
  close_request_cb (self);
}

static void
start_again_cb (GadgetApplication *self)
{
  leave (self, GADGET_STOP_CLOSED);
  self->again = TRUE;
}

static gboolean
take_signal (GadgetApplication *self, int number)
{
  self->exit_status = 128 + number;
  self->again = FALSE;
  leave (self, GADGET_STOP_SIGNAL);
  return G_SOURCE_CONTINUE;
}

static gboolean
sigint_cb (gpointer user_data)
{
  return take_signal (user_data, SIGINT);
}

static gboolean
sigterm_cb (gpointer user_data)
{
  return take_signal (user_data, SIGTERM);
}

static gboolean
sighup_cb (gpointer user_data)
{
  return take_signal (user_data, SIGHUP);
}

/* --- Opening -----------------------------------------------------------------------------------
 */

static void
attach_window (GadgetApplication *self)
{
  if (self->attached)
    return;
  self->attached = TRUE;
  gadget_window_set_bus (self->window, g_application_get_dbus_connection (G_APPLICATION (self)));
  gadget_window_set_engine (self->window, self->engine);
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
  if (self->window != NULL && !self->leaving)
    {
      if (self->open)
        attach_window (self);
      else
        gadget_window_set_failure (self->window, self->failure);
    }
  g_application_release (G_APPLICATION (self));
}

static void
open_engine (GadgetApplication *self)
{
  if (self->opening || self->leaving)
    return;
  self->opening = TRUE;
  /* Without a window nothing else keeps the program. */
  g_application_hold (G_APPLICATION (self));
  gadget_engine_open_async (self->engine, opened_cb, g_object_ref (self));
}

static void
open_cb (gpointer user_data)
{
  GadgetApplication *self = user_data;

  self->open_id = 0;
  if (self->open && !self->leaving)
    attach_window (self);
  else if (self->failure != NULL)
    gadget_window_set_failure (self->window, self->failure);
  else
    open_engine (self);
}

/* After the first frame: whatever comes before it is waited for. */
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

/* --- On the bus --------------------------------------------------------------------------------
 */

/* What others have asked for is done, also while there is no window. */
static void
run_added_cb (GadgetApplication *self)
{
  g_application_hold (G_APPLICATION (self));
}

static void
run_removed_cb (GadgetApplication *self)
{
  /* Its turn is about to be settled. */
  if (self->stop_id != 0 && count_work (self) == 0)
    set_stop_timeout (self, 0);
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

/* Before the name is owned: who calls by it finds the object. Everything works without, but that
 * other programs do not see the runs. */
static gboolean
gadget_application_dbus_register (GApplication *application, GDBusConnection *connection,
                                  const char *path, GError **error)
{
  GadgetApplication *self = GADGET_APPLICATION (application);
  g_autoptr (GError) local_error = NULL;

  if (!G_APPLICATION_CLASS (gadget_application_parent_class)
           ->dbus_register (application, connection, path, error))
    return FALSE;
  /* Losing the bus is no reason to die, with replies that are being written. */
  g_dbus_connection_set_exit_on_close (connection, FALSE);
  self->control = gadget_control_new (self->engine);
  gadget_control_set_taking (self->control, TRUE);
  gadget_control_set_shrink (self->control, gadget_picture_shrink);
  gadget_control_begin_opening (self->control);
  g_signal_connect_object (self->control, "wanted", G_CALLBACK (open_engine), self,
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

/* --- Actions -----------------------------------------------------------------------------------
 */

static void
new_chat_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetApplication *self = user_data;

  g_application_activate (G_APPLICATION (self));
  if (!self->leaving && !self->stopping)
    gadget_window_new_chat (self->window);
}

/* These can be called by every program on the bus: nothing that stops or loses anything is among
 * them. The keys that close are the window's, which are not on the bus. */
static const GActionEntry actions[] = {
  { "new-chat", new_chat_action, NULL, NULL, NULL, { 0 } },
};

/* --- Overrides ---------------------------------------------------------------------------------
 */

static void
gadget_application_activate (GApplication *application)
{
  GadgetApplication *self = GADGET_APPLICATION (application);

  if (self->leaving || self->stopping)
    {
      /* Whoever starts us now would be left without a window. After a signal we do leave. */
      self->again = self->exit_status == 0;
      return;
    }
  if (self->window == NULL)
    {
      self->window = gadget_window_new (GTK_APPLICATION (self));
      self->attached = FALSE;
      g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
      g_signal_connect_object (self->window, "close-request", G_CALLBACK (close_request_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (self->window, "quit", G_CALLBACK (quit_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->window, "start-again", G_CALLBACK (start_again_cb), self,
                               G_CONNECT_SWAPPED);
      gtk_widget_add_tick_callback (GTK_WIDGET (self->window), first_frame_cb, self, NULL);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

/* Nothing is opened from the command line. GApplication would call that a programming error. */
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
  self->signal_ids[0] = g_unix_signal_add (SIGINT, sigint_cb, self);
  self->signal_ids[1] = g_unix_signal_add (SIGTERM, sigterm_cb, self);
  self->signal_ids[2] = g_unix_signal_add (SIGHUP, sighup_cb, self);
}

static void
gadget_application_shutdown (GApplication *application)
{
  GadgetApplication *self = GADGET_APPLICATION (application);

  for (guint i = 0; i < G_N_ELEMENTS (self->signal_ids); i++)
    g_clear_handle_id (&self->signal_ids[i], g_source_remove);
  g_clear_handle_id (&self->open_id, g_source_remove);
  g_clear_handle_id (&self->leave_id, g_source_remove);
  g_clear_handle_id (&self->stop_id, g_source_remove);
  if (self->window != NULL)
    gtk_window_destroy (GTK_WINDOW (self->window));

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
