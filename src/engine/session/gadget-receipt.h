/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"
#include "gadget-call-summary.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GADGET_TYPE_RECEIPT (gadget_receipt_get_type ())
G_DECLARE_FINAL_TYPE (GadgetReceipt, gadget_receipt, GADGET, RECEIPT, GObject)

/* The kinds of operations that an abort stops. */
typedef enum
{
  GADGET_RECEIPT_CONNECTION,
  GADGET_RECEIPT_PROCESS,
  GADGET_RECEIPT_TOOL,
  GADGET_RECEIPT_SUBAGENT,
  GADGET_RECEIPT_QUESTION,
  GADGET_RECEIPT_MCP,
  GADGET_RECEIPT_KEYRING, /* waiting for a key */
  GADGET_RECEIPT_RETRY,   /* waiting before another attempt */
  GADGET_RECEIPT_REPLY,   /* a response that is written without a connection */
} GadgetReceiptKind;

/**
 * GadgetReceiptLine:
 * @kind: what was stopped
 * @name: its name, to be shown ("Ollama", "meson test")
 * @summary: (nullable): the data that the name was made of
 * @outcome: how it ended: "closed", "reset", "ended", "killed", "dismissed", "stopped" or
 *   "stopped-waiting"
 * @count: for a process, the number of its descendants that ended with it
 * @ms: milliseconds from the abort to the measured end
 * @sent: for a connection that was "reset" with a request on it, the bytes of the request that were
 *   sent
 * @size: the size of that request in bytes; 0 otherwise
 *
 * One operation that an abort stopped.
 */
typedef struct
{
  GadgetReceiptKind kind;
  char *name;
  GadgetCallSummary *summary;
  char *outcome;
  guint count;
  double ms;
  guint64 sent;
  guint64 size;
} GadgetReceiptLine;

/**
 * GadgetInFlight:
 * @id: the id that gadget_receipt_begin () returned
 * @kind: the kind of operation
 * @name: its name, to be shown
 * @started_us: when it began, in monotonic microseconds
 * @quiet_since_us: for a connection that has been silent for long, since when, in monotonic
 *   microseconds; else 0
 *
 * An operation that is in flight.
 */
typedef struct
{
  guint id;
  GadgetReceiptKind kind;
  const char *name;
  gint64 started_us;
  gint64 quiet_since_us;
} GadgetInFlight;

/* Each operation of a run is announced with gadget_receipt_begin (), and with gadget_receipt_end ()
 * once it is really over. The operations that end after gadget_receipt_mark_abort () become lines
 * with measured times: the receipt. The operations still in flight are what an abort would stop
 * now. Signal "changed": the operations in flight changed, or a connection became silent or ended
 * its silence. */
GadgetReceipt           *gadget_receipt_new            (void);

/* From now on each operation in flight here is in flight in @parent too, and ends there with the
 * same outcome, so a stop of the whole run has a line for each operation of its subagents. A stop
 * of this part alone leaves no line in @parent. */
void                     gadget_receipt_set_parent     (GadgetReceipt     *self,
                                                        GadgetReceipt     *parent);
/* Does the same for operations that are already in flight in @other, which has no parent. */
void                     gadget_receipt_adopt          (GadgetReceipt     *self,
                                                        GadgetReceipt     *other);
guint                    gadget_receipt_begin          (GadgetReceipt     *self,
                                                        GadgetReceiptKind  kind,
                                                        const char        *name);
/* Does the same with a name that can be shown in the language of each reader. */
guint                    gadget_receipt_begin_summary  (GadgetReceipt     *self,
                                                        GadgetReceiptKind  kind,
                                                        const GadgetCallSummary *summary);
void                     gadget_receipt_end            (GadgetReceipt     *self,
                                                        guint              id,
                                                        const char        *outcome,
                                                        guint              count);

/* Says how much of the request of a connection was sent. The connection ends as "reset" then. */
void                     gadget_receipt_set_sent       (GadgetReceipt     *self,
                                                        guint              id,
                                                        guint64            sent,
                                                        guint64            size);

/* Marks a connection of this receipt, not of a subagent's, as silent since a monotonic time; 0 says
 * that it is not silent any more. */
void                     gadget_receipt_set_quiet      (GadgetReceipt     *self,
                                                        guint              id,
                                                        gint64             since_us);
gint64                   gadget_receipt_get_quiet_since (GadgetReceipt    *self);
void                     gadget_receipt_end_all        (GadgetReceipt     *self,
                                                        const char        *outcome);
void                     gadget_receipt_mark_abort     (GadgetReceipt     *self);
void                     gadget_receipt_mark_settled   (GadgetReceipt     *self);
double                   gadget_receipt_get_total_ms   (GadgetReceipt     *self);
guint                    gadget_receipt_get_n_in_flight (GadgetReceipt    *self);
char                   **gadget_receipt_dup_in_flight  (GadgetReceipt     *self);

/* Returns an operation in flight, the oldest first (transfer none); valid until "changed". */
const GadgetInFlight    *gadget_receipt_get_in_flight  (GadgetReceipt     *self,
                                                        guint              index);
guint                    gadget_receipt_get_n_lines    (GadgetReceipt     *self);
const GadgetReceiptLine *gadget_receipt_get_line       (GadgetReceipt     *self,
                                                        guint              index);
const char              *gadget_receipt_kind_to_string (GadgetReceiptKind  kind);
char                    *gadget_receipt_dup_counts     (GadgetReceipt     *self);
char                    *gadget_receipt_dup_in_flight_counts (GadgetReceipt *self);
JsonNode                *gadget_receipt_to_json        (GadgetReceipt     *self);
GadgetReceipt           *gadget_receipt_new_from_json  (JsonNode          *node);
void                     gadget_receipt_restore_total  (GadgetReceipt     *self,
                                                        double             total_ms);

G_END_DECLS
