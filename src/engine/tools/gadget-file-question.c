/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions in the middle of a call, since only its look at the file shows that they are needed; no
 * rule can be made of them. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-file-question.h"

#include <glib/gi18n-lib.h>

static const struct
{
  const char *title;
  const char *detail;
  const char *refused; /* for the model, behind the name of the file */
} questions[] = {
  [GADGET_FILE_QUESTION_OWNER] = {
    N_ ("Make this file your own?"),
    N_ ("It belongs to another user or group, who would lose it when it is written"),
    "belongs to another user or group, and the user did not allow that this changes.",
  },
  [GADGET_FILE_QUESTION_PROTECTED] = {
    N_ ("Write this file?"),
    N_ ("A configuration of version control names it: it is run outside of the sandbox"),
    "is named by a configuration of version control, and so is run outside of the sandbox; the "
    "user did not allow that it is written.",
  },
};

typedef struct
{
  GadgetItem *item;
  GadgetFileQuestion question;
} Asked;

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  g_object_unref (asked->item);
  g_free (asked);
}

static void
return_refusal (GTask *task, GadgetPrompt *prompt)
{
  const Asked *asked = g_task_get_task_data (task);
  const char *note = gadget_prompt_get_note (prompt);

  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                           "%s %s Nothing was changed.%s%s", gadget_prompt_get_subject (prompt),
                           questions[asked->question].refused,
                           note != NULL ? " The user says: " : "", note != NULL ? note : "");
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Asked *asked = g_task_get_task_data (task);
  GadgetPrompt *prompt = GADGET_PROMPT (source);
  GError *error = NULL;
  g_autofree char *answer = gadget_prompt_wait_finish (prompt, result, &error);

  gadget_item_set_prompt (asked->item, NULL);
  if (answer == NULL)
    g_task_return_error (task, error);
  else if (g_str_equal (answer, GADGET_PROMPT_ALLOW))
    g_task_return_boolean (task, TRUE);
  else
    return_refusal (task, prompt);
}

void
_gadget_file_question_async (const GadgetToolContext *context, GadgetFileQuestion question,
                             const char *path, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_permission (
      gadget_item_get_name (context->item), _ (questions[question].title), path,
      _ (questions[question].detail));
  Asked *asked = g_new0 (Asked, 1);

  g_task_set_source_tag (task, _gadget_file_question_async);
  asked->item = g_object_ref (context->item);
  asked->question = question;
  g_task_set_task_data (task, asked, asked_free);
  gadget_item_set_prompt (context->item, prompt);
  gadget_prompt_wait_async (prompt, cancellable, answered_cb, task);
}

gboolean
_gadget_file_question_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
