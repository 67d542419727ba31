/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that asks before closing when something is not saved. It comes again until everything
 * is saved, or it is answered with Cancel or Close Anyway: Retry and Save a Copy lead back to it,
 * with their outcome. When everything gets saved while it is shown, it closes itself and the
 * window. Nothing here blocks.
 *
 * Unsent messages and changes of chats are asked about only when they would be lost: what is in a
 * recovery file is there again after the next start. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-unsaved-dialog.h"

#include "agent/saving/gadget-save-problem.h"
#include "session/gadget-turn-text.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

/* How long Retry waits: a full disk fails at once, another one may be slow. */
#define RETRY_MS 5000

#define KEY "gadget-unsaved-dialog"

/* The data of the dialog; they live until the last answer. */
typedef struct
{
  GtkWindow *parent;
  GadgetEngine *engine;
  GadgetCloseFunc close;
  gpointer user_data;
} Question;

static void
question_free (Question *question)
{
  g_object_set_data (G_OBJECT (question->parent), KEY, NULL);
  g_object_unref (question->parent);
  g_object_unref (question->engine);
  g_free (question);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static GadgetUnsavedTurns *
get_turns (GadgetEngine *engine)
{
  return gadget_agent_get_unsaved (gadget_engine_get_agent (engine));
}

static GadgetUnsavedSessions *
get_sessions (GadgetEngine *engine)
{
  return gadget_agent_get_unsaved_sessions (gadget_engine_get_agent (engine));
}

static void ask (Question *question, const char *news); /* asks again; takes @question */

/* @news: (nullable): a sentence with the outcome of the last step */
static void
ask_again (Question *question, const char *news)
{
  if (gadget_unsaved_dialog_is_needed (question->engine))
    {
      ask (question, news);
      return;
    }
  question->close (question->user_data);
  question_free (question);
}

/* --- Saving a copy ---------------------------------------------------------------------------- */

static void
append (GString *text, const char *one)
{
  g_string_append_printf (text, "%s%s\n", text->len > 0 ? "\n* * *\n\n" : "", one);
}

/* Appends the title, which may be all that was changed, and the queued messages. */
static void
append_chat (GString *text, GadgetSession *session)
{
  GListModel *queue = gadget_session_get_queue (session);

  append (text, gadget_labels_title (session));
  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      append (text, gadget_queued_message_get_text (message));
    }
}

static GBytes *
get_text (Question *question)
{
  g_autoptr (GPtrArray) turns = gadget_unsaved_turns_list (get_turns (question->engine));
  g_autoptr (GPtrArray) chats = gadget_unsaved_sessions_list_lost (get_sessions (question->engine));
  g_autoptr (GPtrArray) lost =
      gadget_unsaved_drafts_list_lost (gadget_engine_get_drafts (question->engine));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < turns->len; i++)
    {
      g_autofree char *one = gadget_turn_dup_text (g_ptr_array_index (turns, i));

      append (text, one);
    }
  for (guint i = 0; i < chats->len; i++)
    append_chat (text, g_ptr_array_index (chats, i));
  for (guint i = 0; i < lost->len; i++)
    append (text, g_ptr_array_index (lost, i));
  return g_string_free_to_bytes (text);
}

/* @error: (nullable) */
static void
report_copy (Question *question, const GError *error)
{
  g_autofree char *news = NULL;

  if (error != NULL)
    news = gadget_error_labels_dup (_ ("The copy could not be saved."), error);
  ask_again (question, error != NULL ? news : _ ("A copy was saved."));
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_file_replace_contents_finish (G_FILE (source), result, NULL, &error);
  report_copy (user_data, error);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (source), result, &error);
  g_autoptr (GBytes) text = NULL;

  if (g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED))
    {
      ask_again (question, NULL);
      return;
    }
  if (file == NULL)
    {
      report_copy (question, error);
      return;
    }
  text = get_text (question);
  g_file_replace_contents_bytes_async (file, text, NULL, FALSE, G_FILE_CREATE_NONE, NULL, copied_cb,
                                       question);
}

static void
save_copy (Question *question)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  gtk_file_dialog_set_title (dialog, _ ("Save a Copy"));
  gtk_file_dialog_set_initial_name (
      dialog, gadget_unsaved_turns_get_n (get_turns (question->engine)) > 0 ? _ ("Reply.txt")
                                                                            : _ ("Message.txt"));
  gtk_file_dialog_save (dialog, question->parent, NULL, chosen_cb, question);
}

/* --- Asking ----------------------------------------------------------------------------------- */

static void
retried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_engine_settle_finish (GADGET_ENGINE (source), result);
  ask_again (user_data, _ ("Saving failed again."));
}

static void
retry (Question *question)
{
  gadget_engine_settle_async (question->engine, RETRY_MS, retried_cb, question);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  const char *response = adw_alert_dialog_choose_finish (ADW_ALERT_DIALOG (source), result);

  g_signal_handlers_disconnect_by_data (get_turns (question->engine), source);
  g_signal_handlers_disconnect_by_data (get_sessions (question->engine), source);
  g_signal_handlers_disconnect_by_data (gadget_engine_get_drafts (question->engine), source);
  if (g_str_equal (response, "close") || !gadget_unsaved_dialog_is_needed (question->engine))
    question->close (question->user_data);
  else if (g_str_equal (response, "retry"))
    retry (g_steal_pointer (&question));
  else if (g_str_equal (response, "copy"))
    save_copy (g_steal_pointer (&question));
}

static void
changed_cb (AdwDialog *dialog)
{
  const Question *question = g_object_get_data (G_OBJECT (dialog), KEY);

  if (!gadget_unsaved_dialog_is_needed (question->engine))
    adw_dialog_force_close (dialog);
}

static gboolean
are_in_files (GadgetUnsavedTurns *unsaved, GPtrArray *turns)
{
  for (guint i = 0; i < turns->len; i++)
    if (gadget_unsaved_turns_get_path (unsaved, g_ptr_array_index (turns, i)) == NULL)
      return FALSE;
  return TRUE;
}

static void
append_paragraph (GString *body, const char *text)
{
  g_string_append_printf (body, "%s%s", body->len > 0 ? "\n\n" : "", text);
}

/* Appends why the replies are not saved, and what happens to them on closing. */
static void
append_turns (GString *body, GadgetUnsavedTurns *unsaved, GPtrArray *turns)
{
  if (turns->len == 0)
    return;
  append_paragraph (body, gadget_save_problem_get_text (
                              gadget_turn_get_save_problem (g_ptr_array_index (turns, 0))));
  append_paragraph (body, are_in_files (unsaved, turns)
                              ? ngettext ("Its text is kept in a file, and is added to its chat "
                                          "when Gadget is started again.",
                                          "Their text is kept in files, and is added to their "
                                          "chats when Gadget is started again.",
                                          turns->len)
                              : ngettext ("The reply will be lost if you close Gadget now.",
                                          "The replies will be lost if you close Gadget now.",
                                          turns->len));
}

static void
append_chats (GString *body, guint n)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("Changes to a chat could not be saved. They will be lost if you close Gadget now.",
                "Changes to %'u chats could not be saved. They will be lost if you close Gadget "
                "now.",
                n),
      n);

  if (n > 0)
    append_paragraph (body, text);
}

static void
append_lost (GString *body, guint n)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("A message that you wrote and did not send could not be saved. It will be lost if "
                "you close Gadget now.",
                "%'u messages that you wrote and did not send could not be saved. They will be "
                "lost if you close Gadget now.",
                n),
      n);

  if (n > 0)
    append_paragraph (body, text);
}

static char *
dup_heading (guint n_turns, guint n_chats, guint n_lost)
{
  if (n_turns > 0)
    return g_strdup_printf (ngettext ("A Reply Is Not Saved", "%'u Replies Are Not Saved", n_turns),
                            n_turns);
  if (n_lost > 0)
    return g_strdup_printf (
        ngettext ("A Message Is Not Saved", "%'u Messages Are Not Saved", n_lost), n_lost);
  return g_strdup_printf (ngettext ("A Chat Is Not Saved", "%'u Chats Are Not Saved", n_chats),
                          n_chats);
}

static void
ask (Question *question, const char *news)
{
  g_autoptr (GPtrArray) turns = gadget_unsaved_turns_list (get_turns (question->engine));
  g_autoptr (GPtrArray) chats = gadget_unsaved_sessions_list_lost (get_sessions (question->engine));
  g_autoptr (GPtrArray) lost =
      gadget_unsaved_drafts_list_lost (gadget_engine_get_drafts (question->engine));
  g_autofree char *heading = dup_heading (turns->len, chats->len, lost->len);
  g_autoptr (GString) body = g_string_new (news);
  AdwAlertDialog *dialog;

  append_turns (body, get_turns (question->engine), turns);
  append_chats (body, chats->len);
  append_lost (body, lost->len);
  dialog = ADW_ALERT_DIALOG (adw_alert_dialog_new (heading, body->str));
  /* AdwAlertDialog stacks these responses, with the last one on top. */
  adw_alert_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "close", _ ("Close _Anyway"),
                                  "copy", _ ("_Save a Copy…"), "retry", _ ("_Retry"), NULL);
  adw_alert_dialog_set_response_appearance (dialog, "retry", ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_response_appearance (dialog, "close", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (dialog, "retry");
  adw_alert_dialog_set_close_response (dialog, "cancel");
  /* The data is unowned: the dialog's answer frees @question. */
  g_object_set_data (G_OBJECT (dialog), KEY, question);
  g_signal_connect_object (get_turns (question->engine), "changed", G_CALLBACK (changed_cb), dialog,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (get_sessions (question->engine), "changed", G_CALLBACK (changed_cb),
                           dialog, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_engine_get_drafts (question->engine), "changed",
                           G_CALLBACK (changed_cb), dialog, G_CONNECT_SWAPPED);
  adw_alert_dialog_choose (dialog, GTK_WIDGET (question->parent), NULL, answered_cb, question);
}

gboolean
gadget_unsaved_dialog_is_needed (GadgetEngine *engine)
{
  g_autoptr (GPtrArray) chats = NULL;
  g_autoptr (GPtrArray) lost = NULL;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), FALSE);

  chats = gadget_unsaved_sessions_list_lost (get_sessions (engine));
  lost = gadget_unsaved_drafts_list_lost (gadget_engine_get_drafts (engine));
  return gadget_unsaved_turns_get_n (get_turns (engine)) > 0 || chats->len > 0 || lost->len > 0;
}

void
gadget_unsaved_dialog_present (GtkWindow *parent, GadgetEngine *engine, GadgetCloseFunc close,
                               gpointer user_data)
{
  Question *question;

  g_return_if_fail (GTK_IS_WINDOW (parent) && GADGET_IS_ENGINE (engine));
  g_return_if_fail (gadget_unsaved_dialog_is_needed (engine));

  if (g_object_get_data (G_OBJECT (parent), KEY) != NULL)
    return;
  question = g_new0 (Question, 1);
  question->parent = g_object_ref (parent);
  question->engine = g_object_ref (engine);
  question->close = close;
  question->user_data = user_data;
  g_object_set_data (G_OBJECT (parent), KEY, question);
  ask (question, NULL);
}
