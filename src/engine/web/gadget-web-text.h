/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-web-load.h"

G_BEGIN_DECLS

/* Extracts the readable text of a page: HTML becomes Markdown, other text stays as it is. At most
 * @max bytes of the page's body are used; @cut is set to whether there was more of it. Blocks, but
 * may be called in any thread. Returns: (transfer full) (nullable): NULL when it was cancelled. */
char *gadget_web_text_new        (const GadgetWebPage  *page,
                                  gsize                 max,
                                  GCancellable         *cancellable,
                                  gboolean             *cut);

/* Returns: (transfer full): the text in UTF-8. Its encoding is that of a byte order mark, the
 * header (@charset, nullable), the page itself, or a guess, in this order. */
char *gadget_web_text_to_utf8    (const char           *bytes,
                                  gsize                 length,
                                  const char           *charset);

G_END_DECLS
