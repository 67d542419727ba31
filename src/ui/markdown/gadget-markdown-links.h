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
 * Where the links of an item's text lead that name their address elsewhere in it. Every row of the
 * text has the same one, and "changed" tells that a part of the text may look different now.
 */

/* That of @item, up to date. (transfer none): it lives as long as the item */
GadgetMarkdownLinks             *gadget_markdown_links_look            (GadgetItem          *item);
const GadgetMarkdownDefinitions *gadget_markdown_links_get_definitions (GadgetMarkdownLinks *self);

G_END_DECLS
