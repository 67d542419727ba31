/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of HTML that are "<details>" with its "<summary>", or line breaks. They become a paragraph
 * with the summary in bold; the text between the blocks is Markdown anyway. A block with any
 * unknown tag is shown as it is. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-builder-private.h"

#include <string.h>

/* In bytes. Longer blocks are shown as they are, because each part of a cut block would be read
 * differently. */
#define MAX_BLOCK 1500

/* Returns the known tag that begins at @at, and sets @behind to the position behind it. NULL when
 * the tag is unknown or incomplete. */
static const GadgetMarkdownTagName *
read_tag (const char *at, const char *end, const char **behind, gboolean *closing)
{
  const char *close = memchr (at, '>', (gsize) (end - at));

  if (close == NULL)
    return NULL;
  *behind = close + 1;
  return gadget_markdown_tag_find (at, close + 1, closing);
}

/* Tells whether the block begins with one of the tags for blocks, or has only line breaks. */
static gboolean
is_meant (const char *at, const char *end)
{
  gboolean any = FALSE;

  for (;; any = TRUE)
    {
      const GadgetMarkdownTagName *name;
      gboolean closing;

      while (at < end && g_ascii_isspace (*at))
        at++;
      if (at == end)
        return any;
      name = read_tag (at, end, &at, &closing);
      if (name == NULL || name->role == GADGET_MARKDOWN_TAG_SPAN)
        return FALSE;
      if (name->role != GADGET_MARKDOWN_TAG_BREAK)
        return TRUE;
    }
}

static void
add_tag (GadgetMarkdownBuilder *builder, const GadgetMarkdownTagName *name, gboolean closing,
         gsize start, gsize end)
{
  const GadgetMarkdownTag tag = { .name = name,
                                  .closing = closing,
                                  .written = end > start,
                                  .parent = -1,
                                  .start = (guint) start,
                                  .end = (guint) end,
                                  .partner = builder->tags->len };

  g_array_append_val (builder->tags, tag);
}

/* Finds the tags of the block. Returns FALSE when there is an unknown one. What may become a tag,
 * at the end of a streaming text, is cut off. */
static gboolean
find_tags (GadgetMarkdownBuilder *builder)
{
  const GString *string = builder->writer.string;
  const char *end = string->str + string->len;
  const char *at = string->str;

  while ((at = memchr (at, '<', (gsize) (end - at))) != NULL)
    {
      const GadgetMarkdownTagName *name;
      const char *behind = NULL;
      gboolean closing;

      if (at + 1 < end && !g_ascii_isalpha (at[1]) && strchr ("/!?", at[1]) == NULL)
        {
          at++;
          continue;
        }
      name = read_tag (at, end, &behind, &closing);
      if (name == NULL)
        {
          if (behind != NULL || !builder->source->open || !gadget_markdown_tag_may_be (at, end))
            return FALSE;
          _gadget_markdown_writer_truncate (&builder->writer, (gsize) (at - string->str));
          return TRUE;
        }
      add_tag (builder, name, closing, (gsize) (at - string->str), (gsize) (behind - string->str));
      at = behind;
    }
  return TRUE;
}

/* Closes a summary that is open at the end. Returns FALSE when the tags do not match for good. */
static gboolean
close_title (GadgetMarkdownBuilder *builder)
{
  const GadgetMarkdownTagName *open = NULL;

  for (guint i = 0; i < builder->tags->len; i++)
    {
      const GadgetMarkdownTag *tag = &g_array_index (builder->tags, GadgetMarkdownTag, i);

      if (tag->name->role != GADGET_MARKDOWN_TAG_TITLE)
        continue;
      if (tag->closing != (open != NULL))
        return FALSE;
      open = tag->closing ? NULL : tag->name;
    }
  if (open == NULL)
    return TRUE;
  add_tag (builder, open, TRUE, builder->writer.string->len, builder->writer.string->len);
  return builder->source->open;
}

void
_gadget_markdown_read_details (GadgetMarkdownBuilder *self)
{
  GadgetMarkdownWriter *writer = &self->writer;

  if (self->hidden || writer->string->len > MAX_BLOCK
      || !is_meant (writer->string->str, writer->string->str + writer->string->len))
    return;
  if (find_tags (self) && close_title (self))
    self->leaf->kind = GADGET_MARKDOWN_PARAGRAPH;
  else
    g_array_set_size (self->tags, 0);
}
