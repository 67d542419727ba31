/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "search-tools-fixture.h"
#include "common/gadget-blocking.h"
#include "test-process.h"
#include "test-store.h"
#include "tools/search/gadget-tool-find-files.h"
#include "wait.h"

#include <glib/gstdio.h>

void
search_put_bytes (Fixture *fixture, const char *path, const char *bytes, gssize length)
{
  g_autofree char *full = g_build_filename (fixture->workspace, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, bytes, length, NULL));
}

void
search_put (Fixture *fixture, const char *path, const char *text)
{
  search_put_bytes (fixture, path, text, -1);
}

void
search_set_up (Fixture *fixture, gconstpointer data)
{
  const Way way = GPOINTER_TO_INT (data);
  g_autoptr (GadgetSandbox) sandbox = NULL;

  fixture->top = test_dir_new ();
  fixture->workspace = g_build_filename (fixture->top, "work", NULL);
  g_assert_cmpint (g_mkdir (fixture->workspace, 0700), ==, 0);
  fixture->ripgrep = gadget_ripgrep_new ();
  fixture->find_files = gadget_tool_find_files_new (fixture->ripgrep);
  fixture->search = gadget_tool_search_new (fixture->ripgrep);
  if (way == SANDBOXED)
    {
      sandbox = test_get_sandbox ();
      fixture->skipped = sandbox == NULL;
    }
  gadget_ripgrep_set_sandbox (fixture->ripgrep, sandbox);
}

void
search_tear_down (Fixture *fixture, gconstpointer data)
{
  wait_until (gadget_blocking_get_n_given_up () == 0);
  g_object_unref (fixture->find_files);
  g_object_unref (fixture->search);
  g_object_unref (fixture->ripgrep);
  g_free (fixture->workspace);
  test_dir_free (fixture->top);
}

void
search_start (Fixture *fixture, GadgetTool *tool, const char *arguments, GCancellable *cancellable,
              ToolCall *call)
{
  const GadgetToolContext context = { .workspace = fixture->workspace };

  tool_call_start (call, tool, &context, arguments, cancellable);
}

void
search_run (Fixture *fixture, GadgetTool *tool, const char *arguments, ToolCall *call)
{
  search_start (fixture, tool, arguments, NULL, call);
  wait_until (call->done);
}

void
search_add (const char *name, void (*test) (Fixture *, gconstpointer))
{
  static const struct
  {
    const char *name;
    Way way;
  } ways[] = {
    { "unconfined", UNCONFINED },
    { "sandboxed", SANDBOXED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strdup_printf ("/engine/search/%s/%s", name, ways[i].name);

      g_test_add (path, Fixture, GINT_TO_POINTER (ways[i].way), search_set_up, test,
                  search_tear_down);
    }
}
