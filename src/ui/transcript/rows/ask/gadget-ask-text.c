/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lays out the body of a permission as one text: line numbers, signs and argument names become
 * characters of it. The functions use no widgets. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-text.h"

#include "common/gadget-line-diff.h"
#include "common/gadget-visible.h"
#include "ui/transcript/model/gadget-diff.h"

#include <stdio.h>
#include <string.h>

/* The longest name that widens the first column, in characters. */
#define MAX_NAME 16
#define PLAIN_INDENT 2
#define MINUS "\u2212"

/* The state of writing a GadgetAskText. */
typedef struct
{
  GadgetAskText *self;
  GString *text;
  guint digits;
  gboolean narrow;
  guint old_number;
  guint new_number;
  guint name_width;
} Writer;

/* gadget_ask_text_free: frees its lines, too; @self may not be NULL. */
void
gadget_ask_text_free (GadgetAskText *self)
{
  g_free (self->text);
  g_array_unref (self->lines);
  g_free (self);
}

static void
begin_line (Writer *writer, GadgetAskLineKind kind)
{
  const GadgetAskLine line = { kind, writer->text->len, writer->text->len };

  if (writer->self->lines->len > 0)
    {
      g_string_append_c (writer->text, '\n');
      g_array_append_val (writer->self->lines, line);
      g_array_index (writer->self->lines, GadgetAskLine, writer->self->lines->len - 1).start++;
    }
  else
    g_array_append_val (writer->self->lines, line);
}

/* The line's own text begins here. */
static void
end_prefix (Writer *writer)
{
  g_array_index (writer->self->lines, GadgetAskLine, writer->self->lines->len - 1).text_start =
      writer->text->len;
}

static void
append_spaces (GString *text, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_c (text, ' ');
}

static void
append_number (Writer *writer, guint number)
{
  if (number > 0)
    g_string_append_printf (writer->text, "%*u ", (int) writer->digits, number);
  else
    append_spaces (writer->text, writer->digits + 1);
}

/* --- A file ----------------------------------------------------------------------------------- */

static void
write_file_line (Writer *writer, const char *line)
{
  begin_line (writer, GADGET_ASK_LINE_PLAIN);
  append_number (writer, ++writer->new_number);
  g_string_append_c (writer->text, ' ');
  end_prefix (writer);
  g_string_append (writer->text, line);
}

/* --- A difference ----------------------------------------------------------------------------- */

/* Writes a line such as "@@ -86,11 +86,15 @@"; when it has no numbers, the lines that follow have
 * none. */
static void
write_range (Writer *writer, const char *line)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *shown = NULL;

  gadget_diff_parse_range (line, &writer->old_number, &writer->new_number);
  parts = g_strsplit (line, " -", 2);
  shown = g_strjoinv (" " MINUS, parts);
  begin_line (writer, GADGET_ASK_LINE_RANGE);
  g_string_append (writer->text, shown);
}

static void
write_diff_line (Writer *writer, const char *line)
{
  const gboolean added = *line == '+';
  const gboolean removed = *line == '-';
  guint old_number, new_number;

  if (g_str_has_prefix (line, "@@"))
    {
      write_range (writer, line);
      return;
    }
  if (!added && !removed && *line != ' ')
    {
      begin_line (writer, GADGET_ASK_LINE_RANGE);
      append_spaces (writer->text, writer->self->indent);
      g_string_append (writer->text, line);
      return;
    }
  old_number = added || writer->old_number == 0 ? 0 : writer->old_number++;
  new_number = removed || writer->new_number == 0 ? 0 : writer->new_number++;
  begin_line (writer, added     ? GADGET_ASK_LINE_ADDED
                      : removed ? GADGET_ASK_LINE_REMOVED
                                : GADGET_ASK_LINE_PLAIN);
  if (writer->narrow)
    append_number (writer, removed ? old_number : new_number);
  else
    {
      append_number (writer, old_number);
      append_number (writer, new_number);
    }
  g_string_append (writer->text, added ? "+ " : removed ? MINUS " " : "  ");
  end_prefix (writer);
  g_string_append (writer->text, line + 1);
}

/* --- Arguments -------------------------------------------------------------------------------- */

static guint
get_name_length (const char *line)
{
  const char *colon = *line != '\t' ? strstr (line, ": ") : NULL;

  return colon != NULL ? (guint) g_utf8_strlen (line, colon - line) : 0;
}

static void
write_argument_line (Writer *writer, const char *line)
{
  const guint length = get_name_length (line);
  const char *value = *line == '\t' ? line + 1 : line;

  begin_line (writer, GADGET_ASK_LINE_PLAIN);
  if (length > 0)
    {
      value = strstr (line, ": ") + 2;
      g_string_append_len (writer->text, line, value - 2 - line);
    }
  append_spaces (writer->text, writer->name_width > length ? writer->name_width + 2 - length : 2);
  end_prefix (writer);
  g_string_append (writer->text, value);
}

/* --- All -------------------------------------------------------------------------------------- */

static void
write_plain_line (Writer *writer, const char *line)
{
  begin_line (writer, GADGET_ASK_LINE_PLAIN);
  g_string_append (writer->text, line);
}

static void
write_line (Writer *writer, GadgetPromptBody kind, const char *line)
{
  switch (kind)
    {
    case GADGET_PROMPT_BODY_FILE:
      write_file_line (writer, line);
      break;
    case GADGET_PROMPT_BODY_DIFF:
      write_diff_line (writer, line);
      break;
    case GADGET_PROMPT_BODY_ARGUMENTS:
      write_argument_line (writer, line);
      break;
    case GADGET_PROMPT_BODY_PLAIN:
    default:
      write_plain_line (writer, line);
    }
}

/* Writes the beginning of a line that is too long, and "…"; the line still counts as omitted. */
static void
write_cut_line (Writer *writer, GadgetPromptBody kind, const char *line, gsize length)
{
  g_autofree char *beginning = g_strndup (line, length);

  *g_utf8_find_prev_char (beginning, beginning + length) = '\0';
  write_line (writer, kind, beginning);
  g_string_append (writer->text, "…");
}

static guint
count_digits (guint n)
{
  guint digits = 1;

  for (; n >= 10; n /= 10)
    digits++;
  return MAX (digits, 3);
}

/* Returns the highest line number in the hunks of a difference. */
static guint
find_highest_number (const char *body)
{
  guint highest = 0;

  for (const char *at = body; at != NULL && *at != '\0'; at = strstr (at + 1, "\n@@ -"))
    {
      guint old_first = 0, old_count = 0, new_first = 0, new_count = 0;

      if (sscanf (*at == '\n' ? at + 1 : at, "@@ -%u,%u +%u,%u", &old_first, &old_count, &new_first,
                  &new_count)
          == 4)
        highest = MAX (highest, MAX (old_first + old_count, new_first + new_count));
    }
  return highest;
}

static void
measure (Writer *writer, GadgetPromptBody kind, const char *body, char **lines)
{
  GadgetAskText *self = writer->self;

  switch (kind)
    {
    case GADGET_PROMPT_BODY_FILE:
      writer->digits = count_digits (self->n_lines);
      self->indent = writer->digits + 2;
      break;
    case GADGET_PROMPT_BODY_DIFF:
      writer->digits = count_digits (find_highest_number (body));
      self->indent = (writer->digits + 1) * (writer->narrow ? 1 : 2) + 2;
      break;
    case GADGET_PROMPT_BODY_ARGUMENTS:
      for (guint i = 0; lines[i] != NULL; i++)
        writer->name_width = MAX (writer->name_width, MIN (get_name_length (lines[i]), MAX_NAME));
      self->indent = writer->name_width + 2;
      break;
    case GADGET_PROMPT_BODY_PLAIN:
    default:
      self->indent = PLAIN_INDENT;
    }
}

/**
 * gadget_ask_text_new:
 * @narrow: whether a difference has one number per line instead of two
 * @max_lines: the most lines that are laid out
 * @max_length: the most bytes that are laid out; a first line that is longer is cut
 *
 * Returns: (transfer full): the text
 */
GadgetAskText *
gadget_ask_text_new (GadgetPromptBody kind, const char *body, gboolean narrow, guint max_lines,
                     gsize max_length)
{
  GadgetAskText *self = g_new0 (GadgetAskText, 1);
  g_autofree char *visible = NULL;
  g_auto (GStrv) lines = NULL;
  Writer writer = { .self = self, .text = g_string_new (NULL), .narrow = narrow };

  g_assert (body != NULL);

  visible = gadget_visible_escape_counted (body, &self->n_escaped);
  self->n_lines = gadget_line_count (visible, strlen (visible));
  self->n_omitted = self->n_lines;
  self->lines = g_array_new (FALSE, FALSE, sizeof (GadgetAskLine));
  /* GLib reserves memory for as many parts as it is told that there may be. */
  lines = g_strsplit (visible, "\n", max_lines < self->n_lines ? (int) max_lines + 1 : -1);
  measure (&writer, kind, visible, lines);
  if (self->n_lines == 0)
    write_plain_line (&writer, "");
  for (guint i = 0; lines[i] != NULL && i < max_lines && i < self->n_lines; i++)
    {
      const gsize left = max_length > writer.text->len ? max_length - writer.text->len : 0;

      if (strlen (lines[i]) > left)
        {
          if (i == 0)
            write_cut_line (&writer, kind, lines[i], left);
          break;
        }
      write_line (&writer, kind, lines[i]);
      self->n_omitted--;
    }
  self->text = g_string_free_and_steal (writer.text);
  return self;
}
