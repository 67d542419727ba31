/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "process-fixture.h"

GadgetSandbox *
process_get_sandbox (gconstpointer data, gboolean *skip)
{
  GadgetSandbox *sandbox = data != NULL ? test_get_sandbox () : NULL;

  *skip = data != NULL && sandbox == NULL;
  return sandbox;
}

char *
process_make_command (const char *template, const char *marker)
{
  g_auto (GStrv) parts = g_strsplit (template, "@", -1);

  return g_strjoinv (marker, parts);
}

gboolean
process_assert_ended (TestProcess *process, const char *marker)
{
  static guint n_late;

  g_assert_no_error (process->error);
  if (process->result->confirmed)
    {
      test_assert_none_alive (marker);
      return TRUE;
    }
  g_test_message ("not confirmed in time");
  g_assert_cmpuint (++n_late, <=, 5);
  test_wait_alive (marker, 0);
  return FALSE;
}

void
process_add_both (const char *name, GTestDataFunc function)
{
  g_autofree char *plain = g_strdup_printf ("/engine/process/%s/unsandboxed", name);
  g_autofree char *sandboxed = g_strdup_printf ("/engine/process/%s/sandboxed", name);

  g_test_add_data_func (plain, NULL, function);
  g_test_add_data_func (sandboxed, SANDBOXED, function);
}
