/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Around what is code in the words. */
#define GADGET_CODE_BEGIN "\u2068"
#define GADGET_CODE_END "\u2069"

/**
 * GadgetCallSummaryKind:
 *
 * The kinds of summaries. Each is stored under its name in gadget-call-summary.c, which never changes.
 */
typedef enum
{
  GADGET_CALL_SUMMARY_TEXT,     /* the subject as it is: a title, words of an earlier version */
  GADGET_CALL_SUMMARY_QUESTION, /* without words of its own */
  GADGET_CALL_SUMMARY_ANSWERED, /* subject: the question, detail: the answer */
  GADGET_CALL_SUMMARY_SUBAGENT, /* without a title */
  GADGET_CALL_SUMMARY_MCP,      /* subject: the server, detail: its tool */

  GADGET_CALL_SUMMARY_READING,    /* of files: the subject is a path or a pattern */
  GADGET_CALL_SUMMARY_READ,       /* detail: the size of a picture, or its type */
  GADGET_CALL_SUMMARY_READ_LINES, /* number: lines, entries, files */
  GADGET_CALL_SUMMARY_LISTING,
  GADGET_CALL_SUMMARY_LISTED,
  GADGET_CALL_SUMMARY_FINDING,
  GADGET_CALL_SUMMARY_FOUND,
  GADGET_CALL_SUMMARY_SEARCHING,
  GADGET_CALL_SUMMARY_SEARCHED,
  GADGET_CALL_SUMMARY_EDITING,
  GADGET_CALL_SUMMARY_EDITED, /* numbers: lines added and removed */
  GADGET_CALL_SUMMARY_WRITING,
  GADGET_CALL_SUMMARY_CREATED, /* the same */
  GADGET_CALL_SUMMARY_CREATED_LINES,
  GADGET_CALL_SUMMARY_WROTE, /* the same */
  GADGET_CALL_SUMMARY_WROTE_LINES,
  GADGET_CALL_SUMMARY_UNCHANGED,

  GADGET_CALL_SUMMARY_FETCHING, /* subject: a server of the web */
  GADGET_CALL_SUMMARY_FETCHED,  /* number: bytes */
  GADGET_CALL_SUMMARY_NO_TEXT,  /* detail: a type */

  GADGET_CALL_SUMMARY_RUNNING, /* subject: a command */
  GADGET_CALL_SUMMARY_RAN,     /* number: milliseconds */
  GADGET_CALL_SUMMARY_INTERRUPTED,
  GADGET_CALL_SUMMARY_TIMED_OUT,
  GADGET_CALL_SUMMARY_SIGNALED,    /* numbers: milliseconds, the signal */
  GADGET_CALL_SUMMARY_EXIT_STATUS, /* numbers: milliseconds, the exit status */

  GADGET_CALL_SUMMARY_WAITING, /* number: milliseconds */
  GADGET_CALL_SUMMARY_WAITED,
  GADGET_CALL_SUMMARY_WAIT_INTERRUPTED,

  GADGET_CALL_SUMMARY_ASK_COMMAND, /* what is asked before a call */
  GADGET_CALL_SUMMARY_ASK_COMMAND_NETWORK,
  GADGET_CALL_SUMMARY_ASK_READ,
  GADGET_CALL_SUMMARY_ASK_LIST,
  GADGET_CALL_SUMMARY_ASK_FIND,
  GADGET_CALL_SUMMARY_ASK_SEARCH,
  GADGET_CALL_SUMMARY_ASK_WRITE, /* subject: a file */
  GADGET_CALL_SUMMARY_ASK_FETCH,
  GADGET_CALL_SUMMARY_ASK_MCP, /* subject: the server, detail: its tool */

  GADGET_CALL_SUMMARY_LIMIT_TIME, /* a limit is reached; number: the limit, see GadgetLimit */
  GADGET_CALL_SUMMARY_LIMIT_STEPS,
  GADGET_CALL_SUMMARY_LIMIT_TOKENS,

  GADGET_CALL_SUMMARY_NOTE_NOT_SHOWN, /* in the output of a command; number: bytes */
  GADGET_CALL_SUMMARY_NOTE_DISARMED,  /* subject: ".git", or names of such folders */
  GADGET_CALL_SUMMARY_NOTE_UNCHECKED,
  GADGET_CALL_SUMMARY_NOTE_PARTLY_RECORDED, /* what cannot be undone of a command */
  GADGET_CALL_SUMMARY_NOTE_NOT_RECORDED,
  GADGET_CALL_SUMMARY_NOTE_UNKEPT,  /* number: files */
  GADGET_CALL_SUMMARY_NOTE_NO_ROOM, /* the same */
  GADGET_N_CALL_SUMMARIES
} GadgetCallSummaryKind;

typedef enum
{
  GADGET_CALL_OUTCOME_NONE,
  GADGET_CALL_OUTCOME_FAILED,
  GADGET_CALL_OUTCOME_NOT_ALLOWED,
} GadgetCallOutcome;

/**
 * GadgetCallSummary:
 * @kind: what it says
 * @outcome: added to what was said of a call that goes on
 * @subject: what it is about, as the model or the user wrote it; "" for nothing
 * @detail: a second text; "" for none
 * @numbers: what the kind says; 0 for none
 * @path: (nullable): the real path of the file that was read or written, which is not shown: what
 *   the subject named may be another file by now
 *
 * One line that says what a call of a tool does or did, or what is asked. The line is kept and stored without
 * words, which are made in the language of who reads it.
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

GadgetCallSummary *gadget_call_summary_new       (GadgetCallSummaryKind     kind,
                                                  const char               *subject,
                                                  const char               *detail);
GadgetCallSummary *gadget_call_summary_new_with_numbers
                                                 (GadgetCallSummaryKind     kind,
                                                  const char               *subject,
                                                  gint64                    first,
                                                  gint64                    second);
/* Gives @self (transfer full) that path, and it back. */
GadgetCallSummary *gadget_call_summary_with_path (GadgetCallSummary        *self,
                                                  const char               *path);
GadgetCallSummary *gadget_call_summary_copy      (const GadgetCallSummary  *self);
void               gadget_call_summary_free      (GadgetCallSummary        *self);
char              *gadget_call_summary_dup_words (const GadgetCallSummary  *self);
char              *gadget_call_summary_dup_plain_words (const GadgetCallSummary *self);
JsonNode          *gadget_call_summary_to_node   (const GadgetCallSummary  *self);
GadgetCallSummary *gadget_call_summary_from_node (JsonNode                 *node);
char              *gadget_call_summary_to_json   (const GadgetCallSummary  *self);
GadgetCallSummary *gadget_call_summary_from_json (const char               *json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetCallSummary, gadget_call_summary_free)

G_END_DECLS
