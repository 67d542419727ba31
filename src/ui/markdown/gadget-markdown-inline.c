/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The contents of leaves. md4c gives text as pieces of the view, with pieces of its own between
 * them (line breaks, indentation). Its own pieces are placed at "cursor", the view offset that md4c
 * has reached. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-builder-private.h"

#include "gadget-markdown-entity.h"
#include "gadget-markdown-host.h"
#include "ui/markdown/tex/gadget-tex.h"

#include <string.h>

#define MAX_ADDRESS 200

static gboolean
is_in_view (const GadgetMarkdownBuilder *builder, const char *text)
{
  return text >= builder->source->view->str
         && text < builder->source->view->str + builder->source->view->len;
}

/* --- Attributes ---------------------------------------------------------------------------------
 */

/* Returns the bytes of an attribute as they were before the view was masked. (transfer full) */
static char *
dup_attribute_bytes (const GadgetMarkdownBuilder *builder, const MD_ATTRIBUTE *attribute)
{
  const GadgetMarkdownSource *source = builder->source;
  gsize at;

  if (!is_in_view (builder, attribute->text) || source->formulas == NULL)
    return g_strndup (attribute->text, attribute->size);
  at = (gsize) (attribute->text - source->view->str);
  if (at < gadget_markdown_source_get_read_begin (source)
      || at + attribute->size > source->read_end)
    return g_strndup (attribute->text, attribute->size);
  return g_strndup (source->text + gadget_markdown_source_map_around (source, at), attribute->size);
}

/* Returns an attribute as valid UTF-8 with its entities decoded. (transfer full) (nullable) */
char *
_gadget_markdown_builder_dup_attribute (const GadgetMarkdownBuilder *builder,
                                        const MD_ATTRIBUTE *attribute)
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

/* --- Spans --------------------------------------------------------------------------------------
 */

static void
begin_span (GadgetMarkdownBuilder *builder, GadgetMarkdownSpanKind kind, char *href, char *title)
{
  GArray *spans = builder->writer.text->spans;
  const GadgetMarkdownSpan span = { (guint) builder->writer.string->len,
                                    (guint) builder->writer.string->len, kind, href, title };
  const int index = (int) spans->len;

  g_array_append_val (spans, span);
  g_array_append_val (builder->spans, index);
}

static void
add_span (GadgetMarkdownBuilder *builder, GadgetMarkdownSpanKind kind, gsize start)
{
  const GadgetMarkdownSpan span = { (guint) start, (guint) builder->writer.string->len, kind, NULL,
                                    NULL };

  if (span.end > span.start)
    g_array_append_val (builder->writer.text->spans, span);
}

/* Appends an address in parentheses: of a link that cannot be opened or of an image, or the host of
 * a link that leads elsewhere than its text says. It is not in the source. */
static void
add_address (GadgetMarkdownBuilder *builder, const char *address, const char *shown)
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
  _gadget_markdown_writer_add_instead (&builder->writer, text->str, text->len,
                                       _gadget_markdown_builder_get_source (builder), 0);
  add_span (builder, GADGET_MARKDOWN_SPAN_ADDRESS, start);
}

/* Returns the text without the known tags, which are not shown. (transfer full) */
static char *
dup_without_tags (const char *text)
{
  GString *bare = g_string_new (NULL);
  const char *at = text;

  while (*at != '\0')
    {
      const char *close = *at == '<' ? strpbrk (at + 1, "<>") : NULL;
      gboolean closing;

      if (close != NULL && *close == '>' && gadget_markdown_tag_find (at, close + 1, &closing))
        at = close + 1;
      else
        g_string_append_c (bare, *at++);
    }
  return g_string_free_and_steal (bare);
}

static void
show_address (GadgetMarkdownBuilder *builder, const GadgetMarkdownSpan *span)
{
  const char *shown = builder->writer.string->str + span->start;
  g_autofree char *bare = NULL;
  g_autofree char *host = NULL;

  if (span->kind != GADGET_MARKDOWN_SPAN_LINK)
    {
      add_address (builder, span->href, shown);
      return;
    }
  bare = dup_without_tags (shown);
  host = gadget_markdown_host_find_other (bare, span->href);
  if (host != NULL)
    add_address (builder, host, shown);
}

static gboolean
is_shown_at (const GadgetMarkdownSource *source, gsize view)
{
  return view >= source->shown_begin && view < source->shown_end;
}

/* Replaces the text of the code span, which a formula was masked as, by that of the formula. */
static void
end_formula (GadgetMarkdownBuilder *builder)
{
  const GadgetMarkdownSource *source = builder->source;
  const GadgetMarkdownFormula *formula =
      &g_array_index (source->formulas, GadgetMarkdownFormula, (guint) builder->formula);
  const gsize begin = gadget_markdown_source_map_around (source, formula->begin);
  const gsize length = formula->end - formula->begin;
  g_autofree char *valid = NULL;
  g_autofree char *shown = NULL;

  builder->formula = -1;
  builder->cursor = formula->end;
  /* A formula that is cut is shown in the part where it begins. */
  if (!is_shown_at (source, formula->begin))
    return;
  valid = g_utf8_make_valid (source->text + begin, (gssize) length);
  shown = gadget_tex_to_text (valid, formula->display);
  _gadget_markdown_writer_add_instead (&builder->writer, shown, strlen (shown), begin,
                                       MIN (begin + length, source->end) - begin);
}

static void
end_span (GadgetMarkdownBuilder *builder)
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
  if (span->href != NULL && _gadget_markdown_builder_is_shown (builder))
    show_address (builder, span);
}

/* Removes spans that are empty, also because a cut took their contents. */
void
_gadget_markdown_drop_empty_spans (GadgetMarkdownText *text)
{
  for (guint i = text->spans->len; i-- > 0;)
    {
      const GadgetMarkdownSpan *span = &g_array_index (text->spans, GadgetMarkdownSpan, i);

      if (span->start == span->end && span->href == NULL)
        g_array_remove_index (text->spans, i);
    }
}

static int
find_formula (const GadgetMarkdownBuilder *builder, gsize at)
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

/* Adds code in a cell of a table, where pipes are escaped even in code. */
static void
add_cell_code (GadgetMarkdownBuilder *builder, const char *bytes, gsize length, gsize at)
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

/* Adds a piece of the view. */
static void
add_view (GadgetMarkdownBuilder *builder, MD_TEXTTYPE type, const char *text, gsize size)
{
  const GadgetMarkdownSource *source = builder->source;
  const gsize view = (gsize) (text - source->view->str);
  gsize begin = MAX (view, source->shown_begin);
  const gsize end = MIN (view + size, source->shown_end);
  g_autoptr (GString) decoded = NULL;
  gsize at;

  /* A heading may begin with a tab, which md4c takes for a letter. */
  if (builder->leaf->kind == GADGET_MARKDOWN_HEADING && builder->writer.string->len == 0)
    while (begin < end && gadget_markdown_is_space (source->view->str[begin]))
      begin++;
  builder->cursor = view + size;
  /* An entity that is cut is shown in the part where it begins. */
  if (begin >= end || (type == MD_TEXT_ENTITY && view < begin))
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

/* Tells whether a space for a line break is missing: in a code span, after spaces at the end of a
 * line, md4c leaves it out. */
static gboolean
lacks_space (const GadgetMarkdownBuilder *builder)
{
  const GString *view = builder->source->view;
  const gsize at = builder->cursor;

  return at > 0 && at < view->len && gadget_markdown_is_space (view->str[at - 1])
         && gadget_markdown_is_newline (view->str[at]);
}

/* Moves the cursor to the next line break, over marks before it; of "\r\n" to the second byte.
 * Returns the end of the line. */
static gsize
pass_newline (GadgetMarkdownBuilder *builder)
{
  const gsize end = builder->source->shown_end;
  gsize line_end, next;

  if (builder->cursor >= end)
    return builder->cursor;
  line_end = gadget_markdown_find_line (builder->source->view->str, end, builder->cursor, &next);
  if (next == line_end)
    return builder->cursor;
  builder->cursor = next - 1;
  return line_end;
}

/* Finds the indentation of a line of code: the white space before the view offset @at that takes
 * @columns columns. Sets @begin to its beginning. Returns FALSE when it begins inside of a tab, or
 * is not there. */
static gboolean
find_indent (const GadgetMarkdownBuilder *builder, gsize at, guint columns, gsize *begin)
{
  const char *view = builder->source->view->str;
  guint column = 0, end = 0;
  const gsize line = gadget_markdown_find_line_begin (view, at, builder->source->view_begin);

  for (gsize i = line; i < at; i++)
    end = gadget_markdown_line_get_next_column (end, view[i]);
  for (*begin = line; end - column > columns; (*begin)++)
    column = gadget_markdown_line_get_next_column (column, view[*begin]);
  return end - column == columns
         && gadget_markdown_line_skip_spaces (view + *begin, view + at) == view + at;
}

/* Adds the indentation of the line of code that goes on at the view offset @at. md4c gives it as
 * spaces, but a tab is a part of the code. */
static void
add_indent (GadgetMarkdownBuilder *builder, gsize at)
{
  const guint columns = builder->indent;
  g_autofree char *spaces = NULL;
  gsize begin;

  builder->indent = 0;
  if (columns == 0)
    return;
  if (find_indent (builder, at, columns, &begin))
    {
      add_view (builder, MD_TEXT_CODE, builder->source->view->str + begin, at - begin);
      return;
    }
  if (!_gadget_markdown_builder_is_shown (builder))
    {
      builder->hidden = TRUE;
      return;
    }
  builder->shown = TRUE;
  spaces = g_strnfill (columns, ' ');
  _gadget_markdown_writer_add_instead (&builder->writer, spaces, columns,
                                       _gadget_markdown_builder_get_source (builder), 0);
}

/* Adds a piece of md4c's own to a block of code: a line break, which has its place in the source
 * also before the shown part, or a NUL. Indentation waits for what is behind it. */
static void
add_own_code (GadgetMarkdownBuilder *builder, const char *text, gsize size)
{
  const gboolean newline = *text == '\n';
  gsize at, cursor;

  if (*text == ' ')
    {
      builder->indent += (guint) size;
      return;
    }
  at = newline ? pass_newline (builder) : builder->cursor;
  cursor = builder->cursor;
  add_indent (builder, at);
  builder->cursor = cursor;
  if (_gadget_markdown_builder_is_shown (builder))
    {
      builder->shown = TRUE;
      _gadget_markdown_writer_add_instead (&builder->writer, text, size,
                                           _gadget_markdown_builder_get_source (builder),
                                           newline ? size : 0);
    }
  else
    builder->hidden = TRUE;
  if (newline)
    builder->cursor += size;
}

/* Adds a piece of md4c's own. */
static void
add_own (GadgetMarkdownBuilder *builder, const char *text, gsize size)
{
  if (builder->leaf->kind == GADGET_MARKDOWN_CODE)
    {
      add_own_code (builder, text, size);
      return;
    }
  if (!_gadget_markdown_builder_is_shown (builder))
    {
      builder->hidden = TRUE;
      return;
    }
  builder->shown = TRUE;
  if (*text == '\n')
    pass_newline (builder);
  _gadget_markdown_writer_add_instead (&builder->writer, text, size,
                                       _gadget_markdown_builder_get_source (builder),
                                       *text == '\n' ? 1 : 0);
}

int
_gadget_markdown_text_cb (MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
  GadgetMarkdownBuilder *builder = data;
  gsize start;

  _gadget_markdown_builder_need_leaf (builder);
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
          if (is_shown_at (builder->source,
                           g_array_index (builder->source->formulas, GadgetMarkdownFormula,
                                          (guint) builder->formula)
                               .begin))
            builder->shown = TRUE;
          else
            builder->hidden = TRUE;
          return 0;
        }
    }
  if (type == MD_TEXT_NULLCHAR)
    add_own (builder, "\357\277\275", 3);
  else if (is_in_view (builder, text))
    {
      add_indent (builder, (gsize) (text - builder->source->view->str));
      add_view (builder, type, text, size);
      builder->lacks_space = builder->in_code && lacks_space (builder);
    }
  else
    add_own (builder, text, size);
  if (type == MD_TEXT_BR)
    add_span (builder, GADGET_MARKDOWN_SPAN_BREAK, start);
  if (type == MD_TEXT_HTML && builder->leaf->kind != GADGET_MARKDOWN_HTML_TEXT)
    {
      add_span (builder, GADGET_MARKDOWN_SPAN_HTML, start);
      _gadget_markdown_add_tag (builder, text, size, start);
    }
  return 0;
}

int
_gadget_markdown_enter_span_cb (MD_SPANTYPE type, void *detail, void *data)
{
  static const int kinds[] = {
    [MD_SPAN_EM] = GADGET_MARKDOWN_SPAN_EMPHASIS,
    [MD_SPAN_STRONG] = GADGET_MARKDOWN_SPAN_STRONG,
    [MD_SPAN_CODE] = GADGET_MARKDOWN_SPAN_CODE,
    [MD_SPAN_DEL] = GADGET_MARKDOWN_SPAN_STRIKE,
  };
  GadgetMarkdownBuilder *builder = data;
  const int none = -1;

  _gadget_markdown_builder_need_leaf (builder);
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
      char *href = _gadget_markdown_builder_dup_attribute (builder, &link->href);

      begin_span (builder,
                  href != NULL && gadget_markdown_host_may_open (href)
                      ? GADGET_MARKDOWN_SPAN_LINK
                      : GADGET_MARKDOWN_SPAN_REFUSED,
                  href != NULL ? href : g_strdup (""),
                  _gadget_markdown_builder_dup_attribute (builder, &link->title));
    }
  else if (type == MD_SPAN_IMG)
    {
      const MD_SPAN_IMG_DETAIL *image = detail;
      char *href = _gadget_markdown_builder_dup_attribute (builder, &image->src);

      builder->n_images++;
      begin_span (builder, GADGET_MARKDOWN_SPAN_IMAGE, href != NULL ? href : g_strdup (""),
                  _gadget_markdown_builder_dup_attribute (builder, &image->title));
    }
  else
    begin_span (builder, (GadgetMarkdownSpanKind) kinds[type], NULL, NULL);
  builder->in_code = type == MD_SPAN_CODE;
  builder->code_begin = 0;
  builder->formula = -1;
  return 0;
}

int
_gadget_markdown_leave_span_cb (MD_SPANTYPE type, void *detail, void *data)
{
  GadgetMarkdownBuilder *builder = data;

  if (builder->writer.text == NULL)
    return 0;
  if (type == MD_SPAN_IMG && builder->n_images > 0)
    builder->n_images--;
  /* A line break at the end needs a space too, unless the code span also begins with white space:
   * then both are dropped. */
  if (builder->lacks_space && builder->code_begin > 0
      && builder->source->view->str[builder->code_begin - 1] == '`')
    add_own (builder, " ", 1);
  builder->lacks_space = FALSE;
  end_span (builder);
  builder->in_code = FALSE;
  return 0;
}
