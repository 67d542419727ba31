/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Errors of the engine and of files in words for people. */

#include "config.h"

#include "agent/gadget-agent.h"
#include "effects/gadget-undo.h"
#include "mcp/gadget-mcp-config.h"
#include "store/gadget-store.h"
#include "ui/common/gadget-error-labels.h"

/* Whatever the code is, there is a sentence, and nothing of the message. */
static void
test_codes (void)
{
  const GQuark domains[] = { GADGET_STORE_ERROR, GADGET_AGENT_ERROR, GADGET_UNDO_ERROR,
                             G_IO_ERROR,         G_DBUS_ERROR,       G_FILE_ERROR };

  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    for (int code = 0; code < 60; code++)
      {
        g_autoptr (GError) error = g_error_new (domains[i], code, "SQL logic error (1)");
        g_autofree char *text = NULL;

        g_assert_true (g_str_has_suffix (gadget_error_labels_get_reason (error), "."));
        text = gadget_error_labels_dup ("Could not send.", error);
        g_assert_true (g_str_has_prefix (text, "Could not send. "));
        g_assert_null (strstr (text, "SQL"));
      }
}

/* What to do next is said where something can be done. */
static void
test_next (void)
{
  g_autoptr (GError) full = g_error_new (GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL, "(13)");
  g_autoptr (GError) denied = g_error_new (G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "EACCES");
  g_autoptr (GError) elsewhere =
      g_error_new (GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE, "busy");

  g_assert_nonnull (strstr (gadget_error_labels_get_reason (full), "Make room"));
  g_assert_nonnull (strstr (gadget_error_labels_get_reason (denied), "Choose another one"));
  g_assert_nonnull (strstr (gadget_error_labels_get_reason (elsewhere), "Stop it first"));
}

/* What the engine wrote for people is shown as it is. */
static void
test_for_people (void)
{
  g_autoptr (GadgetMcpConfig) config = gadget_mcp_config_new ("my server");
  g_autoptr (GError) error = NULL;

  config->url = g_strdup ("https://example.org");
  g_assert_false (gadget_mcp_config_check (config, &error));
  g_assert_nonnull (strstr (gadget_error_labels_get_reason (error), "“my server”"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ui/error-words/codes", test_codes);
  g_test_add_func ("/ui/error-words/next", test_next);
  g_test_add_func ("/ui/error-words/for-people", test_for_people);

  return g_test_run ();
}
