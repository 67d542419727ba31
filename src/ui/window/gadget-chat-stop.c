/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stopping a chat. Every way (the button, Esc Esc, Shift+Esc) ends in abort_run (). Whether that
 * worked is read from the acknowledgement, and that the run is over from the session's state;
 * nothing is assumed here. Esc also stops the loading of pictures, even when nothing else runs; the
 * Stop button does not show for that, because each picture has its own button. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "session/gadget-attachment.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-toast.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* How long "Aborting…" stays at least, so that it can be read. */
#define ABORTING_TOAST_MS 500

/* --- The toast -------------------------------------------------------------------------------- */

static void
forget_toast (GadgetChat *self)
{
  g_autoptr (AdwToast) toast = g_steal_pointer (&self->escape_toast);

  self->aborting_since = 0;
  if (self->toast_id != 0)
    gadget_clock_remove (self->clock, self->toast_id);
  self->toast_id = 0;
  if (toast == NULL)
    return;
  g_signal_handlers_disconnect_by_data (toast, self);
  gadget_toast_dismiss (toast);
}

/* The user closed the toast. That cancels the first Esc, but not an abort that was requested. */
static void
dismissed_cb (GadgetChat *self)
{
  g_clear_object (&self->escape_toast);
  gadget_escape_disarm (self->escape);
}

static void
show_toast (GadgetChat *self, const char *text)
{
  if (self->escape_toast != NULL)
    {
      adw_toast_set_title (self->escape_toast, text);
      return;
    }
  self->escape_toast = gadget_toast_new (text);
  adw_toast_set_priority (self->escape_toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_set_timeout (self->escape_toast, 0);
  g_signal_connect_object (self->escape_toast, "dismissed", G_CALLBACK (dismissed_cb), self,
                           G_CONNECT_SWAPPED);
  gadget_toast_show (_gadget_chat_get_overlay (self), g_object_ref (self->escape_toast));
}

static void
toast_read_cb (gpointer user_data)
{
  GadgetChat *self = user_data;

  self->toast_id = 0;
  forget_toast (self);
}

/* The run is over: dismisses the toast, but not before it could be read. */
static void
finish_toast (GadgetChat *self)
{
  gint64 shown_ms;

  /* Esc is armed for something else, such as a picture that loads: the toast goes when that is
   * over. */
  if (self->escape_toast == NULL || self->toast_id != 0
      || (self->aborting_since == 0 && gadget_escape_is_armed (self->escape)))
    return;
  shown_ms = (gadget_clock_now (self->clock) - self->aborting_since) / G_TIME_SPAN_MILLISECOND;
  if (self->aborting_since == 0 || shown_ms >= ABORTING_TOAST_MS)
    forget_toast (self);
  else
    self->toast_id = gadget_clock_add_timeout (self->clock, (guint) (ABORTING_TOAST_MS - shown_ms),
                                               "[gadget] dismiss Aborting…", toast_read_cb, self);
}

static void
forget_stopped_toast (GadgetChat *self)
{
  if (self->stopped_toast != NULL)
    gadget_toast_dismiss (self->stopped_toast);
  g_clear_object (&self->stopped_toast);
}

/* The next turn's status is shown where the toasts are, so the toast about an earlier stop is
 * dismissed, even when it was shown for a short time only. */
static void
clear_status (GadgetChat *self)
{
  if (self->aborting_since != 0)
    forget_toast (self);
  forget_stopped_toast (self);
}

/* --- Stopping --------------------------------------------------------------------------------- */

static void
report_refusal (GadgetChat *self, const char *reason)
{
  g_autofree char *text = NULL;
  AdwToast *toast;

  /* Translators: the reason follows */
  text = g_strdup_printf (_ ("Could not abort: %s"), reason);
  g_message ("the abort was refused: %s", reason);
  toast = gadget_toast_new (text);
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  gadget_chat_add_toast (self, toast);
}

/* Aborts every run of the chat: its turn, its title, or its title alone. Returns FALSE when there
 * was nothing to abort. */
static gboolean
abort_run (GadgetChat *self)
{
  const GadgetStopPhase phase = gadget_session_watch_get_phase (self->watch);
  g_autoptr (GadgetAbortAck) ack = NULL;
  g_autofree char *active = NULL;

  if (self->engine == NULL || self->session == NULL
      || (phase != GADGET_STOP_PHASE_RUNNING && phase != GADGET_STOP_PHASE_IDLE))
    return FALSE;
  active = g_strdup (gadget_session_get_active_run (self->session));
  ack = gadget_agent_abort (gadget_engine_get_agent (self->engine),
                            gadget_session_get_id (self->session), NULL, GADGET_STOP_USER);
  if (phase == GADGET_STOP_PHASE_IDLE)
    return ack->aborted;
  if (gadget_session_watch_abort_remote (self->watch))
    return TRUE;
  if (active != NULL && g_strv_contains ((const char *const *) ack->runs, active))
    return TRUE;
  gadget_session_watch_read_again (self->watch);
  report_refusal (self, _ ("nothing to stop"));
  return FALSE;
}

/* The other process that works on the chat could not be reached. */
static void
abort_failed_cb (GadgetChat *self, const char *message)
{
  forget_toast (self);
  report_refusal (self, message);
}

static void
answer_failed_cb (GadgetChat *self, const char *message)
{
  g_autofree char *text = g_strdup_printf (_ ("Could not answer: %s"), message);
  AdwToast *toast = gadget_toast_new (text);

  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  gadget_chat_add_toast (self, toast);
}

static void
answer_left_cb (GadgetChat *self, GadgetSession *session, const char *text)
{
  gadget_composer_prepend_to (self->composer, session, text);
}

static gboolean
stop_pictures (GadgetChat *self)
{
  return self->remote_pictures != NULL && gadget_remote_pictures_stop (self->remote_pictures);
}

static gboolean
loads_pictures (GadgetChat *self)
{
  return self->remote_pictures != NULL && gadget_remote_pictures_is_loading (self->remote_pictures);
}

/* Returns a run that undoes or redoes changes of the chat that is shown; of any chat while a page
 * about all of them is shown. (transfer full) (nullable) */
static GadgetRun *
find_undo (GadgetChat *self)
{
  g_autoptr (GPtrArray) runs = NULL;
  const char *id;

  if (self->engine == NULL || self->session == NULL)
    return NULL;
  id = gadget_session_get_id (self->session);
  runs = gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (self->engine)));
  for (guint i = 0; i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);

      if (gadget_run_get_kind (run) == GADGET_RUN_UNDO
          && (self->cover_toasts != NULL || g_str_equal (gadget_run_get_session_id (run), id)))
        return g_object_ref (run);
    }
  return NULL;
}

/* Tells whether changes are undone or redone: of the chat that is shown, or while a page covers it
 * of any. */
gboolean
_gadget_chat_is_undoing (GadgetChat *self)
{
  g_autoptr (GadgetRun) run = find_undo (self);

  return run != NULL;
}

/* Stops an undo of another chat, which was begun on a page that covers this one. */
static void
abort_undo (GadgetChat *self)
{
  g_autoptr (GadgetRun) run = find_undo (self);

  if (run != NULL)
    gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self->engine),
                                               gadget_run_get_session_id (run),
                                               gadget_run_get_id (run), GADGET_STOP_USER));
}

static void
update_escape (GadgetChat *self)
{
  /* After it was disposed, the registry may still tell a chat of its runs. */
  if (self->escape == NULL)
    return;
  gadget_escape_set_active (
      self->escape, gadget_session_watch_get_phase (self->watch) == GADGET_STOP_PHASE_RUNNING
                        || loads_pictures (self) || _gadget_chat_is_undoing (self));
}

static void
armed_cb (GadgetChat *self)
{
  forget_toast (self);
  show_toast (self, _ ("Press Esc again to abort"));
}

static void
abort_cb (GadgetChat *self)
{
  stop_pictures (self);
  if (self->cover_toasts != NULL)
    abort_undo (self);
  if (abort_run (self)
      && gadget_session_watch_get_phase (self->watch) == GADGET_STOP_PHASE_ABORTING)
    {
      self->aborting_since = gadget_clock_now (self->clock);
      show_toast (self, _ ("Aborting…"));
    }
  else
    {
      forget_toast (self);
    }
}

static void
still_aborting_cb (gpointer user_data)
{
  GadgetChat *self = user_data;

  self->aborting_id = 0;
  if (gadget_ui_is_in_front (GTK_WIDGET (self)))
    gadget_announce (GTK_WIDGET (self), _ ("Aborting…"), GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

static void
forget_aborting (GadgetChat *self)
{
  if (self->aborting_id != 0)
    gadget_clock_remove (self->clock, self->aborting_id);
  self->aborting_id = 0;
}

/* "Aborting…" is announced only when the outcome, which is announced too, takes a while to come. */
static void
await_outcome (GadgetChat *self)
{
  forget_aborting (self);
  self->aborting_id = gadget_clock_add_timeout (
      self->clock, GADGET_ANNOUNCER_GAP_MS, "[gadget] announce Aborting…", still_aborting_cb, self);
}

static void
phase_changed_cb (GadgetChat *self)
{
  GadgetStopPhase phase = gadget_session_watch_get_phase (self->watch);

  gadget_stop_control_set_phase (gadget_composer_get_control (self->composer), phase);
  update_escape (self);
  if (phase == GADGET_STOP_PHASE_ABORTING)
    await_outcome (self);
  else
    forget_aborting (self);
  if (phase == GADGET_STOP_PHASE_IDLE)
    finish_toast (self);
  if (phase == GADGET_STOP_PHASE_RUNNING)
    clear_status (self);
}

/* "disarmed" also comes when the run was aborted in another way. The toast "Press Esc again to
 * abort" goes then, but "Aborting…" stays. */
static void
disarmed_cb (GadgetChat *self)
{
  if (self->aborting_since == 0)
    forget_toast (self);
}

/* --- For gadget-chat.c ------------------------------------------------------------------------ */

void
_gadget_chat_stop_set_clock (GadgetChat *self)
{
  g_clear_object (&self->escape);
  self->escape = gadget_escape_new (self->clock);
  g_signal_connect_object (self->escape, "armed", G_CALLBACK (armed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->escape, "disarmed", G_CALLBACK (disarmed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->escape, "abort", G_CALLBACK (abort_cb), self, G_CONNECT_SWAPPED);
}

/* A turn of another process has ended. Its message is not brought back to the composer here, even
 * without an answer: the other program has it. */
static void
remote_ended_cb (GadgetChat *self)
{
  GadgetTurn *turn = self->announced_turn != NULL ? self->announced_turn
                                                  : gadget_session_get_last_turn (self->session);

  if (turn != NULL && gadget_turn_get_status (turn) != GADGET_TURN_PROCESSING)
    _gadget_chat_announce_end (self, turn);
}

void
_gadget_chat_stop_init (GadgetChat *self)
{
  self->watch = gadget_session_watch_new ();
  g_signal_connect_object (self->watch, "changed", G_CALLBACK (phase_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->watch, "remote-started", G_CALLBACK (_gadget_chat_announce_remote),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->watch, "remote-ended", G_CALLBACK (remote_ended_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->watch, "abort-failed", G_CALLBACK (abort_failed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->watch, "answer-failed", G_CALLBACK (answer_failed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->watch, "answer-left", G_CALLBACK (answer_left_cb), self,
                           G_CONNECT_SWAPPED);
}

void
_gadget_chat_stop_dispose (GadgetChat *self)
{
  forget_toast (self);
  g_clear_object (&self->stopped_toast);
  forget_aborting (self);
  g_clear_object (&self->remote_pictures);
  g_clear_object (&self->watch);
  g_clear_object (&self->escape);
}

/* Stops loading, and lets the transcript forget the pictures too: it may stay hidden for long. */
static void
close_pictures (GadgetChat *self)
{
  if (self->remote_pictures == NULL)
    return;
  gadget_remote_pictures_close (self->remote_pictures);
  /* The transcript page exists, because show_transcript () calls _gadget_chat_need_pictures (). */
  gadget_transcript_set_remote_pictures (_gadget_chat_get_transcript (self), NULL);
  g_clear_object (&self->remote_pictures);
}

/* Called once, when the chat gets its engine. */
void
_gadget_chat_stop_set_engine (GadgetChat *self)
{
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));

  g_signal_connect_object (registry, "added", G_CALLBACK (update_escape), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (registry, "removed", G_CALLBACK (update_escape), self,
                           G_CONNECT_SWAPPED);
}

/* Called when another chat is shown: cancels what was begun for the one before. */
void
_gadget_chat_stop_switched (GadgetChat *self)
{
  close_pictures (self);
  gadget_escape_disarm (self->escape);
  forget_toast (self);
  gadget_session_watch_set_session (self->watch, self->session, self->engine);
  update_escape (self);
}

/* Makes the loader of pictures on the web for the chat that is shown, once. */
void
_gadget_chat_need_pictures (GadgetChat *self)
{
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));

  if (self->remote_pictures != NULL)
    return;
  self->remote_pictures =
      gadget_remote_pictures_new (registry, gadget_session_get_id (self->session));
  g_signal_connect_object (self->remote_pictures, "changed", G_CALLBACK (update_escape), self,
                           G_CONNECT_SWAPPED);
}

/* A turn of the shown chat has ended. The message of an aborted turn without output goes back to
 * the composer, unless that has a draft. */
void
_gadget_chat_completed (GadgetChat *self, GadgetTurn *turn)
{
  if (gadget_turn_get_status (turn) == GADGET_TURN_ABORTED && !gadget_turn_has_output (turn)
      && gadget_composer_is_draft_empty (self->composer))
    gadget_composer_bring_back (self->composer, gadget_turn_get_prompt (turn),
                                gadget_attachments_get (turn));
  _gadget_chat_announce_end (self, turn);
}

/* Returns whether Esc was used, see gadget_escape_press(). */
gboolean
gadget_chat_press_escape (GadgetChat *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT (self), FALSE);
  if (self->find_bar != NULL && self->cover_toasts == NULL
      && gtk_widget_get_visible (GTK_WIDGET (self->find_bar)))
    {
      gadget_find_bar_close (self->find_bar);
      gadget_escape_hold (self->escape);
      return TRUE;
    }
  return gadget_escape_press (self->escape);
}

void
gadget_chat_release_escape (GadgetChat *self)
{
  g_return_if_fail (GADGET_IS_CHAT (self));
  gadget_escape_release (self->escape);
}

/**
 * gadget_chat_stop:
 *
 * Returns: whether there was something to stop, and it was told to stop
 */
gboolean
gadget_chat_stop (GadgetChat *self)
{
  gboolean pictures;

  g_return_val_if_fail (GADGET_IS_CHAT (self), FALSE);

  pictures = stop_pictures (self);
  return abort_run (self) || pictures;
}
