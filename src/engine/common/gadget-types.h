/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Types that every folder of the engine needs. The words are those of the README's table. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetTurnStatus:
 * @GADGET_TURN_PROCESSING: the agent works on it
 * @GADGET_TURN_FINISHED: it came to its end
 * @GADGET_TURN_ABORTED: the user, or a limit, ended it; see #GadgetStopReason
 * @GADGET_TURN_ERROR: it failed
 *
 * Changes once, from processing to one of the others, and never again.
 */
typedef enum
{
  GADGET_TURN_PROCESSING,
  GADGET_TURN_FINISHED,
  GADGET_TURN_ABORTED,
  GADGET_TURN_ERROR,
} GadgetTurnStatus;

/**
 * GadgetStopReason:
 *
 * Why a run was aborted. %GADGET_STOP_INTERRUPTED is only ever given on a later start, to a turn
 * whose owner is dead.
 */
typedef enum
{
  GADGET_STOP_NONE,
  GADGET_STOP_USER,
  GADGET_STOP_API,
  GADGET_STOP_SIGNAL,
  GADGET_STOP_CLOSED,
  GADGET_STOP_DEADLINE,
  GADGET_STOP_BUDGET,
  GADGET_STOP_INTERRUPTED,
  GADGET_STOP_LENGTH, /* of a finished turn: the model came to its limit of output tokens */
} GadgetStopReason;

/**
 * GadgetDeletionState:
 * @GADGET_DELETION_NONE: the session is not to be deleted
 * @GADGET_DELETION_PENDING: it is to be deleted, which can still be taken back
 * @GADGET_DELETION_RUNNING: it is being deleted
 * @GADGET_DELETION_DONE: it was deleted, by this process or another, and is never stored again
 *
 * A session takes turns, and is worked on, in the first of these states only.
 */
typedef enum
{
  GADGET_DELETION_NONE,
  GADGET_DELETION_PENDING,
  GADGET_DELETION_RUNNING,
  GADGET_DELETION_DONE,
} GadgetDeletionState;

/**
 * GadgetTurnPhase:
 *
 * What a processing turn is doing at the moment, for status lines. Not stored.
 */
typedef enum
{
  GADGET_PHASE_IDLE,
  GADGET_PHASE_KEYRING,    /* the key is looked up, and that takes long */
  GADGET_PHASE_WAITING,    /* request sent, nothing came yet */
  GADGET_PHASE_LOADING,    /* the server says that it loads the model */
  GADGET_PHASE_RETRYING,   /* the provider asked to wait; see "retry-at" */
  GADGET_PHASE_REASONING,
  GADGET_PHASE_STREAMING,
  GADGET_PHASE_TOOLS,
  GADGET_PHASE_ASKING,     /* a question or permission waits for the user */
  GADGET_PHASE_COMPACTING, /* what was said before is being summarised */
  GADGET_PHASE_ABORTING,
} GadgetTurnPhase;

typedef enum
{
  GADGET_ITEM_TEXT,
  GADGET_ITEM_REASONING,
  GADGET_ITEM_TOOL_CALL,   /* with its result; a question is the call of ask_user */
  GADGET_ITEM_NOTE,        /* shown, never sent to a model */
  GADGET_ITEM_STEER,       /* words of the user, given to the model before the step they stand at */
  GADGET_ITEM_SUMMARY,     /* stands, for the model, for all that was said before it */
} GadgetItemKind;

/**
 * GadgetItemStatus:
 * @GADGET_ITEM_STREAMING: the model is still writing it (text, or a call's arguments)
 * @GADGET_ITEM_PENDING: a complete call that has not started
 * @GADGET_ITEM_RUNNING: the tool runs
 * @GADGET_ITEM_FINISHED: whole
 * @GADGET_ITEM_FAILED: the tool answered with an error
 * @GADGET_ITEM_ABORTED: cut by an abort; what it produced is kept
 * @GADGET_ITEM_NOT_RUN: a call that never started, or whose arguments never became whole
 */
typedef enum
{
  GADGET_ITEM_STREAMING,
  GADGET_ITEM_PENDING,
  GADGET_ITEM_RUNNING,
  GADGET_ITEM_FINISHED,
  GADGET_ITEM_FAILED,
  GADGET_ITEM_ABORTED,
  GADGET_ITEM_NOT_RUN,
} GadgetItemStatus;

typedef enum
{
  GADGET_RUN_TURN,
  GADGET_RUN_SUBAGENT,
  GADGET_RUN_COMPACTION,
  GADGET_RUN_TITLE,
  GADGET_RUN_ATTACHMENT,
  GADGET_RUN_PICTURE,
  GADGET_RUN_UNDO,
} GadgetRunKind;

/**
 * GadgetMode:
 * @GADGET_MODE_ASK: whatever needs permission is asked for, unless a rule allows it
 * @GADGET_MODE_ACCEPT_EDITS: files of the chat's folder are changed without asking
 * @GADGET_MODE_READ_ONLY: files of the chat's folder are read; all else is refused
 * @GADGET_MODE_SANDBOX: what stays within the folder and the sandbox is allowed, the rest asked for
 *
 * What a chat's agent may do without asking.
 */
typedef enum
{
  GADGET_MODE_ASK,
  GADGET_MODE_ACCEPT_EDITS,
  GADGET_MODE_READ_ONLY,
  GADGET_MODE_SANDBOX,
} GadgetMode;

typedef struct _GadgetReceipt GadgetReceipt;
typedef struct _GadgetPrompt GadgetPrompt;
typedef struct _GadgetItem GadgetItem;
typedef struct _GadgetTurn GadgetTurn;
typedef struct _GadgetSession GadgetSession;
typedef struct _GadgetRun GadgetRun;
typedef struct _GadgetRegistry GadgetRegistry;
typedef struct _GadgetAgent GadgetAgent;
typedef struct _GadgetStore GadgetStore;
typedef struct _GadgetClock GadgetClock;

/* The names used in the database, in --json and on D-Bus: "processing", "user", "tool-call", …
 * A name that is not known reads as the first value; an item of a kind that is not known (a newer
 * Gadget wrote it) as a note: it is shown, and no model takes it for its own words. */
const char       *gadget_turn_status_to_string   (GadgetTurnStatus  status);
GadgetTurnStatus  gadget_turn_status_from_string (const char       *name);
const char       *gadget_stop_reason_to_string   (GadgetStopReason  reason);
GadgetStopReason  gadget_stop_reason_from_string (const char       *name);
const char       *gadget_item_kind_to_string     (GadgetItemKind    kind);
GadgetItemKind    gadget_item_kind_from_string   (const char       *name);
const char       *gadget_item_status_to_string   (GadgetItemStatus  status);
GadgetItemStatus  gadget_item_status_from_string (const char       *name);
const char       *gadget_run_kind_to_string      (GadgetRunKind     kind);
/* A mode that is not known reads as Read Only: it is one that a newer Gadget has. */
const char       *gadget_mode_to_string          (GadgetMode        mode);
GadgetMode        gadget_mode_from_string        (const char       *name);

G_END_DECLS
