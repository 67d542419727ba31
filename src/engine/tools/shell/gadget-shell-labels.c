/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts about a command: its title, and how it ended, for the user and, in English, for the
 * model. */

#define G_LOG_DOMAIN "gadget-tool-shell"

#include "config.h"

#include "gadget-shell-labels.h"

#include <string.h>

#define MAX_TITLE_CHARS 60

/* Returns the first line, shortened; an ellipsis stands for more lines. */
char *
_gadget_shell_make_title (const char *command)
{
  g_autofree char *stripped = g_strstrip (g_strdup (command));
  char *newline = strpbrk (stripped, "\r\n");
  gboolean cut = newline != NULL;

  if (cut)
    *newline = '\0';
  if (g_utf8_strlen (stripped, -1) > MAX_TITLE_CHARS)
    {
      *g_utf8_offset_to_pointer (stripped, MAX_TITLE_CHARS - 1) = '\0';
      cut = TRUE;
    }
  return g_strconcat (g_strchomp (stripped), cut ? "…" : NULL, NULL);
}

GadgetCallSummary *
_gadget_shell_make_summary (const char *title, guint timeout_seconds,
                            const GadgetProcessResult *ended)
{
  const gint64 ms = (gint64) (ended->elapsed_ms + 0.5);

  if (ended->aborted)
    return gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_INTERRUPTED, title, ms, 0);
  if (ended->timed_out)
    return gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_TIMED_OUT, title,
                                                 (gint64) timeout_seconds * 1000, 0);
  if (ended->signal != 0)
    return gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_SIGNALED, title, ms,
                                                 ended->signal);
  if (ended->exit_status != 0)
    return gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_EXIT_STATUS, title, ms,
                                                 ended->exit_status);
  return gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_RAN, title, ms, 0);
}

/* The text for the model is always English. */
void
_gadget_shell_append_remarks (GString *text, guint timeout_seconds,
                              const GadgetProcessResult *ended)
{
  guint n_left = ended->n_terminated + ended->n_killed;

  if (ended->timed_out)
    g_string_append_printf (text, "\n[The command was ended after its time limit of %u seconds.]",
                            timeout_seconds);
  else if (!ended->aborted && ended->signal != 0)
    g_string_append_printf (text, "\n[The command was ended by signal %d (%s).]", ended->signal,
                            g_strsignal (ended->signal));
  else if (!ended->aborted && ended->exit_status > 0)
    g_string_append_printf (text, "\n[Exit status %d]", ended->exit_status);
  if (!ended->aborted && !ended->timed_out && n_left > 0)
    g_string_append_printf (text,
                            "\n[%u background process%s still running when the command ended, and "
                            "%s ended with it%s%s. "
                            "Nothing can be left running.]",
                            n_left, n_left == 1 ? " was" : "es were", n_left == 1 ? "was" : "were",
                            *ended->leftovers != '\0' ? ": " : "", ended->leftovers);
  if (*ended->disarmed != '\0')
    g_string_append_printf (
        text,
        "\n[In %s the command put what Git, or another version control system, would run outside "
        "of the sandbox, or moved it elsewhere; that was set aside as NAME.from-command, or made "
        "not executable. What a configuration of theirs names is read-only for commands.]",
        ended->disarmed);
  if (ended->unchecked)
    g_string_append (text,
                     "\n[Looking through the folder takes long, so it was not checked yet whether "
                     "the command put what version control would run outside of the sandbox into a "
                     "repository. That goes on in the background.]");
  if (!ended->confirmed)
    g_string_append (text, "\n[The command did not end in time; parts of it may still run.]");
}
