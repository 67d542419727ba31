/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What files have besides their content when they are restored: modes, owners, access lists and
 * extended attributes; and the names of a file that has several. */

#include "config.h"

#include "effects/gadget-snapshot-service-private.h"
#include "undo-fixture.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define USER 4242 /* nobody's number */

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

/* User 1234 may read and write, the group may not: mode 0660 has the mask in place of the group. */
static const guint8 masked_list[] = {
  2,    0, 0, 0,                         /* version */
  1,    0, 6, 0, 0xff, 0xff, 0xff, 0xff, /* owner */
  2,    0, 6, 0, 0xd2, 0x04, 0,    0,    /* user 1234 */
  4,    0, 0, 0, 0xff, 0xff, 0xff, 0xff, /* group */
  0x10, 0, 6, 0, 0xff, 0xff, 0xff, 0xff, /* mask */
  0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, /* others */
};

static void
assert_mode (const char *path, mode_t mode, gboolean has_list)
{
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, mode);
  g_assert_cmpint (getxattr (path, "system.posix_acl_access", NULL, 0) > 0, ==, has_list);
}

/* A file that has lost its list gives the group what the list gave it, and not the mask. */
static void
test_masked_group (UndoFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *commands[2];
    gboolean keeps_list;
  } rows[] = {
    { { "rm a" }, FALSE },
    { { "echo 2 > a", "rm a" }, FALSE },
    { { "echo 2 > b; mv b a" }, FALSE },
    { { "echo 2 > a" }, TRUE },
    { { "chmod 600 a" }, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name = g_strdup_printf ("row-%u", i);
      g_autofree char *path = g_strdup_printf ("%s/%s/a", fixture->workspace, name);
      g_autofree char *make = g_strdup_printf ("mkdir %s; echo 1 > %s/a", name, name);

      undo_run_bare (fixture, make);
      if (setxattr (path, "system.posix_acl_access", masked_list, sizeof masked_list, 0) < 0)
        {
          g_test_skip ("this file system has no access lists");
          return;
        }
      assert_mode (path, 0660, TRUE);
      for (guint j = 0; j < G_N_ELEMENTS (rows[i].commands) && rows[i].commands[j] != NULL; j++)
        {
          g_autofree char *command = g_strdup_printf ("cd %s; %s", name, rows[i].commands[j]);

          undo_run (fixture, command);
          undo_wait_recorded (fixture);
        }
    }
  /* Undo again, after a redo that knows the file by the mode that the first undo gave it. */
  for (guint times = 0; times < 2; times++)
    {
      undo_apply_all (fixture, FALSE);
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          g_autofree char *path = g_strdup_printf ("%s/row-%u/a", fixture->workspace, i);

          assert_mode (path, rows[i].keeps_list ? 0660 : 0600, rows[i].keeps_list);
        }
      undo_apply_all (fixture, TRUE);
      undo_assert_text (fixture, "row-0/a", NULL);
      undo_assert_text (fixture, "row-1/a", NULL);
      undo_assert_text (fixture, "row-2/a", "2\n");
      undo_assert_text (fixture, "row-3/a", "2\n");
    }
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  undo_test_add ("-restore/attributes", test_attributes);
  undo_test_add ("-restore/deleted/attributes", test_deleted_attributes);
  g_test_add ("/engine/undo-restore/replaced/attributes", UndoFixture, "replaced", undo_set_up,
              test_deleted_attributes, undo_tear_down);
  undo_test_add ("-restore/masked-group", test_masked_group);
  undo_test_add ("-restore/changed/attributes", test_changed_attributes);
  undo_test_add ("-restore/owner", test_owner);
  undo_test_add ("-restore/hard-links", test_hard_links);
  undo_test_add ("-restore/hard-links/edit", test_hard_links_edit);
  undo_test_add ("-restore/hard-links/outside", test_hard_links_outside);
  undo_test_add ("-restore/hard-links/changed", test_hard_links_changed);
  undo_test_add ("-restore/hard-links/large", test_hard_links_large);

  return g_test_run ();
}
