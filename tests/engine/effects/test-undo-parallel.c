/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file is edited by a tool while a command of the same step runs. Wherever the edit falls between
 * the looks at the workspace, and whatever the command does to the same file, all of it is taken
 * back and made again, without a question. */

#include "config.h"

#include "effects/gadget-snapshot-service-private.h"
#include "effects/gadget-coalesced-changes.h"
#include "undo-fixture.h"

#include <string.h>

/* Where the edit is done. */
typedef enum
{
  BEFORE_FIRST,  /* before the first look */
  IN_FIRST,      /* when the first look knows how the files are, and has not kept them */
  WHILE,         /* while the command runs, before it does anything */
  WHILE_LATER,   /* and after it has */
  BEFORE_SECOND, /* when it has ended, and nobody has looked yet */
  IN_SECOND,     /* when the second look knows how the files are */
  AFTER_SECOND,
  N_MOMENTS
} Moment;

/* What the command does. */
static const char *const commands[] = {
  "true",
  "echo command > other",
  "echo command >> a",
  "echo command > t; mv t a",
  "rm a",
  "rm -f a; mkdir a; echo 1 > a/inside",
  "sed -i s/e/E/ a; rm -f gone",
};

/* As a look at another folder that takes long. */
static void
hold (GadgetSnapshotWorker *keeping, gpointer data)
{
  undo_gate_pass (data);
}

/* --- One step of two calls ---------------------------------------------------------------------
 */

/* When the edit is put on record and looks at its file. */
typedef enum
{
  FIRST,  /* before the command */
  SECOND, /* after the command's row */
  LATE,   /* at the moment itself, when the command may have changed the file; only as long as it
           * runs, since what begins later waits for the second look */
  N_ORDERS
} Order;

typedef struct
{
  UndoFixture *fixture;
  UndoGate gate;
  Moment moment;
  const char *command;
  Order order;
  gboolean killed;
  gint64 edit;
  GAsyncResult *edit_slot;
  GAsyncResult *command_slot;
} Step;

static void
begin_edit (Step *self, Order order)
{
  g_autofree char *path = undo_path (self->fixture, "a");

  if (self->order == order)
    self->edit = undo_begin (self->fixture, GADGET_EFFECT_CHANGE, path);
}

/* A tool reads the file again before it writes, and fails when it is not what was expected; where
 * there is a folder now it does. */
static void
do_edit (Step *self)
{
  g_autofree char *path = undo_path (self->fixture, "a");
  gboolean done;

  begin_edit (self, LATE);
  done = g_file_set_contents_full (path, "by the edit\n", -1, G_FILE_SET_CONTENTS_CONSISTENT, 0640,
                                   NULL);
  gadget_effects_end (self->fixture->effects, self->edit, done ? "done" : "failed");
}

static void
begin_command (Step *self)
{
  gadget_effects_begin_async (self->fixture->effects, "c2", GADGET_EFFECT_COMMAND, self->command,
                              NULL, NULL, test_result_cb, &self->command_slot);
}

static gint64
wait_command (Step *self)
{
  g_autoptr (GAsyncResult) result = test_take_result (&self->command_slot);
  g_autoptr (GError) error = NULL;
  const gint64 id = gadget_effects_begin_finish (self->fixture->effects, result, &error);

  g_assert_no_error (error);
  return id;
}

static void
run (Step *self)
{
  UndoFixture *fixture = self->fixture;
  gint64 command;

  begin_edit (self, FIRST);
  if (self->moment == BEFORE_FIRST)
    {
      undo_gate_arm (&self->gate);
      _gadget_snapshot_service_run_async (fixture->service, hold, &self->gate, NULL, NULL, NULL);
    }
  else if (self->moment == IN_FIRST)
    undo_gate_arm (&self->gate);
  begin_command (self);
  /* Until the row of the command is written. */
  test_run_for (20);
  begin_edit (self, SECOND);
  if (self->moment <= IN_FIRST)
    {
      g_assert_true (test_wait_until (undo_gate_waits, &self->gate, 20000));
      do_edit (self);
      /* The look after it does not wait for the other one. */
      test_run_for (20);
      undo_gate_open (&self->gate);
    }
  command = wait_command (self);
  if (self->moment == WHILE)
    do_edit (self);
  undo_run_bare (fixture, self->command);
  if (self->moment == WHILE_LATER)
    do_edit (self);
  if (self->moment == BEFORE_SECOND)
    {
      undo_gate_arm (&self->gate);
      _gadget_snapshot_service_run_async (fixture->service, hold, &self->gate, NULL, NULL, NULL);
    }
  else if (self->moment == IN_SECOND)
    undo_gate_arm (&self->gate);
  gadget_effects_end (fixture->effects, command, self->killed ? "aborted" : "exit 0");
  if (self->moment == BEFORE_SECOND || self->moment == IN_SECOND)
    {
      g_assert_true (test_wait_until (undo_gate_waits, &self->gate, 20000));
      do_edit (self);
      test_run_for (20);
      undo_gate_open (&self->gate);
    }
  else if (self->moment == AFTER_SECOND)
    {
      test_run_for (100);
      do_edit (self);
    }
}

static void
check (UndoFixture *fixture, const char *before)
{
  g_autofree char *after = NULL;
  g_autofree char *undone = NULL;
  g_autofree char *redone = NULL;
  g_autoptr (GadgetUndoList) found = undo_list_recorded (fixture);

  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_DONE);
  for (guint i = 0; i < found->entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (found->entries, i);

      g_test_message ("%s: %d → %d, now %d", entry->path, entry->before.type, entry->after.type,
                      entry->state);
      g_assert_true (entry->can_undo && entry->can_redo);
      g_assert_false (entry->interleaved);
      g_assert_cmpint (entry->state, ==, GADGET_UNDO_STATE_DONE);
    }
  after = undo_dump (fixture->workspace);
  undo_apply_all (fixture, FALSE);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
  undo_apply_all (fixture, TRUE);
  redone = undo_dump (fixture->workspace);
  undo_assert_same (redone, after);
  undo_apply_all (fixture, FALSE);
}

static void
try (UndoFixture *fixture, Moment moment, const char *command, Order order, gboolean killed)
{
  Step step = {
    .fixture = fixture, .moment = moment, .command = command, .order = order, .killed = killed
  };
  g_autofree char *before = NULL;

  g_test_message ("moment %d, order %d, \"%s\"", moment, order, command);
  undo_run_bare (fixture, "rm -rf ./*; echo before > a; echo 1 > other; echo 2 > gone");
  before = undo_dump (fixture->workspace);
  undo_new_turn (fixture);
  _gadget_workspace_snapshot_set_scanned_func (undo_gate_pass, &step.gate);
  run (&step);
  check (fixture, before);
  _gadget_workspace_snapshot_set_scanned_func (NULL, NULL);
}

static void
test_moments (UndoFixture *fixture, gconstpointer data)
{
  for (Moment moment = BEFORE_FIRST; moment < N_MOMENTS; moment++)
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
      for (Order order = FIRST; order < (moment < BEFORE_SECOND ? N_ORDERS : LATE); order++)
        try (fixture, moment, commands[i], order, (i + order) % 2 == 0);
}

/* --- Moments -----------------------------------------------------------------------------------
 */

/* A state is a letter, what it was at; lower case is one whose bytes are not known. */
typedef struct
{
  char before;
  gint64 before_begin, before_end;
  char after;
  gint64 after_begin, after_end;
} Seen;

static void
set_state (GadgetFileState *state, char letter, gint64 begin, gint64 end)
{
  *state = (GadgetFileState) { .type = GADGET_FILE_REGULAR,
                               .mode = 0644,
                               .mtime = g_ascii_toupper (letter),
                               .has_hash = g_ascii_isupper (letter),
                               .seen_begin = begin,
                               .seen_end = end };
  if (state->has_hash)
    memset (state->hash, letter, sizeof state->hash);
}

static char *
sum_up (const Seen *seen, guint n)
{
  g_autoptr (GPtrArray) changes =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
  g_autoptr (GPtrArray) sums = NULL;
  const GadgetCoalescedChange *sum;

  for (guint i = 0; i < n; i++)
    {
      GadgetFileState before, after;
      GadgetChange *change;

      set_state (&before, seen[i].before, seen[i].before_begin, seen[i].before_end);
      set_state (&after, seen[i].after, seen[i].after_begin, seen[i].after_end);
      change = gadget_change_new ("a", &before, &after);
      change->root = g_strdup ("/srv");
      change->kind = GADGET_EFFECT_CHANGE;
      g_ptr_array_add (changes, change);
    }
  sums = _gadget_coalesce_changes (changes);
  g_assert_cmpuint (sums->len, ==, 1);
  sum = g_ptr_array_index (sums, 0);
  g_assert_true (sum->before.has_hash && sum->after.has_hash);
  return g_strdup_printf ("%c%c%s", sum->before.hash[0], sum->after.hash[0],
                          sum->interleaved ? " interleaved" : "");
}

/* Whatever the order in which they are on record. */
static void
test_sums (void)
{
  static const struct
  {
    Seen seen[2];
    const char *sum;
  } cases[] = {
    /* One after the other; and somebody else between them. */
    { { { 'A', 1, 2, 'B', 3, 4 }, { 'B', 5, 6, 'C', 7, 8 } }, "AC" },
    { { { 'A', 1, 2, 'B', 3, 4 }, { 'X', 5, 6, 'C', 7, 8 } }, "AC interleaved" },
    /* An edit while a command runs, which changes the file before or after it, or not at all. */
    { { { 'A', 1, 2, 'C', 7, 8 }, { 'X', 3, 4, 'B', 5, 6 } }, "AC" },
    { { { 'A', 1, 2, 'C', 7, 8 }, { 'A', 3, 4, 'B', 5, 6 } }, "AC" },
    { { { 'A', 1, 2, 'B', 7, 8 }, { 'A', 3, 4, 'B', 5, 6 } }, "AB" },
    /* During the first look, which came to the file after the edit, or before it. */
    { { { 'B', 1, 6, 'C', 7, 8 }, { 'A', 2, 3, 'B', 4, 5 } }, "AC" },
    { { { 'a', 1, 6, 'C', 7, 8 }, { 'A', 2, 3, 'B', 4, 5 } }, "AC" },
    { { { 'a', 1, 6, 'B', 7, 8 }, { 'A', 2, 3, 'B', 4, 5 } }, "AB" },
    /* During the second look. */
    { { { 'A', 1, 2, 'X', 4, 8 }, { 'X', 3, 5, 'B', 6, 7 } }, "AB" },
    { { { 'A', 1, 2, 'b', 4, 8 }, { 'X', 3, 5, 'B', 6, 7 } }, "AB" },
    /* It began while the command ran, and was done after it. */
    { { { 'A', 1, 2, 'X', 5, 6 }, { 'X', 3, 4, 'B', 7, 8 } }, "AB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Seen turned[] = { cases[i].seen[1], cases[i].seen[0] };
      g_autofree char *sum = sum_up (cases[i].seen, 2);
      g_autofree char *other = sum_up (turned, 2);

      g_test_message ("case %u", i);
      g_assert_cmpstr (sum, ==, cases[i].sum);
      g_assert_cmpstr (other, ==, cases[i].sum);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/undo-parallel/sums", test_sums);
  undo_test_add ("-parallel/moments", test_moments);

  return g_test_run ();
}
