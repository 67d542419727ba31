/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Environments with rows: matrices, cases, aligned equations. In a display formula a matrix has a
 * line for each row if it is the last element; otherwise, and in inline formulas, it is written in
 * one line with semicolons between the rows. The font is proportional: cells are padded with spaces
 * as wide as a digit, which is exact for numbers and close for letters. */

#define G_LOG_DOMAIN "gadget-tex"

#include "config.h"

#include "gadget-tex-private.h"

#include <string.h>

/* Separates columns until the rows are written. */
#define COLUMN "\v"

#define WIDE_SPACE "\342\200\203"
#define HALF_SPACE "\342\200\202"
#define DIGIT_SPACE "\342\200\207"

/* In characters. Wider cells are not padded, because letters are not as wide as digits. */
#define MAX_FILLED 8
#define MAX_COLUMNS 32

/* An environment, and the brackets around its rows. */
typedef struct
{
  const char *name;
  const char *open; /* the brackets in one line */
  const char *close;
  const char *left[4]; /* the brackets of stacked rows: of a single row, the first, a middle one,
                        * the last */
  const char *right[4];
} Environment;

static const Environment environments[] = {
  { "matrix", "", "", { "", "", "", "" }, { "", "", "", "" } },
  { "smallmatrix", "", "", { "", "", "", "" }, { "", "", "", "" } },
  { "array", "", "", { "", "", "", "" }, { "", "", "", "" } },
  { "pmatrix",
    "(",
    ")",
    { "(", "\342\216\233", "\342\216\234", "\342\216\235" },
    { ")", "\342\216\236", "\342\216\237", "\342\216\240" } },
  { "bmatrix",
    "[",
    "]",
    { "[", "\342\216\241", "\342\216\242", "\342\216\243" },
    { "]", "\342\216\244", "\342\216\245", "\342\216\246" } },
  { "Bmatrix",
    "{",
    "}",
    { "{", "\342\216\247", "\342\216\250", "\342\216\251" },
    { "}", "\342\216\253", "\342\216\254", "\342\216\255" } },
  { "vmatrix", "|", "|", { "|", "|", "|", "|" }, { "|", "|", "|", "|" } },
  { "Vmatrix",
    "\342\200\226",
    "\342\200\226",
    { "\342\200\226", "\342\200\226", "\342\200\226", "\342\200\226" },
    { "\342\200\226", "\342\200\226", "\342\200\226", "\342\200\226" } },
  { "cases",
    "{ ",
    "",
    { "{ ", "\342\216\247 ", "\342\216\250 ", "\342\216\251 " },
    { "", "", "", "" } },
};

static const char *const plain_environments[] = {
  "aligned", "align",    "align*",    "equation", "equation*", "gather",      "gather*", "gathered",
  "split",   "multline", "multline*", "eqnarray", "eqnarray*", "displaymath", "math"
};

static const Environment *
find_environment (const char *name)
{
  static const Environment plain = { NULL, "", "", { "", "", "", "" }, { "", "", "", "" } };

  for (guint i = 0; i < G_N_ELEMENTS (environments); i++)
    if (strcmp (environments[i].name, name) == 0)
      return &environments[i];
  for (guint i = 0; i < G_N_ELEMENTS (plain_environments); i++)
    if (strcmp (plain_environments[i], name) == 0)
      return &plain;
  return NULL;
}

/* Returns the environment that has these brackets by itself. (nullable) */
static const Environment *
find_bracketed (const char *open, const char *close)
{
  if (strcmp (open, "{") == 0 && *close == '\0')
    return find_environment ("cases");
  for (guint i = 0; i < G_N_ELEMENTS (environments); i++)
    if (strcmp (environments[i].left[0], open) == 0
        && strcmp (environments[i].right[0], close) == 0)
      return &environments[i];
  return NULL;
}

/* --- Cells --- */

static guint
get_width (const char *cell)
{
  guint n = 0;

  for (const char *p = cell; *p != '\0'; p = g_utf8_next_char (p))
    n += g_unichar_ismark (g_utf8_get_char (p)) ? 0 : 1;
  return n;
}

static gboolean
is_numeric (const char *cell)
{
  for (const char *p = cell; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (!g_unichar_isdigit (c) && c != '.' && c != 0x2212 && c != 0x2044 && c != '+')
        return FALSE;
    }
  return TRUE;
}

/* A column of a matrix. */
typedef struct
{
  guint width;
  gboolean numeric;
} Column;

static void
measure_columns (char **rows, guint n, Column columns[MAX_COLUMNS])
{
  for (guint k = 0; k < MAX_COLUMNS; k++)
    columns[k] = (Column) { 0, TRUE };
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) cells = g_strsplit (rows[i], COLUMN, MAX_COLUMNS);

      for (guint k = 0; cells[k] != NULL; k++)
        {
          g_strstrip (g_strdelimit (cells[k], COLUMN, ' '));
          columns[k].width = MAX (columns[k].width, get_width (cells[k]));
          columns[k].numeric = columns[k].numeric && is_numeric (cells[k]);
        }
    }
}

static void
add_filled (GString *out, const char *cell, const Column *column, gboolean is_last)
{
  const guint width = get_width (cell);
  const guint n_missing = column->width > MAX_FILLED ? 0 : column->width - width;

  for (guint i = 0; column->numeric && i < n_missing; i++)
    g_string_append (out, DIGIT_SPACE);
  g_string_append (out, cell);
  for (guint i = 0; !column->numeric && !is_last && i < n_missing; i++)
    g_string_append (out, DIGIT_SPACE);
}

/* Appends one row of a matrix, padded to @columns; NULL: without padding, for a row within a
 * line. */
static void
add_cells (GString *out, const char *row, const Environment *environment, const Column *columns)
{
  const gboolean cases = strcmp (environment->open, "{ ") == 0;
  g_auto (GStrv) cells = g_strsplit (row, COLUMN, MAX_COLUMNS);

  for (guint k = 0; cells[k] != NULL; k++)
    {
      const gboolean is_last = cells[k + 1] == NULL && *environment->close == '\0';

      g_strstrip (g_strdelimit (cells[k], COLUMN, ' '));
      if (columns != NULL)
        add_filled (out, cells[k], &columns[k], is_last);
      else
        g_string_append (out, cells[k]);
      if (cells[k + 1] != NULL)
        g_string_append (out, cases ? WIDE_SPACE : columns != NULL ? HALF_SPACE : " ");
    }
}

/* Appends one row of equations; a row that continues the one above is indented. */
static void
add_equation (GString *out, const char *row, gboolean indented)
{
  g_auto (GStrv) cells = g_strsplit (row, COLUMN, -1);

  for (guint k = 0; cells[k] != NULL; k++)
    {
      g_strstrip (cells[k]);
      if (k == 1 && *cells[0] == '\0')
        g_string_append (out, indented ? WIDE_SPACE : "");
      else if (k > 0)
        g_string_append (out, k % 2 == 1 ? " " : WIDE_SPACE);
      g_string_append (out, cells[k]);
    }
}

/* --- Rows --- */

/* Appends the rows. @stacked: each on a line of its own. */
static void
add_rows (GString *out, const Environment *environment, gboolean equations, gboolean stacked,
          const char *content)
{
  g_auto (GStrv) rows = g_strsplit (content, "\n", -1);
  guint n = g_strv_length (rows);
  Column columns[MAX_COLUMNS];

  while (n > 0 && *g_strstrip (rows[n - 1]) == '\0')
    n--;
  measure_columns (rows, n, columns);
  if (stacked && n > 1 && out->len > 0)
    g_string_append_c (out, '\n');
  g_string_append (out, stacked ? "" : environment->open);
  for (guint i = 0; i < n; i++)
    {
      const guint place = n == 1 ? 0 : i == 0 ? 1 : i == n - 1 ? 3 : 2;
      const gsize before = out->len;

      g_string_append (out, stacked ? environment->left[place] : "");
      if (equations)
        add_equation (out, rows[i], stacked && i > 0);
      else
        add_cells (out, rows[i], environment, stacked ? columns : NULL);
      if (!stacked && i + 1 < n && out->len > before && out->str[out->len - 1] == ',')
        g_string_truncate (out, out->len - 1);
      g_string_append (out, stacked ? environment->right[place] : "");
      if (i + 1 < n)
        g_string_append (out, stacked ? "\n" : "; ");
    }
  g_string_append (out, stacked ? "" : environment->close);
}

/* Tells whether the formula continues after what was read. */
static gboolean
is_followed (const GadgetTexReader *reader)
{
  static const char *const ends[] = { "\\\\",  "\\end",  "\\right", "\\quad",  "\\qquad",
                                      "\\tag", "\\text", "\\,",     "\\label", "\\]" };
  GadgetTexReader rest = *reader;

  _gadget_tex_skip_white (&rest);
  if (rest.at == rest.end || strchr (".,;:}&", *rest.at) != NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (_gadget_tex_starts_with (&rest, ends[i]))
      return FALSE;
  return TRUE;
}

/* Returns the number of matrices in @tex: several matrices are not stacked. */
guint
_gadget_tex_count_matrices (const char *tex)
{
  guint n = 0;

  for (const char *p = tex; (p = strstr (p, "\\begin{")) != NULL;)
    {
      p += strlen ("\\begin{");
      n += strncmp (p + strcspn (p, "}m"), "matrix}", 7) == 0 || g_str_has_prefix (p, "array}");
    }
  return n;
}

/* Takes the brackets around an environment, as in "\left[ \begin{array}": removes the left one from
 * the output and reads the right one, if that comes next. Returns the environment with these
 * brackets. (nullable) */
static const Environment *
parse_brackets (GadgetTexReader *reader, GString *out, gsize left_at)
{
  GadgetTexReader rest = *reader;
  g_autoptr (GString) close = g_string_new (NULL);
  const Environment *bracketed;
  const char *open;

  if (left_at == 0 || left_at != out->len)
    return NULL;
  open = g_utf8_prev_char (out->str + out->len);
  _gadget_tex_skip_white (&rest);
  if (!_gadget_tex_starts_with (&rest, "\\right"))
    return NULL;
  rest.at += strlen ("\\right");
  _gadget_tex_add_delimiter (&rest, close);
  bracketed = find_bracketed (open, close->str);
  if (bracketed == NULL)
    return NULL;
  g_string_truncate (out, (gsize) (open - out->str));
  reader->at = rest.at;
  return bracketed;
}

void
_gadget_tex_add_environment (GadgetTexReader *reader, GString *out, const char *from)
{
  const gsize left_at = reader->left_at;
  g_autofree char *name = _gadget_tex_read_words (reader);
  const Environment *environment = find_environment (name);
  g_autoptr (GString) content = NULL;
  g_autofree char *end = NULL;
  gboolean equations, stacked;
  GadgetTexReader inner;

  if (environment == NULL || reader->depth >= GADGET_TEX_MAX_DEPTH)
    {
      g_string_append_len (out, from, reader->at - from);
      return;
    }
  if (strcmp (name, "array") == 0)
    g_free (_gadget_tex_read_words (reader));
  content = g_string_new (NULL);
  end = g_strdup_printf ("\\end{%s}", name);
  inner = *reader;
  inner.depth++;
  inner.columns = COLUMN;
  _gadget_tex_read_until (&inner, content, end);
  reader->at = inner.at;

  equations = environment->name == NULL;
  if (*environment->open == '\0')
    {
      const Environment *bracketed = parse_brackets (reader, out, left_at);

      environment = bracketed != NULL ? bracketed : environment;
      equations = equations && (bracketed == NULL || strcmp (bracketed->name, "cases") == 0);
    }
  stacked = reader->display
            && (equations || strcmp (environment->open, "{ ") == 0
                || (reader->n_matrices <= 1 && !is_followed (reader)));
  add_rows (out, environment, equations, stacked, content->str);
}
