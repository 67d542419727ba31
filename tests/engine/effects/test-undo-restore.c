/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What files have besides their content when they are restored; hard links; records of earlier
 * versions; folders that are locked; and links that somebody puts in the way. */

#include "config.h"

#include "effects/gadget-snapshot-service-private.h"
#include "effects/gadget-apply-state-file.h"
#include "full-disk.h"
#include "stop-at.h"
#include "undo-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define USER 4242 /* nobody's number */
#define N_RACES 150

static void
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

/* --- Attributes --------------------------------------------------------------------------------
 */

/* User 1234 may read, besides what mode 0740 says. */
static const guint8 access_list[] = {
  2,    0, 0, 0,                         /* version */
  1,    0, 7, 0, 0xff, 0xff, 0xff, 0xff, /* owner; a folder can be entered */
  2,    0, 4, 0, 0xd2, 0x04, 0,    0,    /* user 1234 */
  4,    0, 4, 0, 0xff, 0xff, 0xff, 0xff, /* group */
  0x10, 0, 4, 0, 0xff, 0xff, 0xff, 0xff, /* mask */
  0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, /* others */
};

/* A file that is there keeps its attributes, its access list and its owner. */
static void
test_attributes (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *path = undo_path (fixture, "a");
  g_autofree char *before = NULL;

  undo_put (fixture, "a", "before\n");
  if (setxattr (path, "user.note", "kept", 4, 0) < 0
      || setxattr (path, "system.posix_acl_access", access_list, sizeof access_list, 0) < 0)
    {
      g_test_skip ("this file system has no attributes");
      return;
    }
  if (geteuid () == 0)
    g_assert_cmpint (chown (path, USER, USER), ==, 0);
  before = undo_dump (fixture->workspace);
  g_assert_nonnull (strstr (before, "user.note=a2VwdA=="));
  undo_run (fixture, "echo turn > a");
  undo_wait_recorded (fixture);
  undo_and_compare (fixture, before);
}

/* What is gone comes back with content and mode, and with nothing that is not recorded. */
static void
test_deleted_attributes (UndoFixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "a", "folder/b", "folder" };

  undo_run_bare (fixture, "mkdir folder; echo 1 > a; echo 2 > folder/b; echo 3 > plain; "
                          "chmod 600 plain");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = undo_path (fixture, names[i]);

      if (setxattr (path, "user.note", names[i], strlen (names[i]), 0) < 0
          || setxattr (path, "system.posix_acl_access", access_list, sizeof access_list, 0) < 0)
        {
          g_test_skip ("this file system has no attributes");
          return;
        }
    }
  undo_run (fixture, data != NULL ? "mv folder aside; mv a folder" : "rm -r a folder plain");
  undo_wait_recorded (fixture);
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "a", "1\n");
  undo_assert_text (fixture, "folder/b", "2\n");
  undo_assert_text (fixture, "plain", "3\n");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = undo_path (fixture, names[i]);
      struct stat info;

      g_assert_cmpint (getxattr (path, "user.note", NULL, 0), <, 0);
      g_assert_cmpint (getxattr (path, "system.posix_acl_access", NULL, 0), <, 0);
      g_assert_cmpint (stat (path, &info), ==, 0);
      g_assert_cmpint (info.st_mode & 07777, ==, 0740);
    }
  undo_apply_all (fixture, TRUE);
  undo_assert_text (fixture, "a", NULL);
}

/* They alone are changed: that is not recorded, and stays. */
static void
test_changed_attributes (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *path = undo_path (fixture, "a");
  g_autofree char *after = NULL;
  g_autofree char *undone = NULL;
  g_autoptr (GadgetUndoList) found = NULL;
  gint64 id;

  undo_put (fixture, "a", "before\n");
  undo_put (fixture, "b", "before\n");
  if (setxattr (path, "user.note", "kept", 4, 0) < 0)
    {
      g_test_skip ("this file system has no attributes");
      return;
    }
  id = undo_begin (fixture, GADGET_EFFECT_COMMAND, "setfattr");
  g_assert_cmpint (setxattr (path, "user.note", "other", 5, 0), ==, 0);
  g_assert_cmpint (setxattr (path, "user.more", "more", 4, 0), ==, 0);
  gadget_effects_end (fixture->effects, id, "exit 0");
  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_DONE);
  g_assert_null (undo_find (found, "a"));
  after = undo_dump (fixture->workspace);
  undo_apply_all (fixture, FALSE);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, after);
}

static void
assert_file (UndoFixture *fixture, const char *name, mode_t mode, uid_t owner)
{
  g_autofree char *path = undo_path (fixture, name);
  struct stat info;

  g_assert_cmpint (lstat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, mode);
  g_assert_cmpint (info.st_uid, ==, owner);
}

/* Files of others that are gone come back as files of ours. None of them, and no file that is
 * written anew, lends the rights of its owner. */
static void
test_owner (UndoFixture *fixture, gconstpointer data)
{
  if (geteuid () != 0)
    {
      g_test_skip ("only root gives files away");
      return;
    }
  undo_run_bare (fixture, "mkdir folder; echo 1 > folder/a; ln -s a folder/link; echo 2 > b; "
                          "echo 3 > c; echo 4 > d; chown -hR 4242:4243 folder b c d; "
                          "chmod 2750 folder; chmod 4750 b; chmod 4750 c; chmod 4750 d");
  undo_run (fixture, "rm -r folder b; echo turn >> c; chmod 4700 c; chmod 700 d; chmod u+s d");
  undo_wait_recorded (fixture);
  undo_apply_all (fixture, FALSE);
  assert_file (fixture, "folder", 02750, 0);
  assert_file (fixture, "folder/link", 0777, 0);
  undo_assert_text (fixture, "folder/a", "1\n");
  undo_assert_text (fixture, "b", "2\n");
  assert_file (fixture, "b", 0750, 0);
  undo_assert_text (fixture, "c", "3\n");
  assert_file (fixture, "c", 0750, USER);
  /* The content stays, so what the file may do stays as well. */
  assert_file (fixture, "d", 04750, USER);
  undo_apply_all (fixture, TRUE);
  assert_file (fixture, "c", 0700, USER);
  assert_file (fixture, "d", 04700, USER);
}

/* --- An ordinary user --------------------------------------------------------------------------
 */

/* In a process of its own, as a user whom modes bind. */
static void
run_as_user (void (*function) (UndoFixture *))
{
  UndoFixture fixture = { 0 };
  char *directory = test_dir_new ();
  char *workspace = test_dir_new ();
  pid_t child;
  int status;

  if (geteuid () == 0)
    g_assert_true (chown (directory, USER, USER) == 0 && chown (workspace, USER, USER) == 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      if (geteuid () == 0)
        g_assert_true (setresgid (USER, USER, USER) == 0 && setresuid (USER, USER, USER) == 0);
      undo_set_up_in (&fixture, directory, workspace);
      function (&fixture);
      undo_tear_down (&fixture, NULL);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  test_dir_free (directory);
  test_dir_free (workspace);
}

static void
change_locked (UndoFixture *fixture)
{
  g_autofree char *before = NULL;

  undo_run_bare (fixture, "mkdir -p shut/deep sealed; echo 1 > shut/a; echo 2 > shut/deep/b;"
                          "echo 3 > sealed/c; echo 4 > read-only; echo 5 > secret;"
                          "chmod 444 read-only; chmod 555 shut/deep shut");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "chmod 700 shut shut/deep; echo turn > shut/a; rm shut/deep/b;"
                     "chmod 500 shut/deep shut; rm -r sealed; chmod 600 read-only;"
                     "echo turn > read-only; chmod 400 read-only; chmod 0 secret");
  undo_wait_recorded (fixture);
  undo_and_compare (fixture, before);
}

static void
test_locked (void)
{
  run_as_user (change_locked);
}

/* Nobody may go in afterwards, Gadget neither: what is below is not known, and that is said. What
 * is known of them is taken back. */
static void
change_shut (UndoFixture *fixture)
{
  g_autofree char *before = NULL;
  g_autofree char *undone = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  undo_run_bare (fixture, "mkdir -p shut/deep; echo 1 > shut/a; echo 2 > shut/deep/b;"
                          "chmod 755 shut/deep");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "chmod 0 shut/deep; chmod 0 shut");
  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_PARTLY);
  g_assert_cmpstr (found->skipped, ==, "shut");
  undo_apply_all (fixture, FALSE);
  undo_run_bare (fixture, "chmod 755 shut/deep");
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
}

static void
test_shut (void)
{
  run_as_user (change_shut);
}

/* What cannot be read cannot be kept; when it is gone that is said. */
static void
change_unreadable (UndoFixture *fixture)
{
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;

  undo_run_bare (fixture, "echo 1 > secret; chmod 0 secret; echo 2 > a");
  undo_run (fixture, "rm -f secret a");
  found = undo_list_recorded (fixture);
  g_assert_false (undo_find (found, "secret")->can_undo);
  g_assert_true (undo_find (found, "a")->can_undo);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->n_done, ==, 1);
  g_assert_cmpuint (report->problems->len, ==, 1);
  g_assert_true (g_str_has_prefix (report->problems->pdata[0], "secret: "));
}

static void
test_unreadable (void)
{
  run_as_user (change_unreadable);
}

/* --- Kinds of files ----------------------------------------------------------------------------
 */

/* A pipe goes as it came; one that was removed cannot be made again, which is said. */
static void
test_special (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autofree char *before = undo_dump (fixture->workspace);
  g_autofree char *undone = NULL;

  undo_run (fixture, "mkfifo pipe; ln -s pipe link");
  undo_wait_recorded (fixture);
  undo_apply_all (fixture, FALSE);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
  report = undo_apply (fixture, TRUE, NULL, GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->n_done, ==, 1);
  g_assert_cmpuint (report->problems->len, ==, 1);
}

/* --- Hard links --------------------------------------------------------------------------------
 */

/* Each name gets its content, mode and time back; they need not be one file any more. */
static void
test_hard_links (UndoFixture *fixture, gconstpointer data)
{
  static const char *const commands[] = {
    "rm a b",
    "rm a",
    "echo turn >> a",
    "echo turn > t; mv t a",
    "sed -i s/1/2/ a; chmod 600 b",
    "mv b sub/c; rm a",
    "ln a sub/c; echo turn >> sub/c",
    "cp a t; mv t a; mv b x",
    "rm a; ln other a; echo turn >> other",
    "rm a; ln other a; chmod 600 other",
    "chmod 600 a",
    "touch -d 2001-01-01 b",
  };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *before = NULL;

      g_test_message ("%s", commands[i]);
      undo_run_bare (fixture, "rm -rf ./*; mkdir sub; echo 1 > a; ln a b; echo 1 > other");
      before = undo_dump (fixture->workspace);
      undo_new_turn (fixture);
      undo_run (fixture, commands[i]);
      undo_wait_recorded (fixture);
      undo_and_compare (fixture, before);
    }
}

/* The turn touched one of them alone. */
static void
test_hard_links_edit (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;

  undo_run_bare (fixture, "mkdir sub; echo 1 > sub/a; ln sub/a b");
  before = undo_dump (fixture->workspace);
  undo_edit (fixture, "b", "turn\n");
  undo_wait_recorded (fixture);
  undo_and_compare (fixture, before);
}

/* Names outside of the folder, which the undo does not own: it writes nothing into the files there,
 * and changes neither their modes nor their times, whatever there is to restore in the folder. */
static void
test_hard_links_outside (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *outside = test_dir_new ();
  g_autofree char *links = g_strdup_printf ("for f in text mode time over; do echo $f > $f; ln $f "
                                            "'%s'/$f; done; echo other > '%s'/other; "
                                            "echo other > taken; chmod 640 taken",
                                            outside, outside);
  g_autofree char *command = g_strdup_printf (
      "echo turn >> text; chmod 600 mode; touch -d 2001-01-01 time; echo turn > t; mv t over; "
      "ln -f '%s'/other taken",
      outside);
  g_autofree char *before = NULL;
  g_autofree char *outside_before = NULL;
  g_autofree char *outside_after = NULL;
  g_autofree char *text = NULL;
  g_autofree char *path = g_build_filename (outside, "text", NULL);

  undo_run_bare (fixture, links);
  before = undo_dump (fixture->workspace);
  undo_run (fixture, command);
  undo_wait_recorded (fixture);
  outside_before = undo_dump (outside);
  undo_and_compare (fixture, before);
  outside_after = undo_dump (outside);
  undo_assert_same (outside_after, outside_before);
  /* It has what the command wrote through the other name. */
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "text\nturn\n");
  test_dir_free (g_steal_pointer (&outside));
}

/* The user went on with the file under its other name: that is a change of this one too. */
static void
test_hard_links_changed (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *outside = test_dir_new ();
  g_autofree char *link = g_strdup_printf ("echo 1 > a; ln a '%s/a'", outside);
  g_autofree char *user = g_strdup_printf ("echo user >> '%s/a'", outside);
  g_autoptr (GError) error = NULL;

  undo_run_bare (fixture, link);
  undo_run (fixture, "echo turn >> a");
  undo_wait_recorded (fixture);
  undo_run_bare (fixture, user);
  g_assert_null (undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error));
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED);
  undo_assert_text (fixture, "a", "1\nturn\nuser\n");
  test_dir_free (g_steal_pointer (&outside));
}

/* What is too large to be kept, and has other names: its mode stays, which is said. */
static void
test_hard_links_large (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoReport) report = NULL;

  undo_run_bare (fixture, "head -c 11000000 /dev/zero > large; chmod 640 large; ln large other");
  undo_run (fixture, "chmod 600 large; rm other");
  undo_wait_recorded (fixture);
  undo_run_bare (fixture, "ln large third");
  report = undo_apply (fixture, FALSE, "large", GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->n_done, ==, 0);
  g_assert_cmpuint (report->problems->len, ==, 1);
  g_assert_cmpstr (report->problems->pdata[0], ==,
                   "large: it has other names too, and its content is not kept");
  g_clear_pointer (&report, gadget_undo_report_free);
  undo_run_bare (fixture, "rm third");
  report = undo_apply (fixture, FALSE, "large", GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->n_done, ==, 1);
}

/* --- Earlier versions --------------------------------------------------------------------------
 */

static gboolean
make_old_rows (sqlite3 *db, gpointer data, GError **error)
{
  static const char update[] =
      "UPDATE change SET old_uid = 4242, old_gid = 4242, old_inode = 7, old_links = 2, "
      "old_attributes = randomblob (32), new_uid = 4243, new_gid = 4243, new_inode = 8, "
      "new_links = 3, new_attributes = x'', old_mode = old_mode | (old_type = 'file') * 3072; "
      "UPDATE effect SET ready_at = 1, over_at = 2";

  g_assert_cmpint (sqlite3_exec (db, update, NULL, NULL, NULL), ==, SQLITE_OK);
  return TRUE;
}

/* Rows of the ledger with all that earlier versions recorded. */
static void
test_old_rows (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  undo_run_bare (fixture, "mkdir sub; echo 1 > a; ln a sub/b; echo 3 > sub/c");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "echo turn >> a; rm sub/c; chmod 640 sub/b; echo turn > new");
  undo_wait_recorded (fixture);
  gadget_store_run_async (fixture->store, make_old_rows, NULL, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_run_finish (fixture->store, result, NULL));
  undo_and_compare (fixture, before);
}

/* An entry of a tree as earlier versions saved it. */
typedef struct
{
  gint64 mtime, ctime;
  guint64 ino, size;
  guint32 mode, name, flags, uid, gid, n_links;
  guint8 hash[32];
  guint8 attributes[32];
} OldEntry;

static void
append_old (GByteArray *old, const char **at)
{
  GadgetTreeEntry entry;
  OldEntry made;

  memcpy (&entry, *at, sizeof entry);
  *at += sizeof entry;
  /* What the file had besides, and the flags of it. */
  memset (&made, 0xaa, sizeof made);
  made.mtime = entry.mtime;
  made.ctime = entry.ctime;
  made.ino = entry.ino;
  made.size = entry.size;
  made.mode = entry.mode;
  made.name = entry.name;
  made.flags = entry.flags | (S_ISREG (entry.mode) ? 1 << 4 : 1 << 5);
  memcpy (made.hash, entry.hash.bytes, sizeof made.hash);
  g_byte_array_append (old, (const guint8 *) &made, sizeof made);
}

static void
append (GByteArray *old, const char **at, gsize length)
{
  g_byte_array_append (old, (const guint8 *) *at, (guint) length);
  *at += length;
}

static guint64
sum_up (const GByteArray *bytes)
{
  guint64 value = G_GUINT64_CONSTANT (14695981039346656037);
  guint i = 0;

  for (guint64 word; i + sizeof word <= bytes->len; i += sizeof word)
    {
      memcpy (&word, bytes->data + i, sizeof word);
      value = (value ^ word) * G_GUINT64_CONSTANT (1099511628211);
      value ^= value >> 29;
    }
  for (; i < bytes->len; i++)
    value = (value ^ bytes->data[i]) * G_GUINT64_CONSTANT (1099511628211);
  return value;
}

/* Replaces the saved tree by what an earlier version would have saved. */
static void
make_old_tree (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GByteArray) old = g_byte_array_new ();
  const guint32 size = sizeof (OldEntry);
  const char *at;
  guint32 n_folders;
  guint64 sum;
  gsize length;

  g_assert_cmpuint (sizeof (OldEntry), ==, 120);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  at = text;
  append (old, &at, 16);
  memcpy (&n_folders, text + 12, sizeof n_folders);
  memcpy (old->data + 8, &size, sizeof size);
  append_old (old, &at);
  for (guint32 i = 0; i < n_folders; i++)
    {
      guint32 path_length, n_entries;
      guint64 names_length;

      memcpy (&path_length, at, sizeof path_length);
      memcpy (&n_entries, at + 4, sizeof n_entries);
      memcpy (&names_length, at + 8, sizeof names_length);
      append (old, &at, 40);
      append (old, &at, path_length);
      for (guint32 j = 0; j < n_entries; j++)
        append_old (old, &at);
      append (old, &at, names_length);
    }
  g_assert_cmpuint ((gsize) (at - text), ==, length - sizeof sum);
  sum = sum_up (old);
  g_byte_array_append (old, (const guint8 *) &sum, sizeof sum);
  g_assert_true (g_file_set_contents (path, (const char *) old->data, old->len, NULL));
}

/* A saved tree of an earlier version tells all that the first command of this version changed. */
static void
test_old_tree (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, fixture->workspace, -1);
  g_autofree char *path = g_build_filename (fixture->directory, "trees", sum, NULL);
  g_autofree char *before = NULL;
  g_autoptr (GadgetTree) saved = NULL;
  g_autoptr (GadgetTree) tree = NULL;
  static const char *const names[] = { "", "a", "sub", "sub/b", "sub/link" };

  undo_run_bare (fixture, "mkdir sub; echo 1 > a; echo 2 > sub/b; ln -s b sub/link");
  undo_run (fixture, "true");
  undo_wait_recorded (fixture);
  undo_new_snapshot_service (fixture);
  saved = _gadget_tree_load (path);
  g_assert_nonnull (saved);
  make_old_tree (path);
  tree = _gadget_tree_load (path);
  g_assert_nonnull (tree);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const GadgetTreeEntry *old = _gadget_tree_find (saved, names[i]);
      const GadgetTreeEntry *now = _gadget_tree_find (tree, names[i]);

      g_assert_true (_gadget_entry_same_stat (old, now));
      g_assert_cmpmem (&old->hash, sizeof old->hash, &now->hash, sizeof now->hash);
      g_assert_cmpint (_gadget_entry_is_unkept (old), ==, _gadget_entry_is_unkept (now));
    }
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "echo turn >> a; rm -r sub");
  undo_wait_recorded (fixture);
  undo_and_compare (fixture, before);
}

/* --- A workspace behind a link -----------------------------------------------------------------
 */

static void
test_linked_workspace (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_strconcat (fixture->workspace, "-link", NULL);
  g_autofree char *real = g_strdup (fixture->workspace);
  g_autofree char *before = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  g_assert_cmpint (symlink (real, link), ==, 0);
  undo_run_bare (fixture, "mkdir sub; echo 1 > sub/a; echo 2 > b");
  before = undo_dump (real);
  g_free (fixture->workspace);
  /* As somebody may have typed it. */
  fixture->workspace = g_strconcat (link, "/sub/..//", NULL);
  undo_new_turn (fixture);
  g_free (fixture->workspace);
  fixture->workspace = g_strdup (link);
  undo_edit (fixture, "sub/a", "turn\n");
  undo_run (fixture, "echo turn >> sub/a; echo turn > new");
  g_free (fixture->workspace);
  fixture->workspace = g_strdup (real);
  undo_edit (fixture, "b", "turn\n");

  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_DONE);
  g_assert_nonnull (undo_find (found, "sub/a"));
  g_assert_false (undo_find (found, "sub/a")->interleaved);
  for (guint i = 0; i < found->entries->len; i++)
    g_assert_cmpstr (((GadgetUndoEntry *) found->entries->pdata[i])->root, ==, real);
  undo_and_compare (fixture, before);
  g_assert_cmpint (unlink (link), ==, 0);
}

/* --- Links in the way --------------------------------------------------------------------------
 */

typedef struct
{
  char *one;
  char *other;
  int stop;
  guint n;
} Swapping;

/* Two names, exchanged as fast as that goes. */
static gpointer
swap (gpointer data)
{
  Swapping *self = data;

  while (!g_atomic_int_get (&self->stop))
    if (renameat2 (AT_FDCWD, self->one, AT_FDCWD, self->other, RENAME_EXCHANGE) == 0)
      self->n++;
  return NULL;
}

/* While the first name is now what the turn changed, now a link that leads out of the workspace. */
static void
race (UndoFixture *fixture, const char *one, const char *other)
{
  Swapping swapping = { undo_path (fixture, one), undo_path (fixture, other), 0, 0 };
  GThread *thread = g_thread_new ("swap", swap, &swapping);
  guint n_done = 0;

  for (guint i = 0; i < N_RACES; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GadgetUndoReport) report =
          undo_apply (fixture, i % 2 == 1, NULL, GADGET_UNDO_OVERWRITE, &error);

      g_assert_no_error (error);
      n_done += report->n_done;
    }
  g_atomic_int_set (&swapping.stop, 1);
  g_thread_join (thread);
  g_test_message ("%u changes while it was exchanged %u times", n_done, swapping.n);
  g_assert_cmpuint (n_done, >, 0);
  g_assert_cmpuint (swapping.n, >, 0);
  g_free (swapping.one);
  g_free (swapping.other);
}

static void
test_race (UndoFixture *fixture, gconstpointer data)
{
  const char *which = data;
  g_autofree char *outside = test_dir_new ();
  g_autofree char *fill =
      g_strdup_printf ("mkdir '%s/deep'; for f in a gone deep/b; do echo outside > '%s'/$f; done;"
                       "chmod 640 '%s/a'; ln -s '%s' way; ln -s '%s/a' file",
                       outside, outside, outside, outside, outside);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  undo_run_bare (fixture,
                 "mkdir -p sub/deep; echo 1 > sub/a; echo 2 > sub/gone; echo 3 > sub/deep/b;"
                 "echo 4 > plain");
  undo_run_bare (fixture, fill);
  before = undo_dump (outside);
  undo_run (fixture,
            "echo turn > sub/a; rm sub/gone; echo turn > sub/deep/b; echo turn > sub/deep/n;"
            "chmod 400 sub; chmod 777 plain; touch -d 2001-01-01 plain");
  undo_wait_recorded (fixture);
  if (strcmp (which, "folder") == 0)
    race (fixture, "sub", "way");
  else
    race (fixture, "plain", "file");
  after = undo_dump (outside);
  undo_assert_same (after, before);
  test_dir_free (g_steal_pointer (&outside));
}

/* The folder above the workspace was replaced by a link since: nothing is touched behind it. */
static void
test_moved_workspace (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *aside = g_strconcat (fixture->workspace, "-aside", NULL);
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *after = NULL;
  g_autofree char *now = NULL;

  undo_put (fixture, "a", "before\n");
  undo_run (fixture, "echo turn > a");
  undo_wait_recorded (fixture);
  after = undo_dump (fixture->workspace);
  g_assert_cmpint (rename (fixture->workspace, aside), ==, 0);
  g_assert_cmpint (symlink (aside, fixture->workspace), ==, 0);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_OVERWRITE, &error);
  g_assert_null (report);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_MISSING);
  g_assert_cmpint (unlink (fixture->workspace), ==, 0);
  g_assert_cmpint (rename (aside, fixture->workspace), ==, 0);
  now = undo_dump (fixture->workspace);
  undo_assert_same (now, after);
}

/* A link that cannot be made says why. */
static void
test_link_too_long (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *target = g_strnfill (4096, 'x');
  g_autofd int folder = open (fixture->workspace, O_PATH | O_DIRECTORY | O_CLOEXEC);
  GadgetBlobs *blobs = _gadget_snapshot_service_get_blobs (fixture->service);
  g_autoptr (GError) error = NULL;
  GadgetFileState state = { .type = GADGET_FILE_LINK, .has_hash = TRUE };
  GadgetUndoEntry entry = { .path = (char *) "a" };
  struct stat info;
  GadgetHash hash;
  GadgetKept kept;

  g_assert_cmpint (folder, >=, 0);
  undo_put (fixture, "a", "there");
  g_assert_cmpint (fstatat (folder, "a", &info, 0), ==, 0);
  entry.inode = info.st_ino;
  entry.now.type = GADGET_FILE_REGULAR;
  g_assert_true (_gadget_blobs_keep_bytes (blobs, target, 4096, &hash, &kept, NULL));
  memcpy (state.hash, hash.bytes, sizeof state.hash);
  g_assert_false (_gadget_apply_state_put_link (blobs, folder, "a", &entry, &state, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FILENAME_TOO_LONG);
  undo_assert_text (fixture, "a", "there");
}

/* Files that are not in their places yet take up room beside those whose places they are to take.
 */
static void
test_full_disk (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;

  undo_run_bare (fixture, "for i in $(seq 60); do echo before > $i; done");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "for i in $(seq 60); do echo turn > $i; done");
  undo_wait_recorded (fixture);
  full_disk_set (20);
  undo_and_compare (fixture, before);
  full_disk_set (0);
}

/* With few descriptors the files go to the disk in several batches, and one folder after the other
 * is opened. The limit stays for the tests that follow, which do with it. */
static void
test_batches (UndoFixture *fixture, gconstpointer data)
{
  const struct rlimit limit = { 500, 500 };
  g_autofree char *before = NULL;

  undo_run_bare (fixture, "mkdir shared; for i in $(seq 350); do mkdir own-$i; "
                          "echo before > own-$i/file; echo before > shared/file-$i; done");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "for f in */f*; do echo turn > $f; done; rm own-1*/file shared/*3; "
                     "rmdir own-1*; echo new > shared/file-new");
  undo_wait_recorded (fixture);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  undo_and_compare (fixture, before);
}

static GadgetUndoReport *
apply_stoppable (UndoFixture *fixture, GCancellable *cancellable)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GadgetUndoReport *report;

  gadget_undo_apply_async (fixture->service, gadget_turn_get_id (fixture->turn), FALSE, NULL,
                           GADGET_UNDO_REFUSE, cancellable, test_result_cb, &slot);
  result = test_take_result (&slot);
  report = gadget_undo_apply_finish (result, NULL);
  g_assert_nonnull (report);
  return report;
}

/* Stopped before the third call of that kind: while files are removed, and while they are made. */
static void
test_stopped (UndoFixture *fixture, gconstpointer call)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autofree char *before = NULL;
  g_autofree char *undone = NULL;
  guint n;

  undo_run_bare (fixture, "for i in 1 2 3 4 5 6; do mkdir gone-$i; echo before > gone-$i/file; "
                          "echo before > file-$i; echo before > folder-$i; done");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "rm -r gone-*; for i in 1 2 3 4 5 6; do echo turn > file-$i; "
                     "echo turn > new-$i; rm folder-$i; mkdir folder-$i; "
                     "echo turn > folder-$i/file; done");
  undo_wait_recorded (fixture);
  stop_at_begin (call, 3, cancellable);
  report = apply_stoppable (fixture, cancellable);
  stop_at_end ();
  g_assert_true (g_cancellable_is_cancelled (cancellable));
  g_test_message ("%u done, %u left", report->n_done, report->n_left);
  g_assert_cmpuint (report->problems->len, ==, 0);
  g_assert_cmpuint (report->n_done, >, 0);
  g_assert_cmpuint (report->n_left, >, 0);
  /* Each file is the one or the other. What was removed for it is replaced all the same. */
  for (guint i = 1; i <= 6; i++)
    {
      g_autofree char *file = g_strdup_printf ("file-%u", i);
      g_autofree char *folder = g_strdup_printf ("folder-%u", i);
      g_autofree char *path = undo_path (fixture, folder);
      g_autofree char *file_path = undo_path (fixture, file);
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (file_path, &text, NULL, NULL));
      g_assert_true (g_str_equal (text, "before\n") || g_str_equal (text, "turn\n"));
      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  n = report->n_left;
  g_clear_pointer (&report, gadget_undo_report_free);
  /* The record agrees: the rest can be undone, and no more than that. */
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->n_done, >=, n);
  g_assert_cmpuint (report->n_left, ==, 0);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  /* Those that fork come first, before there is another thread. */
  g_test_add_func ("/engine/undo-restore/locked", test_locked);
  g_test_add_func ("/engine/undo-restore/shut", test_shut);
  g_test_add_func ("/engine/undo-restore/unreadable", test_unreadable);
  g_test_add ("/engine/undo-restore/stopped/removing", UndoFixture, "unlinkat", undo_set_up,
              test_stopped, undo_tear_down);
  g_test_add ("/engine/undo-restore/stopped/making", UndoFixture, "mkdirat", undo_set_up,
              test_stopped, undo_tear_down);
  undo_test_add ("-restore/attributes", test_attributes);
  undo_test_add ("-restore/deleted/attributes", test_deleted_attributes);
  g_test_add ("/engine/undo-restore/replaced/attributes", UndoFixture, "replaced", undo_set_up,
              test_deleted_attributes, undo_tear_down);
  undo_test_add ("-restore/changed/attributes", test_changed_attributes);
  undo_test_add ("-restore/owner", test_owner);
  undo_test_add ("-restore/hard-links", test_hard_links);
  undo_test_add ("-restore/hard-links/edit", test_hard_links_edit);
  undo_test_add ("-restore/hard-links/outside", test_hard_links_outside);
  undo_test_add ("-restore/hard-links/changed", test_hard_links_changed);
  undo_test_add ("-restore/hard-links/large", test_hard_links_large);
  undo_test_add ("-restore/old/rows", test_old_rows);
  undo_test_add ("-restore/old/tree", test_old_tree);
  undo_test_add ("-restore/special", test_special);
  undo_test_add ("-restore/link-too-long", test_link_too_long);
  undo_test_add ("-restore/linked-workspace", test_linked_workspace);
  undo_test_add ("-restore/moved-workspace", test_moved_workspace);
  g_test_add ("/engine/undo-restore/race/folder", UndoFixture, "folder", undo_set_up, test_race,
              undo_tear_down);
  g_test_add ("/engine/undo-restore/race/file", UndoFixture, "file", undo_set_up, test_race,
              undo_tear_down);
  undo_test_add ("-restore/full-disk", test_full_disk);
  undo_test_add ("-restore/batches", test_batches);

  return g_test_run ();
}
