/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses the syntax of git-config(1). A line that git would reject is skipped. */

#define G_LOG_DOMAIN "gadget-sandbox-git-settings"

#include "config.h"

#include "gadget-sandbox-git-private.h"

#include <string.h>

typedef struct
{
  const char *at;
  GString *section;
  GString *subsection;
  GString *key;
  GString *value;
} Parser;

static void
skip_line (Parser *self)
{
  self->at += strcspn (self->at, "\n");
}

/* Parses "[section]", "[section "subsection"]" or "[section.subsection]". */
static void
parse_section (Parser *self)
{
  gboolean quoted = FALSE;

  g_string_truncate (self->section, 0);
  g_string_truncate (self->subsection, 0);
  self->at++;
  while (g_ascii_isalnum (*self->at) || *self->at == '-')
    g_string_append_c (self->section, g_ascii_tolower (*self->at++));
  for (; *self->at != '\0' && *self->at != '\n' && (quoted || *self->at != ']'); self->at++)
    if (*self->at == '"')
      quoted = !quoted;
    else
      {
        if (*self->at == '\\' && quoted && self->at[1] != '\0')
          self->at++;
        g_string_append_c (self->subsection, *self->at);
      }
  if (*self->at == ']')
    self->at++;
}

static char
unescape (char letter)
{
  switch (letter)
    {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    default:
      return letter;
    }
}

/* Parses a value to the end of its line, or of the last line on which it is continued. */
static void
parse_value (Parser *self)
{
  gboolean quoted = FALSE;
  const char *at = self->at;

  for (; *at != '\0' && *at != '\n'; at++)
    if (*at == '"')
      quoted = !quoted;
    else if (!quoted && (*at == '#' || *at == ';'))
      {
        at += strcspn (at, "\n");
        break;
      }
    else if (*at == '\\' && at[1] == '\r' && at[2] == '\n')
      at += 2;
    else if (*at == '\\' && at[1] == '\n')
      at++;
    else if (*at == '\\' && at[1] != '\0')
      g_string_append_c (self->value, unescape (*++at));
    else if (*at != '\r')
      g_string_append_c (self->value, *at);
  self->at = at;
}

static void
parse_setting (Parser *self, GadgetGitSettingFunc func, gpointer user_data)
{
  g_string_truncate (self->key, 0);
  g_string_truncate (self->value, 0);
  while (g_ascii_isalnum (*self->at) || *self->at == '-')
    g_string_append_c (self->key, g_ascii_tolower (*self->at++));
  self->at += strspn (self->at, " \t\r");
  if (*self->at == '=')
    {
      self->at++;
      parse_value (self);
    }
  else
    skip_line (self);
  func (self->section->str, self->key->str, g_strstrip (self->value->str), user_data);
}

/**
 * _gadget_git_settings_parse:
 * @text: the configuration
 * @func: (scope call): called for each setting in order, and with "url" and "base" for the address
 *   of each "url" section
 * @user_data: for @func
 *
 * Parses a configuration.
 */
void
_gadget_git_settings_parse (const char *text, GadgetGitSettingFunc func, gpointer user_data)
{
  g_autoptr (GString) section = g_string_new (NULL);
  g_autoptr (GString) subsection = g_string_new (NULL);
  g_autoptr (GString) key = g_string_new (NULL);
  g_autoptr (GString) value = g_string_new (NULL);
  Parser parser = { text, section, subsection, key, value };

  g_assert (text != NULL);
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    parser.at += 3;
  while (*(parser.at += strspn (parser.at, " \t\r\n")) != '\0')
    if (*parser.at == '[')
      {
        parse_section (&parser);
        if (g_str_equal (section->str, "url"))
          func ("url", "base", subsection->str, user_data);
      }
    else if (g_ascii_isalpha (*parser.at))
      parse_setting (&parser, func, user_data);
    else
      skip_line (&parser);
}
