/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who calls the engine on the bus: what each caller hears, and what is known of the program. One
 * that cannot be told who it is calls on a connection without a bus. */

#include "config.h"

#include "control-fixture.h"
#include "test-wait.h"
#include "control/gadget-caller.h"
#include "control/gadget-prompt-event.h"
#include "wait.h"

#include <glib/gstdio.h>

typedef ControlFixture Fixture;

static void
test_signals (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  g_autofree char *started = g_strdup_printf ("RunStarted %s ", gadget_run_get_id (run));
  g_autofree char *event = g_strdup_printf ("Event %s text", gadget_run_get_id (run));
  g_autofree char *completed =
      g_strdup_printf ("Completed %s finished", gadget_run_get_turn_id (run));

  fake_provider_text (fixture->provider, "all of it");
  fake_provider_end (fixture->provider);
  wait_until (control_count_signals (fixture, "Completed") > 0);
  g_assert_cmpuint (fixture->signals->len, ==, 3);
  g_assert_cmpstr (g_ptr_array_index (fixture->signals, 0), ==, started);
  g_assert_cmpstr (g_ptr_array_index (fixture->signals, 1), ==, event);
  g_assert_cmpstr (g_ptr_array_index (fixture->signals, 2), ==, completed);
}

static void
heard_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
          const char *name, GVariant *parameters, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strdup (name));
}

static GDBusConnection *
connect_other (Fixture *fixture, GPtrArray *heard)
{
  GDBusConnection *other = control_connect (fixture);

  g_dbus_connection_signal_subscribe (other, NULL, GADGET_CONTROL_INTERFACE, NULL, NULL, NULL,
                                      G_DBUS_SIGNAL_FLAGS_NONE, heard_cb, heard, NULL);
  return other;
}

static void
run_once (Fixture *fixture)
{
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  const guint n = control_count_signals (fixture, "Completed");

  fake_provider_text (fixture->provider, "all of it");
  fake_provider_end (fixture->provider);
  wait_until (control_count_signals (fixture, "Completed") > n);
}

/* All signals that were sent before the answer have arrived when it has. */
static void
call_other (Fixture *fixture, GDBusConnection *other, const char *method, GVariant *parameters)
{
  g_auto (ControlAnswer) answer = { 0 };

  control_call (other, g_dbus_connection_get_unique_name (fixture->service), method, parameters,
                &answer);
  wait_until (control_is_answered (&answer));
  g_assert_cmpstr (answer.error, ==, NULL);
}

/* What happens is told to those who asked for it, and to nobody else who listens. */
static void
test_unicast (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) heard = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDBusConnection) other = connect_other (fixture, heard);

  run_once (fixture);
  call_other (fixture, other, "ListRuns", NULL);
  g_assert_cmpuint (heard->len, ==, 0);

  control_subscribe (fixture, other, "['another']");
  run_once (fixture);
  call_other (fixture, other, "ListRuns", NULL);
  g_assert_cmpuint (heard->len, ==, 0);

  call_other (
      fixture, other, "Subscribe",
      g_variant_new ("(@as)",
                     g_variant_new_strv (
                         (const char *const[]) { gadget_session_get_id (fixture->session) }, 1)));
  run_once (fixture);
  call_other (fixture, other, "Unsubscribe", NULL);
  g_assert_cmpuint (heard->len, ==, 3);
  run_once (fixture);
  call_other (fixture, other, "ListRuns", NULL);
  g_assert_cmpuint (heard->len, ==, 3);

  /* One that leaves is forgotten. */
  control_subscribe (fixture, other, "@as []");
  g_dbus_connection_close_sync (other, NULL, NULL);
  run_once (fixture);
}

static gboolean
new_connection_cb (GDBusServer *server, GDBusConnection *connection, GDBusConnection **taken)
{
  *taken = g_object_ref (connection);
  return TRUE;
}

static void
test_unknown_caller (Fixture *fixture, gconstpointer data)
{
  g_autofree char *guid = g_dbus_generate_guid ();
  g_autofree char *address = g_strdup_printf ("unix:path=%s/peer", fixture->folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusServer) server = NULL;
  g_autoptr (GDBusConnection) server_side = NULL;
  g_autoptr (GDBusConnection) peer = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GadgetControl) control = gadget_control_new (fixture->engine);
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  g_auto (ControlAnswer) aborts = { 0 };
  g_auto (ControlAnswer) aborts_all = { 0 };
  g_auto (ControlAnswer) waits = { 0 };
  g_auto (ControlAnswer) listed = { 0 };

  server = g_dbus_server_new_sync (address, G_DBUS_SERVER_FLAGS_NONE, guid, NULL, NULL, &error);
  g_assert_no_error (error);
  g_signal_connect (server, "new-connection", G_CALLBACK (new_connection_cb), &server_side);
  g_dbus_server_start (server);
  g_dbus_connection_new_for_address (address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL,
                                     NULL, test_result_cb, &result);
  wait_until (result != NULL && server_side != NULL);
  peer = g_dbus_connection_new_for_address_finish (result, &error);
  g_assert_no_error (error);
  g_assert_true (gadget_control_export (control, server_side, &error));
  g_assert_no_error (error);

  control_call (peer, NULL, "Abort", g_variant_new ("(ss)", "", gadget_run_get_id (run)), &aborts);
  control_call (peer, NULL, "Abort", g_variant_new ("(ss)", "", ""), &aborts_all);
  control_call (peer, NULL, "Wait", g_variant_new ("(s)", gadget_run_get_id (run)), &waits);
  control_call (peer, NULL, "ListRuns", NULL, &listed);
  wait_until (control_is_answered (&aborts) && control_is_answered (&aborts_all)
              && control_is_answered (&waits) && control_is_answered (&listed));
  g_assert_cmpstr (aborts.error, ==, ERRORS "AccessDenied");
  control_assert_aborted_answer (&aborts_all, NULL);
  g_assert_cmpstr (waits.error, ==, ERRORS "AccessDenied");
  g_autoptr (GVariant) runs = g_variant_get_child_value (listed.reply, 0);

  g_assert_cmpuint (g_variant_n_children (runs), ==, 0);
  g_assert_false (gadget_run_is_aborted (run));
  g_dbus_connection_close_sync (peer, NULL, NULL);
  g_dbus_server_stop (server);
}

/* Of the process in FOLDER, those of the process in LIKE (a hard link), or others. */
static void
make_namespaces (const char *proc, const char *process, const char *like)
{
  static const char *const names[] = { "mnt", "user" };
  g_autofree char *folder = g_build_filename (proc, process, "ns", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_autofree char *other =
          like != NULL ? g_build_filename (proc, like, "ns", names[i], NULL) : NULL;

      if (other != NULL)
        g_assert_no_errno (link (other, path));
      else
        g_assert_true (g_file_set_contents (path, "", 0, NULL));
    }
}

static void
test_caller_from_process (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *proc = g_dir_make_tmp ("gadget-proc-XXXXXX", &error);
  g_autofree char *plain = g_build_filename (proc, "7", "root", NULL);
  g_autofree char *sandboxed = g_build_filename (proc, "8", "root", NULL);
  g_autofree char *info = g_build_filename (sandboxed, ".flatpak-info", NULL);

  g_assert_no_error (error);
  g_assert_cmpint (g_mkdir_with_parents (plain, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (sandboxed, 0700), ==, 0);
  g_assert_true (g_file_set_contents (info, "[Application]\n", -1, NULL));

  g_assert_cmpint (gadget_caller_from_process (proc, 7), ==, GADGET_CALLER_UNKNOWN);
  make_namespaces (proc, "self", NULL);
  make_namespaces (proc, "7", "self");
  make_namespaces (proc, "8", "self");
  g_assert_cmpint (gadget_caller_from_process (proc, 7), ==, GADGET_CALLER_USER);
  g_assert_cmpint (gadget_caller_from_process (proc, 8), ==, GADGET_CALLER_SANDBOXED);
  g_assert_cmpint (gadget_caller_from_process (proc, 9), ==, GADGET_CALLER_UNKNOWN);

  /* A link, even one that leads nowhere, is as good as the file: better refused than taken. */
  g_remove (info);
  g_assert_no_errno (symlink ("/nowhere", info));
  g_assert_cmpint (gadget_caller_from_process (proc, 8), ==, GADGET_CALLER_SANDBOXED);

  /* A plain bubblewrap has no such file, but other namespaces. */
  g_remove (info);
  g_assert_cmpint (gadget_caller_from_process (proc, 8), ==, GADGET_CALLER_USER);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *foreign = g_build_filename (proc, "8", "ns", i == 0 ? "user" : "mnt", NULL);

      g_assert_true (g_file_set_contents (foreign, "", 0, NULL));
      g_assert_cmpint (gadget_caller_from_process (proc, 8), ==, GADGET_CALLER_SANDBOXED);
    }
  control_remove_folder (proc);
}

static void
identified_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(int *) user_data = (int) gadget_caller_identify_finish (result);
}

static void
test_identify (Fixture *fixture, gconstpointer data)
{
  int self = -1;
  int gone = -1;

  gadget_caller_identify_async (
      fixture->service, g_dbus_connection_get_unique_name (fixture->client), identified_cb, &self);
  gadget_caller_identify_async (fixture->service, ":1.4711", identified_cb, &gone);
  wait_until (self >= 0 && gone >= 0);
  g_assert_cmpint (self, ==, GADGET_CALLER_USER);
  g_assert_cmpint (gone, ==, GADGET_CALLER_UNKNOWN);
}

static void
test_cli_name (void)
{
  g_autofree char *name = gadget_control_dup_cli_name ("0123456789ab0123456789ff");

  g_assert_cmpstr (name, ==, APPLICATION_ID ".Cli.r0123456789ff");
  g_assert_true (g_dbus_is_name (name));
}

/* A card in another process shows the same. */
static void
test_prompt_event (void)
{
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_permission ("edit_file", "Change a.c?", "/x/a.c", "Writes this file");
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  g_autoptr (GVariant) event = NULL;
  g_autoptr (GadgetPrompt) read = NULL;
  guint n_added, n_removed;

  gadget_prompt_set_body (prompt, GADGET_PROMPT_BODY_DIFF, "@@ -1,1 +1,1 @@\n-a\n+b\n");
  gadget_prompt_set_counts (prompt, 3, 2);
  for (guint i = 0; i < GADGET_PROMPT_N_TEXTS; i++)
    if (i != GADGET_PROMPT_BODY)
      gadget_prompt_set_text (prompt, i, gadget_prompt_text_get_name (i));
  g_variant_dict_insert (&dict, "event", "s", "permission");
  gadget_prompt_event_add (&dict, prompt);
  event = g_variant_ref_sink (g_variant_dict_end (&dict));
  read = gadget_prompt_event_read (event);
  g_assert_nonnull (read);
  g_assert_cmpint (gadget_prompt_get_body_kind (read), ==, GADGET_PROMPT_BODY_DIFF);
  gadget_prompt_get_counts (read, &n_added, &n_removed);
  g_assert_cmpuint (n_added, ==, 3);
  g_assert_cmpuint (n_removed, ==, 2);
  for (guint i = 0; i < GADGET_PROMPT_N_TEXTS; i++)
    if (i != GADGET_PROMPT_DIGEST)
      g_assert_cmpstr (gadget_prompt_get_text (read, i), ==, gadget_prompt_get_text (prompt, i));
  g_assert_null (gadget_prompt_get_text (read, GADGET_PROMPT_DIGEST));
}

/* Nobody can answer what is not said. */
static void
test_empty_prompt_event (void)
{
  g_autoptr (GVariant) event = g_variant_ref_sink (g_variant_new_parsed (
      "{'event': <'permission'>, 'title': <'Run this?'>, 'tool': <'shell'>}"));
  g_autoptr (GVariant) whole = g_variant_ref_sink (g_variant_new_parsed (
      "{'event': <'permission'>, 'title': <'Run this?'>, 'tool': <'shell'>, 'summary': <'ls'>}"));
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_event_read (whole);

  g_assert_nonnull (prompt);
  g_assert_null (gadget_prompt_event_read (event));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, function)                                                                  \
  g_test_add ("/engine/control/" path, Fixture, data, control_set_up, function, control_tear_down)
  ADD ("signals", NULL, test_signals);
  ADD ("unicast", NULL, test_unicast);
  ADD ("unknown-caller", NULL, test_unknown_caller);
  ADD ("identify", NULL, test_identify);
  g_test_add_func ("/engine/control/caller-from-process", test_caller_from_process);
  g_test_add_func ("/engine/control/cli-name", test_cli_name);
  g_test_add_func ("/engine/control/prompt-event", test_prompt_event);
  g_test_add_func ("/engine/control/empty-prompt-event", test_empty_prompt_event);

  return g_test_run ();
}
