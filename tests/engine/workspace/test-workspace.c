/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a path may lead to: everything in the workspace and nothing else, however it is written and
 * whatever is swapped meanwhile. All of it is tested with the kernel's openat2 and with what stands
 * in for it. */

#include "config.h"

#include "test-store.h"
#include "workspace/gadget-folder.h"
#include "workspace/gadget-openat2.h"
#include "workspace/gadget-replace.h"
#include "workspace/gadget-workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct
{
  char *top; /* holds work and outside */
  char *root;
  int dir;
} Fixture;

static void
put (Fixture *fixture, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (fixture->top, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, text, -1, NULL));
}

static void
put_link (Fixture *fixture, const char *path, const char *target)
{
  g_autofree char *full = g_build_filename (fixture->top, path, NULL);

  g_assert_cmpint (symlink (target, full), ==, 0);
}

static void
put_special (Fixture *fixture)
{
  g_autofree char *fifo = g_build_filename (fixture->root, "fifo", NULL);
  g_autofree char *socket_path = g_build_filename (fixture->root, "socket", NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  g_autofd int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_strlcpy (address.sun_path, socket_path, sizeof address.sun_path);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer fallback)
{
  g_autofree char *absolute = NULL;

  fixture->top = test_dir_new ();
  fixture->root = g_build_filename (fixture->top, "chat", NULL);
  put (fixture, "chat/a.txt", "a");
  put (fixture, "chat/sub/b.txt", "b");
  put (fixture, "chat/sub/deep/c.txt", "c");
  put (fixture, "chat-outside/secret.txt", "secret");
  put_link (fixture, "chat/link-in", "sub/b.txt");
  put_link (fixture, "chat/folder-in", "sub/deep");
  put_link (fixture, "chat/sub/up", "../a.txt");
  put_link (fixture, "chat/sub/deep/chain", "../../link-in");
  put_link (fixture, "chat/folder-in-up", "sub/deep/../b.txt");
  put_link (fixture, "chat/out", "../chat-outside/secret.txt");
  put_link (fixture, "chat/out-folder", "../chat-outside");
  put_link (fixture, "chat/out-and-in", "../chat/a.txt");
  put_link (fixture, "chat/dangling", "nothing");
  put_link (fixture, "chat/dangling-folder", "no/such/folder");
  put_link (fixture, "chat/self", "self");
  put_link (fixture, "chat/root", "/proc/self/root");
  put_link (fixture, "chat/cwd", "/proc/self/cwd");
  absolute = g_build_filename (fixture->root, "a.txt", NULL);
  put_link (fixture, "chat/absolute", absolute);
  put_special (fixture);
  fixture->dir = open (fixture->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  _gadget_openat2_force_fallback (GPOINTER_TO_INT (fallback));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  _gadget_openat2_force_fallback (FALSE);
  close (fixture->dir);
  g_free (fixture->root);
  test_dir_free (fixture->top);
}

/* What is read there, or NULL. */
static char *
read_path (Fixture *fixture, const char *path, GError **error)
{
  g_autofree char *resolved = gadget_workspace_resolve (fixture->root, path);
  g_autofree char *real = NULL;
  g_autofd int fd = gadget_path_lookup_open_regular (fixture->root, resolved, &real, error);
  char text[100];
  ssize_t n;

  if (fd < 0)
    {
      g_assert_null (real);
      return NULL;
    }
  n = read (fd, text, sizeof text - 1);
  g_assert_cmpint (n, >=, 0);
  text[n] = '\0';
  return g_strdup (text);
}

static void
test_inside (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *text;
    const char *real;
  } cases[] = {
    { "a.txt", "a", "a.txt" },
    { "./sub/../a.txt", "a", "a.txt" },
    { "sub/b.txt", "b", "sub/b.txt" },
    { "link-in", "b", "sub/b.txt" },
    { "folder-in/c.txt", "c", "sub/deep/c.txt" },
    { "sub/up", "a", "a.txt" },
    { "sub/deep/chain", "b", "sub/b.txt" },
    { "folder-in/chain", "b", "sub/b.txt" },
    { "folder-in-up", "b", "sub/b.txt" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *resolved = gadget_workspace_resolve (fixture->root, cases[i].path);
      g_autofree char *real = g_build_filename (fixture->root, cases[i].real, NULL);
      g_autofree char *text = read_path (fixture, cases[i].path, &error);
      g_autoptr (GadgetPathLookup) lookup = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (text, ==, cases[i].text);
      lookup = gadget_path_lookup_find (fixture->root, resolved, TRUE, &error);
      g_assert_no_error (error);
      g_assert_true (lookup->exists);
      g_assert_cmpstr (lookup->path, ==, real);
    }
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path;
    int code;
  } cases[] = {
    { "out", G_IO_ERROR_PERMISSION_DENIED },
    { "out-folder/secret.txt", G_IO_ERROR_PERMISSION_DENIED },
    { "out-and-in", G_IO_ERROR_PERMISSION_DENIED },
    { "absolute", G_IO_ERROR_PERMISSION_DENIED },
    { "root/etc/passwd", G_IO_ERROR_PERMISSION_DENIED },
    { "cwd/a.txt", G_IO_ERROR_PERMISSION_DENIED },
    { "self", G_IO_ERROR_PERMISSION_DENIED },
    { "dangling", G_IO_ERROR_NOT_FOUND },
    { "dangling-folder/x", G_IO_ERROR_NOT_FOUND },
    { "nothing", G_IO_ERROR_NOT_FOUND },
    { "a.txt/x", G_IO_ERROR_NOT_DIRECTORY },
    { "sub", G_IO_ERROR_NOT_REGULAR_FILE },
    { ".", G_IO_ERROR_NOT_REGULAR_FILE },
    { "fifo", G_IO_ERROR_NOT_REGULAR_FILE },
    { "socket", G_IO_ERROR_NOT_REGULAR_FILE },
    { "/dev/null", G_IO_ERROR_NOT_REGULAR_FILE },
    { "/proc/self/environ", G_IO_ERROR_PERMISSION_DENIED },
    { "/proc/self/root/etc/passwd", G_IO_ERROR_PERMISSION_DENIED },
    { "/proc/cpuinfo", G_IO_ERROR_NOT_REGULAR_FILE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = read_path (fixture, cases[i].path, &error);

      g_test_message ("%s: %s", cases[i].path, error != NULL ? error->message : text);
      g_assert_null (text);
      g_assert_error (error, G_IO_ERROR, cases[i].code);
      if (g_str_has_prefix (cases[i].path, "dangling"))
        g_assert_nonnull (strstr (error->message, "leads to nothing"));
    }
}

/* By name it is outside, and may be read if the user allows just that path. */
static void
test_outside (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->root, "out", NULL);
  g_autofree char *folder_link = g_build_filename (fixture->root, "out-folder/secret.txt", NULL);
  g_autofree char *secret = g_build_filename (fixture->top, "chat-outside/secret.txt", NULL);
  const char *const linked[] = { link, folder_link };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = read_path (fixture, "../chat-outside/secret.txt", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "secret");
  g_assert_false (gadget_workspace_contains (fixture->root, secret));

  /* What was allowed is what is touched: a link there is named, not followed. */
  for (guint i = 0; i < G_N_ELEMENTS (linked); i++)
    {
      g_autoptr (GError) refusal = NULL;

      g_assert_cmpint (gadget_path_lookup_open_regular (NULL, linked[i], NULL, &refusal), <, 0);
      g_assert_error (refusal, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
      g_assert_nonnull (strstr (refusal->message, secret));
    }
}

static void
test_device (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "device", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (mknod (path, S_IFCHR | 0666, makedev (1, 5)) < 0)
    {
      g_test_skip ("only root makes devices");
      return;
    }
  text = read_path (fixture, "device", &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_assert_cmpint (_gadget_openat2_find (fixture->dir, "../chat-outside", TRUE), ==, -1);
  g_assert_cmpint (errno, ==, EXDEV);
}

static void
test_delicate (void)
{
  static const char *const delicate[] = { "/w/.git/hooks/pre-commit",
                                          "/w/.git",
                                          "/w/sub/.git/config",
                                          "/w/.GIT/config",
                                          "/w/git~1/config",
                                          "/v/a",
                                          "/w/docs/HEAD",
                                          "/w/commondir",
                                          "/w/lib.git/config",
                                          "/w/.hg/hgrc",
                                          "/w/sub/.jj/repo/config.toml",
                                          "/w/.sl/config",
                                          "/w/sub/_darcs/prefs/defaults",
                                          "/w/.bzr/branch/branch.conf" };
  static const char *const fine[] = {
    "/w/a",          "/w/.github/x", "/w/.gitignore",    "/w/git",
    "/w/src/header", "/w/HEAD/a",    "/w/docs/config.c", "/w/.gitmodules"
  };

  for (guint i = 0; i < G_N_ELEMENTS (delicate); i++)
    g_assert_true (gadget_workspace_is_protected ("/w", delicate[i]));
  for (guint i = 0; i < G_N_ELEMENTS (fine); i++)
    g_assert_false (gadget_workspace_is_protected ("/w", fine[i]));
}

/* --- Races ------------------------------------------------------------------------------------ */

typedef struct
{
  int dir;
  int stop;
  guint n_swaps;
} Swapper;

/* "turn" is now a folder of the workspace, now a link out of it. */
static gpointer
swap_in_thread (gpointer data)
{
  Swapper *swapper = data;

  while (!g_atomic_int_get (&swapper->stop))
    {
      g_assert_cmpint (renameat2 (swapper->dir, "turn", swapper->dir, "other", RENAME_EXCHANGE), ==,
                       0);
      swapper->n_swaps++;
    }
  return NULL;
}

static GThread *
start_swapping (Fixture *fixture, Swapper *swapper)
{
  put (fixture, "chat/turn/secret.txt", "mine");
  put_link (fixture, "chat/other", "../chat-outside");
  *swapper = (Swapper) { .dir = fixture->dir };
  return g_thread_new ("swap", swap_in_thread, swapper);
}

static void
stop_swapping (Swapper *swapper, GThread *thread)
{
  g_atomic_int_set (&swapper->stop, TRUE);
  g_thread_join (thread);
  g_test_message ("%u swaps", swapper->n_swaps);
}

static void
test_race_reading (Fixture *fixture, gconstpointer data)
{
  Swapper swapper;
  GThread *thread = start_swapping (fixture, &swapper);
  guint n_read = 0;
  guint n_refused = 0;

  for (guint i = 0; i < 2000 || n_read == 0 || n_refused == 0; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = read_path (fixture, "turn/secret.txt", &error);

      if (text != NULL)
        g_assert_cmpstr (text, ==, "mine");
      n_read += text != NULL;
      n_refused += text == NULL;
    }
  stop_swapping (&swapper, thread);
  g_test_message ("%u read, %u refused", n_read, n_refused);
}

static gboolean
write_path (Fixture *fixture, const char *path, const char *text, GError **error)
{
  g_autofree char *resolved = gadget_workspace_resolve (fixture->root, path);
  GadgetPathLookup *lookup = gadget_path_lookup_find (fixture->root, resolved, TRUE, error);
  g_autoptr (GadgetReplacement) replacement = NULL;
  GadgetFileVersion version = { 0 };

  if (lookup == NULL)
    return FALSE;
  if (lookup->exists)
    gadget_file_version_init (&version, &lookup->info);
  replacement = gadget_replacement_new (lookup, &version, TRUE, error);
  return replacement != NULL
         && gadget_replacement_write (replacement, text, strlen (text), NULL, error)
         && gadget_replacement_commit (replacement, NULL, NULL, error);
}

static void
test_race_writing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *outside = g_build_filename (fixture->top, "chat-outside", NULL);
  g_autofree char *secret = g_build_filename (outside, "secret.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GDir) dir = NULL;
  Swapper swapper;
  GThread *thread = start_swapping (fixture, &swapper);
  guint n_written = 0;

  for (guint i = 0; i < 2000 || n_written == 0; i++)
    n_written +=
        write_path (fixture, i % 2 == 0 ? "turn/secret.txt" : "turn/new/x/y.txt", "new", NULL);
  stop_swapping (&swapper, thread);
  g_test_message ("%u written", n_written);
  g_assert_true (g_file_get_contents (secret, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "secret");
  dir = g_dir_open (outside, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "secret.txt");
  g_assert_null (g_dir_read_name (dir));
}

/* --- Places ----------------------------------------------------------------------------------- */

static GadgetPathLookup *
find (Fixture *fixture, const char *path, gboolean follow, GError **error)
{
  g_autofree char *resolved = gadget_workspace_resolve (fixture->root, path);

  return gadget_path_lookup_find (fixture->root, resolved, follow, error);
}

static void
test_missing_folders (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetPathLookup) lookup = find (fixture, "folder-in/x/y/z.txt", TRUE, &error);
  g_autofree char *real = g_build_filename (fixture->root, "sub/deep/x/y/z.txt", NULL);
  g_autofree char *y = g_path_get_dirname (real);
  g_autofree char *x = g_path_get_dirname (y);

  g_assert_no_error (error);
  g_assert_false (lookup->exists);
  g_assert_cmpstr (lookup->path, ==, real);
  g_assert_cmpuint (g_strv_length (lookup->missing), ==, 2);
  g_assert_true (gadget_path_lookup_make_folders (lookup, &error));
  g_assert_true (g_file_test (y, G_FILE_TEST_IS_DIR));
  gadget_path_lookup_unmake_folders (lookup);
  g_assert_false (g_file_test (x, G_FILE_TEST_EXISTS));
}

static void
test_dangling (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "dangling", "dangling-folder/x" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (write_path (fixture, paths[i], "x", &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (error->message, "leads to nothing"));
    }
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "sub", "a.txt", "absolute", "cwd", "dangling" };
  g_autoptr (GError) error = NULL;
  g_autofd int fd = gadget_path_lookup_open_folder (fixture->root, fixture->root, NULL, &error);
  gboolean more = TRUE;
  g_autoptr (GPtrArray) all = gadget_folder_list (fd, 100, &more, NULL, &error);
  g_autoptr (GPtrArray) some = NULL;

  g_assert_no_error (error);
  g_assert_false (more);
  g_assert_cmpuint (all->len, ==, 16);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (((GadgetFolderEntry *) all->pdata[i])->name, ==, names[i]);
  g_assert_cmpstr (((GadgetFolderEntry *) all->pdata[4])->target, ==, "nothing");
  some = gadget_folder_list (fd, 3, &more, NULL, &error);
  g_assert_true (more);
  g_assert_cmpuint (some->len, ==, 3);
}

static void
add (const char *name, void (*function) (Fixture *, gconstpointer))
{
  g_autofree char *kernel = g_strdup_printf ("/engine/workspace/%s", name);
  g_autofree char *fallback = g_strdup_printf ("/engine/workspace/%s/without-openat2", name);

  g_test_add (kernel, Fixture, GINT_TO_POINTER (FALSE), set_up, function, tear_down);
  g_test_add (fallback, Fixture, GINT_TO_POINTER (TRUE), set_up, function, tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("inside", test_inside);
  add ("refused", test_refused);
  add ("outside", test_outside);
  add ("device", test_device);
  add ("race-reading", test_race_reading);
  add ("race-writing", test_race_writing);
  add ("missing-folders", test_missing_folders);
  add ("dangling", test_dangling);
  add ("list", test_list);
  g_test_add_func ("/engine/workspace/delicate", test_delicate);

  return g_test_run ();
}
