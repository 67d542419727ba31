/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetEffectKind:
 * @GADGET_EFFECT_READ: a file was read; the subject is its path
 * @GADGET_EFFECT_CHANGE: a file was written or created
 * @GADGET_EFFECT_DELETE: a file was removed; only in rows of earlier versions
 * @GADGET_EFFECT_COMMAND: a command ran; the subject is its command line, the detail its folder
 * @GADGET_EFFECT_HOST: a host was contacted
 * @GADGET_EFFECT_MCP: a tool of an MCP server was called
 * @GADGET_EFFECT_UNDO: the user undid changes of the turn
 * @GADGET_EFFECT_REDO: the user redid changes of the turn
 *
 * The kind of an effect.
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
 * @GADGET_RECORDING_NONE: the effect changes no files
 * @GADGET_RECORDING_PENDING: the changes are not known yet
 * @GADGET_RECORDING_DONE: all changes are recorded
 * @GADGET_RECORDING_PARTLY: the effect began before all contents could be kept, or folders were
 *   skipped, or its process died during the effect: then all changes until the next snapshot count
 *   as its own
 * @GADGET_RECORDING_LOST: the changes were not recorded
 *
 * How completely the changes of an effect are recorded.
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
 * @number: the primary key of the row, ascending in the order in which effects began
 * @turn_id: the turn of the user's chat
 * @call_turn_id: the turn that contains the call: the same, or a subagent's
 * @call_id: (nullable): the call
 * @kind: the kind
 * @subject: what was affected, see #GadgetEffectKind
 * @detail: (nullable): more about it, see #GadgetEffectKind
 * @root: (nullable): the folder in which changes are recorded
 * @made: of a change, whether the file did not exist before
 * @started_at: milliseconds since 1970
 * @ended_at: milliseconds since 1970, or 0
 * @outcome: (nullable): %NULL while the effect is going on; "interrupted" if its process died
 *   before its end
 * @recording: how completely its changes are recorded
 * @network: whether a command could use the network; -1 if that is not known
 * @skipped: (nullable): folders in which changes were not recorded, separated by line ends
 *
 * One effect of a turn, a row of the ledger.
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

/* Return the string in the database (transfer none). */
const char *gadget_effect_kind_to_string     (GadgetEffectKind       kind);
const char *gadget_recording_to_string       (GadgetRecording        recording);

void        gadget_effect_row_free           (GadgetEffectRow       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetEffectRow, gadget_effect_row_free)

/* The ledger of effects: what turns did outside of their chats. A row is stored before its effect
 * happens. */
void        gadget_store_begin_effect_async  (GadgetStore           *self,
                                              const GadgetEffectRow *row,
                                              const char            *owner,
                                              GAsyncReadyCallback    callback,
                                              gpointer               user_data);
gint64      gadget_store_begin_effect_finish (GadgetStore           *self,
                                              GAsyncResult          *result,
                                              GError               **error);
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
