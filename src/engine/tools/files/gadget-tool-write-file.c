/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "write_file": the new content is that of the arguments; gadget-file-change.c reads and
 * replaces the file. */

#define G_LOG_DOMAIN "gadget-tool-write-file"

#include "config.h"

#include "gadget-tool-write-file.h"

#include "common/gadget-json.h"
#include "gadget-file-preview.h"

#include <string.h>

static const char description[] =
    "Makes a text file, or replaces the whole content of one. Folders on the way are made. A file "
    "that exists must have been read in this chat, and not have changed since. To change a part "
    "of a file, use edit_file.";

static const GadgetToolParameter parameters[] = {
  { "path", GADGET_TOOL_STRING, TRUE, "Relative to the workspace folder, or absolute" },
  { "content", GADGET_TOOL_STRING, TRUE, "All of the file's text" },
  { NULL },
};

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const char *path = gadget_json_get_string (arguments, "path");

  return gadget_call_summary_new (GADGET_CALL_SUMMARY_WRITING, path != NULL ? path : "…", NULL);
}

static char *
make (const char *old_text, gsize old_length, gpointer data, gsize *new_length, char **note,
      GError **error)
{
  *new_length = strlen (data);
  return g_strdup (data);
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  const char *content = gadget_json_get_string (arguments, "content");
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, NULL, NULL);
  GadgetPrompt *prompt;

  if (resolved == NULL || content == NULL)
    return NULL;

  const GadgetFileChangeSpec spec = {
    .resolved = resolved, .make = make, .data = g_strdup (content), .destroy = g_free
  };

  prompt = _gadget_file_tool_ask_write (context, "write_file", resolved);
  _gadget_file_preview_attach (prompt, context, &spec, GADGET_PROMPT_BODY_FILE, content);
  return prompt;
}

/* A text that is too long to be compared is summarized by its number of lines. */
static GadgetCallSummary *
summarize (const GadgetFileChange *change, const char *shown)
{
  if (change->unchanged)
    return gadget_call_summary_new (GADGET_CALL_SUMMARY_UNCHANGED, shown, NULL);
  if (change->unified == NULL)
    return gadget_call_summary_new_with_numbers (change->made ? GADGET_CALL_SUMMARY_CREATED_LINES
                                                              : GADGET_CALL_SUMMARY_WROTE_LINES,
                                                 shown, change->n_lines, 0);
  return gadget_call_summary_new_with_numbers (change->made ? GADGET_CALL_SUMMARY_CREATED
                                                            : GADGET_CALL_SUMMARY_WROTE,
                                               shown, change->n_added, change->n_removed);
}

static GadgetToolResult *
format_result (const GadgetFileChange *change, const char *shown)
{
  g_autofree char *names = _gadget_file_change_dup_names (change);
  g_autofree char *lines = gadget_tool_dup_count (change->n_lines, "line", "lines");
  g_autofree char *bytes = gadget_tool_dup_count (change->length, "byte", "bytes");
  g_autofree char *text =
      change->unchanged
          ? g_strdup_printf ("%s has this content already; it was not touched.", shown)
          : g_strdup_printf ("%s %s: %s, %s.%s", change->made ? "Made" : "Replaced", shown, lines,
                             bytes, names);

  return gadget_tool_result_new (
      FALSE, text, gadget_call_summary_with_path (summarize (change, shown), change->path));
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, NULL, &error);
  const char *content = gadget_json_get_string (arguments, "content");

  if (resolved != NULL && g_str_has_suffix (gadget_json_get_string (arguments, "path"), "/"))
    error =
        g_error_new_literal (G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                             "\"path\" ends with \"/\", as that of a folder does: name the file. "
                             "Folders are made with the first file in them.");
  if (error != NULL)
    {
      g_task_report_error (tool, callback, user_data, execute_async, g_steal_pointer (&error));
      return;
    }

  const GadgetFileChangeSpec spec = {
    .resolved = resolved,
    .shown = gadget_json_get_string (arguments, "path"),
    .make = make,
    .data = g_strdup (content),
    .destroy = g_free,
    .format = format_result,
  };

  _gadget_file_change_async (tool, context, &spec, cancellable, callback, user_data);
}

static const GadgetToolDescriptor descriptor = {
  .name = "write_file",
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_TOOL,
  .describe = describe,
  .least_access = _gadget_file_tool_least_write_access,
  .permission = permission,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_write_file_new (void)
{
  return gadget_tool_new (&descriptor, NULL, NULL);
}
