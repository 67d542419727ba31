/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ways out of a sandbox that others left open, each tried. What has to be refused is refused by the
 * kernel, not by good manners: the same is done by a program that does nothing else. */

#include "config.h"

#include "test-sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static void
test_calls (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_sandbox_install_try_call (self);
  test_sandbox_assert (self, self->workspace,
                       "add_key: EPERM\nkeyctl: EPERM\nrequest_key: EPERM\nunshare: EPERM\n"
                       "clone: EPERM\nclone3: ENOSYS\ntiocsti: EPERM\ntiocsti-wide: EPERM\n"
                       "vsock: EAFNOSUPPORT\npacket: EAFNOSUPPORT\nio_uring: ENOSYS\n"
                       "unix: EAFNOSUPPORT\ninet: done\nsocketpair: done\npair=x: EPROTONOSUPPORT",
                       "./try-call add_key keyctl request_key unshare clone clone3 tiocsti "
                       "tiocsti-wide vsock packet io_uring unix inet socketpair pair=x");
}

/* How often which answer came. */
#define TALLY " | cut -d' ' -f2 | sort | uniq -c | awk '{ print $1, $2 }'"

/* By a copy of a shell with such a bit others would become this user. A shared folder has the one
 * of its group, and tools keep that for the folders that they make. */
static void
test_set_id (TestSandbox *self, gconstpointer data)
{
  static const char calls[] = "chmod,fchmod,fchmodat,fchmodat2,open,creat,tmpfile,mknod,openat2";
  g_autofree char *user = g_strdup_printf ("./try-call suid-{%s}" TALLY, calls);
  g_autofree char *group = g_strdup_printf ("./try-call sgid-{%s}" TALLY, calls);
  g_autofree char *usual = g_strdup_printf ("./try-call mode-{%s} suid-mkdir" TALLY, calls);

  if (self->sandbox == NULL)
    return;
  test_sandbox_install_try_call (self);
  test_sandbox_assert (self, self->workspace, "1 ENOSYS\n8 EPERM", user);
  test_sandbox_assert (self, self->workspace, "1 ENOSYS\n8 EPERM", group);
  test_sandbox_assert (self, self->workspace, "1 ENOSYS\n9 done", usual);
  test_sandbox_assert (self, self->workspace, "rwxr-xr-x worked",
                       "mkdir d && cp -p /usr/bin/passwd d/p 2>/dev/null; install -m 755 /bin/sh s "
                       "&& tar -c s | tar -x -C d && stat -c %A d/s | cut -c2- | tr '\\n' ' ' "
                       "&& test -z \"$(find . -perm /6000)\" && echo worked");
  g_assert_cmpint (g_chmod (self->workspace, 02755), ==, 0);
  test_sandbox_assert (self, self->workspace, "1 ENOSYS\n8 EPERM", user);
  test_sandbox_assert (self, self->workspace, "drwxrwsr-x",
                       "mkdir shared && chmod g+w shared && stat -c %A shared");
}

/* The 32-bit calls of the same processor have numbers of their own. */
static void
test_rights (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_sandbox_assert (self, self->workspace,
                       "CapInh:0000000000000000\nCapPrm:0000000000000000\n"
                       "CapEff:0000000000000000\nCapBnd:0000000000000000\n"
                       "CapAmb:0000000000000000\nNoNewPrivs:1\nSeccomp:2",
                       "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -d '\\t '");
}

/* A program that no file holds is confined as any: the user's key is as far. */
static void
test_memory (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_sandbox_install_try_call (self);
  test_sandbox_assert (self, self->workspace,
                       "unshare: EPERM\nmemory=unshare: done\n"
                       "tiocsti: EPERM\nmemory=tiocsti: done",
                       "./try-call memory=unshare memory=tiocsti");
}

/* A program that is to run as root does not: no new privileges. */
static void
test_setuid (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_sandbox_install_try_call (self);

  g_autofree char *program = g_build_filename (self->workspace, "try-call", NULL);

  g_assert_cmpint (g_chmod (program, 04755), ==, 0);
  test_sandbox_assert (self, self->workspace, "setuid: EINVAL",
                       "./try-call setuid | sed s/EPERM/EINVAL/");
}

static void
test_devices (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_sandbox_install_try_call (self);
  test_sandbox_assert (self, self->workspace, "mknod: EPERM", "./try-call mknod");
  test_sandbox_assert (self, self->workspace, "",
                       "cd /dev; for f in sd* vd* nvme* mem kmem kmsg port fuse kvm net/tun input "
                       "dri snd hidraw* video*; do test -e $f && echo $f; done");
  /* Nothing of a device that lies in the workspace. */
  if (geteuid () == 0)
    {
      g_autofree char *device = g_build_filename (self->workspace, "null", NULL);

      if (mknod (device, S_IFCHR | 0666, makedev (1, 3)) == 0)
        test_sandbox_assert (self, self->workspace, "refused",
                             "(: > null) 2>/dev/null && echo opened || echo refused");
    }
}

static void
test_proc_root (TestSandbox *self, gconstpointer data)
{
  g_autofree char *command = NULL;

  if (self->sandbox == NULL)
    return;
  command = g_strdup_printf ("exec 2>/dev/null; for r in /proc/self/root /proc/1/root "
                             "/proc/self/cwd/../.. /proc/thread-self"
                             "/root; do cat $r%s/.ssh/id $r/%s/Projects/other/file; done; cat "
                             "/proc/1/environ /proc/1/mem; "
                             "cat /proc/1/fd/*; echo end",
                             self->home, self->home);
  test_sandbox_assert (self, self->workspace, "end", command);
}

/* The helper ends the tree: who could change it would live on. */
static void
test_ptrace (TestSandbox *self, gconstpointer data)
{
  g_autofree char *strace = g_find_program_in_path ("strace");

  if (self->sandbox == NULL)
    return;
  test_sandbox_assert (self, self->workspace, "1 0",
                       "kill -STOP 1; kill -KILL 1; cat /proc/1/maps >/dev/null 2>&1; a=$?; "
                       "grep -c 'State:.*[TtXZ]' /proc/1/status | (read b; echo $a $b)");
  if (strace == NULL)
    return;
  test_sandbox_assert (self, self->workspace, "refused\nallowed",
                       "strace -qp 1 2>&1 | grep -q 'Operation not permitted' && echo refused; "
                       "strace -qo /dev/null true && echo allowed");
}

/* No name of a file outside can be made in the workspace; one that the user made is his own doing.
 */
static void
test_hard_links (TestSandbox *self, gconstpointer data)
{
  g_autofree char *command = NULL;

  if (self->sandbox == NULL)
    return;
  command = g_strdup_printf ("exec 2>/dev/null; ln /etc/passwd p; ln %s/.ssh/id k; "
                             "ln /usr/bin/env h; ln /tmp/home/../../etc/group g; ls",
                             self->home);
  test_sandbox_assert (self, self->workspace, "", command);
}

/* Names by which one gets out of a folder: all of them lead to what is shown, or nowhere. */
static void
test_links_outwards (TestSandbox *self, gconstpointer data)
{
  g_autofree char *command = NULL;
  g_autofree char *link = NULL;
  g_autofree char *key = NULL;
  g_autofree char *text = NULL;

  if (self->sandbox == NULL)
    return;
  key = g_build_filename (self->home, ".ssh", "id", NULL);
  link = g_build_filename (self->workspace, "link", NULL);
  g_assert_cmpint (symlink (key, link), ==, 0);
  command = g_strdup_printf ("exec 2>/dev/null; cat link ../../.ssh/id %s; echo evil > link; "
                             "ln -s %s/.ssh s; ls s/; echo evil > s/new; mkdir -p ../evil; "
                             "echo evil > ../../evil; echo end",
                             key, self->home);
  test_sandbox_assert (self, self->workspace, "end", command);
  g_assert_true (g_file_get_contents (key, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "private-key");

  g_autofree char *beside = g_build_filename (self->home, "Projects", "evil", NULL);
  g_autofree char *above = g_build_filename (self->home, "evil", NULL);

  g_assert_false (g_file_test (beside, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (above, G_FILE_TEST_EXISTS));
}

static GSocketListener *
listen_abstract (const char *name)
{
  GSocketListener *listener = g_socket_listener_new ();
  g_autoptr (GSocketAddress) address =
      g_unix_socket_address_new_with_type (name, -1, G_UNIX_SOCKET_ADDRESS_ABSTRACT);
  g_autoptr (GError) error = NULL;

  g_socket_listener_add_address (listener, address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT,
                                 NULL, NULL, &error);
  g_assert_no_error (error);
  return listener;
}

/* Buses and display servers listen on names that no mount can hide. */
static void
test_abstract_socket (TestSandbox *self, gconstpointer data)
{
  g_autofree char *name = g_strdup_printf ("gadget-test-%d", (int) getpid ());
  g_autofree char *command = g_strdup_printf ("./try-call abstract=%s", name);
  g_autofree char *reached = g_strdup_printf ("abstract=%s: done\n", name);
  g_autofree char *refused = g_strdup_printf ("abstract=%s: EAFNOSUPPORT", name);
  g_autoptr (GSocketListener) listener = listen_abstract (name);
  g_autoptr (TestProcess) outside = NULL;

  if (self->sandbox == NULL)
    return;
  test_sandbox_install_try_call (self);
  outside = test_process_start (command, self->workspace, NULL, 0);
  test_process_wait (outside);
  g_assert_cmpstr (outside->output->str, ==, reached);
  test_sandbox_assert (self, self->workspace, refused, command);
}

/* A bus, and so a keyring, on a socket with a name, as desktops have it. */
static void
test_named_socket (TestSandbox *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "gadget-bus-XXXXXX", NULL);
  g_autofree char *command = NULL;
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GSocketAddress) address = NULL;

  if (self->sandbox == NULL)
    return;
  g_assert_nonnull (g_mkdtemp (path));

  g_autofree char *bus = g_build_filename (path, "bus", NULL);

  address = g_unix_socket_address_new (bus);
  g_assert_true (g_socket_listener_add_address (listener, address, G_SOCKET_TYPE_STREAM,
                                                G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, NULL));
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", TRUE);
  g_setenv ("SSH_AUTH_SOCK", bus, TRUE);
  g_setenv ("GNOME_KEYRING_CONTROL", path, TRUE);
  g_setenv ("ANTHROPIC_API_KEY", "sk-secret", TRUE);
  command = g_strdup_printf ("test -e %s && echo seen; ls /run/user /run/dbus /var/run/dbus "
                             "2>/dev/null; env | cut -d= -f1 | sort | tr '\\n' ' '",
                             bus);
  test_sandbox_assert (self, self->workspace, "HOME LANG PATH PWD SHLVL TERM _", command);
  g_unsetenv ("SSH_AUTH_SOCK");
  g_unsetenv ("GNOME_KEYRING_CONTROL");
  g_unsetenv ("ANTHROPIC_API_KEY");
  g_unsetenv ("DBUS_SESSION_BUS_ADDRESS");
  test_remove_tree (path);
}

/* A terminal of the user's is none of the command's, so that nothing can be typed into it. */
static void
test_no_terminal (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_sandbox_assert (self, self->workspace, "none",
                       "(: < /dev/tty) 2>/dev/null && echo terminal || echo none");
}

/* No second helper, no core file, no file without end. */
static void
test_limits (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_sandbox_assert (self, self->workspace, "0 0 67108864 4096 refused",
                       "(trap '' XFSZ; truncate -s 65G big) 2>/dev/null && r=made || r=refused; "
                       "echo $(ulimit -Hc) $(ulimit -Sc) $(ulimit -f) $(ulimit -Hu) $r");
  test_sandbox_assert (self, self->workspace, "0 67108864 4096",
                       "for l in c f u; do ulimit -H$l unlimited; done 2>/dev/null; "
                       "echo $(ulimit -c) $(ulimit -f) $(ulimit -u)");
}

/* Of what is open here, and does not say so, nothing is open there. */
static void
test_descriptors (TestSandbox *self, gconstpointer data)
{
  g_autofree char *path = NULL;
  int fd;

  if (self->sandbox == NULL)
    return;
  path = g_build_filename (self->home, ".ssh", "id", NULL);
  fd = open (path, O_RDONLY);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (dup2 (fd, 57), ==, 57);
  test_sandbox_assert (
      self, self->workspace, "end",
      "for f in $(seq 3 254); do [ ! -L /proc/$$/fd/$f ] || echo $f; done; echo end");
  close (57);
  close (fd);
}

/* Memory with a name, by which programs of one user speak to each other. */
static void
test_shared_memory (TestSandbox *self, gconstpointer data)
{
  g_autofree char *name = g_strdup_printf ("gadget-test-%d", (int) getpid ());
  g_autofree char *path = g_build_filename ("/dev/shm", name, NULL);
  g_autofree char *command =
      g_strdup_printf ("cat %s 2>/dev/null; echo inside >%s-2 && cat %s-2", path, path, path);
  g_autofree char *other = g_strconcat (path, "-2", NULL);

  if (self->sandbox == NULL)
    return;
  if (!g_file_set_contents (path, "outside", -1, NULL))
    {
      g_test_message ("nothing can be written to /dev/shm here");
      return;
    }
  test_sandbox_assert (self, self->workspace, "inside", command);
  g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* Its own process numbers are the only ones: ours is nobody's there, or another's. */
static void
test_signals (TestSandbox *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *sleep = g_strdup_printf ("sleep %s", marker);
  /* It does not find itself. */
  g_autofree char *command =
      g_strdup_printf ("grep -lz 'sleep [%c]%s' /proc/[0-9]*/cmdline; kill -KILL -1 2>/dev/null",
                       marker[0], marker + 1);
  g_autoptr (TestProcess) victim = NULL;
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  victim = test_process_start (sleep, NULL, NULL, 0);
  test_wait_alive (marker, 2);
  process = test_process_start (command, self->workspace, self->sandbox, 20000);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpstr (process->output->str, ==, "");
  g_assert_false (victim->ended);
  g_assert_cmpuint (test_count_alive (marker), ==, 2);
  test_process_abort (victim);
  test_process_wait (victim);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-escapes/" path, TestSandbox, NULL, test_sandbox_set_up, function,   \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("calls", test_calls);
  ADD ("rights", test_rights);
  ADD ("setuid", test_setuid);
  ADD ("memory", test_memory);
  ADD ("devices", test_devices);
  ADD ("proc-root", test_proc_root);
  ADD ("ptrace", test_ptrace);
  ADD ("hard-links", test_hard_links);
  ADD ("links-outwards", test_links_outwards);
  ADD ("set-id", test_set_id);
  ADD ("abstract-socket", test_abstract_socket);
  ADD ("named-socket", test_named_socket);
  ADD ("no-terminal", test_no_terminal);
  ADD ("limits", test_limits);
  ADD ("descriptors", test_descriptors);
  ADD ("shared-memory", test_shared_memory);
  ADD ("signals", test_signals);
  return test_sandbox_finish ();
}
