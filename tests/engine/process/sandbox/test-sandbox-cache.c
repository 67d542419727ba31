/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "process/sandbox/gadget-sandbox-cache.h"
#include "test-sandbox.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
set_cache (TestSandbox *self)
{
  char *folder = g_build_filename (self->home, ".cache", "gadget", "commands", NULL);

  gadget_sandbox_set_cache_dir (self->sandbox, folder);
  return folder;
}

static void
test_kept (TestSandbox *self, gconstpointer data)
{
  g_autofree char *folder = NULL;
  g_autofree char *other = NULL;

  if (self->sandbox == NULL)
    return;
  folder = set_cache (self);
  other = g_build_filename (self->home, "Projects", "other", NULL);
  test_sandbox_assert (self, self->workspace, "/tmp/cache /tmp/cache/cargo /tmp/cache/npm",
                       "echo kept > $XDG_CACHE_HOME/x; mkdir -p $CARGO_HOME; "
                       "echo $XDG_CACHE_HOME $CARGO_HOME $npm_config_cache");
  test_sandbox_assert (self, self->workspace, "kept", "cat /tmp/cache/x");
  test_sandbox_assert (self, other, "", "cat /tmp/cache/x 2>/dev/null");
  /* Nor are the others' in reach by their real names. */
  test_sandbox_assert (self, other, "", "ls -A ~/.cache $(dirname $PWD)/../.cache 2>/dev/null");
  /* Without a workspace there is nothing to keep it for. */
  test_sandbox_assert (self, NULL, "none", "echo ${XDG_CACHE_HOME:-none}");
}

/* (transfer full): the name that the one cache has. */
static char *
find_name (const char *folder)
{
  g_autoptr (GDir) caches = g_dir_open (folder, 0, NULL);
  g_autofree char *cache = g_build_filename (folder, g_dir_read_name (caches), NULL);
  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "files"))
      return g_build_filename (cache, name, NULL);
  g_assert_not_reached ();
}

/* What a command writes down of it leads nowhere when it has ended; but one that still runs keeps
 * it. */
static void
test_name (TestSandbox *self, gconstpointer data)
{
  g_autofree char *folder = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *same = NULL;
  g_autofree char *third = NULL;

  if (self->sandbox == NULL)
    return;
  folder = set_cache (self);
  test_sandbox_assert (self, self->workspace, "", "echo kept > /tmp/cache/x");
  first = find_name (folder);

  g_autoptr (TestProcess) process =
      test_process_start ("echo ready; sleep 100", self->workspace, self->sandbox, 20000);

  test_process_wait_output (process, "ready");
  second = find_name (folder);
  test_sandbox_assert (self, self->workspace, "kept", "cat /tmp/cache/x");
  same = find_name (folder);
  g_assert_cmpstr (second, ==, same);
  g_assert_cmpstr (second, ==, first);
  test_process_abort (process);
  test_process_wait (process);
  third = find_name (folder);
  g_assert_cmpstr (third, !=, second);
  test_sandbox_assert (self, self->workspace, "kept", "cat /tmp/cache/x");
}

/* The output of a command with a cache of its own. */
static char *
run_with_cache (TestSandbox *self, const char *cache, const char *workspace, const char *command)
{
  g_autoptr (TestProcess) process = test_process_start_with (
      command,
      (GadgetProcessSpec) { .workspace = workspace, .sandbox = self->sandbox, .cache = cache });

  test_process_wait (process);
  g_assert_no_error (process->error);
  return g_strchomp (g_strdup (process->output->str));
}

/* A server of tools keeps what it downloads, and meets nothing that a command, or another server,
 * has put where it keeps that. */
static void
test_of_server (TestSandbox *self, gconstpointer data)
{
  const char *show = "cat /tmp/cache/x 2>/dev/null";
  g_autofree char *folder = NULL;
  g_autofree char *written = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *elsewhere = NULL;
  g_autofree char *other = NULL;

  if (self->sandbox == NULL)
    return;
  folder = set_cache (self);
  test_sandbox_assert (self, self->workspace, "", "echo command > /tmp/cache/x");
  written = run_with_cache (self, "server one", self->workspace,
                            "cat /tmp/cache/x 2>/dev/null; echo one > /tmp/cache/x");
  g_assert_cmpstr (written, ==, "");
  kept = run_with_cache (self, "server one", self->workspace, show);
  g_assert_cmpstr (kept, ==, "one");
  elsewhere = run_with_cache (self, "server one", NULL, show);
  g_assert_cmpstr (elsewhere, ==, "one");
  other = run_with_cache (self, "server two", self->workspace, show);
  g_assert_cmpstr (other, ==, "");
  test_sandbox_assert (self, self->workspace, "command", show);
}

static void
test_cargo (TestSandbox *self, gconstpointer data)
{
  g_autofree char *folder = NULL;
  g_autoptr (GadgetSandboxTools) tools = NULL;

  if (self->sandbox == NULL)
    return;
  folder = set_cache (self);
  test_write_file (self->home, ".cargo/registry/cache/x.crate", "crate");
  test_write_file (self->home, "go/pkg/mod/cache/download/m/list", "v1");
  tools = gadget_sandbox_tools_find (self->home, NULL);
  gadget_sandbox_set_tools (self->sandbox, tools);
  test_sandbox_assert (self, self->workspace, "crate",
                       "cat $CARGO_HOME/registry/cache/x.crate; "
                       "touch $CARGO_HOME/registry/y 2>/dev/null && echo written; "
                       "touch $CARGO_HOME/.package-cache");
  test_sandbox_assert (self, self->workspace, "v1", "p=${GOPROXY%%,*}; cat ${p#file://}/m/list");
}

static void
cleaned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gssize *n_removed = user_data;

  *n_removed = gadget_sandbox_cache_clean_finish (result);
}

static gssize
clean_to (const char *folder, guint64 max_total)
{
  gssize n_removed = -1;

  gadget_sandbox_cache_clean_async (folder, max_total, cleaned_cb, &n_removed);
  while (n_removed < 0)
    g_main_context_iteration (NULL, TRUE);
  return n_removed;
}

static gssize
clean (const char *folder)
{
  return clean_to (folder, GADGET_SANDBOX_CACHE_MAX_TOTAL);
}

static void
make_old (const char *folder, const char *files, int days)
{
  g_autofree char *parent = g_path_get_dirname (files);
  g_autofree char *note = g_build_filename (parent, "workspace", NULL);
  const gint64 then = g_get_real_time () / G_USEC_PER_SEC - (gint64) days * 24 * 60 * 60;
  const struct timespec times[] = { { .tv_sec = then }, { .tv_sec = then } };

  g_assert_cmpint (utimensat (AT_FDCWD, note, times, 0), ==, 0);
}

static void
test_cleaned (TestSandbox *self, gconstpointer data)
{
  g_autofree char *folder = NULL;
  g_autofree char *old = NULL;
  g_autofree char *young = NULL;
  g_autofree char *link = NULL;
  g_autofree char *key = NULL;
  g_autofree char *sealed = NULL;

  if (self->sandbox == NULL)
    return;
  folder = g_build_filename (self->home, ".cache", "gadget", "commands", NULL);
  g_assert_cmpint (clean (folder), ==, 0);
  old = gadget_sandbox_cache_prepare (folder, "/one");
  young = gadget_sandbox_cache_prepare (folder, "/two");
  g_assert_cmpstr (old, !=, young);
  test_write_file (old, "go/pkg/file", "x");
  sealed = g_build_filename (old, "go/pkg", NULL);
  g_assert_cmpint (g_chmod (sealed, 0500), ==, 0);
  /* What it points to stays. */
  link = g_build_filename (old, "link", NULL);
  key = g_build_filename (self->home, ".ssh", NULL);
  g_assert_cmpint (symlink (key, link), ==, 0);
  make_old (folder, old, 31);
  make_old (folder, young, 29);
  g_assert_cmpint (clean (folder), ==, 1);
  g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (young, G_FILE_TEST_EXISTS));

  g_autofree char *id = g_build_filename (key, "id", NULL);

  g_assert_true (g_file_test (id, G_FILE_TEST_EXISTS));
  /* To use one makes it young again. */
  make_old (folder, young, 31);
  g_free (gadget_sandbox_cache_prepare (folder, "/two"));
  g_assert_cmpint (clean (folder), ==, 0);
}

/* What was not used for longest goes until the rest has room; what is in use stays. */
static void
test_bounded (TestSandbox *self, gconstpointer data)
{
  static const char *const workspaces[] = { "/one", "/two", "/three", "/four" };
  g_autofree char *folder = g_build_filename (self->home, ".cache", "gadget", "commands", NULL);
  g_autofree char *big = g_strnfill (300000, 'x');
  char *caches[G_N_ELEMENTS (workspaces)];
  g_autofree char *link = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (workspaces); i++)
    {
      caches[i] = gadget_sandbox_cache_prepare (folder, workspaces[i]);
      test_write_file (caches[i], "deep/file", big);
      make_old (folder, caches[i], 20 - (int) i);
    }
  /* What a link leads to is not counted. */
  link = g_build_filename (caches[3], "link", NULL);
  g_assert_cmpint (symlink ("/usr", link), ==, 0);
  g_assert_cmpint (clean_to (folder, 1500000), ==, 0);
  g_assert_cmpint (clean_to (folder, 700000), ==, 2);
  g_assert_false (g_file_test (caches[0], G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (caches[1], G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (caches[2], G_FILE_TEST_EXISTS));

  g_free (gadget_sandbox_cache_prepare (folder, "/four"));
  g_assert_cmpint (clean_to (folder, 1000), ==, 1);
  g_assert_true (g_file_test (caches[3], G_FILE_TEST_EXISTS));
  make_old (folder, caches[3], 1);
  g_assert_cmpint (clean_to (folder, 1000), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (caches); i++)
    g_free (caches[i]);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-cache/" path, TestSandbox, NULL, test_sandbox_set_up, function,     \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("kept", test_kept);
  ADD ("name", test_name);
  ADD ("of-server", test_of_server);
  ADD ("cargo", test_cargo);
  ADD ("cleaned", test_cleaned);
  ADD ("bounded", test_bounded);
  return test_sandbox_finish ();
}
