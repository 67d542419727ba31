/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "list_dir": lists a folder in a thread. */

#define G_LOG_DOMAIN "gadget-tool-list-dir"

#include "config.h"

#include "gadget-tool-list-dir.h"

#include "gadget-file-tool.h"
#include "common/gadget-json.h"
#include "common/gadget-quoted-path.h"
#include "workspace/gadget-folder.h"
#include "workspace/gadget-path-lookup.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define DEFAULT_ENTRIES 500
#define MAX_ENTRIES 5000
/* The most entries that are read; the list of a larger folder is not sorted over all of it. */
#define MAX_LOOKED_AT 100000

/* The data of the thread. */
typedef struct
{
  char *root; /* (nullable) */
  char *resolved;
  char *shown;
  gint64 first; /* the first entry of the result, from 1 */
  gint64 max;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_free (listing->root);
  g_free (listing->resolved);
  g_free (listing->shown);
  g_free (listing);
}

static const char description[] =
    "Lists a folder: folders first, with \"/\" at the end, then files with their sizes in bytes, "
    "each by name. Without a path, the workspace folder. A name in quotation marks is given to "
    "the tools as it stands there, quotation marks and all.";

static const GadgetToolParameter parameters[] = {
  { "path", GADGET_TOOL_STRING, FALSE, "Relative to the workspace folder, or absolute" },
  { "start", GADGET_TOOL_INTEGER, FALSE, "First entry, from 1", .least = 1, .fallback = 1 },
  { "max_entries", GADGET_TOOL_INTEGER, FALSE, "500 if not given", .least = 1, .most = MAX_ENTRIES,
    .fallback = DEFAULT_ENTRIES },
  { NULL },
};

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const char *path = gadget_json_get_string (arguments, "path");

  return gadget_call_summary_new (GADGET_CALL_SUMMARY_LISTING, path != NULL ? path : ".", NULL);
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  return _gadget_file_tool_ask_read (context, arguments, ".", "list_dir",
                                     GADGET_CALL_SUMMARY_ASK_LIST);
}

static void
append_entry (GString *text, const GadgetFolderEntry *entry)
{
  g_autofree char *name = gadget_quoted_path_dup (entry->name);
  g_autofree char *target = entry->target != NULL ? gadget_quoted_path_dup (entry->target) : NULL;

  g_string_append (text, name);
  switch (entry->info.st_mode & S_IFMT)
    {
    case S_IFDIR:
      g_string_append_c (text, '/');
      break;
    case S_IFREG:
      g_string_append_printf (text, "  %" G_GINT64_FORMAT, (gint64) entry->info.st_size);
      break;
    case S_IFLNK:
      g_string_append_printf (text, " -> %s", target);
      break;
    default:
      g_string_append_printf (text, "  (%s)",
                              entry->info.st_mode == 0
                                  ? "not readable"
                                  : gadget_path_lookup_describe (entry->info.st_mode));
      break;
    }
  g_string_append_c (text, '\n');
}

static void
append_all (GString *text, gint64 n)
{
  g_autofree char *count = gadget_tool_dup_count ((guint64) n, "entry", "entries");

  g_string_append_printf (text, "[There %s only %s.]", n == 1 ? "is" : "are", count);
}

static GadgetToolResult *
make_result (const Listing *listing, const GPtrArray *entries, gboolean more)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const gint64 n = entries->len;
  gint64 next = listing->first;

  for (; next <= n && next < listing->first + listing->max; next++)
    append_entry (text, g_ptr_array_index (entries, next - 1));
  if (n == 0)
    g_string_append (text, "[The folder is empty.]");
  else if (listing->first > n)
    append_all (text, n);
  else if (next <= n)
    g_string_append_printf (text,
                            "[Entries %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                            " of %s%" G_GINT64_FORMAT
                            ". To go on, call this with \"start\": %" G_GINT64_FORMAT ".]",
                            listing->first, next - 1, more ? "more than " : "", n, next);
  else if (more)
    g_string_append (text, "[There are more, which cannot be listed here.]");
  return gadget_tool_result_new (
      FALSE, text->str,
      gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_LISTED, listing->shown, n, 0));
}

static gpointer
list_in_thread (GadgetBlocking *blocking, gpointer data, GCancellable *cancellable, GError **error)
{
  const Listing *listing = data;
  g_autofd int fd = gadget_path_lookup_open_folder (listing->root, listing->resolved, NULL, error);
  g_autoptr (GPtrArray) entries = NULL;
  gboolean more = FALSE;

  if (fd >= 0)
    entries = gadget_folder_list (fd, MAX_LOOKED_AT, &more, cancellable, error);
  return entries != NULL ? make_result (listing, entries, more) : NULL;
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, ".", &error);
  const char *path = gadget_json_get_string (arguments, "path");
  Listing *listing;

  if (resolved == NULL)
    {
      g_task_report_error (tool, callback, user_data, execute_async, g_steal_pointer (&error));
      return;
    }
  listing = g_new0 (Listing, 1);
  listing->root = g_strdup (context->workspace);
  listing->resolved = g_strdup (resolved);
  listing->shown = g_strdup (path != NULL ? path : ".");
  listing->first = gadget_tool_arguments_get_integer (arguments, parameters, "start");
  listing->max = gadget_tool_arguments_get_integer (arguments, parameters, "max_entries");
  _gadget_ledgered_task_async (tool, context, GADGET_EFFECT_READ, resolved, NULL, cancellable,
                               list_in_thread, listing, listing_free, gadget_tool_result_free,
                               callback, user_data);
}

static const GadgetToolDescriptor descriptor = {
  .name = "list_dir",
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_TOOL,
  .describe = describe,
  .permission = permission,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_list_dir_new (void)
{
  return gadget_tool_new (&descriptor, NULL, NULL);
}
