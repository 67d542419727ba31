/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What requests used, the prices of models, and reports of both: nothing is counted twice, and what
 * is not known is not 0. */

#include "config.h"

#include "store/gadget-backup.h"
#include "store/gadget-store-erase.h"
#include "store/gadget-store-providers.h"
#include "store/gadget-store-restore.h"
#include "store/usage/gadget-store-usage.h"
#include "store/usage/gadget-usage-report.h"
#include "test-store.h"
#include "wait.h"

#include <string.h>

#define DOLLAR GADGET_COST_DOLLAR
#define ALL_PARTS (GADGET_USAGE_CACHED | GADGET_USAGE_CACHE_WRITE | GADGET_USAGE_REASONING)

static void
set_price (GadgetPrices *prices, const char *model, const GadgetPrice *price)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_prices_set_async (prices, "one", model, price, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_prices_set_finish (prices, result, &error);
  g_assert_no_error (error);
}

static GadgetUsageReport *
report_from (GadgetStore *store, GadgetPrices *prices, gint64 from_ms, GadgetUsageGroups groups)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetUsageReport *report;

  gadget_usage_report_async (store, prices, from_ms, G_MAXINT64, groups, test_result_cb, &slot);
  result = test_take_result (&slot);
  report = gadget_usage_report_finish (result, &error);
  g_assert_no_error (error);
  return report;
}

static const GadgetUsageRow *
get_row (const GadgetUsageReport *report, guint index)
{
  g_assert_cmpuint (report->rows->len, >, index);
  return g_ptr_array_index (report->rows, index);
}

static void
add (GadgetStore *store, const char *chat, const char *turn, const char *model,
     GadgetUsagePurpose purpose, const GadgetUsage *usage)
{
  const GadgetUsageRecord record = { .chat = chat,
                                     .turn = turn,
                                     .provider = "one",
                                     .model = model,
                                     .purpose = purpose,
                                     .ms = 500,
                                     .usage = *usage };

  gadget_store_add_usage (store, &record);
}

static void
add_tokens (GadgetStore *store, const char *chat, const char *turn, gint64 input, gint64 output)
{
  add (store, chat, turn, "model", GADGET_USAGE_REPLY,
       &(GadgetUsage) { .input_tokens = input, .output_tokens = output });
}

/* --- Prices ----------------------------------------------------------------------------------- */

#define CLAUDE "https://api.anthropic.com/v1"

static void
test_published (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPrices) prices = gadget_prices_new (NULL);
  GadgetPrice price;

  g_assert_cmpint (gadget_prices_find (prices, "c", CLAUDE, "claude-sonnet-4-5-20250929", &price),
                   ==, GADGET_PRICE_PUBLISHED);
  g_assert_cmpfloat (price.input, ==, 3);
  g_assert_cmpfloat (price.cached, ==, 0.3);
  /* The name of one model is not the beginning of another one's. */
  gadget_prices_find (prices, "c", CLAUDE, "claude-opus-4-20250514", &price);
  g_assert_cmpfloat (price.input, ==, 15);
  gadget_prices_find (prices, "c", CLAUDE, "claude-opus-4-5", &price);
  g_assert_cmpfloat (price.input, ==, 5);
  g_assert_cmpint (gadget_prices_find (prices, "c", CLAUDE, "claude-opus-4-55", NULL), ==,
                   GADGET_PRICE_UNKNOWN);
  g_assert_cmpint (gadget_prices_find (prices, "c", CLAUDE, "claude-opus-4-5-special", NULL), ==,
                   GADGET_PRICE_UNKNOWN);
  /* Another server with a model of that name has prices of its own. */
  g_assert_cmpint (
      gadget_prices_find (prices, "c", "http://localhost:8080", "claude-opus-4-5", NULL), ==,
      GADGET_PRICE_UNKNOWN);
  g_assert_cmpint (gadget_prices_find (prices, "c", NULL, "claude-opus-4-5", NULL), ==,
                   GADGET_PRICE_UNKNOWN);
  g_assert_cmpuint (strlen (gadget_prices_get_date (prices)), ==, strlen ("2026-11-17"));
  g_assert_true (g_str_has_prefix (gadget_prices_get_page (prices, CLAUDE), "https://"));
}

static void
test_cost (StoreFixture *fixture, gconstpointer data)
{
  const GadgetUsage usage = { .input_tokens = 1000000,
                              .cached_tokens = 400000,
                              .cache_write_tokens = 100000,
                              .output_tokens = 200000 };
  GadgetPrice price = { .input = 2, .cached = 0.5, .cache_write = 4, .output = 10 };

  /* 0.5 × 2 + 0.4 × 0.5 + 0.1 × 4 + 0.2 × 10 */
  g_assert_cmpint (gadget_price_get_cost (&price, &usage, 1000), ==, DOLLAR * 36 / 10);
  price.cached = price.cache_write = -1;
  g_assert_cmpint (gadget_price_get_cost (&price, &usage, 1000), ==, DOLLAR * 4);
  price.long_from = 1000;
  price.long_input = 2;
  price.long_output = 1.5;
  g_assert_cmpint (gadget_price_get_cost (&price, &usage, 1000), ==, DOLLAR * 4);
  g_assert_cmpint (gadget_price_get_cost (&price, &usage, 1001), ==, DOLLAR * 7);
}

static void
count_cb (GadgetPrices *prices, guint *n)
{
  (*n)++;
}

/* A price of 0 is one. Another process follows. */
static void
test_set (StoreFixture *fixture, gconstpointer data)
{
  GadgetStore *other_store = test_store_open (fixture->directory);
  g_autoptr (GadgetPrices) prices = gadget_prices_new (fixture->store);
  g_autoptr (GadgetPrices) other = gadget_prices_new (other_store);
  const GadgetPrice free = { .cached = -1, .cache_write = -1 };
  GadgetPrice price;
  guint n_changed = 0;

  gadget_prices_start (prices);
  gadget_prices_start (other);
  g_signal_connect (other, "changed", G_CALLBACK (count_cb), &n_changed);
  g_assert_cmpint (gadget_prices_find (prices, "one", NULL, "model", &price), ==,
                   GADGET_PRICE_UNKNOWN);
  set_price (prices, "model", &free);
  g_assert_cmpint (gadget_prices_find (prices, "one", NULL, "model", &price), ==, GADGET_PRICE_SET);
  g_assert_cmpfloat (price.input, ==, 0);
  g_assert_cmpfloat (price.cached, ==, -1);
  wait_until (n_changed == 1);
  g_assert_cmpint (gadget_prices_find (other, "one", NULL, "model", &price), ==, GADGET_PRICE_SET);
  set_price (prices, "model", NULL);
  g_assert_cmpint (gadget_prices_find (prices, "one", NULL, "model", NULL), ==,
                   GADGET_PRICE_UNKNOWN);
  wait_until (n_changed == 2);
  /* One that was set goes before one that was published. */
  set_price (prices, "claude-opus-4-5", &(GadgetPrice) { .input = 7.25, .output = 1 });
  gadget_prices_find (prices, "one", CLAUDE, "claude-opus-4-5", &price);
  g_assert_cmpfloat (price.input, ==, 7.25);
  g_clear_object (&other);
  test_store_close (other_store);
}

/* What was used keeps its price when the provider is gone, or has another address. */
static void
test_removed_provider (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPrices) prices = gadget_prices_new (fixture->store);
  const GadgetUsageRecord record = { .provider = "gone",
                                     .base_url = CLAUDE "/secret?key=1",
                                     .model = "claude-opus-4-5",
                                     .usage = { .input_tokens = 1000000 } };
  g_autoptr (GadgetUsageReport) report = NULL;

  gadget_store_add_usage (fixture->store, &record);
  report = report_from (fixture->store, prices, 0, GADGET_USAGE_BY_MODEL);
  g_assert_cmpint (report->total.usage.cost, ==, 5 * DOLLAR);
  g_assert_cmpstr (get_row (report, 0)->base_url, ==, "https://api.anthropic.com");
}

/* --- Reports ---------------------------------------------------------------------------------- */

static void
test_report (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPrices) prices = gadget_prices_new (fixture->store);
  g_autoptr (GadgetUsageReport) by_model = NULL;
  g_autoptr (GadgetUsageReport) by_chat = NULL;
  g_autoptr (GadgetUsageReport) by_day = NULL;
  g_autoptr (GadgetUsageReport) later = NULL;
  const GadgetUsageRow *row;

  /* A reply of two requests, one of them a subagent's; one chat more, and one that is not stored.
   */
  add (fixture->store, "a", "a1", "model", GADGET_USAGE_REPLY,
       &(GadgetUsage) { .input_tokens = 1000,
                        .cached_tokens = 600,
                        .output_tokens = 100,
                        .reasoning_tokens = 40,
                        .known = ALL_PARTS });
  add (fixture->store, "a", "a1", "model", GADGET_USAGE_SUBAGENT,
       &(GadgetUsage) { .input_tokens = 10, .output_tokens = 1 });
  add (
      fixture->store, "b", "b1", "dear", GADGET_USAGE_REPLY,
      &(GadgetUsage) {
          .input_tokens = 20, .output_tokens = 2, .cost = 3 * DOLLAR, .known = GADGET_USAGE_COST });
  add (fixture->store, NULL, "c1", "dear", GADGET_USAGE_REPLY,
       &(GadgetUsage) { .input_tokens = 5, .known = GADGET_USAGE_COST, .estimated = TRUE });

  by_model = report_from (fixture->store, prices, 0, GADGET_USAGE_BY_MODEL);
  g_assert_cmpuint (by_model->rows->len, ==, 2);
  g_assert_cmpuint (by_model->n_chats, ==, 2);
  g_assert_cmpuint (by_model->total.n_replies, ==, 3);
  g_assert_cmpint (by_model->total.ms, ==, 2000);
  g_assert_cmpint (by_model->total.usage.cost, ==, 3 * DOLLAR);
  g_assert_cmpint (by_model->total.usage.input_tokens, ==, 1035);
  g_assert_true (by_model->total.usage.estimated);
  /* The most tokens come first; a part of them is not known to be cached, and no cost is known. */
  row = get_row (by_model, 0);
  g_assert_cmpstr (row->model, ==, "model");
  g_assert_cmpstr (row->provider, ==, "one");
  g_assert_cmpuint (row->sum.n_replies, ==, 1);
  g_assert_cmpint (row->sum.usage.cached_tokens, ==, 600);
  g_assert_cmpint (row->sum.usage.known & GADGET_USAGE_CACHED, !=, 0);
  g_assert_cmpint (row->sum.unknown & GADGET_USAGE_CACHED, !=, 0);
  g_assert_cmpint (row->sum.usage.known & GADGET_USAGE_COST, ==, 0);
  /* What a provider says is free is known to be. */
  row = get_row (by_model, 1);
  g_assert_cmpint (row->sum.unknown & GADGET_USAGE_COST, ==, 0);
  g_assert_cmpint (row->sum.usage.known & GADGET_USAGE_CACHED, ==, 0);
  g_assert_true (row->sum.usage.estimated);

  by_chat = report_from (fixture->store, prices, 0, GADGET_USAGE_BY_CHAT);
  g_assert_cmpuint (by_chat->rows->len, ==, 3);
  g_assert_cmpstr (get_row (by_chat, 0)->chat, ==, "a");
  g_assert_cmpint (get_row (by_chat, 0)->sum.usage.input_tokens, ==, 1010);
  g_assert_null (get_row (by_chat, 2)->chat);
  by_day = report_from (fixture->store, prices, 0, GADGET_USAGE_BY_DAY);
  g_assert_cmpuint (by_day->rows->len, >=, 1);
  g_assert_cmpuint (strlen (get_row (by_day, 0)->period), ==, strlen ("2026-11-17"));
  later = report_from (fixture->store, prices, G_MAXINT64 - 1, GADGET_USAGE_BY_DAY);
  g_assert_cmpuint (later->rows->len, ==, 0);
  g_assert_cmpint (later->total.usage.input_tokens, ==, 0);
}

/* A price makes money of what was used before it was set; a cost that was reported stays. Long
 * requests are told from many. */
static void
test_money (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPrices) prices = gadget_prices_new (fixture->store);
  g_autoptr (GadgetUsageReport) report = NULL;
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "one", "One", GADGET_PROVIDER_KIND_ANTHROPIC, "https://api.anthropic.com", NULL);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_save_provider_async (fixture->store, config, test_result_cb, &slot);
  result = test_take_result (&slot);
  for (guint i = 0; i < 10; i++)
    add (fixture->store, "a", "a1", "claude-haiku-5-5", GADGET_USAGE_REPLY,
         &(GadgetUsage) { .input_tokens = 100000, .output_tokens = 1000 });
  report = report_from (fixture->store, prices, 0, GADGET_USAGE_BY_MODEL);
  g_assert_cmpint (report->total.usage.cost, ==, DOLLAR * 105 / 1000);
  g_assert_cmpstr (get_row (report, 0)->provider_name, ==, "One");
  add (fixture->store, "a", "a1", "claude-haiku-5-5", GADGET_USAGE_REPLY,
       &(GadgetUsage) { .input_tokens = 200000 });
  g_clear_pointer (&report, gadget_usage_report_free);
  report = report_from (fixture->store, prices, 0, GADGET_USAGE_BY_MODEL);
  g_assert_cmpuint (report->rows->len, ==, 1);
  g_assert_cmpint (report->total.usage.cost, ==, DOLLAR * 205 / 1000);
  g_assert_cmpuint (report->total.n_replies, ==, 1);

  set_price (prices, "claude-haiku-5-5", &(GadgetPrice) { .input = 1, .cached = -1 });
  add (fixture->store, "a", "a1", "claude-haiku-5-5", GADGET_USAGE_REPLY,
       &(GadgetUsage) { .input_tokens = 1, .cost = DOLLAR, .known = GADGET_USAGE_COST });
  g_clear_pointer (&report, gadget_usage_report_free);
  report = report_from (fixture->store, prices, 0, GADGET_USAGE_BY_PROVIDER);
  g_assert_cmpint (report->total.usage.cost, ==, DOLLAR * 22 / 10);
}

static void
test_csv (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPrices) prices = gadget_prices_new (fixture->store);
  g_autoptr (GadgetUsageReport) report = NULL;
  g_autofree char *csv = NULL;

  add (fixture->store, "a", "a1", "=model, \"quoted\"", GADGET_USAGE_REPLY,
       &(GadgetUsage) { .input_tokens = 7, .output_tokens = 1 });
  report = report_from (fixture->store, prices, 0, GADGET_USAGE_BY_MODEL);
  csv = gadget_usage_report_dup_csv (report);
  g_assert_cmpstr (csv, ==,
                   "period,provider,model,chat,title,replies,input_tokens,cached_tokens,"
                   "cache_write_tokens,output_tokens,reasoning_tokens,seconds,cost_usd,"
                   "cost_complete,estimated\r\n"
                   ",one,\"'=model, \"\"quoted\"\"\",,,1,7,,,1,,1,,0,0\r\n");
}

/* --- What becomes of it ----------------------------------------------------------------------- */

static gint64
count_tokens (GadgetStore *store)
{
  g_autoptr (GadgetPrices) prices = gadget_prices_new (store);
  g_autoptr (GadgetUsageReport) report = report_from (store, prices, 0, 0);

  return report->total.usage.input_tokens;
}

static void
expect_tokens (GadgetStore *store, gint64 tokens)
{
  g_assert_cmpint (count_tokens (store), ==, tokens);
}

static void
test_deleted (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("a");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_session_set_loaded (session, TRUE);
  test_store_save (fixture->store, session);
  add_tokens (fixture->store, "a", "a1", 10, 1);
  test_store_delete (fixture->store, "a");
  expect_tokens (fixture->store, 10);
  gadget_store_erase_async (fixture->store, FALSE, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_erase_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  expect_tokens (fixture->store, 0);
}

/* What was used after a backup is not unused when it is restored. */
static void
test_restored (StoreFixture *fixture, gconstpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) made = NULL;
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GAsyncResult) restored = NULL;
  g_autoptr (GPtrArray) backups = NULL;
  g_autoptr (GError) error = NULL;

  add_tokens (fixture->store, "a", "a1", 10, 1);
  expect_tokens (fixture->store, 10);
  gadget_backups_make_async (fixture->directory, TRUE, NULL, test_result_cb, &slot);
  made = test_take_result (&slot);
  g_assert_true (gadget_backups_make_finish (made, NULL));
  add_tokens (fixture->store, "a", "a2", 100, 1);
  expect_tokens (fixture->store, 110);
  gadget_backups_list_async (fixture->directory, NULL, test_result_cb, &slot);
  listed = test_take_result (&slot);
  backups = gadget_backups_list_finish (listed, NULL);
  gadget_store_restore_backup_async (fixture->store,
                                     ((GadgetBackup *) g_ptr_array_index (backups, 0))->name,
                                     test_result_cb, &slot);
  restored = test_take_result (&slot);
  gadget_store_restore_backup_finish (fixture->store, restored, &error);
  g_assert_no_error (error);
  expect_tokens (fixture->store, 110);
}

/* Two processes count into one table. */
static void
test_two_processes (StoreFixture *fixture, gconstpointer data)
{
  GadgetStore *other = test_store_open (fixture->directory);

  for (guint i = 0; i < 50; i++)
    {
      add_tokens (fixture->store, "a", "a1", 1, 0);
      add_tokens (other, "b", "b1", 1, 0);
    }
  /* Each store counts after its own writes, but not after those of the other one. */
  count_tokens (fixture->store);
  expect_tokens (other, 100);
  expect_tokens (fixture->store, 100);
  test_store_close (other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/engine/usage/" path, StoreFixture, NULL, test_store_set_up, function,              \
              test_store_tear_down)
  ADD ("published", test_published);
  ADD ("cost", test_cost);
  ADD ("set", test_set);
  ADD ("removed-provider", test_removed_provider);
  ADD ("report", test_report);
  ADD ("money", test_money);
  ADD ("csv", test_csv);
  ADD ("deleted", test_deleted);
  ADD ("restored", test_restored);
  ADD ("two-processes", test_two_processes);
  return g_test_run ();
}
