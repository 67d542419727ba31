/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stop Everything: stops at once what this process does, and, over the session bus, what every
 * other program of Gadget does for the user. What was stopped here is shown at once; what the
 * others stopped is shown when they have answered, which may take seconds. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "control/gadget-peers.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

#define TOAST_S 2

/* When nothing was stopped here, the other programs get this long to answer before a toast says
 * that they are waited for. */
#define WAIT_MS 30

/* The outcome so far. The toast counts replies only, not the other kinds of runs. */
typedef struct
{
  GadgetChat *chat;
  guint n_replies;
  gboolean any;
  gboolean title;
  gboolean picture;
  gboolean undo;
  gboolean reading;
  gboolean remote; /* the program that works on the shown chat was told separately */

  AdwToast *toast; /* (nullable): the toast, while it is shown */
  char *shown;     /* (nullable): the text of this toast, or of the last one */
  GadgetClock *clock;
  guint wait_id; /* id of a timeout of @clock */
} Stopped;

static void
stopped_free (Stopped *stopped)
{
  if (stopped->wait_id != 0)
    gadget_clock_remove (stopped->clock, stopped->wait_id);
  if (stopped->toast != NULL)
    g_signal_handlers_disconnect_by_data (stopped->toast, stopped);
  g_clear_object (&stopped->toast);
  g_object_unref (stopped->clock);
  g_object_unref (stopped->chat);
  g_free (stopped->shown);
  g_free (stopped);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stopped, stopped_free)

static guint
count_runs (GadgetChat *self, GadgetRunKind kind)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  g_autoptr (GPtrArray) runs = gadget_registry_list (gadget_agent_get_registry (agent));
  guint n = 0;

  for (guint i = 0; i < runs->len; i++)
    n += gadget_run_get_kind (g_ptr_array_index (runs, i)) == kind;
  return n;
}

/* Describes what was stopped when there was no reply among it. */
static const char *
describe_others (const Stopped *stopped)
{
  if (!stopped->any)
    return _ ("Nothing is running");
  if (stopped->undo)
    return _ ("Stopping the undo of changes");
  if (stopped->picture)
    return _ ("Stopping the loading of images");
  /* Translators: what is stopped is no reply but the work on the title of a chat */
  if (stopped->title)
    return _ ("Stopping the work on a title");
  return stopped->reading ? _ ("Stopped reading attachments")
                          : _ ("Stopping questions to the providers");
}

/* --- Reporting -------------------------------------------------------------------------------- */

/* @n_elsewhere: the number of replies that other programs stopped */
static char *
dup_text (const Stopped *stopped, guint n_elsewhere)
{
  const guint n = stopped->n_replies + n_elsewhere;

  if (n == 0)
    return g_strdup (describe_others (stopped));
  if (n_elsewhere == 0)
    return g_strdup_printf (ngettext ("Stopping %u reply", "Stopping %u replies", n), n);
  /* Translators: some of the replies are written by gadget-cli in a terminal, say */
  return g_strdup_printf (ngettext ("Stopping %u reply, also of other programs",
                                    "Stopping %u replies, also of other programs", n),
                          n);
}

static void
dismissed_cb (Stopped *stopped)
{
  g_signal_handlers_disconnect_by_data (stopped->toast, stopped);
  g_clear_object (&stopped->toast);
}

/* Shows @text, in the toast that is shown already if there is one. */
static void
show (Stopped *stopped, const char *text)
{
  GadgetChat *chat = stopped->chat;
  GtkWidget *widget = GTK_WIDGET (chat);

  /* The window may have been closed meanwhile. */
  if (g_strcmp0 (text, stopped->shown) == 0 || gtk_widget_get_root (widget) == NULL)
    return;
  g_set_str (&stopped->shown, text);
  if (stopped->toast != NULL)
    {
      adw_toast_set_title (stopped->toast, text);
      gadget_announce (widget, text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
      return;
    }
  stopped->toast = gadget_toast_new (text);
  adw_toast_set_timeout (stopped->toast, TOAST_S);
  g_set_object (&chat->stopped_toast, stopped->toast);
  g_signal_connect_swapped (stopped->toast, "dismissed", G_CALLBACK (dismissed_cb), stopped);
  /* The shown chat is about to move in the list, of which screen readers speak by themselves. */
  if (stopped->n_replies > 0)
    gadget_announcer_hold (gadget_announcer_get_default ());
  gadget_chat_add_toast (chat, g_object_ref (stopped->toast));
}

static void
waited_cb (gpointer user_data)
{
  Stopped *stopped = user_data;

  stopped->wait_id = 0;
  show (stopped, _ ("Waiting for other programs…"));
}

/* Shows what is known before the other programs have answered. */
static void
show_known (Stopped *stopped)
{
  g_autofree char *text = NULL;

  if (!stopped->any && !stopped->remote)
    {
      stopped->wait_id = gadget_clock_add_timeout (
          stopped->clock, WAIT_MS, "[gadget] wait for other programs", waited_cb, stopped);
      return;
    }
  text = dup_text (stopped, stopped->remote ? 1 : 0);
  show (stopped, text);
}

/* @n_silent: the number of programs that did not answer, so that their work may go on */
static void
show_all (Stopped *stopped, guint n_elsewhere, guint n_silent)
{
  g_autofree char *text = dup_text (stopped, n_elsewhere);
  g_autofree char *problem =
      g_strdup_printf (_ ("Could not abort: %s"), _ ("another program does not answer"));

  if (n_silent == 0 || stopped->any || n_elsewhere > 0)
    show (stopped, text);
  /* When the program that works on the shown chat did not answer, abort_failed_cb () says so
   * already. */
  if (n_silent <= (stopped->remote ? 1 : 0))
    return;
  show (stopped, problem);
  /* Without the reference a new turn does not dismiss this toast before it was read. */
  g_clear_object (&stopped->chat->stopped_toast);
}

static void
others_stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Stopped) stopped = user_data;
  g_autoptr (GadgetPeerAnswers) answers = gadget_peers_call_finish (result, NULL);
  guint n_elsewhere = answers != NULL ? gadget_peer_answers_count_stopped (answers) : 0;

  /* The turn may have ended between the two calls and then is not counted by the answers. When it
   * was not reached, abort_failed_cb () says so. */
  if (stopped->remote)
    n_elsewhere = MAX (n_elsewhere, 1);
  show_all (stopped, n_elsewhere, answers != NULL ? answers->n_silent : 0);
}

/* --- Stopping --------------------------------------------------------------------------------- */

static Stopped *
stop_here (GadgetChat *self)
{
  Stopped *stopped = g_new0 (Stopped, 1);
  g_autoptr (GadgetAbortAck) ack = NULL;

  stopped->chat = g_object_ref (self);
  stopped->clock = g_object_ref (self->clock);
  stopped->n_replies = count_runs (self, GADGET_RUN_TURN);
  stopped->title = count_runs (self, GADGET_RUN_TITLE) > 0;
  stopped->picture = count_runs (self, GADGET_RUN_PICTURE) > 0;
  stopped->undo = count_runs (self, GADGET_RUN_UNDO) > 0;
  stopped->reading = gadget_composer_is_reading (self->composer);
  ack = gadget_agent_abort (gadget_engine_get_agent (self->engine), NULL, NULL, GADGET_STOP_USER);
  stopped->n_replies = MIN (stopped->n_replies, g_strv_length (ack->runs));
  stopped->any = ack->aborted;
  return stopped;
}

/**
 * gadget_chat_stop_all:
 *
 * Stops everything that the user's programs of Gadget do, in every chat, and shows what was
 * stopped.
 */
void
gadget_chat_stop_all (GadgetChat *self)
{
  g_autoptr (Stopped) stopped = NULL;

  g_return_if_fail (GADGET_IS_CHAT (self));

  if (self->engine == NULL)
    return;
  stopped = stop_here (self);
  if (self->bus == NULL || g_dbus_connection_is_closed (self->bus))
    {
      show_all (stopped, 0, 0);
      return;
    }
  stopped->remote = gadget_session_watch_abort_remote (self->watch);
  show_known (stopped);
  gadget_peers_abort_async (self->bus, "", "", others_stopped_cb, g_steal_pointer (&stopped));
}
