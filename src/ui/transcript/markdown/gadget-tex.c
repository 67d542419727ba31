/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A reader of TeX's formulas that writes lines of text. It reads an argument or a symbol at a time;
 * arguments are read the same way, to a depth that is bounded. Whatever it does not know it copies:
 * the worst that it does to a formula is to leave it as it was. */

#define G_LOG_DOMAIN "gadget-tex"

#include "config.h"

#include "gadget-tex.h"

#include "gadget-tex-symbols.h"

#include <string.h>

#define MAX_DEPTH 24
#define MAX_NAME 24

typedef struct
{
  const char *at;
  const char *end;
  guint depth;
  gboolean display;
} Reader;

static void read_until (Reader *reader, GString *out, const char *stop); /* groups are in groups */

/* --- Writing ------------------------------------------------------------------------------------
 */

static void
add_space (GString *out)
{
  if (out->len > 0 && out->str[out->len - 1] != ' ' && out->str[out->len - 1] != '\n')
    g_string_append_c (out, ' ');
}

static gunichar
get_last (const GString *out)
{
  if (out->len == 0)
    return 0;
  return g_utf8_get_char (g_utf8_prev_char (out->str + out->len));
}

/* One character, or a number, or a name: what needs no parentheses. */
static gboolean
is_simple (const char *text)
{
  const glong n = g_utf8_strlen (text, -1);

  if (n <= 1)
    return TRUE;
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (!g_unichar_isalnum (c) && !g_unichar_ismark (c) && c != '.'
          && !(c >= 0x2070 && c < 0x20a0) && c != 0xb2 && c != 0xb3 && c != 0xb9)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789") == strlen (text);
}

static void
add_grouped (GString *out, const char *text)
{
  g_string_append_printf (out, is_simple (text) ? "%s" : "(%s)", text);
}

/* Whether all of @text can be raised or lowered; then that is what is appended. */
static gboolean
add_script_characters (GString *out, const char *text, gboolean raised)
{
  g_autoptr (GString) script = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar plain = g_utf8_get_char (p);
      const gunichar c = plain == ' ' ? 0
                         : raised     ? gadget_tex_get_superscript (plain)
                                      : gadget_tex_get_subscript (plain);

      if (plain == ' ')
        continue;
      if (c == 0)
        return FALSE;
      g_string_append_unichar (script, c);
    }
  g_string_append_len (out, script->str, (gssize) script->len);
  return TRUE;
}

static void
add_script (GString *out, const char *text, gboolean raised)
{
  if (*text == '\0' || add_script_characters (out, text, raised))
    return;
  g_string_append_c (out, raised ? '^' : '_');
  if (raised && g_utf8_strlen (text, -1) > 1 && !is_number (text))
    g_string_append_printf (out, "(%s)", text);
  else
    add_grouped (out, text);
}

static void
add_letters (GString *out, const char *text, char alphabet)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = gadget_tex_get_letter (g_utf8_get_char (p), alphabet);

      g_string_append_unichar (out, c != 0 ? c : g_utf8_get_char (p));
    }
}

/* --- Reading ------------------------------------------------------------------------------------
 */

static void
skip_white (Reader *reader)
{
  while (reader->at < reader->end && g_ascii_isspace (*reader->at))
    reader->at++;
}

static gboolean
starts_with (const Reader *reader, const char *what)
{
  const gsize length = strlen (what);

  return (gsize) (reader->end - reader->at) >= length && memcmp (reader->at, what, length) == 0;
}

/* The name of the command at a backslash; reads it and the spaces that end it. */
static void
read_name (Reader *reader, char name[MAX_NAME])
{
  gsize n = 0;

  reader->at++;
  while (reader->at + n < reader->end && g_ascii_isalpha (reader->at[n]))
    n++;
  if (n == 0 && reader->at < reader->end)
    n = (gsize) (MIN (g_utf8_next_char (reader->at), reader->end) - reader->at);
  g_strlcpy (name, "", MAX_NAME);
  if (n < MAX_NAME)
    {
      memcpy (name, reader->at, n);
      name[n] = '\0';
    }
  reader->at += n;
}

/* The part in braces, or the one symbol, that comes next. (transfer full) */
static char *
read_argument (Reader *reader)
{
  GString *out = g_string_new (NULL);

  skip_white (reader);
  if (reader->at == reader->end || reader->depth >= MAX_DEPTH)
    return g_string_free_and_steal (out);
  reader->depth++;
  if (*reader->at == '{')
    {
      reader->at++;
      read_until (reader, out, "}");
    }
  else
    {
      const char *begin = reader->at;
      Reader one = *reader;

      if (*begin == '\\')
        {
          char name[MAX_NAME];

          read_name (reader, name);
          /* "\frac12" takes symbols, "\sqrt\frac{1}{2}" commands with what they take. */
          if (gadget_tex_find_symbol (name) == NULL)
            reader->at = reader->end;
        }
      else
        reader->at = g_utf8_next_char (begin);
      one.end = reader->at;
      if (reader->at == reader->end && *begin == '\\')
        {
          one.end = reader->end;
          read_until (&one, out, "\n1");
          reader->at = one.at;
        }
      else
        read_until (&one, out, "");
    }
  reader->depth--;
  return g_strstrip (g_string_free_and_steal (out));
}

/* What is in braces, as it is. (transfer full) */
static char *
read_words (Reader *reader)
{
  guint depth = 0;
  const char *begin;

  skip_white (reader);
  if (reader->at == reader->end || *reader->at != '{')
    return read_argument (reader);
  begin = reader->at + 1;
  for (; reader->at < reader->end; reader->at++)
    {
      if (*reader->at == '{')
        depth++;
      else if (*reader->at == '}' && --depth == 0)
        break;
    }
  if (reader->at < reader->end)
    return g_strndup (begin, (gsize) (reader->at++ - begin));
  return g_strndup (begin, (gsize) (reader->end - begin));
}

/* What is in brackets, if that comes next; else NULL. (transfer full) (nullable) */
static char *
read_option (Reader *reader)
{
  const char *close;
  char *option;

  skip_white (reader);
  if (reader->at == reader->end || *reader->at != '[')
    return NULL;
  close = memchr (reader->at, ']', (gsize) (reader->end - reader->at));
  if (close == NULL)
    return NULL;
  option = g_strndup (reader->at + 1, (gsize) (close - reader->at - 1));
  reader->at = close + 1;
  return option;
}

/* --- Commands with arguments --------------------------------------------------------------------
 */

static void
add_fraction (Reader *reader, GString *out)
{
  g_autofree char *above = read_argument (reader);
  g_autofree char *below = read_argument (reader);

  /* The slash of fractions makes one of the digits before and behind it. */
  if (is_number (above) && is_number (below))
    {
      if (g_unichar_isdigit (get_last (out)))
        g_string_append_c (out, ' ');
      g_string_append_printf (out, "%s\342\201\204%s", above, below);
      return;
    }
  add_grouped (out, above);
  g_string_append_c (out, '/');
  add_grouped (out, below);
}

static void
add_root (Reader *reader, GString *out)
{
  g_autofree char *degree = read_option (reader);
  g_autofree char *radicand = NULL;

  if (degree != NULL && strcmp (degree, "3") == 0)
    g_string_append (out, "\342\210\233");
  else if (degree != NULL && strcmp (degree, "4") == 0)
    g_string_append (out, "\342\210\234");
  else
    {
      if (degree != NULL && !add_script_characters (out, degree, TRUE))
        g_string_append_printf (out, "(%s)", degree);
      g_string_append (out, "\342\210\232");
    }
  radicand = read_argument (reader);
  if (g_utf8_strlen (radicand, -1) > 1 && !is_number (radicand))
    g_string_append_printf (out, "(%s)", radicand);
  else
    g_string_append (out, radicand);
}

typedef struct
{
  const char *name;
  const char *mark; /* combining */
  gboolean all;     /* on every character */
} Accent;

static const Accent accents[] = {
  { "hat", "\314\202", FALSE },
  { "widehat", "\314\202", FALSE },
  { "tilde", "\314\203", FALSE },
  { "widetilde", "\314\203", FALSE },
  { "bar", "\314\204", FALSE },
  { "overline", "\314\205", TRUE },
  { "underline", "\314\262", TRUE },
  { "vec", "\342\203\227", FALSE },
  { "dot", "\314\207", FALSE },
  { "ddot", "\314\210", FALSE },
  { "dddot", "\342\203\233", FALSE },
  { "check", "\314\214", FALSE },
  { "breve", "\314\206", FALSE },
  { "acute", "\314\201", FALSE },
  { "grave", "\314\200", FALSE },
  { "mathring", "\314\212", FALSE },
  { "overrightarrow", "\342\203\227", FALSE },
};

static gboolean
add_accent (Reader *reader, GString *out, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (accents); i++)
    {
      g_autofree char *base = NULL;

      if (strcmp (accents[i].name, name) != 0)
        continue;
      base = read_argument (reader);
      if (!accents[i].all && g_utf8_strlen (base, -1) > 1)
        {
          g_string_append_printf (out, "\\%s(%s)", name, base);
          return TRUE;
        }
      for (const char *p = base; *p != '\0'; p = g_utf8_next_char (p))
        {
          g_string_append_len (out, p, g_utf8_next_char (p) - p);
          g_string_append (out, accents[i].mark);
        }
      return TRUE;
    }
  return FALSE;
}

typedef struct
{
  const char *name;
  char alphabet; /* 0: leave the letters */
} Style;

static const Style styles[] = {
  { "mathbb", 'b' },  { "mathcal", 'c' },    { "mathscr", 'c' }, { "mathfrak", 'f' },
  { "mathbf", 'B' },  { "boldsymbol", 'B' }, { "bm", 'B' },      { "mathrm", 0 },
  { "mathit", 0 },    { "mathsf", 0 },       { "mathtt", 0 },    { "mathnormal", 0 },
  { "boxed", 0 },     { "fbox", 0 },         { "mathop", 0 },    { "mathbin", 0 },
  { "mathrel", 0 },   { "mathord", 0 },      { "phantom", 0 },   { "underbrace", 0 },
  { "overbrace", 0 }, { "cancel", 0 },       { "substack", 0 },  { "displaylines", 0 },
};

static const char *const word_commands[] = { "text",   "textrm", "textbf", "textit",    "texttt",
                                             "textsf", "mbox",   "hbox",   "textnormal" };

static gboolean
add_styled (Reader *reader, GString *out, const char *name)
{
  g_autofree char *argument = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (word_commands); i++)
    if (strcmp (word_commands[i], name) == 0)
      {
        argument = read_words (reader);
        g_string_append (out, argument);
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    if (strcmp (styles[i].name, name) == 0)
      {
        argument = read_argument (reader);
        if (styles[i].alphabet != 0)
          add_letters (out, argument, styles[i].alphabet);
        else
          g_string_append (out, argument);
        return TRUE;
      }
  return FALSE;
}

/* --- Rows: matrices, cases, aligned equations ---------------------------------------------------
 */

typedef struct
{
  const char *name;
  const char *open; /* in one line */
  const char *close;
  const char *left[4]; /* of a column of lines: the only one, the first, one between, the last */
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
  static const Environment plain = { "", "", "", { "", "", "", "" }, { "", "", "", "" } };

  for (guint i = 0; i < G_N_ELEMENTS (environments); i++)
    if (strcmp (environments[i].name, name) == 0)
      return &environments[i];
  for (guint i = 0; i < G_N_ELEMENTS (plain_environments); i++)
    if (strcmp (plain_environments[i], name) == 0)
      return &plain;
  return NULL;
}

/* In a formula on lines of its own a matrix has a line for each row; within a line of text, rows
 * are parted by semicolons. */
static void
add_rows (const Reader *reader, GString *out, const Environment *environment, const char *content)
{
  g_auto (GStrv) rows = g_strsplit (content, "\n", -1);
  guint n = g_strv_length (rows);

  while (n > 0 && *g_strstrip (rows[n - 1]) == '\0')
    n--;
  if (reader->display && n > 1 && out->len > 0)
    g_string_append_c (out, '\n');
  if (!reader->display)
    g_string_append (out, environment->open);
  for (guint i = 0; i < n; i++)
    {
      const guint place = n == 1 ? 0 : i == 0 ? 1 : i == n - 1 ? 3 : 2;

      if (reader->display)
        g_string_append_printf (out, "%s%s%s%s", environment->left[place], g_strstrip (rows[i]),
                                environment->right[place], i + 1 < n ? "\n" : "");
      else
        g_string_append_printf (out, "%s%s", g_strstrip (rows[i]), i + 1 < n ? "; " : "");
    }
  if (!reader->display)
    g_string_append (out, environment->close);
}

static void
add_environment (Reader *reader, GString *out, const char *from)
{
  g_autofree char *name = read_words (reader);
  const Environment *environment = find_environment (name);
  g_autoptr (GString) content = NULL;
  g_autofree char *end = NULL;
  Reader inner;

  if (environment == NULL || reader->depth >= MAX_DEPTH)
    {
      g_string_append_len (out, from, reader->at - from);
      return;
    }
  if (strcmp (name, "array") == 0)
    g_free (read_words (reader));
  content = g_string_new (NULL);
  end = g_strdup_printf ("\\end{%s}", name);
  inner = *reader;
  inner.depth++;
  read_until (&inner, content, end);
  reader->at = inner.at;
  add_rows (reader, out, environment, content->str);
}

/* --- Commands -----------------------------------------------------------------------------------
 */

static void
add_symbol (Reader *reader, GString *out, const GadgetTexSymbol *symbol)
{
  const gunichar last = get_last (out);
  const gboolean between = out->len > 0 && last != '(' && last != '[' && last != '{';

  switch (symbol->class)
    {
    case GADGET_TEX_BINARY:
    case GADGET_TEX_RELATION:
      if (between)
        add_space (out);
      g_string_append (out, symbol->text);
      if (reader->at < reader->end && *reader->at != '}' && *reader->at != '_'
          && *reader->at != '^')
        g_string_append_c (out, ' ');
      break;
    case GADGET_TEX_NAME:
      if (g_unichar_isalnum (last))
        g_string_append_c (out, ' ');
      g_string_append (out, symbol->text);
      if (reader->at < reader->end && (g_ascii_isalnum (*reader->at) || *reader->at == '\\'))
        g_string_append_c (out, ' ');
      break;
    case GADGET_TEX_PREFIX:
      g_string_append (out, symbol->text);
      skip_white (reader);
      break;
    default:
      g_string_append (out, symbol->text);
    }
}

typedef struct
{
  const char *name;
  const char *text;
} Shorthand;

/* Spaces, what only concerns the looks, and characters that are written with a backslash. */
static const Shorthand shorthands[] = {
  { ",", " " },
  { ":", " " },
  { ";", " " },
  { "!", "" },
  { " ", " " },
  { "\n", " " },
  { ">", " " },
  { "quad", "  " },
  { "qquad", "    " },
  { "{", "{" },
  { "}", "}" },
  { "$", "$" },
  { "%", "%" },
  { "#", "#" },
  { "&", "&" },
  { "_", "_" },
  { "|", "\342\200\226" },
  { "\\", "\n" },
  { "newline", "\n" },
  { "cr", "\n" },
  { "limits", "" },
  { "nolimits", "" },
  { "displaystyle", "" },
  { "textstyle", "" },
  { "scriptstyle", "" },
  { "left", "" },
  { "right", "" },
  { "middle", "" },
  { "big", "" },
  { "Big", "" },
  { "bigg", "" },
  { "Bigg", "" },
  { "bigl", "" },
  { "bigr", "" },
  { "Bigl", "" },
  { "Bigr", "" },
  { "biggl", "" },
  { "biggr", "" },
  { "Biggl", "" },
  { "Biggr", "" },
  { "nonumber", "" },
  { "notag", "" },
  { "hline", "" },
  { "colon", ":" },
  { "mathstrut", "" },
  { "allowbreak", "" },
  { "boldmath", "" },
  { "-", "" },
};

static gboolean
add_shorthand (Reader *reader, GString *out, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (shorthands); i++)
    {
      if (strcmp (shorthands[i].name, name) != 0)
        continue;
      if (strcmp (shorthands[i].text, " ") == 0)
        add_space (out);
      else
        g_string_append (out, shorthands[i].text);
      /* "\left." is no delimiter at all. */
      if ((strcmp (name, "left") == 0 || strcmp (name, "right") == 0) && starts_with (reader, "."))
        reader->at++;
      return TRUE;
    }
  return FALSE;
}

static gboolean
add_arguments (Reader *reader, GString *out, const char *name)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (strcmp (name, "binom") == 0 || strcmp (name, "dbinom") == 0 || strcmp (name, "tbinom") == 0)
    {
      first = read_argument (reader);
      second = read_argument (reader);
      g_string_append_printf (out, "C(%s, %s)", first, second);
    }
  else if (strcmp (name, "overset") == 0 || strcmp (name, "stackrel") == 0)
    {
      first = read_argument (reader);
      second = read_argument (reader);
      g_string_append (out, second);
      add_script (out, first, TRUE);
    }
  else if (strcmp (name, "underset") == 0)
    {
      first = read_argument (reader);
      second = read_argument (reader);
      g_string_append (out, second);
      add_script (out, first, FALSE);
    }
  else if (strcmp (name, "xrightarrow") == 0 || strcmp (name, "xleftarrow") == 0)
    {
      first = read_argument (reader);
      add_space (out);
      g_string_append_printf (
          out, name[1] == 'r' ? "\342\224\200%s\342\206\222 " : "\342\206\220%s\342\224\200 ",
          first);
    }
  else if (strcmp (name, "operatorname") == 0)
    {
      if (starts_with (reader, "*"))
        reader->at++;
      first = read_argument (reader);
      if (g_unichar_isalnum (get_last (out)))
        g_string_append_c (out, ' ');
      g_string_append (out, first);
    }
  else if (strcmp (name, "pmod") == 0)
    {
      first = read_argument (reader);
      add_space (out);
      g_string_append_printf (out, "(mod %s)", first);
    }
  else if (strcmp (name, "tag") == 0)
    {
      first = read_words (reader);
      g_string_append_printf (out, "  (%s)", first);
    }
  else if (strcmp (name, "not") == 0)
    {
      first = read_argument (reader);
      g_string_append_printf (out, "%s\314\270", first);
    }
  else
    return FALSE;
  return TRUE;
}

static void
read_command (Reader *reader, GString *out)
{
  const char *from = reader->at;
  const GadgetTexSymbol *symbol;
  char name[MAX_NAME];

  read_name (reader, name);
  symbol = gadget_tex_find_symbol (name);
  if (symbol != NULL)
    add_symbol (reader, out, symbol);
  else if (strcmp (name, "frac") == 0 || strcmp (name, "dfrac") == 0 || strcmp (name, "tfrac") == 0
           || strcmp (name, "cfrac") == 0)
    add_fraction (reader, out);
  else if (strcmp (name, "sqrt") == 0)
    add_root (reader, out);
  else if (strcmp (name, "begin") == 0)
    add_environment (reader, out, from);
  else if (!add_shorthand (reader, out, name) && !add_styled (reader, out, name)
           && !add_accent (reader, out, name) && !add_arguments (reader, out, name))
    {
      /* Not known: with its arguments as they are. */
      while (reader->at < reader->end && *reader->at == '{')
        g_free (read_words (reader));
      g_string_append_len (out, from, reader->at - from);
    }
}

static void
read_script (Reader *reader, GString *out)
{
  const gboolean raised = *reader->at++ == '^';
  g_autofree char *argument = read_argument (reader);

  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  add_script (out, argument, raised);
}

/* Reads until @stop, which is read too. "\n1" stands for: one command. */
static void
read_until (Reader *reader, GString *out, const char *stop)
{
  const gboolean one = strcmp (stop, "\n1") == 0;

  while (reader->at < reader->end)
    {
      if (!one && *stop != '\0' && starts_with (reader, stop))
        {
          reader->at += strlen (stop);
          return;
        }
      switch (*reader->at)
        {
        case '\\':
          read_command (reader, out);
          break;
        case '{':
          {
            g_autofree char *group = NULL;

            if (reader->depth >= MAX_DEPTH)
              {
                g_string_append_c (out, *reader->at++);
                break;
              }
            group = read_argument (reader);
            g_string_append (out, group);
            break;
          }
        case '^':
        case '_':
          if (reader->depth >= MAX_DEPTH)
            g_string_append_c (out, *reader->at++);
          else
            read_script (reader, out);
          break;
        case '\'':
          g_string_append (out, "\342\200\262");
          reader->at++;
          break;
        case '-':
          g_string_append (out, "\342\210\222");
          reader->at++;
          break;
        case '&':
        case '~':
        case ' ':
        case '\t':
        case '\r':
        case '\n':
          add_space (out);
          reader->at++;
          break;
        default:
          {
            const char *next = MIN (g_utf8_next_char (reader->at), reader->end);

            g_string_append_len (out, reader->at, next - reader->at);
            reader->at = next;
          }
        }
      if (one)
        return;
    }
}

char *
gadget_tex_to_text (const char *tex, gboolean display)
{
  Reader reader = { tex, NULL, 0, display };
  g_autoptr (GString) out = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  GString *text;

  g_return_val_if_fail (tex != NULL, NULL);

  reader.end = tex + strlen (tex);
  read_until (&reader, out, "");
  lines = g_strsplit (out->str, "\n", -1);
  text = g_string_new (NULL);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_strstrip (lines[i]);
      if (*lines[i] == '\0')
        continue;
      if (text->len > 0)
        g_string_append (text, display ? "\n" : "; ");
      g_string_append (text, lines[i]);
    }
  return g_string_free_and_steal (text);
}
