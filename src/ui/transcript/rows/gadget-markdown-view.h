/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"
#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-text-piece.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MARKDOWN_VIEW (gadget_markdown_view_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMarkdownView, gadget_markdown_view, GADGET, MARKDOWN_VIEW, GtkWidget)

/* A text that can be selected, and the piece that shows it. */
typedef struct
{
  GadgetTextPiece *piece;         /* not owned */
  const GadgetMarkdownText *text; /* of the document */
} GadgetMarkdownPlace;

/**
 * GadgetMarkdownView:
 *
 * The leaves of one segment of Markdown, below each other, with what their containers look like:
 * bars beside quotes, markers before items. When the document changes, what looks as it did stays.
 */
GtkWidget    *gadget_markdown_view_new          (void);

/* Of whose text, where in it the segment begins, and its context: told before the document. */
void          gadget_markdown_view_set_source   (GadgetMarkdownView     *self,
                                                 GadgetItem             *item,
                                                 gsize                   start,
                                                 gsize                   context);

/* @lead is what is left free above the first leaf. (transfer full) */
void          gadget_markdown_view_set_document (GadgetMarkdownView     *self,
                                                 GadgetMarkdownDocument *document,
                                                 int                     lead);

/* Whether the caret is at the end. */
void          gadget_markdown_view_set_caret    (GadgetMarkdownView     *self,
                                                 gboolean                caret);

/* Whether code at the end goes on in the next view, and whether that at the begin did before. */
void          gadget_markdown_view_set_joined   (GadgetMarkdownView     *self,
                                                 gboolean                continued,
                                                 gboolean                continues);

/* Of GadgetMarkdownPlace, in the order of the text. */
GArray       *gadget_markdown_view_get_places   (GadgetMarkdownView     *self);

G_END_DECLS
