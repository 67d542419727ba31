/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-sandbox.h"
#include "test-store.h"
#include "tools/shell/gadget-commands.h"

#include <string.h>

typedef struct
{
  char *directory;
  GadgetStore *store;
  GadgetToolbox *toolbox;
  GadgetCommands *commands;
  char *path;
} Fixture;

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *opened = user_data;

  gadget_commands_open_finish (GADGET_COMMANDS (source), result);
  *opened = TRUE;
}

static void
open_commands (Fixture *self)
{
  g_autofree char *cache = g_build_filename (self->directory, "cache", NULL);
  gboolean opened = FALSE;

  self->toolbox = gadget_toolbox_new ();
  self->commands = gadget_commands_new (self->store, self->toolbox);
  gadget_commands_open_async (self->commands, cache, opened_cb, &opened);
  while (!opened)
    g_main_context_iteration (NULL, TRUE);
}

/* The probe of the network may still hold it. */
static gboolean
is_last (gpointer user_data)
{
  return G_OBJECT (user_data)->ref_count == 1;
}

static void
close_commands (Fixture *self)
{
  while (!is_last (self->commands))
    g_main_context_iteration (NULL, TRUE);
  g_assert_finalize_object (self->commands);
  g_assert_finalize_object (self->toolbox);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->path = g_strdup (g_getenv ("PATH"));
  self->directory = test_dir_new ();
  self->store = test_store_open (self->directory);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_setenv ("PATH", self->path, TRUE);
  g_free (self->path);
  test_store_close (self->store);
  test_dir_free (self->directory);
}

static GadgetPrompt *
ask (Fixture *self)
{
  g_autoptr (JsonObject) arguments = json_object_new ();
  GadgetToolContext context = { .workspace = self->directory };

  json_object_set_string_member (arguments, "command", "ls");
  return gadget_tool_permission (gadget_toolbox_find (self->toolbox, "shell"), arguments, &context);
}

static void
test_confined (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetSandbox) sandbox = test_get_sandbox ();
  g_autoptr (GadgetPrompt) prompt = NULL;

  if (sandbox == NULL)
    return;
  open_commands (self);
  g_assert_true (gadget_commands_get_offered (self->commands));
  g_assert_null (gadget_commands_get_reason (self->commands));
  g_assert_nonnull (gadget_commands_get_tools (self->commands));
  /* It is for where there is none. */
  gadget_commands_set_unconfined (self->commands, TRUE);
  prompt = ask (self);
  g_assert_cmpuint (gadget_prompt_get_n_accesses (prompt), ==, 1);
  g_assert_true (gadget_prompt_get_access (prompt, 0)->confined);
  close_commands (self);
}

static void
test_unconfined (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetPrompt) prompt = NULL;

  g_setenv ("PATH", "/nowhere", TRUE);
  open_commands (self);
  g_assert_false (gadget_commands_get_offered (self->commands));
  g_assert_nonnull (strstr (gadget_commands_get_reason (self->commands), "bubblewrap"));
  g_assert_null (gadget_commands_get_sandbox (self->commands));
  g_assert_false (gadget_commands_get_unconfined (self->commands));

  gadget_commands_set_unconfined (self->commands, TRUE);
  g_assert_true (gadget_commands_get_offered (self->commands));
  prompt = ask (self);
  g_assert_nonnull (
      strstr (gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING), "not confined"));
  g_assert_false (gadget_prompt_get_access (prompt, 0)->confined);
  close_commands (self);

  /* It is kept, and taken back. */
  open_commands (self);
  g_assert_true (gadget_commands_get_offered (self->commands));
  gadget_commands_set_unconfined (self->commands, FALSE);
  g_assert_false (gadget_commands_get_offered (self->commands));
  close_commands (self);
  open_commands (self);
  g_assert_false (gadget_commands_get_offered (self->commands));
  close_commands (self);
}

static void
count_cb (GadgetCommands *commands, guint *count)
{
  *count += 1;
}

static void
test_changes (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetSandbox) sandbox = test_get_sandbox ();
  const char *changes[] = { "/opt", NULL };
  guint n_folders;
  guint count = 0;

  if (sandbox == NULL)
    return;
  open_commands (self);
  n_folders = gadget_commands_get_tools (self->commands)->folders->len;
  while (!is_last (self->commands))
    g_main_context_iteration (NULL, TRUE);
  g_signal_connect (self->commands, "changed", G_CALLBACK (count_cb), &count);
  gadget_commands_set_changes (self->commands, changes);
  while (count == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (gadget_commands_get_tools (self->commands)->folders->len, ==, n_folders + 1);
  close_commands (self);
  open_commands (self);
  g_assert_cmpstr (gadget_commands_get_changes (self->commands)[0], ==, "/opt");
  g_assert_cmpuint (gadget_commands_get_tools (self->commands)->folders->len, ==, n_folders + 1);
  close_commands (self);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/commands/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("confined", test_confined);
  ADD ("unconfined", test_unconfined);
  ADD ("changes", test_changes);
  return test_sandbox_finish ();
}
