/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Actions on turns that have ended. Turns that are removed from the chat can be restored: by the
 * toast right after it, and from the menu of the chat as long as the chat exists. The toast after a
 * replaced reply comes when the new reply is complete, because only then the two can be
 * compared. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "agent/gadget-turn-edits.h"
#include "session/gadget-attachment.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-toast.h"
#include "ui/transcript/rows/gadget-turn-actions.h"

#include <glib/gi18n.h>

/* The data of a toast, or of an asynchronous call to the engine. */
typedef struct
{
  GadgetChat *chat;
  GadgetSession *session;
  char *turn_id;          /* (nullable) */
  char *prompt;           /* (nullable) */
  GPtrArray *attachments; /* (nullable) */
  gboolean regenerate;
  gboolean practice; /* the Guide answers, as it did before */
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_object_unref (work->chat);
  g_object_unref (work->session);
  g_free (work->turn_id);
  g_free (work->prompt);
  g_clear_pointer (&work->attachments, g_ptr_array_unref);
  g_free (work);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static Work *
work_new (GadgetChat *self, const char *turn_id)
{
  Work *work = g_new0 (Work, 1);

  work->chat = g_object_ref (self);
  work->session = g_object_ref (self->session);
  work->turn_id = g_strdup (turn_id);
  return work;
}

static void
work_unref_closure (gpointer data, GClosure *closure)
{
  work_free (data);
}

static GadgetAgent *
get_agent (GadgetChat *self)
{
  return gadget_engine_get_agent (self->engine);
}

/* Returns the index of the turn, or -1, with a toast, when it cannot be changed now. */
static int
find_turn (GadgetChat *self, const char *turn_id)
{
  const int index = self->session != NULL ? gadget_session_find_turn (self->session, turn_id) : -1;

  if (index < 0)
    return -1;
  switch (gadget_edit_obstacle_find (self->session, (guint) index))
    {
    case GADGET_EDIT_OBSTACLE_RUNNING:
      gadget_chat_show_toast (self, _ ("Not available while a reply is in progress"));
      return -1;
    case GADGET_EDIT_OBSTACLE_UNSAVED:
      gadget_chat_show_toast (self, _ ("This reply hasn’t been saved yet."));
      return -1;
    case GADGET_EDIT_OBSTACLE_NONE:
    default:
      return index;
    }
}

static void
report_failure (GadgetChat *self, const GError *error)
{
  g_autofree char *text = NULL;

  text = gadget_error_labels_dup (_ ("Could not change the chat."), error);
  gadget_chat_show_toast (self, text);
}

/* --- Restoring -------------------------------------------------------------------------------- */

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_turn_edits_restore_finish (result, &error))
    report_failure (work->chat, error);
}

static void
restore (GadgetChat *self, GadgetSession *session, const char *turn_id)
{
  Work *work = work_new (self, turn_id);

  g_set_object (&work->session, session);
  gadget_turn_edits_restore_async (get_agent (self), session, turn_id, restored_cb, work);
}

static void
undo_cb (AdwToast *toast, Work *work)
{
  restore (work->chat, work->session, work->turn_id);
}

static void
offer_undo (GadgetChat *self, const char *text, const char *turn_id)
{
  AdwToast *toast = gadget_toast_new (text);

  if (gadget_session_get_incognito (self->session))
    {
      _gadget_chat_add_own_toast (self, toast);
      return;
    }
  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_timeout (toast, GADGET_TOAST_UNDO_S);
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (undo_cb), work_new (self, turn_id),
                         work_unref_closure, G_CONNECT_DEFAULT);
  _gadget_chat_add_own_toast (self, toast);
}

static void
restore_turns_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);

  if (self->session != NULL)
    restore (self, self->session, NULL);
}

/* --- Deleting --------------------------------------------------------------------------------- */

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_turn_edits_delete_finish (result, &error))
    report_failure (work->chat, error);
  else if (work->chat->session == work->session)
    offer_undo (work->chat, _ ("Turn deleted"), work->turn_id);
}

static void
delete_turn (GadgetChat *self, gpointer turn_id)
{
  if (find_turn (self, turn_id) >= 0)
    gadget_turn_edits_delete_async (get_agent (self), self->session, turn_id, deleted_cb,
                                    work_new (self, turn_id));
}

static void
delete_turn_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *id = g_variant_get_string (parameter, NULL);
  const int index = find_turn (self, id);

  if (index >= 0)
    _gadget_chat_ask_about_changes (self, (guint) index, 1, delete_turn, g_strdup (id), g_free);
}

/* --- Replacing -------------------------------------------------------------------------------- */

void
_gadget_chat_forget_turns (GadgetChat *self)
{
  g_clear_pointer (&self->replaced, g_free);
  g_clear_pointer (&self->replacing, g_free);
}

static void
start_over (GadgetChat *self, gpointer user_data)
{
  const Work *work = user_data;
  GadgetTurnOptions options = _gadget_chat_get_options (self);
  const int index = find_turn (self, work->turn_id);
  const gboolean sends_edit = !work->regenerate && g_strcmp0 (self->editing, work->turn_id) == 0;
  g_autofree char *editing = NULL;
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GError) error = NULL;

  if (index < 0)
    return;
  options.attachments = work->attachments;
  if (work->practice)
    options.turn_provider = GADGET_GUIDE_ID;
  /* The edited turn is about to leave; without @editing, _gadget_chat_check_edit () does not turn
   * its edit, which is being sent, into a draft. */
  if (sends_edit)
    editing = g_steal_pointer (&self->editing);
  run = gadget_agent_start_over (get_agent (self), self->session, (guint) index, work->prompt,
                                 &options, &error);
  if (sends_edit)
    self->editing = g_steal_pointer (&editing);
  if (run == NULL)
    {
      _gadget_chat_report_start_failure (self, error);
      return;
    }
  g_set_str (&self->replaced, work->turn_id);
  g_set_str (&self->replacing, gadget_run_get_turn_id (run));
  self->regenerated = work->regenerate;
  if (sends_edit)
    _gadget_chat_edit_sent (self);
  gadget_transcript_follow (_gadget_chat_get_transcript (self));
  gadget_composer_focus (self->composer);
}

/* Asks about file changes, then replaces the turns from @index on. Takes @work. */
static void
ask_and_start_over (GadgetChat *self, guint index, Work *work)
{
  _gadget_chat_ask_about_changes (self, index, gadget_session_get_n_turns (self->session) - index,
                                  start_over, work, work_free);
}

/* Sends @prompt, with @attachments (nullable), in place of the turn and of all that follow. */
void
_gadget_chat_start_over (GadgetChat *self, const char *turn_id, const char *prompt,
                         GPtrArray *attachments)
{
  const int index = find_turn (self, turn_id);
  Work *work;

  if (index < 0)
    return;
  work = work_new (self, turn_id);
  work->prompt = g_strdup (prompt);
  work->attachments = attachments != NULL ? g_ptr_array_ref (attachments) : NULL;
  ask_and_start_over (self, (guint) index, work);
}

/* Called when a turn of the shown chat has ended. */
void
_gadget_chat_turn_ended (GadgetChat *self, GadgetTurn *turn)
{
  if (self->replaced == NULL || g_strcmp0 (gadget_turn_get_id (turn), self->replacing) != 0)
    return;
  offer_undo (self, self->regenerated ? _ ("Reply replaced") : _ ("Messages replaced"),
              self->replaced);
  _gadget_chat_forget_turns (self);
}

/* Returns the title of a branch of the chat. (transfer full) */
static char *
dup_branch_title (GadgetChat *self)
{
  /* Translators: the title of a chat that begins with the messages of another, and the title of
   * that */
  return g_strdup_printf (_ ("%s (Branch)"), gadget_labels_title (self->session));
}

static void
regenerate (GadgetChat *self, const char *id, gboolean practice)
{
  const int index = find_turn (self, id);
  GadgetTurn *turn;
  Work *work;

  if (index < 0)
    return;
  turn = gadget_session_get_turn (self->session, (guint) index);
  work = work_new (self, id);
  work->prompt = g_strdup (gadget_turn_get_prompt (turn));
  if (gadget_attachments_get (turn) != NULL)
    work->attachments = g_ptr_array_ref (gadget_attachments_get (turn));
  work->regenerate = TRUE;
  work->practice = practice;
  ask_and_start_over (self, (guint) index, work);
}

/* Returns the branch that was made (transfer full), or NULL, with a toast. */
static GadgetSession *
finish_branch (Work *work, GObject *source, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GadgetSession *branch = gadget_engine_branch_finish (GADGET_ENGINE (source), result, &error);

  if (branch != NULL)
    return branch;
  text = gadget_error_labels_dup (_ ("Could not branch the chat."), error);
  gadget_chat_show_toast (work->chat, text);
  return NULL;
}

static void
kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GadgetSession) branch = finish_branch (work, source, result);

  if (branch != NULL && work->chat->session == work->session)
    regenerate (work->chat, work->turn_id, work->practice);
}

/* Regenerates a reply. If other turns follow it, the whole chat is kept as a branch first, which an
 * incognito chat cannot be. */
static void
keep_and_regenerate (GadgetChat *self, const char *id, gboolean practice)
{
  g_autofree char *title = dup_branch_title (self);
  GadgetTurn *last = gadget_session_get_last_turn (self->session);
  Work *work;

  if (last == NULL || g_str_equal (gadget_turn_get_id (last), id))
    {
      regenerate (self, id, practice);
      return;
    }
  if (gadget_session_get_incognito (self->session))
    {
      gadget_chat_show_toast (self,
                              _ ("Only the last reply of an incognito chat can be replaced."));
      return;
    }
  work = work_new (self, id);
  work->practice = practice;
  gadget_engine_branch_async (self->engine, self->session, gadget_turn_get_id (last), title,
                              kept_cb, work);
}

static void
regenerate_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *id = g_variant_get_string (parameter, NULL);
  const int index = find_turn (self, id);

  if (index >= 0)
    keep_and_regenerate (
        self, id,
        _gadget_chat_is_practice (gadget_session_get_turn (self->session, (guint) index)));
}

/* Chooses the model for the chat, not only for this turn. */
static void
regenerate_with_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *id;
  const char *provider;
  const char *model;

  g_variant_get (parameter, "(&s&s&s)", &id, &provider, &model);
  if (find_turn (self, id) < 0)
    return;
  gadget_session_set_model (self->session, provider, *model != '\0' ? model : NULL);
  gadget_engine_save (self->engine, self->session);
  keep_and_regenerate (self, id, FALSE);
}

static void
edit_turn_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const int index = find_turn (self, g_variant_get_string (parameter, NULL));

  if (index >= 0)
    _gadget_chat_begin_edit (self, gadget_session_get_turn (self->session, (guint) index));
}

static void
stop_editing_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);

  _gadget_chat_end_edit (self);
  gadget_composer_focus (self->composer);
}

/* --- Copying ---------------------------------------------------------------------------------- */

static gboolean
copy_answer (GadgetChat *self, GadgetTurn *turn)
{
  g_autofree char *text = gadget_turn_actions_dup_answer (turn);

  if (text == NULL)
    return FALSE;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  gadget_chat_show_toast (self, _ ("Reply copied"));
  return TRUE;
}

static void
copy_turn_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *id = g_variant_get_string (parameter, NULL);
  const int index = self->session != NULL ? gadget_session_find_turn (self->session, id) : -1;

  if (index >= 0)
    copy_answer (self, gadget_session_get_turn (self->session, (guint) index));
}

/**
 * gadget_chat_copy_last_answer:
 *
 * Copies the last answer of the chat to the clipboard.
 */
void
gadget_chat_copy_last_answer (GadgetChat *self)
{
  g_return_if_fail (GADGET_IS_CHAT (self));

  for (guint i = self->session ? gadget_session_get_n_turns (self->session) : 0; i > 0; i--)
    if (copy_answer (self, gadget_session_get_turn (self->session, i - 1)))
      return;
  gadget_chat_show_toast (self, _ ("There is no reply to copy yet"));
}

/* --- Branching -------------------------------------------------------------------------------- */

static void
branched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GadgetSession) branch = finish_branch (work, source, result);

  /* When the user has gone to another chat meanwhile, the branch is only added to the list. */
  if (branch != NULL && work->chat->session == work->session)
    g_signal_emit_by_name (work->chat, "open-session", branch);
}

static void
branch_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *id = g_variant_get_string (parameter, NULL);
  g_autofree char *title = NULL;

  if (find_turn (self, id) < 0)
    return;
  title = dup_branch_title (self);
  gadget_engine_branch_async (self->engine, self->session, id, title, branched_cb,
                              work_new (self, id));
}

/* --- Actions ---------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  const char *type;
  GtkWidgetActionActivateFunc activate;
  gboolean while_running;
  gboolean of_stored; /* not in an incognito chat */
} actions[] = {
  { "session.copy-turn", "s", copy_turn_action, TRUE },
  { "session.edit-turn", "s", edit_turn_action, FALSE },
  { "session.regenerate", "s", regenerate_action, FALSE },
  { "session.regenerate-with", "(sss)", regenerate_with_action, FALSE },
  { "session.branch", "s", branch_action, FALSE, TRUE },
  { "session.delete-turn", "s", delete_turn_action, FALSE, TRUE },
  { "session.restore-turns", NULL, restore_turns_action, FALSE, TRUE },
  { "session.stop-editing", NULL, stop_editing_action, TRUE },
};

void
_gadget_chat_install_turn_actions (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, actions[i].type,
                                     actions[i].activate);
}

/* Called when a turn of the chat may have begun or ended, or the chat was deleted. */
void
_gadget_chat_update_turn_actions (GadgetChat *self)
{
  const gboolean closed =
      gadget_edit_obstacle_find (self->session, G_MAXUINT) == GADGET_EDIT_OBSTACLE_RUNNING
      || gadget_session_get_deletion (self->session) != GADGET_DELETION_NONE;
  const gboolean stored = !gadget_session_get_incognito (self->session);

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (!actions[i].while_running)
      gtk_widget_action_set_enabled (GTK_WIDGET (self), actions[i].name,
                                     !closed && (stored || !actions[i].of_stored));
}
