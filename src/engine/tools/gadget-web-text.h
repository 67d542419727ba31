/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "web/gadget-web-load.h"

G_BEGIN_DECLS

/* What is to be read of a page: HTML as Markdown, other text as it is; no more than MAX bytes of
 * what came. Blocking and pure. NULL when it was stopped. CUT says whether there was more of it. */
char *gadget_web_text_new        (const GadgetWebPage  *page,
                                  gsize                 max,
                                  GCancellable         *cancellable,
                                  gboolean             *cut);

/* In UTF-8, whatever it was: by the header, a byte order mark, the page itself, or a guess. */
char *gadget_web_text_to_utf8    (const char           *bytes,
                                  gsize                 length,
                                  const char           *charset);

G_END_DECLS
