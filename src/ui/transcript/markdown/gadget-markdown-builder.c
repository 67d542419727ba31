/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From md4c's calls to leaves. md4c tells of blocks and spans as it enters and leaves them, and
 * gives their text as pieces of what it reads, with pieces of its own between them (line breaks,
 * indentation). Those of its own belong to the place that it has come to, which is "cursor". */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-builder.h"

#include "gadget-markdown-entity.h"
#include "gadget-tex.h"

#include <md4c.h>
#include <string.h>

#define FLAGS                                                                                      \
  (MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEAUTOLINKS)

#define MAX_ADDRESS 200

/* A quote or an item that is open, or a list, which is no container to a leaf. */
typedef struct
{
  GadgetMarkdownContainer container;
  gboolean is_list;
  gboolean used; /* a leaf is in it */
  guint next;    /* number of a list's next item */
} Level;

typedef struct
{
  GadgetMarkdownDocument *document;
  const GadgetMarkdownSource *source;
  gint64 first_number;
  guint serial;

  GArray *levels; /* of Level */
  GadgetMarkdownLeaf *leaf;
  gboolean implied; /* the paragraph has no block of its own: that of a tight list */
  GadgetMarkdownWriter writer;
  gboolean shown;  /* something of the leaf is in the shown part */
  gboolean hidden; /* something of it is not */
  guint column;    /* of a table */
  gboolean in_header;

  GArray *spans;        /* indices of open spans in those of the text, or -1 */
  guint n_images;       /* open ones: what is in them is plain text */
  gboolean in_code;     /* span */
  gsize code_begin;     /* where its text begins in the view; 0: not yet known */
  gboolean lacks_space; /* for a line break in it */
  int formula;          /* that the code span is, or -1 */
  gsize cursor;         /* in the view */
} Builder;

static gboolean
is_in_view (const Builder *builder, const char *text)
{
  return text >= builder->source->view->str
         && text < builder->source->view->str + builder->source->view->len;
}

static gboolean
is_shown (const Builder *builder)
{
  return builder->cursor >= builder->source->shown_begin
         && builder->cursor <= builder->source->shown_end;
}

static gsize
get_source (const Builder *builder)
{
  return gadget_markdown_source_map (builder->source, builder->cursor);
}

/* --- Leaves -------------------------------------------------------------------------------------
 */

static void
begin_leaf (Builder *builder, GadgetMarkdownKind kind)
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

/* For a leaf without text: the line that it most likely stands on is taken for its place. */
static void
pass_line (Builder *builder)
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
drop_last_newline (Builder *builder)
{
  GString *string = builder->writer.string;
  GArray *runs = builder->leaf->text->runs;
  GadgetMarkdownRun *run;

  if (string->len == 0 || string->str[string->len - 1] != '\n')
    return;
  g_string_truncate (string, string->len - 1);
  if (runs->len == 0)
    return;
  run = &g_array_index (runs, GadgetMarkdownRun, runs->len - 1);
  if (--run->length == 0)
    g_array_set_size (runs, runs->len - 1);
  else if (run->source_length > 0)
    run->source_length--;
}

static void
end_leaf (Builder *builder)
{
  GadgetMarkdownLeaf *leaf = g_steal_pointer (&builder->leaf);

  if (leaf == NULL)
    return;
  if (leaf->kind == GADGET_MARKDOWN_CODE || leaf->kind == GADGET_MARKDOWN_HTML_TEXT)
    {
      builder->leaf = leaf;
      drop_last_newline (builder);
      builder->leaf = NULL;
    }
  _gadget_markdown_writer_finish (&builder->writer);
  if (!builder->shown && !builder->hidden)
    {
      pass_line (builder);
      builder->shown = is_shown (builder);
    }
  if (builder->shown && (leaf->table == NULL || leaf->table->n_rows > 0))
    {
      leaf->source_end = get_source (builder);
      leaf->source_start = MIN (leaf->source_start, leaf->source_end);
      g_ptr_array_add (builder->document->leaves, leaf);
    }
  else
    _gadget_markdown_leaf_free (leaf);
}

/* Text of a tight list has no paragraph. */
static void
need_leaf (Builder *builder)
{
  if (builder->leaf != NULL)
    return;
  begin_leaf (builder, GADGET_MARKDOWN_PARAGRAPH);
  builder->implied = TRUE;
}

/* --- Attributes ---------------------------------------------------------------------------------
 */

/* What an attribute's bytes were before they were masked. */
static char *
dup_attribute_bytes (const Builder *builder, const MD_ATTRIBUTE *attribute)
{
  const GadgetMarkdownSource *source = builder->source;
  gsize at;

  if (!is_in_view (builder, attribute->text) || source->formulas == NULL)
    return g_strndup (attribute->text, attribute->size);
  at = (gsize) (attribute->text - source->view->str);
  if (at < source->shown_begin || at + attribute->size > source->shown_end)
    return g_strndup (attribute->text, attribute->size);
  return g_strndup (source->text + gadget_markdown_source_map (source, at), attribute->size);
}

/* (nullable) */
static char *
dup_attribute (const Builder *builder, const MD_ATTRIBUTE *attribute)
{
  g_autofree char *bytes = NULL;
  GString *value;

  if (attribute->text == NULL)
    return NULL;
  bytes = dup_attribute_bytes (builder, attribute);
  value = g_string_sized_new (attribute->size);
  for (guint i = 0; attribute->size > 0 && attribute->substr_offsets[i] < attribute->size; i++)
    {
      const MD_OFFSET begin = attribute->substr_offsets[i];
      const MD_SIZE length = attribute->substr_offsets[i + 1] - begin;

      switch (attribute->substr_types[i])
        {
        case MD_TEXT_NULLCHAR:
          g_string_append (value, "\357\277\275");
          break;
        case MD_TEXT_ENTITY:
          if (gadget_markdown_entity_decode (attribute->text + begin, length, value))
            break;
          G_GNUC_FALLTHROUGH;
        default:
          g_string_append_len (value, bytes + begin, (gssize) length);
        }
    }
  if (!g_utf8_validate_len (value->str, value->len, NULL))
    {
      char *valid = g_utf8_make_valid (value->str, (gssize) value->len);

      g_string_free (value, TRUE);
      return valid;
    }
  return g_string_free_and_steal (value);
}

static gboolean
has_scheme (const char *address, const char *scheme)
{
  return g_ascii_strncasecmp (address, scheme, strlen (scheme)) == 0;
}

static gboolean
may_open (const char *address)
{
  return has_scheme (address, "http://") || has_scheme (address, "https://")
         || has_scheme (address, "mailto:");
}

/* --- Spans --------------------------------------------------------------------------------------
 */

static void
begin_span (Builder *builder, GadgetMarkdownSpanKind kind, char *href, char *title)
{
  GArray *spans = builder->writer.text->spans;
  const GadgetMarkdownSpan span = { (guint) builder->writer.string->len,
                                    (guint) builder->writer.string->len, kind, href, title };
  const int index = (int) spans->len;

  g_array_append_val (spans, span);
  g_array_append_val (builder->spans, index);
}

static void
add_span (Builder *builder, GadgetMarkdownSpanKind kind, gsize start)
{
  const GadgetMarkdownSpan span = { (guint) start, (guint) builder->writer.string->len, kind, NULL,
                                    NULL };

  if (span.end > span.start)
    g_array_append_val (builder->writer.text->spans, span);
}

/* The address of what is not opened is shown; it is none of the text's own. */
static void
add_address (Builder *builder, const char *address, const char *shown)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const gsize start = builder->writer.string->len;
  gsize length = strlen (address);

  if (length == 0 || strcmp (address, shown) == 0)
    return;
  if (*shown != '\0')
    g_string_append_c (text, ' ');
  g_string_append_c (text, '(');
  if (length > MAX_ADDRESS)
    {
      const char *end = g_utf8_find_prev_char (address, address + MAX_ADDRESS);

      length = end != NULL ? (gsize) (end - address) : 0;
    }
  g_string_append_len (text, address, (gssize) length);
  g_string_append (text, address[length] != '\0' ? "\342\200\246)" : ")");
  _gadget_markdown_writer_add_instead (&builder->writer, text->str, text->len, get_source (builder),
                                       0);
  add_span (builder, GADGET_MARKDOWN_SPAN_ADDRESS, start);
}

/* A formula's text replaces that of the code span which it was read as. */
static void
end_formula (Builder *builder)
{
  const GadgetMarkdownSource *source = builder->source;
  const GadgetMarkdownFormula *formula =
      &g_array_index (source->formulas, GadgetMarkdownFormula, (guint) builder->formula);
  const gsize begin = gadget_markdown_source_map (source, formula->begin);
  const gsize length = formula->end - formula->begin;
  g_autofree char *valid = g_utf8_make_valid (source->text + begin, (gssize) length);
  g_autofree char *shown = gadget_tex_to_text (valid, formula->display);

  builder->formula = -1;
  builder->cursor = formula->end;
  _gadget_markdown_writer_add_instead (&builder->writer, shown, strlen (shown), begin, length);
}

static void
end_span (Builder *builder)
{
  GadgetMarkdownSpan *span;
  int index;

  if (builder->spans->len == 0)
    return;
  index = g_array_index (builder->spans, int, builder->spans->len - 1);
  g_array_set_size (builder->spans, builder->spans->len - 1);
  if (index < 0 || (guint) index >= builder->writer.text->spans->len)
    return;
  span = &g_array_index (builder->writer.text->spans, GadgetMarkdownSpan, index);
  if (span->kind == GADGET_MARKDOWN_SPAN_MATH && builder->formula >= 0)
    end_formula (builder);
  span->end = (guint) builder->writer.string->len;
  if (span->href != NULL && span->kind != GADGET_MARKDOWN_SPAN_LINK && is_shown (builder))
    add_address (builder, span->href, builder->writer.string->str + span->start);
}

/* Spans with nothing in them, and those that a cut took the contents of. */
static void
drop_empty_spans (GadgetMarkdownText *text)
{
  for (guint i = text->spans->len; i-- > 0;)
    {
      const GadgetMarkdownSpan *span = &g_array_index (text->spans, GadgetMarkdownSpan, i);

      if (span->start == span->end && span->href == NULL)
        g_array_remove_index (text->spans, i);
    }
}

static int
find_formula (const Builder *builder, gsize at)
{
  const GArray *formulas = builder->source->formulas;

  for (guint i = 0; formulas != NULL && i < formulas->len; i++)
    {
      const GadgetMarkdownFormula *formula = &g_array_index (formulas, GadgetMarkdownFormula, i);

      if (at >= formula->begin && at < formula->end)
        return (int) i;
    }
  return -1;
}

/* --- Text ---------------------------------------------------------------------------------------
 */

/* In a table even code has its pipes escaped. */
static void
add_cell_code (Builder *builder, const char *bytes, gsize length, gsize at)
{
  const char *end = bytes + length;
  const char *pipe;

  while ((pipe = memmem (bytes, (gsize) (end - bytes), "\\|", 2)) != NULL)
    {
      _gadget_markdown_writer_add_source (&builder->writer, bytes, (gsize) (pipe - bytes), at);
      at += (gsize) (pipe - bytes);
      _gadget_markdown_writer_add_instead (&builder->writer, "|", 1, at, 2);
      bytes = pipe + 2;
      at += 2;
    }
  _gadget_markdown_writer_add_source (&builder->writer, bytes, (gsize) (end - bytes), at);
}

/* A piece of the view. */
static void
add_view (Builder *builder, MD_TEXTTYPE type, const char *text, gsize size)
{
  const GadgetMarkdownSource *source = builder->source;
  const gsize view = (gsize) (text - source->view->str);
  gsize begin = MAX (view, source->shown_begin);
  const gsize end = MIN (view + size, source->shown_end);
  g_autoptr (GString) decoded = NULL;
  gsize at;

  /* A heading may begin with a tab, of which md4c thinks as of a letter. */
  if (builder->leaf->kind == GADGET_MARKDOWN_HEADING && builder->writer.string->len == 0)
    while (begin < end && gadget_markdown_is_space (source->view->str[begin]))
      begin++;
  builder->cursor = view + size;
  if (begin >= end)
    {
      builder->hidden = TRUE;
      return;
    }
  builder->shown = TRUE;
  at = gadget_markdown_source_map (source, begin);
  if (builder->leaf->source_start == G_MAXSIZE)
    builder->leaf->source_start = at;
  if (type == MD_TEXT_ENTITY)
    {
      decoded = g_string_new (NULL);
      if (gadget_markdown_entity_decode (text, size, decoded))
        {
          _gadget_markdown_writer_add_instead (&builder->writer, decoded->str, decoded->len, at,
                                               end - begin);
          return;
        }
    }
  if (type == MD_TEXT_CODE && builder->leaf->table != NULL)
    add_cell_code (builder, source->text + at, end - begin, at);
  else
    _gadget_markdown_writer_add_source (&builder->writer, source->text + at, end - begin, at);
}

/* In a code span, after spaces at the end of a line, md4c leaves out the one for the line break. */
static gboolean
lacks_space (const Builder *builder)
{
  const GString *view = builder->source->view;
  const gsize at = builder->cursor;

  return at > 0 && at < view->len && gadget_markdown_is_space (view->str[at - 1])
         && (view->str[at] == '\n' || view->str[at] == '\r');
}

/* To the line break that is next: marks may be before it. */
static void
pass_newline (Builder *builder)
{
  const GString *view = builder->source->view;
  const char *newline = memchr (view->str + builder->cursor, '\n', view->len - builder->cursor);

  if (newline != NULL && newline < view->str + builder->source->shown_end)
    builder->cursor = (gsize) (newline - view->str);
}

/* A piece of md4c's own. */
static void
add_own (Builder *builder, const char *text, gsize size)
{
  if (!is_shown (builder))
    {
      builder->hidden = TRUE;
      return;
    }
  builder->shown = TRUE;
  if (*text == '\n')
    pass_newline (builder);
  _gadget_markdown_writer_add_instead (&builder->writer, text, size, get_source (builder),
                                       *text == '\n' ? 1 : 0);
}

static int
text_cb (MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
  Builder *builder = data;
  gsize start;

  need_leaf (builder);
  if (builder->writer.text == NULL)
    return 0;
  start = builder->writer.string->len;
  if (builder->lacks_space)
    add_own (builder, " ", 1);
  else if (builder->in_code && builder->code_begin == 0 && is_in_view (builder, text))
    builder->code_begin = (gsize) (text - builder->source->view->str);
  builder->lacks_space = FALSE;
  if (type == MD_TEXT_CODE && builder->in_code && builder->spans->len > 0)
    {
      const int index = g_array_index (builder->spans, int, builder->spans->len - 1);

      if (builder->formula < 0 && is_in_view (builder, text) && index >= 0)
        builder->formula = find_formula (builder, (gsize) (text - builder->source->view->str));
      if (builder->formula >= 0 && index >= 0)
        {
          g_array_index (builder->writer.text->spans, GadgetMarkdownSpan, (guint) index).kind =
              GADGET_MARKDOWN_SPAN_MATH;
          builder->shown = TRUE;
          return 0;
        }
    }
  if (type == MD_TEXT_NULLCHAR)
    add_own (builder, "\357\277\275", 3);
  else if (is_in_view (builder, text))
    {
      add_view (builder, type, text, size);
      builder->lacks_space = builder->in_code && lacks_space (builder);
    }
  else
    add_own (builder, text, size);
  if (type == MD_TEXT_BR)
    add_span (builder, GADGET_MARKDOWN_SPAN_BREAK, start);
  if (type == MD_TEXT_HTML && builder->leaf->kind != GADGET_MARKDOWN_HTML_TEXT)
    add_span (builder, GADGET_MARKDOWN_SPAN_HTML, start);
  return 0;
}

static int
enter_span_cb (MD_SPANTYPE type, void *detail, void *data)
{
  static const int kinds[] = {
    [MD_SPAN_EM] = GADGET_MARKDOWN_SPAN_EMPHASIS,
    [MD_SPAN_STRONG] = GADGET_MARKDOWN_SPAN_STRONG,
    [MD_SPAN_CODE] = GADGET_MARKDOWN_SPAN_CODE,
    [MD_SPAN_DEL] = GADGET_MARKDOWN_SPAN_STRIKE,
  };
  Builder *builder = data;
  const int none = -1;

  need_leaf (builder);
  if (builder->writer.text == NULL)
    return 0;
  if (builder->n_images > 0)
    {
      builder->n_images += type == MD_SPAN_IMG;
      g_array_append_val (builder->spans, none);
    }
  else if (type == MD_SPAN_A)
    {
      const MD_SPAN_A_DETAIL *link = detail;
      char *href = dup_attribute (builder, &link->href);

      begin_span (builder,
                  href != NULL && may_open (href) ? GADGET_MARKDOWN_SPAN_LINK
                                                  : GADGET_MARKDOWN_SPAN_REFUSED,
                  href != NULL ? href : g_strdup (""), dup_attribute (builder, &link->title));
    }
  else if (type == MD_SPAN_IMG)
    {
      const MD_SPAN_IMG_DETAIL *image = detail;
      char *href = dup_attribute (builder, &image->src);

      builder->n_images++;
      begin_span (builder, GADGET_MARKDOWN_SPAN_IMAGE, href != NULL ? href : g_strdup (""),
                  dup_attribute (builder, &image->title));
    }
  else
    begin_span (builder, (GadgetMarkdownSpanKind) kinds[type], NULL, NULL);
  builder->in_code = type == MD_SPAN_CODE;
  builder->code_begin = 0;
  builder->formula = -1;
  return 0;
}

static int
leave_span_cb (MD_SPANTYPE type, void *detail, void *data)
{
  Builder *builder = data;

  if (builder->writer.text == NULL)
    return 0;
  if (type == MD_SPAN_IMG && builder->n_images > 0)
    builder->n_images--;
  /* The last line break is none if it is balanced by white space at the beginning. */
  if (builder->lacks_space && builder->code_begin > 0
      && builder->source->view->str[builder->code_begin - 1] == '`')
    add_own (builder, " ", 1);
  builder->lacks_space = FALSE;
  end_span (builder);
  builder->in_code = FALSE;
  return 0;
}

/* --- Blocks -------------------------------------------------------------------------------------
 */

static Level *
push_level (Builder *builder, GadgetMarkdownContainerKind kind)
{
  const Level level = { .container = { .kind = kind, .id = ++builder->serial } };

  g_array_append_val (builder->levels, level);
  return &g_array_index (builder->levels, Level, builder->levels->len - 1);
}

static void
pop_level (Builder *builder)
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
push_list (Builder *builder, gboolean ordered, gboolean tight, guint number, char delimiter)
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

/* As in print: a disc, a circle, a square, by how deep the list is. */
static const char *
get_bullet (const Builder *builder)
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
push_item (Builder *builder, const MD_BLOCK_LI_DETAIL *item)
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

static void
begin_code (Builder *builder, const MD_BLOCK_CODE_DETAIL *code)
{
  begin_leaf (builder, GADGET_MARKDOWN_CODE);
  builder->leaf->info = dup_attribute (builder, &code->info);
  builder->leaf->language = dup_attribute (builder, &code->lang);
  builder->leaf->fenced = code->fence_char != '\0';
}

static void
begin_table (Builder *builder, const MD_BLOCK_TABLE_DETAIL *detail)
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
begin_cell (Builder *builder, const MD_BLOCK_TD_DETAIL *detail)
{
  GadgetMarkdownTable *table = builder->leaf->table;
  GadgetMarkdownText *cell = _gadget_markdown_text_new ();

  if (builder->in_header && builder->column < table->n_columns)
    table->alignments[builder->column] = (GadgetMarkdownAlignment) detail->align;
  builder->column++;
  g_ptr_array_add (table->cells, cell);
  _gadget_markdown_writer_init (&builder->writer, cell);
}

static void
end_row (Builder *builder)
{
  GadgetMarkdownTable *table = builder->leaf->table;

  /* The header that was put before a part of a table only says which columns there are. */
  if (builder->in_header && !table->has_header)
    g_ptr_array_set_size (table->cells, 0);
  else
    table->n_rows++;
}

static int
enter_block_cb (MD_BLOCKTYPE type, void *detail, void *data)
{
  Builder *builder = data;

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

/* A paragraph that is one formula and nothing else. */
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

/* md4c leaves tabs. */
static void
trim_end (Builder *builder)
{
  const GArray *spans = builder->leaf->text->spans;
  GString *string = builder->writer.string;
  gsize length = string->len;

  while (length > 0 && gadget_markdown_is_space (string->str[length - 1]))
    length--;
  for (guint i = 0; i < spans->len; i++)
    if (g_array_index (spans, GadgetMarkdownSpan, i).end > length)
      return;
  g_string_truncate (string, length);
}

static void
end_text (Builder *builder)
{
  GadgetMarkdownLeaf *leaf = builder->leaf;

  if (leaf == NULL)
    return;
  if (leaf->kind == GADGET_MARKDOWN_PARAGRAPH || leaf->kind == GADGET_MARKDOWN_HEADING)
    trim_end (builder);
  drop_empty_spans (leaf->text);
  leaf->text->length = builder->writer.string != NULL ? (guint) builder->writer.string->len : 0;
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
  Builder *builder = data;

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
      drop_empty_spans (builder->writer.text);
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

void
_gadget_markdown_build (GadgetMarkdownDocument *document, const GadgetMarkdownSource *source,
                        gint64 first_number)
{
  const MD_PARSER parser = {
    .flags = FLAGS,
    .enter_block = enter_block_cb,
    .leave_block = leave_block_cb,
    .enter_span = enter_span_cb,
    .leave_span = leave_span_cb,
    .text = text_cb,
  };
  Builder builder = {
    .document = document,
    .source = source,
    .first_number = first_number,
    .levels = g_array_new (FALSE, FALSE, sizeof (Level)),
    .spans = g_array_new (FALSE, FALSE, sizeof (int)),
    .formula = -1,
    .cursor = source->view_begin,
  };

  md_parse (source->view->str, (MD_SIZE) source->view->len, &parser, &builder);
  g_array_unref (builder.levels);
  g_array_unref (builder.spans);
}
