/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools that read and list files, and which tools ask before they work. */

#include "config.h"

#include "file-tools-fixture.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Reading ---------------------------------------------------------------------------------- */

static void
test_read_goes_on (Fixture *fixture, gconstpointer data)
{
  file_tools_assert_answers (
      fixture, fixture->read_file, "{\"path\":\"a.txt\",\"max_bytes\":8}",
      "one\ntwo\n[Lines 1 to 2 of 3. To go on, call this with \"start_line\": 3.]",
      "Read \u2068a.txt\u2069 · 2 lines");
  file_tools_assert_answers (fixture, fixture->read_file, "{\"path\":\"a.txt\",\"start_line\":3}",
                             "three\n", "Read \u2068a.txt\u2069 · 1 line");
  file_tools_assert_answers (fixture, fixture->read_file, "{\"path\":\"a.txt\",\"start_byte\":10}",
                             "ree\n", "Read \u2068a.txt\u2069 · 1 line");
}

static void
assert_path (Fixture *fixture, GadgetTool *tool, const char *arguments, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->workspace, name, NULL);
  g_auto (ToolCall) call = { 0 };

  file_tools_run (fixture, tool, arguments, &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->summary->path, ==, path);
}

/* What is kept is where the file is, and not what the call named. */
static void
test_paths (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->workspace, "link.txt", NULL);

  g_assert_cmpint (symlink ("a.txt", link), ==, 0);
  assert_path (fixture, fixture->read_file, "{\"path\":\"z/../a.txt\"}", "a.txt");
  assert_path (fixture, fixture->read_file, "{\"path\":\"link.txt\"}", "a.txt");
  assert_path (fixture, fixture->write_file, "{\"path\":\"link.txt\",\"content\":\"one\\n\"}",
               "a.txt");
  assert_path (fixture, fixture->edit_file,
               "{\"path\":\"link.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"two\"}]}",
               "a.txt");
  assert_path (fixture, fixture->write_file, "{\"path\":\"a.txt\",\"content\":\"two\\n\"}",
               "a.txt");
  assert_path (fixture, fixture->write_file, "{\"path\":\"new/b.txt\",\"content\":\"\"}",
               "new/b.txt");
}

static void
test_read_picture (Fixture *fixture, gconstpointer data)
{
  static const char head[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x20\x08\x06";
  g_autofree char *path = g_build_filename (fixture->workspace, "p.png", NULL);
  g_autofree char *whole = g_malloc0 (300000);
  g_auto (ToolCall) call = { 0 };
  const GadgetPicture *picture;

  memcpy (whole, head, sizeof head - 1);
  whole[299999] = 'e';
  g_assert_true (g_file_set_contents (path, whole, 300000, NULL));
  file_tools_run (fixture, fixture->read_file, "{\"path\":\"p.png\"}", &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==,
                   "p.png is a picture: image/png, 16 × 32 pixels, 300000 bytes.");
  tool_call_says (call.result, "Read \u2068p.png\u2069 · 16 × 32");
  g_assert_cmpuint (call.result->pictures->len, ==, 1);
  picture = g_ptr_array_index (call.result->pictures, 0);
  g_assert_cmpstr (gadget_picture_get_name (picture), ==, "p.png");
  g_assert_cmpmem (g_bytes_get_data (gadget_picture_get_data (picture), NULL),
                   gadget_picture_get_size (picture), whole, 300000);
}

/* What cannot be shown is said, with the reason. */
static void
test_read_large_picture (Fixture *fixture, gconstpointer data)
{
  static const char head[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x27\x10\0\0\0\x20\x08\x06";
  g_autofree char *path = g_build_filename (fixture->workspace, "p.png", NULL);
  g_autofree char *whole = g_malloc0 (GADGET_PICTURE_MAX_BYTES + 1);
  g_auto (ToolCall) wide = { 0 };
  g_auto (ToolCall) heavy = { 0 };

  memcpy (whole, head, sizeof head - 1);
  g_assert_true (g_file_set_contents (path, whole, 100, NULL));
  file_tools_run (fixture, fixture->read_file, "{\"path\":\"p.png\"}", &wide);
  g_assert_no_error (wide.error);
  g_assert_cmpstr (wide.result->text, ==,
                   "p.png is a picture: image/png, 10000 × 32 pixels, 100 bytes. It is too large "
                   "to be shown: at most 8000 pixels a side can be. Make a smaller copy of it, and "
                   "read that.");
  g_assert_null (wide.result->pictures);

  whole[18] = 0;
  g_assert_true (g_file_set_contents (path, whole, GADGET_PICTURE_MAX_BYTES + 1, NULL));
  file_tools_run (fixture, fixture->read_file, "{\"path\":\"p.png\"}", &heavy);
  g_assert_no_error (heavy.error);
  g_assert_nonnull (strstr (heavy.result->text, "at most 3932160 bytes can be"));
  g_assert_null (heavy.result->pictures);
}

static void
test_read_binary (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->workspace, "b.zip", NULL);
  g_autofree char *late = g_build_filename (fixture->workspace, "late", NULL);
  g_autofree char *text = g_strnfill (20000, 'x');

  g_assert_true (g_file_set_contents (path, "PK\x03\x04\0\0", 6, NULL));
  text[15000] = '\0';
  g_assert_true (g_file_set_contents (late, text, 20000, NULL));
  file_tools_assert_fails (fixture, fixture->read_file, "{\"path\":\"b.zip\"}", "not a text file");
  file_tools_assert_fails (fixture, fixture->read_file, "{\"path\":\"late\"}", "not a text file");
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->workspace, "link", NULL);
  g_autofree char *fifo = g_build_filename (fixture->workspace, "pipe", NULL);
  g_autofree char *odd = g_build_filename (fixture->workspace, "odd\nname", NULL);

  file_tools_put (fixture, "z/inner.txt", "x");
  g_assert_cmpint (symlink ("a.txt", link), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_true (g_file_set_contents (odd, "", 0, NULL));
  file_tools_assert_answers (
      fixture, fixture->list_dir, "{}",
      "z/\na.txt  14\nlink -> a.txt\n\"odd\\nname\"  0\npipe  (a named pipe)\n",
      "Listed \u2068.\u2069 · 5 entries");
  file_tools_assert_answers (fixture, fixture->list_dir, "{\"path\":\"z\"}", "inner.txt  1\n",
                             "Listed \u2068z\u2069 · 1 entry");
  file_tools_assert_answers (
      fixture, fixture->list_dir, "{\"start\":2,\"max_entries\":1}",
      "a.txt  14\n[Entries 2 to 2 of 5. To go on, call this with \"start\": 3.]",
      "Listed \u2068.\u2069 · 5 entries");
  file_tools_assert_answers (fixture, fixture->list_dir, "{\"start\":9}",
                             "[There are only 5 entries.]", "Listed \u2068.\u2069 · 5 entries");
  file_tools_assert_fails (fixture, fixture->list_dir, "{\"path\":\"a.txt\"}", "not a folder");
  file_tools_assert_fails (fixture, fixture->list_dir, "{\"path\":\"no\"}", "No such file");
}

/* --- Asking ----------------------------------------------------------------------------------- */

static GadgetPrompt *
ask (Fixture *fixture, GadgetTool *tool, const char *arguments)
{
  g_autoptr (JsonNode) node = json_from_string (arguments, NULL);
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", gadget_tool_get_name (tool));
  const GadgetToolContext context = { .workspace = fixture->workspace, .item = item };

  g_assert_nonnull (node);
  return gadget_tool_permission (tool, json_node_get_object (node), &context);
}

static void
assert_asks (Fixture *fixture, GadgetTool *tool, const char *arguments, GadgetAccessKind kind,
             const char *subject, gboolean confined, const char *title, const char *warning)
{
  g_autoptr (GadgetPrompt) prompt = ask (fixture, tool, arguments);
  g_autofree char *resolved = g_canonicalize_filename (subject, fixture->workspace);
  const GadgetAccess *access;

  g_assert_nonnull (prompt);
  g_assert_cmpuint (gadget_prompt_get_n_accesses (prompt), ==, 1);
  access = gadget_prompt_get_access (prompt, 0);
  g_assert_cmpint (access->kind, ==, kind);
  g_assert_cmpstr (access->subject, ==, resolved);
  g_assert_cmpint (access->confined, ==, confined);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==, title);
  g_assert_cmpstr (gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING), ==, warning);
}

static void
test_permissions (Fixture *fixture, gconstpointer data)
{
  static const char *edit =
      "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"a\\nb\\nc\",\"new_text\":\"a\\nx\"}]}";
  g_autoptr (GadgetPrompt) none = ask (fixture, fixture->list_dir, "{}");
  g_autoptr (GadgetPrompt) inside = ask (fixture, fixture->read_file, "{\"path\":\"/\"}");
  g_autoptr (GadgetPrompt) odd =
      ask (fixture, fixture->write_file,
           "{\"path\":\"a\\nReads nothing\\u202e.txt\",\"content\":\"a\"}");

  g_assert_null (none);
  g_assert_nonnull (inside);
  assert_asks (fixture, fixture->list_dir, "{\"path\":\"..\"}", GADGET_ACCESS_READ, "..", FALSE,
               "List this folder?", "It is outside of this chat’s folder.");
  assert_asks (fixture, fixture->write_file, "{\"path\":\"d/n.txt\",\"content\":\"a\\nb\"}",
               GADGET_ACCESS_WRITE, "d/n.txt", TRUE, "Write d/n.txt?", NULL);
  assert_asks (fixture, fixture->write_file, "{\"path\":\"/srv/n.txt\",\"content\":\"a\"}",
               GADGET_ACCESS_WRITE, "/srv/n.txt", FALSE, "Write /srv/n.txt?",
               "It is outside of this chat’s folder.");
  assert_asks (fixture, fixture->write_file,
               "{\"path\":\".git/hooks/pre-commit\",\"content\":\"a\"}", GADGET_ACCESS_WRITE,
               ".git/hooks/pre-commit", FALSE, "Write .git/hooks/pre-commit?",
               "Version control runs what is in this folder, outside of the sandbox.");
  assert_asks (fixture, fixture->edit_file, edit, GADGET_ACCESS_WRITE, "a.txt", TRUE,
               "Write a.txt?", NULL);
  /* A path has one line, and hides nothing. */
  g_assert_cmpstr (gadget_prompt_get_title (odd), ==, "Write a\\x0aReads nothing\\u202e.txt?");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/file-tools/" path, Fixture, NULL, file_tools_set_up, function,              \
              file_tools_tear_down)
  ADD ("read/goes-on", test_read_goes_on);
  ADD ("paths", test_paths);
  ADD ("read/picture", test_read_picture);
  ADD ("read/large-picture", test_read_large_picture);
  ADD ("read/binary", test_read_binary);
  ADD ("list", test_list);
  ADD ("permissions", test_permissions);

  return g_test_run ();
}
