/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-chunks"

#include "config.h"

#include "gadget-chunks.h"

#include <string.h>

const char *
gadget_chunk_skip_lines (const char *at, const char *end, guint n)
{
  while (n-- > 0)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));

      if (newline == NULL)
        return NULL;
      at = newline + 1;
    }
  return at;
}

gsize
gadget_chunk_end (const char *text, gsize length, gsize start)
{
  const gsize reach = MIN (length - start, GADGET_CHUNK_BYTES);
  const gsize goal = MIN (reach, GADGET_CHUNK_GOAL);
  const char *begin = text + start;
  const char *cut;

  /* Such a short text cannot have more than GADGET_CHUNK_LINES lines. */
  if (reach <= GADGET_CHUNK_LINES)
    return length;

  cut = gadget_chunk_skip_lines (begin, begin + goal, GADGET_CHUNK_LINES);
  if (cut != NULL)
    return (gsize) (cut - text);
  if (length - start <= GADGET_CHUNK_GOAL)
    return length;

  cut = memrchr (begin, '\n', goal);
  if (cut == NULL)
    cut = memchr (begin + goal, '\n', reach - goal);
  if (cut == NULL && length - start <= GADGET_CHUNK_BYTES)
    return length;
  if (cut == NULL)
    cut = memrchr (begin, ' ', reach);
  if (cut != NULL)
    return (gsize) (cut - text) + 1;

  cut = begin + reach;
  while (cut > begin && (*cut & 0xc0) == 0x80)
    cut--;
  return cut > begin ? (gsize) (cut - text) : start + reach;
}

gsize
gadget_chunk_visible (const char *text, gsize length, gsize start, gsize end)
{
  if (end < length)
    return end - start - (end > start && text[end - 1] == '\n' ? 1 : 0);

  while (end > start && (text[end - 1] == '\n' || text[end - 1] == '\r'))
    end--;
  return end - start;
}
