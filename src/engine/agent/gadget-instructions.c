/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-instructions.h"

char *
_gadget_instructions_new (GadgetSession *session)
{
  const char *workspace = gadget_session_get_workspace (session);
  g_autoptr (GString) text = g_string_new (
      "You are a helpful assistant in Gadget, a desktop chat application. Answer in the user's "
      "language, plainly and briefly. Use the offered tools when they help; the user sees every "
      "call and can stop it. When a call was interrupted, do not repeat it unless asked to.");

  if (workspace != NULL)
    g_string_append_printf (text,
                            " The workspace folder is %s; relative paths start there. A path that "
                            "the user writes behind @ is of a file in it.",
                            workspace);
  else
    g_string_append (text, " This chat has no workspace folder.");
  if (gadget_session_get_parent_id (session) != NULL)
    g_string_append (text,
                     " You are a subagent: another agent gave you the following piece of work and "
                     "waits for it. It sees only what you write last, so end with a report of what "
                     "you found and did, complete and brief. Do nothing beyond the work.");
  return g_string_free_and_steal (g_steal_pointer (&text));
}
