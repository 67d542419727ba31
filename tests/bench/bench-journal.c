/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much of a streamed reply is lost when the process is killed in the middle of it, beside a
 * bare write and fdatasync of one page in the same folder; and how much of a processor it takes to
 * store and index a reply that is streamed fast, beside the same reply without a store. */

#include "config.h"

#include "bench-row.h"
#include "killed-stream.h"
#include "test-store.h"

#include "store/search/gadget-chat-search.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define N 60
#define PAGE 4096
#define N_STREAMS 5
#define STREAM_MS 4000
#define DELTAS_PER_MS 2

static double
measure_floor (const char *directory)
{
  static const char page[PAGE];
  g_autofree char *path = g_build_filename (directory, "floor", NULL);
  const int fd = open (path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  const gint64 begin = g_get_monotonic_time ();

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, page, sizeof (page)), ==, sizeof (page));
  g_assert_cmpint (fdatasync (fd), ==, 0);
  close (fd);
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

typedef struct
{
  GadgetItem *item;
  gint64 begin_us;
  guint n_deltas;
} Stream;

static gboolean
stream_cb (gpointer data)
{
  Stream *stream = data;
  const gint64 due = (g_get_monotonic_time () - stream->begin_us) * DELTAS_PER_MS / 1000;

  for (; stream->n_deltas < MIN (due, STREAM_MS * DELTAS_PER_MS); stream->n_deltas++)
    {
      g_autofree char *delta = g_strdup_printf (" word%u", stream->n_deltas % 5000);

      gadget_item_append_text (stream->item, delta, -1);
    }
  return G_SOURCE_CONTINUE;
}

static double
get_processor_ms (void)
{
  struct timespec now;

  g_assert_cmpint (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now), ==, 0);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1e6;
}

/* Returns the processor time of a whole reply, in percent of the time that its stream takes.
 * Without
 * @store, it is not stored. */
static double
stream_reply (GadgetStore *store, GadgetChatSearch *search, guint number)
{
  g_autofree char *id = g_strdup_printf ("t%u", number);
  g_autoptr (GadgetSession) session = gadget_session_new (id);
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "Go on.");
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetJournal) journal = NULL;
  const double begin_ms = get_processor_ms ();
  Stream stream = { item, g_get_monotonic_time (), 0 };
  guint source;

  gadget_session_append (session, turn);
  if (store != NULL)
    journal = gadget_journal_new (store, session, turn);
  gadget_turn_append (turn, item);
  source = g_timeout_add (1, stream_cb, &stream);
  test_run_for (STREAM_MS + 100);
  g_source_remove (source);
  g_assert_cmpuint (stream.n_deltas, ==, STREAM_MS * DELTAS_PER_MS);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
  if (journal != NULL)
    {
      GAsyncResult *slot = NULL;

      g_assert_true (test_journal_commit (journal, NULL));
      gadget_chat_search_settle_async (search, test_result_cb, &slot);
      g_object_unref (test_take_result (&slot));
    }
  return (get_processor_ms () - begin_ms) * 100 / STREAM_MS;
}

static void
measure_processor (void)
{
  char *directory = test_dir_new ();
  GadgetStore *store = test_store_open (directory);
  g_autoptr (GadgetChatSearch) search = gadget_chat_search_new (store);
  g_autoptr (GArray) stored = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) bare = g_array_new (FALSE, FALSE, sizeof (double));
  double floor;

  gadget_chat_search_start (search);
  for (guint i = 0; i < N_STREAMS; i++)
    {
      const double percent = stream_reply (store, search, i);
      const double bare_percent = stream_reply (NULL, NULL, i);

      g_array_append_val (stored, percent);
      g_array_append_val (bare, bare_percent);
    }
  floor = bench_get_rank (bare, 0.5);
  bench_print_row ("journal", "2000-deltas-a-second", "% of a processor", stored, floor,
                   "median <= that without a store + 5", bench_get_rank (stored, 0.5) <= floor + 5);
  g_clear_object (&search);
  test_store_close (store);
  test_dir_free (directory);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_path_get_dirname (argv[0]);
  g_autofree char *tests = g_path_get_dirname (folder);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) floors = g_array_new (FALSE, FALSE, sizeof (double));

  /* Where the killed program is found. */
  g_setenv ("G_TEST_BUILDDIR", tests, FALSE);
  for (guint i = 0; i < N; i++)
    {
      char *directory = test_dir_new ();
      const double floor = measure_floor (directory);
      const double lost =
          (double) test_killed_stream (directory, (guint) g_random_int_range (0, 1000)) / 1000;

      g_array_append_val (floors, floor);
      g_array_append_val (values, lost);
      test_dir_free (directory);
    }
  bench_print_row ("journal", "killed-mid-stream", "lost_ms", values, bench_get_rank (floors, 0.5),
                   "worst <= 250 ms", bench_get_rank (values, 1) <= 250);
  measure_processor ();
  return 0;
}
