/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-definitions.h"

#include "session/gadget-item.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MARKDOWN_LINKS (gadget_markdown_links_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMarkdownLinks, gadget_markdown_links, GADGET, MARKDOWN_LINKS, GObject)

/**
 * GadgetMarkdownLinks:
 *
 * The link reference definitions of an item's text. All rows of the text share one object;
 * "changed" tells that a part of the text may look different now.
 */

/* Returns the links of @item, up to date. (transfer none): they live as long as the item */
GadgetMarkdownLinks             *gadget_markdown_links_update          (GadgetItem          *item);

/* Returns the definitions, for the parser. (transfer none) */
const GadgetMarkdownDefinitions *gadget_markdown_links_get_definitions (GadgetMarkdownLinks *self);

G_END_DECLS
