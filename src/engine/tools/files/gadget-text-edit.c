/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Applies edits of models to a text. Models write line ends as "\n". In a file with other line ends
 * such a text is searched, and inserted, with the file's own line ends; a text with "\r\n" is used
 * as it is.
 *
 * The exact place comes first. Only an old text that is nowhere in the file may fit a place of
 * whole lines by rules, which gadget-text-fit.c has; the result says so and shows the place. */

#define G_LOG_DOMAIN "gadget-text-edit"

#include "config.h"

#include "gadget-text-edit.h"

#include "gadget-text-fit.h"
#include "gadget-text-lines.h"
#include "gadget-text-nearest.h"
#include "gadget-text-reading.h"

#include <string.h>

#define BOM "\xef\xbb\xbf"
#define MAX_LINES_NAMED 5
#define MAX_LINES_SHOWN 3
#define MAX_REGION_LINES 30

GadgetTextEdit *
_gadget_text_edit_new (const char *old_text, const char *new_text, gboolean all)
{
  GadgetTextEdit *self = g_new0 (GadgetTextEdit, 1);

  self->old_text = g_strdup (old_text);
  self->new_text = g_strdup (new_text);
  self->all = all;
  return self;
}

void
_gadget_text_edit_free (GadgetTextEdit *self)
{
  g_free (self->old_text);
  g_free (self->new_text);
  g_free (self);
}

/* Returns @text with each lone "\n" replaced by "\r\n". */
static char *
to_crlf (const char *text)
{
  g_autoptr (GString) string = g_string_new (NULL);

  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '\n' && (c == text || c[-1] != '\r'))
        g_string_append_c (string, '\r');
      g_string_append_c (string, *c);
    }
  return g_string_free_and_steal (g_steal_pointer (&string));
}

/* Returns @text with each "\r\n" replaced by "\n". */
static char *
to_lf (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "\r\n", -1);

  return g_strjoinv ("\n", parts);
}

/* Returns whether more lines end with "\r\n" than with "\n". */
static gboolean
is_crlf (const GString *text)
{
  gsize n_crlf = 0;
  gsize n_lf = 0;

  for (gsize i = 0; i < text->len; i++)
    if (text->str[i] == '\n')
      {
        if (i > 0 && text->str[i - 1] == '\r')
          n_crlf++;
        else
          n_lf++;
      }
  return n_crlf > n_lf;
}

/* Returns the offsets of @what. Overlapping occurrences count separately when exactly one is
 * expected, and not when all are replaced. */
static GArray *
find_all (const GString *text, const char *what, gboolean overlapping)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (gsize));
  const gsize length = strlen (what);

  for (gsize at = 0; at < text->len;)
    {
      const char *match = memmem (text->str + at, text->len - at, what, length);
      gsize offset;

      if (match == NULL)
        break;
      offset = (gsize) (match - text->str);
      g_array_append_val (found, offset);
      at = offset + (overlapping ? 1 : length);
    }
  return found;
}

static guint
line_at (const GString *text, gsize offset)
{
  guint line = 1;

  for (gsize i = 0; i < offset; i++)
    line += text->str[i] == '\n' ? 1 : 0;
  return line;
}

/* --- Error messages --------------------------------------------------------------------------- */

static char *
dup_lines (const GString *text, GArray *found)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < MIN (found->len, MAX_LINES_NAMED); i++)
    g_string_append_printf (lines, "%s%u", i > 0 ? ", " : "",
                            line_at (text, g_array_index (found, gsize, i)));
  if (found->len > MAX_LINES_NAMED)
    g_string_append (lines, ", …");
  return g_string_free_and_steal (g_steal_pointer (&lines));
}

/* Shows the lines of the first places. */
static char *
show_lines (const GString *text, GArray *found)
{
  g_autoptr (GArray) lines = _gadget_text_lines_new (text->str, text->len);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (GadgetTextSpan));

  for (guint i = 0; i < MIN (found->len, MAX_LINES_SHOWN); i++)
    {
      const GadgetTextSpan span = { line_at (text, g_array_index (found, gsize, i)) - 1, 1 };

      g_array_append_val (spans, span);
    }
  return _gadget_text_describe_spans (lines, spans);
}

static void
set_ambiguous (GError **error, const GString *text, GArray *found)
{
  g_autofree char *lines = dup_lines (text, found);
  g_autofree char *shown = show_lines (text, found);

  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "\"old_text\" is in the file %u times, at lines %s. Give more of the text around the "
      "one that is meant, or set \"replace_all\".\n%s",
      found->len, lines, shown);
}

/* --- Lines without their indentation ---------------------------------------------------------- */

/* Returns the bytes of blanks before an offset, if nothing else is before it in its line. */
static gsize
count_indent_before (const GString *text, gsize offset)
{
  gsize begin = offset;

  while (begin > 0 && (text->str[begin - 1] == ' ' || text->str[begin - 1] == '\t'))
    begin--;
  return begin == 0 || text->str[begin - 1] == '\n' ? offset - begin : 0;
}

static gboolean
lacks (const GadgetTextLine *line, const char *indent, gsize n_indent)
{
  return !_gadget_text_line_is_blank (line)
         && (line->length < n_indent || memcmp (line->text, indent, n_indent) != 0);
}

/* Returns whether a line is one of some lines after their first one. */
static gboolean
has_line (const GArray *lines, const GadgetTextLine *line)
{
  for (guint i = 1; i < lines->len; i++)
    if (_gadget_text_line_equals (&g_array_index (lines, GadgetTextLine, i), line))
      return !_gadget_text_line_is_blank (line);
  return FALSE;
}

/* Returns whether a new line after the first one lacks @indent, before any that the old text has,
 * too: such a line shows that the lines are meant as they are given. So does an old line without it
 * after the first one, if it is replaced. */
static gboolean
lacks_indent (const char *old_text, const char *new_text, const char *indent, gsize n_indent)
{
  g_autoptr (GArray) olds = _gadget_text_lines_new (old_text, strlen (old_text));
  g_autoptr (GArray) news = _gadget_text_lines_new (new_text, strlen (new_text));
  const GadgetTextLine *old_lines = (const GadgetTextLine *) (gpointer) olds->data;
  const GadgetTextLine *new_lines = (const GadgetTextLine *) (gpointer) news->data;

  if (olds->len > 1 && news->len > 1 && _gadget_text_line_equals (&old_lines[0], &new_lines[0])
      && lacks (&old_lines[1], indent, n_indent) && !has_line (news, &old_lines[1]))
    return FALSE;
  for (guint i = 1; i < news->len && !has_line (olds, &new_lines[i]); i++)
    if (lacks (&new_lines[i], indent, n_indent))
      return TRUE;
  return FALSE;
}

static gboolean
ends_line (const GString *text, gsize end)
{
  return end == text->len || text->str[end] == '\n' || text->str[end] == '\r'
         || text->str[end - 1] == '\n';
}

/* An old text that lacks the indentation of its first line is in the file, but as a part of a line:
 * the rest of the new text would lose the indentation, or a new first line that has it would get it
 * twice. Returns whether an edit at an offset would do that. */
static gboolean
breaks_indent (const GString *text, gsize offset, const char *old_text, const char *new_text)
{
  const gsize n_before = count_indent_before (text, offset);
  const gsize n_own = strspn (old_text, " \t");
  const char *indent = text->str + offset - n_before;

  if (n_before == 0 || !ends_line (text, offset + strlen (old_text)))
    return FALSE;
  return lacks_indent (old_text, new_text, indent, n_before + n_own)
         || (n_own == 0 && strncmp (new_text, indent, n_before) == 0);
}

/* --- Applying --------------------------------------------------------------------------------- */

/* A part of the text that an edit changed by rules. */
typedef struct
{
  guint edit; /* its number, from 1 */
  guint rules;
  gsize offset;
  gsize length;
} Region;

/* Moves the regions when a part of the text is replaced. One that is changed again grows. */
static void
move_regions (GArray *regions, gsize offset, gsize removed, gsize added)
{
  for (guint i = 0; i < regions->len; i++)
    {
      Region *region = &g_array_index (regions, Region, i);
      const gsize end = MAX (region->offset + region->length, offset + removed);

      if (region->offset >= offset + removed)
        region->offset += added - removed;
      else if (region->offset + region->length > offset)
        {
          region->offset = MIN (region->offset, offset);
          region->length = end - region->offset + added - removed;
        }
    }
}

static void
replace (GString *text, GArray *regions, gsize offset, gsize length, const char *new_text)
{
  move_regions (regions, offset, length, strlen (new_text));
  g_string_erase (text, (gssize) offset, (gssize) length);
  g_string_insert (text, (gssize) offset, new_text);
}

/* An edit as it is searched in a text. */
typedef struct
{
  char *old_text;
  char *new_text;
  GArray *found; /* of gsize: where the old text is */
} Exact;

static void
exact_clear (Exact *self)
{
  g_free (self->old_text);
  g_free (self->new_text);
  g_clear_pointer (&self->found, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Exact, exact_clear)

static const char *
skip_bom (const char *text)
{
  return g_str_has_prefix (text, BOM) ? text + strlen (BOM) : text;
}

static void
find_with (Exact *self, const GString *text, const GadgetTextEdit *edit, gboolean crlf)
{
  const char *old_text = skip_bom (edit->old_text);
  const char *new_text = skip_bom (edit->new_text);

  exact_clear (self);
  self->old_text = crlf ? to_crlf (old_text) : g_strdup (old_text);
  /* Only an old text with line ends can ask for other ones. */
  if (strchr (old_text, '\n') == NULL && memmem (text->str, text->len, "\r\n", 2) == NULL)
    self->new_text = to_lf (new_text);
  else
    self->new_text = crlf ? to_crlf (new_text) : g_strdup (new_text);
  self->found = find_all (text, self->old_text, !edit->all);
}

static void
find_exact (Exact *self, const GString *text, const GadgetTextEdit *edit)
{
  const gboolean crlf = is_crlf (text);

  find_with (self, text, edit, crlf);
  /* The file mixes both line ends. */
  if (self->found->len == 0 && strchr (edit->old_text, '\n') != NULL)
    find_with (self, text, edit, !crlf);
}

static void
replace_found (GString *text, GArray *regions, const Exact *exact)
{
  const gsize length = strlen (exact->old_text);
  g_autoptr (GString) result = g_string_sized_new (text->len);
  gsize at = 0;

  for (guint i = 0; i < exact->found->len; i++)
    {
      const gsize offset = g_array_index (exact->found, gsize, i);

      g_string_append_len (result, text->str + at, (gssize) (offset - at));
      move_regions (regions, result->len, length, strlen (exact->new_text));
      g_string_append (result, exact->new_text);
      at = offset + length;
    }
  g_string_append_len (result, text->str + at, (gssize) (text->len - at));
  g_string_assign (text, "");
  g_string_append_len (text, result->str, (gssize) result->len);
}

static gboolean
apply_fit (GString *text, GArray *regions, const GadgetTextEdit *edit, guint number,
           const char *path, GError **error)
{
  g_autoptr (GadgetTextFit) fit =
      _gadget_text_fit_find (text->str, text->len, path, edit->old_text, edit->new_text, error);

  if (fit == NULL)
    return FALSE;
  replace (text, regions, fit->offset, fit->length, fit->text);

  const Region region = { number, fit->rules, fit->offset, strlen (fit->text) };

  g_array_append_val (regions, region);
  return TRUE;
}

static gboolean
refuse_indent (const GString *text, gsize offset, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "\"old_text\" begins after the indentation of line %u, so that the lines of "
               "\"new_text\" would not be indented like it. Give whole lines in both texts, with "
               "their indentation.",
               line_at (text, offset));
  return FALSE;
}

static gboolean
apply_one (GString *text, GArray *regions, const GadgetTextEdit *edit, guint number,
           const char *path, GError **error)
{
  g_auto (Exact) exact = { 0 };

  if (*skip_bom (edit->old_text) == '\0')
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           "\"old_text\" is empty.");
      return FALSE;
    }
  find_exact (&exact, text, edit);
  if (exact.found->len == 0)
    return apply_fit (text, regions, edit, number, path, error);
  if (exact.found->len > 1 && !edit->all)
    {
      set_ambiguous (error, text, exact.found);
      return FALSE;
    }
  for (guint i = 0; i < exact.found->len; i++)
    {
      const gsize offset = g_array_index (exact.found, gsize, i);

      if (!breaks_indent (text, offset, exact.old_text, exact.new_text))
        continue;
      /* With a part of the indentation, the lines may still fit as a block that was moved. */
      return exact.found->len == 1 && g_ascii_isspace (*exact.old_text)
                 ? apply_fit (text, regions, edit, number, path, error)
                 : refuse_indent (text, offset, error);
    }
  replace_found (text, regions, &exact);
  return TRUE;
}

/* --- Results ---------------------------------------------------------------------------------- */

static void
append_region (GString *note, const GString *text, const Region *region)
{
  g_autofree char *rules = _gadget_text_rules_describe (region->rules);
  g_autofree char *part = g_utf8_make_valid (text->str + region->offset, (gssize) region->length);
  const guint first = line_at (text, region->offset);
  g_auto (GStrv) lines = g_strsplit (part, "\n", MAX_REGION_LINES + 1);
  const guint n = g_strv_length (lines);
  const gboolean cut = n > MAX_REGION_LINES;

  if (cut)
    g_set_str (&lines[MAX_REGION_LINES], "…");
  g_string_append_printf (note,
                          "\nThe old text of edit %u was not in the file exactly; it fitted but "
                          "for %s. ",
                          region->edit, rules);
  if (region->length == 0)
    g_string_append_printf (note, "Its lines before line %u are gone.", first);
  else
    {
      g_autofree char *shown = g_strjoinv ("\n", lines);

      g_string_append_printf (note, "From line %u on, the file has now:\n%s", first,
                              g_strchomp (shown));
    }
}

static char *
describe_regions (const GString *text, GArray *regions)
{
  g_autoptr (GString) note = g_string_new (NULL);

  for (guint i = 0; i < regions->len; i++)
    append_region (note, text, &g_array_index (regions, Region, i));
  return note->len > 0 ? g_string_free_and_steal (g_steal_pointer (&note)) : NULL;
}

static void
add_context (GError **error, guint number, guint n_edits)
{
  g_autofree char *message = NULL;

  if (error == NULL)
    return;
  if (n_edits > 1)
    g_prefix_error (error, "Edit %u of %u: ", number, n_edits);
  message = g_strchomp (g_steal_pointer (&(*error)->message));
  (*error)->message = g_strconcat (message, strchr (message, '\n') != NULL ? "\n" : " ",
                                   "Nothing was changed.", NULL);
}

char *
_gadget_text_edit_apply (const char *text, gsize length, const char *path, GPtrArray *edits,
                         gsize *new_length, char **note, GError **error)
{
  const gsize bom =
      length >= strlen (BOM) && memcmp (text, BOM, strlen (BOM)) == 0 ? strlen (BOM) : 0;
  g_autoptr (GString) result = g_string_new_len (text + bom, (gssize) (length - bom));
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (Region));

  g_assert (new_length != NULL && note != NULL);

  for (guint i = 0; i < edits->len; i++)
    if (!apply_one (result, regions, g_ptr_array_index (edits, i), i + 1, path, error))
      {
        add_context (error, i + 1, edits->len);
        return NULL;
      }
  *note = describe_regions (result, regions);
  if (bom > 0)
    g_string_prepend_len (result, BOM, (gssize) bom);
  *new_length = result->len;
  return g_string_free_and_steal (g_steal_pointer (&result));
}
