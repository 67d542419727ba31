/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-item.h"
#include "gadget-receipt.h"
#include "gadget-usage.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN (gadget_turn_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurn, gadget_turn, GADGET, TURN, GObject)

/**
 * GadgetTurn:
 *
 * A prompt and everything the agent did for it; a #GListModel of #GadgetItem. Properties, all
 * notified: "status", "phase", "saved", "save-problem", "usage" (the sum of the tokens),
 * "retry-at". Times are in milliseconds since 1970.
 */
GadgetTurn       *gadget_turn_new             (const char       *id,
                                               const char       *prompt);
const char       *gadget_turn_get_id          (GadgetTurn       *self);
const char       *gadget_turn_get_prompt      (GadgetTurn       *self);

/* The status, and the reason for an end other than a complete response. */
GadgetTurnStatus  gadget_turn_get_status      (GadgetTurn       *self);
GadgetStopReason  gadget_turn_get_stop_reason (GadgetTurn       *self);
void              gadget_turn_finish          (GadgetTurn       *self);
/* Ends the turn with a response that the model's limit of output tokens has cut off. */
void              gadget_turn_finish_short    (GadgetTurn       *self);
void              gadget_turn_abort           (GadgetTurn       *self,
                                               GadgetStopReason  reason);

/* Sets the limit that aborts the turn ("limit/steps") and the amount that it allowed. They are kept
 * in place of the error code and detail. */
void              gadget_turn_set_limit       (GadgetTurn       *self,
                                               const char       *code,
                                               const char       *detail);
void              gadget_turn_fail            (GadgetTurn       *self,
                                               const char       *code,
                                               const char       *detail);

/* For a failed turn: a stable code such as "provider/auth" (agent/gadget-failure.h makes the text
 * for the user from it), and the original error message. Both are nullable. */
const char       *gadget_turn_get_error_code   (GadgetTurn      *self);
const char       *gadget_turn_get_error_detail (GadgetTurn      *self);

/* The current work of the turn; GADGET_PHASE_IDLE once it has ended. */
GadgetTurnPhase   gadget_turn_get_phase       (GadgetTurn       *self);
void              gadget_turn_set_phase       (GadgetTurn       *self,
                                               GadgetTurnPhase   phase);

/* Start of the phase; and, in the phase "retrying", the time at which the request is sent again (0
 * if it never was). Not stored. */
gint64            gadget_turn_get_phase_since (GadgetTurn       *self);
gint64            gadget_turn_get_retry_at    (GadgetTurn       *self);
void              gadget_turn_set_retry_at    (GadgetTurn       *self,
                                               gint64            ms);

/* TRUE if the model accepts no images, so that the images of the chat were left out. Not stored. */
gboolean          gadget_turn_get_images_left_out (GadgetTurn   *self);
void              gadget_turn_set_images_left_out (GadgetTurn   *self);

/**
 * GadgetSaveProblem:
 * @GADGET_SAVE_PENDING: the store has not finished yet
 * @GADGET_SAVE_DISK_FULL: the disk is full
 * @GADGET_SAVE_DATA_IN_USE: another program locks the database
 * @GADGET_SAVE_CHAT_IN_USE: another program works on the chat
 * @GADGET_SAVE_FAILED: any other reason
 *
 * Why the final state of a turn is not on disk, if it is not saved.
 */
typedef enum
{
  GADGET_SAVE_PENDING,
  GADGET_SAVE_DISK_FULL,
  GADGET_SAVE_DATA_IN_USE,
  GADGET_SAVE_CHAT_IN_USE,
  GADGET_SAVE_FAILED,
} GadgetSaveProblem;

/* Not stored. Notified as "save-problem". */
GadgetSaveProblem gadget_turn_get_save_problem (GadgetTurn      *self);
void              gadget_turn_set_save_problem (GadgetTurn      *self,
                                                GadgetSaveProblem problem);

/* FALSE while the final state is not on disk. */
gboolean          gadget_turn_get_saved       (GadgetTurn       *self);
void              gadget_turn_set_saved       (GadgetTurn       *self,
                                               gboolean          saved);

/* The model that was asked (nullable); the times, where the end is 0 while the turn goes on; the
 * usage so far; and the operations in flight. */
const char       *gadget_turn_get_provider    (GadgetTurn       *self);
const char       *gadget_turn_get_model       (GadgetTurn       *self);
void              gadget_turn_set_model       (GadgetTurn       *self,
                                               const char       *provider,
                                               const char       *model);
gint64            gadget_turn_get_now         (GadgetTurn       *self);
gint64            gadget_turn_get_started_at  (GadgetTurn       *self);
gint64            gadget_turn_get_ended_at    (GadgetTurn       *self);
const GadgetUsage *gadget_turn_get_usage      (GadgetTurn       *self);
void              gadget_turn_set_usage       (GadgetTurn       *self,
                                               const GadgetUsage *usage);
GadgetReceipt    *gadget_turn_get_receipt     (GadgetTurn       *self);

/* The items, in order. Only the end of the list ever changes while a turn goes on. */
void              gadget_turn_append          (GadgetTurn       *self,
                                               GadgetItem       *item);
guint             gadget_turn_get_n_items     (GadgetTurn       *self);
GadgetItem       *gadget_turn_get_item        (GadgetTurn       *self,
                                               guint             index);
void              gadget_turn_settle_items    (GadgetTurn       *self,
                                               gboolean          aborted);
gboolean          gadget_turn_has_output      (GadgetTurn       *self);
/* Returns whether the turn called a tool. A turn without calls changed nothing outside of the
 * chat. */
gboolean          gadget_turn_has_calls       (GadgetTurn       *self);

/* A stored turn, for the store. The strings and the receipt are borrowed. */
typedef struct
{
  GadgetTurnStatus status;
  GadgetStopReason stop_reason;
  const char *error_code;
  const char *error_detail;
  gint64 started_at;
  gint64 ended_at;
  GadgetUsage usage;
  GadgetReceipt *receipt;
} GadgetTurnRecord;

void              gadget_turn_restore         (GadgetTurn             *self,
                                               const GadgetTurnRecord *record);

G_END_DECLS
