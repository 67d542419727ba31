/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tags of HTML that say how text looks and nothing else: "<kbd>", "<sub>", "<br>". In pairs
 * within one paragraph they are read as marks of Markdown are; every other tag is text. */

#pragma once

#include "gadget-markdown.h"

G_BEGIN_DECLS

typedef enum
{
  GADGET_MARKDOWN_TAG_SPAN,  /* a pair is a span */
  GADGET_MARKDOWN_TAG_BREAK, /* a line break by itself */
  GADGET_MARKDOWN_TAG_BLOCK, /* of blocks only: "<details>", which shows nothing */
  GADGET_MARKDOWN_TAG_TITLE, /* of blocks only: a pair is a span, and a line of its own */
} GadgetMarkdownTagRole;

typedef struct
{
  char name[8];
  GadgetMarkdownTagRole role;
  GadgetMarkdownSpanKind kind; /* of a pair */
} GadgetMarkdownTagName;

/* What is known of the tag that fills [at, end), or NULL. Attributes do not matter. */
const GadgetMarkdownTagName *gadget_markdown_tag_find   (const char *at,
                                                         const char *end,
                                                         gboolean   *closing);

/* Whether what begins at @at with "<", and has no ">", may become a tag that is known. */
gboolean                     gadget_markdown_tag_may_be (const char *at,
                                                         const char *end);

G_END_DECLS
