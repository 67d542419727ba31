/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Closing one of several windows ends nothing: the others go on. The process leaves when the last
 * one is closed, when the user quits, or at a signal.
 *
 * Leaving goes in the other order than opening: the windows are hidden at once, and the process
 * ends when everything that ran is stopped and written, or after LEAVE_MS, whichever comes first.
 * On Stop and Close, replies that are being written are stopped while the windows are still there,
 * so that one can ask about replies that cannot be saved and about unsent messages that would be
 * lost. A turn that cannot be written to the store is kept in a file, see
 * agent/gadget-unsaved-turns.h.
 */

#define G_LOG_DOMAIN "gadget"

#include "config.h"

#include "gadget-application-private.h"

#include "gadget-unsaved-dialog.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>

/* Time for a turn to end, for the store to answer, and for writing a recovery file instead. */
#define LEAVE_MS 3500

/* After Stop and Close: time for replies to end (STOP_MS) and then to be saved (SAVE_MS), while the
 * window is still there to ask about those that are not saved. */
#define STOP_MS 1000
#define SAVE_MS 1000

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
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self)));

  if (self->leaving)
    return;
  self->leaving = TRUE;
  for (GList *link = windows; link != NULL; link = link->next)
    {
      gadget_window_save_state (link->data, reason);
      gtk_widget_set_visible (link->data, FALSE);
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

/* The work that the user asked for and that is not done. Other runs, such as titles, are not asked
 * about. */
typedef struct
{
  guint n_replies;   /* replies that are being written, in chats that are stored */
  guint n_incognito; /* and in incognito chats */
  guint n_undos;     /* undos and redos of changes of files */
} Work;

static gboolean
is_incognito (GadgetApplication *self, GadgetRun *run)
{
  return gadget_engine_find_incognito (self->engine, gadget_run_get_session_id (run)) != NULL;
}

static Work
count_work (GadgetApplication *self)
{
  g_autoptr (GPtrArray) runs = NULL;
  Work work = { 0 };

  if (!self->open)
    return work;
  runs = gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (self->engine)));
  for (guint i = 0; i < runs->len; i++)
    {
      const GadgetRunKind kind = gadget_run_get_kind (g_ptr_array_index (runs, i));

      if (kind == GADGET_RUN_TURN && is_incognito (self, g_ptr_array_index (runs, i)))
        work.n_incognito++;
      else
        work.n_replies += kind == GADGET_RUN_TURN;
      work.n_undos += kind == GADGET_RUN_UNDO;
    }
  return work;
}

static gboolean
is_working (GadgetApplication *self)
{
  const Work work = count_work (self);

  return work.n_replies > 0 || work.n_incognito > 0 || work.n_undos > 0;
}

static void
close_unsaved_cb (gpointer user_data)
{
  leave (user_data, GADGET_STOP_CLOSED);
}

/* Called when no run goes on any more, or the time for them is over. */
static void
ask_or_leave (GadgetApplication *self)
{
  GadgetWindow *window = _gadget_application_get_window (self);

  if (window != NULL && !self->leaving && gadget_unsaved_dialog_is_needed (self->engine))
    gadget_unsaved_dialog_present (GTK_WINDOW (window), self->engine, close_unsaved_cb, self);
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

/* Waits until the turns are saved: only then it is known what would be lost by leaving. */
static void
save_and_leave (GadgetApplication *self)
{
  self->stopping = TRUE;
  gadget_engine_settle_async (self->engine, SAVE_MS, saved_cb, g_object_ref (self));
}

/* Every run has ended, or STOP_MS has passed. */
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

/* The windows stay until the replies are saved, so that one can ask about those that are not. */
static void
stop_and_close (GadgetApplication *self)
{
  if (self->stopping || self->leaving)
    return;
  self->stopping = TRUE;
  gadget_abort_ack_free (
      gadget_agent_abort (gadget_engine_get_agent (self->engine), NULL, NULL, GADGET_STOP_CLOSED));
  set_stop_timeout (self, is_working (self) ? STOP_MS : 0);
}

static void
answered_cb (AdwAlertDialog *dialog, const char *response, GadgetApplication *self)
{
  /* The dialog may outlive its answer, so the weak pointer is cleared by hand. */
  g_clear_weak_pointer (&self->question);
  if (g_str_equal (response, "close"))
    stop_and_close (self);
}

/* @paragraph: (transfer full) */
static void
append_paragraph (GString *text, char *paragraph)
{
  if (text->len > 0)
    g_string_append (text, "\n\n");
  g_string_append (text, paragraph);
  g_free (paragraph);
}

static char *
dup_question (const Work *work)
{
  GString *text = g_string_new (NULL);

  if (work->n_replies > 0)
    append_paragraph (
        text,
        g_strdup_printf (
            ngettext ("A reply is still being written. What it has done so far is kept.",
                      "%u replies are still being written. What they have done so far is kept.",
                      work->n_replies),
            work->n_replies));
  if (work->n_incognito > 0)
    append_paragraph (
        text,
        g_strdup_printf (
            ngettext ("A reply is still being written in an incognito chat, which is gone then.",
                      "%u replies are still being written in incognito chats, which are gone then.",
                      work->n_incognito),
            work->n_incognito));
  if (work->n_undos > 0)
    append_paragraph (
        text, g_strdup (_ ("Changes are still being undone or redone. Files that were not reached "
                           "stay as they are.")));
  return g_string_free_and_steal (text);
}

/* The question is shown once, however often and in which window the user tries to close. */
static void
ask_before_leaving (GadgetApplication *self)
{
  const Work work = count_work (self);
  g_autofree char *text = NULL;
  AdwDialog *dialog;

  if (self->question != NULL)
    {
      gtk_window_present (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self->question))));
      return;
    }
  text = dup_question (&work);
  dialog = adw_alert_dialog_new (_ ("Stop and Close?"), text);
  g_set_weak_pointer (&self->question, dialog);
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Keep Open"), "close",
                                  _ ("_Stop and Close"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "close",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), self, G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, GTK_WIDGET (_gadget_application_get_window (self)));
}

static void
quit_cb (GadgetApplication *self)
{
  if (self->stopping)
    return;
  /* The window may have stayed although a new start was requested: @again counts only while
   * leaving. */
  self->again = self->again && self->leaving;
  if (!self->leaving && is_working (self))
    ask_before_leaving (self);
  else if (self->open && !self->leaving)
    save_and_leave (self);
  else
    leave (self, GADGET_STOP_CLOSED);
}

static gboolean
close_request_cb (GadgetWindow *window, GadgetApplication *self)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));

  if (self->stopping || self->leaving || windows == NULL || windows->next == NULL)
    {
      quit_cb (self);
      return GDK_EVENT_STOP;
    }
  gadget_window_save_state (window, GADGET_STOP_CLOSED);
  return GDK_EVENT_PROPAGATE;
}

static void
start_again_cb (GadgetApplication *self)
{
  leave (self, GADGET_STOP_CLOSED);
  self->again = TRUE;
}

static gboolean
handle_signal (GadgetApplication *self, int number)
{
  self->exit_status = 128 + number;
  self->again = FALSE;
  leave (self, GADGET_STOP_SIGNAL);
  return G_SOURCE_CONTINUE;
}

static gboolean
sigint_cb (gpointer user_data)
{
  return handle_signal (user_data, SIGINT);
}

static gboolean
sigterm_cb (gpointer user_data)
{
  return handle_signal (user_data, SIGTERM);
}

static gboolean
sighup_cb (gpointer user_data)
{
  return handle_signal (user_data, SIGHUP);
}

void
_gadget_application_run_ended (GadgetApplication *self)
{
  /* The last one has ended and is about to be settled: no need to wait for STOP_MS. */
  if (self->stop_id != 0 && !is_working (self))
    set_stop_timeout (self, 0);
}

void
_gadget_application_watch_window (GadgetApplication *self, GadgetWindow *window)
{
  g_signal_connect_object (window, "close-request", G_CALLBACK (close_request_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (window, "quit", G_CALLBACK (quit_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "start-again", G_CALLBACK (start_again_cb), self,
                           G_CONNECT_SWAPPED);
}

void
_gadget_application_watch_signals (GadgetApplication *self)
{
  self->signal_ids[0] = g_unix_signal_add (SIGINT, sigint_cb, self);
  self->signal_ids[1] = g_unix_signal_add (SIGTERM, sigterm_cb, self);
  self->signal_ids[2] = g_unix_signal_add (SIGHUP, sighup_cb, self);
}
