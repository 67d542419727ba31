/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stop Everything: what this process does, at once, and what every other program of Gadget does for
 * the user, over the session bus. What is said is of both, and so waits for the others' answers. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "control/gadget-peers.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

#define TOAST_S 2

/* What was stopped. Counted are replies, not what goes along with them. */
typedef struct
{
  GadgetChat *chat;
  guint n_replies;
  gboolean any;
  gboolean title;
  gboolean picture;
  gboolean reading;
} Stopped;

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

/* Besides replies. */
static const char *
describe_others (const Stopped *stopped)
{
  if (!stopped->any)
    return _ ("Nothing is running");
  if (stopped->picture)
    return _ ("Stopping the loading of pictures");
  /* Translators: what is stopped is no reply but the work on the title of a chat */
  if (stopped->title)
    return _ ("Stopping the work on a title");
  return stopped->reading ? _ ("Stopped reading attachments")
                          : _ ("Stopping questions to the providers");
}

/* @n_elsewhere: how many replies other programs stopped */
static void
report (const Stopped *stopped, guint n_elsewhere)
{
  const guint n = stopped->n_replies + n_elsewhere;
  g_autofree char *text = NULL;
  AdwToast *toast;

  if (n == 0)
    text = g_strdup (describe_others (stopped));
  else if (n_elsewhere == 0)
    text = g_strdup_printf (ngettext ("Stopping %u reply", "Stopping %u replies", n), n);
  else
    /* Translators: some of the replies are written by gadget-cli in a terminal, say */
    text = g_strdup_printf (ngettext ("Stopping %u reply, also of other programs",
                                      "Stopping %u replies, also of other programs", n),
                            n);
  toast = gadget_toast_new (text);
  adw_toast_set_timeout (toast, TOAST_S);
  gadget_chat_add_toast (stopped->chat, toast);
}

static void
others_stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Stopped *stopped = user_data;
  g_autoptr (GadgetChat) self = stopped->chat;
  g_autoptr (GadgetPeerAnswers) answers = gadget_peers_call_finish (result, NULL);

  report (stopped, answers != NULL ? gadget_peer_answers_count_stopped (answers) : 0);
}

/**
 * gadget_chat_stop_all:
 *
 * Stops everything that this user's programs do, in every chat, and says what that was.
 */
void
gadget_chat_stop_all (GadgetChat *self)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  Stopped stopped = { .chat = self };

  g_return_if_fail (GADGET_IS_CHAT (self));

  if (self->engine == NULL)
    return;
  stopped.n_replies = count_runs (self, GADGET_RUN_TURN);
  stopped.title = count_runs (self, GADGET_RUN_TITLE) > 0;
  stopped.picture = count_runs (self, GADGET_RUN_PICTURE) > 0;
  stopped.reading = gadget_composer_is_reading (self->composer);
  ack = gadget_agent_abort (gadget_engine_get_agent (self->engine), NULL, NULL, GADGET_STOP_USER);
  stopped.n_replies = MIN (stopped.n_replies, g_strv_length (ack->runs));
  stopped.any = ack->aborted;
  if (self->bus == NULL || g_dbus_connection_is_closed (self->bus))
    {
      report (&stopped, 0);
      return;
    }
  gadget_session_watch_abort_remote (self->watch);
  g_object_ref (self);
  gadget_peers_abort_async (self->bus, "", "", others_stopped_cb,
                            g_memdup2 (&stopped, sizeof stopped));
}
