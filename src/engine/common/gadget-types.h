/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Types that every folder of the engine needs. The table of words in the README explains the
 * terms. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetTurnStatus:
 * @GADGET_TURN_PROCESSING: the agent works on the turn
 * @GADGET_TURN_FINISHED: the turn is complete
 * @GADGET_TURN_ABORTED: the user, or a limit, ended the turn; see #GadgetStopReason
 * @GADGET_TURN_ERROR: the turn failed
 *
 * The status changes once, from processing to one of the others, and never again.
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
 * Why a run was aborted. %GADGET_STOP_INTERRUPTED is only set by a later start of Gadget, on a turn
 * whose process has died.
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
  GADGET_STOP_LENGTH, /* of a finished turn: the model reached its limit of output tokens */
} GadgetStopReason;

/**
 * GadgetDeletionState:
 * @GADGET_DELETION_NONE: the session is not to be deleted
 * @GADGET_DELETION_PENDING: the session is to be deleted, and the user can still undo that
 * @GADGET_DELETION_RUNNING: the session is being deleted
 * @GADGET_DELETION_DONE: the session was deleted, by this or another process, and is never stored
 *   again
 *
 * A session accepts turns and other work only in %GADGET_DELETION_NONE.
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
 * The current work of a processing turn, for status lines. The phase is not stored.
 */
typedef enum
{
  GADGET_PHASE_IDLE,
  GADGET_PHASE_KEYRING,    /* waiting for the keyring, which takes long, to return the key */
  GADGET_PHASE_WAITING,    /* request sent, no response yet */
  GADGET_PHASE_LOADING,    /* the server reports that it is loading the model */
  GADGET_PHASE_RETRYING,   /* waiting as the provider asked; see the turn's "retry-at" */
  GADGET_PHASE_REASONING,
  GADGET_PHASE_STREAMING,
  GADGET_PHASE_TOOLS,
  GADGET_PHASE_ASKING,     /* a question or a permission request waits for the user */
  GADGET_PHASE_COMPACTING, /* earlier turns are being summarized */
  GADGET_PHASE_ABORTING,
} GadgetTurnPhase;

/* The kinds of items that a turn is made of. */
typedef enum
{
  GADGET_ITEM_TEXT,
  GADGET_ITEM_REASONING,
  GADGET_ITEM_TOOL_CALL,   /* including its result; a question is a call of ask_user */
  GADGET_ITEM_NOTE,        /* shown to the user, never sent to a model */
  GADGET_ITEM_STEER,       /* text of the user that the model gets before the step at this place */
  GADGET_ITEM_SUMMARY,     /* replaces all earlier items when they are sent to the model */
} GadgetItemKind;

/**
 * GadgetItemStatus:
 * @GADGET_ITEM_STREAMING: the model is still writing the item (text, or the arguments of a call)
 * @GADGET_ITEM_PENDING: a complete call that has not started
 * @GADGET_ITEM_RUNNING: the tool runs
 * @GADGET_ITEM_FINISHED: complete
 * @GADGET_ITEM_FAILED: the tool returned an error
 * @GADGET_ITEM_ABORTED: an abort ended it early; its output so far is kept
 * @GADGET_ITEM_NOT_RUN: a call that never started, or whose arguments were never complete
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

/* The kinds of work that can be stopped. */
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
 * @GADGET_MODE_ASK: the agent asks for whatever needs permission, unless a rule allows it
 * @GADGET_MODE_ACCEPT_EDITS: the agent changes files of the chat's folder without asking
 * @GADGET_MODE_READ_ONLY: the agent may read files of the chat's folder; everything else is refused
 * @GADGET_MODE_SANDBOX: the agent may do what stays within the folder and the sandbox, and asks for
 *   the rest
 *
 * How much a chat's agent may do without asking.
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

/* The names used in the database, in --json and on D-Bus: "processing", "user", "tool-call", … They
 * are static. An unknown name is read as the first value. An item of an unknown kind, which a newer
 * Gadget wrote, is read as a note, so that it is shown but never sent to a model. */
const char       *gadget_turn_status_to_string   (GadgetTurnStatus  status);
GadgetTurnStatus  gadget_turn_status_from_string (const char       *name);
const char       *gadget_stop_reason_to_string   (GadgetStopReason  reason);
GadgetStopReason  gadget_stop_reason_from_string (const char       *name);
const char       *gadget_item_kind_to_string     (GadgetItemKind    kind);
GadgetItemKind    gadget_item_kind_from_string   (const char       *name);
const char       *gadget_item_status_to_string   (GadgetItemStatus  status);
GadgetItemStatus  gadget_item_status_from_string (const char       *name);
const char       *gadget_run_kind_to_string      (GadgetRunKind     kind);
/* An unknown mode, which a newer Gadget has, is read as Read Only. */
const char       *gadget_mode_to_string          (GadgetMode        mode);
GadgetMode        gadget_mode_from_string        (const char       *name);

/* Returns the index of NAME (nullable) in NAMES, or FALLBACK if it is not among them. */
guint             gadget_find_name               (const char *const *names,
                                                  guint              n_names,
                                                  const char        *name,
                                                  guint              fallback);

G_END_DECLS
