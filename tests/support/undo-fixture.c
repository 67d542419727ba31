/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "undo-fixture.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

void
undo_new_turn (UndoFixture *fixture)
{
  g_autofree char *id = g_strdup_printf ("turn-%u", fixture->n_turns++);

  if (fixture->journal != NULL)
    test_journal_commit (fixture->journal, NULL);
  g_clear_object (&fixture->effects);
  g_clear_object (&fixture->journal);
  g_clear_object (&fixture->turn);
  fixture->turn = gadget_turn_new (id, "Do something");
  gadget_session_append (fixture->session, fixture->turn);
  fixture->journal = gadget_journal_new (fixture->store, fixture->session, fixture->turn);
  fixture->effects = gadget_effects_new (fixture->service, id, id, fixture->workspace);
}

static void
begin (UndoFixture *fixture)
{
  fixture->store = test_store_open (fixture->directory);
  fixture->session = gadget_session_new ("session");
  fixture->service = gadget_snapshot_service_new (fixture->store);
  undo_new_turn (fixture);
}

void
undo_set_up (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = test_dir_new ();

  fixture->directory = test_dir_new ();
  fixture->workspace = realpath (folder, NULL);
  begin (fixture);
}

void
undo_set_up_in (UndoFixture *fixture, const char *directory, const char *workspace)
{
  fixture->directory = g_strdup (directory);
  fixture->workspace = g_strdup (workspace);
  fixture->lent = TRUE;
  begin (fixture);
}

/* Its thread is done. */
static void
end_snapshot_service (UndoFixture *fixture)
{
  gpointer weak = fixture->service;

  g_clear_object (&fixture->effects);
  g_object_add_weak_pointer (G_OBJECT (weak), &weak);
  g_clear_object (&fixture->service);
  while (weak != NULL)
    g_main_context_iteration (NULL, TRUE);
}

void
undo_new_snapshot_service (UndoFixture *fixture)
{
  end_snapshot_service (fixture);
  fixture->service = gadget_snapshot_service_new (fixture->store);
  undo_new_turn (fixture);
}

void
undo_tear_down (UndoFixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (g_steal_pointer (&fixture->effects));
  end_snapshot_service (fixture);
  test_journal_commit (fixture->journal, NULL);
  g_assert_finalize_object (fixture->journal);
  test_store_close (fixture->store);
  g_object_unref (fixture->session);
  g_object_unref (fixture->turn);
  if (fixture->lent)
    {
      g_free (fixture->directory);
      g_free (fixture->workspace);
      return;
    }
  test_dir_free (fixture->directory);
  test_dir_free (fixture->workspace);
}

/* --- Effects -----------------------------------------------------------------------------------
 */

gint64
undo_begin (UndoFixture *fixture, GadgetEffectKind kind, const char *subject)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gint64 id;

  gadget_effects_begin_async (fixture->effects, "c1", kind, subject, NULL, NULL, test_result_cb,
                              &slot);
  result = test_take_result (&slot);
  id = gadget_effects_begin_finish (fixture->effects, result, &error);
  g_assert_no_error (error);
  return id;
}

void
undo_run_bare (UndoFixture *fixture, const char *command)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) process = NULL;

  g_subprocess_launcher_set_cwd (launcher, fixture->workspace);
  process = g_subprocess_launcher_spawn (launcher, NULL, "bash", "-c", command, NULL);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
}

void
undo_run (UndoFixture *fixture, const char *command)
{
  gint64 id = undo_begin (fixture, GADGET_EFFECT_COMMAND, command);

  undo_run_bare (fixture, command);
  gadget_effects_end (fixture->effects, id, "exit 0");
}

char *
undo_path (UndoFixture *fixture, const char *name)
{
  return g_build_filename (fixture->workspace, name, NULL);
}

void
undo_edit (UndoFixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = undo_path (fixture, name);
  g_autofree char *folder = g_path_get_dirname (path);
  gint64 id = undo_begin (fixture, GADGET_EFFECT_CHANGE, path);

  if (g_mkdir_with_parents (folder, 0755) == 0)
    g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0640, NULL);
  gadget_effects_end (fixture->effects, id, "done");
}

void
undo_put (UndoFixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = undo_path (fixture, name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

void
undo_assert_text (UndoFixture *fixture, const char *name, const char *expected)
{
  g_autofree char *path = undo_path (fixture, name);
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  g_assert_cmpstr (text, ==, expected);
}

/* --- Undoing -----------------------------------------------------------------------------------
 */

GadgetUndoList *
undo_list (UndoFixture *fixture, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetUndoList *found;

  gadget_undo_list_async (fixture->service, turn_id, test_result_cb, &slot);
  result = test_take_result (&slot);
  found = gadget_undo_list_finish (result, &error);
  g_assert_no_error (error);
  return found;
}

GadgetUndoList *
undo_list_recorded (UndoFixture *fixture)
{
  const char *id = gadget_turn_get_id (fixture->turn);
  GadgetUndoList *found = undo_list (fixture, id);

  while (found->recording == GADGET_RECORDING_PENDING)
    {
      gadget_undo_list_free (found);
      test_run_for (1);
      found = undo_list (fixture, id);
    }
  return found;
}

void
undo_wait_recorded (UndoFixture *fixture)
{
  gadget_undo_list_free (undo_list_recorded (fixture));
}

const GadgetUndoEntry *
undo_find (const GadgetUndoList *list, const char *name)
{
  for (guint i = 0; i < list->entries->len; i++)
    if (strcmp (((GadgetUndoEntry *) list->entries->pdata[i])->path, name) == 0)
      return list->entries->pdata[i];
  return NULL;
}

GadgetUndoReport *
undo_apply (UndoFixture *fixture, gboolean redo, const char *name, GadgetUndoPolicy policy,
            GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *path = name != NULL ? undo_path (fixture, name) : NULL;
  const char *const paths[] = { path, NULL };

  gadget_undo_apply_async (fixture->service, gadget_turn_get_id (fixture->turn), redo,
                           name != NULL ? paths : NULL, policy, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_undo_apply_finish (result, error);
}

void
undo_apply_all (UndoFixture *fixture, gboolean redo)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report =
      undo_apply (fixture, redo, NULL, GADGET_UNDO_REFUSE, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < report->problems->len; i++)
    g_test_message ("problem: %s", (char *) report->problems->pdata[i]);
  g_assert_cmpuint (report->problems->len, ==, 0);
  g_assert_cmpuint (report->n_skipped, ==, 0);
}

/* --- Trees -------------------------------------------------------------------------------------
 */

static GPtrArray *dump_lines;
static gsize dump_prefix;

static char *
describe_content (const char *path, const struct stat *info)
{
  g_autofree char *content = NULL;
  char target[4096] = "";
  gsize length = 0;

  if (S_ISLNK (info->st_mode))
    {
      g_assert_cmpint (readlink (path, target, sizeof target - 1), >, 0);
      return g_strdup (target);
    }
  if (!S_ISREG (info->st_mode))
    return g_strdup ("");
  if (!g_file_get_contents (path, &content, &length, NULL))
    return g_strdup_printf ("unreadable, %ld", (long) info->st_size);
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) content, length);
}

static char *
describe_attributes (const char *path)
{
  GString *text = g_string_new (NULL);
  char names[4096];
  const ssize_t length = llistxattr (path, names, sizeof names);

  for (const char *name = names; length > 0 && name < names + length; name += strlen (name) + 1)
    {
      char value[4096];
      const ssize_t size = lgetxattr (path, name, value, sizeof value);
      g_autofree char *base64 =
          size > 0 ? g_base64_encode ((const guchar *) value, (gsize) size) : g_strdup ("");

      g_string_append_printf (text, " %s=%s", name, base64);
    }
  return g_string_free (text, FALSE);
}

static int
dump_cb (const char *path, const struct stat *info, int type, struct FTW *where)
{
  g_autofree char *name = g_strescape (path + dump_prefix, NULL);
  g_autofree char *content = describe_content (path, info);
  g_autofree char *attributes = describe_attributes (path);

  g_ptr_array_add (dump_lines,
                   g_strdup_printf ("%s %o %u:%u %ld.%09ld %s%s", name, info->st_mode, info->st_uid,
                                    info->st_gid, (long) info->st_mtim.tv_sec,
                                    info->st_mtim.tv_nsec, content, attributes));
  return 0;
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char *
undo_dump (const char *workspace)
{
  dump_lines = g_ptr_array_new_with_free_func (g_free);
  dump_prefix = strlen (workspace);
  g_assert_cmpint (nftw (workspace, dump_cb, 16, FTW_PHYS), ==, 0);
  g_ptr_array_sort (dump_lines, compare_lines);
  g_ptr_array_add (dump_lines, NULL);

  char *text = g_strjoinv ("\n", (char **) dump_lines->pdata);

  g_ptr_array_unref (dump_lines);
  return text;
}

static void
show_missing (const char *what, char **lines, char **others)
{
  for (guint i = 0; lines[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *) others, lines[i]))
      g_test_message ("%s: %s", what, lines[i]);
}

void
undo_assert_same (const char *dump, const char *expected)
{
  g_auto (GStrv) is = NULL;
  g_auto (GStrv) was = NULL;

  if (strcmp (dump, expected) == 0)
    return;
  is = g_strsplit (dump, "\n", -1);
  was = g_strsplit (expected, "\n", -1);
  show_missing ("is", is, was);
  show_missing ("was", was, is);
  g_test_fail_printf ("the tree is not what it was");
  abort ();
}

void
undo_and_compare (UndoFixture *fixture, const char *before)
{
  g_autofree char *after = undo_dump (fixture->workspace);
  g_autofree char *undone = NULL;
  g_autofree char *redone = NULL;

  g_assert_cmpstr (after, !=, before);
  undo_apply_all (fixture, FALSE);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
  undo_apply_all (fixture, TRUE);
  redone = undo_dump (fixture->workspace);
  undo_assert_same (redone, after);
}

void
undo_gate_pass (gpointer data)
{
  UndoGate *gate = data;

  g_mutex_lock (&gate->lock);
  if (gate->armed)
    {
      gate->armed = FALSE;
      gate->waits = TRUE;
      while (!gate->go)
        g_cond_wait (&gate->changed, &gate->lock);
      gate->waits = gate->go = FALSE;
    }
  g_mutex_unlock (&gate->lock);
}

void
undo_gate_arm (UndoGate *gate)
{
  g_mutex_lock (&gate->lock);
  gate->armed = TRUE;
  g_mutex_unlock (&gate->lock);
}

gboolean
undo_gate_waits (gpointer data)
{
  UndoGate *gate = data;
  gboolean waits;

  g_mutex_lock (&gate->lock);
  waits = gate->waits;
  g_mutex_unlock (&gate->lock);
  return waits;
}

void
undo_gate_open (UndoGate *gate)
{
  g_mutex_lock (&gate->lock);
  gate->go = TRUE;
  g_cond_signal (&gate->changed);
  g_mutex_unlock (&gate->lock);
}
