/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agent/gadget-registry.h"

static void
count_cb (gpointer object, guint *count)
{
  ++*count;
}

static void
test_states (void)
{
  g_autoptr (GadgetRun) run = gadget_run_new (GADGET_RUN_TURN, NULL, "s", "t", NULL, NULL);
  guint n_ended = 0;

  g_signal_connect (run, "ended", G_CALLBACK (count_cb), &n_ended);
  g_assert_cmpint (gadget_run_get_state (run), ==, GADGET_RUN_RUNNING);
  g_assert_cmpint (gadget_run_seal (run), ==, GADGET_STOP_NONE);
  g_assert_cmpint (gadget_run_get_state (run), ==, GADGET_RUN_SEALING);

  /* Too late: the outcome is fixed. */
  g_assert_false (gadget_run_abort (run, GADGET_STOP_USER));
  g_assert_false (gadget_run_is_aborted (run));
  g_assert_false (g_cancellable_is_cancelled (gadget_run_get_cancellable (run)));

  gadget_run_end (run);
  g_assert_false (gadget_run_abort (run, GADGET_STOP_USER));
  g_assert_cmpuint (n_ended, ==, 1);
}

static void
test_abort_repeated (void)
{
  g_autoptr (GadgetRun) run = gadget_run_new (GADGET_RUN_TURN, NULL, "s", "t", NULL, NULL);
  guint n_aborted = 0;

  g_signal_connect (run, "aborted", G_CALLBACK (count_cb), &n_aborted);
  for (int i = 0; i < 10; i++)
    g_assert_true (gadget_run_abort (run, i == 0 ? GADGET_STOP_USER : GADGET_STOP_DEADLINE));
  g_assert_true (g_cancellable_is_cancelled (gadget_run_get_cancellable (run)));
  g_assert_cmpuint (n_aborted, ==, 1);
  g_assert_cmpint (gadget_run_seal (run), ==, GADGET_STOP_USER);
}

static void
test_children (void)
{
  g_autoptr (GadgetRun) root = gadget_run_new (GADGET_RUN_TURN, NULL, "s", "t", NULL, NULL);
  g_autoptr (GadgetRun) child = gadget_run_new (GADGET_RUN_SUBAGENT, NULL, "s", NULL, root, NULL);
  g_autoptr (GadgetRun) grandchild =
      gadget_run_new (GADGET_RUN_SUBAGENT, NULL, "s", NULL, child, NULL);
  g_autoptr (GadgetRun) done = gadget_run_new (GADGET_RUN_SUBAGENT, NULL, "s", NULL, root, NULL);
  g_autoptr (GadgetRun) late = NULL;

  gadget_run_seal (done);
  gadget_run_end (done);
  g_assert_true (gadget_run_abort (child, GADGET_STOP_API));
  g_assert_true (gadget_run_is_aborted (grandchild));
  g_assert_false (gadget_run_is_aborted (root));

  g_assert_true (gadget_run_abort (root, GADGET_STOP_USER));
  g_assert_false (gadget_run_is_aborted (done));
  late = gadget_run_new (GADGET_RUN_SUBAGENT, NULL, "s", NULL, root, NULL);
  g_assert_true (gadget_run_is_aborted (late));
}

static void
test_calls (void)
{
  g_autoptr (GadgetRun) run = gadget_run_new (GADGET_RUN_TURN, NULL, "s", "t", NULL, NULL);
  g_autoptr (GCancellable) one = gadget_run_add_call (run);
  g_autoptr (GCancellable) two = gadget_run_add_call (run);
  g_autoptr (GCancellable) gone = gadget_run_add_call (run);
  g_autoptr (GCancellable) late = NULL;

  gadget_run_stop_call (run, one);
  g_assert_true (g_cancellable_is_cancelled (one));
  g_assert_false (g_cancellable_is_cancelled (two));
  g_assert_false (gadget_run_is_aborted (run));

  gadget_run_remove_call (run, gone);
  gadget_run_abort (run, GADGET_STOP_USER);
  g_assert_true (g_cancellable_is_cancelled (two));
  g_assert_false (g_cancellable_is_cancelled (gone));
  late = gadget_run_add_call (run);
  g_assert_true (g_cancellable_is_cancelled (late));
}

static void
test_finalize (void)
{
  GadgetRun *root = gadget_run_new (GADGET_RUN_TURN, NULL, "s", "t", NULL, NULL);
  GadgetRun *child = gadget_run_new (GADGET_RUN_SUBAGENT, NULL, "s", NULL, root, NULL);

  g_object_add_weak_pointer (G_OBJECT (root), (gpointer *) &root);
  g_object_add_weak_pointer (G_OBJECT (child), (gpointer *) &child);
  g_object_unref (root);
  g_assert_nonnull (root);
  g_object_unref (child);
  g_assert_null (child);
  g_assert_null (root);
}

static void
test_registry_identity (void)
{
  g_autoptr (GadgetRegistry) registry = gadget_registry_new ();
  g_autoptr (GadgetRun) old = gadget_run_new (GADGET_RUN_TURN, "r", "s", "t1", NULL, NULL);
  g_autoptr (GadgetRun) new = gadget_run_new (GADGET_RUN_TURN, "r", "s", "t2", NULL, NULL);

  gadget_registry_add (registry, old);
  gadget_registry_remove (registry, old);
  gadget_registry_add (registry, new);
  /* A late clean-up of the old run can't evict the new one. */
  gadget_registry_remove (registry, old);
  g_assert_true (gadget_registry_find (registry, "r") == new);
}

/* A stop of a chat stops its title too, and the turn's receipt says so. */
static void
test_registry_receipt (void)
{
  g_autoptr (GadgetRegistry) registry = gadget_registry_new ();
  g_autoptr (GadgetRun) title = gadget_run_new (GADGET_RUN_TITLE, NULL, "s", NULL, NULL, NULL);
  g_autoptr (GadgetRun) turn = gadget_run_new (GADGET_RUN_TURN, NULL, "s", "t", NULL, NULL);
  g_autoptr (GadgetRun) other = gadget_run_new (GADGET_RUN_TITLE, NULL, "o", NULL, NULL, NULL);
  GadgetReceipt *receipt = gadget_run_get_receipt (turn);
  g_autoptr (GadgetAbortAck) ack = NULL;
  guint connection, request;

  gadget_registry_add (registry, title);
  gadget_registry_add (registry, turn);
  gadget_registry_add (registry, other);
  connection =
      gadget_receipt_begin (gadget_run_get_receipt (title), GADGET_RECEIPT_CONNECTION, "A");
  request = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "B");
  gadget_receipt_begin (gadget_run_get_receipt (other), GADGET_RECEIPT_CONNECTION, "C");
  ack = gadget_registry_abort (registry, "s", NULL, GADGET_STOP_USER);
  g_assert_cmpuint (g_strv_length (ack->runs), ==, 2);
  gadget_receipt_end (gadget_run_get_receipt (title), connection, "closed", 0);
  gadget_receipt_end (receipt, request, "closed", 0);
  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, 2);
  g_assert_cmpstr (gadget_receipt_get_line (receipt, 0)->name, ==, "A");
  g_assert_cmpstr (gadget_receipt_get_line (receipt, 1)->name, ==, "B");
  g_assert_false (gadget_run_is_aborted (other));
}

static void
test_registry_abort (void)
{
  g_autoptr (GadgetRegistry) registry = gadget_registry_new ();
  g_autoptr (GadgetRun) a = gadget_run_new (GADGET_RUN_TURN, "a", "one", "t", NULL, NULL);
  g_autoptr (GadgetRun) b = gadget_run_new (GADGET_RUN_TITLE, "b", "one", NULL, NULL, NULL);
  g_autoptr (GadgetRun) c = gadget_run_new (GADGET_RUN_TURN, "c", "two", "t", NULL, NULL);
  g_autoptr (GadgetAbortAck) wrong = NULL;
  g_autoptr (GadgetAbortAck) session = NULL;
  g_autoptr (GadgetAbortAck) all = NULL;

  gadget_registry_add (registry, a);
  gadget_registry_add (registry, b);
  gadget_registry_add (registry, c);

  wrong = gadget_registry_abort (registry, "two", "a", GADGET_STOP_API);
  g_assert_false (wrong->aborted);
  g_assert_cmpstr (wrong->message, ==, GADGET_ABORT_NOTHING);
  g_assert_cmpuint (g_strv_length (wrong->runs), ==, 0);

  session = gadget_registry_abort (registry, "one", NULL, GADGET_STOP_API);
  g_assert_true (session->aborted);
  g_assert_cmpstr (session->message, ==, GADGET_ABORT_SIGNALED);
  g_assert_cmpstrv (session->runs, ((const char *const[]) { "a", "b", NULL }));
  g_assert_false (gadget_run_is_aborted (c));

  all = gadget_registry_abort_all (registry, GADGET_STOP_CLOSED);
  g_assert_true (all->aborted);
  g_assert_cmpint (gadget_run_get_stop_reason (a), ==, GADGET_STOP_API);
  g_assert_cmpint (gadget_run_get_stop_reason (c), ==, GADGET_STOP_CLOSED);
}

/* A turn that starts because another one was stopped is not hit by the same stop. */
static void
start_next_cb (GadgetRun *run, GadgetRegistry *registry)
{
  g_autoptr (GadgetRun) next = gadget_run_new (GADGET_RUN_TURN, "next", "s", "t2", NULL, NULL);

  gadget_registry_add (registry, next);
}

static void
test_registry_snapshot (void)
{
  g_autoptr (GadgetRegistry) registry = gadget_registry_new ();
  g_autoptr (GadgetRun) run = gadget_run_new (GADGET_RUN_TURN, "first", "s", "t1", NULL, NULL);
  g_autoptr (GadgetAbortAck) ack = NULL;

  g_signal_connect (run, "aborted", G_CALLBACK (start_next_cb), registry);
  gadget_registry_add (registry, run);
  ack = gadget_registry_abort (registry, "s", NULL, GADGET_STOP_USER);
  g_assert_cmpstrv (ack->runs, ((const char *const[]) { "first", NULL }));
  g_assert_false (gadget_run_is_aborted (gadget_registry_find (registry, "next")));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/run/states", test_states);
  g_test_add_func ("/engine/run/abort-repeated", test_abort_repeated);
  g_test_add_func ("/engine/run/children", test_children);
  g_test_add_func ("/engine/run/calls", test_calls);
  g_test_add_func ("/engine/run/finalize", test_finalize);
  g_test_add_func ("/engine/registry/A5-removal-by-identity", test_registry_identity);
  g_test_add_func ("/engine/registry/abort", test_registry_abort);
  g_test_add_func ("/engine/registry/title-in-receipt", test_registry_receipt);
  g_test_add_func ("/engine/registry/A6-names-taken-at-the-call", test_registry_snapshot);

  return g_test_run ();
}
