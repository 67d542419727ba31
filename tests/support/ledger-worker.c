/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A program that does one thing with one tool in a real turn, for the tests of the ledger:
 *
 *   ledger-worker DIRECTORY WORKSPACE POINT TOOL ARGUMENTS [RULE]
 *
 * DIRECTORY is for its data. POINT is where it kills itself: "noting", when the row is on disk, but
 * not yet how the file to be edited is; "begun", when all is on disk and nothing was done yet;
 * "ending", when it was done and the row is not closed yet; "recording", when what became of the
 * edited file is about to be written down; "never"; or, with "abort", the turn is aborted once the
 * row is there, and it ends by itself. Before a file is
 * edited it is read, which is no part of it. RULE is a server, or an MCP server's tool, that the
 * user allowed.
 *
 * The linker puts the functions below in the place of those of that name without "__wrap_". */

#include "config.h"

#include "fake-provider.h"
#include "test-engine.h"
#include "test-wait.h"
#include "wait.h"
#include "agent/gadget-engine.h"
#include "agent/gadget-mcp-list.h"
#include "store/gadget-store-changes.h"
#include "tools/policy/gadget-policy.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

gint64 __real_gadget_effects_begin_finish (GadgetEffects *self, GAsyncResult *result,
                                           GError **error);
gint64 __wrap_gadget_effects_begin_finish (GadgetEffects *self, GAsyncResult *result,
                                           GError **error);
void __real_gadget_effects_end (GadgetEffects *self, gint64 id, const char *outcome);
void __wrap_gadget_effects_end (GadgetEffects *self, gint64 id, const char *outcome);

void __real_gadget_store_add_changes_async (GadgetStore *self, gint64 effect, GPtrArray *changes,
                                            GadgetRecording recording, const char *skipped,
                                            GAsyncReadyCallback callback, gpointer user_data);
void __wrap_gadget_store_add_changes_async (GadgetStore *self, gint64 effect, GPtrArray *changes,
                                            GadgetRecording recording, const char *skipped,
                                            GAsyncReadyCallback callback, gpointer user_data);
void __real_gadget_store_end_edit_async (GadgetStore *self, gint64 effect, GPtrArray *changes,
                                         GadgetRecording recording, GAsyncReadyCallback callback,
                                         gpointer user_data);
void __wrap_gadget_store_end_edit_async (GadgetStore *self, gint64 effect, GPtrArray *changes,
                                         GadgetRecording recording, GAsyncReadyCallback callback,
                                         gpointer user_data);

static const char *point = "never";
static gboolean begun;

static void
die_at (const char *name)
{
  if (g_str_equal (point, name))
    kill (getpid (), SIGKILL);
}

gint64
__wrap_gadget_effects_begin_finish (GadgetEffects *self, GAsyncResult *result, GError **error)
{
  const gint64 id = __real_gadget_effects_begin_finish (self, result, error);

  die_at ("begun");
  begun = TRUE;
  return id;
}

void
__wrap_gadget_effects_end (GadgetEffects *self, gint64 id, const char *outcome)
{
  die_at ("ending");
  __real_gadget_effects_end (self, id, outcome);
}

void
__wrap_gadget_store_add_changes_async (GadgetStore *self, gint64 effect, GPtrArray *changes,
                                       GadgetRecording recording, const char *skipped,
                                       GAsyncReadyCallback callback, gpointer user_data)
{
  if (recording == GADGET_RECORDING_PENDING)
    die_at ("noting");
  __real_gadget_store_add_changes_async (self, effect, changes, recording, skipped, callback,
                                         user_data);
}

void
__wrap_gadget_store_end_edit_async (GadgetStore *self, gint64 effect, GPtrArray *changes,
                                    GadgetRecording recording, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  die_at ("recording");
  __real_gadget_store_end_edit_async (self, effect, changes, recording, callback, user_data);
}

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              gboolean *completed)
{
  *completed = TRUE;
}

static void
allow (GadgetEngine *engine, const char *subject)
{
  const GadgetRuleData data = { .kind = strchr (subject, ':') != NULL ? GADGET_RULE_HOST
                                                                      : GADGET_RULE_MCP,
                                .subject = subject,
                                .exact = TRUE,
                                .unconfined = TRUE,
                                .scope = GADGET_RULE_ALWAYS,
                                .origin = "a test" };
  g_autoptr (GadgetRule) rule = gadget_rule_new (&data);
  GadgetPolicy *policy = gadget_agent_get_policy (gadget_engine_get_agent (engine));

  gadget_permission_rules_add (gadget_policy_get_rules (policy), rule);
}

static void
add_mcp_server (GadgetEngine *engine)
{
  g_autoptr (GadgetMcpConfig) config = gadget_mcp_config_new ("helper");
  g_autofree char *script =
      g_build_filename (g_getenv ("GADGET_SOURCE_ROOT"), "tests", "support", "mcp_server.py", NULL);
  const char *const command[] = { "python3", script, NULL };
  GadgetMcpList *list = gadget_engine_get_mcp (engine);
  g_autoptr (GAsyncResult) added = NULL;
  g_autoptr (GAsyncResult) connected = NULL;

  config->command = g_strdupv ((char **) command);
  config->confined = FALSE;
  gadget_mcp_list_add_async (list, config, NULL, test_result_cb, &added);
  g_assert_true (test_wait_result (&added, 15000));
  gadget_mcp_server_connect_async (gadget_mcp_list_find (list, "helper"), TRUE, NULL,
                                   test_result_cb, &connected);
  g_assert_true (test_wait_result (&connected, 15000));
}

static void
call (FakeProvider *provider, const char *tool, const char *arguments)
{
  wait_until (fake_provider_is_waiting (provider));
  fake_provider_call (provider, 0, tool, tool, arguments);
  fake_provider_end (provider);
}

static void
end_turn (GadgetEngine *engine, FakeProvider *provider, GadgetSession *session)
{
  g_autoptr (GadgetAbortAck) ack = NULL;

  if (g_str_equal (point, "abort"))
    {
      wait_until (begun);
      test_run_for (100);
      ack = gadget_agent_abort (gadget_engine_get_agent (engine), gadget_session_get_id (session),
                                NULL, GADGET_STOP_USER);
      g_assert_true (ack->aborted);
      return;
    }
  wait_until (fake_provider_is_waiting (provider));
  fake_provider_text (provider, "done");
  fake_provider_end (provider);
}

int
main (int argc, char **argv)
{
  g_assert_cmpint (argc, >=, 6);

  const GadgetTurnOptions options = { .approval = GADGET_APPROVAL_AUTO };
  g_autoptr (GadgetEngine) engine = gadget_engine_new (argv[1]);
  g_autoptr (FakeProvider) provider = fake_provider_new ();
  g_autoptr (GadgetSession) session = NULL;
  g_autoptr (GadgetRun) run = NULL;
  gboolean completed = FALSE;

  test_engine_open (engine);
  gadget_provider_list_override (gadget_engine_get_providers (engine), "fake",
                                 GADGET_PROVIDER (provider));
  g_signal_connect (gadget_engine_get_agent (engine), "completed", G_CALLBACK (completed_cb),
                    &completed);
  if (argc > 6)
    allow (engine, argv[6]);
  if (g_str_has_prefix (argv[4], "helper__"))
    add_mcp_server (engine);
  session = gadget_engine_new_session (engine);
  gadget_session_set_model (session, "fake", "model");
  gadget_session_set_workspace (session, argv[2]);
  run = gadget_agent_start (gadget_engine_get_agent (engine), session, "go", &options, NULL);
  if (g_str_equal (argv[4], "edit_file"))
    call (provider, "read_file", "{\"path\":\"a.txt\"}");
  wait_until (fake_provider_is_waiting (provider));
  point = argv[3];
  call (provider, argv[4], argv[5]);
  end_turn (engine, provider, session);
  wait_until (completed);
  test_engine_close (engine, GADGET_STOP_CLOSED);
  return 0;
}
