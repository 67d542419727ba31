/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Announces turns to screen readers, without moving the focus. Of the chat that is shown, also when
 * another process works on it: the message that begins a turn, the beginning of each answer as soon
 * as its first sentence is there, what the turn waits for when that takes long, and how it ended.
 * For another chat only that it waits for the user is announced. Questions to the user are
 * announced by the transcript (gadget-transcript-asks.c). */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "agent/gadget-failure.h"
#include "common/gadget-visible.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-ui.h"
#include "ui/markdown/gadget-markdown-beginning.h"
#include "ui/transcript/model/gadget-receipt-text.h"

#include <glib/gi18n.h>

/* Several windows may show the chat: the one that was used last announces it. */
static void
announce (GadgetChat *self, const char *text)
{
  if (gadget_ui_is_in_front (GTK_WIDGET (self)))
    gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Announces that a turn began or ended. Both move the chat in the list, of which a screen reader
 * speaks by itself, breaking off what it says; so announcements are held for a moment first. */
static void
announce_move (GadgetChat *self, const char *text)
{
  gadget_announcer_hold (gadget_announcer_get_default ());
  announce (self, text);
}

/* --- The beginning of an answer --------------------------------------------------------------- */

static void
announce_beginning (GadgetChat *self)
{
  g_autofree char *beginning = NULL;
  g_autofree char *text = NULL;

  if (self->beginning_announced)
    return;
  beginning = gadget_markdown_dup_beginning (self->announced_item);
  if (beginning == NULL)
    return;
  self->beginning_announced = TRUE;
  /* Translators: the first sentence of the reply follows */
  text = g_strdup_printf (_ ("Reply: %s"), beginning);
  announce (self, text);
}

/* Announces a short answer that finished before its first sentence was complete. A stopped one is
 * not announced. */
static void
status_changed_cb (GadgetChat *self)
{
  if (gadget_item_get_status (self->announced_item) == GADGET_ITEM_FINISHED)
    announce_beginning (self);
}

static void
set_item (GadgetChat *self, GadgetItem *item)
{
  if (item == self->announced_item)
    return;
  if (self->announced_item != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->announced_item, announce_beginning, self);
      g_signal_handlers_disconnect_by_func (self->announced_item, status_changed_cb, self);
    }
  g_set_object (&self->announced_item, item);
  self->beginning_announced = FALSE;
  if (item == NULL)
    return;
  g_signal_connect_object (item, "appended", G_CALLBACK (announce_beginning), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (item, "notify::status", G_CALLBACK (status_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

/* Returns the last answer of @turn. (nullable) (transfer none) */
static GadgetItem *
find_answer (GadgetTurn *turn)
{
  for (guint i = gadget_turn_get_n_items (turn); i > 0; i--)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i - 1);

      if (gadget_item_get_kind (item) == GADGET_ITEM_TEXT)
        return item;
    }
  return NULL;
}

static void
follow_answer (GadgetChat *self)
{
  set_item (self, find_answer (self->announced_turn));
}

/* Answers that another process writes arrive with part or all of their text. A stopped one is not
 * announced, because it may be the rest of an earlier answer. */
static void
items_changed_cb (GadgetChat *self)
{
  GadgetItemStatus status;

  follow_answer (self);
  if (self->announced_item == NULL)
    return;
  status = gadget_item_get_status (self->announced_item);
  if (status == GADGET_ITEM_STREAMING || status == GADGET_ITEM_FINISHED)
    announce_beginning (self);
}

/* Returns the text for what @turn is waiting for. (nullable) */
static const char *
get_wait_text (GadgetTurn *turn)
{
  const GadgetTurnPhase phase = gadget_turn_get_phase (turn);

  switch (phase)
    {
    case GADGET_PHASE_KEYRING:
      return _ ("Waiting for the keyring");
    case GADGET_PHASE_RETRYING:
      return _ ("Waiting for the provider");
    case GADGET_PHASE_COMPACTING:
      return _ ("Summarizing earlier messages");
    case GADGET_PHASE_LOADING:
    case GADGET_PHASE_WAITING:
    case GADGET_PHASE_REASONING:
    case GADGET_PHASE_STREAMING:
      if (gadget_receipt_get_quiet_since (gadget_turn_get_receipt (turn)) != 0)
        return _ ("Nothing received for some time. You can stop or retry.");
      return phase == GADGET_PHASE_LOADING ? _ ("Loading the model") : NULL;
    case GADGET_PHASE_IDLE:
    case GADGET_PHASE_TOOLS:
    case GADGET_PHASE_ASKING:
    case GADGET_PHASE_ABORTING:
    default:
      return NULL;
    }
}

static void
announce_wait (GadgetChat *self)
{
  const char *text = get_wait_text (self->announced_turn);

  if (text != NULL && text != self->announced_wait_text)
    announce (self, text);
  self->announced_wait_text = text;
}

static void
set_turn (GadgetChat *self, GadgetTurn *turn)
{
  set_item (self, NULL);
  self->announced_wait_text = NULL;
  if (self->announced_turn != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->announced_turn, items_changed_cb, self);
      g_signal_handlers_disconnect_by_func (self->announced_turn, announce_wait, self);
      g_signal_handlers_disconnect_by_func (self->announced_receipt, announce_wait, self);
    }
  g_set_object (&self->announced_turn, turn);
  g_clear_object (&self->announced_receipt);
  if (turn == NULL)
    return;
  self->announced_receipt = g_object_ref (gadget_turn_get_receipt (turn));
  g_signal_connect_object (turn, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (turn, "notify::phase", G_CALLBACK (announce_wait), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->announced_receipt, "changed", G_CALLBACK (announce_wait), self,
                           G_CONNECT_SWAPPED);
}

/* Called when another chat is shown. The answer that is there already is not announced, only what
 * comes from now on. */
void
_gadget_chat_announce_switched (GadgetChat *self)
{
  GadgetTurn *last = gadget_session_get_last_turn (self->session);

  if (last != NULL && gadget_turn_get_status (last) != GADGET_TURN_PROCESSING)
    last = NULL;
  set_turn (self, last);
  if (last == NULL)
    return;
  follow_answer (self);
  self->beginning_announced = self->announced_item != NULL;
}

/* --- A turn ----------------------------------------------------------------------------------- */

static void
announce_prompt (GadgetChat *self, GadgetTurn *turn)
{
  g_autofree char *beginning = gadget_text_dup_beginning (gadget_turn_get_prompt (turn));
  g_autofree char *text = NULL;

  /* Translators: the first sentence of the user's message follows */
  text = *beginning != '\0' ? g_strdup_printf (_ ("Sent: %s"), beginning) : g_strdup (_ ("Sent"));
  announce_move (self, text);
}

/* A chat that is not shown is announced only when it waits for the user. */
static void
phase_changed_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetChat *self)
{
  GadgetSession *session = g_object_get_data (G_OBJECT (turn), "gadget-announced-session");
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;

  if (gadget_turn_get_phase (turn) != GADGET_PHASE_ASKING || session == self->session)
    return;
  title = gadget_visible_escape (gadget_labels_title (session));
  /* Translators: %s is the title of a chat */
  text = g_strdup_printf (_ ("The chat “%s” is waiting for you."), title);
  gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

static void
turn_started_cb (GadgetChat *self, GadgetSession *session, GadgetTurn *turn)
{
  g_object_set_data_full (G_OBJECT (turn), "gadget-announced-session", g_object_ref (session),
                          g_object_unref);
  g_signal_connect_object (turn, "notify::phase", G_CALLBACK (phase_changed_cb), self,
                           G_CONNECT_DEFAULT);
  if (session != self->session)
    return;
  set_turn (self, turn);
  announce_prompt (self, turn);
}

/* Called when another process may have begun a turn in the chat that is shown. */
void
_gadget_chat_announce_remote (GadgetChat *self)
{
  GadgetTurn *turn = gadget_session_get_last_turn (self->session);

  if (turn == NULL || turn == self->announced_turn
      || gadget_turn_get_status (turn) != GADGET_TURN_PROCESSING)
    return;
  set_turn (self, turn);
  announce_prompt (self, turn);
  items_changed_cb (self);
}

/* Connects to the agent of the engine; called once, when the engine is set. */
void
_gadget_chat_announce_turns (GadgetChat *self)
{
  g_signal_connect_object (gadget_engine_get_agent (self->engine), "turn-started",
                           G_CALLBACK (turn_started_cb), self, G_CONNECT_SWAPPED);
}

/* --- The end ---------------------------------------------------------------------------------- */

static char *
dup_failure (GadgetChat *self, GadgetTurn *turn)
{
  const char *id = gadget_turn_get_provider (turn);
  GadgetProviderConfig *config =
      id != NULL ? gadget_provider_list_find (gadget_engine_get_providers (self->engine), id)
                 : NULL;
  g_autoptr (GadgetFailure) failure =
      gadget_failure_new (gadget_turn_get_error_code (turn),
                          config != NULL ? gadget_provider_config_get_name (config) : id);

  /* Translators: two sentences follow: what went wrong, and what to do about it */
  return g_strdup_printf (_ ("The reply failed. %s %s"), failure->title, failure->hint);
}

/* The beginning of the answer follows only if it was not announced yet: when another process began
 * and ended the turn before it was seen. */
static char *
dup_completion (GadgetChat *self, GadgetTurn *turn)
{
  GadgetItem *answer = find_answer (turn);
  g_autofree char *beginning = NULL;

  if (answer != NULL && !(answer == self->announced_item && self->beginning_announced))
    beginning = gadget_markdown_dup_beginning (answer);
  /* Translators: the first sentence of the reply follows */
  return beginning != NULL ? g_strdup_printf (_ ("The reply is complete. %s"), beginning)
                           : g_strdup (_ ("The reply is complete."));
}

static char *
dup_end (GadgetChat *self, GadgetTurn *turn)
{
  switch (gadget_turn_get_status (turn))
    {
    case GADGET_TURN_ABORTED:
      return gadget_receipt_dup_sentence (turn);
    case GADGET_TURN_ERROR:
      return dup_failure (self, turn);
    case GADGET_TURN_PROCESSING:
    case GADGET_TURN_FINISHED:
    default:
      return dup_completion (self, turn);
    }
}

static guint
count_paused (GadgetSession *session)
{
  GListModel *queue = gadget_session_get_queue (session);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      if (gadget_queued_message_get_paused (message))
        n++;
    }
  return n;
}

/* Announces how a turn of the session ended, and how many queued messages it left paused. */
void
_gadget_chat_announce_end (GadgetChat *self, GadgetTurn *turn)
{
  const guint n_paused = count_paused (self->session);
  g_autofree char *end = dup_end (self, turn);
  g_autofree char *paused = NULL;

  announce_move (self, end);
  if (turn == self->announced_turn)
    set_turn (self, NULL);
  if (n_paused == 0)
    return;
  paused = g_strdup_printf (
      ngettext ("%u queued message is paused.", "%u queued messages are paused.", n_paused),
      n_paused);
  announce (self, paused);
}
