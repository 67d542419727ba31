/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends the characters that @entity, "&amp;" or "&#38;" or "&#x26;", stands for. FALSE, and
 * nothing appended, if it stands for none. */
gboolean gadget_markdown_entity_decode (const char *entity,
                                        gsize       length,
                                        GString    *out);

G_END_DECLS
