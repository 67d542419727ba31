/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools for files, as the agent calls them: what they answer, what they ask for, and that they
 * overwrite nothing that the chat does not know. */

#include "config.h"

#include "common/gadget-blocking.h"
#include "test-store.h"
#include "tool-call.h"
#include "tools/gadget-tool-edit-file.h"
#include "tools/gadget-tool-list-dir.h"
#include "tools/gadget-tool-read-file.h"
#include "tools/gadget-tool-write-file.h"
#include "wait.h"
#include "workspace/gadget-replace.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *top;
  char *workspace;
  GadgetReadStamps *stamps;
  GadgetTool *read_file;
  GadgetTool *write_file;
  GadgetTool *edit_file;
  GadgetTool *list_dir;
} Fixture;

static void
put (Fixture *fixture, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (fixture->workspace, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, text, -1, NULL));
}

static void
assert_file (Fixture *fixture, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (fixture->workspace, path, NULL);
  g_autofree char *content = NULL;

  g_file_get_contents (full, &content, NULL, NULL);
  g_assert_cmpstr (content, ==, text);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->top = test_dir_new ();
  fixture->workspace = g_build_filename (fixture->top, "work", NULL);
  fixture->stamps = gadget_read_stamps_new ();
  fixture->read_file = gadget_tool_read_file_new ();
  fixture->write_file = gadget_tool_write_file_new ();
  fixture->edit_file = gadget_tool_edit_file_new ();
  fixture->list_dir = gadget_tool_list_dir_new ();
  put (fixture, "a.txt", "one\ntwo\nthree\n");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->read_file);
  g_object_unref (fixture->write_file);
  g_object_unref (fixture->edit_file);
  g_object_unref (fixture->list_dir);
  gadget_read_stamps_unref (fixture->stamps);
  g_free (fixture->workspace);
  test_dir_free (fixture->top);
}

static GadgetToolContext
get_context (Fixture *fixture)
{
  return (GadgetToolContext) { .workspace = fixture->workspace,
                               .interactive = TRUE,
                               .stamps = fixture->stamps };
}

static void
start (Fixture *fixture, GadgetTool *tool, const char *arguments, GCancellable *cancellable,
       ToolCall *call)
{
  const GadgetToolContext context = get_context (fixture);

  tool_call_start (call, tool, &context, arguments, cancellable);
}

static void
run (Fixture *fixture, GadgetTool *tool, const char *arguments, ToolCall *call)
{
  const GadgetToolContext context = get_context (fixture);

  tool_call_run (call, tool, &context, arguments);
}

static void
assert_fails (Fixture *fixture, GadgetTool *tool, const char *arguments, const char *says)
{
  const GadgetToolContext context = get_context (fixture);

  tool_call_fails (tool, &context, arguments, says);
}

static void
assert_answers (Fixture *fixture, GadgetTool *tool, const char *arguments, const char *text,
                const char *summary)
{
  const GadgetToolContext context = get_context (fixture);

  tool_call_answers (tool, &context, arguments, text, summary);
}

static void
read_a (Fixture *fixture)
{
  assert_answers (fixture, fixture->read_file, "{\"path\":\"a.txt\"}", "one\ntwo\nthree\n",
                  "Read \u2068a.txt\u2069 · 3 lines");
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void
test_read_goes_on (Fixture *fixture, gconstpointer data)
{
  assert_answers (fixture, fixture->read_file, "{\"path\":\"a.txt\",\"max_bytes\":8}",
                  "one\ntwo\n[Lines 1 to 2 of 3. To go on, call this with \"start_line\": 3.]",
                  "Read \u2068a.txt\u2069 · 2 lines");
  assert_answers (fixture, fixture->read_file, "{\"path\":\"a.txt\",\"start_line\":3}", "three\n",
                  "Read \u2068a.txt\u2069 · 1 line");
  assert_answers (fixture, fixture->read_file, "{\"path\":\"a.txt\",\"start_byte\":10}", "ree\n",
                  "Read \u2068a.txt\u2069 · 1 line");
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
  run (fixture, fixture->read_file, "{\"path\":\"p.png\"}", &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==,
                   "p.png is a picture: image/png, 16 × 32 pixels, 300000 bytes.");
  g_assert_cmpstr (call.result->summary, ==, "Read \u2068p.png\u2069 · 16 × 32");
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
  run (fixture, fixture->read_file, "{\"path\":\"p.png\"}", &wide);
  g_assert_no_error (wide.error);
  g_assert_cmpstr (wide.result->text, ==,
                   "p.png is a picture: image/png, 10000 × 32 pixels, 100 bytes. It is too large "
                   "to be shown: at most 8000 pixels a side can be. Make a smaller copy of it, and "
                   "read that.");
  g_assert_null (wide.result->pictures);

  whole[18] = 0;
  g_assert_true (g_file_set_contents (path, whole, GADGET_PICTURE_MAX_BYTES + 1, NULL));
  run (fixture, fixture->read_file, "{\"path\":\"p.png\"}", &heavy);
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
  assert_fails (fixture, fixture->read_file, "{\"path\":\"b.zip\"}", "not a text file");
  assert_fails (fixture, fixture->read_file, "{\"path\":\"late\"}", "not a text file");
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->workspace, "link", NULL);
  g_autofree char *fifo = g_build_filename (fixture->workspace, "pipe", NULL);
  g_autofree char *odd = g_build_filename (fixture->workspace, "odd\nname", NULL);

  put (fixture, "z/inner.txt", "x");
  g_assert_cmpint (symlink ("a.txt", link), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_true (g_file_set_contents (odd, "", 0, NULL));
  assert_answers (fixture, fixture->list_dir, "{}",
                  "z/\na.txt  14\nlink -> a.txt\nodd?name  0\npipe  (a named pipe)\n",
                  "Listed \u2068.\u2069 · 5 entries");
  assert_answers (fixture, fixture->list_dir, "{\"path\":\"z\"}", "inner.txt  1\n",
                  "Listed \u2068z\u2069 · 1 entry");
  assert_answers (fixture, fixture->list_dir, "{\"start\":2,\"max_entries\":1}",
                  "a.txt  14\n[Entries 2 to 2 of 5. To go on, call this with \"start\": 3.]",
                  "Listed \u2068.\u2069 · 5 entries");
  assert_answers (fixture, fixture->list_dir, "{\"start\":9}", "[There are only 5 entries.]",
                  "Listed \u2068.\u2069 · 5 entries");
  assert_fails (fixture, fixture->list_dir, "{\"path\":\"a.txt\"}", "not a folder");
  assert_fails (fixture, fixture->list_dir, "{\"path\":\"no\"}", "No such file");
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void
test_write_new (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };

  run (fixture, fixture->write_file, "{\"path\":\"x/y/new.txt\",\"content\":\"a\\nb\\n\"}", &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==, "Made x/y/new.txt: 2 lines, 4 bytes.");
  g_assert_cmpstr (call.result->summary, ==, "Created \u2068x/y/new.txt\u2069 · +2 −0");
  g_assert_cmpstr (gadget_item_get_text (call.item), ==,
                   "--- /dev/null\n+++ x/y/new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  assert_file (fixture, "x/y/new.txt", "a\nb\n");
  /* It is known now. */
  assert_answers (fixture, fixture->write_file, "{\"path\":\"x/y/new.txt\",\"content\":\"c\"}",
                  "Replaced x/y/new.txt: 1 lines, 1 bytes.",
                  "Wrote \u2068x/y/new.txt\u2069 · +1 −2");
  assert_answers (fixture, fixture->write_file, "{\"path\":\"x/y/new.txt\",\"content\":\"c\"}",
                  "x/y/new.txt has this content already; it was not touched.",
                  "\u2068x/y/new.txt\u2069 had this content already");
}

static void
test_write_unread (Fixture *fixture, gconstpointer data)
{
  static const char *arguments = "{\"path\":\"a.txt\",\"content\":\"mine\"}";

  assert_fails (fixture, fixture->write_file, arguments,
                "was not read in this chat. Read it first");
  assert_file (fixture, "a.txt", "one\ntwo\nthree\n");
  read_a (fixture);
  put (fixture, "a.txt", "theirs");
  assert_fails (fixture, fixture->write_file, arguments, "was changed since it was read");
  assert_file (fixture, "a.txt", "theirs");
  put (fixture, "a.txt", "one\ntwo\nthree\n");
  assert_answers (fixture, fixture->write_file, arguments, "Replaced a.txt: 1 lines, 4 bytes.",
                  "Wrote \u2068a.txt\u2069 · +1 −3");
}

static void
test_write_bad (Fixture *fixture, gconstpointer data)
{
  g_autofree char *git = g_build_filename (fixture->workspace, ".git/hooks", NULL);
  g_autofree char *link = g_build_filename (fixture->workspace, "innocent", NULL);

  g_assert_cmpint (g_mkdir_with_parents (git, 0700), ==, 0);
  g_assert_cmpint (symlink (".git/hooks", link), ==, 0);
  assert_fails (fixture, fixture->write_file, "{\"content\":\"x\"}", "\"path\"");
  assert_fails (fixture, fixture->write_file, "{\"path\":\"b\"}", "\"content\"");
  assert_fails (fixture, fixture->write_file, "{\"path\":\"b\",\"content\":3}", "\"content\"");
  assert_fails (fixture, fixture->write_file, "{\"path\":\".\",\"content\":\"x\"}", "a folder");
  assert_fails (fixture, fixture->write_file, "{\"path\":\"a.txt/b\",\"content\":\"x\"}",
                "Not a directory");
  /* The user was not asked about this one. */
  assert_fails (fixture, fixture->write_file,
                "{\"path\":\"innocent/pre-commit\",\"content\":\"x\"}", "is really");
}

static void
test_edit (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };

  read_a (fixture);
  run (fixture, fixture->edit_file,
       "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"two\",\"new_text\":\"2\\n2\"},"
       "{\"old_text\":\"one\\n\",\"new_text\":\"\"}]}",
       &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->summary, ==, "Edited \u2068a.txt\u2069 · +2 −2");
  g_assert_cmpstr (call.result->text, ==,
                   "Edited a.txt: 2 lines added, 2 removed; it has 3 lines now.");
  g_assert_cmpstr (gadget_item_get_text (call.item), ==,
                   "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n-one\n-two\n+2\n+2\n three\n");
  assert_file (fixture, "a.txt", "2\n2\nthree\n");
}

static void
test_edit_bad (Fixture *fixture, gconstpointer data)
{
#define EDIT(edits) "{\"path\":\"a.txt\",\"edits\":" edits "}"
  static const struct
  {
    const char *arguments;
    const char *says;
  } cases[] = {
    { EDIT ("[{\"old_text\":\"e\",\"new_text\":\"x\"}]"), "3 times, at lines 1, 3, 3." },
    { EDIT ("[{\"old_text\":\"x\",\"new_text\":\"y\"}]"), "is not in the file" },
    { EDIT ("[{\"old_text\":\"one\",\"new_text\":\"1\"},{\"old_text\":\"x\",\"new_text\":\"y\"}]"),
      "Edit 2 of 2" },
    { EDIT ("[{\"old_text\":\"\",\"new_text\":\"y\"}]"), "must not be empty" },
    { EDIT ("[{\"old_text\":\"one\",\"new_text\":\"one\"}]"), "are the same" },
    { EDIT ("[{\"old_text\":\"one\"}]"), "must be an object" },
    { EDIT ("[7]"), "must be an object" },
    { EDIT ("[]"), "at least one" },
    { EDIT ("\"x\""), "at least one" },
    { "{\"path\":\"none\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}", "no such file" },
  };
#undef EDIT

  assert_fails (fixture, fixture->edit_file,
                "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"1\"}]}",
                "was not read in this chat");
  read_a (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_fails (fixture, fixture->edit_file, cases[i].arguments, cases[i].says);
  assert_file (fixture, "a.txt", "one\ntwo\nthree\n");
}

/* Calls of one step run at the same time: none undoes the other. */
static void
test_edit_at_once (Fixture *fixture, gconstpointer data)
{
  static const char *const arguments[] = {
    "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"1\"}]}",
    "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"two\",\"new_text\":\"2\"}]}",
    "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"three\",\"new_text\":\"3\"}]}",
  };

  for (guint round = 0; round < 50; round++)
    {
      g_auto (ToolCall) first = { 0 };
      g_auto (ToolCall) second = { 0 };
      g_auto (ToolCall) third = { 0 };
      ToolCall *const calls[] = { &first, &second, &third };

      put (fixture, "a.txt", "one\ntwo\nthree\n");
      read_a (fixture);
      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        start (fixture, fixture->edit_file, arguments[i], NULL, calls[i]);
      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        {
          wait_until (calls[i]->done);
          g_assert_no_error (calls[i]->error);
        }
      assert_file (fixture, "a.txt", "1\n2\n3\n");
    }
}

/* --- A file that would get another owner ------------------------------------------------------ */

#define OWNED "{\"path\":\"a.txt\",\"content\":\"mine\"}"

static GadgetPrompt *
wait_for_question (ToolCall *call, const char *name)
{
  GadgetPrompt *prompt;

  wait_until (gadget_item_get_prompt (call->item) != NULL);
  prompt = gadget_item_get_prompt (call->item);
  g_assert_cmpint (gadget_prompt_get_kind (prompt), ==, GADGET_PROMPT_PERMISSION);
  g_assert_true (g_str_has_suffix (gadget_prompt_get_subject (prompt), name));
  /* No rule can be made of it. */
  g_assert_cmpuint (gadget_prompt_get_n_accesses (prompt), ==, 0);
  return prompt;
}

static void
test_owner_denied (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };

  gadget_replacement_force_owner (TRUE);
  read_a (fixture);
  start (fixture, fixture->write_file, OWNED, NULL, &call);
  g_assert_true (gadget_prompt_answer_with_note (wait_for_question (&call, "/a.txt"),
                                                 GADGET_PROMPT_DENY, "it is the server's"));
  wait_until (call.done);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_nonnull (strstr (call.error->message, "it is the server's"));
  g_assert_null (gadget_item_get_prompt (call.item));
  assert_file (fixture, "a.txt", "one\ntwo\nthree\n");
  gadget_replacement_force_owner (FALSE);
}

static void
test_owner_allowed (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };
  g_auto (ToolCall) late = { 0 };

  gadget_replacement_force_owner (TRUE);
  read_a (fixture);
  start (fixture, fixture->write_file, OWNED, NULL, &call);
  g_assert_true (gadget_prompt_answer (wait_for_question (&call, "/a.txt"), GADGET_PROMPT_ALLOW));
  wait_until (call.done);
  g_assert_no_error (call.error);
  assert_file (fixture, "a.txt", "mine");

  /* What was changed while it waited is looked at again. */
  put (fixture, "a.txt", "one\ntwo\nthree\n");
  read_a (fixture);
  start (fixture, fixture->write_file, OWNED, NULL, &late);
  wait_for_question (&late, "/a.txt");
  put (fixture, "a.txt", "somebody else's");
  g_assert_true (gadget_prompt_answer (gadget_item_get_prompt (late.item), GADGET_PROMPT_ALLOW));
  wait_until (late.done);
  g_assert_error (late.error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  assert_file (fixture, "a.txt", "somebody else's");
  gadget_replacement_force_owner (FALSE);
}

/* A stop takes the question away at once, and nothing was changed. */
static void
test_owner_abort (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (ToolCall) call = { 0 };

  gadget_replacement_force_owner (TRUE);
  read_a (fixture);
  start (fixture, fixture->write_file, OWNED, cancellable, &call);
  wait_for_question (&call, "/a.txt");
  g_cancellable_cancel (cancellable);
  wait_until (call.done);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (gadget_item_get_prompt (call.item));
  assert_file (fixture, "a.txt", "one\ntwo\nthree\n");
  gadget_replacement_force_owner (FALSE);
}

/* --- A file that version control runs --------------------------------------------------------- */

#define HOOK "{\"path\":\".husky/pre-commit\",\"content\":\"evil\"}"

static void
test_protected (Fixture *fixture, gconstpointer data)
{
  g_autofree char *hook = g_build_filename (fixture->workspace, ".husky", "pre-commit", NULL);
  g_auto (ToolCall) denied = { 0 };
  g_auto (ToolCall) other = { 0 };
  g_auto (ToolCall) allowed = { 0 };
  g_auto (ToolCall) unasked = { 0 };
  GadgetToolContext context = get_context (fixture);

  put (fixture, ".git/HEAD", "ref: refs/heads/main\n");
  put (fixture, ".git/config", "[core]\nhooksPath = .husky/_\n[include]\npath = ../team\n");
  start (fixture, fixture->write_file, HOOK, NULL, &denied);
  g_assert_true (
      gadget_prompt_answer (wait_for_question (&denied, "/pre-commit"), GADGET_PROMPT_DENY));
  wait_until (denied.done);
  g_assert_error (denied.error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_false (g_file_test (hook, G_FILE_TEST_EXISTS));

  run (fixture, fixture->write_file, "{\"path\":\".gitattributes\",\"content\":\"\"}", &other);
  g_assert_no_error (other.error);

  tool_call_start (&unasked, fixture->write_file,
                   &(GadgetToolContext) { .workspace = context.workspace,
                                          .item = context.item,
                                          .interactive = TRUE,
                                          .unasked = TRUE },
                   "{\"path\":\"team\",\"content\":\"evil\"}", NULL);
  wait_until (unasked.done);
  g_assert_error (unasked.error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_PROTECTED);

  start (fixture, fixture->write_file, HOOK, NULL, &allowed);
  g_assert_true (
      gadget_prompt_answer (wait_for_question (&allowed, "/pre-commit"), GADGET_PROMPT_ALLOW));
  wait_until (allowed.done);
  g_assert_no_error (allowed.error);
  assert_file (fixture, ".husky/pre-commit", "evil");
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

/* --- What a card shows ------------------------------------------------------------------------ */

typedef struct
{
  gboolean done;
  gboolean ready;
  GError *error;
} Prepared;

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Prepared *prepared = user_data;

  prepared->ready = gadget_prompt_prepare_finish (GADGET_PROMPT (source), result, &prepared->error);
  prepared->done = TRUE;
}

/* Whatever a.txt has. */
static void
reread (Fixture *fixture)
{
  g_auto (ToolCall) call = { 0 };

  run (fixture, fixture->read_file, "{\"path\":\"a.txt\"}", &call);
  g_assert_no_error (call.error);
}

/* The prompt of a call as it would be shown; NULL when the call cannot be done. */
static GadgetPrompt *
show (Fixture *fixture, GadgetTool *tool, const char *arguments)
{
  g_autoptr (JsonNode) node = json_from_string (arguments, NULL);
  const GadgetToolContext context = get_context (fixture);
  g_autoptr (GadgetPrompt) prompt = NULL;
  Prepared prepared = { 0 };

  g_assert_nonnull (node);
  prompt = gadget_tool_permission (tool, json_node_get_object (node), &context);
  gadget_prompt_prepare_async (prompt, NULL, prepared_cb, &prepared);
  wait_until (prepared.done);
  g_assert_cmpint (prepared.ready, ==, prepared.error == NULL);
  g_clear_error (&prepared.error);
  return prepared.ready ? g_steal_pointer (&prompt) : NULL;
}

static void
assert_shows (Fixture *fixture, GadgetTool *tool, const char *arguments, GadgetPromptBody kind,
              const char *title, const char *body, guint n_added, guint n_removed)
{
  g_autoptr (GadgetPrompt) prompt = show (fixture, tool, arguments);
  guint added, removed;

  g_assert_nonnull (prompt);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==, title);
  g_assert_cmpint (gadget_prompt_get_body_kind (prompt), ==, kind);
  g_assert_cmpstr (gadget_prompt_get_body (prompt), ==, body);
  gadget_prompt_get_counts (prompt, &added, &removed);
  g_assert_cmpuint (added, ==, n_added);
  g_assert_cmpuint (removed, ==, n_removed);
}

#define EDIT_A "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"two\",\"new_text\":\"2\"}]}"
#define WRITE_A "{\"path\":\"a.txt\",\"content\":\"one\\n2\\nthree\\n\"}"

/* The whole change, before it is made. */
static void
test_shown (Fixture *fixture, gconstpointer data)
{
  g_autofree char *outside = g_build_filename (fixture->workspace, "..", "outside.txt", NULL);
  g_autofree char *write_outside =
      g_strdup_printf ("{\"path\":\"%s\",\"content\":\"x\\n\"}", outside);
  g_autoptr (GadgetPrompt) unread = NULL;
  g_autoptr (GadgetPrompt) blind = NULL;

  assert_shows (fixture, fixture->write_file, "{\"path\":\"new.txt\",\"content\":\"a\\nb\\n\"}",
                GADGET_PROMPT_BODY_FILE, "Create new.txt?", "a\nb\n", 2, 0);
  /* It cannot be done, so nobody is asked. */
  put (fixture, "a.txt", "one\ntwo\nthree\n");
  unread = show (fixture, fixture->edit_file, EDIT_A);
  g_assert_null (unread);
  read_a (fixture);
  assert_shows (fixture, fixture->edit_file, EDIT_A, GADGET_PROMPT_BODY_DIFF, "Change a.txt?",
                "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", 1, 1);
  assert_shows (fixture, fixture->write_file, WRITE_A, GADGET_PROMPT_BODY_DIFF, "Change a.txt?",
                "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", 1, 1);
  assert_file (fixture, "a.txt", "one\ntwo\nthree\n");

  /* Outside of the folder a call that was not allowed learns nothing of the file. */
  g_assert_true (g_file_set_contents (outside, "secret\n", -1, NULL));
  blind = show (fixture, fixture->write_file, write_outside);
  g_assert_nonnull (blind);
  g_assert_cmpstr (gadget_prompt_get_body (blind), ==, "x\n");
  g_assert_nonnull (gadget_prompt_get_text (blind, GADGET_PROMPT_OMITTED));
}

/* A long one is whole, too. */
static void
test_shown_whole (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) old_text = g_string_new (NULL);
  g_autoptr (GString) content = g_string_new (NULL);
  g_autofree char *arguments = NULL;
  g_autoptr (GadgetPrompt) prompt = NULL;

  for (guint i = 0; i < 20000; i++)
    {
      g_string_append_printf (old_text, "old %u\n", i);
      g_string_append_printf (content, "new %u\\n", i);
    }
  put (fixture, "a.txt", old_text->str);
  reread (fixture);
  arguments = g_strdup_printf ("{\"path\":\"a.txt\",\"content\":\"%s\"}", content->str);
  prompt = show (fixture, fixture->write_file, arguments);
  g_assert_nonnull (prompt);
  g_assert_nonnull (strstr (gadget_prompt_get_body (prompt), "\n-old 19999\n"));
  g_assert_true (g_str_has_suffix (gadget_prompt_get_body (prompt), "\n+new 19999\n"));
}

/* Runs a call for which the user was shown PROMPT and allowed it. */
static void
start_shown (Fixture *fixture, GadgetTool *tool, const char *arguments, GadgetPrompt *prompt,
             ToolCall *call)
{
  GadgetToolContext context = get_context (fixture);

  context.approved = gadget_prompt_get_text (prompt, GADGET_PROMPT_DIGEST);
  g_assert_nonnull (context.approved);
  tool_call_start (call, tool, &context, arguments, NULL);
}

/* What is written is what was shown; else it is shown again. */
static void
test_shown_is_written (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPrompt) prompt = NULL;
  g_autoptr (GadgetPrompt) stale = NULL;
  GadgetPrompt *again;
  g_auto (ToolCall) same = { 0 };
  g_auto (ToolCall) moved = { 0 };
  g_auto (ToolCall) other = { 0 };
  g_auto (ToolCall) denied = { 0 };
  g_auto (ToolCall) gone = { 0 };

  put (fixture, "a.txt", "one\ntwo\nthree\n");
  reread (fixture);
  prompt = show (fixture, fixture->edit_file, EDIT_A);
  start_shown (fixture, fixture->edit_file, EDIT_A, prompt, &same);
  wait_until (same.done);
  g_assert_no_error (same.error);
  assert_file (fixture, "a.txt", "one\n2\nthree\n");

  /* The chat changed and read it meanwhile: the same change further down needs no second look. */
  put (fixture, "a.txt", "0\n0\n0\n0\n0\none\ntwo\nthree\n");
  reread (fixture);
  g_clear_object (&prompt);
  prompt = show (fixture, fixture->edit_file, EDIT_A);
  put (fixture, "a.txt", "1\n0\n0\n0\n0\n0\none\ntwo\nthree\n");
  reread (fixture);
  start_shown (fixture, fixture->edit_file, EDIT_A, prompt, &moved);
  wait_until (moved.done);
  g_assert_no_error (moved.error);

  /* Another change is shown again. */
  put (fixture, "a.txt", "one\ntwo\nthree\n");
  reread (fixture);
  stale = show (fixture, fixture->write_file, WRITE_A);
  put (fixture, "a.txt", "precious\n");
  reread (fixture);
  start_shown (fixture, fixture->write_file, WRITE_A, stale, &denied);
  again = wait_for_question (&denied, "/a.txt");
  g_assert_nonnull (strstr (gadget_prompt_get_body (again), "-precious\n"));
  g_assert_nonnull (gadget_prompt_get_text (again, GADGET_PROMPT_WARNING));
  g_assert_true (gadget_prompt_answer (again, GADGET_PROMPT_DENY));
  wait_until (denied.done);
  g_assert_error (denied.error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  assert_file (fixture, "a.txt", "precious\n");

  start_shown (fixture, fixture->write_file, WRITE_A, stale, &other);
  again = wait_for_question (&other, "/a.txt");
  g_assert_true (gadget_prompt_answer (again, GADGET_PROMPT_ALLOW));
  wait_until (other.done);
  g_assert_no_error (other.error);
  assert_file (fixture, "a.txt", "one\n2\nthree\n");

  /* Changed by another program, it is not written at all. */
  put (fixture, "a.txt", "theirs\n");
  start_shown (fixture, fixture->write_file, WRITE_A, stale, &gone);
  wait_until (gone.done);
  g_assert_error (gone.error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  assert_file (fixture, "a.txt", "theirs\n");
}

/* --- Aborts ----------------------------------------------------------------------------------- */

static gboolean
cancel_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
put_and_read (Fixture *fixture, const char *content)
{
  g_auto (ToolCall) call = { 0 };

  put (fixture, "big", content);
  run (fixture, fixture->read_file, "{\"path\":\"big\"}", &call);
  g_assert_no_error (call.error);
}

/* Old or new, and what is answered is what happened. */
static void
test_abort_anywhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = g_strnfill (4 << 20, 'n');
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"big\",\"content\":\"%s\"}", content);
  g_autofree char *old_content = g_strnfill (4 << 20, 'o');
  gint64 duration = g_get_monotonic_time ();
  guint n_written = 0;

  {
    g_auto (ToolCall) whole = { 0 };

    run (fixture, fixture->write_file, arguments, &whole);
    g_assert_no_error (whole.error);
    duration = (g_get_monotonic_time () - duration) / 1000;
  }
  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_auto (ToolCall) call = { 0 };

      put_and_read (fixture, old_content);
      start (fixture, fixture->write_file, arguments, cancellable, &call);
      g_timeout_add ((guint) (g_test_rand_double () * 2 * (double) duration), cancel_cb,
                     cancellable);
      while (!g_cancellable_is_cancelled (cancellable))
        g_main_context_iteration (NULL, TRUE);
      wait_until (call.done);
      if (call.error != NULL)
        g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      wait_until (gadget_blocking_get_n_given_up () == 0);
      assert_file (fixture, "big", call.result != NULL ? content : old_content);
      n_written += call.result != NULL;
    }
  g_test_message ("one takes %d ms; %u of 50 were written", (int) duration, n_written);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/file-tools/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("read/goes-on", test_read_goes_on);
  ADD ("read/picture", test_read_picture);
  ADD ("read/large-picture", test_read_large_picture);
  ADD ("read/binary", test_read_binary);
  ADD ("list", test_list);
  ADD ("write/new", test_write_new);
  ADD ("write/owner-denied", test_owner_denied);
  ADD ("write/owner-allowed", test_owner_allowed);
  ADD ("write/owner-abort", test_owner_abort);
  ADD ("write/protected", test_protected);
  ADD ("write/unread", test_write_unread);
  ADD ("write/bad-input", test_write_bad);
  ADD ("edit/applied", test_edit);
  ADD ("edit/bad-input", test_edit_bad);
  ADD ("edit/at-once", test_edit_at_once);
  ADD ("permissions", test_permissions);
  ADD ("shown/change", test_shown);
  ADD ("shown/whole", test_shown_whole);
  ADD ("shown/is-written", test_shown_is_written);
  ADD ("X13-abort-anywhere", test_abort_anywhere);

  return g_test_run ();
}
