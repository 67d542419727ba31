/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long it takes to start and finish "true" in the sandbox, with a workspace that is a
 * repository, tools' folders and a cache, as in the window; the floor is bubblewrap called bare,
 * alternating with it. A row more with a network of its own. */

#include "config.h"

#include "bench-row.h"
#include "process/gadget-sandbox-probe.h"
#include "test-sandbox.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 100
#define N_WARM 5
/* What takes a namespace down works on behind its end, bubblewrap's above all, which does not wait
 * for it when it is bare: nobody pays for the one before. */
#define SETTLE_US 20000

extern char **environ;

static double
since (gint64 begin)
{
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

static double
measure_floor (const char *workspace)
{
  const char *const argv[] = {
    "bwrap",  "--unshare-all", "--new-session", "--ro-bind", "/",       "/",
    "--dev",  "/dev",          "--proc",        "/proc",     "--tmpfs", "/tmp",
    "--bind", workspace,       workspace,       "--",        "true",    NULL
  };
  const gint64 begin = g_get_monotonic_time ();
  int status;
  pid_t pid;

  g_assert_cmpint (posix_spawnp (&pid, "bwrap", NULL, NULL, (char *const *) argv, environ), ==, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  return since (begin);
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProcessResult) ended = gadget_process_run_finish (result, &error);

  g_assert_no_error (error);
  g_assert_cmpint (ended->exit_status, ==, 0);
  g_main_loop_quit (user_data);
}

static double
measure (TestSandbox *self, gboolean network)
{
  const char *const argv[] = { "true", NULL };
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  const GadgetProcessSpec spec = {
    .argv = argv, .workspace = self->workspace, .sandbox = self->sandbox, .network = network
  };
  const gint64 begin = g_get_monotonic_time ();

  gadget_process_run_async (&spec, NULL, ended_cb, loop);
  g_main_loop_run (loop);
  return since (begin);
}

static void
run (TestSandbox *self, gboolean network)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) floors = g_array_new (FALSE, FALSE, sizeof (double));
  double floor;

  for (guint i = 0; i < N + N_WARM; i++)
    {
      double bare;
      double ours;

      g_usleep (SETTLE_US);
      bare = measure_floor (self->workspace);
      g_usleep (SETTLE_US);
      ours = measure (self, network);
      if (i < N_WARM)
        continue;
      g_array_append_val (floors, bare);
      g_array_append_val (values, ours);
    }
  floor = bench_get_rank (floors, 0.5);
  bench_print_row ("tools", network ? "sandboxed-true-network" : "sandboxed-true", "start_ms",
                   values, floor, network ? "none" : "median <= bare bwrap (floor) + 5 ms",
                   network || bench_get_rank (values, 0.5) <= floor + 5);
}

static void
network_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_sandbox_probe_network_finish (result);
  g_main_loop_quit (user_data);
}

static gboolean
has_network (TestSandbox *self)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  gadget_sandbox_probe_network_async (self->sandbox, network_cb, loop);
  g_main_loop_run (loop);
  return gadget_sandbox_get_network_kind (self->sandbox) == GADGET_NETWORK_OWN;
}

static void
fill (TestSandbox *self)
{
  g_autofree char *cache = g_build_filename (self->home, ".cache", "gadget", "commands", NULL);
  g_autoptr (GadgetSandboxTools) tools = NULL;

  test_write_file (self->workspace, ".git/HEAD", "ref: refs/heads/main\n");
  test_write_file (self->home, ".cargo/bin/cargo", "");
  test_write_file (self->home, ".local/bin/uv", "");
  test_write_file (self->home, ".rustup/settings.toml", "");
  test_write_file (self->home, ".nvm/versions/node/v20.1.0/bin/node", "");
  tools = gadget_sandbox_tools_find (self->home, NULL);
  gadget_sandbox_set_tools (self->sandbox, tools);
  gadget_sandbox_set_cache_dir (self->sandbox, cache);
}

static void
bench (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  fill (self);
  run (self, FALSE);
  if (has_network (self))
    run (self, TRUE);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_get_current_dir ();
  TestSandbox self = { 0 };

  g_setenv ("G_TEST_BUILDDIR", folder, FALSE);
  test_sandbox_make_home ();
  test_sandbox_set_up (&self, NULL);
  if (self.sandbox == NULL)
    return 1;
  bench (&self, NULL);
  test_sandbox_tear_down (&self, NULL);
  test_sandbox_remove_home ();
  return 0;
}
