/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many tokens a text comes to, where nobody tells: see the source. */
gsize  gadget_tokens_weigh       (const char *text);
gsize  gadget_tokens_weigh_picture (guint     width,
                                  guint       height);
gint64 gadget_tokens_from_weight (gsize       weight);
gsize  gadget_tokens_to_weight   (gint64      tokens);

G_END_DECLS
