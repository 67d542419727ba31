/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-scanner.h"
#include "gadget-markdown-segment.h"

G_BEGIN_DECLS

/* How a segment that begins at @start goes on with the block at @context. */
typedef enum
{
  GADGET_MARKDOWN_RESUME_FRESH,  /* it does not, or its items alone say how */
  GADGET_MARKDOWN_RESUME_NESTED, /* within a container: what is open there is found by reading on from
                             the context */
  GADGET_MARKDOWN_RESUME_TEXT,   /* a paragraph, or what else is no larger than its line */
  GADGET_MARKDOWN_RESUME_CODE,
  GADGET_MARKDOWN_RESUME_HTML,
  GADGET_MARKDOWN_RESUME_TABLE,
} GadgetMarkdownResume;

/* Sets @scanner to the state that it has at @start. */
GadgetMarkdownResume _gadget_markdown_resume  (GadgetMarkdownScanner *scanner,
                                               const char            *text,
                                               gsize                  length,
                                               gsize                  start,
                                               gsize                  context);

/* Whether @start is in the middle of a line. */
gboolean             _gadget_markdown_is_inside_line (const char      *text,
                                                      gsize            start);

/* Behind the blank lines at @begin. */
gsize                _gadget_markdown_skip_blank (const char          *text,
                                                  gsize                length,
                                                  gsize                begin);

/* Whether the context of a segment is the first item of the list that it goes on with, and then
 * the number of that item. */
gboolean             _gadget_markdown_get_count  (const char          *text,
                                                  gsize                start,
                                                  gsize                context,
                                                  guint               *number);

G_END_DECLS
