/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the inline elements that are open at the end of a paragraph, by the algorithm for emphasis
 * in the appendix of CommonMark 0.31.2: these are the delimiters that are left over at the end of
 * it. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-emphasis.h"

#include "gadget-markdown-definition.h"
#include "gadget-markdown-line.h"
#include "gadget-markdown-tag.h"

#include <string.h>

/* Per paragraph; further marks are taken for text. */
#define MAX_MARKS 128

/* A run of delimiters, such as "**", or an opening tag. */
typedef struct
{
  char c;
  guint n;      /* characters that are left */
  guint length; /* characters at first */
  gboolean opens;
  gboolean closes;
  gsize begin;
  gsize end;
  const GadgetMarkdownTagName *tag; /* (nullable): the tag; @c is '<' then */
} Mark;

/* The state of reading a paragraph. */
typedef struct
{
  char *view;
  gsize begin;
  gsize at;
  gsize end;
  Mark marks[MAX_MARKS]; /* the marks that may still be closed */
  guint n_marks;
  guint code;      /* the length of the backtick run that opened a code span, which is open at the
                    * end; else 0 */
  gboolean padded; /* the code span begins with white space, which is dropped if it also ends with
                    * some */
} Inlines;

/* The classes of characters that decide whether delimiters can open and close emphasis. */
typedef enum
{
  SPACE,
  PUNCTUATION,
  OTHER,
} Class;

static Class
classify (gunichar c)
{
  if (g_unichar_isspace (c))
    return SPACE;
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CURRENCY_SYMBOL:
    case G_UNICODE_MODIFIER_SYMBOL:
    case G_UNICODE_MATH_SYMBOL:
    case G_UNICODE_OTHER_SYMBOL:
      return PUNCTUATION;
    default:
      return g_unichar_ispunct (c) ? PUNCTUATION : OTHER;
    }
}

static Class
classify_before (const Inlines *self, gsize at)
{
  const char *p = g_utf8_find_prev_char (self->view + self->begin, self->view + at);
  gunichar c;

  if (p == NULL)
    return SPACE;
  c = g_utf8_get_char_validated (p, (gssize) (at - (gsize) (p - self->view)));
  return c == (gunichar) -1 || c == (gunichar) -2 ? OTHER : classify (c);
}

static Class
classify_after (const Inlines *self, gsize at)
{
  gunichar c;

  if (at >= self->end)
    return SPACE;
  c = g_utf8_get_char_validated (self->view + at, (gssize) (self->end - at));
  return c == (gunichar) -1 || c == (gunichar) -2 ? OTHER : classify (c);
}

static gsize
count_run (const Inlines *self, gsize at)
{
  const char *begin = self->view + at;

  return (gsize) (gadget_markdown_line_skip_run (begin, self->view + self->end, *begin) - begin);
}

static Mark
read_mark (const Inlines *self, gsize n)
{
  const Class before = classify_before (self, self->at);
  const Class after = classify_after (self, self->at + n);
  const gboolean left = after != SPACE && (after != PUNCTUATION || before != OTHER);
  const gboolean right = before != SPACE && (before != PUNCTUATION || after != OTHER);
  const char c = self->view[self->at];
  Mark mark = { c, (guint) n, (guint) n, left, right, self->at, self->at + n, NULL };

  if (c == '_')
    {
      mark.opens = left && (!right || before == PUNCTUATION);
      mark.closes = right && (!left || after == PUNCTUATION);
    }
  return mark;
}

static gboolean
may_match (const Mark *open, const Mark *close)
{
  if (open->c != close->c || open->n == 0)
    return FALSE;
  if (open->c == '~')
    return open->length == close->length;
  if (!open->closes && !close->opens)
    return TRUE;
  return (open->length + close->length) % 3 != 0
         || (open->length % 3 == 0 && close->length % 3 == 0);
}

static void
close_marks (Inlines *self, Mark *mark)
{
  while (mark->closes && mark->n > 0)
    {
      guint i = self->n_marks;
      guint n;

      while (i > 0 && !may_match (&self->marks[i - 1], mark))
        i--;
      if (i == 0)
        return;
      n = mark->c == '~' ? mark->n : mark->n >= 2 && self->marks[i - 1].n >= 2 ? 2 : 1;
      self->marks[i - 1].n -= n;
      mark->n -= n;
      self->n_marks = self->marks[i - 1].n > 0 ? i : i - 1;
    }
}

/* Reads a run of delimiters. Returns TRUE when it is at the end, where it is held back. */
static gboolean
parse_mark (Inlines *self)
{
  const gsize n = count_run (self, self->at);
  Mark mark;

  if (self->at + n == self->end)
    {
      self->end = self->at;
      return TRUE;
    }
  mark = read_mark (self, n);
  self->at += n;
  if (mark.c == '~' && n != 2)
    return FALSE;
  close_marks (self, &mark);
  if (mark.opens && mark.n > 0 && self->n_marks < MAX_MARKS)
    self->marks[self->n_marks++] = mark;
  return FALSE;
}

static gboolean
parse_code (Inlines *self)
{
  const gsize n = count_run (self, self->at);

  if (self->at + n == self->end)
    {
      self->end = self->at;
      return TRUE;
    }
  for (gsize i = self->at + n; i < self->end;)
    {
      gsize run;

      if (self->view[i] != '`')
        {
          i++;
          continue;
        }
      run = count_run (self, i);
      if (run == n && i + n < self->end)
        {
          self->at = i + n;
          return FALSE;
        }
      i += run;
    }
  /* Backticks at the end may be a part of the closing run. */
  while (self->end > self->at + n && self->view[self->end - 1] == '`')
    self->end--;
  while (self->end > self->at + n && g_ascii_isspace (self->view[self->end - 1]))
    self->end--;
  if (self->end == self->at + n)
    self->end = self->at;
  else
    {
      self->code = (guint) n;
      self->padded = g_ascii_isspace (self->view[self->at + n]);
    }
  return TRUE;
}

/* Reads the address of a link, in parentheses. Returns TRUE when it is not complete, and held
 * back. */
static gboolean
parse_address (Inlines *self)
{
  const char *end = self->view + self->end;
  const char *begin = self->view + self->at + 2;
  const char *at = begin;
  const char *behind;

  self->at++;
  while (at < end && g_ascii_isspace (*at))
    at++;
  if (at < end && *at == ')')
    {
      self->at = (gsize) (at + 1 - self->view);
      return FALSE;
    }
  behind = at < end ? gadget_markdown_skip_destination (at, end) : NULL;
  if (behind != NULL && behind < end)
    {
      at = behind;
      while (at < end && g_ascii_isspace (*at))
        at++;
      if (at > behind && at < end && (*at == '"' || *at == '\'' || *at == '('))
        {
          behind = gadget_markdown_skip_title (at, end);
          for (at = behind; at != NULL && at < end && g_ascii_isspace (*at);)
            at++;
        }
      if (at != NULL && at < end)
        {
          if (*at == ')')
            self->at = (gsize) (at + 1 - self->view);
          return FALSE;
        }
    }
  else if (behind == NULL && at < end && *at != '<')
    {
      /* The address may have open parentheses, or is no address at all. */
      for (const char *p = at; p < end; p++)
        if (g_ascii_isspace (*p) || g_ascii_iscntrl (*p))
          return FALSE;
    }
  else if (behind == NULL && at < end
           && (memchr (at, '\n', (gsize) (end - at)) != NULL
               || memchr (at, '>', (gsize) (end - at)) != NULL))
    return FALSE;
  self->end = self->at;
  return TRUE;
}

/* Replaces @characters from @at to the end, so that the parser takes them for text. */
static void
make_plain (Inlines *self, gsize at, const char *characters)
{
  for (; at < self->end; at++)
    if (strchr (characters, self->view[at]) != NULL && self->view[at] != '\0')
      self->view[at] = '.';
}

/* Tells whether a tag or an address in angle brackets may continue at @end. */
static gboolean
may_be_angled (const char *at, const char *end)
{
  gboolean address = TRUE;
  char quote = '\0';

  if (*at == '/')
    at++;
  for (const char *p = at; p < end; p++)
    address = address && !g_ascii_isspace (*p);
  if (address && memchr (at, ':', (gsize) (end - at)) != NULL)
    return TRUE;
  for (; at < end; at++)
    {
      if (quote != '\0')
        quote = *at == quote ? '\0' : quote;
      else if (*at == '"' || *at == '\'')
        quote = *at;
      else if (!g_ascii_isalnum (*at) && !g_ascii_isspace (*at) && strchr ("_:.-=/", *at) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Reads a complete tag. A closing tag drops the tags that were opened after its partner, but not if
 * a mark of Markdown was opened in between. */
static void
parse_tag (Inlines *self, const char *at, const char *end)
{
  gboolean closing;
  const GadgetMarkdownTagName *tag = gadget_markdown_tag_find (at, end, &closing);

  if (tag == NULL || tag->role != GADGET_MARKDOWN_TAG_SPAN)
    return;
  if (!closing && self->n_marks < MAX_MARKS)
    self->marks[self->n_marks++] = (Mark) { .c = '<',
                                            .n = 1,
                                            .length = 1,
                                            .begin = (gsize) (at - self->view),
                                            .end = (gsize) (end - self->view),
                                            .tag = tag };
  for (guint i = self->n_marks; closing && i > 0 && self->marks[i - 1].tag != NULL; i--)
    if (self->marks[i - 1].tag == tag)
      {
        self->n_marks = i - 1;
        return;
      }
}

static gboolean
parse_angled (Inlines *self)
{
  const char *at = self->view + self->at + 1;
  const char *end = self->view + self->end;
  const char *p = at;

  while (p < end && *p != '>' && *p != '<')
    p++;
  if (p == end && gadget_markdown_tag_may_be (at - 1, end))
    {
      self->end = self->at;
      return TRUE;
    }
  self->at++;
  if (at == end || (!g_ascii_isalpha (*at) && *at != '/'))
    return FALSE;
  if (p < end)
    {
      if (*p == '>')
        {
          parse_tag (self, at - 1, p + 1);
          self->at = (gsize) (p + 1 - self->view);
        }
      return FALSE;
    }
  if (!may_be_angled (at, end))
    return FALSE;
  make_plain (self, self->at, "*_~`[]<:@\\");
  return TRUE;
}

static gboolean
is_url (const Inlines *self)
{
  static const char *const beginnings[] = { "http://", "https://", "ftp://", "www." };

  if (classify_before (self, self->at) == OTHER)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    {
      const gsize length = strlen (beginnings[i]);

      if (self->end - self->at >= length
          && g_ascii_strncasecmp (self->view + self->at, beginnings[i], length) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Reads an address in the text; delimiters in it are text. */
static gboolean
parse_url (Inlines *self)
{
  gsize at = self->at;

  if (!is_url (self))
    {
      self->at++;
      return FALSE;
    }
  while (at < self->end && !g_ascii_isspace (self->view[at]) && self->view[at] != '<'
         && self->view[at] != '*')
    at++;
  if (at < self->end && self->view[at] == '<'
      && gadget_markdown_tag_may_be (self->view + at, self->view + self->end))
    self->end = at;
  if (at < self->end)
    {
      self->at = at;
      return FALSE;
    }
  make_plain (self, self->at, "_~`[]:@");
  if (self->view[self->at + 3] == '.')
    self->view[self->at + 3] = '-';
  return TRUE;
}

/* Hides a possible mail address at the end, which cannot be recognized at its beginning. */
static void
hide_mail (Inlines *self)
{
  gsize at = self->end;

  while (at > self->begin && !g_ascii_isspace (self->view[at - 1]))
    at--;
  if (memchr (self->view + at, '@', self->end - at) != NULL
      && memchr (self->view + at, '>', self->end - at) == NULL)
    make_plain (self, at, "@");
}

/* Reads one character or element. Returns TRUE at the end. */
static gboolean
parse_character (Inlines *self)
{
  switch (self->view[self->at])
    {
    case '\\':
      if (self->at + 1 == self->end)
        {
          self->end = self->at;
          return TRUE;
        }
      self->at += 2;
      return FALSE;
    case '`':
      return parse_code (self);
    case '*':
    case '_':
    case '~':
      return parse_mark (self);
    case ']':
      if (self->at + 1 < self->end && self->view[self->at + 1] == '(')
        return parse_address (self);
      self->at++;
      return FALSE;
    case '<':
      return parse_angled (self);
    case 'f':
    case 'h':
    case 'w':
    case 'F':
    case 'H':
    case 'W':
      return parse_url (self);
    default:
      self->at++;
      return FALSE;
    }
}

/* Holds back marks that open at the very end, because they would be closed at once. */
static void
hold_marks (Inlines *self)
{
  for (;;)
    {
      const Mark *last = self->n_marks > 0 ? &self->marks[self->n_marks - 1] : NULL;

      while (self->end > self->begin && g_ascii_isspace (self->view[self->end - 1]))
        self->end--;
      if (last == NULL || last->end < self->end || last->n < last->length)
        return;
      self->end = last->begin;
      self->n_marks--;
    }
}

gsize
_gadget_markdown_close_inlines (char *view, gsize begin, gsize end, GString *closing)
{
  Inlines self = { .view = view, .begin = begin, .at = begin, .end = end };

  while (self.at < self.end && !parse_character (&self))
    ;
  hold_marks (&self);
  if (self.code == 0)
    hide_mail (&self);
  if (self.padded)
    g_string_append_c (closing, ' ');
  for (guint i = 0; i < self.code; i++)
    g_string_append_c (closing, '`');
  for (guint i = self.n_marks; i > 0; i--)
    {
      /* Separated by other text, because the length of a run of marks matters. */
      if (closing->len > 0)
        g_string_append (closing, " .");
      if (self.marks[i - 1].tag != NULL)
        {
          g_string_append_printf (closing, "</%s>", self.marks[i - 1].tag->name);
          continue;
        }
      for (guint k = 0; k < self.marks[i - 1].n; k++)
        g_string_append_c (closing, self.marks[i - 1].c);
    }
  return self.end;
}

gboolean
_gadget_markdown_is_open_at (const char *text, gsize begin, gsize at)
{
  g_autofree char *copy = g_strndup (text + begin, at - begin);
  Inlines self = { .view = copy, .end = at - begin };
  guint brackets = 0;

  while (self.at < self.end)
    {
      const char c = copy[self.at];

      if (c == '[')
        brackets++;
      else if (c == ']' && brackets > 0)
        brackets--;
      if (parse_character (&self))
        return TRUE;
    }
  return self.n_marks > 0 || brackets > 0;
}
