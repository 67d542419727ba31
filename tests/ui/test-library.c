/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of chats in a whole window. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"

/* However and whenever a turn ends, and whatever chat is shown then, its chat leaves "Running". */
static void
test_leaves_running (TestWindow *self, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 40; i++)
    {
      GadgetSession *session;
      g_autoptr (GadgetRun) run = NULL;
      g_autoptr (GadgetSession) keep = NULL;
      const int how = g_rand_int_range (rand, 0, 3);

      if (i == 0 || g_rand_boolean (rand))
        gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
      session = gadget_window_get_session (self->window);
      keep = g_object_ref (session);
      gadget_session_set_model (session, "fake", "model");
      run = gadget_agent_start (agent, session, "go", &options, NULL);
      g_assert_nonnull (run);
      if (g_rand_boolean (rand))
        test_run_for ((guint) g_rand_int_range (rand, 0, 60));
      if (g_rand_boolean (rand))
        gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
      if (how == 0)
        gadget_abort_ack_free (
            gadget_agent_abort (agent, gadget_session_get_id (session), NULL, GADGET_STOP_USER));
      else
        {
          wait_until (fake_provider_is_waiting (self->provider));
          if (how == 1)
            fake_provider_fail (self->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                             GADGET_PROVIDER_ERROR_CUT, "cut"));
          else
            {
              fake_provider_text (self->provider, "text");
              fake_provider_end (self->provider);
            }
        }
      wait_until (gadget_session_get_active_run (session) == NULL);
      wait_until (test_find_label (GTK_WIDGET (self->window), "Running") == NULL);
    }
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add ("/ui/library/leaves-running", TestWindow, NULL, test_window_set_up,
              test_leaves_running, test_window_tear_down);
  return g_test_run ();
}
