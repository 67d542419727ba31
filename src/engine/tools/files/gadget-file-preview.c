/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A change that cannot be made (the text to replace is missing, the file was not read) fails before
 * the user is asked about it. But the model must not learn that much about a file outside of the
 * workspace before it may touch it: for such a file the card shows what the arguments say. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-file-preview.h"

#include "common/gadget-quoted-path.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A digest that no change has. */
#define UNREAD "unread"

/* The data of a prompt's preparation. */
typedef struct
{
  char *root; /* (nullable) */
  char *resolved;
  GadgetVersionsRead *versions; /* (nullable) */
  GadgetFileChangeSpec spec;
  GadgetPromptBody kind;
  char *body;
} Preview;

static void
preview_free (gpointer data)
{
  Preview *self = data;

  g_free (self->root);
  g_free (self->resolved);
  g_clear_pointer (&self->versions, gadget_versions_read_unref);
  if (self->spec.data != NULL && self->spec.destroy != NULL)
    self->spec.destroy (self->spec.data);
  g_free (self->body);
  g_free (self);
}

/* Returns whether the file lies outside of the workspace. */
static gboolean
is_outside (const char *root, const char *resolved)
{
  return gadget_workspace_get_relative (root, resolved) == NULL;
}

/* --- Showing ---------------------------------------------------------------------------------- */

/* Skips the two lines that name the file. */
static const char *
skip_names (const char *unified)
{
  for (guint i = 0; i < 2 && g_str_has_prefix (unified, i == 0 ? "--- " : "+++ "); i++)
    {
      const char *newline = strchr (unified, '\n');

      unified = newline != NULL ? newline + 1 : unified + strlen (unified);
    }
  return unified;
}

static void
show_text (GadgetPrompt *prompt, const GadgetFileChange *change)
{
  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_FILE, change->text);
  if (change->made)
    gadget_prompt_set_counts (prompt, change->n_lines, 0);
}

static void
show_replaced (GadgetPrompt *prompt, const GadgetFileChange *change)
{
  g_autofree char *size = g_format_size ((guint64) change->old_size);
  /* Translators: %s is a size, "20 MB" */
  g_autofree char *warning = g_strdup_printf (
      _ ("The file has %s, which is too much to compare. All of it is replaced."), size);

  show_text (prompt, change);
  gadget_prompt_add_warning (prompt, warning);
}

static void
show_title (GadgetPrompt *prompt, const char *root, const char *resolved, gboolean made)
{
  g_autofree char *name = _gadget_file_tool_dup_name (root, resolved);
  /* Translators: %s is a file */
  g_autofree char *title = g_strdup_printf (made ? _ ("Create %s?") : _ ("Change %s?"), name);

  gadget_prompt_set_title (prompt, title);
}

static void
show_change (GadgetPrompt *prompt, const char *root, const char *resolved,
             const GadgetFileChange *change)
{
  show_title (prompt, root, resolved, change->made);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_DIGEST, change->digest);
  gadget_prompt_set_detail (prompt, change->made
                                        ? _ ("Writes this new file · reads nothing · no network")
                                        : _ ("Writes this file · reads nothing else · no network"));
  if (change->made)
    show_text (prompt, change);
  else if (change->unified == NULL)
    show_replaced (prompt, change);
  else
    {
      gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_DIFF, skip_names (change->unified));
      gadget_prompt_set_counts (prompt, change->n_added, change->n_removed);
    }
  if (change->is_protected)
    gadget_prompt_add_warning (
        prompt,
        _ ("A configuration of version control names the file: it is run outside of the sandbox."));
  if (change->unchanged)
    gadget_prompt_set_text (prompt, GADGET_PROMPT_OMITTED,
                            _ ("The file has this content already."));
}

static void
show_unread (GadgetPrompt *prompt, const Preview *self)
{
  gadget_prompt_set_body (prompt, self->kind, self->body);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_DIGEST, UNREAD);
  gadget_prompt_set_text (
      prompt, GADGET_PROMPT_OMITTED,
      _ ("The file could not be compared. If it can be when it is written, you are asked again."));
}

/* --- Preparing -------------------------------------------------------------------------------- */

static void
previewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetPrompt *prompt = g_task_get_source_object (task);
  Preview *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetFileChange) change = _gadget_file_change_preview_finish (result, &error);

  if (change == NULL
      && (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
          || !is_outside (self->root, self->resolved)))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (change != NULL)
    show_change (prompt, self->root, self->resolved, change);
  else
    show_unread (prompt, self);
  g_task_return_boolean (task, TRUE);
}

static void
prepare (GadgetPrompt *prompt, gpointer data, GCancellable *cancellable,
         GAsyncReadyCallback callback, gpointer user_data)
{
  Preview *given = data;
  GTask *task = g_task_new (prompt, cancellable, callback, user_data);
  Preview *self = g_new0 (Preview, 1);
  GadgetFileChangeSpec spec = given->spec;

  g_task_set_source_tag (task, prepare);
  /* The prompt keeps @data until it is freed, but the data of the change can be used only once. */
  given->spec.data = NULL;
  self->root = g_strdup (given->root);
  self->resolved = g_strdup (given->resolved);
  self->kind = given->kind;
  self->body = g_strdup (given->body);
  g_task_set_task_data (task, self, preview_free);
  spec.resolved = self->resolved;
  _gadget_file_change_preview_async (self->root, given->versions, &spec, cancellable, previewed_cb,
                                     task);
}

void
_gadget_file_preview_attach (GadgetPrompt *prompt, const GadgetToolContext *context,
                             const GadgetFileChangeSpec *spec, GadgetPromptBody kind,
                             const char *body)
{
  Preview *self = g_new0 (Preview, 1);

  self->root = g_strdup (context->workspace);
  self->resolved = g_strdup (spec->resolved);
  self->versions = context->versions != NULL ? gadget_versions_read_ref (context->versions) : NULL;
  self->spec = *spec;
  self->kind = kind;
  self->body = g_strdup (body);
  gadget_prompt_set_prepare (prompt, prepare, self, preview_free);
}

/* --- Asking again ----------------------------------------------------------------------------- */

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
    g_task_return_pointer (task, g_strdup (gadget_prompt_get_text (prompt, GADGET_PROMPT_DIGEST)),
                           g_free);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                             "The user was shown what %s would become, and did not allow it. "
                             "Nothing was changed.%s%s",
                             path, note != NULL ? " The user says: " : "",
                             note != NULL ? note : "");
}

void
_gadget_change_question_async (const GadgetToolContext *context, const char *resolved,
                               const GadgetFileChange *change, gboolean again,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_permission (gadget_item_get_name (context->item), "", resolved, NULL);
  g_autofree char *place = _gadget_file_tool_dup_name (NULL, context->workspace);

  g_task_set_source_tag (task, _gadget_change_question_async);
  g_task_set_task_data (task, g_object_ref (context->item), g_object_unref);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_PLACE, place);
  if (again)
    gadget_prompt_add_warning (
        prompt, _ ("The file changed since you allowed this; this is the change now."));
  gadget_prompt_set_text (prompt, GADGET_PROMPT_ONCE,
                          _ ("Only once: this cannot be allowed for longer."));
  show_change (prompt, context->workspace, resolved, change);
  gadget_item_set_prompt (context->item, prompt);
  gadget_prompt_wait_async (prompt, cancellable, answered_cb, task);
}

char *
_gadget_change_question_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
