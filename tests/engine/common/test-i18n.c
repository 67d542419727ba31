/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

#include "common/gadget-i18n.h"
#include "session/gadget-call-summary.h"
#include "session/gadget-receipt.h"
#include "test-store.h"

/* Each case in a process of its own: gettext remembers what it has looked up. The locale is one
 * that the build makes, since gettext translates nothing in C.UTF-8. */
static void
in_subprocess (const char *language)
{
  g_autofree char *locales = g_test_build_filename (G_TEST_BUILT, "data", NULL);
  g_auto (GStrv) environment = g_get_environ ();

  environment = g_environ_setenv (environment, "LANGUAGE", language, TRUE);
  environment = g_environ_setenv (environment, "LC_ALL", "de_DE.UTF-8", TRUE);
  environment = g_environ_setenv (environment, "LOCPATH", locales, TRUE);
  g_test_trap_subprocess_with_envp (NULL, (const char *const *) environment, 20 * G_USEC_PER_SEC,
                                    G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
test_translated (void)
{
  if (!g_test_subprocess ())
    {
      in_subprocess ("de");
      return;
    }

  gadget_init_i18n ();
  /* From the desktop file's texts, which every translation has. */
  g_assert_cmpstr (_ ("New Chat"), ==, "Neuer Chat");
  g_assert_cmpstr (setlocale (LC_CTYPE, NULL), ==, "de_DE.UTF-8");
}

static void
test_unknown_language (void)
{
  if (!g_test_subprocess ())
    {
      in_subprocess ("tlh");
      return;
    }

  gadget_init_i18n ();
  g_assert_cmpstr (_ ("New Chat"), ==, "New Chat");
}

static void
assert_words (const char *json, const char *words)
{
  g_autoptr (GadgetCallSummary) summary = gadget_call_summary_from_json (json);
  g_autofree char *said = NULL;

  g_assert_nonnull (summary);
  said = gadget_call_summary_dup_text (summary);
  g_assert_cmpstr (said, ==, words);
}

/* They are stored without words. */
static void
test_call_summaries (void)
{
  if (!g_test_subprocess ())
    {
      in_subprocess ("de");
      return;
    }

  gadget_init_i18n ();
  assert_words ("{\"kind\":\"read-lines\",\"subject\":\"a\",\"numbers\":[2,0]}",
                "\u2068a\u2069 gelesen · 2 Zeilen");
  assert_words ("{\"kind\":\"edited\",\"subject\":\"a\",\"numbers\":[12,3]}",
                "\u2068a\u2069 bearbeitet · +12 −3");
  assert_words ("{\"kind\":\"exit-status\",\"subject\":\"make\",\"numbers\":[6040,2]}",
                "\u2068make\u2069 ausgeführt · fehlgeschlagen, Rückgabewert 2 · 6,0 s");
  assert_words ("{\"kind\":\"reading\",\"subject\":\"a\",\"outcome\":\"not-allowed\"}",
                "\u2068a\u2069 wird gelesen · nicht erlaubt");
  assert_words ("{\"kind\":\"ask-write\",\"subject\":\"a.c\"}", "a.c schreiben?");
  assert_words ("{\"kind\":\"limit-time\",\"subject\":\"\",\"numbers\":[600000,0]}",
                "Dieser Durchgang hat seine Grenze erreicht: 10 Minuten.");
  /* Words of earlier versions. */
  assert_words ("{\"kind\":\"text\",\"subject\":\"Read it\"}", "Read it");
  /* Not whole, and of a newer version. */
  assert_words ("{\"kind\":\"answered\",\"numbers\":[\"x\"],\"outcome\":7}", " · ");
  g_assert_null (gadget_call_summary_from_json ("{\"kind\":\"dreamed\",\"subject\":\"a\"}"));
  g_assert_null (gadget_call_summary_from_json ("[\"read\"]"));
  g_assert_null (gadget_call_summary_from_json ("Read it"));
}

static void
assert_receipt (const char *json, const char *name)
{
  g_autoptr (JsonNode) node = json_from_string (json, NULL);
  g_autoptr (GadgetReceipt) receipt = gadget_receipt_new_from_json (node);

  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, 1);
  g_assert_cmpstr (gadget_receipt_get_line (receipt, 0)->name, ==, name);
}

/* What was asked is said in the language of the reader; words of earlier versions are left as they
 * are, and so are those of a later one. */
static void
test_receipts (void)
{
  if (!g_test_subprocess ())
    {
      in_subprocess ("de");
      return;
    }

  gadget_init_i18n ();
  assert_receipt (
      "[{\"kind\":\"question\",\"name\":\"Run this command?\",\"outcome\":\"dismissed\","
      "\"summary\":{\"kind\":\"ask-command\",\"subject\":\"\"}}]",
      "Diesen Befehl ausführen?");
  assert_receipt ("[{\"kind\":\"question\",\"name\":\"Read this?\",\"outcome\":\"dismissed\"}]",
                  "Read this?");
  assert_receipt ("[{\"kind\":\"question\",\"name\":\"Dream?\",\"outcome\":\"dismissed\","
                  "\"summary\":{\"kind\":\"ask-dream\",\"subject\":\"\"}}]",
                  "Dream?");
}

/* In whatever language it was written. */
static void
test_notes (void)
{
  if (!g_test_subprocess ())
    {
      in_subprocess ("de");
      return;
    }

  g_autofree char *directory = test_dir_new ();
  GadgetStore *store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) stored = NULL;
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "go");
  g_autoptr (GadgetJournal) journal = NULL;
  static const char *const notes[] = { "This turn has reached its limit: 20 steps.", "As it was" };

  gadget_init_i18n ();
  store = test_store_open (directory);
  journal = gadget_journal_new (store, session, turn);
  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    {
      g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_NOTE);

      gadget_item_append_text (item, notes[i], -1);
      if (i == 0)
        gadget_item_take_call_summary (item, gadget_call_summary_new_with_numbers (
                                                 GADGET_CALL_SUMMARY_LIMIT_STEPS, "", 20, 0));
      gadget_turn_append (turn, item);
      gadget_item_set_status (item, GADGET_ITEM_FINISHED);
    }
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, NULL));
  g_clear_object (&journal);
  stored = test_store_load (store, "s");
  g_assert_cmpstr (
      gadget_item_get_text (gadget_turn_get_item (gadget_session_get_turn (stored, 0), 0)), ==,
      "Dieser Durchgang hat seine Grenze erreicht: 20 Schritte.");
  g_assert_cmpstr (
      gadget_item_get_text (gadget_turn_get_item (gadget_session_get_turn (stored, 0), 1)), ==,
      notes[1]);
  test_store_close (store);
  test_dir_free (g_steal_pointer (&directory));
}

#define OUTPUT_DIRECTORY "GADGET_TEST_OUTPUT_DIRECTORY"

static void
write_output (const char *directory)
{
  GadgetStore *store = test_store_open (directory);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "go");
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", "shell");
  g_autoptr (GadgetCallSummary) cut =
      gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_NOTE_NOT_SHOWN, "", 9800000, 0);
  g_autoptr (GadgetCallSummary) disarmed =
      gadget_call_summary_new (GADGET_CALL_SUMMARY_NOTE_DISARMED, ".git", NULL);

  gadget_turn_append (turn, item);
  gadget_item_append_text (item, "first\n", -1);
  gadget_item_append_note (item, cut);
  gadget_item_append_text (item, "\nä last\n", -1);
  gadget_item_append_note (item, disarmed);
  gadget_item_append_text (item, "\n", -1);
  g_assert_nonnull (strstr (gadget_item_get_text (item), "\n[9.8\u00a0MB not shown]\n"));
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_RAN, "make", NULL));
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, NULL));
  g_clear_object (&journal);
  test_store_close (store);
}

/* Notes in the output of a command: written by somebody who speaks English. */
static void
test_output (void)
{
  GadgetStore *store;
  g_autoptr (GadgetSession) stored = NULL;
  GadgetItem *item;

  if (!g_test_subprocess ())
    {
      g_autofree char *directory = test_dir_new ();

      write_output (directory);
      g_setenv (OUTPUT_DIRECTORY, directory, TRUE);
      in_subprocess ("de");
      test_dir_free (g_steal_pointer (&directory));
      return;
    }

  gadget_init_i18n ();
  store = test_store_open (g_getenv (OUTPUT_DIRECTORY));
  stored = test_store_load (store, "s");
  item = gadget_turn_get_item (gadget_session_get_turn (stored, 0), 0);
  g_assert_cmpstr (
      gadget_item_get_text (item), ==,
      "first\n[9,8\u00a0MB nicht gezeigt]\nä last\n[.git: Was die Versionsverwaltung außerhalb der "
      "Sandbox ausgeführt hätte, wurde unschädlich gemacht]\n");
  g_assert_cmpuint (gadget_item_get_n_notes (item), ==, 2);
  g_assert_cmpstr (gadget_item_get_summary (item), ==, "\u2068make\u2069 ausgeführt");
  test_store_close (store);
}

static void
test_call_summary_kinds (void)
{
  for (guint kind = 0; kind < GADGET_N_CALL_SUMMARIES; kind++)
    {
      g_autoptr (GadgetCallSummary) summary = gadget_call_summary_new_with_numbers (
          (GadgetCallSummaryKind) kind, "the \"subject\"", 61000, 11);
      g_autofree char *json = gadget_call_summary_to_json (summary);

      summary->outcome = GADGET_CALL_OUTCOME_FAILED;
      summary = gadget_call_summary_with_path (g_steal_pointer (&summary), "/a/na\xefve\nfile");

      g_autofree char *whole = gadget_call_summary_to_json (summary);
      g_autofree char *words = gadget_call_summary_dup_text (summary);
      g_autoptr (GadgetCallSummary) copy = gadget_call_summary_copy (summary);
      g_autoptr (GadgetCallSummary) read = gadget_call_summary_from_json (whole);
      g_autofree char *copied = gadget_call_summary_to_json (copy);

      g_assert_cmpstr (json, !=, whole);
      g_assert_cmpstr (copied, ==, whole);
      g_assert_cmpint (read->kind, ==, kind);
      g_assert_cmpstr (read->path, ==, "/a/na\xefve\nfile");
      assert_words (whole, words);
      g_assert_true (g_str_has_suffix (words, " · failed"));
      g_assert_cmpuint (g_utf8_strlen (words, -1), >, strlen (" · failed") - 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/engine/i18n/translated", test_translated);
  g_test_add_func ("/engine/i18n/unknown-language", test_unknown_language);
  g_test_add_func ("/engine/i18n/call-summaries", test_call_summaries);
  g_test_add_func ("/engine/i18n/receipts", test_receipts);
  g_test_add_func ("/engine/i18n/notes", test_notes);
  g_test_add_func ("/engine/i18n/output", test_output);
  g_test_add_func ("/engine/i18n/call-summary-kinds", test_call_summary_kinds);
  return g_test_run ();
}
