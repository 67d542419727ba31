/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Receipts: which operations of a run are in flight, and how those ended that an abort stopped.
 * Times come from the monotonic clock. Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-receipt"

#include "config.h"

#include "gadget-receipt.h"

#include "common/gadget-bidi.h"
#include "common/gadget-json.h"

#include <glib/gi18n-lib.h>

/* An operation in flight. */
typedef struct
{
  GadgetInFlight public;
  char *name;                 /* owned; public.name points to it */
  GadgetCallSummary *summary; /* (nullable): the data that the name was made of */
  guint parent_id;            /* id of the operation in the parent; 0 without a parent */
  guint64 sent;               /* bytes sent of a request that was not sent completely */
  guint64 size;               /* size of that request in bytes; 0 otherwise */
} InFlight;

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

struct _GadgetReceipt
{
  GObject parent_instance;

  GadgetReceipt *parent; /* (nullable) */
  GPtrArray *in_flight;  /* (element-type InFlight): oldest first */
  GPtrArray *lines;      /* (element-type GadgetReceiptLine): in the order of their ends */
  guint last_id;
  gint64 aborted_us; /* monotonic time of the abort; 0 before it */
  double total_ms;   /* see gadget_receipt_get_total_ms () */
};

G_DEFINE_FINAL_TYPE (GadgetReceipt, gadget_receipt, G_TYPE_OBJECT)

static const char *const kind_names[] = { "connection", "process", "tool",  "subagent", "question",
                                          "mcp",        "keyring", "retry", "reply" };

static void
in_flight_free (gpointer data)
{
  InFlight *in_flight = data;

  g_free (in_flight->name);
  g_clear_pointer (&in_flight->summary, gadget_call_summary_free);
  g_free (in_flight);
}

static void
line_free (gpointer data)
{
  GadgetReceiptLine *line = data;

  g_free (line->name);
  g_clear_pointer (&line->summary, gadget_call_summary_free);
  g_free (line->outcome);
  g_free (line);
}

static GadgetReceiptLine *
add_line (GadgetReceipt *self, GadgetReceiptKind kind, const char *name, const char *outcome,
          guint count, double ms)
{
  GadgetReceiptLine *line = g_new0 (GadgetReceiptLine, 1);

  line->kind = kind;
  line->name = g_strdup (name);
  line->outcome = g_strdup (outcome);
  line->count = count;
  line->ms = ms;
  g_ptr_array_add (self->lines, line);
  return line;
}

static double
since_abort (GadgetReceipt *self)
{
  return (double) (g_get_monotonic_time () - self->aborted_us) / 1000.0;
}

static void
gadget_receipt_finalize (GObject *object)
{
  GadgetReceipt *self = GADGET_RECEIPT (object);

  g_clear_object (&self->parent);
  g_ptr_array_unref (self->in_flight);
  g_ptr_array_unref (self->lines);

  G_OBJECT_CLASS (gadget_receipt_parent_class)->finalize (object);
}

static void
gadget_receipt_class_init (GadgetReceiptClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_receipt_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_receipt_init (GadgetReceipt *self)
{
  self->in_flight = g_ptr_array_new_with_free_func (in_flight_free);
  self->lines = g_ptr_array_new_with_free_func (line_free);
}

/**
 * gadget_receipt_new:
 *
 * Returns: (transfer full): an empty receipt
 */
GadgetReceipt *
gadget_receipt_new (void)
{
  return g_object_new (GADGET_TYPE_RECEIPT, NULL);
}

void
gadget_receipt_set_parent (GadgetReceipt *self, GadgetReceipt *parent)
{
  g_return_if_fail (GADGET_IS_RECEIPT (self) && GADGET_IS_RECEIPT (parent) && self != parent);
  g_set_object (&self->parent, parent);
}

/* @summary is nullable. Also begins the operation in the parent. */
static guint
begin (GadgetReceipt *self, GadgetReceiptKind kind, const char *name,
       const GadgetCallSummary *summary)
{
  InFlight *in_flight = g_new0 (InFlight, 1);
  const guint id = ++self->last_id;

  in_flight->name = g_strdup (name);
  in_flight->summary = summary != NULL ? gadget_call_summary_copy (summary) : NULL;
  in_flight->public = (GadgetInFlight) { id, kind, in_flight->name, g_get_monotonic_time (), 0 };
  if (self->parent != NULL)
    in_flight->parent_id = begin (self->parent, kind, name, summary);
  g_ptr_array_add (self->in_flight, in_flight);
  g_signal_emit (self, signals[CHANGED], 0);
  return id;
}

/**
 * gadget_receipt_begin:
 * @kind: the kind of operation
 * @name: its name, to be shown
 *
 * Announces an operation that is in flight now.
 *
 * Returns: an id for gadget_receipt_end (), never 0
 */
guint
gadget_receipt_begin (GadgetReceipt *self, GadgetReceiptKind kind, const char *name)
{
  g_return_val_if_fail (GADGET_IS_RECEIPT (self) && name != NULL, 0);
  return begin (self, kind, name, NULL);
}

static char *
dup_name (const GadgetCallSummary *summary)
{
  g_autofree char *words = gadget_call_summary_dup_plain_text (summary);

  return gadget_bidi_escape (words);
}

guint
gadget_receipt_begin_summary (GadgetReceipt *self, GadgetReceiptKind kind,
                              const GadgetCallSummary *summary)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (GADGET_IS_RECEIPT (self) && summary != NULL, 0);

  name = dup_name (summary);
  return begin (self, kind, name, summary);
}

void
gadget_receipt_adopt (GadgetReceipt *self, GadgetReceipt *other)
{
  g_return_if_fail (GADGET_IS_RECEIPT (self) && GADGET_IS_RECEIPT (other) && self != other);

  if (other->parent != NULL)
    return;
  gadget_receipt_set_parent (other, self);
  for (guint i = 0; i < other->in_flight->len; i++)
    {
      InFlight *in_flight = g_ptr_array_index (other->in_flight, i);

      in_flight->parent_id =
          begin (self, in_flight->public.kind, in_flight->name, in_flight->summary);
    }
}

static InFlight *
find_in_flight (GadgetReceipt *self, guint id)
{
  for (guint i = 0; i < self->in_flight->len; i++)
    if (((InFlight *) g_ptr_array_index (self->in_flight, i))->public.id == id)
      return g_ptr_array_index (self->in_flight, i);
  return NULL;
}

/**
 * gadget_receipt_set_sent:
 * @id: the id of a connection; an operation that has ended is ignored
 * @sent: bytes of the request that were sent
 * @size: the size of the request in bytes
 *
 * Says that a request was not sent completely, also in the parent.
 */
void
gadget_receipt_set_sent (GadgetReceipt *self, guint id, guint64 sent, guint64 size)
{
  InFlight *in_flight;

  g_return_if_fail (GADGET_IS_RECEIPT (self) && sent <= size);

  in_flight = find_in_flight (self, id);
  if (in_flight == NULL)
    return;
  in_flight->sent = sent;
  in_flight->size = size;
  if (self->parent != NULL)
    gadget_receipt_set_sent (self->parent, in_flight->parent_id, sent, size);
}

/**
 * gadget_receipt_set_quiet:
 * @id: the id of a connection; an operation that has ended is ignored
 * @since_us: monotonic time of the last received data; 0 when the connection is not silent any more
 *
 * Marks a connection as silent, only in this receipt.
 */
void
gadget_receipt_set_quiet (GadgetReceipt *self, guint id, gint64 since_us)
{
  InFlight *in_flight;

  g_return_if_fail (GADGET_IS_RECEIPT (self));

  in_flight = find_in_flight (self, id);
  if (in_flight == NULL || in_flight->public.quiet_since_us == since_us)
    return;
  in_flight->public.quiet_since_us = since_us;
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * gadget_receipt_get_quiet_since:
 *
 * Returns: since when, in monotonic microseconds, a connection has been silent; 0 when none is
 */
gint64
gadget_receipt_get_quiet_since (GadgetReceipt *self)
{
  g_return_val_if_fail (GADGET_IS_RECEIPT (self), 0);

  for (guint i = 0; i < self->in_flight->len; i++)
    {
      const gint64 since_us = gadget_receipt_get_in_flight (self, i)->quiet_since_us;

      if (since_us != 0)
        return since_us;
    }
  return 0;
}

static void
add_ended (GadgetReceipt *self, const InFlight *in_flight, const char *outcome, guint count)
{
  GadgetReceiptLine *line =
      add_line (self, in_flight->public.kind, in_flight->name,
                in_flight->size > 0 ? "reset" : outcome, count, since_abort (self));

  if (in_flight->summary != NULL)
    line->summary = gadget_call_summary_copy (in_flight->summary);
  line->sent = in_flight->sent;
  line->size = in_flight->size;
}

/**
 * gadget_receipt_end:
 * @id: the id from gadget_receipt_begin (); an operation that has ended is ignored
 * @outcome: see #GadgetReceiptLine
 * @count: see #GadgetReceiptLine
 *
 * Ends an operation, when it is really over, also in the parent. After an abort this adds a line to
 * the receipt.
 */
void
gadget_receipt_end (GadgetReceipt *self, guint id, const char *outcome, guint count)
{
  InFlight *in_flight;

  g_return_if_fail (GADGET_IS_RECEIPT (self) && outcome != NULL);

  in_flight = find_in_flight (self, id);
  if (in_flight == NULL)
    return;
  if (self->aborted_us != 0)
    add_ended (self, in_flight, outcome, count);
  if (self->parent != NULL)
    gadget_receipt_end (self->parent, in_flight->parent_id, outcome, count);
  g_ptr_array_remove (self->in_flight, in_flight);
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * gadget_receipt_end_all:
 * @outcome: see #GadgetReceiptLine
 *
 * Ends all operations in flight, because nothing waits for them any more.
 */
void
gadget_receipt_end_all (GadgetReceipt *self, const char *outcome)
{
  g_return_if_fail (GADGET_IS_RECEIPT (self));

  while (self->in_flight->len > 0)
    gadget_receipt_end (self, gadget_receipt_get_in_flight (self, 0)->id, outcome, 0);
}

/**
 * gadget_receipt_mark_abort:
 *
 * Starts the measurement of times. Later calls do nothing.
 */
void
gadget_receipt_mark_abort (GadgetReceipt *self)
{
  g_return_if_fail (GADGET_IS_RECEIPT (self));

  if (self->aborted_us == 0)
    self->aborted_us = g_get_monotonic_time ();
}

/**
 * gadget_receipt_mark_settled:
 *
 * Says that everything has stopped after an abort; fixes the total time. Later calls do nothing.
 */
void
gadget_receipt_mark_settled (GadgetReceipt *self)
{
  g_return_if_fail (GADGET_IS_RECEIPT (self));

  if (self->aborted_us != 0 && self->total_ms <= 0)
    self->total_ms = since_abort (self);
}

/**
 * gadget_receipt_get_total_ms:
 *
 * Returns: milliseconds from the abort until everything had stopped; 0 without an abort, and before
 *   gadget_receipt_mark_settled ()
 */
double
gadget_receipt_get_total_ms (GadgetReceipt *self)
{
  g_return_val_if_fail (GADGET_IS_RECEIPT (self), 0);
  return self->total_ms;
}

/**
 * gadget_receipt_get_n_in_flight:
 *
 * Returns: the number of operations that an abort would stop now
 */
guint
gadget_receipt_get_n_in_flight (GadgetReceipt *self)
{
  g_return_val_if_fail (GADGET_IS_RECEIPT (self), 0);
  return self->in_flight->len;
}

/**
 * gadget_receipt_dup_in_flight:
 *
 * Returns: (transfer full): the operations that an abort would stop now, each as "kind name"
 */
char **
gadget_receipt_dup_in_flight (GadgetReceipt *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (GADGET_IS_RECEIPT (self), NULL);

  for (guint i = 0; i < self->in_flight->len; i++)
    {
      const InFlight *in_flight = g_ptr_array_index (self->in_flight, i);

      g_strv_builder_take (
          builder, g_strdup_printf ("%s %s", kind_names[in_flight->public.kind], in_flight->name));
    }
  return g_strv_builder_end (builder);
}

const GadgetInFlight *
gadget_receipt_get_in_flight (GadgetReceipt *self, guint index)
{
  g_return_val_if_fail (GADGET_IS_RECEIPT (self) && index < self->in_flight->len, NULL);
  return &((InFlight *) g_ptr_array_index (self->in_flight, index))->public;
}

/**
 * gadget_receipt_get_n_lines:
 *
 * Returns: the number of operations that the abort stopped so far
 */
guint
gadget_receipt_get_n_lines (GadgetReceipt *self)
{
  g_return_val_if_fail (GADGET_IS_RECEIPT (self), 0);
  return self->lines->len;
}

/**
 * gadget_receipt_get_line:
 *
 * Returns: (transfer none): one of these operations, in the order of their ends
 */
const GadgetReceiptLine *
gadget_receipt_get_line (GadgetReceipt *self, guint index)
{
  g_return_val_if_fail (GADGET_IS_RECEIPT (self) && index < self->lines->len, NULL);
  return g_ptr_array_index (self->lines, index);
}

/**
 * gadget_receipt_kind_to_string:
 *
 * Returns: (transfer none): the name of a kind in JSON and on D-Bus
 */
const char *
gadget_receipt_kind_to_string (GadgetReceiptKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (kind_names), NULL);
  return kind_names[kind];
}

static char *
count_kind (GadgetReceiptKind kind, guint n)
{
  switch (kind)
    {
    case GADGET_RECEIPT_CONNECTION:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u connection", "%u connections", n),
                              n);
    case GADGET_RECEIPT_PROCESS:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u command", "%u commands", n), n);
    case GADGET_RECEIPT_SUBAGENT:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u subagent", "%u subagents", n), n);
    case GADGET_RECEIPT_QUESTION:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u question", "%u questions", n), n);
    case GADGET_RECEIPT_KEYRING:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u request to the keyring",
                                           "%u requests to the keyring", n),
                              n);
    case GADGET_RECEIPT_RETRY:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u retry", "%u retries", n), n);
    case GADGET_RECEIPT_REPLY:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u reply", "%u replies", n), n);
    case GADGET_RECEIPT_TOOL:
    case GADGET_RECEIPT_MCP:
    default:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u tool", "%u tools", n), n);
    }
}

/* Tools of MCP servers are counted as tools: the difference does not matter to the user. */
static void
count (guint *counts, GadgetReceiptKind kind)
{
  counts[kind == GADGET_RECEIPT_MCP ? GADGET_RECEIPT_TOOL : kind]++;
}

static char *
describe_counts (const guint *counts)
{
  GString *list = g_string_new (NULL);

  for (guint kind = 0; kind < G_N_ELEMENTS (kind_names); kind++)
    {
      g_autofree char *part =
          counts[kind] > 0 ? count_kind ((GadgetReceiptKind) kind, counts[kind]) : NULL;

      if (part == NULL)
        continue;
      if (list->len > 0)
        /* Translators: between the things that were stopped */
        g_string_append (list, _ (", "));
      g_string_append (list, part);
    }
  return g_string_free_and_steal (list);
}

/**
 * gadget_receipt_dup_counts:
 *
 * Returns: (transfer full): how many operations of each kind were stopped, translated, such as "1
 *   connection, 2 commands"; "" for none
 */
char *
gadget_receipt_dup_counts (GadgetReceipt *self)
{
  guint counts[G_N_ELEMENTS (kind_names)] = { 0 };

  g_return_val_if_fail (GADGET_IS_RECEIPT (self), NULL);

  for (guint i = 0; i < self->lines->len; i++)
    count (counts, gadget_receipt_get_line (self, i)->kind);
  return describe_counts (counts);
}

/**
 * gadget_receipt_dup_in_flight_counts:
 *
 * Returns: (transfer full): the same for the operations that an abort would stop now
 */
char *
gadget_receipt_dup_in_flight_counts (GadgetReceipt *self)
{
  guint counts[G_N_ELEMENTS (kind_names)] = { 0 };

  g_return_val_if_fail (GADGET_IS_RECEIPT (self), NULL);

  for (guint i = 0; i < self->in_flight->len; i++)
    count (counts, gadget_receipt_get_in_flight (self, i)->kind);
  return describe_counts (counts);
}

static void
add_sent (JsonBuilder *builder, const GadgetReceiptLine *line)
{
  gadget_json_add_int (builder, "sent", (gint64) line->sent);
  gadget_json_add_int (builder, "size", (gint64) line->size);
}

/**
 * gadget_receipt_to_json:
 *
 * Returns: (transfer full): an array of objects with "kind", "name", "outcome", "count" and "ms";
 *   with "sent" and "size" for a request that was not sent completely; and with "summary" if the
 *   name can be made in another language
 */
JsonNode *
gadget_receipt_to_json (GadgetReceipt *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  g_return_val_if_fail (GADGET_IS_RECEIPT (self), NULL);

  json_builder_begin_array (builder);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const GadgetReceiptLine *line = g_ptr_array_index (self->lines, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "kind");
      json_builder_add_string_value (builder, kind_names[line->kind]);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, line->name);
      if (line->summary != NULL)
        {
          json_builder_set_member_name (builder, "summary");
          json_builder_add_value (builder, gadget_call_summary_to_node (line->summary));
        }
      json_builder_set_member_name (builder, "outcome");
      json_builder_add_string_value (builder, line->outcome);
      gadget_json_add_int (builder, "count", line->count);
      gadget_json_add_double (builder, "ms", gadget_json_round_ms (line->ms));
      if (line->size > 0)
        add_sent (builder, line);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}

static GadgetReceiptKind
kind_from_string (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind_names); i++)
    if (g_strcmp0 (kind_names[i], name) == 0)
      return (GadgetReceiptKind) i;
  return GADGET_RECEIPT_TOOL;
}

static void
read_line (GadgetReceipt *self, JsonObject *object)
{
  g_autoptr (GadgetCallSummary) summary =
      gadget_call_summary_from_node (json_object_get_member (object, "summary"));
  g_autofree char *said = summary != NULL ? dup_name (summary) : NULL;
  const char *name = said != NULL ? said : gadget_json_get_string (object, "name");
  const char *outcome = gadget_json_get_string (object, "outcome");
  GadgetReceiptLine *line;
  gint64 count = 0;
  gint64 sent = 0;
  gint64 size = 0;

  if (name == NULL || outcome == NULL)
    return;
  gadget_json_get_int (object, "count", &count);
  gadget_json_get_int (object, "sent", &sent);
  gadget_json_get_int (object, "size", &size);
  line = add_line (self, kind_from_string (gadget_json_get_string (object, "kind")), name, outcome,
                   (guint) CLAMP (count, 0, G_MAXINT),
                   json_object_get_double_member_with_default (object, "ms", 0));
  line->summary = g_steal_pointer (&summary);
  line->size = (guint64) MAX (0, size);
  line->sent = (guint64) CLAMP (sent, 0, MAX (0, size));
}

/**
 * gadget_receipt_new_from_json:
 * @node: (nullable): an array made by gadget_receipt_to_json (); anything else reads as an empty
 *   receipt
 *
 * Returns: (transfer full): the stored receipt, without its total time
 */
GadgetReceipt *
gadget_receipt_new_from_json (JsonNode *node)
{
  GadgetReceipt *self = gadget_receipt_new ();

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return self;

  JsonArray *array = json_node_get_array (node);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *object = gadget_json_get_element (array, i);

      if (object != NULL)
        read_line (self, object);
    }
  return self;
}

/**
 * gadget_receipt_restore_total:
 * @total_ms: see gadget_receipt_get_total_ms ()
 *
 * Sets the total time of a stored receipt; the store keeps it separately.
 */
void
gadget_receipt_restore_total (GadgetReceipt *self, double total_ms)
{
  g_return_if_fail (GADGET_IS_RECEIPT (self));
  self->total_ms = total_ms;
}
