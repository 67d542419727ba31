/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "cli-app.h"
#include "control/gadget-turn-watch.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CLI_WRITER (gadget_cli_writer_get_type ())
G_DECLARE_INTERFACE (GadgetCliWriter, gadget_cli_writer, GADGET, CLI_WRITER, GObject)

/**
 * GadgetCliOutcome:
 * @turn: (nullable): the turn; %NULL when it did not come to one
 * @status: how it ended
 * @stop_reason: why, if it was aborted
 * @message: "finished", "aborted", or why it failed
 * @title: (nullable): of a failure, what happened, for people
 * @hint: (nullable): of a failure, what to do next
 * @code: (nullable): of a failure, its stable code
 * @detail: (nullable): of a failure, the raw words
 * @unsaved: whether the turn, or a subagent's, could not be saved
 * @file: (nullable): where its text is then
 * @images_left_out: whether the model takes no images, and was not shown those of the chat
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
  gboolean unsaved;
  const char *file;
  gboolean images_left_out;
} GadgetCliOutcome;

/* How a run is told on standard output: for people, or as JSON. */
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

void             gadget_cli_writer_started   (GadgetCliWriter        *self,
                                              const char             *session_id,
                                              const char             *turn_id,
                                              const char             *run_id);
void             gadget_cli_writer_event     (GadgetCliWriter        *self,
                                              const GadgetTurnEvent  *event);
void             gadget_cli_writer_completed (GadgetCliWriter        *self,
                                              const GadgetCliOutcome *outcome);

GadgetCliWriter *gadget_cli_text_new         (GadgetCli              *cli);
GadgetCliWriter *gadget_cli_json_new         (GadgetCli              *cli);

/* "stopped in 12 ms: 1 connection, 2 commands", or NULL when there was nothing. (transfer full) */
char            *gadget_cli_dup_receipt_text (GadgetReceipt          *receipt);

/* What is said of a turn that could not be saved: why, and where its text is. Both
 * (transfer full), the second (nullable). */
char            *gadget_cli_dup_unsaved_text (const GadgetCliOutcome *outcome);
char            *gadget_cli_dup_file_text    (const GadgetCliOutcome *outcome);

/* Prints an object as one line. */
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
