/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetSpellingReader:
 * @at: what was not read yet
 * @offset: of it, in characters
 * @fence: the character of the fence of the block of code that it is in, and 0 elsewhere
 * @fence_length: how many of them the fence has
 * @within_line: the line was looked at
 * @token_end: (nullable): the end of the words that belong together and are being given
 *
 * Reads the words of a message that are to be spelled as a dictionary has them: not code, marked as
 * such or not, nor what is named after "@", nor paths, addresses, options, abbreviations, or names
 * with digits, underscores or capitals in them.
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
 * @text: in the message, @length bytes
 * @offset: in it, in characters, @n_characters of them
 */
typedef struct
{
  const char *text;
  gsize length;
  guint offset;
  guint n_characters;
} GadgetSpellingWord;

void     gadget_spelling_reader_init (GadgetSpellingReader *self,
                                      const char           *text);
/* FALSE at the end. The text must be valid UTF-8, and stay. */
gboolean gadget_spelling_reader_next (GadgetSpellingReader *self,
                                      GadgetSpellingWord   *word);

G_END_DECLS
