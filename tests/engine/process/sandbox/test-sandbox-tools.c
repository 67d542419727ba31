/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What commands see of the home folder: programs, and nothing else. */

#include "config.h"

#include "test-sandbox.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static void
write_program (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  test_write_file (folder, name, text);
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static void
fill_home (const char *home)
{
  write_program (home, ".cargo/bin/cargo", "#!/bin/sh\necho cargo at $CARGO_HOME\n");
  write_program (home, ".local/bin/mine", "#!/bin/sh\necho mine\n");
  write_program (home, ".nvm/versions/node/v9.1.0/bin/node", "#!/bin/sh\necho old\n");
  write_program (home, ".nvm/versions/node/v20.1.0/bin/node", "#!/bin/sh\necho new\n");
  write_program (home, ".local/share/mise/installs/zig/latest/bin/zig", "#!/bin/sh\necho zig\n");
  write_program (home, "tools/bin/special", "#!/bin/sh\necho special\n");
  test_write_file (home, ".rustup/settings.toml", "");
  test_write_file (home, ".cargo/credentials.toml", "token-of-cargo");
  test_write_file (home, ".cargo/bin/.npmrc", "token-of-npm");
  test_write_file (home, ".rustup/toolchains/x/credentials", "token-of-rustup");
  test_write_file (home, ".cargo/registry/cache/x.crate", "crate");
  test_write_file (home, ".npmrc", "token-of-home");
}

static char *
dup_path (GadgetSandboxTools *tools)
{
  return gadget_sandbox_tools_dup_path (tools, "/usr/bin");
}

static void
test_none (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GadgetSandboxTools) tools = NULL;
  g_autofree char *path = NULL;

  if (self->sandbox == NULL)
    return;
  tools = gadget_sandbox_tools_find (self->home, NULL);
  path = dup_path (tools);
  g_assert_cmpuint (tools->folders->len, ==, 0);
  g_assert_cmpstr (path, ==, "/usr/bin");
}

static void
test_found (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GadgetSandboxTools) tools = NULL;
  g_autofree char *path = NULL;
  g_autofree char *expected = NULL;

  if (self->sandbox == NULL)
    return;
  fill_home (self->home);
  tools = gadget_sandbox_tools_find (self->home, NULL);
  path = dup_path (tools);
  expected = g_strdup_printf ("%s/.local/bin:%s/.cargo/bin:%s/.nvm/versions/node/v20.1.0/bin:"
                              "%s/.local/share/mise/installs/zig/latest/bin:/usr/bin",
                              self->home, self->home, self->home, self->home);
  g_assert_cmpstr (path, ==, expected);
  g_assert_cmpuint (tools->masked->len, ==, 2);
}

static void
test_shown (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GadgetSandboxTools) tools = NULL;
  g_autofree char *command = NULL;
  g_autofree char *hidden = NULL;

  if (self->sandbox == NULL)
    return;
  fill_home (self->home);
  tools = gadget_sandbox_tools_find (self->home, NULL);
  gadget_sandbox_set_tools (self->sandbox, tools);
  command = g_strdup_printf ("mine; node; zig; echo $RUSTUP_HOME; "
                             "echo x 2>/dev/null > %s/.cargo/bin/evil || echo read-only",
                             self->home);

  g_autofree char *expected = g_strdup_printf ("mine\nnew\nzig\n%s/.rustup\nread-only", self->home);

  test_sandbox_assert (self, self->workspace, expected, command);
  hidden = g_strdup_printf ("cat %s/.npmrc $(find %s -type f -o -name .npmrc -o -name 'cred*') "
                            "2>/dev/null | grep -c token; ls -A %s | sort | tr '\\n' ' '",
                            self->home, self->home, self->home);
  test_sandbox_assert (self, self->workspace, "0\n.cargo .local .nvm .rustup Projects", hidden);
}

static void
test_changes (TestSandbox *self, gconstpointer data)
{
  g_autofree char *elsewhere = NULL;
  g_autoptr (GadgetSandboxTools) tools = NULL;
  g_autofree char *path = NULL;

  if (self->sandbox == NULL)
    return;
  fill_home (self->home);
  elsewhere = g_build_filename (self->home, "link", NULL);
  g_assert_cmpint (symlink (".ssh", elsewhere), ==, 0);

  const char *changes[] = { "~/tools", "-~/.local/bin", "~/nothing", "~", "~/.ssh",
                            "/",       elsewhere,       "~/.config", NULL };

  test_write_file (self->home, ".config/x", "");
  tools = gadget_sandbox_tools_find (self->home, changes);
  path = dup_path (tools);
  g_assert_true (g_str_has_prefix (path, self->home));
  g_assert_true (g_str_has_prefix (path + strlen (self->home), "/tools/bin:"));
  g_assert_null (strstr (path, ".local/bin"));
  /* The home folder, .ssh, the root, a link to .ssh, .config. */
  g_assert_cmpuint (tools->refused->len, ==, 5);
  gadget_sandbox_set_tools (self->sandbox, tools);
  test_sandbox_assert (self, self->workspace, "special", "special; mine 2>/dev/null");
}

/* A workspace among the tools is writable, and one that holds them too. */
static void
test_workspace_among_them (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GadgetSandboxTools) tools = NULL;
  g_autofree char *inner = NULL;
  g_autofree char *outer = NULL;

  if (self->sandbox == NULL)
    return;
  fill_home (self->home);
  tools = gadget_sandbox_tools_find (self->home, NULL);
  gadget_sandbox_set_tools (self->sandbox, tools);
  inner = g_build_filename (self->home, ".local/share/mise/installs/zig", NULL);
  outer = g_build_filename (self->home, ".cargo", NULL);
  test_sandbox_assert (self, inner, "ok", "touch made && rm made && echo ok");
  test_sandbox_assert (self, outer, "ok", "touch bin/made && rm bin/made && echo ok");
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-tools/" path, TestSandbox, NULL, test_sandbox_set_up, function,     \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("none", test_none);
  ADD ("found", test_found);
  ADD ("shown", test_shown);
  ADD ("changes", test_changes);
  ADD ("workspace-among-them", test_workspace_among_them);
  return test_sandbox_finish ();
}
