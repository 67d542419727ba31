/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Summaries of tool calls, questions, limits and notes: data that is stored, and the text made from
 * it in the language of the user. gadget_call_summary_dup_text () selects a say_…() function by
 * the order of the enum #GadgetCallSummaryKind. */

#define G_LOG_DOMAIN "gadget-call-summary"

#include "config.h"

#include "gadget-call-summary.h"

#include "common/gadget-json.h"
#include "common/gadget-types.h"
#include "common/gadget-quoted-path.h"
#include "gadget-limit.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A command that takes less than this many milliseconds is shown without its duration. */
#define WORTH_SAYING_MS 50

/* The names in the store. A name is never changed and never reused for another kind. */
static const char *const kind_names[GADGET_N_CALL_SUMMARIES] = {
  [GADGET_CALL_SUMMARY_TEXT] = "text",
  [GADGET_CALL_SUMMARY_QUESTION] = "question",
  [GADGET_CALL_SUMMARY_ANSWERED] = "answered",
  [GADGET_CALL_SUMMARY_SUBAGENT] = "subagent",
  [GADGET_CALL_SUMMARY_MCP] = "mcp",
  [GADGET_CALL_SUMMARY_READING] = "reading",
  [GADGET_CALL_SUMMARY_READ] = "read",
  [GADGET_CALL_SUMMARY_READ_LINES] = "read-lines",
  [GADGET_CALL_SUMMARY_LISTING] = "listing",
  [GADGET_CALL_SUMMARY_LISTED] = "listed",
  [GADGET_CALL_SUMMARY_FINDING] = "finding",
  [GADGET_CALL_SUMMARY_FOUND] = "found",
  [GADGET_CALL_SUMMARY_SEARCHING] = "searching",
  [GADGET_CALL_SUMMARY_SEARCHED] = "searched",
  [GADGET_CALL_SUMMARY_EDITING] = "editing",
  [GADGET_CALL_SUMMARY_EDITED] = "edited",
  [GADGET_CALL_SUMMARY_WRITING] = "writing",
  [GADGET_CALL_SUMMARY_CREATED] = "created",
  [GADGET_CALL_SUMMARY_CREATED_LINES] = "created-lines",
  [GADGET_CALL_SUMMARY_WROTE] = "wrote",
  [GADGET_CALL_SUMMARY_WROTE_LINES] = "wrote-lines",
  [GADGET_CALL_SUMMARY_UNCHANGED] = "unchanged",
  [GADGET_CALL_SUMMARY_FETCHING] = "fetching",
  [GADGET_CALL_SUMMARY_FETCHED] = "fetched",
  [GADGET_CALL_SUMMARY_NO_TEXT] = "no-text",
  [GADGET_CALL_SUMMARY_RUNNING] = "running",
  [GADGET_CALL_SUMMARY_RAN] = "ran",
  [GADGET_CALL_SUMMARY_INTERRUPTED] = "interrupted",
  [GADGET_CALL_SUMMARY_TIMED_OUT] = "timed-out",
  [GADGET_CALL_SUMMARY_SIGNALED] = "signaled",
  [GADGET_CALL_SUMMARY_EXIT_STATUS] = "exit-status",
  [GADGET_CALL_SUMMARY_WAITING] = "waiting",
  [GADGET_CALL_SUMMARY_WAITED] = "waited",
  [GADGET_CALL_SUMMARY_WAIT_INTERRUPTED] = "wait-interrupted",
  [GADGET_CALL_SUMMARY_ASK_COMMAND] = "ask-command",
  [GADGET_CALL_SUMMARY_ASK_COMMAND_NETWORK] = "ask-command-network",
  [GADGET_CALL_SUMMARY_ASK_READ] = "ask-read",
  [GADGET_CALL_SUMMARY_ASK_LIST] = "ask-list",
  [GADGET_CALL_SUMMARY_ASK_FIND] = "ask-find",
  [GADGET_CALL_SUMMARY_ASK_SEARCH] = "ask-search",
  [GADGET_CALL_SUMMARY_ASK_WRITE] = "ask-write",
  [GADGET_CALL_SUMMARY_ASK_FETCH] = "ask-fetch",
  [GADGET_CALL_SUMMARY_ASK_MCP] = "ask-mcp",
  [GADGET_CALL_SUMMARY_ASK_INSTRUCTIONS] = "ask-instructions",
  [GADGET_CALL_SUMMARY_LIMIT_TIME] = "limit-time",
  [GADGET_CALL_SUMMARY_LIMIT_STEPS] = "limit-steps",
  [GADGET_CALL_SUMMARY_LIMIT_TOKENS] = "limit-tokens",
  [GADGET_CALL_SUMMARY_LIMIT_COST] = "limit-cost",
  [GADGET_CALL_SUMMARY_LIMIT_DAY_COST] = "limit-day-cost",
  [GADGET_CALL_SUMMARY_NOTE_NOT_SHOWN] = "note-not-shown",
  [GADGET_CALL_SUMMARY_NOTE_DISARMED] = "note-disarmed",
  [GADGET_CALL_SUMMARY_NOTE_INSTRUCTIONS] = "note-instructions",
  [GADGET_CALL_SUMMARY_NOTE_NO_INSTRUCTIONS] = "note-no-instructions",
  [GADGET_CALL_SUMMARY_NOTE_UNCHECKED] = "note-unchecked",
  [GADGET_CALL_SUMMARY_NOTE_PARTLY_RECORDED] = "note-partly-recorded",
  [GADGET_CALL_SUMMARY_NOTE_NOT_RECORDED] = "note-not-recorded",
  [GADGET_CALL_SUMMARY_NOTE_UNKEPT] = "note-unkept",
  [GADGET_CALL_SUMMARY_NOTE_NO_ROOM] = "note-no-room",
};

static const char *const outcome_names[] = {
  [GADGET_CALL_OUTCOME_NONE] = "",
  [GADGET_CALL_OUTCOME_FAILED] = "failed",
  [GADGET_CALL_OUTCOME_NOT_ALLOWED] = "not-allowed",
};

/* --- Text ------------------------------------------------------------------------------------- */

static char *
format_duration (gint64 ms)
{
  const int seconds = (int) ((ms + 500) / 1000);

  if (ms < 9950)
    /* Translators: a duration in seconds */
    return g_strdup_printf (_ ("%.1f s"), (double) ms / 1000);
  if (seconds < 60)
    return g_strdup_printf (_ ("%d s"), seconds);
  if (seconds >= 3600)
    /* Translators: a duration in hours and minutes */
    return g_strdup_printf (_ ("%d h %d min"), seconds / 3600, seconds / 60 % 60);
  /* Translators: a duration in minutes and seconds */
  return g_strdup_printf (_ ("%d min %d s"), seconds / 60, seconds % 60);
}

static char *
format_whole_seconds (gint64 ms)
{
  return ms < 60000 ? g_strdup_printf (_ ("%d s"), (int) ((ms + 500) / 1000))
                    : format_duration (ms);
}

static char *
format_changed (const GadgetCallSummary *self)
{
  return g_strdup_printf ("+%u −%u", (guint) self->numbers[0], (guint) self->numbers[1]);
}

static char *
format_lines (const GadgetCallSummary *self)
{
  const guint n = (guint) self->numbers[0];

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u line", "%u lines", n), n);
}

/* Makes the text for files that were read, listed or searched. */
static char *
describe_read (const GadgetCallSummary *self)
{
  const char *subject = self->subject;
  const guint n = (guint) self->numbers[0];

  switch (self->kind)
    {
    case GADGET_CALL_SUMMARY_READING:
      return g_strdup_printf (_ ("Reading \u2068%s\u2069"), subject);
    case GADGET_CALL_SUMMARY_READ:
      /* Translators: a picture that was read, and its size in pixels: "Read logo.png · 64 × 64" */
      return g_strdup_printf (_ ("Read \u2068%s\u2069 · %s"), subject, self->detail);
    case GADGET_CALL_SUMMARY_READ_LINES:
      /* Translators: a file that was read, and how much of it */
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Read \u2068%s\u2069 · %d line",
                                           "Read \u2068%s\u2069 · %d lines", n),
                              subject, (int) n);
    case GADGET_CALL_SUMMARY_LISTING:
      return g_strdup_printf (_ ("Listing \u2068%s\u2069"), subject);
    case GADGET_CALL_SUMMARY_LISTED:
      /* Translators: a folder that was listed, and how many entries it has */
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Listed \u2068%s\u2069 · %d entry",
                                           "Listed \u2068%s\u2069 · %d entries", n),
                              subject, (int) n);
    case GADGET_CALL_SUMMARY_FINDING:
      /* Translators: a pattern for names of files */
      return g_strdup_printf (_ ("Finding \u2068%s\u2069"), subject);
    case GADGET_CALL_SUMMARY_FOUND:
      /* Translators: a pattern for names of files, and how many were found */
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Found \u2068%s\u2069 · %u file",
                                           "Found \u2068%s\u2069 · %u files", n),
                              subject, n);
    case GADGET_CALL_SUMMARY_SEARCHING:
      /* Translators: what is searched for in files */
      return g_strdup_printf (_ ("Searching for \u2068%s\u2069"), subject);
    case GADGET_CALL_SUMMARY_SEARCHED:
      /* Translators: what was searched for, and how many lines were found */
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Searched for \u2068%s\u2069 · %u line",
                                           "Searched for \u2068%s\u2069 · %u lines", n),
                              subject, n);
    default:
      return NULL;
    }
}

/* Makes the text for files that were changed. */
static char *
describe_changed (const GadgetCallSummary *self)
{
  const char *subject = self->subject;
  const gboolean counted = self->kind == GADGET_CALL_SUMMARY_CREATED_LINES
                           || self->kind == GADGET_CALL_SUMMARY_WROTE_LINES;
  g_autofree char *counts = counted ? format_lines (self) : format_changed (self);

  switch (self->kind)
    {
    case GADGET_CALL_SUMMARY_EDITING:
      return g_strdup_printf (_ ("Editing \u2068%s\u2069"), subject);
    case GADGET_CALL_SUMMARY_EDITED:
      /* Translators: a file that was edited, and its lines that were added and removed */
      return g_strdup_printf (_ ("Edited \u2068%s\u2069 · %s"), subject, counts);
    case GADGET_CALL_SUMMARY_WRITING:
      return g_strdup_printf (_ ("Writing \u2068%s\u2069"), subject);
    case GADGET_CALL_SUMMARY_CREATED:
    case GADGET_CALL_SUMMARY_CREATED_LINES:
      /* Translators: a file, and how many lines it has, or which were added and removed: "+12 −3"
       */
      return g_strdup_printf (_ ("Created \u2068%s\u2069 · %s"), subject, counts);
    case GADGET_CALL_SUMMARY_WROTE:
    case GADGET_CALL_SUMMARY_WROTE_LINES:
      return g_strdup_printf (_ ("Wrote \u2068%s\u2069 · %s"), subject, counts);
    case GADGET_CALL_SUMMARY_UNCHANGED:
      /* Translators: a file that was to be written */
      return g_strdup_printf (_ ("\u2068%s\u2069 had this content already"), subject);
    default:
      return NULL;
    }
}

static char *
describe_fetched (const GadgetCallSummary *self)
{
  g_autofree char *size = g_format_size ((guint64) self->numbers[0]);

  switch (self->kind)
    {
    case GADGET_CALL_SUMMARY_FETCHING:
      /* Translators: the name of a server in the web that is read from */
      return g_strdup_printf (_ ("Reading from \u2068%s\u2069"), self->subject);
    case GADGET_CALL_SUMMARY_FETCHED:
      /* Translators: a server that was read from, and how much came: "12.3 kB" */
      return g_strdup_printf (_ ("Read \u2068%s\u2069 · %s"), self->subject, size);
    case GADGET_CALL_SUMMARY_NO_TEXT:
      /* Translators: a server, and the type of a file there: "application/pdf" */
      return g_strdup_printf (_ ("\u2068%s\u2069 · no text: %s"), self->subject, self->detail);
    default:
      return NULL;
    }
}

/* Adds the duration to @text (transfer full), unless the command ended within a second. */
static char *
add_duration (char *text, gint64 ms)
{
  g_autofree char *how = text;
  g_autofree char *duration = format_duration (ms);

  return ms < 1000 ? g_steal_pointer (&how) : g_strdup_printf ("%s · %s", how, duration);
}

static char *
describe_ran (const GadgetCallSummary *self)
{
  const char *command = self->subject;
  const gint64 ms = self->numbers[0];
  const int how = (int) self->numbers[1];
  g_autofree char *duration = self->kind == GADGET_CALL_SUMMARY_INTERRUPTED
                                  ? format_whole_seconds (ms)
                                  : format_duration (ms);

  switch (self->kind)
    {
    case GADGET_CALL_SUMMARY_RUNNING:
      /* Translators: a command that runs now */
      return g_strdup_printf (_ ("Running \u2068%s\u2069"), command);
    case GADGET_CALL_SUMMARY_RAN:
      if (ms < WORTH_SAYING_MS)
        /* Translators: a command */
        return g_strdup_printf (_ ("Ran \u2068%s\u2069"), command);
      /* Translators: a command, and how long it took */
      return g_strdup_printf (_ ("Ran \u2068%s\u2069 · %s"), command, duration);
    case GADGET_CALL_SUMMARY_INTERRUPTED:
      /* Translators: a command, and for how long it ran until the user stopped it */
      return g_strdup_printf (_ ("Ran \u2068%s\u2069 · interrupted after %s"), command, duration);
    case GADGET_CALL_SUMMARY_TIMED_OUT:
      /* Translators: a command, and its time limit */
      return g_strdup_printf (_ ("Ran \u2068%s\u2069 · time limit of %s reached"), command,
                              duration);
    case GADGET_CALL_SUMMARY_SIGNALED:
      /* Translators: a command, and what ended it ("Segmentation fault") */
      return add_duration (g_strdup_printf (_ ("Ran \u2068%s\u2069 · ended by a signal: %s"),
                                            command, g_strsignal (how)),
                           ms);
    case GADGET_CALL_SUMMARY_EXIT_STATUS:
      return add_duration (
          g_strdup_printf (_ ("Ran \u2068%s\u2069 · failed, exit status %d"), command, how), ms);
    default:
      return NULL;
    }
}

static char *
describe_other (const GadgetCallSummary *self)
{
  const double seconds = (double) self->numbers[0] / 1000;

  switch (self->kind)
    {
    case GADGET_CALL_SUMMARY_QUESTION:
      return g_strdup (_ ("Question"));
    case GADGET_CALL_SUMMARY_ANSWERED:
      /* Translators: a question that was asked, and the answer to it */
      return g_strdup_printf (_ ("%s · %s"), self->subject, self->detail);
    case GADGET_CALL_SUMMARY_SUBAGENT:
      return g_strdup (_ ("Subagent"));
    case GADGET_CALL_SUMMARY_MCP:
      /* Translators: the name of a program, and of what it is asked to do */
      return g_strdup_printf (_ ("%s: %s"), self->subject, self->detail);
    case GADGET_CALL_SUMMARY_WAITING:
      return g_strdup_printf (_ ("Waiting %g s"), seconds);
    case GADGET_CALL_SUMMARY_WAITED:
      return g_strdup_printf (_ ("Waited %.1f s"), seconds);
    case GADGET_CALL_SUMMARY_WAIT_INTERRUPTED:
      return g_strdup_printf (_ ("Waited · interrupted after %.1f s"), seconds);
    default:
      return g_strdup (self->subject);
    }
}

static char *
describe_asked (const GadgetCallSummary *self)
{
  switch (self->kind)
    {
    case GADGET_CALL_SUMMARY_ASK_COMMAND:
      return g_strdup (_ ("Run this command?"));
    case GADGET_CALL_SUMMARY_ASK_COMMAND_NETWORK:
      return g_strdup (_ ("Run this command with the network?"));
    case GADGET_CALL_SUMMARY_ASK_READ:
      return g_strdup (_ ("Read this file?"));
    case GADGET_CALL_SUMMARY_ASK_LIST:
      return g_strdup (_ ("List this folder?"));
    case GADGET_CALL_SUMMARY_ASK_FIND:
      return g_strdup (_ ("Find files in this folder?"));
    case GADGET_CALL_SUMMARY_ASK_SEARCH:
      return g_strdup (_ ("Search in this folder?"));
    case GADGET_CALL_SUMMARY_ASK_WRITE:
      /* Translators: %s is a file */
      return g_strdup_printf (_ ("Write %s?"), self->subject);
    case GADGET_CALL_SUMMARY_ASK_FETCH:
      return g_strdup (_ ("Read this address?"));
    case GADGET_CALL_SUMMARY_ASK_INSTRUCTIONS:
      /* Translators: %s is a file */
      return g_strdup_printf (_ ("Follow the instructions in %s?"), self->subject);
    case GADGET_CALL_SUMMARY_ASK_MCP:
      /* Translators: the name of a tool, and of the server that has it */
      return g_strdup_printf (_ ("Use %s of the server “%s”?"), self->detail, self->subject);
    default:
      return NULL;
    }
}

static char *
describe_limit (const GadgetCallSummary *self)
{
  /* Both lists have the same order. */
  const GadgetLimit limit =
      (GadgetLimit) (self->kind - GADGET_CALL_SUMMARY_LIMIT_TIME + GADGET_LIMIT_TIME);
  g_autofree char *amount = gadget_limit_dup_text (limit, self->numbers[0]);

  /* Translators: what the limit is follows: "20 steps", "10 minutes" */
  return g_strdup_printf (_ ("This turn has reached its limit: %s."), amount);
}

/* Makes the text for changes of files that could not be recorded. */
static char *
describe_unrecorded (const GadgetCallSummary *self)
{
  const guint n = (guint) self->numbers[0];

  switch (self->kind)
    {
    case GADGET_CALL_SUMMARY_NOTE_PARTLY_RECORDED:
      return g_strdup (
          _ ("Gadget had not finished looking at the folder when this started: perhaps "
             "not all that it changes can be undone."));
    case GADGET_CALL_SUMMARY_NOTE_NOT_RECORDED:
      return g_strdup (
          _ ("Gadget could not look at the folder: what this changes cannot be undone."));
    case GADGET_CALL_SUMMARY_NOTE_UNKEPT:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                           "%u file of the folder is not kept yet: changes of it "
                                           "cannot be undone.",
                                           "%u files of the folder are not kept yet: changes of "
                                           "them cannot be undone.",
                                           n),
                              n);
    case GADGET_CALL_SUMMARY_NOTE_NO_ROOM:
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE,
                       "There is no room left to keep %u file of the folder: changes "
                       "of it cannot be undone.",
                       "There is no room left to keep %u files of the folder: changes "
                       "of them cannot be undone.",
                       n),
          n);
    default:
      return NULL;
    }
}

static char *
describe_note (const GadgetCallSummary *self)
{
  g_autofree char *size = g_format_size ((guint64) self->numbers[0]);

  switch (self->kind)
    {
    case GADGET_CALL_SUMMARY_NOTE_NOT_SHOWN:
      /* Translators: stands in the middle of a long output; %s is a size, "9.8 MB" */
      return g_strdup_printf (_ ("[%s not shown]"), size);
    case GADGET_CALL_SUMMARY_NOTE_DISARMED:
      /* Translators: stands under a command's output; %s is ".git", or names of such folders */
      return g_strdup_printf (
          _ ("[%s: what version control would have run outside of the sandbox was made harmless]"),
          self->subject);
    case GADGET_CALL_SUMMARY_NOTE_INSTRUCTIONS:
      /* Translators: %s is a file */
      return g_strdup_printf (_ ("Follow the instructions in %s? Allowed."), self->subject);
    case GADGET_CALL_SUMMARY_NOTE_NO_INSTRUCTIONS:
      /* Translators: %s is a file */
      return g_strdup_printf (_ ("Follow the instructions in %s? Not allowed."), self->subject);
    case GADGET_CALL_SUMMARY_NOTE_UNCHECKED:
      /* Translators: stands under a command's output. There was no time to look whether the command
       * put programs into Git repositories that would be run outside of the sandbox. */
      return g_strdup (
          _ ("[Git repositories are not checked yet, since looking through the folder takes "
             "long. That goes on in the background]"));
    default:
      return NULL;
    }
}

static char *
describe (const GadgetCallSummary *self)
{
  if (self->kind < GADGET_CALL_SUMMARY_READING)
    return describe_other (self);
  if (self->kind < GADGET_CALL_SUMMARY_EDITING)
    return describe_read (self);
  if (self->kind < GADGET_CALL_SUMMARY_FETCHING)
    return describe_changed (self);
  if (self->kind < GADGET_CALL_SUMMARY_RUNNING)
    return describe_fetched (self);
  if (self->kind < GADGET_CALL_SUMMARY_WAITING)
    return describe_ran (self);
  if (self->kind < GADGET_CALL_SUMMARY_ASK_COMMAND)
    return describe_other (self);
  if (self->kind < GADGET_CALL_SUMMARY_LIMIT_TIME)
    return describe_asked (self);
  if (self->kind < GADGET_CALL_SUMMARY_NOTE_NOT_SHOWN)
    return describe_limit (self);
  return self->kind < GADGET_CALL_SUMMARY_NOTE_PARTLY_RECORDED ? describe_note (self)
                                                               : describe_unrecorded (self);
}

/**
 * gadget_call_summary_dup_text:
 *
 * Returns: (transfer full): the summary in the language of this process, with marks around code,
 *   see GADGET_CODE_BEGIN
 */
char *
gadget_call_summary_dup_text (const GadgetCallSummary *self)
{
  g_autofree char *words = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  words = describe (self);
  if (self->outcome == GADGET_CALL_OUTCOME_NONE)
    return g_steal_pointer (&words);
  return g_strdup_printf ("%s · %s", words,
                          self->outcome == GADGET_CALL_OUTCOME_NOT_ALLOWED ? _ ("not allowed")
                                                                           : _ ("failed"));
}

/**
 * gadget_call_summary_dup_plain_text:
 *
 * Returns: (transfer full): the same text without the marks, for a terminal or a log
 */
char *
gadget_call_summary_dup_plain_text (const GadgetCallSummary *self)
{
  g_autoptr (GString) plain = g_string_new_take (gadget_call_summary_dup_text (self));

  g_string_replace (plain, GADGET_CODE_BEGIN, "", 0);
  g_string_replace (plain, GADGET_CODE_END, "", 0);
  return g_string_free_and_steal (g_steal_pointer (&plain));
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, valid);
}

static void
add_numbers (JsonBuilder *builder, const gint64 *numbers)
{
  json_builder_set_member_name (builder, "numbers");
  json_builder_begin_array (builder);
  for (guint i = 0; i < 2; i++)
    json_builder_add_int_value (builder, numbers[i]);
  json_builder_end_array (builder);
}

/**
 * gadget_call_summary_to_node:
 *
 * Returns: (transfer full): an object with "kind" and "subject", and with "detail", "numbers",
 *   "path" (see gadget_quoted_path_dup ()) and "outcome" if they are set
 */
JsonNode *
gadget_call_summary_to_node (const GadgetCallSummary *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  json_builder_begin_object (builder);
  add_text (builder, "kind", kind_names[self->kind]);
  add_text (builder, "subject", self->subject);
  if (*self->detail != '\0')
    add_text (builder, "detail", self->detail);
  if (self->numbers[0] != 0 || self->numbers[1] != 0)
    add_numbers (builder, self->numbers);
  if (self->path != NULL)
    {
      g_autofree char *quoted = gadget_quoted_path_dup (self->path);

      add_text (builder, "path", quoted);
    }
  if (self->outcome != GADGET_CALL_OUTCOME_NONE)
    add_text (builder, "outcome", outcome_names[self->outcome]);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* gadget_call_summary_to_json () returns one line of JSON (transfer full), which
 * gadget_call_summary_from_json () reads in any later version: the names of the kinds never
 * change. */
char *
gadget_call_summary_to_json (const GadgetCallSummary *self)
{
  g_autoptr (JsonNode) node = gadget_call_summary_to_node (self);

  return json_to_string (node, FALSE);
}

static void
read_path (GadgetCallSummary *self, const char *quoted)
{
  g_autofree char *path = quoted != NULL ? gadget_quoted_path_parse (quoted) : NULL;

  if (path != NULL && g_path_is_absolute (path))
    self->path = g_steal_pointer (&path);
}

static void
read_numbers (GadgetCallSummary *self, JsonArray *array)
{
  for (guint i = 0; array != NULL && i < MIN (json_array_get_length (array), 2); i++)
    if (json_node_get_value_type (json_array_get_element (array, i)) == G_TYPE_INT64)
      self->numbers[i] = json_array_get_int_element (array, i);
}

/**
 * gadget_call_summary_from_node:
 * @node: (nullable): an object made by gadget_call_summary_to_node ()
 *
 * Returns: (transfer full) (nullable): the summary; %NULL when @node is not one, or has a kind that
 *   only a newer Gadget knows
 */
GadgetCallSummary *
gadget_call_summary_from_node (JsonNode *node)
{
  GadgetCallSummary *self;
  JsonObject *object;
  const char *subject;
  guint kind;
  guint outcome;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  object = json_node_get_object (node);
  kind = gadget_find_name (kind_names, G_N_ELEMENTS (kind_names),
                           gadget_json_get_string (object, "kind"), G_N_ELEMENTS (kind_names));
  if (kind == G_N_ELEMENTS (kind_names))
    return NULL;
  outcome = gadget_find_name (outcome_names, G_N_ELEMENTS (outcome_names),
                              gadget_json_get_string (object, "outcome"), GADGET_CALL_OUTCOME_NONE);
  subject = gadget_json_get_string (object, "subject");
  self = gadget_call_summary_new ((GadgetCallSummaryKind) kind, subject != NULL ? subject : "",
                                  gadget_json_get_string (object, "detail"));
  self->outcome = (GadgetCallOutcome) outcome;
  read_numbers (self, gadget_json_get_array (object, "numbers"));
  read_path (self, gadget_json_get_string (object, "path"));
  return self;
}

/**
 * gadget_call_summary_from_json:
 *
 * Returns: (transfer full) (nullable): the summary; %NULL for a text that is not JSON, is no
 *   summary, or is of a kind that is unknown here
 */
GadgetCallSummary *
gadget_call_summary_from_json (const char *json)
{
  g_autoptr (JsonNode) node = NULL;

  g_return_val_if_fail (json != NULL, NULL);

  node = gadget_json_parse (json, strlen (json), NULL);
  return gadget_call_summary_from_node (node);
}

/* --- Public ----------------------------------------------------------------------------------- */

/**
 * gadget_call_summary_new:
 * @kind: determines the meaning of the other members
 * @subject: what the summary is about
 * @detail: (nullable): a second text, if the kind has one; %NULL is stored as ""
 *
 * Returns: (transfer full): a summary without an outcome
 */
GadgetCallSummary *
gadget_call_summary_new (GadgetCallSummaryKind kind, const char *subject, const char *detail)
{
  GadgetCallSummary *self;

  g_return_val_if_fail (kind < GADGET_N_CALL_SUMMARIES && subject != NULL, NULL);

  self = g_new0 (GadgetCallSummary, 1);
  self->kind = kind;
  self->subject = g_strdup (subject);
  self->detail = g_strdup (detail != NULL ? detail : "");
  return self;
}

/**
 * gadget_call_summary_new_with_numbers:
 * @first: the first number; see the kind
 * @second: the second number, or 0
 *
 * Returns: (transfer full): a summary with numbers
 */
GadgetCallSummary *
gadget_call_summary_new_with_numbers (GadgetCallSummaryKind kind, const char *subject, gint64 first,
                                      gint64 second)
{
  GadgetCallSummary *self = gadget_call_summary_new (kind, subject, NULL);

  self->numbers[0] = first;
  self->numbers[1] = second;
  return self;
}

/**
 * gadget_call_summary_with_path:
 * @self: (transfer full): a summary about a file
 * @path: the real path of the file, absolute
 *
 * Sets the path; for use on a new summary.
 *
 * Returns: (transfer full): @self
 */
GadgetCallSummary *
gadget_call_summary_with_path (GadgetCallSummary *self, const char *path)
{
  g_return_val_if_fail (self != NULL && path != NULL && g_path_is_absolute (path), self);

  g_set_str (&self->path, path);
  return self;
}

/* gadget_call_summary_copy () returns a copy that shares nothing with @self (transfer full).
 * gadget_call_summary_free () frees the texts, too; neither accepts %NULL. */
GadgetCallSummary *
gadget_call_summary_copy (const GadgetCallSummary *self)
{
  GadgetCallSummary *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = gadget_call_summary_new (self->kind, self->subject, self->detail);
  copy->outcome = self->outcome;
  copy->numbers[0] = self->numbers[0];
  copy->numbers[1] = self->numbers[1];
  copy->path = g_strdup (self->path);
  return copy;
}

void
gadget_call_summary_free (GadgetCallSummary *self)
{
  g_free (self->subject);
  g_free (self->detail);
  g_free (self->path);
  g_free (self);
}
