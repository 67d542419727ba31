/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A long block of code is shown as its first lines and a row that stands for the others, until the
 * user unfolds it. A block that was streamed while the chat was open stays unfolded, since the user
 * may be reading it. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-transcript-model-private.h"
#include "ui/code/gadget-code.h"
#include "ui/markdown/gadget-markdown-line.h"
#include "ui/text/gadget-chunks.h"

#include <string.h>

static GadgetRowSpec *
peek (GArray *rows, guint index)
{
  return &g_array_index (rows, GadgetRowSpec, index);
}

/* Returns the number of rows of the block that begins with the row @first. */
static guint
count_rows (GArray *rows, guint first)
{
  guint n = 1;

  while (first + n < rows->len && peek (rows, first + n)->context == peek (rows, first)->start)
    n++;
  return n;
}

/* Returns the opening fence of a block of code that is in no list or quote, or NULL. */
static const char *
find_fence (const char *text, const GadgetRowSpec *row)
{
  const char *end = text + row->end;
  const char *at = text + row->start;
  const char *line, *newline;
  guint indent;

  if (row->context != row->start)
    return NULL;
  for (line = at; at < end && g_ascii_isspace (*at); at++)
    if (*at == '\n' || *at == '\r')
      line = at + 1;
  newline = memchr (at, '\n', (gsize) (end - at));
  if (newline != NULL)
    end = newline;
  at = gadget_markdown_line_skip_indent (line, end, &indent);
  return indent < GADGET_MARKDOWN_CODE_INDENT && gadget_markdown_line_get_fence (at, end) > 0
             ? line
             : NULL;
}

/* Cuts the @n rows of a block at the offset @cut and replaces the rest by one folded row. Returns
 * the number of rows of the block after that. */
static guint
fold (GArray *rows, guint first, guint n, guint32 cut)
{
  GadgetRowSpec rest = *peek (rows, first + n - 1);
  guint kept = 0;

  while (kept < n && peek (rows, first + kept)->start < cut)
    kept++;
  peek (rows, first + kept - 1)->end = MIN (peek (rows, first + kept - 1)->end, cut);
  rest.start = cut;
  rest.context = peek (rows, first)->context;
  rest.folded = TRUE;
  if (kept < n)
    g_array_remove_range (rows, first + kept, n - kept);
  g_array_insert_val (rows, first + kept, rest);
  return kept + 1;
}

/* Folds the block of @n rows that begins with a fence, if it is long enough. Returns the number of
 * its rows after that. */
static guint
fold_block (GArray *rows, guint first, guint n, const char *fence, GadgetItem *item)
{
  const char *text = gadget_item_get_text (item);
  const char *end = text + peek (rows, first + n - 1)->end;
  const char *cut = gadget_chunk_skip_lines (fence, end, GADGET_CODE_SHOWN_LINES + 1);
  const gsize context = peek (rows, first)->context;

  while (end > text && g_ascii_isspace (end[-1]))
    end--;
  /* The last line, whose end was just skipped, is the closing fence. */
  if (cut == NULL || cut > end
      || gadget_chunk_skip_lines (cut, end, GADGET_CODE_MOST_LINES - GADGET_CODE_SHOWN_LINES + 1)
             == NULL)
    return n;
  gadget_code_set_foldable (gadget_code_get (item, context), TRUE);
  if (gadget_code_is_open (item, context))
    return n;
  return fold (rows, first, n, (guint32) (cut - text));
}

/* Folds the long blocks of code in @rows from @first on, which show the text of @item. */
void
_gadget_transcript_model_fold_code (GArray *rows, guint first, GadgetItem *item)
{
  const char *text = gadget_item_get_text (item);

  if (gadget_item_get_status (item) == GADGET_ITEM_STREAMING)
    {
      gadget_code_keep_open (item);
      return;
    }
  for (guint i = first; i < rows->len;)
    {
      const char *fence = find_fence (text, peek (rows, i));
      const guint n = fence != NULL ? count_rows (rows, i) : 1;

      i += fence != NULL ? fold_block (rows, i, n, fence, item) : n;
    }
}

/* Folds or unfolds the block of code of the row. A block in a list or a quote is not a row of its
 * own, and is folded by its widget. */
void
_gadget_transcript_model_set_code_open (const GadgetRowSpec *row, GadgetItem *item, gboolean open)
{
  if (row->folded || find_fence (gadget_item_get_text (item), row) != NULL)
    gadget_code_set_open (gadget_code_get (item, row->context), open);
}
