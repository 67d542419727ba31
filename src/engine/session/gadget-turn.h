/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-item.h"
#include "gadget-receipt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN (gadget_turn_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurn, gadget_turn, GADGET, TURN, GObject)

/* Billionths of a US dollar, which hold the price of one token of the cheapest models. */
#define GADGET_COST_DOLLAR G_GINT64_CONSTANT (1000000000)

/**
 * GadgetUsage:
 * @cost: what the provider said that it costs, in billionths of a US dollar; 0 where it said nothing
 * @estimated: not all of it was told by the provider: tokens are partly counted here, and the cost
 *   may be more
 */
typedef struct
{
  gint64 input_tokens;
  gint64 output_tokens;
  gint64 cost;
  gboolean estimated;
} GadgetUsage;

void              gadget_usage_add            (GadgetUsage       *self,
                                               const GadgetUsage *other);

/**
 * GadgetTurn:
 *
 * A prompt and everything the agent did for it; a #GListModel of #GadgetItem. Properties, all
 * notified: "status", "phase", "saved", "save-problem", "usage" (no value, notify only),
 * "retry-at".
 */
GadgetTurn       *gadget_turn_new             (const char       *id,
                                               const char       *prompt);
const char       *gadget_turn_get_id          (GadgetTurn       *self);
const char       *gadget_turn_get_prompt      (GadgetTurn       *self);

GadgetTurnStatus  gadget_turn_get_status      (GadgetTurn       *self);
GadgetStopReason  gadget_turn_get_stop_reason (GadgetTurn       *self);
void              gadget_turn_finish          (GadgetTurn       *self);
/* Finishes it with an answer that the model's limit of output tokens has cut. */
void              gadget_turn_finish_short    (GadgetTurn       *self);
void              gadget_turn_abort           (GadgetTurn       *self,
                                               GadgetStopReason  reason);

/* Which limit aborted it ("limit/steps") and how much it allowed; kept in the error's fields. */
void              gadget_turn_set_limit       (GadgetTurn       *self,
                                               const char       *code,
                                               const char       *detail);
void              gadget_turn_fail            (GadgetTurn       *self,
                                               const char       *code,
                                               const char       *detail);

/* Of a failed turn: a stable code such as "provider/auth" (see agent/gadget-failure.h, which makes
 * the text for people from it), and the raw words of what failed. */
const char       *gadget_turn_get_error_code   (GadgetTurn      *self);
const char       *gadget_turn_get_error_detail (GadgetTurn      *self);

GadgetTurnPhase   gadget_turn_get_phase       (GadgetTurn       *self);
void              gadget_turn_set_phase       (GadgetTurn       *self,
                                               GadgetTurnPhase   phase);

/* Of the phase "retrying": when the request is sent again, in milliseconds since 1970; 0 when it never
 * was. Not stored. */
gint64            gadget_turn_get_phase_since (GadgetTurn       *self);
gint64            gadget_turn_get_retry_at    (GadgetTurn       *self);
void              gadget_turn_set_retry_at    (GadgetTurn       *self,
                                               gint64            ms);

/* Tells whether the model takes no images, so that it was not shown those of the chat. This is not
 * stored. */
gboolean          gadget_turn_get_images_left_out (GadgetTurn   *self);
void              gadget_turn_set_images_left_out (GadgetTurn   *self);

/**
 * GadgetSaveProblem:
 * @GADGET_SAVE_PENDING: the store has not answered yet
 * @GADGET_SAVE_DISK_FULL: there is no room for it
 * @GADGET_SAVE_DATA_IN_USE: another program holds the database
 * @GADGET_SAVE_CHAT_IN_USE: another program works on the chat
 * @GADGET_SAVE_FAILED: anything else
 *
 * Why the turn's end is not on disk, where it is not saved.
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

/* FALSE when the final state is not on disk. */
gboolean          gadget_turn_get_saved       (GadgetTurn       *self);
void              gadget_turn_set_saved       (GadgetTurn       *self,
                                               gboolean          saved);

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

void              gadget_turn_append          (GadgetTurn       *self,
                                               GadgetItem       *item);
guint             gadget_turn_get_n_items     (GadgetTurn       *self);
GadgetItem       *gadget_turn_get_item        (GadgetTurn       *self,
                                               guint             index);
void              gadget_turn_seal_items      (GadgetTurn       *self,
                                               gboolean          aborted);
gboolean          gadget_turn_has_output      (GadgetTurn       *self);

/* For the store: a turn as it was recorded. */
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
