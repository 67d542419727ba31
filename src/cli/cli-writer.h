/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "cli-app.h"
#include "agent/saving/gadget-unsaved-turns.h"
#include "control/gadget-turn-watch.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CLI_WRITER (gadget_cli_writer_get_type ())
G_DECLARE_INTERFACE (GadgetCliWriter, gadget_cli_writer, GADGET, CLI_WRITER, GObject)

/**
 * GadgetCliOutcome:
 * @turn: (nullable): the turn; %NULL when none was started
 * @status: how the turn ended
 * @stop_reason: why, if it was aborted
 * @message: "finished", "aborted" or the error
 * @title: (nullable): for a failure: what happened, for the user
 * @hint: (nullable): for a failure: what the user can do
 * @code: (nullable): for a failure: its stable code
 * @detail: (nullable): for a failure: the original error message
 * @unsaved: (nullable): the turns that could not be saved, which may be only those of subagents;
 *   %NULL when there are none
 * @images_left_out: whether the model accepts no images, so that those of the chat were left out
 *
 * How a turn ended.
 */
typedef struct
{
  GadgetTurn *turn;
  GadgetTurnStatus status;
  GadgetStopReason stop_reason;
  const char *message;
  const char *title;
  const char *hint;
  const char *code;
  const char *detail;
  GadgetUnsavedTurns *unsaved;
  gboolean images_left_out;
} GadgetCliOutcome;

/* The output of a run: for the user, or as JSON. _started () comes first, then the events, and
 * _completed () exactly once at the end, possibly without the others. */
struct _GadgetCliWriterInterface
{
  GTypeInterface parent_iface;

  void (*started)   (GadgetCliWriter        *self,
                     const char             *session_id,
                     const char             *turn_id,
                     const char             *run_id);
  void (*event)     (GadgetCliWriter        *self,
                     const GadgetTurnEvent  *event);
  void (*completed) (GadgetCliWriter        *self,
                     const GadgetCliOutcome *outcome);
};

/* Report the progress of a run to the writer. */
void             gadget_cli_writer_started   (GadgetCliWriter        *self,
                                              const char             *session_id,
                                              const char             *turn_id,
                                              const char             *run_id);
void             gadget_cli_writer_event     (GadgetCliWriter        *self,
                                              const GadgetTurnEvent  *event);
void             gadget_cli_writer_completed (GadgetCliWriter        *self,
                                              const GadgetCliOutcome *outcome);

/* Create the two writers (transfer full): the normal output, and that of --json. */
GadgetCliWriter *gadget_cli_text_new         (GadgetCli              *cli);
GadgetCliWriter *gadget_cli_json_new         (GadgetCli              *cli);

/* Returns the first line of a text (transfer full), cut when it is long. */
char            *gadget_cli_dup_first_line   (const char             *text);

/* Returns what a call did, and how it ended, in one line (transfer full). */
char            *gadget_cli_dup_result_text  (GadgetItem             *item);

/* Returns a text such as "stopped in 12 ms: 1 connection, 2 commands" (transfer full), or NULL when
 * nothing was stopped. */
char            *gadget_cli_dup_receipt_text (GadgetReceipt          *receipt);

/* Return why a turn could not be saved, and where its text is, or of a subagent without a file the
 * text itself (both transfer full). */
char            *gadget_cli_dup_unsaved_text (const GadgetCliOutcome *outcome,
                                              GadgetTurn             *turn);
char            *gadget_cli_dup_file_text    (const GadgetCliOutcome *outcome,
                                              GadgetTurn             *turn);

/* Print an object as one line of JSON, and add members to it: a string (null for NULL; repaired if
 * it is not UTF-8), a usage (nullable), and a call's arguments. */
void             gadget_cli_print_json       (GadgetCli              *cli,
                                              JsonBuilder            *builder);
void             gadget_cli_json_add_string  (JsonBuilder            *builder,
                                              const char             *name,
                                              const char             *value);
void             gadget_cli_json_add_usage   (JsonBuilder            *builder,
                                              const GadgetUsage      *usage);
void             gadget_cli_json_add_arguments (JsonBuilder          *builder,
                                              const char             *arguments);

G_END_DECLS
