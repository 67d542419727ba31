/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a sandboxed command can reach. Each thing that it must not reach is there to be reached: the
 * same look from outside of the sandbox succeeds. */

#include "config.h"

#include "test-sandbox.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

typedef TestSandbox Fixture;

#define run test_sandbox_run
#define assert_output test_sandbox_assert
#define write_file test_write_file
#define remove_tree test_remove_tree

static void
test_workspace (Fixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *path = NULL;

  if (self->sandbox == NULL)
    return;
  path = g_build_filename (self->workspace, "made", NULL);
  assert_output (self, self->workspace, self->workspace, "echo content > made; mkdir d; pwd");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "content\n");
}

static void
test_outside_is_read_only (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  assert_output (self, self->workspace, "0",
                 "n=0; for f in / /etc /usr /usr/bin /var /opt /run /sys; do "
                 "touch $f/gadget-was-here 2>/dev/null && n=$((n+1)); done; echo $n");
  /* Also with whatever rights it can still get. */
  assert_output (self, self->workspace, "1 1",
                 "mount -o remount,rw / 2>/dev/null; a=$?; "
                 "unshare -Ur mount -o remount,rw / 2>/dev/null; b=$?; "
                 "echo $((a != 0)) $((b != 0))");
}

static void
test_home_is_hidden (Fixture *self, gconstpointer data)
{
  g_autofree char *key = NULL;
  g_autofree char *command = NULL;

  if (self->sandbox == NULL)
    return;
  key = g_build_filename (self->home, ".ssh", "id", NULL);
  g_assert_true (g_file_test (key, G_FILE_TEST_EXISTS));
  command = g_strdup_printf ("cat %s %s/Projects/other/file 2>/dev/null; ls -A %s; "
                             "touch %s/lost 2>/dev/null; ls -A ~ /root /home | wc -w; "
                             "umount %s 2>/dev/null; unshare -Ur umount %s 2>/dev/null; "
                             "cat %s 2>/dev/null; echo end",
                             key, self->home, self->home, self->home, self->home, self->home, key);

  g_autofree char *output = run (self, self->workspace, command);

  g_autofree char *lost = g_build_filename (self->home, "lost", NULL);

  g_assert_false (g_file_test (lost, G_FILE_TEST_EXISTS));
  g_assert_null (strstr (output, "private-key"));
  g_assert_null (strstr (output, "other-project"));
  g_assert_true (g_str_has_prefix (output, "Projects\n"));
  g_assert_true (g_str_has_suffix (output, "end"));
}

static void
test_no_network (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  assert_output (self, NULL, "lo",
                 "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | sort -u | head -5");
  assert_output (self, NULL, "unreachable",
                 "(echo > /dev/tcp/192.0.2.1/80) 2>/dev/null && echo reached || echo unreachable");
}

/* A server on our loopback is not theirs. */
static void
test_no_loopback_of_ours (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *command = NULL;
  g_autoptr (TestProcess) outside = NULL;

  if (self->sandbox == NULL)
    return;
  command = g_strdup_printf ("(echo > /dev/tcp/127.0.0.1/%u) 2>/dev/null && echo reached || "
                             "echo unreachable",
                             port);
  outside = test_process_start (command, NULL, NULL, 0);
  test_process_wait (outside);
  g_assert_cmpstr (outside->output->str, ==, "reached\n");
  assert_output (self, NULL, "unreachable", command);
}

static void
test_private_places (Fixture *self, gconstpointer data)
{
  g_autofree char *secret = NULL;
  g_autofree char *command = NULL;

  if (self->sandbox == NULL)
    return;
  secret = g_build_filename (g_get_tmp_dir (), "gadget-outside-XXXXXX", NULL);
  close (g_mkstemp (secret));
  command =
      g_strdup_printf ("test -e %s && echo seen; touch /tmp/mine && echo writable; "
                       "ls -A /run | grep -vx gadget-supervise; ls -A /tmp | sort | tr '\\n' ' '",
                       secret);
  assert_output (self, NULL, "writable\nhome mine work", command);
  g_assert_false (g_file_test ("/tmp/mine", G_FILE_TEST_EXISTS));
  assert_output (self, NULL, "/tmp/work\n0\n/tmp/home", "pwd; ls -A | wc -l; cd; pwd");
  g_remove (secret);
}

static void
test_no_other_process (Fixture *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = NULL;
  g_autoptr (TestProcess) other = NULL;
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) service = NULL;

  if (self->sandbox == NULL)
    return;
  /* A process of ours, with a key in its environment. */
  g_subprocess_launcher_setenv (launcher, "GADGET_TEST_SECRET", "sk-visible", TRUE);
  service = g_subprocess_launcher_spawn (launcher, NULL, "sleep", marker, NULL);
  test_wait_alive (marker, 1);
  command = g_strdup_printf ("cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | "
                             "grep -c sk-visible; env | grep -c GADGET; kill -9 %s 2>/dev/null; "
                             "kill -9 -1 2>/dev/null",
                             g_subprocess_get_identifier (service));

  other = test_process_start (command, NULL, self->sandbox, 0);
  test_process_wait (other);
  g_assert_no_error (other->error);
  g_assert_cmpstr (other->output->str, ==, "0\n0\n");
  g_assert_cmpuint (test_count_alive (marker), ==, 1);
  g_subprocess_send_signal (service, SIGKILL);
  g_assert_true (g_subprocess_wait (service, NULL, NULL));
}

static void
test_no_bus (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  assert_output (self, NULL, "none",
                 "echo ${DBUS_SESSION_BUS_ADDRESS:-none}${XDG_RUNTIME_DIR}${DISPLAY}; "
                 "ls /run/dbus /run/user /tmp/.X11-unix 2>/dev/null");
}

static void
test_git_is_protected (Fixture *self, gconstpointer data)
{
  g_autofree char *hook = NULL;
  g_autofree char *config = NULL;
  g_autofree char *text = NULL;

  if (self->sandbox == NULL)
    return;
  write_file (self->workspace, ".git/config", "[core]\n");
  write_file (self->workspace, ".git/hooks/sample", "#!/bin/sh\n");
  write_file (self->workspace, ".git/HEAD", "ref: refs/heads/main\n");
  hook = g_build_filename (self->workspace, ".git/hooks/pre-commit", NULL);
  config = g_build_filename (self->workspace, ".git/config", NULL);
  assert_output (self, self->workspace, "1 1 1 1 1\nindex",
                 "exec 2>/dev/null; echo evil > .git/hooks/pre-commit; a=$?; "
                 "echo evil >> .git/config; b=$?; mv .git/hooks .git/h; c=$?; mv .git .g; d=$?; "
                 "echo evil > .git/c && mv -f .git/c .git/config; e=$?; rm -f .git/c; "
                 "echo $a $b $c $d $e; echo index > .git/index && cat .git/index");
  g_assert_false (g_file_test (hook, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (config, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "[core]\n");
}

/* The protected names may be anything in a folder that a model wrote. */
static void
test_git_of_links (Fixture *self, gconstpointer data)
{
  g_autofree char *git = NULL;
  g_autofree char *hooks = NULL;

  if (self->sandbox == NULL)
    return;
  git = g_build_filename (self->workspace, ".git", NULL);
  hooks = g_build_filename (git, "hooks", NULL);
  g_assert_cmpint (symlink ("/etc", git), ==, 0);
  assert_output (self, self->workspace, "ok", "echo ok");
  g_remove (git);
  write_file (self->workspace, ".git", "gitdir: /nowhere\n");
  assert_output (self, self->workspace, "ok", "echo ok");
  g_remove (git);
  g_assert_cmpint (g_mkdir (git, 0700), ==, 0);
  g_assert_cmpint (symlink (self->home, hooks), ==, 0);
  assert_output (self, self->workspace, "ok", "cat .git/hooks/.ssh/id 2>/dev/null; echo ok");
}

static void
test_wide_folders (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "/", "/home", "/root", "/tmp", "/run", "/var" };
  const char *true_argv[] = { "true", NULL };

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i <= G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *name = i < G_N_ELEMENTS (names) ? names[i] : self->home;

      const GadgetSandboxCommand command = {
        .helper = "/bin/true",
        .control_fd = 3,
        .workspace = name,
        .argv = true_argv,
      };

      g_assert_null (gadget_sandbox_prepare (self->sandbox, &command, &error));
      g_assert_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_DIRECTORY);
    }
}

/* A folder that is reached by a link is given under its real name. */
static void
test_linked_workspace (Fixture *self, gconstpointer data)
{
  g_autofree char *link = NULL;

  if (self->sandbox == NULL)
    return;
  link = g_build_filename (self->home, "link", NULL);
  g_assert_cmpint (symlink (self->workspace, link), ==, 0);
  assert_output (self, link, self->workspace, "touch made && pwd -P");
}

static void
test_odd_names (Fixture *self, gconstpointer data)
{
  g_autofree char *odd = NULL;

  if (self->sandbox == NULL)
    return;
  odd = g_build_filename (self->home, "a b'\"$(touch x)\n--ro-bind ü", NULL);
  g_assert_cmpint (g_mkdir (odd, 0700), ==, 0);
  assert_output (self, odd, odd, "touch made && pwd");
}

/* Where no /proc can be mounted ours shows through; then the helper counts by other numbers than
 * its own, ends just the same, and what the kernel lets be read of others holds no key. */
static void
test_our_proc (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_BUBBLEWRAP, FALSE);
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = NULL;
  g_autoptr (TestProcess) process = NULL;
  g_autoptr (TestProcess) look = NULL;
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) service = NULL;

  if (self->sandbox == NULL)
    return;
  command = g_strdup_printf ("sleep %s & trap '' TERM; setsid sleep %s & trap - TERM; "
                             "echo ready; wait",
                             marker, marker);
  process = test_process_start (command, self->workspace, sandbox, 0);
  test_process_wait_output (process, "ready");
  test_process_abort (process);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->confirmed);
  g_assert_cmpint (process->result->signal, ==, SIGTERM);
  g_assert_cmpuint (process->result->n_terminated, ==, 1);
  g_assert_cmpuint (process->result->n_killed, ==, 1);
  test_assert_none_alive (marker);

  g_subprocess_launcher_setenv (launcher, "GADGET_TEST_SECRET", "sk-visible", TRUE);
  service = g_subprocess_launcher_spawn (launcher, NULL, "sleep", marker, NULL);
  test_wait_alive (marker, 1);
  g_free (command);
  command = g_strdup_printf ("cat /proc/[0-9]*/environ 2>/dev/null | grep -ac sk-visible; "
                             "cat /proc/[0-9]*/root/%s/.ssh/id 2>/dev/null | grep -c private-key",
                             self->home);
  look = test_process_start (command, NULL, sandbox, 0);
  test_process_wait (look);
  g_subprocess_send_signal (service, SIGKILL);
  g_assert_true (g_subprocess_wait (service, NULL, NULL));
  g_assert_no_error (look->error);
  g_assert_cmpstr (look->output->str, ==, "0\n0\n");
}

/* Stands for flatpak-spawn: goes to the folder and runs what follows. */
static const char fake_spawn[] = "#!/bin/bash\n"
                                 "while [[ $1 == --* ]]; do\n"
                                 "  echo \"$1\" >> \"${0%/*}/options\"\n"
                                 "  [[ $1 != --directory=* ]] || cd \"${1#*=}\"\n"
                                 "  shift\n"
                                 "done\n"
                                 "exec \"$@\"\n";

static void
test_flatpak (void)
{
  static const char *const needed[] = { "--sandbox", "--watch-bus", "--no-network",
                                        "--forward-fd=3" };
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_FLATPAK, FALSE);
  g_autofree char *folder = g_dir_make_tmp ("gadget-flatpak-XXXXXX", NULL);
  g_autofree char *expose = g_strconcat ("--sandbox-expose-path=", folder, NULL);
  g_autofree char *program = g_build_filename (folder, "flatpak-spawn", NULL);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command =
      g_strdup_printf ("setsid sleep %s & sleep 0.1; pwd; echo ready; wait", marker);
  g_autoptr (TestProcess) process = NULL;
  g_autofree char *options = NULL;
  g_auto (GStrv) words = NULL;

  write_file (folder, "flatpak-spawn", fake_spawn);
  g_assert_cmpint (g_chmod (program, 0755), ==, 0);
  g_setenv ("PATH", folder, TRUE);
  process = test_process_start (command, folder, sandbox, 0);
  test_process_wait_output (process, "ready");
  g_setenv ("PATH", path, TRUE);
  g_assert_true (g_str_has_prefix (process->output->str, folder));
  test_process_abort (process);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->confirmed);
  g_assert_cmpuint (process->result->n_terminated, ==, 1);
  test_assert_none_alive (marker);

  g_autofree char *list = g_build_filename (folder, "options", NULL);

  g_assert_true (g_file_get_contents (list, &options, NULL, NULL));
  words = g_strsplit (options, "\n", -1);
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    g_assert_true (g_strv_contains ((const char *const *) words, needed[i]));
  g_assert_true (g_strv_contains ((const char *const *) words, expose));
  remove_tree (folder);
}

static void
test_missing_bubblewrap (void)
{
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_BUBBLEWRAP, TRUE);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autoptr (TestProcess) process = NULL;

  g_setenv ("PATH", "/nowhere", TRUE);
  process = test_process_start ("true", NULL, sandbox, 0);
  test_process_wait (process);
  g_setenv ("PATH", path, TRUE);
  g_assert_error (process->error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_SANDBOX);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox/" path, Fixture, NULL, test_sandbox_set_up, function,               \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("workspace", test_workspace);
  ADD ("outside-is-read-only", test_outside_is_read_only);
  ADD ("home-is-hidden", test_home_is_hidden);
  ADD ("no-network", test_no_network);
  ADD ("no-loopback-of-ours", test_no_loopback_of_ours);
  ADD ("private-places", test_private_places);
  ADD ("no-other-process", test_no_other_process);
  ADD ("no-bus", test_no_bus);
  ADD ("git-is-protected", test_git_is_protected);
  ADD ("git-of-links", test_git_of_links);
  ADD ("wide-folders", test_wide_folders);
  ADD ("linked-workspace", test_linked_workspace);
  ADD ("odd-names", test_odd_names);
  ADD ("our-proc", test_our_proc);
  g_test_add_func ("/engine/sandbox/flatpak", test_flatpak);
  g_test_add_func ("/engine/sandbox/missing-bubblewrap", test_missing_bubblewrap);
  return test_sandbox_finish ();
}
