/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Estimates of the number of tokens, for when the server does not tell it. gadget-tokens.c explains
 * the numbers. A weight is a quarter of a token. */
gsize  gadget_tokens_weigh       (const char *text);
gsize  gadget_tokens_weigh_picture (guint     width,
                                  guint       height);
gint64 gadget_tokens_from_weight (gsize       weight);
gsize  gadget_tokens_to_weight   (gint64      tokens);

G_END_DECLS
