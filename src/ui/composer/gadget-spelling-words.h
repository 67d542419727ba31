/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetSpellingReader:
 * @at: the text that was not read yet
 * @offset: the offset of @at, in characters
 * @fence: the character of the fence of the block of code around @at; 0 outside of a block
 * @fence_length: how many characters that fence has
 * @within_line: whether the line of @at was already checked for code
 * @token_end: (nullable): the end of the token whose words are being returned
 *
 * Reads the words of a message that should be spelled as in a dictionary: no code, with or without
 * a fence, no mentions, paths, addresses, options or abbreviations, and no names with digits,
 * underscores or capitals in them.
 */
typedef struct
{
  const char *at;
  guint offset;
  char fence;
  gsize fence_length;
  gboolean within_line;
  const char *token_end;
} GadgetSpellingReader;

/**
 * GadgetSpellingWord:
 * @text: the word, in the message
 * @length: its length in bytes
 * @offset: its offset in the message, in characters
 * @n_characters: its length in characters
 */
typedef struct
{
  const char *text;
  gsize length;
  guint offset;
  guint n_characters;
} GadgetSpellingWord;

/* Begins to read @text, which must be valid UTF-8 and outlive the reader. */
void     gadget_spelling_reader_init (GadgetSpellingReader *self,
                                      const char           *text);
/* Reads the next word into @word. Returns FALSE at the end of the text. */
gboolean gadget_spelling_reader_next (GadgetSpellingReader *self,
                                      GadgetSpellingWord   *word);

G_END_DECLS
