/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The body of an answer, in pieces of any size. What comes is told apart by its first byte that is
 * not a space, because content types can't be trusted: '{' and '[' begin a whole JSON answer, '<'
 * a web page, anything else must be a stream of server-sent events with JSON in them. */
typedef struct _GadgetBody GadgetBody;

/**
 * GadgetBodyFunc:
 * @event: (nullable): the event's name, "message" if it gave none; %NULL for a whole JSON answer
 * @node: what it holds
 *
 * Returns: %FALSE with a #GadgetProviderError to stop
 */
typedef gboolean (*GadgetBodyFunc) (const char  *event,
                                    JsonNode    *node,
                                    gpointer     user_data,
                                    GError     **error);

GadgetBody *gadget_body_new           (GadgetBodyFunc   func,
                                       gpointer         user_data);
void        gadget_body_free          (GadgetBody      *self);
gboolean    gadget_body_feed          (GadgetBody      *self,
                                       const char      *bytes,
                                       gsize            length,
                                       GError         **error);
gboolean    gadget_body_end           (GadgetBody      *self,
                                       GError         **error);
gboolean    gadget_body_is_done       (GadgetBody      *self);
gboolean    gadget_body_fail_cut      (GadgetBody      *self,
                                       gboolean         has_events,
                                       GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetBody, gadget_body_free)

G_END_DECLS
