/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Translates glob patterns into regular expressions and matches whole paths with them. */

#define G_LOG_DOMAIN "gadget-glob"

#include "config.h"

#include "gadget-glob.h"

#include <gio/gio.h>
#include <string.h>

/* A match that needs more steps than this fails. Patterns come from models and from files of the
 * workspace, and some are made to take forever. */
#define LIMITS "(*LIMIT_MATCH=20000)"
#define MAX_LENGTH 1000
#define MAX_DEPTH 20

struct _GadgetGlob
{
  GRegex *regex;
};

static void
append_literal (GString *regex, char c)
{
  if (!g_ascii_isalnum (c) && (guchar) c < 0x80)
    g_string_append_c (regex, '\\');
  g_string_append_c (regex, c);
}

/* Translates the set "[…]" that begins at C. Returns its last character, or NULL if it is not
 * closed. */
static const char *
append_set (GString *regex, const char *c)
{
  const char *begin;

  c++;
  /* A set never matches "/". */
  g_string_append (regex, "(?!/)[");
  if (*c == '!' || *c == '^')
    {
      g_string_append_c (regex, '^');
      c++;
    }
  for (begin = c; *c != '\0' && (*c != ']' || c == begin); c++)
    {
      if (*c == '\\' && c[1] != '\0')
        append_literal (regex, *++c);
      else if (*c == '-' && c != begin && c[1] != ']')
        g_string_append_c (regex, '-');
      else
        append_literal (regex, *c);
    }
  g_string_append_c (regex, ']');
  return *c == ']' ? c : NULL;
}

/* Translates the "*" or "**" that begins at C. Returns its last character. */
static const char *
append_stars (GString *regex, const char *pattern, const char *c)
{
  const gboolean at_begin = c == pattern || c[-1] == '/';
  const char *last = c;

  while (last[1] == '*')
    last++;
  if (last == c + 1 && at_begin && last[1] == '/')
    {
      g_string_append (regex, "(?:[^/]*/)*");
      return last + 1;
    }
  g_string_append (regex, last == c + 1 && at_begin && last[1] == '\0' ? ".+" : "[^/]*");
  return last;
}

static char *
translate (const char *pattern)
{
  g_autoptr (GString) regex = g_string_new (LIMITS "\\A");
  guint depth = 0;

  for (const char *c = pattern; *c != '\0'; c++)
    switch (*c)
      {
      case '*':
        c = append_stars (regex, pattern, c);
        break;
      case '?':
        g_string_append (regex, "[^/]");
        break;
      case '[':
        c = append_set (regex, c);
        if (c == NULL)
          return NULL;
        break;
      case '{':
        if (++depth > MAX_DEPTH)
          return NULL;
        g_string_append (regex, "(?:");
        break;
      case '}':
        if (depth == 0)
          return NULL;
        depth--;
        g_string_append_c (regex, ')');
        break;
      case ',':
        g_string_append (regex, depth > 0 ? "|" : ",");
        break;
      case '\\':
        if (c[1] == '\0')
          return NULL;
        append_literal (regex, *++c);
        break;
      default:
        append_literal (regex, *c);
        break;
      }
  g_string_append (regex, "\\z");
  return depth == 0 ? g_strdup (regex->str) : NULL;
}

/**
 * gadget_glob_new:
 *
 * Returns: (transfer full) (nullable): %NULL with %G_IO_ERROR_INVALID_ARGUMENT when @pattern is not
 *   a valid pattern or is too long
 */
GadgetGlob *
gadget_glob_new (const char *pattern, GError **error)
{
  g_autofree char *text = NULL;
  GRegex *regex = NULL;
  GadgetGlob *self;

  g_return_val_if_fail (pattern != NULL, NULL);

  if (*pattern != '\0' && strlen (pattern) <= MAX_LENGTH && g_utf8_validate (pattern, -1, NULL))
    text = translate (pattern);
  if (text != NULL)
    regex = g_regex_new (text, G_REGEX_DOTALL | G_REGEX_NO_AUTO_CAPTURE, 0, NULL);
  if (regex == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "\"%.100s\" is no pattern: a \"[\" or \"{\" is not closed, or it is too long.",
                   pattern);
      return NULL;
    }
  self = g_new0 (GadgetGlob, 1);
  self->regex = regex;
  return self;
}

/* gadget_glob_free: frees a pattern, which must not be %NULL. */
void
gadget_glob_free (GadgetGlob *self)
{
  g_regex_unref (self->regex);
  g_free (self);
}

/* In a path that is not UTF-8, invalid bytes are matched as U+FFFD. */
gboolean
gadget_glob_matches (GadgetGlob *self, const char *path)
{
  g_autofree char *valid = NULL;

  g_return_val_if_fail (self != NULL && path != NULL, FALSE);

  if (!g_utf8_validate (path, -1, NULL))
    valid = g_utf8_make_valid (path, -1);
  return g_regex_match (self->regex, valid != NULL ? valid : path, 0, NULL);
}
