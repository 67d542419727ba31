/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "find_files": makes a search for file names from the arguments and formats its
 * results. */

#define G_LOG_DOMAIN "gadget-tool-find-files"

#include "config.h"

#include "gadget-tool-find-files.h"

#include "tools/files/gadget-file-tool.h"
#include "gadget-ledgered-search.h"
#include "common/gadget-json.h"

#define DEFAULT_RESULTS 500
#define MAX_RESULTS 5000
/* The most files that are found; when more fit, the result is not sorted over all of them. */
#define MAX_FOUND 200000

static const char description[] =
    "Finds files by their paths, sorted by path. Hidden files and what .gitignore or .ignore name "
    "are passed over, and symbolic links are not followed. A name in quotation marks is given to "
    "the tools as it stands there, quotation marks and all.";

static const GadgetToolParameter parameters[] = {
  { "pattern", GADGET_TOOL_STRING, TRUE,
    "A glob for the path below the folder: *, ?, [a-z], {a,b}, and ** for any folders, as in "
    "src/**/*.c; one without / is for the name alone, at any depth" },
  { "path", GADGET_TOOL_STRING, FALSE,
    "The folder, relative to the workspace folder or absolute; the workspace folder if not given" },
  { "include_ignored", GADGET_TOOL_BOOLEAN, FALSE, "Hidden and ignored files as well" },
  { "start", GADGET_TOOL_INTEGER, FALSE, "First result, from 1", .least = 1, .fallback = 1 },
  { "max_results", GADGET_TOOL_INTEGER, FALSE, "500 if not given", .least = 1, .most = MAX_RESULTS,
    .fallback = DEFAULT_RESULTS },
  { NULL },
};

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const char *pattern = gadget_json_get_string (arguments, "pattern");

  return gadget_call_summary_new (GADGET_CALL_SUMMARY_FINDING, pattern != NULL ? pattern : "…",
                                  NULL);
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  return _gadget_file_tool_ask_read (context, arguments, ".", "find_files",
                                     GADGET_CALL_SUMMARY_ASK_FIND);
}

static GadgetToolResult *
format_result (GadgetSearch *search, const GPtrArray *found, gboolean full)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const guint n = found->len;
  guint next = search->first;

  for (; next <= n && next - search->first < search->n_shown; next++)
    {
      const GadgetSearchResult *result = g_ptr_array_index (found, next - 1);

      _gadget_search_append_path (search, text, result->path);
      g_string_append_c (text, '\n');
    }
  if (n == 0)
    g_string_append (text, "[No file fits. Hidden and ignored files are only found with "
                           "\"include_ignored\".]");
  else if (search->first > n)
    g_string_append_printf (text, "[There are only %u.]", n);
  else if (next <= n)
    g_string_append_printf (text, "[%u to %u of %s%u. To go on, call this with \"start\": %u.]",
                            search->first, next - 1, full ? "more than " : "", n, next);
  else if (full)
    g_string_append (text, "[There are more. Use a narrower pattern, or a folder as \"path\".]");
  return gadget_tool_result_new (
      FALSE, text->str,
      gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_FOUND, search->glob_text, n, 0));
}

static GadgetSearch *
make_search (JsonObject *arguments, const GadgetToolContext *context, GError **error)
{
  const char *pattern = gadget_json_get_string (arguments, "pattern");
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, ".", error);
  g_autoptr (GadgetSearch) self = NULL;

  if (resolved == NULL)
    return NULL;
  self = _gadget_search_new (context->workspace, resolved, MAX_FOUND);
  if (!_gadget_search_set_glob (self, pattern, error))
    return NULL;
  self->all = gadget_json_get_flag (arguments, "include_ignored");
  self->first =
      (guint) MIN (gadget_tool_arguments_get_integer (arguments, parameters, "start"), MAX_FOUND);
  self->n_shown = (guint) gadget_tool_arguments_get_integer (arguments, parameters, "max_results");
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
  .name = "find_files",
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_TOOL,
  .describe = describe,
  .permission = permission,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_find_files_new (GadgetRipgrep *ripgrep)
{
  return gadget_tool_new (&descriptor, g_object_ref (ripgrep), g_object_unref);
}
