/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "session search": finds texts in all chats. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-app.h"
#include "cli-writer.h"
#include "common/gadget-json.h"

/* The texts that are not in the index yet are indexed first, for so long; then the search begins.
 */
#define SETTLE_MS 1000

/* The command line, and the data that is read for it. */
typedef struct
{
  GadgetCli *cli;
  gboolean json;
  GadgetChatSearchQuery query;
  GCancellable *cancellable;
  guint timeout;
  gboolean searching;
} Command;

static const char *
get_kind_name (GadgetChatSearchKind kind)
{
  static const char *const names[] = {
    [GADGET_CHAT_SEARCH_PROMPT] = "prompt",         [GADGET_CHAT_SEARCH_ANSWER] = "answer",
    [GADGET_CHAT_SEARCH_REASONING] = "reasoning",   [GADGET_CHAT_SEARCH_CALL] = "call",
    [GADGET_CHAT_SEARCH_CHANGE] = "change",         [GADGET_CHAT_SEARCH_OUTPUT] = "output",
    [GADGET_CHAT_SEARCH_ATTACHMENT] = "attachment", [GADGET_CHAT_SEARCH_FILE_NAME] = "file-name",
  };

  return names[kind];
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void
add_ranges (JsonBuilder *builder, GArray *ranges)
{
  json_builder_set_member_name (builder, "ranges");
  json_builder_begin_array (builder);
  for (guint i = 0; i < ranges->len; i++)
    {
      const GadgetChatSearchRange *range = &g_array_index (ranges, GadgetChatSearchRange, i);

      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, (gint64) range->begin);
      json_builder_add_int_value (builder, (gint64) range->end);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

static void
add_match (JsonBuilder *builder, const GadgetChatSearchMatch *match)
{
  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "session", match->session_id);
  gadget_cli_json_add_string (builder, "turn", match->turn_id);
  json_builder_set_member_name (builder, "item");
  if (match->position >= 0)
    json_builder_add_int_value (builder, match->position);
  else
    json_builder_add_null_value (builder);
  gadget_cli_json_add_string (builder, "kind", get_kind_name (match->kind));
  gadget_cli_json_add_string (builder, "subject", match->subject);
  gadget_cli_json_add_string (builder, "text", match->text);
  add_ranges (builder, match->ranges);
  gadget_json_add_int (builder, "started_at", match->time);
  json_builder_end_object (builder);
}

static void
add_chat (JsonBuilder *builder, const GadgetChatSearchResult *chat)
{
  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "session", chat->session_id);
  gadget_cli_json_add_string (builder, "title", chat->title);
  gadget_cli_json_add_string (builder, "workspace", chat->workspace);
  gadget_json_add_int (builder, "updated_at", chat->time);
  gadget_json_add_int (builder, "n_matches", chat->n_matches);
  json_builder_set_member_name (builder, "matches");
  json_builder_begin_array (builder);
  for (guint i = 0; i < chat->matches->len; i++)
    add_match (builder, g_ptr_array_index (chat->matches, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
print_json (Command *command, GadgetChatSearch *search, const GadgetChatSearchResults *results)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  gadget_json_add_int (builder, "n_matches", results->n_matches);
  gadget_json_add_int (builder, "n_sessions", results->n_chats);
  gadget_json_add_boolean (builder, "complete",
                           results->complete
                               && gadget_chat_search_get_n_indexed (search)
                                      == gadget_chat_search_get_n_chats (search));
  json_builder_set_member_name (builder, "sessions");
  json_builder_begin_array (builder);
  for (guint i = 0; i < results->chats->len; i++)
    add_chat (builder, g_ptr_array_index (results->chats, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  gadget_cli_print_json (command->cli, builder);
}

/* --- Text ------------------------------------------------------------------------------------- */

static void
print_chat (Command *command, const GadgetChatSearchResult *chat)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (chat->time / 1000);
  g_autofree char *when = time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : NULL;

  gadget_cli_print (command->cli, "%s  %s  %s\n", chat->session_id, when != NULL ? when : "",
                    chat->title != NULL && *chat->title != '\0' ? chat->title : _ ("New chat"));
  for (guint i = 0; i < chat->matches->len; i++)
    {
      const GadgetChatSearchMatch *match = g_ptr_array_index (chat->matches, i);
      g_autofree char *place = gadget_chat_search_match_dup_place (match);

      gadget_cli_print (command->cli, "  %s: %s\n", place, match->text);
    }
  if (chat->n_matches > chat->matches->len)
    {
      const guint more = chat->n_matches - chat->matches->len;

      gadget_cli_print (command->cli,
                        ngettext ("  %u more in this chat\n", "  %u more in this chat\n", more),
                        more);
    }
  gadget_cli_print (command->cli, "\n");
}

static void
print_text (Command *command, GadgetChatSearch *search, const GadgetChatSearchResults *results)
{
  const guint n_chats = gadget_chat_search_get_n_chats (search);
  const guint n_indexed = gadget_chat_search_get_n_indexed (search);
  g_autofree char *chats = NULL;

  for (guint i = 0; i < results->chats->len; i++)
    print_chat (command, g_ptr_array_index (results->chats, i));
  /* Translators: the second part of “9 matches in 3 chats” */
  chats =
      g_strdup_printf (ngettext ("in %u chat", "in %u chats", results->n_chats), results->n_chats);
  if (results->n_matches == 0)
    gadget_cli_say (command->cli, "%s", _ ("Nothing was found."));
  else
    /* Translators: the first part of “9 matches in 3 chats” */
    gadget_cli_say (command->cli, ngettext ("%u match %s", "%u matches %s", results->n_matches),
                    results->n_matches, chats);
  if (n_indexed < n_chats)
    gadget_cli_say (command->cli, _ ("%u of %u chats can be searched so far."), n_indexed, n_chats);
}

/* --- Searching -------------------------------------------------------------------------------- */

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  GadgetChatSearch *search = GADGET_CHAT_SEARCH (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetChatSearchResults) results =
      gadget_chat_search_find_finish (search, result, &error);

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (results == NULL)
    {
      gadget_cli_fail (command->cli,
                       gadget_chat_search_get_damaged (search)
                           ? _ ("The search index is damaged. Chats are not.")
                           : error->message,
                       NULL);
      return;
    }
  if (command->json)
    print_json (command, search, results);
  else
    print_text (command, search, results);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
search_now (Command *command)
{
  if (command->searching)
    return;
  command->searching = TRUE;
  g_clear_handle_id (&command->timeout, g_source_remove);
  gadget_chat_search_find_async (gadget_engine_get_search (gadget_cli_get_engine (command->cli)),
                                 &command->query, NULL, NULL, command->cancellable, found_cb,
                                 command);
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;

  /* The search finds what is in the index all the same. */
  if (!gadget_chat_search_settle_finish (GADGET_CHAT_SEARCH (source), result, &error))
    g_info ("not everything is in the search index: %s", error->message);
  if (command->cli != NULL && !gadget_cli_is_quitting (command->cli))
    search_now (command);
}

static void
settle_timeout_cb (gpointer user_data)
{
  Command *command = user_data;

  command->timeout = 0;
  if (!gadget_cli_is_quitting (command->cli))
    search_now (command);
}

/* The search ends before its thread is waited for. */
static gboolean
stop_search_cb (GadgetCli *cli, int number, Command *command)
{
  g_cancellable_cancel (command->cancellable);
  return FALSE;
}

static void
start_search (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  g_signal_connect (cli, "signaled", G_CALLBACK (stop_search_cb), command);
  command->timeout = g_timeout_add_once (SETTLE_MS, settle_timeout_cb, command);
  g_source_set_name_by_id (command->timeout, "[gadget-cli] the index is not complete");
  gadget_chat_search_settle_async (gadget_engine_get_search (gadget_cli_get_engine (cli)),
                                   settled_cb, command);
}

/* --- The command line ------------------------------------------------------------------------- */

/* Sets @ms to the begin of a day, such as 2026-11-28, or of the next one. NULL is no limit. */
static gboolean
parse_day (const char *text, gboolean next, gint64 *ms)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autofree char *time = text != NULL ? g_strconcat (text, "T00:00:00", NULL) : NULL;
  g_autoptr (GDateTime) begin = NULL;
  g_autoptr (GDateTime) end = NULL;

  if (text == NULL)
    return TRUE;
  begin = g_date_time_new_from_iso8601 (time, zone);
  end = begin != NULL ? g_date_time_add_days (begin, 1) : NULL;
  if (end != NULL)
    *ms = g_date_time_to_unix (next ? end : begin) * 1000;
  return end != NULL;
}

static gboolean
parse_order (const char *name, GadgetChatSearchOrder *order)
{
  static const char *const names[] = { "best", "newest", "oldest" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (name == NULL || g_str_equal (name, names[i]))
      {
        *order = (GadgetChatSearchOrder) i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
is_status (const char *name)
{
  return g_str_equal (gadget_turn_status_to_string (gadget_turn_status_from_string (name)), name);
}

/* The values of the options that are not of the query as they are. */
typedef struct
{
  char *session;
  char *workspace;
  char *folder;
  char *tool;
  char *provider;
  char *status;
  char *since;
  char *until;
  char *order;
  int limit;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->session);
  g_free (options->workspace);
  g_free (options->folder);
  g_free (options->tool);
  g_free (options->provider);
  g_free (options->status);
  g_free (options->since);
  g_free (options->until);
  g_free (options->order);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* Returns what is wrong with the options (transfer full), or NULL. */
static char *
fill_query (GadgetChatSearchQuery *query, const Options *options)
{
  query->session_id = options->session;
  query->chat_folder = options->folder;
  query->tool = options->tool;
  query->provider = options->provider;
  query->status = options->status;
  query->limit = (guint) MAX (options->limit, 0);
  if (options->limit < 0)
    return g_strdup (_ ("--limit is a number of chats"));
  if (options->status != NULL && !is_status (options->status))
    return g_strdup_printf (_ ("“%s” is no status of a turn"), options->status);
  if (!parse_day (options->since, FALSE, &query->since))
    return g_strdup_printf (_ ("“%s” is no day"), options->since);
  if (!parse_day (options->until, TRUE, &query->until))
    return g_strdup_printf (_ ("“%s” is no day"), options->until);
  if (!parse_order (options->order, &query->order))
    return g_strdup_printf (_ ("“%s” is no order"), options->order);
  return NULL;
}

static int
run (Command *command)
{
  int status;

  command->cancellable = g_cancellable_new ();
  status = gadget_cli_run_command (&command->cli, start_search, command);
  g_clear_handle_id (&command->timeout, g_source_remove);
  g_clear_object (&command->cancellable);
  return status;
}

int
gadget_cli_session_search (char **argv)
{
  Command command = { 0 };
  g_auto (Options) options = { 0 };
  const GOptionEntry entries[] = {
    { "session", 0, 0, G_OPTION_ARG_STRING, &options.session, N_ ("Only in this chat"), N_ ("ID") },
    { "workspace", 0, 0, G_OPTION_ARG_FILENAME, &options.workspace,
      N_ ("Only in chats that work in this folder"), N_ ("DIR") },
    { "folder", 0, 0, G_OPTION_ARG_STRING, &options.folder,
      N_ ("Only in chats of this folder of chats"), N_ ("ID") },
    { "tool", 0, 0, G_OPTION_ARG_STRING, &options.tool, N_ ("Only in calls of this tool"),
      N_ ("NAME") },
    { "provider", 0, 0, G_OPTION_ARG_STRING, &options.provider,
      N_ ("Only in turns of this provider"), N_ ("ID") },
    { "status", 0, 0, G_OPTION_ARG_STRING, &options.status,
      N_ ("Only in turns that are: processing, finished, aborted, error"), N_ ("STATUS") },
    { "since", 0, 0, G_OPTION_ARG_STRING, &options.since,
      N_ ("Only in turns of this day and later ones, such as 2026-11-28"), N_ ("DAY") },
    { "until", 0, 0, G_OPTION_ARG_STRING, &options.until,
      N_ ("Only in turns of this day and earlier ones"), N_ ("DAY") },
    { "changed-files", 0, 0, G_OPTION_ARG_NONE, &command.query.changed_files,
      N_ ("Only in turns that changed files"), NULL },
    { "order", 0, 0, G_OPTION_ARG_STRING, &options.order, N_ ("best, newest or oldest first"),
      N_ ("ORDER") },
    { "limit", 0, 0, G_OPTION_ARG_INT, &options.limit, N_ ("Show at most so many chats (20)"),
      N_ ("N") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) arguments = g_strdupv (argv);
  g_autofree char *text = NULL;
  g_autofree char *problem = NULL;
  g_autofree char *workspace = NULL;
  int status;

  if (!gadget_cli_parse (
          "session search TEXT…",
          _ ("Finds chats with all the words: in prompts, answers, reasoning, calls of tools and"
             " their output, and attachments. Words in \"quotes\" must follow each other. The"
             " last word may go on, unless a space follows it."),
          entries, &arguments, &status))
    return status;
  text = g_strjoinv (" ", arguments + 1);
  if (*text == '\0')
    return gadget_cli_usage ("session search", "%s", _ ("A text to search for is needed"));
  problem = fill_query (&command.query, &options);
  if (problem != NULL)
    return gadget_cli_usage ("session search", "%s", problem);
  workspace = options.workspace != NULL ? g_canonicalize_filename (options.workspace, NULL) : NULL;
  command.query.workspace = workspace;
  command.query.text = text;
  return run (&command);
}
