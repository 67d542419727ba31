/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Copying of Markdown, from the source and without widgets. */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* A segment of an item's text, and the part of it that is copied; all members are source
 * offsets. */
typedef struct
{
  gsize start;
  gsize end;
  gsize context;
  gsize from; /* the copied part is [from, to) */
  gsize to;
} GadgetMarkdownPart;

/* Appends the part as plain text as it is shown, with the markers of its items. */
void gadget_markdown_copy_text (GadgetItem               *item,
                                const GadgetMarkdownPart *part,
                                GString                  *out);

/* Widens the part to whole Markdown: for example, to before the asterisks when all text between
 * them is in it. */
void gadget_markdown_widen     (GadgetItem               *item,
                                GadgetMarkdownPart       *part);

G_END_DECLS
