/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The usual maximum length of a line, in bytes. */
#define GADGET_SSE_MAX_LINE (8 * 1024 * 1024)

typedef struct _GadgetSse GadgetSse;

/**
 * GadgetSseFunc:
 * @event: the name of the event, "message" if it has none
 * @data: the data lines, joined by newlines; NUL-terminated, but may contain NUL bytes
 * @length: of @data in bytes
 *
 * Returns: %FALSE, with or without @error, to stop the feeding
 */
typedef gboolean (*GadgetSseFunc) (const char  *event,
                                   const char  *data,
                                   gsize        length,
                                   gpointer     user_data,
                                   GError     **error);

/* A parser of server-sent events, as the HTML standard defines them ("9.2.6 Interpreting an event
 * stream"). Pure: bytes go in, split anywhere, and events come out. */
GadgetSse  *gadget_sse_new         (gsize           max_line);
void        gadget_sse_free        (GadgetSse      *self);
gboolean    gadget_sse_feed        (GadgetSse      *self,
                                    const char     *bytes,
                                    gsize           length,
                                    GadgetSseFunc   func,
                                    gpointer        user_data,
                                    GError        **error);
gboolean    gadget_sse_end         (GadgetSse      *self,
                                    GadgetSseFunc   func,
                                    gpointer        user_data,
                                    GError        **error);
const char *gadget_sse_get_last_id (GadgetSse      *self);
gint64      gadget_sse_get_retry_ms (GadgetSse     *self);
gboolean    gadget_sse_has_fields  (GadgetSse      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSse, gadget_sse_free)

G_END_DECLS
