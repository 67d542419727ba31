/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A workspace that is larger than what is kept of one: it is told beforehand, what is not kept is
 * told afterwards, the rest can be undone; and nothing waits meanwhile. */

#include "config.h"

#include "effects/gadget-snapshot-service-private.h"
#include "effects/gadget-tree-keep.h"
#include "undo-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define N_WITHOUT_ROOM 2
#define N_FILES ((guint) (GADGET_KEEP_MAX_WORKSPACE / GADGET_KEEP_MAX_FILE) + N_WITHOUT_ROOM)
#define MAX_ITERATION_US (500 * G_TIME_SPAN_MILLISECOND)
#define TOO_LARGE "too-large"

static char *
make_name (guint i)
{
  return g_strdup_printf ("file-%04u", i);
}

/* Of nothing but a hole. */
static void
put_hole (UndoFixture *fixture, const char *name, guint64 size)
{
  g_autofree char *path = undo_path (fixture, name);
  g_autofd int fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (ftruncate (fd, (off_t) size), ==, 0);
}

static guint64
get_size (UndoFixture *fixture, const char *name)
{
  g_autofree char *path = undo_path (fixture, name);
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  return (guint64) info.st_size;
}

/* --- The main context --------------------------------------------------------------------------
 */

typedef struct
{
  gint64 last;
  gint64 longest;
  guint source;
} Pulse;

static gboolean
beat_cb (gpointer data)
{
  Pulse *pulse = data;
  const gint64 now = g_get_monotonic_time ();

  pulse->longest = MAX (pulse->longest, now - pulse->last);
  pulse->last = now;
  return G_SOURCE_CONTINUE;
}

static void
pulse_begin (Pulse *pulse)
{
  pulse->last = g_get_monotonic_time ();
  pulse->longest = 0;
  pulse->source = g_timeout_add (5, beat_cb, pulse);
}

static void
pulse_end (Pulse *pulse, const char *what)
{
  beat_cb (pulse);
  g_source_remove (pulse->source);
  g_test_message ("longest iteration, %s: %.1f ms", what, (double) pulse->longest / 1000);
  g_assert_cmpint (pulse->longest, <, MAX_ITERATION_US);
}

/* --- The tests ---------------------------------------------------------------------------------
 */

/* What cannot be undone is named, and is as the turn left it; the rest is as it was. Returns how
 * many cannot. Which of them they are is up to the order in which the folder lists them. */
static guint
check_all (UndoFixture *fixture, const GadgetUndoList *list, const GadgetUndoReport *report)
{
  guint n = 0;

  for (guint i = 0; i < list->entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (list->entries, i);
      g_autofree char *problem = g_strconcat (entry->path, ": what it was is not kept", NULL);

      if (entry->quiet)
        continue;
      n += !entry->can_undo;
      g_assert_cmpint (
          entry->can_undo, !=,
          g_ptr_array_find_with_equal_func (report->problems, problem, g_str_equal, NULL));
      if (entry->can_undo)
        g_assert_cmpuint (get_size (fixture, entry->path), ==, entry->before.size);
      else
        undo_assert_text (fixture, entry->path, "turn\n");
    }
  g_assert_cmpuint (report->problems->len, ==, n);
  return n;
}

static gboolean
is_kept (gpointer data)
{
  UndoFixture *fixture = data;

  return _gadget_snapshot_service_get_n_unkept (fixture->service, fixture->workspace) == 0;
}

/* As when the folder was chosen a while ago: the last look has been at all of it. */
static void
look_at_all (UndoFixture *fixture)
{
  Pulse pulse;

  pulse_begin (&pulse);
  undo_run (fixture, "true");
  undo_wait_recorded (fixture);
  g_assert_true (test_wait_until (is_kept, fixture, 60000));
  pulse_end (&pulse, "looking");
  undo_new_turn (fixture);
}

static void
test_over_the_limit (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetCallSummary) warning = NULL;
  g_autoptr (GadgetUndoList) list = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;
  Pulse pulse;
  gint64 command, begun;

  for (guint i = 0; i < N_FILES; i++)
    {
      g_autofree char *name = make_name (i);

      put_hole (fixture, name, GADGET_KEEP_MAX_FILE);
    }
  put_hole (fixture, TOO_LARGE, GADGET_KEEP_MAX_FILE + 1);
  undo_put (fixture, "small", "before\n");
  look_at_all (fixture);

  pulse_begin (&pulse);
  begun = g_get_monotonic_time ();
  command = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  g_test_message ("a command waited %.1f ms", (double) (g_get_monotonic_time () - begun) / 1000);
  warning = gadget_effects_dup_warning (fixture->effects, command);
  g_assert_nonnull (warning);
  g_assert_cmpint (warning->kind, ==, GADGET_CALL_SUMMARY_NOTE_NO_ROOM);
  undo_run_bare (fixture, "for file in *; do echo turn > $file; done");
  gadget_effects_end (fixture->effects, command, "exit 0");
  list = undo_list_recorded (fixture);
  g_assert_cmpint (list->recording, ==, GADGET_RECORDING_DONE);
  g_assert_true (undo_find (list, "small")->can_undo);
  g_assert_false (undo_find (list, TOO_LARGE)->can_undo);

  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  pulse_end (&pulse, "a command and undoing");
  g_assert_no_error (error);
  undo_assert_text (fixture, "small", "before\n");
  g_assert_cmpuint (check_all (fixture, list, report), ==, N_WITHOUT_ROOM + 1);
}

/* A file tool keeps the one file that it changes, however much there is besides. */
static void
test_edit (UndoFixture *fixture, gconstpointer data)
{
  const guint64 size = GADGET_KEEP_MAX_FILE + 1;
  Pulse pulse;

  put_hole (fixture, TOO_LARGE, size);
  pulse_begin (&pulse);
  undo_edit (fixture, TOO_LARGE, "turn\n");
  undo_wait_recorded (fixture);
  undo_assert_text (fixture, TOO_LARGE, "turn\n");
  undo_apply_all (fixture, FALSE);
  pulse_end (&pulse, "an edit and undoing");
  g_assert_cmpuint (get_size (fixture, TOO_LARGE), ==, size);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  undo_test_add ("-large/over-the-limit", test_over_the_limit);
  undo_test_add ("-large/edit", test_edit);

  return g_test_run ();
}
