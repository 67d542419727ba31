/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts and icons for the rows of the effects ledger: what a turn read, changed, ran or
 * contacted. */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-effect-labels.h"

#include "common/gadget-bidi.h"
#include "common/gadget-visible.h"
#include "session/gadget-item.h"
#include "common/gadget-path.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_COMMAND 200

static const char *
skip_folder (const char *path, const char *folder)
{
  const gsize length = folder != NULL ? strlen (folder) : 0;

  if (length < 2 || strncmp (path, folder, length) != 0)
    return NULL;
  return path[length] == '/' || path[length] == '\0' ? path + length : NULL;
}

char *
gadget_effect_labels_dup_path (const char *path, const char *workspace)
{
  g_autofree char *name = NULL;
  g_autofree char *shown = NULL;
  const char *rest;

  g_return_val_if_fail (path != NULL, NULL);

  name = g_filename_display_name (path);
  shown = gadget_bidi_escape (name);
  rest = skip_folder (shown, workspace);
  if (rest != NULL)
    return g_strdup (*rest == '/' ? rest + 1 : ".");
  return gadget_path_dup_short (shown);
}

/* Returns the first line of @command, shortened; the chat has all of it. */
static char *
dup_command (const char *command)
{
  const char *end = strchr (command, '\n');
  const gsize length = end != NULL ? (gsize) (end - command) : strlen (command);
  g_autofree char *line = g_strndup (command, length);
  g_autofree char *visible = gadget_visible_escape (line);

  if (g_utf8_strlen (visible, -1) > MAX_COMMAND)
    *g_utf8_offset_to_pointer (visible, MAX_COMMAND) = '\0';
  else if (end == NULL)
    return g_steal_pointer (&visible);
  return g_strconcat (visible, "…", NULL);
}

static gboolean
is_done (const GadgetEffectRow *row)
{
  return g_strcmp0 (row->outcome, "done") == 0 || g_strcmp0 (row->outcome, "partly") == 0;
}

/* Returns a format with one %s. Most kinds have two: for an effect that is done, and for one that
 * was begun and is not known to be done. */
static const char *
get_format (const GadgetEffectRow *row)
{
  const gboolean done = is_done (row);

  switch (row->kind)
    {
    case GADGET_EFFECT_READ:
      /* Translators: %s is a file */
      return done ? _ ("Read \u2068%s\u2069") : _ ("Reading \u2068%s\u2069");
    case GADGET_EFFECT_CHANGE:
      if (done && row->made)
        /* Translators: %s is a file */
        return _ ("Created \u2068%s\u2069");
      /* Translators: %s is a file */
      return done ? _ ("Changed \u2068%s\u2069") : _ ("Changing \u2068%s\u2069");
    case GADGET_EFFECT_DELETE:
      /* Translators: %s is a file */
      return done ? _ ("Deleted \u2068%s\u2069") : _ ("Deleting \u2068%s\u2069");
    case GADGET_EFFECT_HOST:
      /* Translators: %s is a server of the web */
      return _ ("Contacted \u2068%s\u2069");
    case GADGET_EFFECT_MCP:
      /* Translators: %s is a tool and the server that has it */
      return _ ("Called \u2068%s\u2069");
    case GADGET_EFFECT_COMMAND:
    case GADGET_EFFECT_UNDO:
    case GADGET_EFFECT_REDO:
    default:
      /* Translators: %s is a command */
      return _ ("Ran \u2068%s\u2069");
    }
}

/* Replaces the %s by hand: the format is chosen at run time, which printf () must not be given. */
static char *
fill_in (const char *format, const char *subject)
{
  const char *place = strstr (format, "%s");
  GString *text = g_string_new_len (format, place != NULL ? place - format : -1);

  if (place != NULL)
    {
      g_string_append (text, subject);
      g_string_append (text, place + 2);
    }
  return g_string_free_and_steal (text);
}

char *
gadget_effect_labels_dup_text (const GadgetEffectRow *row, const char *workspace)
{
  g_autofree char *subject = NULL;

  g_return_val_if_fail (row != NULL, NULL);

  switch (row->kind)
    {
    case GADGET_EFFECT_UNDO:
      return g_strdup (_ ("Changes undone"));
    case GADGET_EFFECT_REDO:
      return g_strdup (_ ("Changes redone by you"));
    case GADGET_EFFECT_READ:
    case GADGET_EFFECT_CHANGE:
    case GADGET_EFFECT_DELETE:
      subject = gadget_effect_labels_dup_path (row->subject, workspace);
      break;
    case GADGET_EFFECT_COMMAND:
    case GADGET_EFFECT_HOST:
    case GADGET_EFFECT_MCP:
    default:
      subject = dup_command (row->subject);
      break;
    }
  return fill_in (get_format (row), subject);
}

static gboolean
has_number (const char *outcome, const char *prefix, const char **number)
{
  if (!g_str_has_prefix (outcome, prefix))
    return FALSE;
  *number = outcome + strlen (prefix);
  return g_ascii_isdigit (**number);
}

char *
gadget_effect_labels_dup_outcome (const GadgetEffectRow *row)
{
  const char *number;

  g_return_val_if_fail (row != NULL, NULL);

  if (row->outcome == NULL)
    return g_strdup (_ ("going on"));
  if (g_str_equal (row->outcome, "done") || g_str_equal (row->outcome, "exit 0"))
    return NULL;
  if (g_str_equal (row->outcome, "failed"))
    return g_strdup (_ ("failed"));
  if (g_str_equal (row->outcome, "aborted"))
    return g_strdup (_ ("stopped"));
  if (g_str_equal (row->outcome, "not-started"))
    return g_strdup (_ ("not started"));
  if (g_str_equal (row->outcome, "interrupted"))
    return g_strdup (_ ("interrupted when Gadget ended"));
  if (g_str_equal (row->outcome, "time-limit"))
    return g_strdup (_ ("time limit reached"));
  if (g_str_equal (row->outcome, "partly"))
    return g_strdup (_ ("in part"));
  if (g_str_equal (row->outcome, "refused"))
    return g_strdup (_ ("refused: nothing was done"));
  if (has_number (row->outcome, "exit ", &number))
    /* Translators: of a command that failed; %s is a number */
    return g_strdup_printf (_ ("exit status %s"), number);
  if (has_number (row->outcome, "signal ", &number))
    /* Translators: of a command; %s is the number of a signal */
    return g_strdup_printf (_ ("ended by signal %s"), number);
  if (row->kind == GADGET_EFFECT_HOST)
    /* Translators: of a server of the web; %s is a number, such as 404 */
    return g_strdup_printf (_ ("answered with status %s"), row->outcome);
  return g_strdup (row->outcome);
}

/* Returns what is missing in the record of @row, or NULL when nothing is. */
static const char *
get_recording (const GadgetEffectRow *row)
{
  const gboolean lost = row->recording == GADGET_RECORDING_LOST;

  switch (row->kind)
    {
    case GADGET_EFFECT_COMMAND:
      if (row->recording == GADGET_RECORDING_PARTLY)
        return _ ("its changes are recorded in part");
      return lost ? _ ("its changes were not recorded") : NULL;
    case GADGET_EFFECT_CHANGE:
    case GADGET_EFFECT_DELETE:
      if (lost && is_done (row))
        /* Translators: of a file that was changed */
        return _ ("cannot be undone");
      /* Translators: of a file; Gadget ended while it was about to change it */
      return lost ? _ ("may have been changed") : NULL;
    case GADGET_EFFECT_READ:
    case GADGET_EFFECT_HOST:
    case GADGET_EFFECT_MCP:
    case GADGET_EFFECT_UNDO:
    case GADGET_EFFECT_REDO:
    default:
      return NULL;
    }
}

char *
gadget_effect_labels_dup_details (const GadgetEffectRow *row)
{
  g_autofree char *outcome = NULL;
  const char *parts[4] = { NULL };
  guint n = 0;

  g_return_val_if_fail (row != NULL, NULL);

  outcome = gadget_effect_labels_dup_outcome (row);
  if (outcome != NULL)
    parts[n++] = outcome;
  if (row->network > 0)
    /* Translators: of a command that ran, besides "exit status 0" and the like */
    parts[n++] = _ ("with the network");
  if (get_recording (row) != NULL)
    parts[n++] = get_recording (row);
  return n > 0 ? g_strjoinv (" · ", (char **) parts) : NULL;
}

const char *
gadget_effect_labels_get_icon (const GadgetEffectRow *row)
{
  g_return_val_if_fail (row != NULL, NULL);

  switch (row->kind)
    {
    case GADGET_EFFECT_READ:
      return "text-x-generic-symbolic";
    case GADGET_EFFECT_CHANGE:
      return row->made ? "document-new-symbolic" : "document-edit-symbolic";
    case GADGET_EFFECT_DELETE:
      return "user-trash-symbolic";
    case GADGET_EFFECT_COMMAND:
      return "utilities-terminal-symbolic";
    case GADGET_EFFECT_HOST:
      return "network-transmit-receive-symbolic";
    case GADGET_EFFECT_UNDO:
      return "edit-undo-symbolic";
    case GADGET_EFFECT_REDO:
      return "edit-redo-symbolic";
    case GADGET_EFFECT_MCP:
    default:
      return "system-run-symbolic";
    }
}
