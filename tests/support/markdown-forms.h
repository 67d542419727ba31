/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each byte of a text of Markdown is shown as: in which kind of leaf, in which quotes and lists,
 * in which spans; 0 if it is not. */

#pragma once

#include "ui/markdown/gadget-markdown.h"

G_BEGIN_DECLS

/* The bit that a form has in a span of that kind. */
#define MARKDOWN_FORMS_SPAN(kind) (G_GUINT64_CONSTANT (256) << (kind))

/* @forms has room for @length. */
void  markdown_forms_get           (const char *text,
                                    gsize       length,
                                    gboolean    open,
                                    guint64    *forms);

/* The same, of a text that is not cut into segments. */
void  markdown_forms_get_whole     (const char *text,
                                    gsize       length,
                                    guint64    *forms);

/* How often a byte of the text changes an aspect of its form after it was shown first, when the text
 * comes from @from on a byte at a time, or in pieces of up to 11 if @random is there; the worst one
 * is at @at. */
guint markdown_forms_count_changes (const char *text,
                                    gsize       length,
                                    gsize       from,
                                    GRand      *random,
                                    gsize      *at);

G_END_DECLS
