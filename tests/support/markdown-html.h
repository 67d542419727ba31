/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes what a text of Markdown is shown as as HTML, in the style of the specification's examples,
 * so that it can be compared with them. What Gadget shows besides (addresses) is left out. */

#pragma once

#include "ui/markdown/gadget-markdown.h"

G_BEGIN_DECLS

char      *markdown_to_html  (const char *text,
                              gsize       length,
                              gboolean    open);

/* The examples of a file: number, section, Markdown, HTML. */
typedef struct
{
  guint number;
  char *section;
  char *markdown;
  char *html;
} MarkdownExample;

GPtrArray *markdown_examples_load (const char *name);

G_END_DECLS
