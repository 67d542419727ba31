/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The grammar of one link reference definition (CommonMark 0.31.2, section 4.7), in the text of a
 * paragraph without its containers. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *label; /* without its brackets */
  gsize label_length;
  const char *end; /* behind the definition and its line break */
} GadgetMarkdownDefinition;

/* Whether a definition begins at @at, and which. */
gboolean gadget_markdown_definition_read  (const char               *at,
                                           const char               *end,
                                           GadgetMarkdownDefinition *definition);

/* Whether the text is nothing but definitions. */
gboolean gadget_markdown_definitions_fill (const char               *text,
                                           gsize                     length);

/* Behind the link label whose "[" is at @at, or NULL. */
const char *gadget_markdown_skip_label    (const char               *at,
                                           const char               *end);

/* Behind a link's destination, or NULL; and behind a title. */
const char *gadget_markdown_skip_destination (const char            *at,
                                              const char            *end);
const char *gadget_markdown_skip_title       (const char            *at,
                                              const char            *end);

/* A label as it is compared: case folded, white space collapsed. (transfer full) */
char       *gadget_markdown_fold_label       (const char            *label,
                                              gsize                  length);

G_END_DECLS
