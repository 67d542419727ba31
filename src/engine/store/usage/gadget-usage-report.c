/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reports of what requests to models used.
 *
 * The store's thread sums the rows of each model, divided as the caller wants it, and counts apart
 * the tokens of requests without a reported cost. The main context, where the prices are, makes
 * money of these, and puts together what the caller did not want divided by models. The total is
 * summed apart, since a reply may be counted for two days. */

#define G_LOG_DOMAIN "gadget-usage-report"

#include "config.h"

#include <string.h>

#include "gadget-usage-report.h"
#include "store/gadget-sql.h"

/* Divides requests by size, at the sizes from which on services have other prices; see
 * data/prices.json. The rows of old turns, which have no time, are no requests. */
#define SIZES                                                                                      \
  " CASE WHEN ms IS NULL OR input_tokens <= 100000 THEN 0 WHEN input_tokens <= 200000 THEN 1"      \
  " WHEN input_tokens <= 272000 THEN 2 ELSE 3 END"

/* The sum of requests of similar size to one model, or their replies, in one row of the report. */
typedef struct
{
  GadgetUsageRow row;
  gint64 request_tokens; /* the input tokens of the smallest request */
  gboolean needs_price;  /* there are tokens without a cost: */
  GadgetUsage unpriced;
} Part;

typedef struct
{
  GadgetPrices *prices;
  gint64 from_ms;
  gint64 to_ms;
  GadgetUsageGroups groups;
  GPtrArray *parts; /* of Part: by what the report is divided by, and by model */
  GPtrArray *whole; /* of Part: by model alone */
  guint n_chats;
} Job;

static void
clear_row (GadgetUsageRow *row)
{
  g_free (row->period);
  g_free (row->provider);
  g_free (row->provider_name);
  g_free (row->base_url);
  g_free (row->model);
  g_free (row->chat);
  g_free (row->chat_title);
}

static void
part_free (gpointer data)
{
  Part *part = data;

  clear_row (&part->row);
  g_free (part);
}

static void
row_free (gpointer data)
{
  clear_row (data);
  g_free (data);
}

/* The prices are an object of the main context, on which the job is freed. */
static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->prices);
  g_ptr_array_unref (job->parts);
  g_ptr_array_unref (job->whole);
  g_free (job);
}

/* --- On the thread ---------------------------------------------------------------------------- */

/* Adds the part to those that are known of some requests, and to those that are unknown of some, by
 * the number of rows that have it. */
static void
read_known (GadgetUsageSum *sum, GadgetUsageParts part, sqlite3_stmt *stmt, int column)
{
  const gint64 n_known = sqlite3_column_int64 (stmt, column);

  if (n_known > 0)
    sum->usage.known |= part;
  if (n_known < sqlite3_column_int64 (stmt, 7))
    sum->unknown |= part;
}

static gpointer
read_part (sqlite3_stmt *stmt)
{
  Part *part = g_new0 (Part, 1);
  GadgetUsageRow *row = &part->row;
  GadgetUsage *usage = &row->sum.usage;

  row->period = _gadget_sql_dup_text (stmt, 0);
  row->chat = _gadget_sql_dup_text (stmt, 1);
  row->chat_title = _gadget_sql_dup_text (stmt, 2);
  row->provider = _gadget_sql_dup_text (stmt, 3);
  row->model = _gadget_sql_dup_text (stmt, 4);
  row->provider_name = _gadget_sql_dup_text (stmt, 5);
  row->base_url = _gadget_sql_dup_text (stmt, 6);
  row->sum.n_replies = (guint) sqlite3_column_int64 (stmt, 8);
  usage->input_tokens = sqlite3_column_int64 (stmt, 9);
  usage->cached_tokens = sqlite3_column_int64 (stmt, 10);
  read_known (&row->sum, GADGET_USAGE_CACHED, stmt, 11);
  usage->cache_write_tokens = sqlite3_column_int64 (stmt, 12);
  read_known (&row->sum, GADGET_USAGE_CACHE_WRITE, stmt, 13);
  usage->output_tokens = sqlite3_column_int64 (stmt, 14);
  usage->reasoning_tokens = sqlite3_column_int64 (stmt, 15);
  read_known (&row->sum, GADGET_USAGE_REASONING, stmt, 16);
  row->sum.ms = sqlite3_column_int64 (stmt, 17);
  read_known (&row->sum, GADGET_USAGE_TIME, stmt, 18);
  usage->cost = sqlite3_column_int64 (stmt, 19);
  read_known (&row->sum, GADGET_USAGE_COST, stmt, 20);
  usage->estimated = sqlite3_column_int64 (stmt, 21) != 0;
  part->needs_price = (row->sum.unknown & GADGET_USAGE_COST) != 0;
  part->unpriced.input_tokens = sqlite3_column_int64 (stmt, 22);
  part->unpriced.cached_tokens = sqlite3_column_int64 (stmt, 23);
  part->unpriced.cache_write_tokens = sqlite3_column_int64 (stmt, 24);
  part->unpriced.output_tokens = sqlite3_column_int64 (stmt, 25);
  part->request_tokens = sqlite3_column_int64 (stmt, 26);
  return part;
}

/* A reply has requests of several sizes, so that replies are counted in rows of their own, which
 * have nothing else. */
static gboolean
read_parts (sqlite3 *db, const Job *job, const char *period, const char *chat, GPtrArray *parts,
            GError **error)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT %s AS period, %s AS chat,"
      " (SELECT title FROM session WHERE id = usage.session), provider, model,"
      " (SELECT name FROM provider WHERE id = usage.provider),"
      " coalesce(base_url, (SELECT base_url FROM provider WHERE id = usage.provider)) AS address,"
      " count(*), 0, sum(input_tokens),"
      " sum(cached_tokens), count(cached_tokens),"
      " sum(cache_write_tokens), count(cache_write_tokens), sum(output_tokens),"
      " sum(reasoning_tokens), count(reasoning_tokens), sum(ms), count(ms), sum(cost), count(cost),"
      " max(estimated), sum(input_tokens) FILTER (WHERE cost IS NULL),"
      " sum(cached_tokens) FILTER (WHERE cost IS NULL),"
      " sum(cache_write_tokens) FILTER (WHERE cost IS NULL),"
      " sum(output_tokens) FILTER (WHERE cost IS NULL),"
      " min(CASE WHEN ms IS NULL THEN 0 ELSE input_tokens END)"
      " FROM usage WHERE at >= %" G_GINT64_FORMAT " AND at < %" G_GINT64_FORMAT
      " GROUP BY period, chat, provider, address, model," SIZES
      " UNION ALL SELECT %s AS period, %s AS chat, NULL, provider, model, NULL, NULL, 0,"
      " count(DISTINCT turn), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM usage"
      " WHERE purpose = 'reply' AND at >= %" G_GINT64_FORMAT " AND at < %" G_GINT64_FORMAT
      " GROUP BY period, chat, provider, model",
      period, chat, job->from_ms, job->to_ms, period, chat, job->from_ms, job->to_ms);

  return _gadget_sql_read_rows (db, sql, read_part, parts, error);
}

static gboolean
read_usage (sqlite3 *db, gpointer data, GError **error)
{
  Job *job = data;
  const char *period = "NULL";
  g_autofree char *count =
      g_strdup_printf ("SELECT count(DISTINCT session) FROM usage WHERE at >= %" G_GINT64_FORMAT
                       " AND at < %" G_GINT64_FORMAT,
                       job->from_ms, job->to_ms);
  gint64 n_chats;

  if ((job->groups & GADGET_USAGE_BY_MONTH) != 0)
    period = "strftime ('%Y-%m', at / 1000, 'unixepoch', 'localtime')";
  if ((job->groups & GADGET_USAGE_BY_DAY) != 0)
    period = "strftime ('%Y-%m-%d', at / 1000, 'unixepoch', 'localtime')";
  if (!read_parts (db, job, period, (job->groups & GADGET_USAGE_BY_CHAT) != 0 ? "session" : "NULL",
                   job->parts, error)
      || !read_parts (db, job, "NULL", "NULL", job->whole, error)
      || !_gadget_sql_get_int (db, count, &n_chats, error))
    return FALSE;
  job->n_chats = (guint) n_chats;
  return TRUE;
}

/* --- On the main context ---------------------------------------------------------------------- */

void
gadget_usage_sum_add (GadgetUsageSum *self, const GadgetUsageSum *other)
{
  gadget_usage_add (&self->usage, &other->usage);
  self->unknown |= other->unknown;
  self->ms += other->ms;
  self->n_replies += other->n_replies;
}

/* Counts the money of what no provider reported a cost for, if there is a price. */
static void
apply_price (GadgetPrices *prices, Part *part)
{
  GadgetUsageSum *sum = &part->row.sum;
  GadgetPrice price;

  if (!part->needs_price
      || gadget_prices_find (prices, part->row.provider, part->row.base_url, part->row.model,
                             &price)
             == GADGET_PRICE_UNKNOWN)
    return;
  sum->usage.cost += gadget_price_get_cost (&price, &part->unpriced, part->request_tokens);
  sum->usage.known |= GADGET_USAGE_COST;
  sum->unknown &= ~(guint) GADGET_USAGE_COST;
}

static char *
dup_key (const GadgetUsageRow *row, GadgetUsageGroups groups)
{
  const gboolean by_model = (groups & GADGET_USAGE_BY_MODEL) != 0;
  const gboolean by_provider = by_model || (groups & GADGET_USAGE_BY_PROVIDER) != 0;

  return g_strdup_printf ("%s\n%s\n%s\n%s", row->period != NULL ? row->period : "",
                          row->chat != NULL ? row->chat : "",
                          by_provider && row->provider != NULL ? row->provider : "",
                          by_model && row->model != NULL ? row->model : "");
}

static GadgetUsageRow *
add_row (GadgetUsageReport *self, const GadgetUsageRow *part)
{
  const gboolean by_model = (self->groups & GADGET_USAGE_BY_MODEL) != 0;
  const gboolean by_provider = by_model || (self->groups & GADGET_USAGE_BY_PROVIDER) != 0;
  GadgetUsageRow *row = g_new0 (GadgetUsageRow, 1);

  row->period = g_strdup (part->period);
  row->chat = g_strdup (part->chat);
  row->chat_title = part->chat != NULL ? g_strdup (part->chat_title) : NULL;
  row->provider = by_provider ? g_strdup (part->provider) : NULL;
  row->provider_name = by_provider ? g_strdup (part->provider_name) : NULL;
  row->base_url = by_provider ? g_strdup (part->base_url) : NULL;
  row->model = by_model ? g_strdup (part->model) : NULL;
  g_ptr_array_add (self->rows, row);
  return row;
}

static int
compare_rows (gconstpointer one, gconstpointer other)
{
  const GadgetUsageRow *a = *(GadgetUsageRow *const *) one;
  const GadgetUsageRow *b = *(GadgetUsageRow *const *) other;
  const gint64 tokens_a = a->sum.usage.input_tokens + a->sum.usage.output_tokens;
  const gint64 tokens_b = b->sum.usage.input_tokens + b->sum.usage.output_tokens;
  const int order = g_strcmp0 (a->period, b->period);

  if (order != 0)
    return order;
  return tokens_a < tokens_b ? 1 : tokens_a > tokens_b ? -1 : 0;
}

static GadgetUsageReport *
make_report (const Job *job)
{
  GadgetUsageReport *self = g_new0 (GadgetUsageReport, 1);
  g_autoptr (GHashTable) rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->groups = job->groups;
  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->n_chats = job->n_chats;
  for (guint i = 0; i < job->parts->len; i++)
    {
      Part *part = g_ptr_array_index (job->parts, i);
      g_autofree char *key = dup_key (&part->row, job->groups);
      GadgetUsageRow *row = g_hash_table_lookup (rows, key);

      if (row == NULL)
        {
          row = add_row (self, &part->row);
          g_hash_table_insert (rows, g_steal_pointer (&key), row);
        }
      apply_price (job->prices, part);
      gadget_usage_sum_add (&row->sum, &part->row.sum);
    }
  for (guint i = 0; i < job->whole->len; i++)
    {
      Part *part = g_ptr_array_index (job->whole, i);

      apply_price (job->prices, part);
      gadget_usage_sum_add (&self->total, &part->row.sum);
    }
  g_ptr_array_sort (self->rows, compare_rows);
  return self;
}

/**
 * gadget_usage_report_async:
 * @from_ms: the beginning, in milliseconds since 1970
 * @to_ms: the end, which does not belong to it any more
 *
 * Reads what was used, see the header.
 */
void
gadget_usage_report_async (GadgetStore *store, GadgetPrices *prices, gint64 from_ms, gint64 to_ms,
                           GadgetUsageGroups groups, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  Job *job;

  g_return_if_fail (GADGET_IS_STORE (store) && GADGET_IS_PRICES (prices));

  job = g_new0 (Job, 1);
  job->prices = g_object_ref (prices);
  job->from_ms = from_ms;
  job->to_ms = to_ms;
  job->groups = groups;
  job->parts = g_ptr_array_new_with_free_func (part_free);
  job->whole = g_ptr_array_new_with_free_func (part_free);
  gadget_store_run_async (store, read_usage, job, job_free, callback, user_data);
}

/**
 * gadget_usage_report_finish:
 *
 * Returns: (transfer full) (nullable): the report; %NULL with @error set to a #GadgetStoreError
 */
GadgetUsageReport *
gadget_usage_report_finish (GAsyncResult *result, GError **error)
{
  GObject *store = g_async_result_get_source_object (result);
  const gboolean ok = gadget_store_run_finish (GADGET_STORE (store), result, error);

  g_object_unref (store);
  return ok ? make_report (gadget_store_get_job_data (result)) : NULL;
}

void
gadget_usage_report_free (GadgetUsageReport *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->rows);
  g_free (self);
}

/* --- CSV -------------------------------------------------------------------------------------- */

/* A text that a spreadsheet would take for a formula gets an apostrophe, by which it is a text. */
static void
append_text (GString *csv, const char *text)
{
  g_autofree char *safe = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *quoted = NULL;

  if (text == NULL)
    text = "";
  safe = g_strconcat (*text != '\0' && strchr ("=+-@\t\r", *text) != NULL ? "'" : "", text, NULL);
  parts = g_strsplit (safe, "\"", -1);
  quoted = g_strjoinv ("\"\"", parts);
  if (strpbrk (safe, "\",\r\n") != NULL)
    g_string_append_printf (csv, "\"%s\",", quoted);
  else
    g_string_append_printf (csv, "%s,", safe);
}

static void
append_number (GString *csv, const GadgetUsageSum *sum, GadgetUsageParts part, gint64 number)
{
  if ((sum->usage.known & part) != 0)
    g_string_append_printf (csv, "%" G_GINT64_FORMAT, number);
  g_string_append_c (csv, ',');
}

static void
append_row (GString *csv, const GadgetUsageRow *row)
{
  const GadgetUsageSum *sum = &row->sum;
  const GadgetUsage *usage = &sum->usage;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  append_text (csv, row->period);
  append_text (csv, row->provider);
  append_text (csv, row->model);
  append_text (csv, row->chat);
  append_text (csv, row->chat_title);
  g_string_append_printf (csv, "%u,%" G_GINT64_FORMAT ",", sum->n_replies, usage->input_tokens);
  append_number (csv, sum, GADGET_USAGE_CACHED, usage->cached_tokens);
  append_number (csv, sum, GADGET_USAGE_CACHE_WRITE, usage->cache_write_tokens);
  g_string_append_printf (csv, "%" G_GINT64_FORMAT ",", usage->output_tokens);
  append_number (csv, sum, GADGET_USAGE_REASONING, usage->reasoning_tokens);
  append_number (csv, sum, GADGET_USAGE_TIME, (sum->ms + 500) / 1000);
  if ((usage->known & GADGET_USAGE_COST) != 0)
    g_string_append (csv, g_ascii_formatd (number, sizeof number, "%.6f",
                                           (double) usage->cost / (double) GADGET_COST_DOLLAR));
  g_string_append_printf (csv, ",%d,%d\r\n", (sum->unknown & GADGET_USAGE_COST) == 0,
                          usage->estimated);
}

/**
 * gadget_usage_report_dup_csv:
 *
 * Writes the rows as CSV (RFC 4180). The column "cost_complete" is 0 if the cost of some requests
 * is unknown, "estimated" is 1 if some tokens are.
 *
 * Returns: (transfer full): the text
 */
char *
gadget_usage_report_dup_csv (const GadgetUsageReport *self)
{
  GString *csv = g_string_new ("period,provider,model,chat,title,replies,input_tokens,"
                               "cached_tokens,cache_write_tokens,output_tokens,reasoning_tokens,"
                               "seconds,cost_usd,cost_complete,estimated\r\n");

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->rows->len; i++)
    append_row (csv, g_ptr_array_index (self->rows, i));
  return g_string_free_and_steal (csv);
}
