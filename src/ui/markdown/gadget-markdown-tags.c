/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Replaces tags of HTML in a text that was built with them: tags of a pair are removed, and the
 * text between them becomes a span. Pairs are found only when all of the text is there, including
 * what a cut hides; both tags must be inside the same span of Markdown. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-builder-private.h"

#include "ui/markdown/tex/gadget-tex-symbols.h"

#include <string.h>

/* More open tags than this are text. */
#define MAX_OPEN 64

/* In bytes; longer text is not written with superscript or subscript characters. */
#define MAX_SCRIPT 12

/* A range of the text that is removed, and what replaces it. */
typedef struct
{
  guint start;
  guint end;
  const char *instead; /* (nullable): NULL to remove it only */
} Edit;

static GadgetMarkdownTag *
get_tag (const GadgetMarkdownBuilder *builder, guint index)
{
  return &g_array_index (builder->tags, GadgetMarkdownTag, index);
}

void
_gadget_markdown_add_tag (GadgetMarkdownBuilder *self, const char *text, gsize size, gsize start)
{
  const GString *view = self->source->view;
  GadgetMarkdownTag tag = { .parent = -1, .start = (guint) start, .partner = self->tags->len };

  if (self->n_images > 0 || text < view->str || text >= view->str + view->len)
    return;
  tag.name = gadget_markdown_tag_find (text, text + size, &tag.closing);
  if (tag.name == NULL || tag.name->role >= GADGET_MARKDOWN_TAG_BLOCK)
    return;
  tag.end = (guint) self->writer.string->len;
  tag.written = (gsize) (text - view->str) < self->source->read_end;
  if (self->spans->len > 0)
    tag.parent = g_array_index (self->spans, int, self->spans->len - 1);
  g_array_append_val (self->tags, tag);
}

/* Finds the pairs. Returns whether there is anything to replace. */
static gboolean
match_tags (GadgetMarkdownBuilder *builder)
{
  guint open[MAX_OPEN];
  guint n_open = 0;
  gboolean any = FALSE;

  for (guint i = 0; i < builder->tags->len; i++)
    {
      GadgetMarkdownTag *tag = get_tag (builder, i);

      if (tag->name->role == GADGET_MARKDOWN_TAG_BREAK
          || tag->name->role == GADGET_MARKDOWN_TAG_BLOCK)
        {
          any = TRUE;
          continue;
        }
      if (!tag->closing && n_open < MAX_OPEN)
        open[n_open++] = i;
      for (guint k = n_open; tag->closing && k > 0; k--)
        {
          GadgetMarkdownTag *partner = get_tag (builder, open[k - 1]);

          if (partner->name != tag->name || partner->parent != tag->parent)
            continue;
          partner->partner = i;
          tag->partner = open[k - 1];
          n_open = k - 1;
          any = TRUE;
          break;
        }
    }
  return any;
}

/* --- Superscripts and subscripts -------------------------------------------------------------- */

static gunichar
get_script (char c, gboolean raised)
{
  if (!g_ascii_isdigit (c) && strchr ("+-()n", c) == NULL)
    return 0;
  return raised ? gadget_tex_get_superscript ((gunichar) (guchar) c)
                : gadget_tex_get_subscript ((gunichar) (guchar) c);
}

/* Returns a number in superscript or subscript characters of Unicode, so that a copied
 * "10<sup>6</sup>" does not become "106". NULL when there are other characters. (transfer full)
 * (nullable) */
static char *
dup_script (const GadgetMarkdownBuilder *builder, const GadgetMarkdownTag *open)
{
  const GadgetMarkdownTag *close = get_tag (builder, open->partner);
  const gboolean raised = open->name->kind == GADGET_MARKDOWN_SPAN_SUPERSCRIPT;
  g_autoptr (GString) script = NULL;

  if (!close->written || (!raised && open->name->kind != GADGET_MARKDOWN_SPAN_SUBSCRIPT)
      || close->start <= open->end || close->start - open->end > MAX_SCRIPT)
    return NULL;
  script = g_string_new (NULL);
  for (guint i = open->end; i < close->start; i++)
    {
      const gunichar c = get_script (builder->writer.string->str[i], raised);

      if (c == 0)
        return NULL;
      g_string_append_unichar (script, c);
    }
  return g_strdup (script->str);
}

/* --- Edits --------------------------------------------------------------------------------------
 */

static void
add_edit (GArray *edits, guint start, guint end, const char *instead)
{
  const Edit edit = { start, end, instead };

  if (start < end)
    g_array_append_val (edits, edit);
}

/* Replaces "<br>" by a line break. A line break that follows in the source is the same one; at the
 * beginning and at the end of the text it is dropped. */
static void
add_break (const GadgetMarkdownBuilder *builder, const GadgetMarkdownTag *tag, GArray *edits)
{
  const GString *string = builder->writer.string;
  guint behind = tag->end;

  if (tag->start == tag->end)
    return;
  while (behind < string->len && gadget_markdown_is_space (string->str[behind]))
    behind++;
  if (tag->start == 0 || behind == string->len || string->str[behind] == '\n')
    add_edit (edits, tag->start, tag->end, NULL);
  else
    add_edit (edits, tag->start, tag->end, "\n");
  if (behind < string->len)
    add_edit (edits, tag->end, behind, NULL);
}

static guint
skip_white (const GString *string, guint at)
{
  while (at < string->len && g_ascii_isspace (string->str[at]))
    at++;
  return at;
}

/* Removes the tag of a block, with the line that it is on. */
static void
add_block (const GadgetMarkdownBuilder *builder, const GadgetMarkdownTag *tag, GArray *edits)
{
  const GString *string = builder->writer.string;
  const guint limit = edits->len > 0 ? g_array_index (edits, Edit, edits->len - 1).end : 0;
  const guint end = skip_white (string, tag->end);
  guint start = tag->start;

  while (start > limit && g_ascii_isspace (string->str[start - 1])
         && (end == string->len || string->str[start - 1] != '\n'))
    start--;
  add_edit (edits, start, end, NULL);
}

/* Gives a title a line of its own. */
static void
add_title (const GadgetMarkdownBuilder *builder, guint index, GArray *edits)
{
  const GString *string = builder->writer.string;
  const GadgetMarkdownTag *tag = get_tag (builder, index);
  const GadgetMarkdownTag *next = index + 1 < builder->tags->len ? tag + 1 : NULL;
  const guint end = skip_white (string, tag->end);
  const gboolean last = end == string->len
                        || (next != NULL && next->name->role == GADGET_MARKDOWN_TAG_BLOCK
                            && next->start == end && skip_white (string, next->end) == string->len);

  add_edit (edits, tag->start, end, tag->closing && !last ? "\n" : NULL);
}

/* Collects the edits of the text, in order. @words keeps the replacements. */
static GArray *
collect_edits (const GadgetMarkdownBuilder *builder, GStringChunk *words)
{
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (Edit));

  for (guint i = 0; i < builder->tags->len; i++)
    {
      const GadgetMarkdownTag *tag = get_tag (builder, i);
      g_autofree char *script = NULL;

      if (tag->name->role == GADGET_MARKDOWN_TAG_BREAK)
        add_break (builder, tag, edits);
      else if (tag->name->role == GADGET_MARKDOWN_TAG_BLOCK)
        add_block (builder, tag, edits);
      else if (tag->name->role == GADGET_MARKDOWN_TAG_TITLE)
        add_title (builder, i, edits);
      else if (tag->partner != i)
        {
          add_edit (edits, tag->start, tag->end, NULL);
          if (!tag->closing && (script = dup_script (builder, tag)) != NULL)
            add_edit (edits, tag->end, get_tag (builder, tag->partner)->start,
                      g_string_chunk_insert (words, script));
        }
    }
  return edits;
}

static void
add_run (GArray *runs, guint text, guint length, guint source, guint source_length)
{
  const GadgetMarkdownRun run = { text, length, source, source_length };

  if (length > 0)
    g_array_append_val (runs, run);
}

/* Copies [start, end) of the old text with its runs. *@index is the first run that may be in it. */
static void
keep (GadgetMarkdownWriter *to, const GadgetMarkdownWriter *from, guint start, guint end,
      guint *index)
{
  for (; *index < from->text->runs->len; (*index)++)
    {
      const GadgetMarkdownRun *run = &g_array_index (from->text->runs, GadgetMarkdownRun, *index);
      const guint begin = MAX (run->text, start);
      const guint behind = MIN (run->text + run->length, end);
      const gboolean literal = run->length == run->source_length;

      if (begin < behind)
        {
          add_run (to->text->runs, (guint) to->string->len, behind - begin,
                   literal ? run->source + (begin - run->text) : run->source,
                   literal ? behind - begin : run->source_length);
          g_string_append_len (to->string, from->string->str + begin, behind - begin);
        }
      if (run->text + run->length > end)
        return;
    }
}

/* Appends the replacement of a range, which begins in a run that is not before @index. */
static void
put_instead (GadgetMarkdownWriter *to, const GadgetMarkdownWriter *from, const Edit *edit,
             guint index)
{
  const GArray *runs = from->text->runs;

  while (index < runs->len && g_array_index (runs, GadgetMarkdownRun, index).text <= edit->start)
    index++;
  if (index > 0)
    {
      const GadgetMarkdownRun *run = &g_array_index (runs, GadgetMarkdownRun, index - 1);
      const gboolean literal = run->length == run->source_length;

      add_run (to->text->runs, (guint) to->string->len, (guint) strlen (edit->instead),
               literal ? run->source + (edit->start - run->text) : run->source,
               literal ? edit->end - edit->start : run->source_length);
      g_string_append (to->string, edit->instead);
    }
}

/* Maps offsets to the text after the edits. @index is the first edit that may be before the offset,
 * and @shift the sum of the changes of those before. */
typedef struct
{
  const GArray *edits;
  guint index;
  int shift;
} Map;

static guint
map_offset (Map *map, guint offset)
{
  for (; map->index < map->edits->len; map->index++)
    {
      const Edit *edit = &g_array_index (map->edits, Edit, map->index);
      const guint length = edit->instead != NULL ? (guint) strlen (edit->instead) : 0;

      if (offset < edit->end)
        return (guint) ((int) MIN (offset, edit->start) + map->shift);
      map->shift += (int) length - (int) (edit->end - edit->start);
    }
  return (guint) ((int) offset + map->shift);
}

static guint
map_from_begin (const GArray *edits, guint offset)
{
  Map map = { edits, 0, 0 };

  return map_offset (&map, offset);
}

/* --- Spans --------------------------------------------------------------------------------------
 */

static gboolean
is_break (const Edit *edit)
{
  return edit->instead != NULL && *edit->instead == '\n';
}

static void
move_spans (GadgetMarkdownText *text, const GArray *edits)
{
  Map begins = { edits, 0, 0 };

  for (guint i = 0; i < text->spans->len; i++)
    {
      GadgetMarkdownSpan *span = &g_array_index (text->spans, GadgetMarkdownSpan, i);
      const guint start = map_offset (&begins, span->start);
      const Map here = begins;
      Map ends = here;

      if (span->kind == GADGET_MARKDOWN_SPAN_HTML && begins.index < edits->len
          && is_break (&g_array_index (edits, Edit, begins.index))
          && g_array_index (edits, Edit, begins.index).start == span->start)
        span->kind = GADGET_MARKDOWN_SPAN_BREAK;
      span->end = map_offset (&ends, span->end);
      span->start = start;
    }
}

static gboolean
overlaps_code (const GadgetMarkdownText *text, const GadgetMarkdownSpan *span)
{
  for (guint i = 0; i < text->spans->len; i++)
    {
      const GadgetMarkdownSpan *other = &g_array_index (text->spans, GadgetMarkdownSpan, i);

      if (other->kind == GADGET_MARKDOWN_SPAN_CODE && other->start < span->end
          && other->end > span->start)
        return TRUE;
    }
  return FALSE;
}

/* Inserts a span in order: by its beginning, outer spans first. Code is not inserted inside
 * code. */
static void
insert_span (GadgetMarkdownText *text, const GadgetMarkdownSpan *span)
{
  guint at = 0;

  if (span->start >= span->end
      || (span->kind == GADGET_MARKDOWN_SPAN_CODE && overlaps_code (text, span)))
    return;
  for (; at < text->spans->len; at++)
    {
      const GadgetMarkdownSpan *other = &g_array_index (text->spans, GadgetMarkdownSpan, at);

      if (other->start > span->start || (other->start == span->start && other->end <= span->end))
        break;
    }
  g_array_insert_val (text->spans, at, *span);
}

/* Inserts the spans of pairs, inner ones first. */
static void
insert_spans (const GadgetMarkdownBuilder *builder, const GArray *edits)
{
  for (guint i = 0; i < builder->tags->len; i++)
    {
      const GadgetMarkdownTag *close = get_tag (builder, i);
      const GadgetMarkdownTag *open = get_tag (builder, close->partner);
      g_autofree char *script = NULL;
      GadgetMarkdownSpan span = { 0 };

      if (!close->closing || close->partner == i || (script = dup_script (builder, open)) != NULL)
        continue;
      span.start = map_from_begin (edits, open->end);
      span.end = map_from_begin (edits, close->start);
      span.kind = open->name->kind;
      insert_span (builder->writer.text, &span);
    }
}

/* Applies the edits to the text and its runs. */
static void
make_edits (GadgetMarkdownWriter *writer, const GArray *edits)
{
  g_autoptr (GString) before = g_string_new_len (writer->string->str, (gssize) writer->string->len);
  GadgetMarkdownText scratch = { .runs = g_array_copy (writer->text->runs) };
  const GadgetMarkdownWriter from = { &scratch, before };
  guint at = 0, index = 0;

  g_string_truncate (writer->string, 0);
  g_array_set_size (writer->text->runs, 0);
  for (guint i = 0; i < edits->len; i++)
    {
      const Edit *edit = &g_array_index (edits, Edit, i);

      keep (writer, &from, at, edit->start, &index);
      if (edit->instead != NULL)
        put_instead (writer, &from, edit, index);
      at = edit->end;
    }
  keep (writer, &from, at, (guint) before->len, &index);
  g_array_unref (scratch.runs);
}

void
_gadget_markdown_apply_tags (GadgetMarkdownBuilder *self)
{
  if (self->writer.text != NULL && match_tags (self))
    {
      g_autoptr (GStringChunk) words = g_string_chunk_new (64);
      g_autoptr (GArray) edits = collect_edits (self, words);

      move_spans (self->writer.text, edits);
      insert_spans (self, edits);
      make_edits (&self->writer, edits);
    }
  g_array_set_size (self->tags, 0);
}
