/* SPDX-License-Identifier: GPL-3.0-or-later */

/* TeX commands with arguments. */

#define G_LOG_DOMAIN "gadget-tex"

#include "config.h"

#include "gadget-tex-private.h"

#include <string.h>

/* Tells whether what follows a fraction could be taken for a part of its denominator. */
static gboolean
goes_on (const GadgetTexReader *reader)
{
  static const char *const openings[] = { "\\frac", "\\sqrt", "\\left", "\\sum",  "\\int",
                                          "\\prod", "\\log",  "\\ln",   "\\sin",  "\\cos",
                                          "\\pi",   "\\vec",  "\\hat",  "\\text", "\\math" };

  if (reader->at == reader->end)
    return FALSE;
  if (g_ascii_isalnum (*reader->at) || *reader->at == '(')
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (openings); i++)
    if (_gadget_tex_starts_with (reader, openings[i])
        && !_gadget_tex_starts_with (reader, "\\leftarrow"))
      return TRUE;
  return FALSE;
}

/* Tells whether @text is one pair of parentheses with everything inside. */
static gboolean
is_in_parentheses (const char *text)
{
  guint depth = 0;

  for (const char *p = text; *p != '\0'; p++)
    {
      depth += *p == '(' ? 1 : 0;
      if (*p == ')' && depth > 0)
        depth--;
      if (depth == 0)
        return p > text && p[1] == '\0';
    }
  return FALSE;
}

/* Tells whether @text is a letter or digit with its accents and subscripts, but without an
 * exponent. */
static gboolean
is_letter (const char *text)
{
  if (*text == '\0' || !g_unichar_isalnum (g_utf8_get_char (text)))
    return FALSE;
  for (const char *p = g_utf8_next_char (text); *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (!g_unichar_ismark (c) && !(c >= 0x2080 && c <= 0x209c) && !(c >= 0x1d62 && c <= 0x1d6a))
        return FALSE;
    }
  return TRUE;
}

/* Tells whether @text needs no parentheses above or below a slash: "f(x)", "∂f", "√(x + 1)",
 * "n!". */
static gboolean
is_part (const char *text)
{
  static const char *const functions[] = { "f", "g", "h", "F", "G", "H", "P", "E", "𝔼", "Γ" };
  static const char *const prefixes[] = { "∂", "∇", "√", "∛" };
  const char *parenthesis = strchr (text, '(');

  if (_gadget_tex_is_simple (text))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (text, prefixes[i]))
      return _gadget_tex_is_simple (text + strlen (prefixes[i]))
             || is_in_parentheses (text + strlen (prefixes[i]));
  if (g_str_has_suffix (text, "!"))
    {
      g_autofree char *before = g_strndup (text, strlen (text) - 1);

      return _gadget_tex_is_simple (before);
    }
  for (guint i = 0; parenthesis != NULL && i < G_N_ELEMENTS (functions); i++)
    if (strlen (functions[i]) == (gsize) (parenthesis - text)
        && g_str_has_prefix (text, functions[i]))
      return is_in_parentheses (parenthesis);
  return FALSE;
}

void
_gadget_tex_add_fraction (GadgetTexReader *reader, GString *out)
{
  g_autofree char *above = _gadget_tex_read_argument (reader);
  g_autofree char *below = _gadget_tex_read_argument (reader);

  /* U+2044 makes a fraction of all digits around it, so they are kept apart from a number
   * before. */
  if (_gadget_tex_is_number (above) && _gadget_tex_is_number (below))
    {
      if (g_unichar_isdigit (_gadget_tex_get_last (out)))
        g_string_append_c (out, ' ');
      g_string_append_printf (out, "%s\342\201\204%s", above, below);
    }
  else
    {
      g_string_append_printf (out, is_part (above) ? "%s/" : "(%s)/", above);
      g_string_append_printf (out, is_part (below) ? "%s" : "(%s)", below);
    }
  if (goes_on (reader))
    g_string_append_c (out, ' ');
}

void
_gadget_tex_add_root (GadgetTexReader *reader, GString *out)
{
  g_autofree char *degree = _gadget_tex_read_option (reader);
  g_autofree char *radicand = NULL;

  if (degree != NULL && strcmp (degree, "3") == 0)
    g_string_append (out, "\342\210\233");
  else if (degree != NULL && strcmp (degree, "4") == 0)
    g_string_append (out, "\342\210\234");
  else
    {
      if (degree != NULL && !_gadget_tex_add_script_characters (out, degree, TRUE))
        g_string_append_printf (out, "(%s)", degree);
      g_string_append (out, "\342\210\232");
    }
  radicand = _gadget_tex_read_argument (reader);
  if (*radicand != '\0' && !is_letter (radicand) && !_gadget_tex_is_number (radicand))
    g_string_append_printf (out, "(%s)", radicand);
  else
    g_string_append (out, radicand);
}

/* A command that puts a mark on letters. */
typedef struct
{
  const char *name;
  const char *mark; /* combining characters */
  gboolean all;     /* put on every character */
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
  { "overleftarrow", "\342\203\226", FALSE },
};

gboolean
_gadget_tex_add_accent (GadgetTexReader *reader, GString *out, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (accents); i++)
    {
      g_autofree char *base = NULL;

      if (strcmp (accents[i].name, name) != 0)
        continue;
      base = _gadget_tex_read_argument (reader);
      /* Up to four letters get a mark each; a longer argument gets one on its closing
       * parenthesis. */
      if (!accents[i].all && (!_gadget_tex_is_simple (base) || g_utf8_strlen (base, -1) > 4))
        {
          g_string_append_printf (out, "(%s)%s", base, accents[i].mark);
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

/* A command that changes the alphabet of its argument, or only copies it. */
typedef struct
{
  const char *name;
  char alphabet; /* for gadget_tex_get_letter(); 0: keep the letters */
} Style;

static const Style styles[] = {
  { "mathbb", 'b' }, { "mathcal", 'c' },    { "mathscr", 'c' },    { "mathfrak", 'f' },
  { "mathbf", 'B' }, { "boldsymbol", 'B' }, { "bm", 'B' },         { "mathrm", 0 },
  { "mathit", 0 },   { "mathsf", 0 },       { "mathtt", 0 },       { "mathnormal", 0 },
  { "boxed", 0 },    { "fbox", 0 },         { "mathop", 0 },       { "mathbin", 0 },
  { "mathrel", 0 },  { "mathord", 0 },      { "underbrace", 0 },   { "overbrace", 0 },
  { "cancel", 0 },   { "substack", 0 },     { "displaylines", 0 },
};

static const char *const word_commands[] = { "text",   "textrm", "textbf", "textit",    "texttt",
                                             "textsf", "mbox",   "hbox",   "textnormal" };

gboolean
_gadget_tex_add_styled (GadgetTexReader *reader, GString *out, const char *name)
{
  g_autofree char *argument = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (word_commands); i++)
    if (strcmp (word_commands[i], name) == 0)
      {
        argument = _gadget_tex_read_words (reader);
        if (*argument == ' ')
          _gadget_tex_add_space (out);
        g_string_append (out, argument + strspn (argument, " "));
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    if (strcmp (styles[i].name, name) == 0)
      {
        argument = _gadget_tex_read_argument (reader);
        if (styles[i].alphabet != 0)
          _gadget_tex_add_letters (out, argument, styles[i].alphabet);
        /* A label at the brace belongs to the whole argument, not to its last letter. */
        else if (g_str_has_suffix (name, "brace"))
          _gadget_tex_add_grouped (out, argument);
        else
          g_string_append (out, argument);
        return TRUE;
      }
  return FALSE;
}

/* Skips commands for colors, references and space, which show nothing. */
static gboolean
skip_invisible (GadgetTexReader *reader, GString *out, const char *name)
{
  static const char *const names[] = { "color",  "textcolor", "label",    "phantom",
                                       "hspace", "vspace",    "hphantom", "vphantom" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (strcmp (names[i], name) != 0)
        continue;
      if (_gadget_tex_starts_with (reader, "*"))
        reader->at++;
      g_free (_gadget_tex_read_words (reader));
      if (i >= 3)
        _gadget_tex_add_space (out);
      return TRUE;
    }
  return FALSE;
}

/* Appends a formula of chemistry: "2H2 + O2 -> 2H2O", "SO4^2-". */
static void
add_chemistry (GString *out, const char *formula)
{
  for (const char *p = formula; *p != '\0'; p++)
    {
      const gboolean script = *p == '^' || *p == '_';
      const gboolean braced = script && p[1] == '{';
      const gsize n = script ? strcspn (p + 1, braced ? "}" : " ,)") : 1;
      g_autofree char *part = g_strndup (script ? p + 1 + braced : p, n - braced);

      if (g_str_has_prefix (p, "<=>") || g_str_has_prefix (p, "->"))
        {
          g_string_append (out, *p == '<' ? "\342\207\214" : "\342\206\222");
          p += *p == '<' ? 2 : 1;
        }
      else if (script)
        {
          _gadget_tex_add_script (out, part, *p == '^');
          p += n;
          if (braced && p[1] == '}')
            p++;
        }
      else if (g_ascii_isdigit (*p) && p > formula
               && (g_ascii_isalnum (p[-1]) || p[-1] == ')' || p[-1] == ']')
               && (g_unichar_isalpha (_gadget_tex_get_last (out)) || p[-1] == ')' || p[-1] == ']'
                   || !g_ascii_isdigit ((char) _gadget_tex_get_last (out))))
        _gadget_tex_add_script (out, part, FALSE);
      else
        g_string_append_c (out, *p);
    }
}

gboolean
_gadget_tex_add_arguments (GadgetTexReader *reader, GString *out, const char *name)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (skip_invisible (reader, out, name))
    return TRUE;
  if (strcmp (name, "ce") == 0)
    {
      first = _gadget_tex_read_words (reader);
      add_chemistry (out, first);
    }
  else if (strcmp (name, "binom") == 0 || strcmp (name, "dbinom") == 0
           || strcmp (name, "tbinom") == 0)
    {
      first = _gadget_tex_read_argument (reader);
      second = _gadget_tex_read_argument (reader);
      g_string_append_printf (out, "C(%s, %s)", first, second);
    }
  else if (strcmp (name, "overset") == 0 || strcmp (name, "stackrel") == 0)
    {
      first = _gadget_tex_read_argument (reader);
      second = _gadget_tex_read_argument (reader);
      g_string_append (out, second);
      _gadget_tex_add_script (out, first, TRUE);
    }
  else if (strcmp (name, "underset") == 0)
    {
      first = _gadget_tex_read_argument (reader);
      second = _gadget_tex_read_argument (reader);
      g_string_append (out, second);
      _gadget_tex_add_script (out, first, FALSE);
    }
  else if (strcmp (name, "xrightarrow") == 0 || strcmp (name, "xleftarrow") == 0)
    {
      g_free (_gadget_tex_read_option (reader));
      first = _gadget_tex_read_argument (reader);
      _gadget_tex_add_space (out);
      g_string_append_printf (
          out, name[1] == 'r' ? "\342\224\200%s\342\206\222 " : "\342\206\220%s\342\224\200 ",
          first);
    }
  else if (strcmp (name, "operatorname") == 0)
    {
      if (_gadget_tex_starts_with (reader, "*"))
        reader->at++;
      first = _gadget_tex_read_argument (reader);
      if (g_unichar_isalnum (_gadget_tex_get_last (out)))
        g_string_append_c (out, ' ');
      g_string_append (out, first);
    }
  else if (strcmp (name, "pmod") == 0)
    {
      first = _gadget_tex_read_argument (reader);
      _gadget_tex_add_space (out);
      g_string_append_printf (out, "(mod %s)", first);
    }
  else if (strcmp (name, "tag") == 0)
    {
      first = _gadget_tex_read_words (reader);
      g_string_append_printf (out, "  (%s)", first);
    }
  else if (strcmp (name, "not") == 0)
    {
      first = _gadget_tex_read_argument (reader);
      g_string_append_printf (out, "%s\314\270", first);
    }
  else
    return FALSE;
  return TRUE;
}
