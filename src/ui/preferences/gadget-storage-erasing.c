/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Delete Everything: the question, and the steps. What runs, here and in other programs, is stopped
 * first; each attempt to delete fails while something has not stopped yet. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-storage-erasing.h"

#include "gadget-preferences-rows.h"

#include <glib/gi18n.h>

/* How long it may take until everything has stopped, and how long an attempt waits for the next
 * one, in milliseconds. */
#define STOP_MS 5000
#define AGAIN_MS 100
/* How long unsaved text may take to be saved, so that no recovery file is left of it. */
#define SETTLE_MS 1000

/* --- The question ----------------------------------------------------------------------------- */

/* The data of the dialog. */
typedef struct
{
  GWeakRef page;
  GtkCheckButton *keys;
  void (*confirmed) (GtkWidget *page, gboolean also_keys);
} Question;

static void
question_free (gpointer data, GClosure *closure)
{
  Question *question = data;

  g_weak_ref_clear (&question->page);
  g_object_unref (question->keys);
  g_free (question);
}

static void
answered_cb (AdwAlertDialog *dialog, const char *response, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (GtkWidget) page = g_weak_ref_get (&question->page);

  if (page != NULL && g_str_equal (response, "delete"))
    question->confirmed (page, gtk_check_button_get_active (question->keys));
}

/* Translators: the word that the user has to type before everything is deleted */
#define WORD C_ ("the word to type", "delete")

static void
typed_cb (GtkEditable *entry, AdwAlertDialog *dialog)
{
  g_autofree char *typed = g_utf8_casefold (gtk_editable_get_text (entry), -1);
  g_autofree char *word = g_utf8_casefold (WORD, -1);

  adw_alert_dialog_set_response_enabled (dialog, "delete", g_str_equal (g_strstrip (typed), word));
}

static GtkWidget *
make_content (AdwAlertDialog *dialog, GtkCheckButton *keys)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *entry = gtk_entry_new ();
  /* Translators: %s is the word “delete” in the reader's language */
  g_autofree char *text = g_strdup_printf (_ ("Type “%s” to confirm:"), WORD);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  label, NULL, -1);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  g_signal_connect_object (entry, "changed", G_CALLBACK (typed_cb), dialog, G_CONNECT_DEFAULT);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (keys));
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), entry);
  adw_dialog_set_focus (ADW_DIALOG (dialog), entry);
  return box;
}

void
gadget_storage_erasing_ask (GtkWidget *page,
                            void (*confirmed) (GtkWidget *page, gboolean also_keys))
{
  AdwDialog *dialog = adw_alert_dialog_new (
      _ ("Delete Everything?"),
      _ ("All chats with their attachments, folders and unsent messages are deleted, and with them "
         "permissions, the earlier versions of files, backups, texts kept for recovery, and "
         "caches. "
         "Nothing of it can be brought back. What is running is stopped, and Gadget starts "
         "again."));
  Question *question = g_new0 (Question, 1);
  GtkWidget *keys = gadget_preferences_check (_ ("Also providers, tool servers and their keys"));

  g_weak_ref_init (&question->page, page);
  question->keys = GTK_CHECK_BUTTON (g_object_ref_sink (keys));
  question->confirmed = confirmed;
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "delete",
                                  _ ("_Delete Everything"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "delete",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_response_enabled (ADW_ALERT_DIALOG (dialog), "delete", FALSE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "delete");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_extra_child (ADW_ALERT_DIALOG (dialog),
                                    make_content (ADW_ALERT_DIALOG (dialog), question->keys));
  g_signal_connect_data (dialog, "response", G_CALLBACK (answered_cb), question, question_free,
                         G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, page);
}

/* --- The steps -------------------------------------------------------------------------------- */

/* The data of the task. */
typedef struct
{
  gboolean also_keys;
  gint64 until_us; /* monotonic: when nothing is waited for any more */
} Erasing;

static void attempt (gpointer user_data);

static void
erased_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Erasing *erasing = g_task_get_task_data (task);
  GError *error = NULL;

  if (gadget_engine_erase_finish (GADGET_ENGINE (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY)
           && g_get_monotonic_time () < erasing->until_us)
    {
      g_clear_error (&error);
      g_timeout_add_once (AGAIN_MS, attempt, g_steal_pointer (&task));
    }
  else
    g_task_return_error (task, error);
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Erasing *erasing = g_task_get_task_data (user_data);
  g_autofree char *cache_dir =
      g_build_filename (g_get_user_cache_dir (), "gadget", "commands", NULL);

  gadget_engine_settle_finish (GADGET_ENGINE (source), result);
  gadget_engine_erase_async (GADGET_ENGINE (source), cache_dir, erasing->also_keys, erased_cb,
                             user_data);
}

/* @user_data is the task, (transfer full). */
static void
attempt (gpointer user_data)
{
  gadget_engine_settle_async (g_task_get_source_object (user_data), SETTLE_MS, settled_cb,
                              user_data);
}

void
gadget_storage_erasing_run_async (GtkWidget *page, GadgetEngine *engine, gboolean also_keys,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Erasing *erasing;

  g_return_if_fail (GTK_IS_WIDGET (page) && GADGET_IS_ENGINE (engine));

  erasing = g_new0 (Erasing, 1);
  erasing->also_keys = also_keys;
  erasing->until_us = g_get_monotonic_time () + STOP_MS * G_TIME_SPAN_MILLISECOND;
  task = g_task_new (engine, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_storage_erasing_run_async);
  g_task_set_task_data (task, erasing, g_free);
  gtk_widget_activate_action (page, "win.stop-all", NULL);
  attempt (task);
}

gboolean
gadget_storage_erasing_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_storage_erasing_run_async), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
