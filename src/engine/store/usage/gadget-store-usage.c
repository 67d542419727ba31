/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table "usage" has one row for each request to a model, whatever the request was for and
 * however it ended. So nothing is counted twice: a branch copies turns and no requests, and a
 * subagent makes requests of its own, although the usage of a turn counts them, too.
 *
 * The ids are random, since the rows of a backup and those that were made since are put together
 * when it is restored. Rows that the migration made of old turns have the numbers of these, which
 * are far below. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-clock.h"
#include "gadget-store-usage.h"
#include "store/gadget-sql.h"

/* Below this are the numbers of old turns. */
#define LEAST_ID (G_GINT64_CONSTANT (1) << 48)

/* A record with copies of its strings. */
typedef struct
{
  GadgetUsageRecord record;
  char *chat;
  char *turn;
  char *provider;
  char *base_url;
  char *model;
  gint64 id;
  gint64 at;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->chat);
  g_free (job->turn);
  g_free (job->provider);
  g_free (job->base_url);
  g_free (job->model);
  g_free (job);
}

/* --- On the thread ---------------------------------------------------------------------------- */

static void
bind_part (sqlite3_stmt *stmt, int index, const GadgetUsage *usage, GadgetUsageParts part,
           gint64 value)
{
  if ((usage->known & part) != 0)
    _gadget_sql_bind_int (stmt, index, value);
}

static gboolean
add_usage (sqlite3 *db, gpointer data, GError **error)
{
  static const char *const purposes[] = { "reply", "subagent", "summary", "title" };
  const Job *job = data;
  const GadgetUsage *usage = &job->record.usage;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO usage (id, at, ms, session, turn, provider, base_url, model,"
      " purpose, input_tokens, cached_tokens, cache_write_tokens,"
      " output_tokens, reasoning_tokens, cost, estimated)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,"
      " ?15, ?16)",
      error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, job->id);
  _gadget_sql_bind_int (stmt, 2, job->at);
  _gadget_sql_bind_int (stmt, 3, job->record.ms);
  _gadget_sql_bind_text (stmt, 4, job->chat);
  _gadget_sql_bind_text (stmt, 5, job->turn);
  _gadget_sql_bind_text (stmt, 6, job->provider);
  _gadget_sql_bind_text (stmt, 7, job->base_url);
  _gadget_sql_bind_text (stmt, 8, job->model);
  _gadget_sql_bind_text (stmt, 9, purposes[job->record.purpose]);
  _gadget_sql_bind_int (stmt, 10, usage->input_tokens);
  bind_part (stmt, 11, usage, GADGET_USAGE_CACHED, usage->cached_tokens);
  bind_part (stmt, 12, usage, GADGET_USAGE_CACHE_WRITE, usage->cache_write_tokens);
  _gadget_sql_bind_int (stmt, 13, usage->output_tokens);
  bind_part (stmt, 14, usage, GADGET_USAGE_REASONING, usage->reasoning_tokens);
  bind_part (stmt, 15, usage, GADGET_USAGE_COST, usage->cost);
  _gadget_sql_bind_int (stmt, 16, usage->estimated);
  return _gadget_sql_run (stmt, error);
}

/* --- On the main context ---------------------------------------------------------------------- */

/* The scheme and the host, of which the rest of an address may be private. */
static char *
dup_origin (const char *base_url)
{
  g_autoptr (GUri) uri =
      base_url != NULL ? g_uri_parse (base_url, G_URI_FLAGS_PARSE_RELAXED, NULL) : NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return NULL;
  return g_uri_join (G_URI_FLAGS_NONE, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                     g_uri_get_port (uri), "", NULL, NULL);
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    g_message ("the usage of a request could not be stored: %s", error->message);
}

void
gadget_store_add_usage (GadgetStore *self, const GadgetUsageRecord *record)
{
  Job *job;

  g_return_if_fail (GADGET_IS_STORE (self) && record != NULL);

  job = g_new0 (Job, 1);
  job->record = *record;
  job->chat = g_strdup (record->chat);
  job->turn = g_strdup (record->turn);
  job->provider = g_strdup (record->provider);
  job->base_url = dup_origin (record->base_url);
  job->model = g_strdup (record->model);
  job->at = gadget_clock_wall_ms ();
  job->id = LEAST_ID + ((gint64) g_random_int () << 30) + (g_random_int () >> 2);
  gadget_store_run_async (self, add_usage, job, job_free, added_cb, NULL);
}
