/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Closes the open elements of the paragraph [begin, end) of @view. Returns the offset where the
 * paragraph is cut; what closes it there is appended to @closing. Text that may become an address
 * or a tag is masked in @view. */
gsize    _gadget_markdown_close_inlines (char       *view,
                                         gsize       begin,
                                         gsize       end,
                                         GString    *closing);

/* Tells whether an inline element of the paragraph that begins at @begin is open at @at, or may
 * be. Formulas are not looked for. */
gboolean _gadget_markdown_is_open_at    (const char *text,
                                         gsize       begin,
                                         gsize       at);

G_END_DECLS
