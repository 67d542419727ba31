/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetEffectKind:
 * @GADGET_EFFECT_READ: a file was read; the subject is its path
 * @GADGET_EFFECT_CHANGE: a file was written, or made
 * @GADGET_EFFECT_DELETE: a file was removed
 * @GADGET_EFFECT_COMMAND: a command ran; the subject is its command line, the detail where it ran
 * @GADGET_EFFECT_HOST: a host was contacted
 * @GADGET_EFFECT_MCP: a tool of an MCP server was called
 * @GADGET_EFFECT_UNDO: changes of the turn were taken back by the user
 * @GADGET_EFFECT_REDO: and made again
 */
typedef enum
{
  GADGET_EFFECT_READ,
  GADGET_EFFECT_CHANGE,
  GADGET_EFFECT_DELETE,
  GADGET_EFFECT_COMMAND,
  GADGET_EFFECT_HOST,
  GADGET_EFFECT_MCP,
  GADGET_EFFECT_UNDO,
  GADGET_EFFECT_REDO,
} GadgetEffectKind;

/**
 * GadgetRecording:
 * @GADGET_RECORDING_NONE: an effect that changes no files
 * @GADGET_RECORDING_PENDING: what it changed is not known yet
 * @GADGET_RECORDING_DONE: all it changed is on record
 * @GADGET_RECORDING_PARTLY: it began before everything could be kept, or folders were skipped, or
 *   its process died in the middle of it: then what was changed until the next look counts as its
 *   doing
 * @GADGET_RECORDING_LOST: what it changed was not recorded
 *
 * How far an effect's changes are on record.
 */
typedef enum
{
  GADGET_RECORDING_NONE,
  GADGET_RECORDING_PENDING,
  GADGET_RECORDING_DONE,
  GADGET_RECORDING_PARTLY,
  GADGET_RECORDING_LOST,
} GadgetRecording;

/**
 * GadgetEffectRow:
 * @number: the row's own, ascending in the order of the beginnings
 * @turn_id: the turn that people see
 * @call_turn_id: the turn that the call stands in: the same, or a subagent's
 * @call_id: (nullable): the call
 * @root: (nullable): the folder in which changes are recorded
 * @started_at: milliseconds since 1970
 * @ended_at: the same, or 0
 * @outcome: (nullable): %NULL while it goes on; "interrupted" when its process died before the end
 * @made: of a change, whether there was no such file before
 * @network: whether a command could use the network; -1 where that is not known
 * @skipped: (nullable): folders in which changes were not recorded, separated by line ends
 *
 * One line of the ledger.
 */
typedef struct
{
  gint64 number;
  char *turn_id;
  char *call_turn_id;
  char *call_id;
  GadgetEffectKind kind;
  char *subject;
  char *detail;
  char *root;
  gboolean made;
  gint64 started_at;
  gint64 ended_at;
  char *outcome;
  GadgetRecording recording;
  int network;
  char *skipped;
} GadgetEffectRow;

const char *gadget_effect_kind_to_string     (GadgetEffectKind       kind);
const char *gadget_recording_to_string       (GadgetRecording        recording);

void        gadget_effect_row_free           (GadgetEffectRow       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetEffectRow, gadget_effect_row_free)

/* The ledger: what turns did to the world outside. A row is there before its effect. */
void        gadget_store_begin_effect_async  (GadgetStore           *self,
                                              const GadgetEffectRow *row,
                                              const char            *owner,
                                              GAsyncReadyCallback    callback,
                                              gpointer               user_data);
gint64      gadget_store_begin_effect_finish (GadgetStore           *self,
                                              GAsyncResult          *result,
                                              GError               **error);
void        gadget_store_note_ready          (GadgetStore           *self,
                                              gint64                 number,
                                              gint64                 moment);
void        gadget_store_end_effect          (GadgetStore           *self,
                                              gint64                 number,
                                              const char            *outcome);
void        gadget_store_list_effects_async  (GadgetStore           *self,
                                              const char            *session_id,
                                              const char            *turn_id,
                                              GAsyncReadyCallback    callback,
                                              gpointer               user_data);
GPtrArray  *gadget_store_list_effects_finish (GadgetStore           *self,
                                              GAsyncResult          *result,
                                              GError               **error);

G_END_DECLS
