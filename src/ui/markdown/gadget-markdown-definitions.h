/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The link reference definitions ("[label]: address") of a streaming text. They may be anywhere in
 * the text, and apply to all of it. */
typedef struct _GadgetMarkdownDefinitions GadgetMarkdownDefinitions;

/* Makes an empty set of definitions. (transfer full) */
GadgetMarkdownDefinitions *gadget_markdown_definitions_new  (void);
void                       gadget_markdown_definitions_free (GadgetMarkdownDefinitions *self);

/**
 * gadget_markdown_definitions_scan:
 * @self: the definitions of the text when it was shorter
 * @text: the whole text
 * @length: the length of @text in bytes
 * @open: whether the text is still growing
 *
 * Scans what was added since the last call. Costs as much as finding its segments.
 *
 * Returns: whether the definitions have changed, so that text with a "[" may look different
 */
gboolean                   gadget_markdown_definitions_scan (GadgetMarkdownDefinitions *self,
                                                             const char                *text,
                                                             gsize                      length,
                                                             gboolean                   open);

/* Appends to @out the definitions that @text, a part of the whole, may refer to. */
void                       gadget_markdown_definitions_add_used
                                                (const GadgetMarkdownDefinitions *self,
                                                 const char                      *text,
                                                 gsize                            length,
                                                 GString                         *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMarkdownDefinitions, gadget_markdown_definitions_free)

G_END_DECLS
