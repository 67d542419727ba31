/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tags of HTML that only change the look of text: "<kbd>", "<sub>", "<br>". In pairs within one
 * paragraph they are read like marks of Markdown; every other tag is text. */

#pragma once

#include "gadget-markdown-document.h"

G_BEGIN_DECLS

/* The replacement of a tag. */
typedef enum
{
  GADGET_MARKDOWN_TAG_SPAN,  /* a pair becomes a span */
  GADGET_MARKDOWN_TAG_BREAK, /* becomes a line break */
  GADGET_MARKDOWN_TAG_BLOCK, /* only in blocks: "<details>", which is not shown */
  GADGET_MARKDOWN_TAG_TITLE, /* only in blocks: a pair becomes a span on a line of its own */
} GadgetMarkdownTagRole;

/* A known tag. */
typedef struct
{
  char name[8];
  GadgetMarkdownTagRole role;
  GadgetMarkdownSpanKind kind; /* the span of a pair */
} GadgetMarkdownTagName;

/* Returns what is known of the tag that fills [at, end), or NULL. Attributes are ignored. @closing:
 * (out): whether it is a closing tag. */
const GadgetMarkdownTagName *gadget_markdown_tag_find   (const char *at,
                                                         const char *end,
                                                         gboolean   *closing);

/* Tells whether the text from the "<" at @at, which has no ">" yet, may become a known tag. */
gboolean                     gadget_markdown_tag_may_be (const char *at,
                                                         const char *end);

G_END_DECLS
