/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The largest body that is read as a whole, in bytes. */
#define GADGET_DIALECT_MAX_BODY (8 * 1024 * 1024)

/* The largest response: text, reasoning and arguments together, in bytes. */
#define GADGET_DIALECT_MAX_ANSWER (32 * 1024 * 1024)

/* The largest arguments of one call that arrive in parts, in bytes. */
#define GADGET_DIALECT_MAX_ARGUMENTS GADGET_DIALECT_MAX_BODY

/* A response with more calls, or more parts of any kind, comes from a faulty server. */
#define GADGET_DIALECT_MAX_CALLS 128
#define GADGET_DIALECT_MAX_PARTS 1024

/* Splits the body of a response, fed in parts of any size, into JSON values. Content types cannot
 * be trusted, so the first byte that is not a space decides: '{' and '[' begin a whole JSON
 * response, '<' a web page, and anything else must be a stream of server-sent events with JSON in
 * them. */
typedef struct _GadgetResponseFraming GadgetResponseFraming;

/**
 * GadgetResponseFramingFunc:
 * @event: (nullable): the name of the event, "message" if it has none; %NULL for a whole JSON
 *   response, or a line
 * @node: (transfer none): the parsed data
 *
 * Returns: %FALSE with a #GadgetProviderError to stop
 */
typedef gboolean (*GadgetResponseFramingFunc) (const char  *event,
                                               JsonNode    *node,
                                               gpointer     user_data,
                                               GError     **error);

/* FUNC is called from feed and end. (transfer full); free accepts NULL. */
GadgetResponseFraming *gadget_response_framing_new       (GadgetResponseFramingFunc   func,
                                                          gpointer                    user_data);
/* For a body that is newline-delimited JSON, whatever its first byte is. (transfer full) */
GadgetResponseFraming *gadget_response_framing_new_lines (GadgetResponseFramingFunc   func,
                                                          gpointer                    user_data);
void                   gadget_response_framing_free      (GadgetResponseFraming      *self);
gboolean               gadget_response_framing_feed      (GadgetResponseFraming      *self,
                                                          const char                 *bytes,
                                                          gsize                       length,
                                                          GError                    **error);
gboolean               gadget_response_framing_end       (GadgetResponseFraming      *self,
                                                          GError                    **error);
void                   gadget_response_framing_finish    (GadgetResponseFraming      *self);
gboolean               gadget_response_framing_is_done   (GadgetResponseFraming      *self);
gboolean               gadget_response_framing_fail_cut  (GadgetResponseFraming      *self,
                                                          gboolean                    has_events,
                                                          GError                    **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetResponseFraming, gadget_response_framing_free)

G_END_DECLS
