/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog comes again until the replies are saved, or it is answered with Cancel or Close
 * Anyway: trying again and saving a copy are steps on the way, and it says how they went. When they
 * are saved by themselves while it is there, nothing stands against closing any more. Nothing of it
 * blocks. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-unsaved-dialog.h"

#include "agent/gadget-failure.h"
#include "session/gadget-turn-text.h"
#include "ui/common/gadget-error-words.h"

#include <glib/gi18n.h>

/* A disk that is full says so at once; another one may need its time. */
#define RETRY_MS 5000

#define KEY "gadget-unsaved-dialog"

typedef struct
{
  GtkWindow *parent;
  GadgetUnsavedTurns *unsaved;
  GadgetCloseFunc close;
  gpointer user_data;
} Question;

static void
question_free (Question *question)
{
  g_object_set_data (G_OBJECT (question->parent), KEY, NULL);
  g_object_unref (question->parent);
  g_object_unref (question->unsaved);
  g_free (question);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static void ask (Question *question, const char *news); /* again */

/* @news: (nullable): how it went, a sentence */
static void
ask_again (Question *question, const char *news)
{
  if (gadget_unsaved_turns_get_n (question->unsaved) > 0)
    {
      ask (question, news);
      return;
    }
  question->close (question->user_data);
  question_free (question);
}

/* --- A copy ----------------------------------------------------------------------------------- */

static GBytes *
get_text (GadgetUnsavedTurns *unsaved)
{
  g_autoptr (GPtrArray) turns = gadget_unsaved_turns_list (unsaved);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < turns->len; i++)
    {
      g_autofree char *one = gadget_turn_dup_text (g_ptr_array_index (turns, i));

      g_string_append_printf (text, "%s%s\n", i > 0 ? "\n* * *\n\n" : "", one);
    }
  return g_string_free_to_bytes (text);
}

/* @error: (nullable) */
static void
tell_of_copy (Question *question, const GError *error)
{
  g_autofree char *news = NULL;

  if (error != NULL)
    news = gadget_error_words_dup (_ ("The copy could not be saved."), error);
  ask_again (question, error != NULL ? news : _ ("A copy was saved."));
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_file_replace_contents_finish (G_FILE (source), result, NULL, &error);
  tell_of_copy (user_data, error);
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
      tell_of_copy (question, error);
      return;
    }
  text = get_text (question->unsaved);
  g_file_replace_contents_bytes_async (file, text, NULL, FALSE, G_FILE_CREATE_NONE, NULL, copied_cb,
                                       question);
}

static void
save_copy (Question *question)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  gtk_file_dialog_set_title (dialog, _ ("Save a Copy"));
  gtk_file_dialog_set_initial_name (dialog, _ ("Reply.txt"));
  gtk_file_dialog_save (dialog, question->parent, NULL, chosen_cb, question);
}

/* --- Asking ----------------------------------------------------------------------------------- */

static void
retried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_unsaved_turns_settle_finish (GADGET_UNSAVED_TURNS (source), result);
  ask_again (user_data, _ ("Saving failed again."));
}

static void
retry (Question *question)
{
  gadget_unsaved_turns_settle_async (question->unsaved, RETRY_MS, retried_cb, question);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  const char *response = adw_alert_dialog_choose_finish (ADW_ALERT_DIALOG (source), result);

  g_signal_handlers_disconnect_by_data (question->unsaved, source);
  if (g_str_equal (response, "close") || gadget_unsaved_turns_get_n (question->unsaved) == 0)
    question->close (question->user_data);
  else if (g_str_equal (response, "retry"))
    retry (g_steal_pointer (&question));
  else if (g_str_equal (response, "copy"))
    save_copy (g_steal_pointer (&question));
}

static void
changed_cb (AdwDialog *dialog, GadgetUnsavedTurns *unsaved)
{
  if (gadget_unsaved_turns_get_n (unsaved) == 0)
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

/* How the last step went, why they are not saved, and what becomes of them. */
static char *
dup_body (GadgetUnsavedTurns *unsaved, GPtrArray *turns, const char *news)
{
  const char *reason =
      gadget_failure_get_save_text (gadget_turn_get_save_problem (g_ptr_array_index (turns, 0)));
  const char *fate = are_in_files (unsaved, turns)
                         ? ngettext ("Its text is kept in a file, and is added to its chat when "
                                     "Gadget is started again.",
                                     "Their text is kept in files, and is added to their chats "
                                     "when Gadget is started again.",
                                     turns->len)
                         : ngettext ("It is lost when Gadget is closed now.",
                                     "They are lost when Gadget is closed now.", turns->len);

  return g_strdup_printf ("%s%s%s\n\n%s", news != NULL ? news : "", news != NULL ? "\n\n" : "",
                          reason, fate);
}

static void
ask (Question *question, const char *news)
{
  g_autoptr (GPtrArray) turns = gadget_unsaved_turns_list (question->unsaved);
  g_autofree char *heading = g_strdup_printf (
      ngettext ("A Reply Is Not Saved", "%u Replies Are Not Saved", turns->len), turns->len);
  g_autofree char *body = dup_body (question->unsaved, turns, news);
  AdwAlertDialog *dialog = ADW_ALERT_DIALOG (adw_alert_dialog_new (heading, body));

  /* They stand above each other, the last one on top. */
  adw_alert_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "close", _ ("Close _Anyway"),
                                  "copy", _ ("_Save a Copy…"), "retry", _ ("_Retry"), NULL);
  adw_alert_dialog_set_response_appearance (dialog, "retry", ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_response_appearance (dialog, "close", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (dialog, "retry");
  adw_alert_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_object (question->unsaved, "changed", G_CALLBACK (changed_cb), dialog,
                           G_CONNECT_SWAPPED);
  adw_alert_dialog_choose (dialog, GTK_WIDGET (question->parent), NULL, answered_cb, question);
}

void
gadget_unsaved_dialog_present (GtkWindow *parent, GadgetUnsavedTurns *unsaved,
                               GadgetCloseFunc close, gpointer user_data)
{
  Question *question;

  g_return_if_fail (GTK_IS_WINDOW (parent) && GADGET_IS_UNSAVED_TURNS (unsaved));
  g_return_if_fail (gadget_unsaved_turns_get_n (unsaved) > 0);

  if (g_object_get_data (G_OBJECT (parent), KEY) != NULL)
    return;
  question = g_new0 (Question, 1);
  question->parent = g_object_ref (parent);
  question->unsaved = g_object_ref (unsaved);
  question->close = close;
  question->user_data = user_data;
  g_object_set_data (G_OBJECT (parent), KEY, question);
  ask (question, NULL);
}
