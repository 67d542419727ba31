/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plain functions on the text of a difference. They scan the text anew in each call and keep
 * nothing. */

#define G_LOG_DOMAIN "gadget-diff"

#include "config.h"

#include "gadget-diff.h"

#include <string.h>

/* A difference with more than MAX_LINES lines is folded to FOLDED_LINES. */
#define MAX_LINES 40
#define FOLDED_LINES 24

#define NO_FILE "/dev/null"
#define NEW_FILE_RANGE "@@ -0,0 +1"

#define SEPARATOR " · "
#define MINUS "−"

gboolean
gadget_diff_is_in (GadgetItem *item)
{
  const char *name = gadget_item_get_name (item);

  return (g_strcmp0 (name, "write_file") == 0 || g_strcmp0 (name, "edit_file") == 0)
         && g_str_has_prefix (gadget_item_get_text (item), "--- ");
}

static gsize
skip_line (const char *text, gsize length, gsize at)
{
  const char *newline = memchr (text + at, '\n', length - at);

  return newline != NULL ? (gsize) (newline - text) + 1 : length;
}

static guint
count_lines (const char *text, gsize length, gsize at)
{
  guint n = 0;

  for (; at < length; at = skip_line (text, length, at))
    n++;
  return n;
}

/* Returns where the shown lines begin. The two lines that name the file are skipped, since the
 * tool's line names it; so is the "@@" line of a new file, whose only hunk is the whole file. */
static gsize
skip_head (const char *text, gsize length)
{
  const gsize at = skip_line (text, length, skip_line (text, length, 0));

  return g_str_has_prefix (text + at, NEW_FILE_RANGE) ? skip_line (text, length, at) : at;
}

void
gadget_diff_get_range (const char *text, gsize length, gboolean unfolded_diffs, gsize *start,
                       gsize *end)
{
  *start = skip_head (text, length);
  *end = length;
  if (unfolded_diffs || count_lines (text, length, *start) <= MAX_LINES)
    return;
  *end = *start;
  for (guint i = 0; i < FOLDED_LINES; i++)
    *end = skip_line (text, length, *end);
}

guint
gadget_diff_count_folded (const char *text, gsize length)
{
  const guint n = count_lines (text, length, skip_head (text, length));

  return n > MAX_LINES ? n : 0;
}

static char *
dup_name_after (const char *text, gsize length, gsize at, const char *sign)
{
  const gsize end = skip_line (text, length, at);
  const gsize start = at + strlen (sign);

  if (end <= start || strncmp (text + at, sign, strlen (sign)) != 0 || text[end - 1] != '\n')
    return NULL;
  return g_strndup (text + start, end - 1 - start);
}

/**
 * gadget_diff_dup_name:
 *
 * Returns: (transfer full) (nullable): the name in the two lines at the beginning of a difference
 */
char *
gadget_diff_dup_name (const char *text, gsize length)
{
  g_autofree char *new_name = dup_name_after (text, length, skip_line (text, length, 0), "+++ ");

  if (new_name != NULL && !g_str_equal (new_name, NO_FILE))
    return g_steal_pointer (&new_name);
  return dup_name_after (text, length, 0, "--- ");
}

gboolean
gadget_diff_is_whole (const char *text, gsize length)
{
  const char *before;

  if (length > 0 && text[length - 1] == '\n')
    length--;
  before = memrchr (text, '\n', length);
  /* A tool that cut off the end adds a line that begins with "[", which no line of a difference
   * does. */
  return before == NULL || before[1] != '[';
}

void
gadget_diff_parse_range (const char *line, guint *old_number, guint *new_number)
{
  const char *minus = strstr (line, " -");
  const char *plus = strstr (line, " +");

  *old_number = minus != NULL ? (guint) g_ascii_strtoull (minus + 2, NULL, 10) : 0;
  *new_number = plus != NULL ? (guint) g_ascii_strtoull (plus + 2, NULL, 10) : 0;
}

GadgetDiffLine
gadget_diff_get_line (const char *line)
{
  switch (*line)
    {
    case '+':
      return GADGET_DIFF_ADDED;
    case '-':
      return GADGET_DIFF_REMOVED;
    case '@':
      return GADGET_DIFF_RANGE;
    case ' ':
      return GADGET_DIFF_SAME;
    default:
      return GADGET_DIFF_NOTE;
    }
}

static gboolean
read_count (const char **at, const char *mark, guint *count)
{
  char *end;

  if (!g_str_has_prefix (*at, mark))
    return FALSE;
  *at += strlen (mark);
  if (!g_ascii_isdigit (**at))
    return FALSE;
  *count = (guint) MIN (g_ascii_strtoull (*at, &end, 10), G_MAXUINT);
  *at = end;
  return TRUE;
}

gboolean
gadget_diff_split_counts (const char *summary, gsize *length, guint *n_added, guint *n_removed)
{
  const char *tail = g_strrstr (summary, SEPARATOR "+");
  const char *at = tail != NULL ? tail + strlen (SEPARATOR) : NULL;

  if (at == NULL || !read_count (&at, "+", n_added) || !read_count (&at, " " MINUS, n_removed)
      || *at != '\0')
    return FALSE;
  *length = (gsize) (tail - summary);
  return TRUE;
}
