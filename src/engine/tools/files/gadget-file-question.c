/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The question comes in the middle of a call, since only the attempt to write shows that it is
 * needed. No rule can be made from the answer. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-file-question.h"

#include "common/gadget-quoted-path.h"

#include <glib/gi18n-lib.h>

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetPrompt *prompt = GADGET_PROMPT (source);
  g_autofree char *path = gadget_quoted_path_dup (gadget_prompt_get_subject (prompt));
  const char *note = gadget_prompt_get_note (prompt);
  GError *error = NULL;
  g_autofree char *answer = gadget_prompt_wait_finish (prompt, result, &error);

  gadget_item_set_prompt (g_task_get_task_data (task), NULL);
  if (answer == NULL)
    g_task_return_error (task, error);
  else if (g_str_equal (answer, GADGET_PROMPT_ALLOW))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (
        task, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
        "%s belongs to another user or group, and the user did not allow that this changes. "
        "Nothing was changed.%s%s",
        path, note != NULL ? " The user says: " : "", note != NULL ? note : "");
}

void
_gadget_file_question_async (const GadgetToolContext *context, const char *path,
                             GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_permission (
      gadget_item_get_name (context->item), _ ("Make this file your own?"), path,
      _ ("It belongs to another user or group, who would lose it when it is written"));

  g_task_set_source_tag (task, _gadget_file_question_async);
  g_task_set_task_data (task, g_object_ref (context->item), g_object_unref);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_ONCE,
                          _ ("Only once: this cannot be allowed for longer."));
  gadget_item_set_prompt (context->item, prompt);
  gadget_prompt_wait_async (prompt, cancellable, answered_cb, task);
}

gboolean
_gadget_file_question_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
