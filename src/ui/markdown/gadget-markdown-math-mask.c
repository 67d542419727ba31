/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Masks the view for md4c: formulas and footnotes, which md4c does not know, and tables and deep
 * containers, which it reads differently from GitHub and from the scanner. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-source.h"

#include "gadget-markdown-definition.h"
#include "gadget-markdown-split-paragraph.h"

#include <string.h>

static gboolean
is_block_mark (const char *at, const char *end)
{
  GadgetMarkdownMarker marker;

  return at < end
         && (strchr ("#>|`~", *at) != NULL || gadget_markdown_line_get_marker (at, end, &marker));
}

/* Tells whether the text from @at to @end can be inside of a formula, which is within one paragraph
 * and has no code. */
static gboolean
is_one_paragraph (const char *at, const char *end)
{
  if (memchr (at, '`', (gsize) (end - at)) != NULL)
    return FALSE;
  while ((at = memchr (at, '\n', (gsize) (end - at))) != NULL)
    {
      at = gadget_markdown_line_skip_spaces (at + 1, end);
      if (at == end)
        return TRUE;
      if (gadget_markdown_is_newline (*at) || is_block_mark (at, end))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_backtick (const char *at, const char *end)
{
  return at < end && *at == '`';
}

/* Returns how often the character at @at is repeated. */
static gsize
count_run (const char *at, const char *end)
{
  return (gsize) (gadget_markdown_line_skip_run (at, end, *at) - at);
}

/* Returns the closing mark ("$" or "$$", by @n) of the formula whose contents begin at @at, or
 * NULL. */
static const char *
find_dollars (const char *at, const char *end, gsize n)
{
  const char *limit = MIN (end, at + GADGET_MARKDOWN_MAX_FORMULA);

  for (const char *p = at; p < limit; p++)
    {
      gsize run;

      if (*p == '\\')
        {
          p++;
          continue;
        }
      if (*p != '$')
        continue;
      run = count_run (p, end);
      if (run == n)
        return p;
      if (n == 1)
        return NULL;
      p += run - 1;
    }
  return NULL;
}

static const char *
find_escape (const char *at, const char *end, char close)
{
  const char *limit = MIN (end, at + GADGET_MARKDOWN_MAX_FORMULA);

  for (const char *p = at; p + 1 < limit; p++)
    {
      if (*p != '\\')
        continue;
      if (p[1] == close)
        return p;
      if (p[1] == '(' || p[1] == '[')
        return NULL;
      p++;
    }
  return NULL;
}

/* Returns TRUE for "$5 and 6$", which is no formula: the marks of a formula touch what they
 * enclose, and no letter or digit is directly outside. */
static gboolean
is_money (const char *begin, const char *open, const char *close, const char *end)
{
  if (g_ascii_isspace (open[1]) || g_ascii_isspace (close[-1]))
    return TRUE;
  if (open > begin && (g_ascii_isalnum (open[-1]) || open[-1] == '$'))
    return TRUE;
  return close + 1 < end && g_ascii_isalnum (close[1]);
}

/* Tells whether there is a letter, a digit or a non-ASCII byte; "\[\\\]" is only a row of
 * escapes. */
static gboolean
has_content (const char *at, const char *end)
{
  for (; at < end; at++)
    if (g_ascii_isalnum (*at) || (guchar) *at >= 0x80)
      return TRUE;
  return FALSE;
}

/* Tells whether a formula begins with the mark at @at; if so, sets @inner to its contents and
 * @close to its closing mark. */
static gboolean
find_formula (const char *begin, const char *at, const char *end, const char **inner,
              const char **close)
{
  gsize n = 1;

  if (at > begin && at[-1] == '`')
    return FALSE;
  if (*at == '\\')
    {
      n = 2;
      *close = find_escape (at + 2, end, at[1] == '(' ? ')' : ']');
    }
  else
    {
      n = count_run (at, end);
      *close = n <= 2 ? find_dollars (at + n, end, n) : NULL;
    }
  *inner = at + n;
  if (*close == NULL || *close == *inner || has_backtick (*close + n, end)
      || !is_one_paragraph (*inner, *close))
    return FALSE;
  if (!has_content (*inner, *close))
    return FALSE;
  return *at == '\\' || n == 2 || !is_money (begin, at, *close, end);
}

static void
add_formula (GadgetMarkdownSource *self, char *at, const char *inner, char *close)
{
  const gsize n = (gsize) (inner - at);
  const GadgetMarkdownFormula formula = { (gsize) (inner - self->view->str),
                                          (gsize) (close - self->view->str), n,
                                          at[0] == '$' ? n == 2 : at[1] == '[' };

  if (self->formulas == NULL)
    self->formulas = g_array_new (FALSE, FALSE, sizeof (GadgetMarkdownFormula));
  g_array_append_val (self->formulas, formula);
  memset (at, '`', n);
  memset (close, '`', n);
}

/* Returns the position behind the code span that begins at @at with @n backticks, or NULL when it
 * has no end. */
static char *
skip_code (char *at, char *end, gsize n)
{
  for (char *p = at + n; (p = memchr (p, '`', (gsize) (end - p))) != NULL;)
    {
      const gsize run = count_run (p, end);

      if (run == n)
        return memmem (at, (gsize) (p - at), "\n\n", 2) == NULL ? p + run : NULL;
      p += run;
    }
  return NULL;
}

/* Returns the position behind the code span, or behind backticks that begin none. */
static char *
skip_code_span (char *at, char *end)
{
  const gsize n = count_run (at, end);
  char *behind = skip_code (at, end, n);

  if (behind != NULL)
    return behind;
  if (n > 2)
    return at + n;
  /* The backticks that mask a formula's marks would close this run, so the rest of the paragraph
   * gets no formulas. */
  behind = memmem (at, (gsize) (end - at), "\n\n", 2);
  return behind != NULL ? behind : end;
}

/* Tells whether a footnote ("[^1]") begins here, and not a link whose text begins so. */
static gboolean
is_footnote (const char *at, const char *end)
{
  const char *close;

  if (end - at < 4 || at[1] != '^')
    return FALSE;
  close = memchr (at, ']', (gsize) (MIN (end, at + 256) - at));
  return close != NULL && close > at + 2 && (close + 1 == end || close[1] != '(');
}

/* Returns the position at the end of the address of the link whose text ends at @at; or @at. */
static char *
skip_address (char *at, char *end)
{
  const char *begin = at + 2;
  const char *behind;

  if (end - at < 3 || at[1] != '(')
    return at;
  behind = gadget_markdown_skip_destination (gadget_markdown_line_skip_spaces (begin, end), end);
  return behind != NULL ? at + (behind - at) - 1 : at;
}

/* Returns the position at the end of the autolink or tag that begins at @at; or @at. */
static char *
skip_angled (char *at, char *end)
{
  char *p = at + 1;

  if (p == end || (!g_ascii_isalpha (*p) && *p != '/'))
    return at;
  while (p < end && *p != '>' && *p != '<' && *p != '\n')
    p++;
  return p < end && *p == '>' ? p : at;
}

/* Masks backticks without a match in their cell: a code span cannot reach beyond its cell. */
static void
mask_cell (char *at, char *end)
{
  while ((at = memchr (at, '`', (gsize) (end - at))) != NULL)
    {
      const gsize n = count_run (at, end);
      char *behind = skip_code (at, end, n);

      if (behind == NULL)
        memset (at, '\'', n);
      at = behind != NULL ? behind : at + n;
    }
}

/* Masks the cells of a row. @open: the last cell is not complete. */
static void
mask_row (char *at, char *end, gboolean open)
{
  const char *pipe;

  while ((pipe = gadget_markdown_line_find_pipe (at, end)) != NULL)
    {
      mask_cell (at, at + (pipe - at));
      at += pipe + 1 - at;
    }
  if (!open)
    mask_cell (at, end);
}

/* The walk over the lines of the text that the view has. */
typedef struct
{
  GadgetMarkdownSource *source;
  GadgetMarkdownScanner scanner;
  gsize begin; /* source offset of the first line */
  gsize limit; /* source offset of the end of the shown part */
} Lines;

static char *
get_view (const Lines *lines, gsize offset)
{
  return lines->source->view->str + lines->source->shown_begin + offset - lines->source->start;
}

/* Masks what md4c reads differently from GitHub. md4c accepts a table whose header has another
 * number of cells than its delimiter row, and takes a pipe in code for a part of the code. */
static void
mask_table (Lines *lines, gboolean second, gsize line, gsize end, gboolean open)
{
  const GadgetMarkdownScanner *scanner = &lines->scanner;
  char *dash;

  if (scanner->leaf == GADGET_MARKDOWN_LEAF_TABLE && second
      && scanner->content_begin >= lines->begin)
    mask_row (get_view (lines, scanner->content_begin), get_view (lines, line), FALSE);
  else if (scanner->leaf == GADGET_MARKDOWN_LEAF_TABLE)
    mask_row (get_view (lines, scanner->content), get_view (lines, end), open);
  if (!second || scanner->leaf != GADGET_MARKDOWN_LEAF_TEXT || scanner->began
      || gadget_markdown_line_get_columns (scanner->text + scanner->content, scanner->text + end)
             == 0)
    return;
  dash = memchr (get_view (lines, scanner->content), '-', end - scanner->content);
  if (dash != NULL)
    *dash = 'x';
}

/* Masks markers of quotes and lists that are nested too deeply: they are text. */
static void
mask_depth (Lines *lines, gsize end)
{
  const GadgetMarkdownScanner *scanner = &lines->scanner;
  GadgetMarkdownMarker marker;
  const char *at = scanner->text + scanner->content;

  if (scanner->depth < GADGET_MARKDOWN_MAX_DEPTH || scanner->content >= end)
    return;
  if (*at == '>' || gadget_markdown_line_get_marker (at, scanner->text + end, &marker))
    *get_view (lines, scanner->content) = 'x';
}

static void
mask_lines (GadgetMarkdownSource *self)
{
  const gboolean nested = self->resume == GADGET_MARKDOWN_RESUME_NESTED;
  Lines lines = { self, self->scanner, nested ? self->context : self->start,
                  self->start + (self->shown_end - self->shown_begin) };
  gsize next;

  if (nested)
    gadget_markdown_scanner_init (&lines.scanner, self->text);
  for (gsize line = lines.begin; line < lines.limit; line = next)
    {
      const gsize end = gadget_markdown_find_line (self->text, lines.limit, line, &next);
      const gboolean second =
          lines.scanner.leaf == GADGET_MARKDOWN_LEAF_TEXT && lines.scanner.n_lines == 1;

      gadget_markdown_scanner_read_line (&lines.scanner, line, end);
      mask_depth (&lines, end);
      mask_table (&lines, second, line, end, self->open && next == end);
    }
}

void
gadget_markdown_source_mask (GadgetMarkdownSource *self)
{
  char *begin = self->view->str + gadget_markdown_source_get_read_begin (self);
  char *end = self->view->str + self->read_end;

  for (char *at = begin; at < end; at++)
    {
      const char *inner, *close;

      switch (*at)
        {
        case '`':
          at = skip_code_span (at, end) - 1;
          break;
        case '[':
          if (is_footnote (at, end))
            *at = '(';
          break;
        case ']':
          at = skip_address (at, end);
          break;
        case '<':
          at = skip_angled (at, end);
          break;
        case '\\':
          if (at + 1 == end || (at[1] != '(' && at[1] != '['))
            {
              at++;
              break;
            }
          G_GNUC_FALLTHROUGH;
        case '$':
          if (find_formula (begin, at, end, &inner, &close))
            {
              add_formula (self, at, inner, begin + (close - begin));
              at = begin + (close - begin) + (inner - at) - 1;
            }
          else if (*at == '\\')
            at++;
          else
            at += count_run (at, end) - 1;
          break;
        default:
          break;
        }
    }
  mask_lines (self);
}
