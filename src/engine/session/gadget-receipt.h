/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"
#include "gadget-call-summary.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GADGET_TYPE_RECEIPT (gadget_receipt_get_type ())
G_DECLARE_FINAL_TYPE (GadgetReceipt, gadget_receipt, GADGET, RECEIPT, GObject)

typedef enum
{
  GADGET_RECEIPT_CONNECTION,
  GADGET_RECEIPT_PROCESS,
  GADGET_RECEIPT_TOOL,
  GADGET_RECEIPT_SUBAGENT,
  GADGET_RECEIPT_QUESTION,
  GADGET_RECEIPT_MCP,
  GADGET_RECEIPT_KEYRING, /* the wait for a key */
  GADGET_RECEIPT_RETRY,   /* the wait before another attempt */
  GADGET_RECEIPT_REPLY,   /* one that is written without a connection */
} GadgetReceiptKind;

/**
 * GadgetReceiptLine:
 * @kind: what was stopped
 * @name: its name for people ("Ollama", "meson test")
 * @summary: (nullable): what the name was made of
 * @outcome: how it ended, one of "closed", "reset", "ended", "killed", "dismissed", "stopped",
 *   "stopped-waiting"
 * @count: for a process, how many descendants ended with it
 * @ms: milliseconds from the abort to the measured end
 * @sent: for a connection that was "reset" with a request on it, how many bytes of that were sent
 * @size: how many bytes the request has; 0 otherwise
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
 * @id: as gadget_receipt_begin () gave it
 * @kind: what it is
 * @name: its name for people
 * @started_us: when it began, in microseconds of g_get_monotonic_time ()
 * @quiet_since_us: of a connection on which nothing has come for long, since when, in the same; else
 *   0
 *
 * Something that goes on.
 */
typedef struct
{
  guint id;
  GadgetReceiptKind kind;
  const char *name;
  gint64 started_us;
  gint64 quiet_since_us;
} GadgetInFlight;

/* Everything in flight is noted with begin (), and end () once it is really over. What ends after
 * mark_abort () becomes a line with its measured time: the receipt. What is still in flight is
 * what an abort would stop now. Signal "changed": another thing is in flight, or one fewer, or a
 * connection became quiet, or is not any more. */
GadgetReceipt           *gadget_receipt_new            (void);

/* From now on what is in flight here is in flight in PARENT too, and ends there with the same
 * outcome: a stop of the whole has a line for everything that its subagents had going. A stop of
 * this part alone leaves no line there. */
void                     gadget_receipt_set_parent     (GadgetReceipt     *self,
                                                        GadgetReceipt     *parent);
/* The same for what is in flight in OTHER already, which has no parent. */
void                     gadget_receipt_adopt          (GadgetReceipt     *self,
                                                        GadgetReceipt     *other);
guint                    gadget_receipt_begin          (GadgetReceipt     *self,
                                                        GadgetReceiptKind  kind,
                                                        const char        *name);
/* The same with a name that is said in the language of whoever reads it. */
guint                    gadget_receipt_begin_summary  (GadgetReceipt     *self,
                                                        GadgetReceiptKind  kind,
                                                        const GadgetCallSummary *summary);
void                     gadget_receipt_end            (GadgetReceipt     *self,
                                                        guint              id,
                                                        const char        *outcome,
                                                        guint              count);

/* Of a connection in flight: only so much of its request was sent. It ends as "reset" then. */
void                     gadget_receipt_set_sent       (GadgetReceipt     *self,
                                                        guint              id,
                                                        guint64            sent,
                                                        guint64            size);

/* Of a connection of this receipt's own, not of a subagent's. 0: something came again. */
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

/* The oldest first; it is the receipt's, and valid until "changed". */
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
