/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "search": makes a search for lines from the arguments and formats its results. */

#define G_LOG_DOMAIN "gadget-tool-search"

#include "config.h"

#include "gadget-tool-search.h"

#include "tools/files/gadget-file-tool.h"
#include "gadget-ledgered-search.h"
#include "common/gadget-json.h"

#include <string.h>

#define DEFAULT_RESULTS 200
#define MAX_RESULTS 2000
#define MAX_CONTEXT 20
/* The longest text of a result, in bytes; the rest is left out. */
#define MAX_TEXT (96 * 1024)

static const char description[] =
    "Searches the text files of a folder for a regular expression, line by line. Gives "
    "PATH:LINE:TEXT, and PATH-LINE-TEXT for lines of context. Hidden and binary files and what "
    ".gitignore or .ignore name are passed over, and symbolic links are not followed.";

static const GadgetToolParameter parameters[] = {
  { "pattern", GADGET_TOOL_STRING, TRUE, "A regular expression" },
  { "path", GADGET_TOOL_STRING, FALSE,
    "The folder or file, relative to the workspace folder or absolute; the workspace folder if not "
    "given" },
  { "glob", GADGET_TOOL_STRING, FALSE,
    "Only files whose path below the folder fits, as src/**/*.c; one without / is for the name "
    "alone, as *.{c,h}" },
  { "case_insensitive", GADGET_TOOL_BOOLEAN },
  { "context", GADGET_TOOL_INTEGER, FALSE, "So many lines before and after each",
    .most = MAX_CONTEXT },
  { "include_ignored", GADGET_TOOL_BOOLEAN, FALSE, "Hidden and ignored files as well" },
  { "max_results", GADGET_TOOL_INTEGER, FALSE, "200 if not given", .least = 1, .most = MAX_RESULTS,
    .fallback = DEFAULT_RESULTS },
  { NULL },
};

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const char *pattern = gadget_json_get_string (arguments, "pattern");

  return gadget_call_summary_new (GADGET_CALL_SUMMARY_SEARCHING, pattern != NULL ? pattern : "…",
                                  NULL);
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  return _gadget_file_tool_ask_read (context, arguments, ".", "search",
                                     GADGET_CALL_SUMMARY_ASK_SEARCH);
}

static void
append_result (GString *text, GadgetSearch *search, const GadgetSearchResult *result)
{
  const char mark = result->is_context ? '-' : ':';

  _gadget_search_append_path (search, text, result->path);
  g_string_append_printf (text, "%c%" G_GUINT64_FORMAT "%c%s\n", mark, result->line, mark,
                          result->text);
}

/* Returns whether lines are missing between two lines of a result with context. */
static gboolean
is_gap (const GadgetSearchResult *before, const GadgetSearchResult *result)
{
  return strcmp (before->path, result->path) != 0 || before->line + 1 != result->line;
}

static GadgetToolResult *
format_result (GadgetSearch *search, const GPtrArray *found, gboolean full)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;
  guint n_shown = 0;

  for (guint i = 0; i < found->len; i++)
    {
      const GadgetSearchResult *result = g_ptr_array_index (found, i);

      n += !result->is_context;
      if (text->len >= MAX_TEXT)
        continue;
      if (search->context > 0 && i > 0 && is_gap (g_ptr_array_index (found, i - 1), result))
        g_string_append (text, "--\n");
      append_result (text, search, result);
      n_shown += !result->is_context;
    }
  if (n == 0)
    g_string_append (text, "[No line fits. Hidden and ignored files are only searched with "
                           "\"include_ignored\".]");
  else if (full || n_shown < n)
    g_string_append_printf (text,
                            "[These are %u of more. For the others, narrow it with \"path\", "
                            "\"glob\" or the pattern%s.]",
                            n_shown,
                            n_shown == n && n < MAX_RESULTS ? ", or raise \"max_results\"" : "");
  return gadget_tool_result_new (
      FALSE, text->str,
      gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_SEARCHED, search->pattern, n, 0));
}

static GadgetSearch *
make_search (JsonObject *arguments, const GadgetToolContext *context, GError **error)
{
  const char *pattern = gadget_json_get_string (arguments, "pattern");
  const char *glob = gadget_json_get_string (arguments, "glob");
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, ".", error);
  g_autoptr (GadgetSearch) self = NULL;

  if (resolved == NULL)
    return NULL;
  if (*pattern == '\0' || strchr (pattern, '\n') != NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           "\"pattern\" must be a regular expression for one line.");
      return NULL;
    }
  self = _gadget_search_new (
      context->workspace, resolved,
      (guint) gadget_tool_arguments_get_integer (arguments, parameters, "max_results"));
  if (glob != NULL && *glob != '\0' && !_gadget_search_set_glob (self, glob, error))
    return NULL;
  self->pattern = g_strdup (pattern);
  self->ignore_case = gadget_json_get_flag (arguments, "case_insensitive");
  self->all = gadget_json_get_flag (arguments, "include_ignored");
  self->context = (guint) gadget_tool_arguments_get_integer (arguments, parameters, "context");
  return g_steal_pointer (&self);
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSearch) search = make_search (arguments, context, &error);

  if (search == NULL)
    g_task_report_error (tool, callback, user_data, execute_async, g_steal_pointer (&error));
  else
    _gadget_ledgered_search_async (tool, context, search, gadget_tool_get_data (tool),
                                   format_result, cancellable, callback, user_data);
}

static const GadgetToolDescriptor descriptor = {
  .name = "search",
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_TOOL,
  .describe = describe,
  .permission = permission,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_search_new (GadgetRipgrep *ripgrep)
{
  return gadget_tool_new (&descriptor, g_object_ref (ripgrep), g_object_unref);
}
