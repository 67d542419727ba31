/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Handles the requests of the composer: to send, queue and steer messages, to stop, and to use
 * another model or mode. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-settings.h"

#include <glib/gi18n.h>

void
_gadget_chat_report_start_failure (GadgetChat *self, const GError *error)
{
  g_autofree char *text = NULL;

  /* The banner above the composer says so. */
  if (g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED))
    return;
  text = gadget_error_labels_dup (_ ("Could not send."), error);
  gadget_chat_show_toast (self, text);
}

GadgetTurnOptions
_gadget_chat_get_options (GadgetChat *self)
{
  return (GadgetTurnOptions) { .approval = GADGET_APPROVAL_SESSION,
                               .interactive = TRUE,
                               .limits = gadget_settings_get_limits (self->settings) };
}

/* Queues a message. A turn of another program cannot be steered, so the message is sent after
 * it. */
static void
queue (GadgetChat *self, const char *text, GPtrArray *attachments, gboolean steering)
{
  const GadgetTurnOptions options = _gadget_chat_get_options (self);
  const gboolean is_remote = gadget_session_watch_get_remote (self->watch) != NULL;

  gadget_composer_enqueue (self->composer, text, attachments, steering && !is_remote);
  if (is_remote)
    gadget_agent_queue_after_remote (gadget_engine_get_agent (self->engine), self->session,
                                     &options);
  gadget_engine_save (self->engine, self->session);
}

static gboolean
can_send (GadgetChat *self)
{
  return self->engine != NULL && self->session != NULL && gadget_session_get_loaded (self->session)
         && _gadget_chat_takes_messages (self);
}

static gboolean
start (GadgetChat *self, const char *text, const GadgetTurnOptions *options)
{
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GError) error = NULL;

  run = gadget_agent_start (gadget_engine_get_agent (self->engine), self->session, text, options,
                            &error);
  if (run == NULL)
    {
      _gadget_chat_report_start_failure (self, error);
      return FALSE;
    }
  gadget_transcript_follow (_gadget_chat_get_transcript (self));
  return TRUE;
}

/* Starts a turn, or queues the message while one goes on. Returns FALSE when the message was not
 * accepted. */
gboolean
_gadget_chat_send (GadgetChat *self, const char *text, GPtrArray *attachments)
{
  GadgetTurnOptions options = _gadget_chat_get_options (self);

  if (!can_send (self))
    return FALSE;
  if (gadget_session_watch_get_phase (self->watch) != GADGET_STOP_PHASE_IDLE)
    {
      queue (self, text, attachments, FALSE);
      return TRUE;
    }
  options.attachments = attachments;
  return start (self, text, &options);
}

/* Tells whether the Guide answered @turn. Continuing or regenerating such a turn asks the Guide
 * again, not the model of the chat. */
gboolean
_gadget_chat_is_practice (GadgetTurn *turn)
{
  return g_strcmp0 (gadget_turn_get_provider (turn), GADGET_GUIDE_ID) == 0;
}

/* Lets the Guide answer one message. The model of the chat answers the following and the queued
 * ones, so a message to the Guide cannot be queued itself. */
void
_gadget_chat_send_to_guide (GadgetChat *self, const char *text)
{
  GadgetTurnOptions options = _gadget_chat_get_options (self);

  options.turn_provider = GADGET_GUIDE_ID;
  if (!can_send (self))
    return;
  if (gadget_session_watch_get_phase (self->watch) == GADGET_STOP_PHASE_IDLE)
    start (self, text, &options);
  else
    gadget_chat_show_toast (self, _ ("Not available while a reply is in progress"));
}

static void
submit_cb (GadgetChat *self, const char *text)
{
  g_autofree char *message = g_strstrip (g_strdup (text));
  g_autoptr (GPtrArray) attachments = gadget_composer_dup_attachments (self->composer);

  if (self->editing != NULL)
    _gadget_chat_start_over (self, self->editing, message, attachments);
  else if (_gadget_chat_send (self, message, attachments))
    gadget_composer_clear (self->composer);
  gadget_composer_focus (self->composer);
}

static void
steer_cb (GadgetChat *self, const char *text)
{
  g_autofree char *message = g_strstrip (g_strdup (text));
  g_autoptr (GPtrArray) attachments = gadget_composer_dup_attachments (self->composer);

  if (!_gadget_chat_takes_messages (self))
    return;
  queue (self, message, attachments, TRUE);
  if (self->editing != NULL)
    _gadget_chat_edit_sent (self);
  else
    gadget_composer_clear (self->composer);
  gadget_composer_focus (self->composer);
}

static void
stop_cb (GadgetChat *self)
{
  gadget_chat_stop (self);
}

static void
send_queued_cb (GadgetChat *self, guint index)
{
  const GadgetTurnOptions options = _gadget_chat_get_options (self);
  g_autoptr (GError) error = NULL;

  if (!gadget_agent_send_queued (gadget_engine_get_agent (self->engine), self->session, index,
                                 &options, &error))
    _gadget_chat_report_start_failure (self, error);
  else
    gadget_transcript_follow (_gadget_chat_get_transcript (self));
  gadget_composer_focus (self->composer);
}

static void
model_chosen_cb (GadgetChat *self, const char *provider, const char *model)
{
  gadget_session_set_model (self->session, provider, model);
  gadget_engine_save (self->engine, self->session);
  gadget_composer_focus (self->composer);
}

static void
toast_cb (GadgetChat *self, AdwToast *toast)
{
  /* What can be undone can be so from another chat, too: it would else be lost. */
  if (adw_toast_get_button_label (toast) != NULL)
    gadget_chat_add_toast (self, g_object_ref (toast));
  else
    _gadget_chat_add_own_toast (self, g_object_ref (toast));
}

/* Pages the transcript. Returns FALSE when another page is shown in its place. */
static gboolean
scroll_page_cb (GadgetChat *self, int direction)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "transcript") != 0)
    return FALSE;
  gadget_transcript_scroll_page (_gadget_chat_get_transcript (self), direction);
  return TRUE;
}

static void
mode_chosen_cb (GadgetChat *self, int mode)
{
  gadget_session_set_mode (self->session, (GadgetMode) mode);
  gadget_engine_save (self->engine, self->session);
  gadget_composer_focus (self->composer);
}

void
_gadget_chat_bind_sending (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, submit_cb);
  gtk_widget_class_bind_template_callback (widget_class, steer_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
  gtk_widget_class_bind_template_callback (widget_class, send_queued_cb);
  gtk_widget_class_bind_template_callback (widget_class, model_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, mode_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, toast_cb);
  gtk_widget_class_bind_template_callback (widget_class, scroll_page_cb);
}
