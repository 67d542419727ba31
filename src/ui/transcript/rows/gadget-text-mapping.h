/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

/* Maps a selectable text of a view to the text of the document that it shows. */
typedef struct
{
  GadgetSelectableText *piece;    /* not owned */
  const GadgetMarkdownText *text; /* owned by the document */
} GadgetTextMapping;

G_END_DECLS
