/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builds leaves from the calls of md4c, which reports blocks as it enters and leaves them, and
 * their contents in between. The contents are in gadget-markdown-inline.c. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-builder-private.h"

#include "gadget-markdown-host.h"

#include <string.h>

#define FLAGS                                                                                      \
  (MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEAUTOLINKS)

/* An open quote, item or list. A list is not a container of its leaves, only of its items. */
typedef struct
{
  GadgetMarkdownContainer container;
  gboolean is_list;
  gboolean used; /* a leaf is in it */
  guint next;    /* of a list: the number of the next item */
} Level;

/* --- Leaves -------------------------------------------------------------------------------------
 */

static void
begin_leaf (GadgetMarkdownBuilder *builder, GadgetMarkdownKind kind)
{
  GArray *containers = g_array_new (FALSE, FALSE, sizeof (GadgetMarkdownContainer));
  GadgetMarkdownLeaf *leaf = _gadget_markdown_leaf_new (kind);

  for (guint i = 0; i < builder->levels->len; i++)
    {
      Level *level = &g_array_index (builder->levels, Level, i);

      if (level->is_list)
        continue;
      level->container.first = !level->used;
      level->used = TRUE;
      if (containers->len < GADGET_MARKDOWN_MAX_DEPTH)
        g_array_append_val (containers, level->container);
    }
  leaf->n_containers = containers->len;
  leaf->containers = (GadgetMarkdownContainer *) (gpointer) g_array_free (containers, FALSE);
  builder->leaf = leaf;
  builder->implied = FALSE;
  builder->shown = builder->hidden = FALSE;
  _gadget_markdown_writer_init (&builder->writer, leaf->text);
}

/* Moves the cursor over the line of a leaf without text. md4c does not report where the leaf is, so
 * this is the most likely line. */
static void
pass_line (GadgetMarkdownBuilder *builder)
{
  const GString *view = builder->source->view;
  gsize at = builder->cursor;

  if (at > builder->source->view_begin)
    gadget_markdown_find_line (view->str, view->len, at, &at);
  at = _gadget_markdown_skip_blank (view->str, view->len, at);
  if (at < view->len)
    builder->cursor = gadget_markdown_find_line (view->str, view->len, at, &at);
}

static void
drop_last_newline (GadgetMarkdownBuilder *builder)
{
  const GString *string = builder->writer.string;

  if (string->len > 0 && string->str[string->len - 1] == '\n')
    _gadget_markdown_writer_truncate (&builder->writer, string->len - 1);
}

static void
end_leaf (GadgetMarkdownBuilder *builder)
{
  GadgetMarkdownLeaf *leaf = g_steal_pointer (&builder->leaf);

  if (leaf == NULL)
    return;
  if (leaf->kind == GADGET_MARKDOWN_CODE)
    drop_last_newline (builder);
  _gadget_markdown_writer_finish (&builder->writer);
  if (!builder->shown && !builder->hidden)
    {
      pass_line (builder);
      builder->shown = _gadget_markdown_builder_is_shown (builder);
    }
  if (builder->shown && (leaf->table == NULL || leaf->table->n_rows > 0))
    {
      leaf->source_end = _gadget_markdown_builder_get_source (builder);
      leaf->source_start = MIN (leaf->source_start, leaf->source_end);
      g_ptr_array_add (builder->document->leaves, leaf);
    }
  else
    _gadget_markdown_leaf_free (leaf);
}

/* Begins a paragraph if no leaf is open: md4c has no paragraphs in tight lists. */
void
_gadget_markdown_builder_need_leaf (GadgetMarkdownBuilder *builder)
{
  if (builder->leaf != NULL)
    return;
  begin_leaf (builder, GADGET_MARKDOWN_PARAGRAPH);
  builder->implied = TRUE;
}

/* --- Blocks -------------------------------------------------------------------------------------
 */

static Level *
push_level (GadgetMarkdownBuilder *builder, GadgetMarkdownContainerKind kind)
{
  const Level level = { .container = { .kind = kind, .id = ++builder->serial } };

  g_array_append_val (builder->levels, level);
  return &g_array_index (builder->levels, Level, builder->levels->len - 1);
}

static void
pop_level (GadgetMarkdownBuilder *builder)
{
  const Level *level = &g_array_index (builder->levels, Level, builder->levels->len - 1);

  if (!level->is_list && !level->used)
    {
      begin_leaf (builder, GADGET_MARKDOWN_PARAGRAPH);
      end_leaf (builder);
    }
  g_array_set_size (builder->levels, builder->levels->len - 1);
}

static void
push_list (GadgetMarkdownBuilder *builder, gboolean ordered, gboolean tight, guint number,
           char delimiter)
{
  Level *level = push_level (builder, GADGET_MARKDOWN_ITEM);

  level->is_list = TRUE;
  level->container.ordered = ordered;
  level->container.tight = tight;
  level->container.marker[0] = delimiter;
  level->next = number;
  if (builder->levels->len == 1 && builder->first_number >= 0)
    {
      level->next = (guint) builder->first_number;
      builder->first_number = -1;
    }
}

/* Returns the bullet for an item, by the depth of its list: a disc, a circle or a square. */
static const char *
get_bullet (const GadgetMarkdownBuilder *builder)
{
  static const char *const bullets[] = { "\342\200\242", "\342\227\246", "\342\226\252" };
  guint n = 0;

  for (guint i = 0; i < builder->levels->len; i++)
    {
      const Level *level = &g_array_index (builder->levels, Level, i);

      n += level->is_list && !level->container.ordered;
    }
  return bullets[MIN (n > 0 ? n - 1 : 0, G_N_ELEMENTS (bullets) - 1)];
}

static void
push_item (GadgetMarkdownBuilder *builder, const MD_BLOCK_LI_DETAIL *item)
{
  Level *list = &g_array_index (builder->levels, Level, builder->levels->len - 1);
  const GadgetMarkdownContainer kind = list->container;
  const guint number = list->next++;
  GadgetMarkdownContainer *container = &push_level (builder, GADGET_MARKDOWN_ITEM)->container;

  container->list = kind.id;
  container->ordered = kind.ordered;
  container->tight = kind.tight;
  container->number = number;
  if (item->is_task)
    container->task =
        item->task_mark == ' ' ? GADGET_MARKDOWN_TASK_OPEN : GADGET_MARKDOWN_TASK_DONE;
  if (kind.ordered)
    g_snprintf (container->marker, sizeof container->marker, "%u%c", number, kind.marker[0]);
  else
    g_strlcpy (container->marker, get_bullet (builder), sizeof container->marker);
}

/* Moves the cursor behind an opening fence that is before the shown part: the code may begin at the
 * beginning of that part. */
static void
pass_fence (GadgetMarkdownBuilder *builder)
{
  const GString *view = builder->source->view;
  const gsize before = builder->cursor;
  const char *begin;

  pass_line (builder);
  begin = view->str + before;
  if (builder->cursor >= builder->source->shown_begin
      || (memmem (begin, builder->cursor - before, "```", 3) == NULL
          && memmem (begin, builder->cursor - before, "~~~", 3) == NULL))
    builder->cursor = before;
  else
    gadget_markdown_find_line (view->str, view->len, builder->cursor, &builder->cursor);
}

static void
begin_code (GadgetMarkdownBuilder *builder, const MD_BLOCK_CODE_DETAIL *code)
{
  if (code->fence_char != '\0')
    pass_fence (builder);
  begin_leaf (builder, GADGET_MARKDOWN_CODE);
  builder->leaf->info = _gadget_markdown_builder_dup_attribute (builder, &code->info);
  builder->leaf->language = _gadget_markdown_builder_dup_attribute (builder, &code->lang);
}

static void
begin_table (GadgetMarkdownBuilder *builder, const MD_BLOCK_TABLE_DETAIL *detail)
{
  GadgetMarkdownTable *table = g_new0 (GadgetMarkdownTable, 1);

  begin_leaf (builder, GADGET_MARKDOWN_TABLE);
  _gadget_markdown_writer_finish (&builder->writer);
  table->n_columns = detail->col_count;
  table->alignments = g_new0 (GadgetMarkdownAlignment, detail->col_count);
  table->cells = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_markdown_text_free);
  table->has_header = builder->source->resume != GADGET_MARKDOWN_RESUME_TABLE;
  builder->leaf->table = table;
}

static void
begin_cell (GadgetMarkdownBuilder *builder, const MD_BLOCK_TD_DETAIL *detail)
{
  GadgetMarkdownTable *table = builder->leaf != NULL ? builder->leaf->table : NULL;
  GadgetMarkdownText *cell;

  if (table == NULL)
    return;
  cell = _gadget_markdown_text_new ();
  if (builder->in_header && builder->column < table->n_columns)
    table->alignments[builder->column] = (GadgetMarkdownAlignment) detail->align;
  builder->column++;
  g_ptr_array_add (table->cells, cell);
  _gadget_markdown_writer_init (&builder->writer, cell);
}

static void
end_row (GadgetMarkdownBuilder *builder)
{
  GadgetMarkdownTable *table = builder->leaf != NULL ? builder->leaf->table : NULL;

  if (table == NULL)
    return;
  /* The header line that was put before a cut part of a table only says how many columns there
   * are. */
  if (builder->in_header && !table->has_header)
    g_ptr_array_set_size (table->cells, 0);
  else
    table->n_rows++;
}

static int
enter_block_cb (MD_BLOCKTYPE type, void *detail, void *data)
{
  GadgetMarkdownBuilder *builder = data;

  if (builder->implied)
    end_leaf (builder);
  switch (type)
    {
    case MD_BLOCK_QUOTE:
      push_level (builder, GADGET_MARKDOWN_QUOTE);
      break;
    case MD_BLOCK_UL:
      push_list (builder, FALSE, ((MD_BLOCK_UL_DETAIL *) detail)->is_tight, 0,
                 ((MD_BLOCK_UL_DETAIL *) detail)->mark);
      break;
    case MD_BLOCK_OL:
      push_list (builder, TRUE, ((MD_BLOCK_OL_DETAIL *) detail)->is_tight,
                 ((MD_BLOCK_OL_DETAIL *) detail)->start,
                 ((MD_BLOCK_OL_DETAIL *) detail)->mark_delimiter);
      break;
    case MD_BLOCK_LI:
      push_item (builder, detail);
      break;
    case MD_BLOCK_HR:
      begin_leaf (builder, GADGET_MARKDOWN_RULE);
      break;
    case MD_BLOCK_H:
      begin_leaf (builder, GADGET_MARKDOWN_HEADING);
      builder->leaf->level = ((MD_BLOCK_H_DETAIL *) detail)->level;
      break;
    case MD_BLOCK_CODE:
      begin_code (builder, detail);
      break;
    case MD_BLOCK_HTML:
      begin_leaf (builder, GADGET_MARKDOWN_HTML_TEXT);
      break;
    case MD_BLOCK_P:
      begin_leaf (builder, GADGET_MARKDOWN_PARAGRAPH);
      break;
    case MD_BLOCK_TABLE:
      begin_table (builder, detail);
      break;
    case MD_BLOCK_THEAD:
      builder->in_header = TRUE;
      break;
    case MD_BLOCK_TBODY:
      builder->in_header = FALSE;
      break;
    case MD_BLOCK_TR:
      builder->column = 0;
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      begin_cell (builder, detail);
      break;
    default:
      break;
    }
  return 0;
}

/* Tells whether the paragraph is one display formula and nothing else. */
static gboolean
is_formula (const GadgetMarkdownLeaf *leaf, const GadgetMarkdownSource *source)
{
  const GadgetMarkdownSpan *span;

  if (leaf->text->spans->len != 1 || source->formulas == NULL)
    return FALSE;
  span = &g_array_index (leaf->text->spans, GadgetMarkdownSpan, 0);
  if (span->kind != GADGET_MARKDOWN_SPAN_MATH || span->start > 0 || span->end < leaf->text->length)
    return FALSE;
  for (guint i = 0; i < source->formulas->len; i++)
    {
      const GadgetMarkdownFormula *formula =
          &g_array_index (source->formulas, GadgetMarkdownFormula, i);

      if (gadget_markdown_source_map (source, formula->begin)
          == g_array_index (leaf->text->runs, GadgetMarkdownRun, 0).source)
        return formula->display;
    }
  return FALSE;
}

/* Tells whether the paragraph is one image of the web, with its address, and nothing else. */
static gboolean
is_picture (const GadgetMarkdownBuilder *builder)
{
  const GArray *spans = builder->leaf->text->spans;
  const GadgetMarkdownSpan *image;
  guint end;

  if (spans->len == 0 || builder->hidden)
    return FALSE;
  image = &g_array_index (spans, GadgetMarkdownSpan, 0);
  if (image->kind != GADGET_MARKDOWN_SPAN_IMAGE || image->start > 0
      || !gadget_markdown_host_is_web (image->href))
    return FALSE;
  end = image->end;
  for (guint i = 1; i < spans->len; i++)
    {
      const GadgetMarkdownSpan *span = &g_array_index (spans, GadgetMarkdownSpan, i);

      if (span->kind == GADGET_MARKDOWN_SPAN_ADDRESS && span->start == image->end)
        end = span->end;
      else if (span->end > image->end)
        return FALSE;
    }
  return end == builder->writer.string->len;
}

/* Removes white space at the end, because md4c keeps tabs there. */
static void
trim_end (GadgetMarkdownBuilder *builder)
{
  const GArray *spans = builder->leaf->text->spans;
  const GArray *runs = builder->leaf->text->runs;
  const GString *string = builder->writer.string;
  gsize length = string->len;

  while (length > 0 && gadget_markdown_is_space (string->str[length - 1]))
    length--;
  for (guint i = 0; i < spans->len; i++)
    if (g_array_index (spans, GadgetMarkdownSpan, i).end > length)
      return;
  /* A tab that was written as "&#9;" is kept. */
  if (runs->len > 0)
    {
      const GadgetMarkdownRun *last = &g_array_index (runs, GadgetMarkdownRun, runs->len - 1);

      if (last->length != last->source_length)
        return;
    }
  _gadget_markdown_writer_truncate (&builder->writer, length);
}

/* Drops the line break that a paragraph was cut after. */
static void
drop_newline (GadgetMarkdownBuilder *builder)
{
  const GArray *spans = builder->leaf->text->spans;

  if (builder->source->read_end == builder->source->shown_end)
    return;
  drop_last_newline (builder);
  for (guint i = 0; i < spans->len; i++)
    {
      GadgetMarkdownSpan *span = &g_array_index (spans, GadgetMarkdownSpan, i);

      span->end = MIN (span->end, (guint) builder->writer.string->len);
      span->start = MIN (span->start, span->end);
    }
}

static void
end_text (GadgetMarkdownBuilder *builder)
{
  GadgetMarkdownLeaf *leaf = builder->leaf;

  if (leaf == NULL)
    return;
  if (leaf->kind == GADGET_MARKDOWN_HTML_TEXT)
    {
      drop_last_newline (builder);
      _gadget_markdown_read_details (builder);
      _gadget_markdown_apply_tags (builder);
      /* A block with nothing to show gets no leaf, except for an item of a list that has nothing
       * else. */
      if (builder->writer.string->len == 0 && leaf->n_containers == 0)
        {
          builder->shown = FALSE;
          builder->hidden = TRUE;
        }
    }
  else
    _gadget_markdown_apply_tags (builder);
  if (leaf->kind == GADGET_MARKDOWN_PARAGRAPH || leaf->kind == GADGET_MARKDOWN_HEADING)
    {
      drop_newline (builder);
      trim_end (builder);
    }
  if (leaf->kind == GADGET_MARKDOWN_PARAGRAPH && is_picture (builder))
    leaf->kind = GADGET_MARKDOWN_PICTURE;
  else
    _gadget_markdown_drop_empty_spans (leaf->text);
  leaf->text->length = (guint) builder->writer.string->len;
  if (leaf->kind == GADGET_MARKDOWN_PARAGRAPH && is_formula (leaf, builder->source))
    {
      leaf->kind = GADGET_MARKDOWN_MATH;
      g_array_set_size (leaf->text->spans, 0);
    }
  end_leaf (builder);
}

static int
leave_block_cb (MD_BLOCKTYPE type, void *detail, void *data)
{
  GadgetMarkdownBuilder *builder = data;

  if (builder->implied)
    end_text (builder);
  switch (type)
    {
    case MD_BLOCK_QUOTE:
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
    case MD_BLOCK_LI:
      pop_level (builder);
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      _gadget_markdown_apply_tags (builder);
      _gadget_markdown_drop_empty_spans (builder->writer.text);
      _gadget_markdown_writer_finish (&builder->writer);
      break;
    case MD_BLOCK_TR:
      end_row (builder);
      break;
    case MD_BLOCK_HR:
    case MD_BLOCK_TABLE:
      end_leaf (builder);
      break;
    case MD_BLOCK_H:
    case MD_BLOCK_CODE:
    case MD_BLOCK_HTML:
    case MD_BLOCK_P:
      end_text (builder);
      break;
    default:
      break;
    }
  return 0;
}

/* Turns a picture at the end of a streaming text into a paragraph: text may still follow it. */
static void
keep_picture_open (const GadgetMarkdownDocument *document)
{
  GadgetMarkdownLeaf *last =
      document->leaves->len > 0
          ? gadget_markdown_document_get_leaf (document, document->leaves->len - 1)
          : NULL;

  if (last == NULL || last->kind != GADGET_MARKDOWN_PICTURE)
    return;
  last->kind = GADGET_MARKDOWN_PARAGRAPH;
  _gadget_markdown_drop_empty_spans (last->text);
}

void
_gadget_markdown_build (GadgetMarkdownDocument *document, const GadgetMarkdownSource *source,
                        gint64 first_number)
{
  const MD_PARSER parser = {
    .flags = FLAGS,
    .enter_block = enter_block_cb,
    .leave_block = leave_block_cb,
    .enter_span = _gadget_markdown_enter_span_cb,
    .leave_span = _gadget_markdown_leave_span_cb,
    .text = _gadget_markdown_text_cb,
  };
  GadgetMarkdownBuilder builder = {
    .document = document,
    .source = source,
    .first_number = first_number,
    .levels = g_array_new (FALSE, FALSE, sizeof (Level)),
    .spans = g_array_new (FALSE, FALSE, sizeof (int)),
    .tags = g_array_new (FALSE, FALSE, sizeof (GadgetMarkdownTag)),
    .formula = -1,
    .cursor = source->view_begin,
  };

  md_parse (source->view->str, (MD_SIZE) source->view->len, &parser, &builder);
  if (source->open)
    keep_picture_open (document);
  g_array_unref (builder.levels);
  g_array_unref (builder.spans);
  g_array_unref (builder.tags);
}
