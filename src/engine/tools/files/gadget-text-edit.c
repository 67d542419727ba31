/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Applies edits of models to a text. Models write line ends as "\n". In a file with other line ends
 * such a text is searched, and inserted, with the file's own line ends; a text with "\r\n" is used
 * as it is. */

#define G_LOG_DOMAIN "gadget-text-edit"

#include "config.h"

#include "gadget-text-edit.h"

#include <string.h>

#define BOM "\xef\xbb\xbf"
#define MAX_LINES_NAMED 5

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

/* Returns the first line of @text that is not blank, without the white space around it; "" if there
 * is none. */
static char *
dup_first_words (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      return g_strdup (lines[i]);
  return g_strdup ("");
}

/* Returns the number of a line that equals the first line of @what except for white space; 0 if
 * there is none. */
static guint
find_similar (const GString *text, const char *what)
{
  g_autofree char *words = dup_first_words (what);
  const char *match = *words != '\0' ? memmem (text->str, text->len, words, strlen (words)) : NULL;

  return match != NULL ? line_at (text, (gsize) (match - text->str)) : 0;
}

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

static void
set_not_found (GError **error, const GString *text, const char *what)
{
  const guint line = find_similar (text, what);

  if (line > 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 "\"old_text\" is not in the file. Near line %u it is similar: compare what stands "
                 "there, white space included, and read it again if needed.",
                 line);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         "\"old_text\" is not in the file, nor is its first line. Read the file "
                         "again.");
}

static void
set_ambiguous (GError **error, const GString *text, GArray *found)
{
  g_autofree char *lines = dup_lines (text, found);

  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "\"old_text\" is in the file %u times, at lines %s. Give more of the text around the "
      "one that is meant, or set \"replace_all\".",
      found->len, lines);
}

/* --- Applying --------------------------------------------------------------------------------- */

static const char *
skip_bom (const char *text)
{
  return g_str_has_prefix (text, BOM) ? text + strlen (BOM) : text;
}

static void
replace_found (GString *text, GArray *found, const char *old_text, const char *new_text)
{
  g_autoptr (GString) result = g_string_sized_new (text->len);
  gsize at = 0;

  for (guint i = 0; i < found->len; i++)
    {
      const gsize offset = g_array_index (found, gsize, i);

      g_string_append_len (result, text->str + at, (gssize) (offset - at));
      g_string_append (result, new_text);
      at = offset + strlen (old_text);
    }
  g_string_append_len (result, text->str + at, (gssize) (text->len - at));
  g_string_assign (text, "");
  g_string_append_len (text, result->str, (gssize) result->len);
}

static gboolean
apply_one (GString *text, const GadgetTextEdit *edit, GError **error)
{
  const char *plain_old = skip_bom (edit->old_text);
  const char *plain_new = skip_bom (edit->new_text);
  g_autofree char *crlf_old = to_crlf (plain_old);
  g_autofree char *crlf_new = to_crlf (plain_new);
  gboolean crlf = is_crlf (text);
  g_autoptr (GArray) found = NULL;

  if (*plain_old == '\0')
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           "\"old_text\" is empty.");
      return FALSE;
    }
  found = find_all (text, crlf ? crlf_old : plain_old, !edit->all);
  if (found->len == 0 && !g_str_equal (crlf_old, plain_old))
    {
      /* The file mixes both line ends. */
      crlf = !crlf;
      g_clear_pointer (&found, g_array_unref);
      found = find_all (text, crlf ? crlf_old : plain_old, !edit->all);
    }
  if (found->len == 0)
    {
      set_not_found (error, text, plain_old);
      return FALSE;
    }
  if (found->len > 1 && !edit->all)
    {
      set_ambiguous (error, text, found);
      return FALSE;
    }
  replace_found (text, found, crlf ? crlf_old : plain_old, crlf ? crlf_new : plain_new);
  return TRUE;
}

char *
_gadget_text_edit_apply (const char *text, gsize length, GPtrArray *edits, gsize *new_length,
                         GError **error)
{
  const gsize bom =
      length >= strlen (BOM) && memcmp (text, BOM, strlen (BOM)) == 0 ? strlen (BOM) : 0;
  g_autoptr (GString) result = g_string_new_len (text + bom, (gssize) (length - bom));

  g_assert (new_length != NULL);

  for (guint i = 0; i < edits->len; i++)
    if (!apply_one (result, g_ptr_array_index (edits, i), error))
      {
        if (edits->len > 1)
          g_prefix_error (error, "Edit %u of %u: ", i + 1, edits->len);
        if (error != NULL)
          {
            g_autofree char *message = g_steal_pointer (&(*error)->message);

            (*error)->message = g_strconcat (message, " Nothing was changed.", NULL);
          }
        return NULL;
      }
  if (bom > 0)
    g_string_prepend_len (result, BOM, (gssize) bom);
  *new_length = result->len;
  return g_string_free_and_steal (g_steal_pointer (&result));
}
