/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "sandbox-named-fixture.h"

char *
sandbox_named_run (TestSandbox *self, GadgetSandbox *sandbox, const char *command)
{
  g_autoptr (TestProcess) process = test_process_start (command, self->workspace, sandbox, 20000);

  test_process_wait (process);
  g_assert_no_error (process->error);
  g_test_message ("%s", process->output->str);
  return g_strdup (process->result->disarmed);
}
