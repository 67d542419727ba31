/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends the characters that @entity ("&amp;", "&#38;" or "&#x26;") stands for. Returns FALSE,
 * without appending anything, when it is unknown. */
gboolean gadget_markdown_entity_decode (const char *entity,
                                        gsize       length,
                                        GString    *out);

G_END_DECLS
