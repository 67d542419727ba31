/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a command is called, and what is said of its end: to people and, in English, to the model. */

#define G_LOG_DOMAIN "gadget-tool-shell"

#include "config.h"

#include "gadget-shell-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_TITLE_CHARS 60

/* What takes less takes no time, for people. */
#define WORTH_SAYING_MS 50

/* The first line, shortened; lines that follow are hinted at. */
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

static char *
format_duration (double ms)
{
  int seconds = (int) (ms / 1000 + 0.5);

  if (ms < 9950)
    /* Translators: a duration in seconds */
    return g_strdup_printf (_ ("%.1f s"), ms / 1000);
  if (seconds < 60)
    return g_strdup_printf (_ ("%d s"), seconds);
  if (seconds >= 3600)
    /* Translators: a duration in hours and minutes */
    return g_strdup_printf (_ ("%d h %d min"), seconds / 3600, seconds / 60 % 60);
  /* Translators: a duration in minutes and seconds */
  return g_strdup_printf (_ ("%d min %d s"), seconds / 60, seconds % 60);
}

/* TEXT (transfer full): how it ended; that it ended at once goes without saying. */
static char *
add_duration (char *text, const GadgetProcessResult *ended)
{
  g_autofree char *how = text;
  g_autofree char *duration = format_duration (ended->elapsed_ms);

  return ended->elapsed_ms < 1000 ? g_steal_pointer (&how)
                                  : g_strdup_printf ("%s · %s", how, duration);
}

char *
_gadget_shell_make_summary (const char *title, guint timeout_seconds,
                            const GadgetProcessResult *ended)
{
  g_autofree char *duration =
      format_duration (ended->timed_out ? timeout_seconds * 1000.0 : ended->elapsed_ms);

  if (ended->aborted)
    {
      g_autofree char *whole = g_strdup_printf (_ ("%d s"), (int) (ended->elapsed_ms / 1000 + 0.5));

      /* Translators: a command, and for how long it ran until the user stopped it */
      return g_strdup_printf (_ ("Ran \u2068%s\u2069 · interrupted after %s"), title,
                              ended->elapsed_ms < 60000 ? whole : duration);
    }
  if (ended->timed_out)
    /* Translators: a command, and its time limit */
    return g_strdup_printf (_ ("Ran \u2068%s\u2069 · time limit of %s reached"), title, duration);
  if (ended->signal != 0)
    /* Translators: a command, and what ended it ("Segmentation fault") */
    return add_duration (g_strdup_printf (_ ("Ran \u2068%s\u2069 · ended by a signal: %s"), title,
                                          g_strsignal (ended->signal)),
                         ended);
  if (ended->exit_status != 0)
    return add_duration (g_strdup_printf (_ ("Ran \u2068%s\u2069 · failed, exit status %d"), title,
                                          ended->exit_status),
                         ended);
  if (ended->elapsed_ms < WORTH_SAYING_MS)
    /* Translators: a command */
    return g_strdup_printf (_ ("Ran \u2068%s\u2069"), title);
  /* Translators: a command, and how long it took */
  return g_strdup_printf (_ ("Ran \u2068%s\u2069 · %s"), title, duration);
}

/* What the model is told besides the output. Its language is always English. */
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
                     "\n[The file system did not answer in time, so it was not checked whether "
                     "the command put what version control would run outside of the sandbox into a "
                     "repository. That is done as soon as it answers.]");
  if (!ended->confirmed)
    g_string_append (text, "\n[The command did not end in time; parts of it may still run.]");
}
