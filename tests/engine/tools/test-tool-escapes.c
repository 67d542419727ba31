/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A model that wants a file outside of its folder, and tries every tool with every name by which it
 * could be had. What has such a name is asked of the user, under its real name, or refused. */

#include "config.h"

#include "test-process.h"
#include "test-store.h"
#include "wait.h"
#include "tools/files/gadget-tool-edit-file.h"
#include "tools/search/gadget-tool-find-files.h"
#include "tools/files/gadget-tool-list-dir.h"
#include "tools/files/gadget-tool-read-file.h"
#include "tools/search/gadget-tool-search.h"
#include "tools/files/gadget-tool-write-file.h"
#include "workspace/gadget-workspace.h"

#include <fcntl.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SECRET "secret-7391"

typedef struct
{
  char *top;
  char *workspace;
  GadgetVersionsRead *versions;
  GadgetTool *tools[6];
  GSocketListener *listener;
  GadgetRipgrep *ripgrep;
} Fixture;

static const struct
{
  const char *tool;
  const char *arguments; /* PATH is where the trick goes */
} calls[] = {
  { "read_file", "{\"path\":\"PATH\"}" },
  { "write_file", "{\"path\":\"PATH\",\"content\":\"evil\"}" },
  { "edit_file",
    "{\"path\":\"PATH\",\"edits\":[{\"old_text\":\"" SECRET "\",\"new_text\":\"evil\"}]}" },
  { "list_dir", "{\"path\":\"PATH\"}" },
  { "find_files", "{\"pattern\":\"**\",\"path\":\"PATH\",\"include_ignored\":true}" },
  { "search", "{\"pattern\":\"7391\",\"path\":\"PATH\",\"include_ignored\":true}" },
};

static char *
dup_path (Fixture *fixture, const char *path)
{
  return g_build_filename (fixture->workspace, path, NULL);
}

static void
put (Fixture *fixture, const char *path, const char *text)
{
  g_autofree char *full = dup_path (fixture, path);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, text, -1, NULL));
}

static void
put_link (Fixture *fixture, const char *path, const char *target)
{
  g_autofree char *full = dup_path (fixture, path);

  g_assert_cmpint (symlink (target, full), ==, 0);
}

static void
put_special (Fixture *fixture)
{
  g_autofree char *secret = g_build_filename (fixture->top, "outside", "secret.txt", NULL);
  g_autofree char *fifo = dup_path (fixture, "fifo");
  g_autofree char *device = dup_path (fixture, "device");
  g_autofree char *hard = dup_path (fixture, "hard");
  g_autofree char *name = dup_path (fixture, "socket");
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (name);

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (link (secret, hard), ==, 0);
  if (mknod (device, S_IFCHR | 0666, makedev (1, 5)) < 0)
    g_test_message ("only root makes devices: not tried");
  fixture->listener = g_socket_listener_new ();
  g_assert_true (g_socket_listener_add_address (fixture->listener, address, G_SOCKET_TYPE_STREAM,
                                                G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *secret = NULL;

  fixture->top = test_dir_new ();
  fixture->workspace = g_build_filename (fixture->top, "chat", NULL);
  fixture->versions = gadget_versions_read_new ();
  fixture->ripgrep = gadget_ripgrep_new ();
  fixture->tools[0] = gadget_tool_read_file_new ();
  fixture->tools[1] = gadget_tool_write_file_new ();
  fixture->tools[2] = gadget_tool_edit_file_new ();
  fixture->tools[3] = gadget_tool_list_dir_new ();
  fixture->tools[4] = gadget_tool_find_files_new (fixture->ripgrep);
  fixture->tools[5] = gadget_tool_search_new (fixture->ripgrep);
  put (fixture, "sub/mine.txt", "mine");
  put (fixture, "../outside/secret.txt", SECRET);
  secret = g_build_filename (fixture->top, "outside", "secret.txt", NULL);
  put_link (fixture, "link", "../outside/secret.txt");
  put_link (fixture, "link-folder", "../outside");
  put_link (fixture, "absolute", secret);
  put_link (fixture, "chain", "link");
  put_link (fixture, "sub/up", "../..");
  put_link (fixture, "root", "/proc/self/root");
  put_link (fixture, "cwd", "/proc/self/cwd");
  put_link (fixture, "fds", "/proc/self/fd");
  put_link (fixture, "loop", "loop");
  put_link (fixture, "dangling", "../outside/new");
  put_special (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixture->tools); i++)
    g_object_unref (fixture->tools[i]);
  g_object_unref (fixture->ripgrep);
  g_object_unref (fixture->listener);
  gadget_versions_read_unref (fixture->versions);
  g_free (fixture->workspace);
  test_dir_free (fixture->top);
}

/* --- One attempt -------------------------------------------------------------------------------
 */

typedef struct
{
  gboolean done;
  GadgetToolResult *result;
  GError *error;
} Call;

static void
call_clear (Call *call)
{
  g_clear_pointer (&call->result, gadget_tool_result_free);
  g_clear_error (&call->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Call, call_clear)

static void
executed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;

  call->result = gadget_tool_execute_finish (GADGET_TOOL (source), result, &call->error);
  call->done = TRUE;
}

/* FALSE when the user is asked before, for what is outside, under its real name. */
static gboolean
attempt (Fixture *fixture, guint tool, const char *path, Call *call)
{
  g_auto (GStrv) parts = g_strsplit (calls[tool].arguments, "PATH", -1);
  g_autofree char *arguments = g_strjoinv (path, parts);
  g_autoptr (JsonNode) node = json_from_string (arguments, NULL);
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", calls[tool].tool);
  const GadgetToolContext context = { .workspace = fixture->workspace,
                                      .item = item,
                                      .versions = fixture->versions };
  g_autoptr (GadgetPrompt) prompt =
      gadget_tool_permission (fixture->tools[tool], json_node_get_object (node), &context);
  const GadgetAccess *access = prompt != NULL ? gadget_prompt_get_access (prompt, 0) : NULL;

  g_assert_cmpstr (gadget_tool_get_name (fixture->tools[tool]), ==, calls[tool].tool);
  if (access != NULL && !access->confined)
    {
      g_assert_true (g_path_is_absolute (access->subject));
      g_assert_null (strstr (access->subject, "/../"));
      g_assert_false (gadget_workspace_contains (fixture->workspace, access->subject));
      return FALSE;
    }
  gadget_tool_execute_async (fixture->tools[tool], json_node_get_object (node), &context, NULL,
                             executed_cb, call);
  wait_until (call->done);
  return TRUE;
}

static void
assert_outside_untouched (Fixture *fixture)
{
  g_autofree char *outside = g_build_filename (fixture->top, "outside", NULL);
  g_autofree char *secret = g_build_filename (outside, "secret.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GDir) dir = g_dir_open (outside, 0, NULL);

  g_assert_true (g_file_get_contents (secret, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, SECRET);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "secret.txt");
  g_assert_null (g_dir_read_name (dir));
}

/* --- Names -------------------------------------------------------------------------------------
 */

static void
assert_attempts (Fixture *fixture, const char *path, gboolean asks)
{
  g_auto (GStrv) parts = g_strsplit (path, "TOP", -1);
  g_autofree char *name = g_strjoinv (fixture->top, parts);

  for (guint tool = 0; tool < G_N_ELEMENTS (calls); tool++)
    {
      g_auto (Call) call = { 0 };

      g_test_message ("%s %s", calls[tool].tool, name);
      g_assert_cmpint (attempt (fixture, tool, name, &call), ==, !asks);
      if (!asks)
        g_assert_nonnull (call.error);
      assert_outside_untouched (fixture);
    }
}

/* Plainly outside, however it is spelt: the user is asked. */
static void
test_asked (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "../outside/secret.txt",
                                       "sub/../../outside/secret.txt",
                                       ".//..//outside/./secret.txt",
                                       "sub/../link/../../outside/secret.txt",
                                       "TOP/outside/secret.txt",
                                       "//TOP/outside/secret.txt",
                                       "TOP/chat/../outside/secret.txt",
                                       "../outside",
                                       "TOP/outside",
                                       "..",
                                       "/",
                                       "/proc/self/environ",
                                       "/proc/self/root/etc/passwd",
                                       "/proc/self/rootTOP/outside/secret.txt",
                                       "/proc/self/cwd",
                                       "/dev/zero",
                                       "/dev/fd/0",
                                       "TOP/chatter" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    assert_attempts (fixture, paths[i], TRUE);
}

/* Inside by its name, and outside or nothing to be read or written by what it is. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "link",
                                       "link-folder",
                                       "link-folder/secret.txt",
                                       "link-folder/new.txt",
                                       "link-folder/new/deep.txt",
                                       "absolute",
                                       "chain",
                                       "sub/up/outside/secret.txt",
                                       "root",
                                       "rootTOP/outside/secret.txt",
                                       "root/etc/passwd",
                                       "cwd/new.txt",
                                       "fds/0",
                                       "fds/1",
                                       "loop",
                                       "loop/x",
                                       "dangling",
                                       "fifo",
                                       "fifo/x",
                                       "socket",
                                       "TOP/chat/link",
                                       "TOP/chat/link-folder/secret.txt" };
  g_autofree char *device = dup_path (fixture, "device");

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    assert_attempts (fixture, paths[i], FALSE);
  if (g_file_test (device, G_FILE_TEST_EXISTS))
    assert_attempts (fixture, "device", FALSE);
}

/* No shell is there to expand them: they name files that are not there, in the folder. */
static void
test_literal (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "~/x", "$HOME/x", "%2e%2e/outside/secret.txt",
                                       "file:///etc/passwd", "..\\\\outside\\\\secret.txt" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_auto (Call) read = { 0 };
      g_auto (Call) search = { 0 };

      g_assert_true (attempt (fixture, 0, paths[i], &read));
      g_assert_error (read.error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
      g_assert_true (attempt (fixture, 5, paths[i], &search));
      g_assert_nonnull (search.error);
    }
}

/* Another name of a file that lies outside: what is written here is a file of its own. */
static void
test_hard_link (Fixture *fixture, gconstpointer data)
{
  for (guint tool = 1; tool <= 2; tool++)
    {
      g_auto (Call) read = { 0 };
      g_auto (Call) write = { 0 };
      g_autofree char *hard = dup_path (fixture, "hard");
      g_autofree char *secret = g_build_filename (fixture->top, "outside", "secret.txt", NULL);
      g_autofree char *text = NULL;

      g_unlink (hard);
      g_assert_cmpint (link (secret, hard), ==, 0);
      g_assert_true (attempt (fixture, 0, "hard", &read));
      g_assert_no_error (read.error);
      g_assert_true (attempt (fixture, tool, "hard", &write));
      g_assert_no_error (write.error);
      g_assert_nonnull (strstr (write.result->text, "The file had 1 other name (hard links)"));
      g_assert_true (g_file_get_contents (hard, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, "evil");
      assert_outside_untouched (fixture);
    }
}

/* --- Races -------------------------------------------------------------------------------------
 */

typedef struct
{
  int dir;
  int stop;
} Swapper;

/* "turn" is now a folder here, now a link to one outside. */
static gpointer
swap_in_thread (gpointer data)
{
  Swapper *swapper = data;

  while (!g_atomic_int_get (&swapper->stop))
    g_assert_cmpint (renameat2 (swapper->dir, "turn", swapper->dir, "other", RENAME_EXCHANGE), ==,
                     0);
  return NULL;
}

/* Every tool, on what changes under its hands. ripgrep would follow a link that is named to it, so
 * the sandbox is what keeps it in. */
static void
test_race (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = {
    "turn/secret.txt", "turn/secret.txt", "turn/secret.txt", "turn", "turn", "turn"
  };
  Swapper swapper = { .dir = -1 };
  g_autoptr (GadgetSandbox) sandbox = test_get_sandbox ();
  GThread *thread;
  guint n_done[G_N_ELEMENTS (calls)] = { 0 };
  gboolean all = FALSE;

  if (sandbox == NULL)
    return;
  gadget_ripgrep_set_sandbox (fixture->ripgrep, sandbox);
  swapper.dir = open (fixture->workspace, O_PATH | O_DIRECTORY | O_CLOEXEC);
  put (fixture, "turn/secret.txt", "mine-7391");
  put (fixture, "turn/own.txt", "mine");
  put_link (fixture, "other", "../outside");
  thread = g_thread_new ("swap", swap_in_thread, &swapper);
  for (guint i = 0; i < 1200 || !all; i++)
    {
      /* The last two start a program each time, so they have fewer attempts. */
      const guint tool = i < 300 || !all ? i % G_N_ELEMENTS (calls) : i % 4;
      g_auto (Call) call = { 0 };

      g_assert_true (attempt (fixture, tool, paths[tool], &call));
      n_done[tool] += call.result != NULL;
      if (call.result != NULL)
        g_assert_null (strstr (call.result->text, SECRET));
      /* Of the folder outside there is no list either: it has no such file. */
      if (call.result != NULL && (tool == 3 || tool == 4))
        g_assert_true (strstr (call.result->text, "own.txt") != NULL
                       || g_str_has_prefix (call.result->text, "[No file fits."));
      all = n_done[0] > 0 && n_done[3] > 0 && n_done[4] > 0 && n_done[5] > 0;
    }
  g_atomic_int_set (&swapper.stop, TRUE);
  g_thread_join (thread);
  close (swapper.dir);
  for (guint tool = 0; tool < G_N_ELEMENTS (calls); tool++)
    g_test_message ("%s: %u done", calls[tool].tool, n_done[tool]);
  assert_outside_untouched (fixture);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/tool-escapes/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("asked", test_asked);
  ADD ("refused", test_refused);
  ADD ("literal", test_literal);
  ADD ("hard-link", test_hard_link);
  ADD ("race", test_race);
  return g_test_run ();
}
