/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The link reference definitions ("[label]: address") of a text that grows. They may stand anywhere
 * in it, and count in all of it. */
typedef struct _GadgetMarkdownDefinitions GadgetMarkdownDefinitions;

GadgetMarkdownDefinitions *gadget_markdown_definitions_new  (void);
void                       gadget_markdown_definitions_free (GadgetMarkdownDefinitions *self);

/**
 * gadget_markdown_definitions_scan:
 * @self: what was found in the text when it was shorter
 * @text: the whole text
 * @length: of it
 * @open: whether it is still growing
 *
 * Looks at what came since the last call. Costs as much as finding the segments of that.
 *
 * Returns: whether there are others than before: what has "[" in it may look different now
 */
gboolean                   gadget_markdown_definitions_scan (GadgetMarkdownDefinitions *self,
                                                             const char                *text,
                                                             gsize                      length,
                                                             gboolean                   open);

/* Adds to @out the definitions that @text, a part of the whole, may refer to. */
void                       gadget_markdown_definitions_add_used
                                                (const GadgetMarkdownDefinitions *self,
                                                 const char                      *text,
                                                 gsize                            length,
                                                 GString                         *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMarkdownDefinitions, gadget_markdown_definitions_free)

G_END_DECLS
