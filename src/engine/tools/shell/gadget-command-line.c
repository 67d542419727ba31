/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A strict parser for shell lines, for permission rules.
 *
 * The parser is not a shell. It understands simple commands of plain words, joined by && || ; | &
 * and newlines, with '…', "…" and backslashes for quoting, and the few redirections that touch no
 * file of the user. Anything else to which a shell gives a meaning (expansions, substitutions,
 * other redirections, here-documents, groups, functions, keywords, assignments, comments, globs in
 * place of the program) makes the whole line unparsed, and a rule never allows an unparsed line. To
 * understand less than the shell does is safe; to understand something else would not be safe. */

#define G_LOG_DOMAIN "gadget-command-line"

#include "config.h"

#include "gadget-command-line.h"

#include "gadget-command-tokens.h"
#include "common/gadget-visible.h"

#include <string.h>

/* The state of the parser. */
typedef struct
{
  const char *p;
  GPtrArray *commands; /* of GStrv */
  GPtrArray *words;    /* of char *: the words of the current command */
  GString *word;
  gboolean in_word;
  gboolean glob; /* the word contains an unquoted * ? [ or ~ */
  gboolean need; /* a command must follow, after && || | */
  const char *reason;
} Reader;

/* --- Reading ---------------------------------------------------------------------------------- */

static gboolean
refuse (Reader *self, const char *reason)
{
  self->reason = reason;
  return FALSE;
}

static gboolean
is_delimiter (char c)
{
  return c == '\0' || strchr (" \t\n;&|", c) != NULL;
}

static gboolean
is_assignment (const char *word)
{
  const char *equals = strchr (word, '=');

  return equals != NULL && equals != word
         && strspn (word, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_[]+")
                >= (gsize) (equals - word);
}

static gboolean
is_keyword (const char *word)
{
  static const char *const keywords[] = { "!",        "[[",    "]]",   "case",   "coproc", "do",
                                          "done",     "elif",  "else", "esac",   "fi",     "for",
                                          "function", "if",    "in",   "select", "then",   "until",
                                          "time",     "while", "{",    "}",      NULL };

  return g_strv_contains (keywords, word);
}

static gboolean
end_word (Reader *self)
{
  if (!self->in_word)
    return TRUE;
  if (self->words->len == 0)
    {
      if (self->glob)
        return refuse (self, "the program is a pattern");
      if (is_assignment (self->word->str))
        return refuse (self, "a variable is set");
      if (is_keyword (self->word->str))
        return refuse (self, "a keyword of the shell");
      if (*self->word->str == '\0')
        return refuse (self, "the program has no name");
    }
  g_ptr_array_add (self->words, g_strdup (self->word->str));
  g_string_truncate (self->word, 0);
  self->in_word = FALSE;
  self->glob = FALSE;
  return TRUE;
}

static gboolean
end_command (Reader *self, gboolean may_be_empty)
{
  if (!end_word (self))
    return FALSE;
  if (self->words->len == 0)
    return may_be_empty ? TRUE : refuse (self, "a command is missing");
  g_ptr_array_add (self->words, NULL);
  g_ptr_array_add (self->commands, g_ptr_array_steal (self->words, NULL));
  self->need = FALSE;
  return TRUE;
}

static gboolean
read_single_quotes (Reader *self)
{
  const char *end = strchr (self->p + 1, '\'');

  if (end == NULL)
    return refuse (self, "a quote is not closed");
  g_string_append_len (self->word, self->p + 1, end - self->p - 1);
  self->in_word = TRUE;
  self->p = end + 1;
  return TRUE;
}

static gboolean
read_double_quotes (Reader *self)
{
  self->in_word = TRUE;
  for (self->p++; *self->p != '"'; self->p++)
    {
      if (*self->p == '\0')
        return refuse (self, "a quote is not closed");
      if (*self->p == '$' || *self->p == '`')
        return refuse (self, "something is expanded");
      if (*self->p == '\\')
        {
          if (self->p[1] == '\n' || self->p[1] == '\0')
            return refuse (self, "a line is continued");
          if (strchr ("$`\"\\", self->p[1]) != NULL)
            self->p++;
        }
      g_string_append_c (self->word, *self->p);
    }
  self->p++;
  return TRUE;
}

static gboolean
read_backslash (Reader *self)
{
  if (self->p[1] == '\n' || self->p[1] == '\0')
    return refuse (self, "a line is continued");
  g_string_append_c (self->word, self->p[1]);
  self->in_word = TRUE;
  self->p += 2;
  return TRUE;
}

static gboolean
read_separator (Reader *self)
{
  const char c = *self->p;
  const gboolean twice = c != '\n' && self->p[1] == c;
  const gboolean joins = c == '|' || (c == '&' && twice);

  /* Operators such as "|&", "&>", ";;", ";&" and "&&&" are not understood. */
  if (strchr (";&|<>", self->p[twice ? 2 : 1]) != NULL && self->p[twice ? 2 : 1] != '\0')
    return refuse (self, "an operator that is not known");
  if (c == ';' && twice)
    return refuse (self, "an operator that is not known");
  /* A line may be empty, also after an operator that continues on the next line. */
  if (!end_command (self, c == '\n'))
    return FALSE;
  self->need = self->need || joins;
  self->p += twice ? 2 : 1;
  return TRUE;
}

/* Accepts only redirections that write and read no file. */
static gboolean
read_redirection (Reader *self)
{
  static const char *const harmless[] = { "2>&1",         "1>&2",        ">&2",
                                          ">/dev/null",   "1>/dev/null", "2>/dev/null",
                                          "</dev/null",   "> /dev/null", "1> /dev/null",
                                          "2> /dev/null", "< /dev/null" };

  for (guint i = 0; !self->in_word && self->words->len > 0 && i < G_N_ELEMENTS (harmless); i++)
    {
      const gsize length = strlen (harmless[i]);

      if (strncmp (self->p, harmless[i], length) == 0 && is_delimiter (self->p[length]))
        {
          self->p += length;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
read_plain (Reader *self)
{
  if (*self->p == '#' && !self->in_word)
    return refuse (self, "a comment");
  if (strchr ("*?[~", *self->p) != NULL)
    self->glob = TRUE;
  g_string_append_c (self->word, *self->p++);
  self->in_word = TRUE;
  return TRUE;
}

static gboolean
read_next (Reader *self)
{
  switch (*self->p)
    {
    case ' ':
    case '\t':
      self->p++;
      return end_word (self);
    case '\n':
    case ';':
    case '&':
    case '|':
      return read_separator (self);
    case '\'':
      return read_single_quotes (self);
    case '"':
      return read_double_quotes (self);
    case '\\':
      return read_backslash (self);
    case '$':
      return refuse (self, "something is expanded");
    case '`':
      return refuse (self, "a command is substituted");
    case '(':
    case ')':
      return refuse (self, "a group, a function or a substitution");
    case '{':
    case '}':
      return refuse (self, "braces");
    case '<':
    case '>':
    case '1':
    case '2':
      if (read_redirection (self))
        return TRUE;
      return *self->p == '<' || *self->p == '>' ? refuse (self, "a redirection")
                                                : read_plain (self);
    default:
      return read_plain (self);
    }
}

static void
free_words (gpointer words)
{
  g_strfreev (words);
}

static gboolean
read_all (Reader *self)
{
  while (*self->p != '\0')
    if (!read_next (self))
      return FALSE;
  if (!end_command (self, !self->need))
    return FALSE;
  return self->commands->len > 0 ? TRUE : refuse (self, "there is no command");
}

GPtrArray *
gadget_command_line_read (const char *line, const char **reason)
{
  g_autoptr (GPtrArray) commands = g_ptr_array_new_with_free_func (free_words);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) word = g_string_new (NULL);
  Reader reader = { .p = line, .commands = commands, .words = words, .word = word };
  gboolean read;

  g_return_val_if_fail (line != NULL, NULL);

  read = gadget_visible_is_plain (line) ? read_all (&reader)
                                        : refuse (&reader, "characters that cannot be seen");
  if (!read && reason != NULL)
    *reason = reader.reason;
  return read ? g_steal_pointer (&commands) : NULL;
}

/* --- Refusing --------------------------------------------------------------------------------- */

/* Splits the text into everything that could be a word, without quoting characters and with folded
 * case. */
static char **
split_loosely (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (GString) bare = g_string_new (NULL);
  g_auto (GStrv) parts = NULL;
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (c == '\\' && p[1] == '\n')
        p++; /* a continued line */
      else if (c < 0x80 && strchr ("'\"\\", (int) c) != NULL)
        continue;
      else if (g_unichar_isspace (c) || (c < 0x80 && strchr (";&|<>(){}`$,=!", (int) c) != NULL))
        g_string_append_c (bare, ' ');
      else if (g_unichar_isprint (c) && !g_unichar_iszerowidth (c))
        g_string_append_unichar (bare, c);
    }
  parts = g_strsplit (bare->str, " ", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_strv_builder_take (words, g_ascii_strdown (parts[i], -1));
  return g_strv_builder_end (words);
}

/* The program is compared by its name, in whatever folder it is. The words after it must appear in
 * the same order, but others may stand between them ("git -C x push"). */
gboolean
gadget_command_line_mentions (const char *line, const char *prefix)
{
  g_auto (GStrv) words = NULL;
  g_auto (GStrv) wanted = NULL;

  g_return_val_if_fail (line != NULL && prefix != NULL, FALSE);

  words = split_loosely (line);
  wanted = split_loosely (prefix);
  if (wanted[0] == NULL)
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    {
      guint n = 1;

      if (!g_str_equal (gadget_command_tokens_get_base (words[i]),
                        gadget_command_tokens_get_base (wanted[0])))
        continue;
      for (guint k = i + 1; wanted[n] != NULL && words[k] != NULL; k++)
        if (g_str_equal (words[k], wanted[n]))
          n++;
      if (wanted[n] == NULL)
        return TRUE;
    }
  return FALSE;
}
