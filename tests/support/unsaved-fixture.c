/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "unsaved-fixture.h"

#include "session/gadget-attachment.h"
#include "test-faults.h"
#include "test-store.h"
#include "wait.h"

/* A picture that decoders take. */
static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\x08\x02\0\0\0";

GadgetUnsavedTurns *
unsaved_get (EngineFixture *fixture)
{
  return gadget_agent_get_unsaved (gadget_engine_get_agent (fixture->engine));
}

/* Starts a turn, and ends it when the disk has become full. */
GadgetTurn *
unsaved_make (EngineFixture *fixture, const char *prompt)
{
  GadgetTurn *turn = engine_fixture_start (fixture, prompt, "precious");
  const guint n_completed = fixture->n_completed;

  test_faults_set (TEST_FAULT_FULL);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == n_completed + 1);
  g_assert_false (gadget_turn_get_saved (turn));
  g_assert_cmpint (gadget_turn_get_save_problem (turn), ==, GADGET_SAVE_DISK_FULL);
  wait_until (gadget_unsaved_turns_get_path (unsaved_get (fixture), turn) != NULL);
  return turn;
}

char *
unsaved_dup_path (EngineFixture *fixture, GadgetTurn *turn)
{
  return g_strdup (gadget_unsaved_turns_get_path (unsaved_get (fixture), turn));
}

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GPtrArray) drafts = NULL;
  g_autoptr (GError) error = NULL;

  *(GPtrArray **) user_data = gadget_store_recover_finish (result, &drafts, &error);
  g_assert_no_error (error);
}

/* What was changed of a chat is nothing to tell of. */
static void
drop_changes (GPtrArray *recovered)
{
  for (guint i = recovered->len; i > 0; i--)
    {
      const GadgetRecoveredChat *one = g_ptr_array_index (recovered, i - 1);

      if (one->turn_id == NULL && !one->interrupted)
        g_ptr_array_remove_index (recovered, i - 1);
    }
}

GPtrArray *
unsaved_restore (EngineFixture *fixture)
{
  GPtrArray *recovered = NULL;

  gadget_store_recover_async (gadget_engine_get_store (fixture->engine), restored_cb, &recovered);
  wait_until (recovered != NULL);
  drop_changes (recovered);
  return recovered;
}

void
unsaved_assert_recovers (EngineFixture *fixture, guint n)
{
  g_autoptr (GPtrArray) recovered = unsaved_restore (fixture);

  g_assert_cmpuint (recovered->len, ==, n);
}

/* As a start after a crash: what the process had in memory is gone. */
void
unsaved_start_again (EngineFixture *fixture)
{
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  test_faults_set (TEST_FAULT_NONE);
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
}

void
unsaved_load (EngineFixture *fixture, GadgetSession *session)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_engine_load_async (fixture->engine, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_engine_load_finish (fixture->engine, result, NULL));
}

void
unsaved_recover (EngineFixture *fixture, guint n)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) recovered = NULL;

  gadget_engine_recover_async (fixture->engine, test_result_cb, &slot);
  result = test_take_result (&slot);
  recovered = gadget_engine_recover_finish (fixture->engine, result, NULL);
  g_assert_nonnull (recovered);
  drop_changes (recovered);
  g_assert_cmpuint (recovered->len, ==, n);
}

GadgetPicture *
unsaved_make_picture (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (png, sizeof png - 1);
  g_autoptr (GError) error = NULL;
  GadgetPicture *picture = gadget_picture_new ("p.png", bytes, &error);

  g_assert_no_error (error);
  return picture;
}

/* Whatever is stored of turns, but for numbers and times of writing. */
char *
unsaved_dump (const char *directory)
{
  static const char *const queries[] = {
    "SELECT id, title, workspace, provider, model, created_at, mode FROM session",
    "SELECT id, position, prompt, status, stop_reason, error_code, error_detail, provider, model,"
    " started_at, ended_at, input_tokens, output_tokens, usage_estimated, receipt, cost,"
    " attachments, removed_at, replaced_by FROM turn ORDER BY position",
    "SELECT position, kind, status, step, text, call_id, name, arguments, result, summary,"
    " started_at, ended_at, replay_source, replay, child, child_turn, attachments, call_summary"
    " FROM item ORDER BY position",
    "SELECT id, item, position, name, mime_type, width, height, hex (data) FROM picture",
    "SELECT id, kept, hex (data) FROM attachment",
    "SELECT id FROM run",
  };
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  GString *text = g_string_new (NULL);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      sqlite3_stmt *stmt = NULL;

      g_assert_cmpint (sqlite3_prepare_v2 (db, queries[i], -1, &stmt, NULL), ==, SQLITE_OK);
      while (sqlite3_step (stmt) == SQLITE_ROW)
        {
          for (int column = 0; column < sqlite3_column_count (stmt); column++)
            g_string_append_printf (text, "%s=%s\n", sqlite3_column_name (stmt, column),
                                    (const char *) sqlite3_column_text (stmt, column));
        }
      sqlite3_finalize (stmt);
    }
  sqlite3_close (db);
  return g_string_free_and_steal (text);
}
