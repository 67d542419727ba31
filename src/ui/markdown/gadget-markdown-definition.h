/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The grammar of one link reference definition (CommonMark 0.31.2, section 4.7), in the text of a
 * paragraph without its containers. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A definition that was read; the pointers are into the text. */
typedef struct
{
  const char *label; /* without its brackets; not terminated */
  gsize label_length;
  const char *end; /* the position behind the definition and its line break */
} GadgetMarkdownDefinition;

/* Tells whether a definition begins at @at; if so, fills @definition. */
gboolean    gadget_markdown_definition_read  (const char               *at,
                                              const char               *end,
                                              GadgetMarkdownDefinition *definition);

/* Tells whether the text is nothing but definitions. */
gboolean    gadget_markdown_definitions_fill (const char               *text,
                                              gsize                     length);

/* Returns the position behind the link label whose "[" is at @at, or NULL. */
const char *gadget_markdown_skip_label       (const char               *at,
                                              const char               *end);

/* Return the position behind a link's destination, and behind a title; or NULL. */
const char *gadget_markdown_skip_destination (const char               *at,
                                              const char               *end);
const char *gadget_markdown_skip_title       (const char               *at,
                                              const char               *end);

/* Normalizes a label for comparison: case folded, white space collapsed. (transfer full) */
char       *gadget_markdown_fold_label       (const char               *label,
                                              gsize                     length);

G_END_DECLS
