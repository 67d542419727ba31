/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "usage": prints what requests to models used, by a report as the window shows. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-app.h"
#include "cli-writer.h"
#include "common/gadget-json.h"
#include "store/usage/gadget-usage-report.h"

#define DEFAULT_DAYS 30
#define MAX_DAYS 36500

/* The width of a column, in characters. */
#define WIDTH 12

/* The state of one command. */
typedef struct
{
  GadgetCli *cli;
  int days;
  char *from; /* (nullable): days, as the user wrote them */
  char *to;
  char *by;
  gboolean json;
  gboolean csv;
  gint64 from_ms;
  gint64 to_ms;
  GadgetUsageGroups groups;
} Command;

static const struct
{
  const char *name;
  GadgetUsageGroups groups;
} divisions[] = {
  { "model", GADGET_USAGE_BY_MODEL }, { "day", GADGET_USAGE_BY_DAY },
  { "month", GADGET_USAGE_BY_MONTH }, { "provider", GADGET_USAGE_BY_PROVIDER },
  { "chat", GADGET_USAGE_BY_CHAT },
};

/* --- JSON ------------------------------------------------------------------------------------- */

static void
add_number (JsonBuilder *builder, const char *name, gboolean known, gint64 number)
{
  json_builder_set_member_name (builder, name);
  if (known)
    json_builder_add_int_value (builder, number);
  else
    json_builder_add_null_value (builder);
}

static void
add_sum (JsonBuilder *builder, const GadgetUsageSum *sum)
{
  const GadgetUsage *usage = &sum->usage;

  add_number (builder, "replies", TRUE, sum->n_replies);
  add_number (builder, "input_tokens", TRUE, usage->input_tokens);
  add_number (builder, "cached_tokens", (usage->known & GADGET_USAGE_CACHED) != 0,
              usage->cached_tokens);
  add_number (builder, "cache_write_tokens", (usage->known & GADGET_USAGE_CACHE_WRITE) != 0,
              usage->cache_write_tokens);
  add_number (builder, "output_tokens", TRUE, usage->output_tokens);
  add_number (builder, "reasoning_tokens", (usage->known & GADGET_USAGE_REASONING) != 0,
              usage->reasoning_tokens);
  add_number (builder, "milliseconds", (usage->known & GADGET_USAGE_TIME) != 0, sum->ms);
  json_builder_set_member_name (builder, "cost_usd");
  if ((usage->known & GADGET_USAGE_COST) != 0)
    json_builder_add_double_value (builder, (double) usage->cost / (double) GADGET_COST_DOLLAR);
  else
    json_builder_add_null_value (builder);
  gadget_json_add_boolean (builder, "cost_complete", (sum->unknown & GADGET_USAGE_COST) == 0);
  gadget_json_add_boolean (builder, "estimated", usage->estimated);
}

static void
print_json (Command *command, const GadgetUsageReport *report)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_number (builder, "from_ms", TRUE, command->from_ms);
  add_number (builder, "to_ms", TRUE, command->to_ms);
  json_builder_set_member_name (builder, "rows");
  json_builder_begin_array (builder);
  for (guint i = 0; i < report->rows->len; i++)
    {
      const GadgetUsageRow *row = g_ptr_array_index (report->rows, i);

      json_builder_begin_object (builder);
      gadget_cli_json_add_string (builder, "period", row->period);
      gadget_cli_json_add_string (builder, "provider", row->provider);
      gadget_cli_json_add_string (builder, "model", row->model);
      gadget_cli_json_add_string (builder, "session", row->chat);
      gadget_cli_json_add_string (builder, "title", row->chat_title);
      add_sum (builder, &row->sum);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "total");
  json_builder_begin_object (builder);
  add_number (builder, "sessions", TRUE, report->n_chats);
  add_sum (builder, &report->total);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  gadget_cli_print_json (command->cli, builder);
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Appends the text at the end of a column. The width is counted in characters, which printf () does
 * not do. */
static void
append_column (GString *line, const char *text)
{
  const long n = g_utf8_strlen (text, -1);

  g_string_append_printf (line, "%*s%s ", (int) MAX (WIDTH - n, 0), "", text);
}

static void
append_tokens (GString *line, gboolean known, gint64 tokens)
{
  g_autofree char *number = g_strdup_printf ("%'" G_GINT64_FORMAT, tokens);

  append_column (line, known ? number : _ ("unknown"));
}

static void
append_cost (GString *line, const GadgetUsageSum *sum)
{
  g_autofree char *cost = gadget_cost_dup_text (sum->usage.cost);
  /* Translators: a sum of money of which a part is not known, in a narrow column */
  g_autofree char *partly = g_strdup_printf (_ ("≥ %s"), cost);

  if ((sum->usage.known & GADGET_USAGE_COST) == 0)
    append_column (line, _ ("unknown"));
  else
    append_column (line, (sum->unknown & GADGET_USAGE_COST) != 0 ? partly : cost);
}

static void
print_line (Command *command, const GadgetUsageSum *sum, const char *name)
{
  const GadgetUsage *usage = &sum->usage;
  g_autoptr (GString) line = g_string_new (NULL);

  append_tokens (line, TRUE, usage->input_tokens);
  append_tokens (line, (usage->known & GADGET_USAGE_CACHED) != 0, usage->cached_tokens);
  append_tokens (line, TRUE, usage->output_tokens);
  append_tokens (line, (usage->known & GADGET_USAGE_REASONING) != 0, usage->reasoning_tokens);
  append_cost (line, sum);
  append_tokens (line, TRUE, sum->n_replies);
  gadget_cli_print (command->cli, "%s %s\n", line->str, name);
}

static char *
dup_name (const Command *command, const GadgetUsageRow *row)
{
  const char *provider = row->provider_name != NULL ? row->provider_name : row->provider;

  if (row->period != NULL)
    return g_strdup (row->period);
  if ((command->groups & GADGET_USAGE_BY_CHAT) != 0)
    {
      if (row->chat == NULL)
        return g_strdup (_ ("Chats that are not stored"));
      return g_strdup_printf ("%s  %s", row->chat,
                              row->chat_title != NULL ? row->chat_title : _ ("Deleted chat"));
    }
  if (provider == NULL)
    provider = _ ("unknown");
  if ((command->groups & GADGET_USAGE_BY_MODEL) == 0)
    return g_strdup (provider);
  return g_strdup_printf ("%s · %s", row->model != NULL ? row->model : _ ("unknown"), provider);
}

static void
print_text (Command *command, const GadgetUsageReport *report)
{
  const char *const heads[] = { _ ("Read"),      _ ("Cached"), _ ("Written"),
                                _ ("Reasoning"), _ ("Money"),  _ ("Replies") };
  g_autoptr (GString) head = g_string_new (NULL);

  if (report->rows->len == 0)
    {
      gadget_cli_say (command->cli, "%s", _ ("Nothing was used in that time."));
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    append_column (head, heads[i]);
  gadget_cli_print (command->cli, "%s\n", g_strchomp (head->str));
  for (guint i = 0; i < report->rows->len; i++)
    {
      const GadgetUsageRow *row = g_ptr_array_index (report->rows, i);
      g_autofree char *name = dup_name (command, row);

      print_line (command, &row->sum, name);
    }
  print_line (command, &report->total, _ ("in all"));
}

/* --- The command ------------------------------------------------------------------------------ */

static void
reported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUsageReport) report = gadget_usage_report_finish (result, &error);
  g_autofree char *csv = report != NULL ? gadget_usage_report_dup_csv (report) : NULL;

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (report == NULL)
    gadget_cli_say (command->cli, "gadget-cli: %s", error->message);
  else if (command->json)
    print_json (command, report);
  else if (command->csv)
    gadget_cli_print (command->cli, "%s", csv);
  else
    print_text (command, report);
  gadget_cli_quit (command->cli, report != NULL ? GADGET_CLI_FINISHED : GADGET_CLI_ERROR);
}

static void
start (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;
  GadgetEngine *engine = gadget_cli_get_engine (cli);

  gadget_usage_report_async (
      gadget_engine_get_store (engine), gadget_agent_get_prices (gadget_engine_get_agent (engine)),
      command->from_ms, command->to_ms, command->groups, reported_cb, command);
}

/* Returns the beginning of a day in local time, N days later. */
static gboolean
read_day (const char *text, int n, gint64 *ms)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autofree char *iso = g_strconcat (text, "T00:00:00", NULL);
  g_autoptr (GDateTime) day = g_date_time_new_from_iso8601 (iso, zone);
  g_autoptr (GDateTime) later = day != NULL ? g_date_time_add_days (day, n) : NULL;

  if (later == NULL)
    return FALSE;
  *ms = g_date_time_to_unix (later) * 1000;
  return TRUE;
}

static int
check (Command *command)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");
  gboolean found = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (divisions); i++)
    if (g_str_equal (command->by != NULL ? command->by : "model", divisions[i].name))
      {
        command->groups = divisions[i].groups;
        found = TRUE;
      }
  if (!found)
    return gadget_cli_usage ("usage", _ ("--by is “model”, “day”, “month”, “provider” or “chat”"));
  if (command->json && command->csv)
    return gadget_cli_usage ("usage", _ ("--json and --csv exclude each other"));
  if (command->days < 0 || command->days > MAX_DAYS
      || (command->days > 0 && (command->from != NULL || command->to != NULL)))
    return gadget_cli_usage ("usage", _ ("--days is a number of days, without --from and --to"));
  if (command->days == 0)
    command->days = DEFAULT_DAYS;
  if (!read_day (command->to != NULL ? command->to : today, 1, &command->to_ms)
      || !read_day (command->from != NULL ? command->from : today,
                    command->from != NULL ? 0 : 1 - command->days, &command->from_ms))
    return gadget_cli_usage ("usage", _ ("A day is written as in “2026-11-17”"));
  return GADGET_CLI_FINISHED;
}

int
gadget_cli_usage_command (char **argv)
{
  Command command = { 0 };
  const GOptionEntry entries[] = {
    { "days", 0, 0, G_OPTION_ARG_INT, &command.days, N_ ("The last days (30)"), "N" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &command.from, N_ ("From this day on"), "DAY" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &command.to, N_ ("Up to this day, including it"), "DAY" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &command.by, N_ ("A line for each of these (model)"),
      "model|day|month|provider|chat" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &command.csv, N_ ("Print comma-separated values"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (gadget_cli_parse ("usage [OPTION…]",
                        _ ("Prints the tokens and the money that requests to models used. Money "
                           "is as the\nprovider reported it, or by the price of the model. What "
                           "is not known is said to be\nunknown. “≥” stands before a sum of which "
                           "a part is not known."),
                        entries, &words, &status))
    status = words[1] != NULL ? gadget_cli_usage ("usage", _ ("There is no command “%s”"), words[1])
                              : check (&command);
  if (status == GADGET_CLI_FINISHED && command.to_ms != 0)
    status = gadget_cli_run_command (&command.cli, start, &command);
  g_free (command.from);
  g_free (command.to);
  g_free (command.by);
  return status;
}
