/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The session.* actions of the rows of the transcript, of the empty chat and of the composer's
 * menus. Turns and tool calls are identified by their ids. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include "session/gadget-attachment.h"
#include "session/gadget-session-children.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

static GadgetAgent *
get_agent (GadgetChat *self)
{
  return self->engine != NULL ? gadget_engine_get_agent (self->engine) : NULL;
}

static GadgetTurn *
find_turn (GadgetChat *self, GVariant *parameter)
{
  const char *id = g_variant_get_string (parameter, NULL);

  for (guint i = self->session ? gadget_session_get_n_turns (self->session) : 0; i > 0; i--)
    {
      GadgetTurn *turn = gadget_session_get_turn (self->session, i - 1);

      if (g_str_equal (gadget_turn_get_id (turn), id))
        return turn;
    }
  return NULL;
}

static void
continue_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  GadgetTurn *turn = find_turn (self, parameter);
  /* Translators: sent to the model in the user's name, after a reply was aborted */
  const char *text = _ ("Continue where you stopped.");

  if (turn != NULL && _gadget_chat_is_practice (turn))
    _gadget_chat_send_to_guide (self, text);
  else if (turn != NULL)
    _gadget_chat_send (self, text, NULL);
  gadget_composer_focus (self->composer);
}

static void
edit_prompt_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  GadgetTurn *turn = find_turn (self, parameter);

  /* Ends an edit first, because bring_back () would put the message into the draft that is put
   * aside. */
  _gadget_chat_end_edit (self);
  if (turn != NULL)
    gadget_composer_bring_back (self->composer, gadget_turn_get_prompt (turn),
                                gadget_attachments_get (turn));
  gadget_composer_focus (self->composer);
}

static void
retry_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  GadgetTurn *turn = find_turn (self, parameter);

  if (turn != NULL)
    _gadget_chat_send (self, gadget_turn_get_prompt (turn), gadget_attachments_get (turn));
  gadget_composer_focus (self->composer);
}

static void
ask_again_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);

  if (self->session != NULL)
    gadget_agent_ask_again (gadget_engine_get_agent (self->engine), self->session);
  gadget_composer_focus (self->composer);
}

/* Finds the chat that a tool call (session id, call id) is in: the one that is shown when the
 * session id is empty, or that of a subagent that works for it. (nullable) (transfer none) */
static GadgetSession *
find_session (GadgetChat *self, GVariant *parameter, const char **call_id)
{
  const char *id = NULL;

  g_variant_get (parameter, "(&s&s)", &id, call_id);
  if (self->session == NULL || *id == '\0')
    return self->session;
  return gadget_session_find_working_child (self->session, id);
}

static void
tool_stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetChat) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  gadget_remote_run_stop_tool_finish (GADGET_REMOTE_RUN (source), result, &error);
  if (error == NULL)
    return;
  /* Translators: the reason follows */
  text = g_strdup_printf (_ ("Could not abort: %s"), error->message);
  gadget_chat_show_toast (self, text);
}

/* Stops a tool call of a turn that another process works on. Returns FALSE when no other process
 * works on the chat. */
static gboolean
stop_remote_tool (GadgetChat *self, GVariant *parameter)
{
  GadgetRemoteRun *remote = gadget_session_watch_get_remote (self->watch);
  const char *session_id;
  const char *call_id;

  if (remote == NULL)
    return FALSE;
  g_variant_get (parameter, "(&s&s)", &session_id, &call_id);
  gadget_remote_run_stop_tool_async (
      remote, *session_id != '\0' ? session_id : gadget_session_get_id (self->session), call_id,
      tool_stopped_cb, g_object_ref (self));
  return TRUE;
}

static void
stop_tool_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  const char *call_id = NULL;
  GadgetSession *session = find_session (GADGET_CHAT (widget), parameter, &call_id);

  if (!stop_remote_tool (GADGET_CHAT (widget), parameter) && session != NULL)
    gadget_agent_stop_tool (get_agent (GADGET_CHAT (widget)), session, call_id);
}

static void
stop_waiting_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  const char *call_id = NULL;
  GadgetSession *session = find_session (GADGET_CHAT (widget), parameter, &call_id);

  if (session != NULL)
    gadget_agent_stop_waiting (get_agent (GADGET_CHAT (widget)), session, call_id);
}

static void
stop_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gadget_chat_stop (GADGET_CHAT (widget));
}

static void
save_again_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  GadgetTurn *turn = find_turn (self, parameter);

  if (turn != NULL)
    gadget_agent_save_again (get_agent (self), self->session, turn);
}

static void
use_provider_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *id = g_variant_get_string (parameter, NULL);

  if (self->session == NULL)
    return;
  gadget_session_set_model (self->session, id, NULL);
  gadget_provider_list_set_default (gadget_engine_get_providers (self->engine), id);
  gadget_engine_save (self->engine, self->session);
  gadget_composer_focus (self->composer);
}

/* --- The workspace ---------------------------------------------------------------------------- */

static void
set_workspace (GadgetChat *self, const char *path)
{
  GadgetSnapshotService *service =
      gadget_agent_get_snapshot_service (gadget_engine_get_agent (self->engine));

  gadget_session_set_workspace (self->session, path);
  gadget_engine_save (self->engine, self->session);
  if (path != NULL && service != NULL)
    gadget_snapshot_service_prepare (service, path);
}

/* The chat, and the prompt (nullable) to put into the composer once the folder is chosen. */
typedef struct
{
  GadgetChat *chat;
  GadgetSession *session;
  char *prompt;
} FolderQuestion;

static void
folder_question_free (FolderQuestion *question)
{
  g_object_unref (question->chat);
  g_object_unref (question->session);
  g_free (question->prompt);
  g_free (question);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FolderQuestion, folder_question_free)

static void
folder_chosen_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FolderQuestion) question = user_data;
  GadgetChat *self = question->chat;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder =
      gtk_file_dialog_select_folder_finish (GTK_FILE_DIALOG (object), result, &error);

  if (folder == NULL)
    {
      if (!g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED))
        gadget_chat_show_toast (self, _ ("No folder could be chosen."));
      return;
    }
  if (g_file_peek_path (folder) == NULL)
    {
      gadget_chat_show_toast (self, _ ("Only a folder on this computer can be used."));
      return;
    }
  if (self->session != question->session)
    return;
  set_workspace (self, g_file_peek_path (folder));
  if (question->prompt != NULL)
    gadget_composer_prepend (self->composer, question->prompt);
  gadget_composer_focus (self->composer);
}

static void
choose_folder (GadgetChat *self, const char *prompt)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  FolderQuestion *question = g_new0 (FolderQuestion, 1);
  const char *path = gadget_session_get_workspace (self->session);

  question->chat = g_object_ref (self);
  question->session = g_object_ref (self->session);
  question->prompt = g_strdup (prompt);
  gtk_file_dialog_set_title (dialog, _ ("Choose a Folder"));
  gtk_file_dialog_set_accept_label (dialog, _ ("_Choose"));
  if (path != NULL)
    {
      g_autoptr (GFile) folder = g_file_new_for_path (path);

      gtk_file_dialog_set_initial_folder (dialog, folder);
    }
  gtk_file_dialog_select_folder (dialog, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), NULL,
                                 folder_chosen_cb, question);
}

static void
choose_workspace_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);

  if (self->session != NULL)
    choose_folder (self, NULL);
}

static void
use_workspace_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);

  if (self->session != NULL)
    set_workspace (self, g_variant_get_string (parameter, NULL));
  gadget_composer_focus (self->composer);
}

static void
no_workspace_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);

  if (self->session != NULL)
    set_workspace (self, NULL);
  gadget_composer_focus (self->composer);
}

/* --- Suggestions ------------------------------------------------------------------------------ */

static void
suggest_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetChat *self = GADGET_CHAT (widget);
  const char *what = g_variant_get_string (parameter, NULL);

  if (self->session == NULL)
    return;
  if (g_str_equal (what, "stop"))
    {
      _gadget_chat_send_to_guide (self, _ ("Show me Stop"));
      gadget_composer_focus (self->composer);
    }
  else if (g_str_equal (what, "command"))
    {
      gadget_composer_prepend (self->composer,
                               _ ("Run a command that shows how much disk space is left."));
      gadget_composer_focus (self->composer);
    }
  else
    {
      choose_folder (self, _ ("Read what is in this folder and explain it to me on one page."));
    }
}

void
_gadget_chat_install_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    const char *type;
    GtkWidgetActionActivateFunc activate;
  } actions[] = {
    { "session.continue", "s", continue_action },
    { "session.edit-prompt", "s", edit_prompt_action },
    { "session.retry", "s", retry_action },
    { "session.stop", NULL, stop_action },
    { "session.ask-again", NULL, ask_again_action },
    { "session.stop-tool", "(ss)", stop_tool_action },
    { "session.stop-waiting", "(ss)", stop_waiting_action },
    { "session.save-again", "s", save_again_action },
    { "session.use-provider", "s", use_provider_action },
    { "session.choose-workspace", NULL, choose_workspace_action },
    { "session.no-workspace", NULL, no_workspace_action },
    { "session.use-workspace", "s", use_workspace_action },
    { "session.suggest", "s", suggest_action },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, actions[i].type,
                                     actions[i].activate);
}
