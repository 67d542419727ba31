/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records that earlier versions have written are undone as well. */

#include "config.h"

#include "effects/gadget-snapshot-service-private.h"
#include "undo-fixture.h"

#include <string.h>
#include <sys/stat.h>

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

  undo_run_bare (fixture, "mkdir sub; echo 1 > a; ln a sub/b; echo 3 > sub/c");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "echo turn >> a; rm sub/c; chmod 640 sub/b; echo turn > new");
  undo_wait_recorded (fixture);
  test_store_run (fixture->store, make_old_rows, NULL);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  undo_test_add ("-restore/old/rows", test_old_rows);
  undo_test_add ("-restore/old/tree", test_old_tree);

  return g_test_run ();
}
