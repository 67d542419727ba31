/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Converts formulas in TeX to lines of text. The reader takes one argument or symbol at a time;
 * arguments are read recursively, to a bounded depth. Unknown input is copied: in the worst case
 * the formula stays as it was. */

#define G_LOG_DOMAIN "gadget-tex"

#include "config.h"

#include "gadget-tex.h"

#include "gadget-tex-private.h"

#include <string.h>

/* --- Reading ------------------------------------------------------------------------------------
 */

void
_gadget_tex_skip_white (GadgetTexReader *reader)
{
  while (reader->at < reader->end && g_ascii_isspace (*reader->at))
    reader->at++;
}

gboolean
_gadget_tex_starts_with (const GadgetTexReader *reader, const char *what)
{
  const gsize length = strlen (what);

  return (gsize) (reader->end - reader->at) >= length && memcmp (reader->at, what, length) == 0;
}

/* Reads the name of the command at a backslash: its letters, or one other character. @name is ""
 * when it is too long. */
static void
read_name (GadgetTexReader *reader, char name[GADGET_TEX_MAX_NAME])
{
  gsize n = 0;

  reader->at++;
  while (reader->at + n < reader->end && g_ascii_isalpha (reader->at[n]))
    n++;
  if (n == 0 && reader->at < reader->end)
    n = (gsize) (MIN (g_utf8_next_char (reader->at), reader->end) - reader->at);
  g_strlcpy (name, "", GADGET_TEX_MAX_NAME);
  if (n < GADGET_TEX_MAX_NAME)
    {
      memcpy (name, reader->at, n);
      name[n] = '\0';
    }
  reader->at += n;
}

/* Returns the argument that comes next, a group in braces or one symbol, converted to text.
 * (transfer full) */
char *
_gadget_tex_read_argument (GadgetTexReader *reader)
{
  GString *out = g_string_new (NULL);

  _gadget_tex_skip_white (reader);
  if (reader->at == reader->end || reader->depth >= GADGET_TEX_MAX_DEPTH)
    return g_string_free_and_steal (out);
  reader->depth++;
  if (*reader->at == '{')
    {
      reader->at++;
      _gadget_tex_read_until (reader, out, "}");
    }
  else
    {
      const char *begin = reader->at;
      GadgetTexReader one = *reader;

      if (*begin == '\\')
        {
          char name[GADGET_TEX_MAX_NAME];

          read_name (reader, name);
          /* "\frac12" takes symbols as arguments, "\sqrt\frac{1}{2}" commands with their
           * arguments. */
          if (gadget_tex_find_symbol (name) == NULL)
            reader->at = reader->end;
        }
      else
        reader->at = g_utf8_next_char (begin);
      one.end = reader->at;
      if (reader->at == reader->end && *begin == '\\')
        {
          one.end = reader->end;
          _gadget_tex_read_until (&one, out, "\n1");
          reader->at = one.at;
        }
      else
        _gadget_tex_read_until (&one, out, "");
    }
  reader->depth--;
  return g_strstrip (g_string_free_and_steal (out));
}

/* Returns the group in braces that comes next as it is. (transfer full) */
char *
_gadget_tex_read_words (GadgetTexReader *reader)
{
  guint depth = 0;
  const char *begin;

  _gadget_tex_skip_white (reader);
  if (reader->at == reader->end || *reader->at != '{')
    return _gadget_tex_read_argument (reader);
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

/* Returns the group in brackets that comes next, or NULL when there is none. (transfer full)
 * (nullable) */
char *
_gadget_tex_read_option (GadgetTexReader *reader)
{
  const char *close;
  char *option;

  _gadget_tex_skip_white (reader);
  if (reader->at == reader->end || *reader->at != '[')
    return NULL;
  close = memchr (reader->at, ']', (gsize) (reader->end - reader->at));
  if (close == NULL)
    return NULL;
  option = g_strndup (reader->at + 1, (gsize) (close - reader->at - 1));
  reader->at = close + 1;
  return option;
}

/* --- Commands -----------------------------------------------------------------------------------
 */

static void
add_symbol (GadgetTexReader *reader, GString *out, const GadgetTexSymbol *symbol)
{
  const gunichar last = _gadget_tex_get_last (out);
  const gboolean between = out->len > 0 && last != '(' && last != '[' && last != '{';

  switch (symbol->class)
    {
    case GADGET_TEX_BINARY:
    case GADGET_TEX_RELATION:
      if (between)
        _gadget_tex_add_space (out);
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
      _gadget_tex_skip_white (reader);
      break;
    default:
      if (_gadget_tex_is_closing (g_utf8_get_char (symbol->text)))
        _gadget_tex_trim_end (out);
      g_string_append (out, symbol->text);
    }
}

/* A command that is replaced by a text. */
typedef struct
{
  const char *name;
  const char *text;
} Shorthand;

/* Spaces, commands that only change the look, and characters that are escaped by a backslash. */
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

/* Skips the distance between two rows in "\\[4pt]". */
static void
skip_distance (GadgetTexReader *reader)
{
  const char *close;
  const gsize left = (gsize) (reader->end - reader->at);

  if (left < 4 || *reader->at != '['
      || !(g_ascii_isdigit (reader->at[1]) || reader->at[1] == '-' || reader->at[1] == '.'))
    return;
  close = memchr (reader->at, ']', MIN (left, 12));
  if (close != NULL && g_ascii_isalpha (close[-1]) && g_ascii_isalpha (close[-2]))
    reader->at = close + 1;
}

static gboolean
add_shorthand (GadgetTexReader *reader, GString *out, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (shorthands); i++)
    {
      if (strcmp (shorthands[i].name, name) != 0)
        continue;
      if (strcmp (name, "}") == 0)
        _gadget_tex_trim_end (out);
      if (strcmp (shorthands[i].text, " ") == 0)
        _gadget_tex_add_space (out);
      else
        g_string_append (out, shorthands[i].text);
      if (strcmp (name, "\\") == 0)
        skip_distance (reader);
      return TRUE;
    }
  return FALSE;
}

void
_gadget_tex_add_delimiter (GadgetTexReader *reader, GString *out)
{
  const char *begin;

  _gadget_tex_skip_white (reader);
  begin = reader->at;
  if (begin == reader->end)
    return;
  if (*begin == '\\')
    {
      const GadgetTexSymbol *symbol;
      char name[GADGET_TEX_MAX_NAME];

      read_name (reader, name);
      symbol = gadget_tex_find_symbol (name);
      if (symbol != NULL && symbol->class != GADGET_TEX_NAME)
        g_string_append (out, symbol->text);
      else if (strlen (name) != 1 || strchr ("{}|", *name) == NULL
               || !add_shorthand (reader, out, name))
        reader->at = begin;
      return;
    }
  reader->at = MIN (g_utf8_next_char (begin), reader->end);
  if (*begin != '.')
    g_string_append_len (out, begin, reader->at - begin);
}

/* Reads "\left" or "\right"; there are no spaces between brackets and their contents. */
static gboolean
add_bracket (GadgetTexReader *reader, GString *out, const char *name)
{
  const gboolean left = strcmp (name, "left") == 0;

  if (!left && strcmp (name, "right") != 0)
    return FALSE;
  if (!left)
    _gadget_tex_trim_end (out);
  _gadget_tex_add_delimiter (reader, out);
  if (left)
    {
      reader->left_at = out->len;
      _gadget_tex_skip_white (reader);
    }
  return TRUE;
}

static void
read_command (GadgetTexReader *reader, GString *out)
{
  const char *from = reader->at;
  const GadgetTexSymbol *symbol;
  char name[GADGET_TEX_MAX_NAME];

  read_name (reader, name);
  symbol = gadget_tex_find_symbol (name);
  if (symbol != NULL)
    add_symbol (reader, out, symbol);
  else if (strcmp (name, "frac") == 0 || strcmp (name, "dfrac") == 0 || strcmp (name, "tfrac") == 0
           || strcmp (name, "cfrac") == 0)
    _gadget_tex_add_fraction (reader, out);
  else if (strcmp (name, "sqrt") == 0)
    _gadget_tex_add_root (reader, out);
  else if (strcmp (name, "begin") == 0)
    _gadget_tex_add_environment (reader, out, from);
  else if (!add_bracket (reader, out, name) && !add_shorthand (reader, out, name)
           && !_gadget_tex_add_styled (reader, out, name)
           && !_gadget_tex_add_accent (reader, out, name)
           && !_gadget_tex_add_arguments (reader, out, name))
    {
      /* An unknown command is copied with its arguments. */
      while (reader->at < reader->end && *reader->at == '{')
        g_free (_gadget_tex_read_words (reader));
      g_string_append_len (out, from, reader->at - from);
    }
}

static void
read_script (GadgetTexReader *reader, GString *out)
{
  /* "{}^2" belongs to what follows, so the space before it is kept. */
  const gboolean apart = out->len > 0 && reader->at[-1] == '}';
  const gboolean raised = *reader->at++ == '^';
  g_autofree char *argument = _gadget_tex_read_argument (reader);
  gunichar base;

  if (!apart)
    _gadget_tex_trim_end (out);
  base = _gadget_tex_get_last (out);
  _gadget_tex_add_script (out, argument, raised);
  /* No space in "∂²f" and "∇²f". */
  if (raised && (base == 0x2202 || base == 0x2207))
    _gadget_tex_skip_white (reader);
}

/* Reads up to @stop and over it. "\n1" means: one command. */
void
_gadget_tex_read_until (GadgetTexReader *reader, GString *out, const char *stop)
{
  const gboolean one = strcmp (stop, "\n1") == 0;

  while (reader->at < reader->end)
    {
      if (!one && *stop != '\0' && _gadget_tex_starts_with (reader, stop))
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

            if (reader->depth >= GADGET_TEX_MAX_DEPTH)
              {
                g_string_append_c (out, *reader->at++);
                break;
              }
            group = _gadget_tex_read_argument (reader);
            g_string_append (out, group);
            break;
          }
        case '^':
        case '_':
          if (reader->depth >= GADGET_TEX_MAX_DEPTH)
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
          reader->at++;
          if (reader->columns == NULL)
            {
              _gadget_tex_add_space (out);
              break;
            }
          _gadget_tex_trim_end (out);
          g_string_append (out, reader->columns);
          _gadget_tex_skip_white (reader);
          break;
        case '~':
        case ' ':
        case '\t':
        case '\r':
        case '\n':
          _gadget_tex_add_space (out);
          reader->at++;
          break;
        default:
          {
            const char *next = MIN (g_utf8_next_char (reader->at), reader->end);

            if (_gadget_tex_is_closing ((guchar) *reader->at))
              _gadget_tex_trim_end (out);
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
  GadgetTexReader reader = { tex, NULL, 0, display };
  g_autoptr (GString) out = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  GString *text;

  g_return_val_if_fail (tex != NULL, NULL);

  reader.end = tex + strlen (tex);
  reader.n_matrices = display ? _gadget_tex_count_matrices (tex) : 0;
  _gadget_tex_read_until (&reader, out, "");
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
