/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Marks around code, such as paths and commands, in the text of a summary. They are Unicode's FIRST
 * STRONG ISOLATE and POP DIRECTIONAL ISOLATE, so they also protect the order of right-to-left
 * text. */
#define GADGET_CODE_BEGIN "\u2068"
#define GADGET_CODE_END "\u2069"

/**
 * GadgetCallSummaryKind:
 *
 * The kinds of summaries. Each is stored under its name in gadget-call-summary.c, which never
 * changes.
 */
typedef enum
{
  GADGET_CALL_SUMMARY_TEXT,     /* the subject as it is: a title, or text stored by an earlier
                                 * version */
  GADGET_CALL_SUMMARY_QUESTION, /* a question without a text */
  GADGET_CALL_SUMMARY_ANSWERED, /* subject: the question, detail: the answer */
  GADGET_CALL_SUMMARY_SUBAGENT, /* a subagent without a title */
  GADGET_CALL_SUMMARY_MCP,      /* subject: the server, detail: the tool */

  GADGET_CALL_SUMMARY_READING,    /* files: the subject is a path or a pattern */
  GADGET_CALL_SUMMARY_READ,       /* detail: the size of a picture, or its type */
  GADGET_CALL_SUMMARY_READ_LINES, /* number: lines */
  GADGET_CALL_SUMMARY_LISTING,
  GADGET_CALL_SUMMARY_LISTED, /* number: entries */
  GADGET_CALL_SUMMARY_FINDING,
  GADGET_CALL_SUMMARY_FOUND, /* number: files */
  GADGET_CALL_SUMMARY_SEARCHING,
  GADGET_CALL_SUMMARY_SEARCHED, /* number: lines */
  GADGET_CALL_SUMMARY_EDITING,
  GADGET_CALL_SUMMARY_EDITED, /* numbers: lines added and removed */
  GADGET_CALL_SUMMARY_WRITING,
  GADGET_CALL_SUMMARY_CREATED,       /* numbers: lines added and removed */
  GADGET_CALL_SUMMARY_CREATED_LINES, /* number: lines */
  GADGET_CALL_SUMMARY_WROTE,         /* numbers: lines added and removed */
  GADGET_CALL_SUMMARY_WROTE_LINES,   /* number: lines */
  GADGET_CALL_SUMMARY_UNCHANGED,

  GADGET_CALL_SUMMARY_FETCHING, /* subject: a server in the web */
  GADGET_CALL_SUMMARY_FETCHED,  /* number: bytes */
  GADGET_CALL_SUMMARY_NO_TEXT,  /* detail: a MIME type */

  GADGET_CALL_SUMMARY_RUNNING,     /* subject: a command */
  GADGET_CALL_SUMMARY_RAN,         /* number: milliseconds */
  GADGET_CALL_SUMMARY_INTERRUPTED, /* number: milliseconds */
  GADGET_CALL_SUMMARY_TIMED_OUT,   /* number: milliseconds */
  GADGET_CALL_SUMMARY_SIGNALED,    /* numbers: milliseconds, the signal */
  GADGET_CALL_SUMMARY_EXIT_STATUS, /* numbers: milliseconds, the exit status */

  GADGET_CALL_SUMMARY_WAITING,          /* number: milliseconds */
  GADGET_CALL_SUMMARY_WAITED,           /* number: milliseconds */
  GADGET_CALL_SUMMARY_WAIT_INTERRUPTED, /* number: milliseconds */

  GADGET_CALL_SUMMARY_ASK_COMMAND, /* the kinds ASK_… are questions before a call */
  GADGET_CALL_SUMMARY_ASK_COMMAND_NETWORK,
  GADGET_CALL_SUMMARY_ASK_READ,
  GADGET_CALL_SUMMARY_ASK_LIST,
  GADGET_CALL_SUMMARY_ASK_FIND,
  GADGET_CALL_SUMMARY_ASK_SEARCH,
  GADGET_CALL_SUMMARY_ASK_WRITE, /* subject: a file */
  GADGET_CALL_SUMMARY_ASK_FETCH,
  GADGET_CALL_SUMMARY_ASK_MCP,          /* subject: the server, detail: the tool */
  GADGET_CALL_SUMMARY_ASK_INSTRUCTIONS, /* subject: a file */

  GADGET_CALL_SUMMARY_LIMIT_TIME, /* the kinds LIMIT_… are reached limits; number: the limit, see
                                   * GadgetLimit */
  GADGET_CALL_SUMMARY_LIMIT_STEPS,
  GADGET_CALL_SUMMARY_LIMIT_TOKENS,
  GADGET_CALL_SUMMARY_LIMIT_COST,
  GADGET_CALL_SUMMARY_LIMIT_DAY_COST,

  GADGET_CALL_SUMMARY_NOTE_NOT_SHOWN, /* the kinds NOTE_… are in a command's output; number:
                                       * bytes */
  GADGET_CALL_SUMMARY_NOTE_DISARMED,  /* subject: ".git", or the names of such folders */
  GADGET_CALL_SUMMARY_NOTE_UNCHECKED,
  GADGET_CALL_SUMMARY_NOTE_INSTRUCTIONS,    /* subject: the file that the model follows */
  GADGET_CALL_SUMMARY_NOTE_NO_INSTRUCTIONS, /* subject: the file that it was not told of */
  GADGET_CALL_SUMMARY_NOTE_PARTLY_RECORDED, /* what cannot be undone of a command */
  GADGET_CALL_SUMMARY_NOTE_NOT_RECORDED,
  GADGET_CALL_SUMMARY_NOTE_UNKEPT,  /* number: files */
  GADGET_CALL_SUMMARY_NOTE_NO_ROOM, /* number: files */
  GADGET_N_CALL_SUMMARIES
} GadgetCallSummaryKind;

/* How a call ended, added to the summary of what it did. */
typedef enum
{
  GADGET_CALL_OUTCOME_NONE,
  GADGET_CALL_OUTCOME_FAILED,
  GADGET_CALL_OUTCOME_NOT_ALLOWED,
} GadgetCallOutcome;

/**
 * GadgetCallSummary:
 * @kind: determines the text and the meaning of the other members
 * @outcome: appended to the text if the call failed or was not allowed
 * @subject: what the summary is about, as the model or the user wrote it; "" for nothing
 * @detail: a second text; "" for none
 * @numbers: depend on the kind; 0 for none
 * @path: (nullable): the real path of the file that was read or written. It is not shown: the
 *   subject may name another file by now
 *
 * One line that says what a tool call does or did, or what the user is asked. It is kept and stored
 * as data; the text is made in the language of the process that shows it.
 */
typedef struct
{
  GadgetCallSummaryKind kind;
  GadgetCallOutcome outcome;
  char *subject;
  char *detail;
  gint64 numbers[2];
  char *path;
} GadgetCallSummary;

GadgetCallSummary *gadget_call_summary_new            (GadgetCallSummaryKind    kind,
                                                       const char              *subject,
                                                       const char              *detail);
GadgetCallSummary *gadget_call_summary_new_with_numbers
                                                 (GadgetCallSummaryKind     kind,
                                                  const char               *subject,
                                                  gint64                    first,
                                                  gint64                    second);
/* Sets the path of a new summary. */
GadgetCallSummary *gadget_call_summary_with_path      (GadgetCallSummary       *self,
                                                       const char              *path);
GadgetCallSummary *gadget_call_summary_copy           (const GadgetCallSummary *self);
void               gadget_call_summary_free           (GadgetCallSummary       *self);
char              *gadget_call_summary_dup_text       (const GadgetCallSummary *self);
char              *gadget_call_summary_dup_plain_text (const GadgetCallSummary *self);
/* Write and read the stored form. Results are owned by the caller; NULL for a text that is not a
 * summary or of an unknown kind. */
JsonNode          *gadget_call_summary_to_node        (const GadgetCallSummary *self);
GadgetCallSummary *gadget_call_summary_from_node      (JsonNode                *node);
char              *gadget_call_summary_to_json        (const GadgetCallSummary *self);
GadgetCallSummary *gadget_call_summary_from_json      (const char              *json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetCallSummary, gadget_call_summary_free)

G_END_DECLS
