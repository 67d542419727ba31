/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog of imports: progress, Cancel, the report and Undo Import. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-window.h"
#include "wait.h"

/* A dialog that opens or goes is animated, for longer with sanitizers. */
#define SETTLE_MS (20 * WAIT_S)

static GtkWidget *
get_root (TestWindow *self)
{
  return GTK_WIDGET (self->window);
}

static GadgetImports *
get_imports (TestWindow *self)
{
  return gadget_engine_get_imports (self->engine);
}

static void
open_dialog (TestWindow *self)
{
  GtkWidget *label;

  test_key ("ctrl+comma");
  wait_until ((label = test_find_label (get_root (self), "Storage")) != NULL);
  test_run_for (SETTLE_MS); /* it is moving */
  test_click (label);
  test_press (get_root (self), "Import…");
  wait_until (test_find_button (get_root (self), "Import File…") != NULL);
  test_run_for (SETTLE_MS);
}

static void
start (TestWindow *self, const char *path)
{
  gadget_imports_start (get_imports (self), (const char *const[]) { path, NULL });
}

static void
start_sample (TestWindow *self, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "import", name, NULL);

  start (self, path);
}

static guint
count_chats (TestWindow *self)
{
  return g_list_model_get_n_items (gadget_engine_get_sessions (self->engine));
}

/* Returns the path of a file with so many chats. */
static char *
write_many (TestWindow *self, guint n_chats)
{
  g_autoptr (GString) text = g_string_new ("[");
  char *path = g_build_filename (
      gadget_store_get_directory (gadget_engine_get_store (self->engine)), "many.json", NULL);

  for (guint i = 0; i < n_chats; i++)
    {
      g_string_append_printf (text, "%s{\"uuid\":\"%u\",\"chat_messages\":[", i > 0 ? "," : "", i);
      for (guint j = 0; j < 40; j++)
        g_string_append_printf (text, "%s{\"uuid\":\"%u\",\"sender\":\"%s\",\"text\":\"words\"}",
                                j > 0 ? "," : "", j, j % 2 == 0 ? "human" : "assistant");
      g_string_append (text, "]}");
    }
  g_string_append_c (text, ']');
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return path;
}

static void
test_report (TestWindow *self, gconstpointer data)
{
  const guint before = count_chats (self);

  open_dialog (self);
  g_assert_true (test_says (get_root (self), "No Chats Imported Yet"));
  start_sample (self, "chatgpt.json");
  wait_until (test_find_button (get_root (self), "Undo Import…") != NULL);

  g_assert_true (test_says (get_root (self), "2 chats were imported"));
  g_assert_nonnull (test_find_row (get_root (self), "Imported chats"));
  g_assert_nonnull (test_find_row (get_root (self), "Branches of these chats"));
  g_assert_nonnull (test_find_row (get_root (self), "Chats without messages"));
  g_assert_nonnull (test_find_row (get_root (self), "Files and images"));
  g_assert_null (test_find_row (get_root (self), "Here already, not imported again"));
  g_assert_false (test_says (get_root (self), "Running"));
  /* They are in the list without another start. */
  wait_until (count_chats (self) == before + 4);
  test_run_for (SETTLE_MS);
  test_press (get_root (self), "Undo Import…");
  wait_until (test_says (get_root (self), "Undo This Import?"));
  test_run_for (SETTLE_MS);
  g_assert_cmpuint (count_chats (self), ==, before + 4);
  test_press (get_root (self), "_Undo Import");
  wait_until (test_says (get_root (self), "Undone"));
  wait_until (count_chats (self) == before);
  g_assert_null (test_find_button (get_root (self), "Undo Import…"));
}

static void
test_cancel (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = write_many (self, 4000);
  const guint before = count_chats (self);

  open_dialog (self);
  start (self, path);
  start (self, path);
  wait_until (gadget_imports_get_n_chats (get_imports (self)) > 0);
  g_assert_true (test_says (get_root (self), "many.json"));
  g_assert_cmpfloat (gadget_imports_get_fraction (get_imports (self)), >, 0);
  test_press (get_root (self), "Cancel");
  wait_until (gadget_imports_get_running (get_imports (self)) == NULL);
  g_assert_true (test_says (get_root (self), "No Chats Imported Yet"));
  g_assert_cmpuint (count_chats (self), ==, before);
}

/* A file that is none of the known ones says so, and those that wait come next. */
static void
test_failure (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (
      gadget_store_get_directory (gadget_engine_get_store (self->engine)), "picture.json", NULL);

  g_assert_true (g_file_set_contents (path, "\x89PNG\r\n\x1a\n", 8, NULL));
  start (self, path);
  start_sample (self, "claude.zip");
  open_dialog (self);
  wait_until (test_says (get_root (self), "picture.json: Gadget cannot read this file."));
  wait_until (test_find_row (get_root (self), "claude.zip") != NULL);
  g_assert_nonnull (test_find_row (get_root (self), "Imported chats"));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func)                                                                            \
  g_test_add ("/ui/import-dialog/" path, TestWindow, NULL, test_window_set_up, func,               \
              test_window_tear_down)
  ADD ("report", test_report);
  ADD ("cancel", test_cancel);
  ADD ("failure", test_failure);
#undef ADD
  return g_test_run ();
}
