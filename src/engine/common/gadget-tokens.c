/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Estimates how many tokens a text has, since every model splits text into tokens in its own way.
 * English text has about four characters per token with the byte pair encodings in use (the rule
 * that providers give their users). Chinese, Japanese and Korean have about one token per
 * character, between two thirds and two depending on the model. Other scripts lie in between, and
 * count as one token per character: an estimate that is too high is the safer error, for a limit as
 * well as for what a model can read.
 *
 * Weights are quarters of a token, so that a text that comes in parts is not rounded for each
 * part. */

#include "config.h"

#include "gadget-tokens.h"

#define TOKEN 4
#define LEAST_PICTURE 85
#define MOST_PICTURE 1600

/**
 * gadget_tokens_weigh:
 * @text: (nullable): UTF-8; invalid bytes are counted in an unspecified way
 *
 * Returns: the weight of @text; the weights of its parts add up to it
 */
gsize
gadget_tokens_weigh (const char *text)
{
  gsize weight = 0;

  /* Counts the first byte of each character; continuation bytes are 10xxxxxx. */
  for (const char *c = text; c != NULL && *c != '\0'; c++)
    if ((guchar) *c < 0x80)
      weight++;
    else if (((guchar) *c & 0xc0) == 0xc0)
      weight += TOKEN;
  return weight;
}

/**
 * gadget_tokens_weigh_picture:
 * @width: in pixels, 0 if unknown
 * @height: in pixels, 0 if unknown
 *
 * The cost of a picture depends on its size: Anthropic counts one token per 750 pixels ("Vision",
 * image costs) and scales larger pictures down first; the other providers count less than that.
 *
 * Returns: the weight of the picture
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
 * @weight: the sum of the weights
 *
 * Returns: the number of tokens, rounded down
 */
gint64
gadget_tokens_from_weight (gsize weight)
{
  return (gint64) (weight / TOKEN);
}

/**
 * gadget_tokens_to_weight:
 *
 * Returns: the weight of so many tokens, in quarters of a token; @tokens must not be negative
 */
gsize
gadget_tokens_to_weight (gint64 tokens)
{
  return (gsize) tokens * TOKEN;
}
