/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files and calls that are not as one expects them: each gets an answer that says what is so. */

#include "config.h"

#include "test-store.h"
#include "tool-call.h"
#include "wait.h"
#include "common/gadget-blocking.h"
#include "common/gadget-quoted-path.h"
#include "tools/files/gadget-tool-edit-file.h"
#include "tools/search/gadget-tool-find-files.h"
#include "tools/files/gadget-tool-list-dir.h"
#include "tools/files/gadget-tool-read-file.h"
#include "tools/search/gadget-tool-search.h"
#include "tools/files/gadget-tool-write-file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum
{
  READ_FILE,
  WRITE_FILE,
  EDIT_FILE,
  LIST_DIR,
  FIND_FILES,
  SEARCH,
  N_TOOLS,
} Tool;

typedef struct
{
  char *top;
  GadgetVersionsRead *versions;
  GadgetTool *tools[N_TOOLS];
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GadgetRipgrep) ripgrep = gadget_ripgrep_new ();

  f->top = test_dir_new ();
  f->versions = gadget_versions_read_new ();
  f->tools[READ_FILE] = gadget_tool_read_file_new ();
  f->tools[WRITE_FILE] = gadget_tool_write_file_new ();
  f->tools[EDIT_FILE] = gadget_tool_edit_file_new ();
  f->tools[LIST_DIR] = gadget_tool_list_dir_new ();
  f->tools[FIND_FILES] = gadget_tool_find_files_new (ripgrep);
  f->tools[SEARCH] = gadget_tool_search_new (ripgrep);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < N_TOOLS; i++)
    g_object_unref (f->tools[i]);
  gadget_versions_read_unref (f->versions);
  test_dir_free (f->top);
}

static void
put (Fixture *f, const char *name, const char *bytes, gssize length)
{
  g_autofree char *path = g_build_filename (f->top, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, length, NULL));
}

static GadgetToolContext
get_context (Fixture *f)
{
  return (GadgetToolContext) { .workspace = f->top, .interactive = TRUE, .versions = f->versions };
}

static void
answers (Fixture *f, Tool tool, const char *arguments, const char *text)
{
  const GadgetToolContext context = get_context (f);

  g_test_message ("%s", arguments);
  tool_call_answers (f->tools[tool], &context, arguments, text, NULL);
}

static void
fails (Fixture *f, Tool tool, const char *arguments, const char *says)
{
  const GadgetToolContext context = get_context (f);

  tool_call_fails (f->tools[tool], &context, arguments, says);
}

/* A call with one text as its only argument. */
static char *
make_arguments (const char *name, const char *value)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  json_object_set_string_member (object, name, value);
  return json_to_string (node, FALSE);
}

static char *
dup_content (Fixture *f, const char *name)
{
  g_autofree char *path = g_build_filename (f->top, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

/* Nothing is never the whole of an answer. */
static void
test_nothing (Fixture *f, gconstpointer data)
{
  put (f, "empty", "", 0);
  put (f, "three", "one\ntwo\nthree\n", -1);
  put (f, "open", "one\ntwo", -1);
  answers (f, READ_FILE, "{\"path\":\"empty\"}", "[The file is empty.]");
  answers (f, READ_FILE, "{\"path\":\"empty\",\"start_line\":7}", "[The file is empty.]");
  answers (f, READ_FILE, "{\"path\":\"three\",\"start_line\":4}", "[There are only 3 lines.]");
  answers (f, READ_FILE, "{\"path\":\"open\",\"start_line\":3}", "[There are only 2 lines.]");
  answers (f, READ_FILE, "{\"path\":\"three\",\"start_byte\":14}", "[There are only 14 bytes.]");
  answers (f, READ_FILE, "{\"path\":\"open\"}", "one\ntwo");
  answers (f, LIST_DIR, "{\"start\":1000}", "[There are only 3 entries.]");
  put (f, "line", "x", -1);
  answers (f, READ_FILE, "{\"path\":\"line\",\"start_line\":2}", "[There is only 1 line.]");
  answers (f, READ_FILE, "{\"path\":\"line\",\"start_byte\":1}", "[There is only 1 byte.]");
  answers (f, FIND_FILES, "{\"pattern\":\"*\",\"start\":1000}", "[There are only 4.]");
}

/* Bytes that are no text are shown as such, and are still there after an edit beside them. */
static void
test_bytes (Fixture *f, gconstpointer data)
{
  g_autofree char *content = NULL;

  put (f, "bytes",
       "a\xff\xfe"
       "b\nc",
       -1);
  answers (f, READ_FILE, "{\"path\":\"bytes\"}", "a\357\277\275\357\277\275b\nc");
  answers (f, EDIT_FILE, "{\"path\":\"bytes\",\"edits\":[{\"old_text\":\"c\",\"new_text\":\"d\"}]}",
           "Edited bytes: 1 line added, 1 removed; it has 2 lines now.");
  content = dup_content (f, "bytes");
  g_assert_cmpstr (content, ==,
                   "a\xff\xfe"
                   "b\nd");
}

/* Two places that overlap are two. */
static void
test_overlapping (Fixture *f, gconstpointer data)
{
  g_autofree char *content = NULL;

  put (f, "aaa", "aaa", -1);
  put (f, "gap", "x\n\n\ny\n", -1);
  answers (f, READ_FILE, "{\"path\":\"aaa\"}", "aaa");
  answers (f, READ_FILE, "{\"path\":\"gap\"}", "x\n\n\ny\n");
  fails (f, EDIT_FILE, "{\"path\":\"aaa\",\"edits\":[{\"old_text\":\"aa\",\"new_text\":\"b\"}]}",
         "2 times, at lines 1, 1");
  fails (f, EDIT_FILE,
         "{\"path\":\"gap\",\"edits\":[{\"old_text\":\"\\n\\n\",\"new_text\":\"\\n\"}]}",
         "2 times, at lines 1, 2");
  answers (f, EDIT_FILE,
           "{\"path\":\"aaa\",\"edits\":[{\"old_text\":\"aa\",\"new_text\":\"b\","
           "\"replace_all\":true}]}",
           "Edited aaa: 1 line added, 1 removed; it has 1 line now.");
  content = dup_content (f, "aaa");
  g_assert_cmpstr (content, ==, "ba");
}

/* An edit sees what the one before left, and nothing is changed unless all fit. */
static void
test_edits_in_order (Fixture *f, gconstpointer data)
{
  g_autofree char *content = NULL;

  put (f, "three", "one\ntwo\nthree\n", -1);
  answers (f, READ_FILE, "{\"path\":\"three\"}", "one\ntwo\nthree\n");
  fails (f, EDIT_FILE,
         "{\"path\":\"three\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"ONE\"},"
         "{\"old_text\":\"one\",\"new_text\":\"x\"}]}",
         "Edit 2 of 2");
  fails (f, EDIT_FILE,
         "{\"path\":\"three\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"two\"},"
         "{\"old_text\":\"two\",\"new_text\":\"x\"}]}",
         "2 times, at lines 1, 2");
  content = dup_content (f, "three");
  g_assert_cmpstr (content, ==, "one\ntwo\nthree\n");
}

static void
test_names (Fixture *f, gconstpointer data)
{
  g_autofree char *name = g_strnfill (300, 'n');
  g_autofree char *long_name = g_strdup_printf ("{\"path\":\"%s\",\"content\":\"\"}", name);
  g_autofree char *made = NULL;

  put (f, "file", "x", -1);
  put (f, "new\nline", "found\n", -1);
  put (f, "bad\xff", "found\n", -1);
  fails (f, WRITE_FILE, "{\"path\":\"folder/\",\"content\":\"x\"}", "as that of a folder does");
  fails (f, WRITE_FILE, "{\"path\":\".\",\"content\":\"x\"}", "is a folder");
  fails (f, WRITE_FILE, "{\"path\":\"file/x\",\"content\":\"x\"}", "Not a directory");
  fails (f, WRITE_FILE, long_name, "too long");
  made = dup_content (f, "folder");
  g_assert_null (made);
  answers (f, READ_FILE, "{\"path\":\"new\\nline\"}", "found\n");
  answers (f, FIND_FILES, "{\"pattern\":\"new*\"}", "\"new\\nline\"\n");
  answers (f, SEARCH, "{\"pattern\":\"found\"}", "\"bad\\377\":1:found\n\"new\\nline\":1:found\n");
  /* As they were told. */
  answers (f, READ_FILE, "{\"path\":\"\\\"new\\\\nline\\\"\"}", "found\n");
  answers (f, READ_FILE, "{\"path\":\"\\\"bad\\\\377\\\"\"}", "found\n");
  answers (f, SEARCH, "{\"pattern\":\"found\",\"path\":\"\\\"bad\\\\377\\\"\"}",
           "\"bad\\377\":1:found\n");
  answers (f, WRITE_FILE, "{\"path\":\"\\\"more\\\\377\\\"\",\"content\":\"x\\n\"}",
           "Made \"more\\377\": 1 line, 2 bytes.");
  made = dup_content (f, "more\xff");
  g_assert_cmpstr (made, ==, "x\n");
  answers (f, LIST_DIR, "{}", "\"bad\\377\"  6\nfile  1\n\"more\\377\"  2\n\"new\\nline\"  6\n");
}

/* A name in quotation marks leads nowhere else than it seems, and is what it stands for. */
static void
test_quoted (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "plain",   "a b",   "new\nline", "tab\there",
                                       "bad\xff", "\"x\"", "\"x\ny",    "back\\",
                                       "\x7f",    "é\x01", "a\"b",      "…" };
  static const char *const literal[] = { "\"..\"",
                                         "\"\\056\\056\"",
                                         "\"a\\057b\\001\"",
                                         "\"\\000\\001\"",
                                         "\"\\777\\001\"",
                                         "\"x\"",
                                         "\"\"",
                                         "\"",
                                         "\"\\n",
                                         "\"a\\\"" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strconcat ("/", names[i], "/dir/", names[i], NULL);
      g_autofree char *quoted = gadget_quoted_path_dup (path);
      g_autofree char *parsed = gadget_quoted_path_parse (quoted);

      g_assert_cmpstr (parsed, ==, path);
      g_assert_true (g_utf8_validate (quoted, -1, NULL));
      g_assert_null (strpbrk (quoted, "\n\t\x01\x7f"));
    }
  for (guint i = 0; i < G_N_ELEMENTS (literal); i++)
    {
      g_autofree char *parsed = gadget_quoted_path_parse (literal[i]);

      g_assert_cmpstr (parsed, ==, literal[i]);
    }
}

static void
test_patterns (Fixture *f, gconstpointer data)
{
  static const char *const globs[] = { "[",   "{a",  "",  "[]", "*.{", "\\",
                                       "a\\", "**/", "/", "/a", "[a-", "[z-a]" };
  static const char *const nothing[] = { "a//b", "../*", "{}", "{,}", "*\xc3\xa4" };
  static const char *const expressions[] = { "(",   "[", "a{2,1}", "(?<n>a)(?<n>b)",
                                             "\\",  "*", "a\nb",   "\\p{Foo}",
                                             "(?#", "" };

  put (f, "file", "x\n", -1);
  for (guint i = 0; i < G_N_ELEMENTS (globs); i++)
    {
      g_autofree char *arguments = make_arguments ("pattern", globs[i]);

      fails (f, FIND_FILES, arguments, "pattern");
    }
  for (guint i = 0; i < G_N_ELEMENTS (nothing); i++)
    {
      g_autofree char *arguments = make_arguments ("pattern", nothing[i]);

      answers (f, FIND_FILES, arguments,
               "[No file fits. Hidden and ignored files are only found with "
               "\"include_ignored\".]");
    }
  for (guint i = 0; i < G_N_ELEMENTS (expressions); i++)
    {
      g_autofree char *arguments = make_arguments ("pattern", expressions[i]);

      fails (f, SEARCH, arguments, "regular expression");
    }
}

/* A folder of very many files, a line and a file without an end in sight. */
static void
test_large (Fixture *f, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (f->top, "many", NULL);
  g_autofree char *sparse = g_build_filename (f->top, "sparse", NULL);
  g_autofree char *line = g_strnfill (3000000, 'l');
  g_autofd int fd = -1;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  fd = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *name = g_strdup_printf ("file-%05u", i);
      g_autofd int file = openat (fd, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

      g_assert_cmpint (file, >=, 0);
    }
  answers (f, LIST_DIR, "{\"path\":\"many\",\"start\":19999}", "file-19998  0\nfile-19999  0\n");
  answers (f, LIST_DIR, "{\"path\":\"many\",\"max_entries\":1}",
           "file-00000  0\n[Entries 1 to 1 of 20000. To go on, call this with \"start\": 2.]");
  answers (f, FIND_FILES, "{\"pattern\":\"many/*9999\",\"max_results\":1}",
           "many/file-09999\n[1 to 1 of 2. To go on, call this with \"start\": 2.]");
  put (f, "line", line, -1);
  answers (f, READ_FILE, "{\"path\":\"line\",\"start_byte\":2999997}", "lll");
  put (f, "sparse", line, 20000);
  g_assert_cmpint (truncate (sparse, (off_t) 40 << 30), ==, 0);
  fails (f, READ_FILE, "{\"path\":\"sparse\",\"start_byte\":19999}", "not a text file");
  fails (f, SEARCH, "{\"pattern\":\"l\",\"path\":\"sparse\"}", "not a text file");
}

typedef struct
{
  int fd;
  int stop;
} Writer;

#define GROWN ((gint64) 24 << 30)

/* By holes, about as fast as they are read. */
static gpointer
grow_in_thread (gpointer data)
{
  Writer *writer = data;
  off_t size = 0;

  while (!g_atomic_int_get (&writer->stop) && size < GROWN)
    {
      size += 1 << 22;
      g_assert_cmpint (ftruncate (writer->fd, size), ==, 0);
      g_usleep (1000);
    }
  return NULL;
}

/* What grows while it is read is read as far as it was at the beginning. */
static void
test_growing (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->top, "log", NULL);
  g_autofree char *lines = g_strnfill (65536, '\n');
  const GadgetToolContext context = get_context (f);
  Writer writer = { .fd = -1 };
  g_auto (ToolCall) call = { 0 };
  GThread *thread;
  gint64 n = 0;

  put (f, "log", lines, -1);
  writer.fd = open (path, O_WRONLY | O_CLOEXEC);
  thread = g_thread_new ("writer", grow_in_thread, &writer);
  tool_call_run (&call, f->tools[READ_FILE], &context,
                 "{\"path\":\"log\",\"start_byte\":1000000000000}");
  g_atomic_int_set (&writer.stop, TRUE);
  g_thread_join (thread);
  close (writer.fd);
  g_assert_no_error (call.error);
  g_assert_cmpint (sscanf (call.result->text, "[There are only %" G_GINT64_FORMAT " bytes.]", &n),
                   ==, 1);
  g_assert_cmpint (n, <, GROWN - ((gint64) 4 << 30));
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/file-oddities/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("nothing", test_nothing);
  ADD ("bytes", test_bytes);
  ADD ("overlapping", test_overlapping);
  ADD ("edits-in-order", test_edits_in_order);
  ADD ("names", test_names);
  ADD ("quoted", test_quoted);
  ADD ("patterns", test_patterns);
  ADD ("large", test_large);
  ADD ("growing", test_growing);
  return g_test_run ();
}
