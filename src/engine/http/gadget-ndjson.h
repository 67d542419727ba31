/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The usual maximum length of a line, in bytes. */
#define GADGET_NDJSON_MAX_LINE (8 * 1024 * 1024)

typedef struct _GadgetNdjson GadgetNdjson;

/**
 * GadgetNdjsonFunc:
 * @line: without its newline and surrounding spaces, never empty; NUL-terminated, but may contain
 *   NUL bytes
 * @length: of @line in bytes
 *
 * Returns: %FALSE, with or without @error, to stop the feeding
 */
typedef gboolean (*GadgetNdjsonFunc) (const char  *line,
                                      gsize        length,
                                      gpointer     user_data,
                                      GError     **error);

/* A reader of newline-delimited JSON: one value per line; blank lines are ignored. Pure: bytes go
 * in, split anywhere, and lines come out; the caller parses them. Source: the NDJSON specification
 * 1.0, and the rule of JSON that a string never contains a newline. */
GadgetNdjson *gadget_ndjson_new  (gsize              max_line);
void          gadget_ndjson_free (GadgetNdjson      *self);
gboolean      gadget_ndjson_feed (GadgetNdjson      *self,
                                  const char        *bytes,
                                  gsize              length,
                                  GadgetNdjsonFunc   func,
                                  gpointer           user_data,
                                  GError           **error);
gboolean      gadget_ndjson_end  (GadgetNdjson      *self,
                                  GadgetNdjsonFunc   func,
                                  gpointer           user_data,
                                  GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetNdjson, gadget_ndjson_free)

G_END_DECLS
