/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search over all chats in a library of 5,000 chats with 500,000 items in several languages,
 * beside plain FTS5 on the same texts in one row each, ranked by bm25 ().
 *
 *   bench-library FOLDER    keeps the generated library in "library-bench" there
 *
 * The library is the same on each machine: it is generated from a fixed seed. */

#include "config.h"

#include "bench-row.h"
#include "test-store.h"

#include "store/search/gadget-chat-search.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* To be changed with what is generated. */
#define VERSION "2"
#define N_SESSIONS 5000
#define N_TURNS 7
#define N_ITEMS 500000
#define N_WORDS 40000
#define N 40
#define N_LANGUAGES 5

enum
{
  ENGLISH,
  GERMAN,
  RUSSIAN,
  CHINESE,
  CODE,
};

static char *words[N_LANGUAGES][N_WORDS];

/* --- The texts -------------------------------------------------------------------------------- */

static void
add_syllable (GString *word, GRand *rand, guint language)
{
  static const char *const latin[] = {
    "ba", "be", "bi", "bo", "ca", "ce", "co", "cu", "da",  "de", "di",  "do",  "e",   "fa",  "fi",
    "fo", "ga", "gi", "ha", "he", "ho", "i",  "ja", "ka",  "la", "le",  "li",  "lo",  "ma",  "me",
    "mi", "mo", "na", "ne", "no", "o",  "pa", "pe", "pro", "ra", "re",  "ri",  "sa",  "se",  "so",
    "st", "ta", "te", "th", "to", "tu", "un", "va", "wa",  "wh", "con", "com", "pre", "tri", "exp",
  };
  static const char *const german[] = { "ab", "ge",  "schä", "lich", "über", "keit", "ver", "zu",
                                        "tö", "ung", "ein",  "sta",  "be",   "nüt",  "for", "mel" };
  static const char *const russian[] = { "по", "на", "ста", "во", "ра", "за", "ни", "ко",
                                         "ли", "те", "пре", "ма", "ло", "ви", "до", "ку" };

  if (language == GERMAN)
    g_string_append (word, german[g_rand_int_range (rand, 0, G_N_ELEMENTS (german))]);
  else if (language == RUSSIAN)
    g_string_append (word, russian[g_rand_int_range (rand, 0, G_N_ELEMENTS (russian))]);
  else
    g_string_append (word, latin[g_rand_int_range (rand, 0, G_N_ELEMENTS (latin))]);
}

static void
make_words (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint language = 0; language < N_LANGUAGES; language++)
    for (guint i = 0; i < N_WORDS; i++)
      {
        GString *word = g_string_new (NULL);
        const guint n = language == CHINESE ? 1 + i % 2 : 1 + (guint) log2 (1 + i / 8.0) / 3;

        for (guint j = 0; j < n; j++)
          {
            if (language == CHINESE)
              g_string_append_unichar (word, 0x4e00 + (gunichar) g_rand_int_range (rand, 0, 3500));
            else
              add_syllable (word, rand, language);
          }
        if (language != CHINESE)
          g_string_append_c (word, (char) ('a' + i % 26));
        if (language == CODE && i % 3 == 0)
          g_string_append_printf (word, "_%u", i);
        words[language][i] = g_string_free_and_steal (word);
      }
}

/* The frequencies of words in languages: that of rank n is about 1 / (n + 3). */
static const char *
pick (GRand *rand, guint language)
{
  const double most = log ((N_WORDS + 3.0) / 3);
  const guint rank = (guint) (3 * exp (g_rand_double (rand) * most) - 3);

  return words[language][MIN (rank, N_WORDS - 1)];
}

/* The logarithms of the lengths of texts are about normal. */
static guint
pick_length (GRand *rand, double median)
{
  double sum = 0;

  for (guint i = 0; i < 12; i++)
    sum += g_rand_double (rand);
  return 2 + (guint) MIN (median * exp ((sum - 6) * 0.9), 600);
}

static void
make_text (GString *text, GRand *rand, guint language, double median)
{
  const guint length = pick_length (rand, median);

  g_string_truncate (text, 0);
  for (guint i = 0; i < length; i++)
    {
      g_string_append (text, pick (rand, language));
      if (language == CHINESE ? i % 9 == 8 : i % 11 == 10)
        g_string_append (text, language == CHINESE ? "。" : ". ");
      else if (language == CODE && i % 5 == 4)
        g_string_append (text, i % 2 == 0 ? ";\n" : " (");
      else if (language != CHINESE)
        g_string_append_c (text, ' ');
    }
}

/* --- The library ------------------------------------------------------------------------------ */

static void
must (sqlite3 *db, int code)
{
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    g_error ("%s", sqlite3_errmsg (db));
}

static sqlite3_stmt *
prepare (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *stmt = NULL;

  must (db, sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL));
  return stmt;
}

static void
run_with (sqlite3 *db, sqlite3_stmt *stmt)
{
  must (db, sqlite3_step (stmt));
  must (db, sqlite3_reset (stmt));
}

static void
add_item (sqlite3 *db, sqlite3_stmt *stmt, GRand *rand, GString *text, gint64 turn, int position,
          guint language)
{
  static const char *const kinds[] = { "text", "reasoning", "tool-call", "tool-call" };
  const char *kind = kinds[position % 4];
  const gboolean is_call = *kind == 't' && kind[1] == 'o';
  g_autofree char *arguments = NULL;

  make_text (text, rand, is_call ? CODE : language, is_call ? 45 : 30);
  if (is_call)
    arguments = g_strdup_printf ("{\"command\":\"%s %s\"}", pick (rand, CODE), pick (rand, CODE));
  sqlite3_bind_int64 (stmt, 1, turn);
  sqlite3_bind_int (stmt, 2, position);
  sqlite3_bind_text (stmt, 3, kind, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 4, text->str, (int) text->len, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 5, is_call ? "shell" : NULL, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 6, is_call ? arguments : "", -1, SQLITE_STATIC);
  run_with (db, stmt);
}

static gboolean
generate (sqlite3 *db, gpointer data, GError **error)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (GString) text = g_string_new (NULL);
  sqlite3_stmt *session = prepare (db, "INSERT INTO session (id, title, workspace, created_at,"
                                       " updated_at) VALUES ('s' || ?1, ?2, '/work', ?3, ?3)");
  sqlite3_stmt *turn =
      prepare (db, "INSERT INTO turn (id, session, position, prompt, status, stop_reason, provider,"
                   " started_at, ended_at, changed_at, input_tokens, output_tokens,"
                   " usage_estimated) VALUES ('t' || ?1, ?2, ?3, ?4, 'finished', 'none', 'p', ?5,"
                   " ?5, ?5, 0, 0, 0)");
  sqlite3_stmt *item =
      prepare (db, "INSERT INTO item (turn, position, kind, status, step, text, name, arguments,"
                   " started_at, ended_at) VALUES (?1, ?2, ?3, 'finished', 0, ?4, ?5, ?6, 0, 0)");
  gint64 time = 1700000000000;
  int n_turns = 0;

  must (db, sqlite3_exec (db, "BEGIN", NULL, NULL, NULL));
  for (int i = 0; i < N_SESSIONS; i++)
    {
      const guint language =
          (const guint[]) { ENGLISH, ENGLISH, ENGLISH, ENGLISH, ENGLISH,
                            GERMAN,  GERMAN,  RUSSIAN, CHINESE, CHINESE }[i % 10];
      int n_items = 0;

      make_text (text, rand, language, 4);
      sqlite3_bind_int (session, 1, i + 1);
      sqlite3_bind_text (session, 2, text->str, (int) text->len, SQLITE_STATIC);
      sqlite3_bind_int64 (session, 3, time);
      run_with (db, session);
      for (int j = 0; j < N_TURNS; j++)
        {
          const int n = (j + 1) * (N_ITEMS / N_SESSIONS) / N_TURNS - n_items;

          make_text (text, rand, language, 12);
          sqlite3_bind_int (turn, 1, ++n_turns);
          sqlite3_bind_int (turn, 2, i + 1);
          sqlite3_bind_int (turn, 3, j);
          sqlite3_bind_text (turn, 4, text->str, (int) text->len, SQLITE_STATIC);
          sqlite3_bind_int64 (turn, 5, time += 600000);
          run_with (db, turn);
          for (int k = 0; k < n; k++, n_items++)
            add_item (db, item, rand, text, n_turns, k, language);
        }
    }
  must (db, sqlite3_exec (db, "DELETE FROM search_pending; COMMIT", NULL, NULL, NULL));
  sqlite3_finalize (session);
  sqlite3_finalize (turn);
  sqlite3_finalize (item);
  return TRUE;
}

#define ALL_TEXTS                                                                                  \
  "SELECT number * 2 AS row, text || ' ' || arguments AS body FROM item"                           \
  " UNION ALL SELECT number * 2 + 1, prompt FROM turn"

static double
get_number (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *stmt = prepare (db, sql);
  double number;

  must (db, sqlite3_step (stmt));
  number = sqlite3_column_double (stmt, 0);
  sqlite3_finalize (stmt);
  return number;
}

/* Makes the plain index beside the library, and stores how long that took. */
static gboolean
make_plain (sqlite3 *db, gpointer path, GError **error)
{
  g_autofree char *attach = g_strdup_printf ("ATTACH '%s' AS plain", (const char *) path);
  g_autofree char *note = NULL;
  gint64 begin_us;

  must (db, sqlite3_exec (db, attach, NULL, NULL, NULL));
  begin_us = g_get_monotonic_time ();
  must (db, sqlite3_exec (db,
                          "CREATE VIRTUAL TABLE plain.plain USING fts5 (body, content = '');"
                          "INSERT INTO plain.plain (rowid, body) " ALL_TEXTS,
                          NULL, NULL, NULL));
  note = g_strdup_printf ("PRAGMA plain.user_version = %d; DETACH plain",
                          (int) ((g_get_monotonic_time () - begin_us) / 1000));
  must (db, sqlite3_exec (db, note, NULL, NULL, NULL));
  return TRUE;
}

static char *
make_library (const char *folder)
{
  char *directory = g_build_filename (folder, "library-bench", VERSION, NULL);
  g_autofree char *plain = g_build_filename (directory, "plain.db", NULL);
  g_autofree char *stamp = g_build_filename (directory, "complete", NULL);
  GadgetStore *store;

  if (g_file_test (stamp, G_FILE_TEST_EXISTS))
    return directory;
  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  store = test_store_open (directory);
  test_store_run (store, generate, NULL);
  /* The store's connection opens no files that are not there. */
  g_assert_true (g_file_set_contents (plain, "", 0, NULL));
  test_store_run (store, make_plain, plain);
  test_store_close (store);
  g_assert_true (g_file_set_contents (stamp, "", 0, NULL));
  return directory;
}

/* --- Measuring -------------------------------------------------------------------------------- */

typedef struct
{
  GadgetChatSearch *search;
  sqlite3 *plain;
} Bench;

static void
add (GArray *values, double value)
{
  g_array_append_val (values, value);
}

static double
since (gint64 begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / 1000;
}

static void
print_one (const char *name, const char *metric, double value, double floor, const char *limit,
           gboolean ok)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  add (values, value);
  bench_print_row ("library", name, metric, values, floor, limit, ok);
}

static gboolean
nothing (sqlite3 *db, gpointer data, GError **error)
{
  return TRUE;
}

static gboolean
ask_cb (gpointer data)
{
  g_main_context_wakeup (NULL);
  return G_SOURCE_CONTINUE;
}

/* How long another job of the store waits while the index is built. */
static void
measure_build (Bench *bench, GadgetStore *store)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (double));
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *built = NULL;
  guint ask = g_timeout_add (20, ask_cb, NULL);
  const gint64 begin_us = g_get_monotonic_time ();

  gadget_chat_search_rebuild_async (bench->search, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_chat_search_settle_async (bench->search, test_result_cb, &built);
  while (built == NULL)
    {
      GAsyncResult *done = NULL;
      const gint64 asked_us = g_get_monotonic_time ();

      gadget_store_run_async (store, nothing, NULL, NULL, test_result_cb, &done);
      g_object_unref (test_take_result (&done));
      add (waits, since (asked_us));
      g_main_context_iteration (NULL, TRUE);
    }
  g_object_unref (built);
  g_source_remove (ask);
  print_one ("index/build", "s", since (begin_us) / 1000,
             get_number (bench->plain, "PRAGMA user_version") / 1000, "none", TRUE);
  bench_print_row ("library", "index/build-job-waits", "ms", waits, 0, "p95 <= 100 ms",
                   bench_get_rank (waits, 0.95) <= 100);
}

static void
measure_size (Bench *bench, const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  double text;
  double size;
  double plain;

  must (NULL, sqlite3_open (path, &db));
  text = get_number (db, "SELECT sum (length (CAST (body AS BLOB))) FROM (" ALL_TEXTS ")");
  size = get_number (db, "SELECT sum (pgsize) FROM dbstat WHERE name LIKE 'search_%'");
  plain = get_number (bench->plain, "SELECT sum (pgsize) FROM dbstat");
  sqlite3_close (db);
  print_one ("text", "MB", text / 1e6, 0, "none: what is searched", TRUE);
  print_one ("index/size", "of the text", size / text, plain / text, "<= 0.6", size <= 0.6 * text);
}

static void
first_cb (const GadgetChatSearchResults *results, gpointer first_us)
{
  *(gint64 *) first_us = g_get_monotonic_time ();
}

static void
find (Bench *bench, const char *text, GArray *first, GArray *whole, guint *n_found)
{
  const GadgetChatSearchQuery query = { .text = text };
  g_autoptr (GadgetChatSearchResults) results = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  const gint64 begin_us = g_get_monotonic_time ();
  gint64 first_us = 0;

  gadget_chat_search_find_async (bench->search, &query, first_cb, &first_us, NULL, test_result_cb,
                                 &slot);
  result = test_take_result (&slot);
  results = gadget_chat_search_find_finish (bench->search, result, NULL);
  g_assert_nonnull (results);
  add (whole, since (begin_us));
  add (first, first_us > 0 ? (double) (first_us - begin_us) / 1000
                           : g_array_index (whole, double, whole->len - 1));
  *n_found += results->n_matches;
}

static double
find_plain (Bench *bench, const char *text)
{
  sqlite3_stmt *stmt =
      prepare (bench->plain, "SELECT rowid FROM plain WHERE plain MATCH ?1 ORDER BY rank LIMIT 60");
  const gint64 begin_us = g_get_monotonic_time ();

  sqlite3_bind_text (stmt, 1, text, -1, SQLITE_STATIC);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    ;
  sqlite3_finalize (stmt);
  return since (begin_us);
}

/* Measures queries of one sort. */
static void
measure (Bench *bench, const char *name, char *(*make) (GRand *rand))
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) whole = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *first_name = g_strdup_printf ("search/%s/first", name);
  g_autofree char *whole_name = g_strdup_printf ("search/%s/whole", name);
  guint n_found = 0;

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *text = make (rand);
      g_autofree char *last = g_strdup (strrchr (text, ' ') != NULL ? strrchr (text, ' ') : text);
      g_autofree char *match = NULL;
      const gboolean open = !g_str_has_suffix (text, " ") && !g_str_has_suffix (text, "\"");

      match = g_strconcat (text, open && (guchar) *g_strchug (last) < 0x80 ? "*" : "", NULL);
      find (bench, text, first, whole, &n_found);
      add (plain, find_plain (bench, match));
    }
  g_printerr ("%s: %u matches a search\n", name, n_found / N);
  bench_print_row ("library", first_name, "ms", first, 0, "p95 <= 20 ms",
                   bench_get_rank (first, 0.95) <= 20);
  bench_print_row ("library", whole_name, "ms", whole, bench_get_rank (plain, 0.5), "p95 <= 100 ms",
                   bench_get_rank (whole, 0.95) <= 100);
}

static char *
make_typical (GRand *rand)
{
  return g_strdup_printf ("%s %s ", words[ENGLISH][g_rand_int_range (rand, 20, 500)],
                          words[ENGLISH][g_rand_int_range (rand, 200, 4000)]);
}

static char *
make_common (GRand *rand)
{
  return g_strdup_printf ("%s ", words[ENGLISH][g_rand_int_range (rand, 0, 20)]);
}

static char *
make_rare (GRand *rand)
{
  return g_strdup_printf ("%s ", words[GERMAN][g_rand_int_range (rand, 20000, N_WORDS)]);
}

static char *
make_han (GRand *rand)
{
  return g_strdup_printf ("%s%s", words[CHINESE][g_rand_int_range (rand, 0, 300)],
                          g_rand_boolean (rand) ? words[CHINESE][g_rand_int_range (rand, 0, 50)]
                                                : "");
}

static char *
make_prefix (GRand *rand)
{
  return g_strndup (pick (rand, ENGLISH), (gsize) g_rand_int_range (rand, 2, 7));
}

static char *
make_phrase (GRand *rand)
{
  return g_strdup_printf ("\"%s %s\"", words[ENGLISH][g_rand_int_range (rand, 0, 100)],
                          words[ENGLISH][g_rand_int_range (rand, 0, 100)]);
}

static void
measure_cancel (Bench *bench)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const GadgetChatSearchQuery query = { .text = words[ENGLISH][0] };

  for (guint i = 0; i < N; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      GAsyncResult *slot = NULL;
      gint64 begin_us;

      gadget_chat_search_find_async (bench->search, &query, NULL, NULL, cancellable, test_result_cb,
                                     &slot);
      g_usleep (500 * i);
      begin_us = g_get_monotonic_time ();
      g_cancellable_cancel (cancellable);
      g_object_unref (test_take_result (&slot));
      add (values, since (begin_us));
    }
  bench_print_row ("library", "search/cancelled", "ms", values, 0, "worst <= 20 ms",
                   bench_get_rank (values, 1) <= 20);
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = NULL;
  g_autofree char *plain = NULL;
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double));
  GadgetStore *store;
  guint n_found = 0;
  Bench bench = { 0 };

  g_assert_cmpint (argc, ==, 2);
  make_words ();
  directory = make_library (argv[1]);
  plain = g_build_filename (directory, "plain.db", NULL);
  must (NULL, sqlite3_open (plain, &bench.plain));
  store = test_store_open (directory);
  bench.search = gadget_chat_search_new (store);
  gadget_chat_search_start (bench.search);
  measure_build (&bench, store);
  measure_size (&bench, directory);
  /* As when the page is opened. */
  find (&bench, "", first, first, &n_found);
  measure (&bench, "typical", make_typical);
  measure (&bench, "common", make_common);
  measure (&bench, "rare", make_rare);
  measure (&bench, "han", make_han);
  measure (&bench, "prefix", make_prefix);
  measure (&bench, "phrase", make_phrase);
  measure_cancel (&bench);
  sqlite3_close (bench.plain);
  g_object_unref (bench.search);
  test_store_close (store);
  return 0;
}
