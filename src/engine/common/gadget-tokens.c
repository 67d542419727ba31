/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every model cuts text into tokens in a way of its own, so this is an estimate. English text comes
 * to about four characters a token with the byte pair encodings in use (the rule that providers
 * tell their users). Chinese, Japanese and Korean come to about one token a character, between two
 * thirds and two of them depending on the model. Other scripts lie in between, and count as the
 * latter: too much is the safer error, for a limit as for what a model can read.
 *
 * Weights are quarters of a token, so that a text that comes in pieces is not rounded for each. */

#include "config.h"

#include "gadget-tokens.h"

#define TOKEN 4
#define LEAST_PICTURE 85
#define MOST_PICTURE 1600

/**
 * gadget_tokens_weigh:
 * @text: (nullable): UTF-8; what is not valid counts somehow
 *
 * Returns: its weight; the weights of pieces add up
 */
gsize
gadget_tokens_weigh (const char *text)
{
  gsize weight = 0;

  /* A character begins with a byte that does not go on with one. */
  for (const char *c = text; c != NULL && *c != '\0'; c++)
    if ((guchar) *c < 0x80)
      weight++;
    else if (((guchar) *c & 0xc0) == 0xc0)
      weight += TOKEN;
  return weight;
}

/**
 * gadget_tokens_weigh_picture:
 * @width: in pixels, 0 where it is not known
 *
 * Pictures cost by their size: a token for 750 pixels with Anthropic ("Vision", image costs), where
 * larger ones are made smaller first; with the others less than that.
 *
 * Returns: its weight
 */
gsize
gadget_tokens_weigh_picture (guint width, guint height)
{
  const guint64 tokens = (guint64) width * height / 750;

  if (width == 0 || height == 0)
    return TOKEN * MOST_PICTURE;
  return TOKEN * (gsize) CLAMP (tokens, LEAST_PICTURE, MOST_PICTURE);
}

/**
 * gadget_tokens_from_weight:
 *
 * Returns: the tokens that all weights together come to
 */
gint64
gadget_tokens_from_weight (gsize weight)
{
  return (gint64) (weight / TOKEN);
}

gsize
gadget_tokens_to_weight (gint64 tokens)
{
  return (gsize) tokens * TOKEN;
}
