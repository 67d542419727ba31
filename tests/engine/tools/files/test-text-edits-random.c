/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Edits of random blocks of this project's own files, with the mistakes of models made by program.
 * An edit may be refused; when it is applied, the file must be what the edit meant, byte by byte.
 */

#include "config.h"

#include "tools/files/gadget-text-edit.h"

#include <string.h>

#define N_BLOCKS 2400
#define MAX_BLOCK 12
#define MAX_FILE (60 * 1024)
#define MORE " more" /* that is added to a line */

/* A line of the edit, as it is in both texts, and what it means. */
typedef struct
{
  char *old_line; /* (nullable): %NULL for a line that is added */
  char *new_line; /* (nullable): %NULL for one that is deleted */
  char *actual;   /* (nullable): the line in the file */
  char *wanted;   /* (nullable): what becomes of it */
} Line;

typedef struct
{
  char *path;
  GString *before; /* the file before the block */
  GString *after;
  GArray *lines;    /* of Line */
  gboolean newline; /* whether both texts end with one */
  char *old_text;
  char *new_text;
} Block;

static void
line_clear (gpointer data)
{
  Line *line = data;

  g_free (line->old_line);
  g_free (line->new_line);
  g_free (line->actual);
  g_free (line->wanted);
}

static void
block_free (Block *self)
{
  g_free (self->path);
  g_string_free (self->before, TRUE);
  g_string_free (self->after, TRUE);
  g_array_unref (self->lines);
  g_free (self->old_text);
  g_free (self->new_text);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Block, block_free)

static Line *
get_line (const Block *self, guint i)
{
  return &g_array_index (self->lines, Line, i);
}

/* --- Files ------------------------------------------------------------------------------------ */

static void
collect_files (const char *folder, GPtrArray *paths)
{
  static const char *const endings[] = { ".c", ".h", ".py", ".blp", ".md", ".build", ".json" };
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        collect_files (path, paths);
      for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
        if (g_str_has_suffix (name, endings[i]))
          g_ptr_array_add (paths, g_strdup (path));
    }
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static GPtrArray *
list_files (void)
{
  static const char *const folders[] = { "src", "tests", "data" };
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder =
          g_build_filename (g_getenv ("GADGET_SOURCE_ROOT"), folders[i], NULL);

      collect_files (folder, paths);
    }
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static char *
dup_indent (const char *line)
{
  return g_strndup (line, strspn (line, " \t"));
}

/* A line that no file has; sometimes with characters that mistakes are about. */
static char *
make_line (const char *like)
{
  static const char *const texts[] = { "added (%u);",           "say (\"n%u\", 'x');",
                                       "if (a%u < b && c > d)", "a%u - b = \"\\n\";",
                                       "note: it%u's - done",   "caf\u00e9 %u" };
  g_autofree char *indent = dup_indent (like);
  const char *text = texts[g_test_rand_int_range (0, G_N_ELEMENTS (texts))];
  g_autofree char *format =
      g_strconcat (indent, g_test_rand_int_range (0, 4) == 0 ? "  " : "", text, NULL);
  g_auto (GStrv) parts = g_strsplit (format, "%u", 2);

  return g_strdup_printf ("%s%d%s", parts[0], g_test_rand_int_range (0, 10000), parts[1]);
}

static void
add_line (Block *self, const char *actual)
{
  Line line = { g_strdup (actual), g_strdup (actual), g_strdup (actual), g_strdup (actual) };

  g_array_append_val (self->lines, line);
}

static void
set_new (Line *line, char *text)
{
  g_free (line->new_line);
  g_free (line->wanted);
  line->new_line = text;
  line->wanted = g_strdup (text);
}

/* Makes the change that the edit is for. */
static void
change (Block *self)
{
  const guint i = (guint) g_test_rand_int_range (0, (int) self->lines->len);
  Line *line = get_line (self, i);
  Line added = { NULL, NULL, NULL, NULL };

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      set_new (line, NULL);
      break;
    case 1:
      set_new (line, g_strconcat (line->actual, MORE, NULL));
      break;
    case 2:
      set_new (line, make_line (line->actual));
      break;
    default:
      set_new (&added, make_line (line->actual));
      g_array_insert_val (self->lines, i, added);
      break;
    }
}

static Block *
block_new (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (Block) self = NULL;
  guint n_lines, first, n;

  if (!g_file_get_contents (path, &text, NULL, NULL) || strlen (text) > MAX_FILE
      || !g_utf8_validate (text, -1, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  n_lines = g_strv_length (lines);
  if (n_lines < 3)
    return NULL;
  n = (guint) g_test_rand_int_range (1, MIN (MAX_BLOCK, (int) n_lines - 1));
  first = (guint) g_test_rand_int_range (0, (int) (n_lines - n));
  self = g_new0 (Block, 1);
  self->path = g_strdup (path);
  self->before = g_string_new (NULL);
  self->after = g_string_new (NULL);
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_array_set_clear_func (self->lines, line_clear);
  self->newline = g_test_rand_bit ();
  for (guint i = 0; i < n_lines - 1; i++)
    if (i < first)
      g_string_append_printf (self->before, "%s\n", lines[i]);
    else if (i < first + n)
      add_line (self, lines[i]);
    else
      g_string_append_printf (self->after, "%s\n", lines[i]);
  if (self->lines->len == 0)
    return NULL;
  change (self);
  return g_steal_pointer (&self);
}

static char *
join (const Block *self, gsize member, const char *end)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->lines->len; i++)
    {
      const char *line = G_STRUCT_MEMBER (char *, get_line (self, i), member);

      if (line != NULL)
        g_string_append_printf (text, "%s%s", line, end);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static char *
join_text (const Block *self, gsize member)
{
  char *text = join (self, member, "\n");

  if (!self->newline && *text != '\0')
    text[strlen (text) - 1] = '\0';
  return text;
}

/* --- Mistakes in lines ------------------------------------------------------------------------ */

typedef char *(*LineFunc) (const char *line, gpointer data);

static void
map_text (char **text, LineFunc func, gpointer data)
{
  g_autofree char *old_text = *text;

  *text = old_text != NULL ? func (old_text, data) : NULL;
}

static void
map_given (Block *self, LineFunc func, gpointer data)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      map_text (&get_line (self, i)->old_line, func, data);
      map_text (&get_line (self, i)->new_line, func, data);
    }
}

static gboolean
is_kept (const Line *line)
{
  return line->actual != NULL && line->wanted != NULL && g_str_equal (line->actual, line->wanted);
}

/* Changes the lines of the file. With PARTS, what is left of a line is as the file has it, too. */
static void
map_actual (Block *self, gboolean parts, LineFunc func, gpointer data)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = get_line (self, i);
      const gboolean kept = is_kept (line);
      const gboolean part = parts && line->actual != NULL && line->wanted != NULL && !kept
                            && g_str_has_suffix (line->wanted, MORE);

      map_text (&line->actual, func, data);
      if (kept || part)
        {
          g_free (line->wanted);
          line->wanted = g_strconcat (line->actual, part ? MORE : "", NULL);
        }
    }
}

static char *
add_blanks (const char *line, gpointer data)
{
  return g_strconcat (line, strlen (line) % 3 == 0 ? "\t" : "  ", NULL);
}

static char *
add_some_blanks (const char *line, gpointer data)
{
  return g_str_hash (line) % 2 == 0 ? g_strdup (line) : add_blanks (line, NULL);
}

static char *
indent_more (const char *line, gpointer data)
{
  return *line != '\0' ? g_strconcat (data, line, NULL) : g_strdup (line);
}

static char *
indent_less (const char *line, gpointer data)
{
  return g_strdup (line + MIN (strspn (line, " "), GPOINTER_TO_SIZE (data)));
}

static char *
blanks_to_tabs (const char *line, gpointer data)
{
  const gsize n = strspn (line, " ");
  g_autofree char *tabs = g_strnfill (n / GPOINTER_TO_SIZE (data), '\t');

  return g_strconcat (tabs, line + n - n % GPOINTER_TO_SIZE (data), NULL);
}

static char *
replace_all (const char *text, const char *const *pairs)
{
  g_autoptr (GString) string = g_string_new (text);

  for (guint i = 0; pairs[i] != NULL; i += 2)
    g_string_replace (string, pairs[i], pairs[i + 1], 0);
  return g_string_free_and_steal (g_steal_pointer (&string));
}

static char *
map_pairs (const char *line, gpointer data)
{
  return replace_all (line, data);
}

static char *
decompose (const char *line, gpointer data)
{
  return g_utf8_normalize (line, -1, G_NORMALIZE_NFD);
}

static const char *const curly[] = { " \"", " “", "(\"", "(“", "\"", "”", "'", "’", NULL };
static const char *const dashes[] = { " - ", " – ", NULL };
static const char *const spaces[] = { " ", "\u00a0", NULL };

static gsize
get_least_indent (const Block *self)
{
  gsize least = 8;

  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = get_line (self, i);

      if (line->old_line != NULL && *line->old_line != '\0')
        least = MIN (least, strspn (line->old_line, " "));
      if (line->new_line != NULL && *line->new_line != '\0')
        least = MIN (least, strspn (line->new_line, " "));
    }
  return least;
}

static void
end_blanks (Block *self)
{
  map_given (self, add_blanks, NULL);
}

/* A changed line may or may not keep the blanks of the file; so the edit has none of these. */
static void
file_blanks (Block *self)
{
  map_actual (self, FALSE, add_some_blanks, NULL);
}

static void
deeper (Block *self)
{
  map_given (self, indent_more, (gpointer) (g_test_rand_bit () ? "    " : "  "));
}

static void
shallower (Block *self)
{
  map_given (self, indent_less, GSIZE_TO_POINTER (get_least_indent (self)));
}

static void
tabs (Block *self)
{
  map_given (self, blanks_to_tabs, GSIZE_TO_POINTER (g_test_rand_bit () ? 2 : 4));
}

/* The file has tabs, in the block and elsewhere. */
static void
file_tabs (Block *self)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = get_line (self, i);

      map_text (&line->actual, blanks_to_tabs, GSIZE_TO_POINTER (2));
      map_text (&line->wanted, blanks_to_tabs, GSIZE_TO_POINTER (2));
    }
}

static void
curly_quotes (Block *self)
{
  map_given (self, map_pairs, (gpointer) curly);
}

static void
file_curly_quotes (Block *self)
{
  map_actual (self, TRUE, map_pairs, (gpointer) curly);
}

static void
long_dashes (Block *self)
{
  map_given (self, map_pairs, (gpointer) dashes);
}

static void
no_break_spaces (Block *self)
{
  map_given (self, map_pairs, (gpointer) spaces);
}

static char *
add_accent (const char *line, gpointer data)
{
  return *line != '\0' ? g_strconcat (line, " \u00e9", NULL) : g_strdup (line);
}

static void
decomposed (Block *self)
{
  map_actual (self, FALSE, add_accent, NULL);
  map_given (self, add_accent, NULL);
  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = get_line (self, i);

      if (line->wanted != NULL && !is_kept (line))
        map_text (&line->wanted, add_accent, NULL);
    }
  map_given (self, decompose, NULL);
}

/* --- Mistakes in texts ------------------------------------------------------------------------ */

static void
map_texts (Block *self, LineFunc func, gpointer data)
{
  map_text (&self->old_text, func, data);
  map_text (&self->new_text, func, data);
}

static char *
number_lines (const char *text, gpointer format)
{
  g_autoptr (GString) string = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint number = 17;

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' || lines[i + 1] != NULL)
      g_string_append_printf (string, "%*u%s%s%s", g_str_equal (format, "\t") ? 6 : 0, number++,
                              (char *) format, lines[i], lines[i + 1] != NULL ? "\n" : "");
  return g_string_free_and_steal (g_steal_pointer (&string));
}

static void
numbers (Block *self)
{
  static const char *const formats[] = { "\t", "→", ": ", ":", " | " };

  map_texts (self, number_lines,
             (gpointer) formats[g_test_rand_int_range (0, G_N_ELEMENTS (formats))]);
}

static char *
fence (const char *text, gpointer data)
{
  return g_strdup_printf ("```c\n%s%s```", text, g_str_has_suffix (text, "\n") ? "" : "\n");
}

static void
fenced (Block *self)
{
  if (*self->new_text != '\0')
    map_texts (self, fence, NULL);
}

static const char *const json[] = { "\\", "\\\\", "\"", "\\\"", "\n", "\\n", "\t", "\\t", NULL };
static const char *const quotes[] = { "\"", "\\\"", NULL };
static const char *const html[] = { "&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;", NULL };
static const char *const crlf[] = { "\n", "\r\n", NULL };

static void
escaped (Block *self)
{
  map_texts (self, map_pairs, (gpointer) json);
}

static void
escaped_quotes (Block *self)
{
  map_texts (self, map_pairs, (gpointer) quotes);
}

static void
entities (Block *self)
{
  map_texts (self, map_pairs, (gpointer) html);
}

static void
carriage_returns (Block *self)
{
  map_texts (self, map_pairs, (gpointer) crlf);
}

/* --- Near misses ------------------------------------------------------------------------------ */

/* Changes one letter or digit of the old text. */
static void
one_letter (Block *self)
{
  const gsize length = strlen (self->old_text);
  const gsize begin = length > 0 ? (gsize) g_test_rand_int_range (0, (int) length) : 0;

  for (gsize i = begin; i < length; i++)
    if (g_ascii_isalnum (self->old_text[i]))
      {
        self->old_text[i] = self->old_text[i] == 'q' ? 'j' : 'q';
        return;
      }
}

/* Takes a line out of the middle of the old text. */
static void
line_missing (Block *self)
{
  char *begin = strchr (self->old_text, '\n');
  char *end = begin != NULL ? strchr (begin + 1, '\n') : NULL;

  if (end != NULL && end[1] != '\0')
    memmove (begin, end, strlen (end) + 1);
}

static void
blank_within (Block *self)
{
  const char *const pairs[] = { "(", "( ", NULL };

  map_text (&self->old_text, map_pairs, (gpointer) pairs);
}

/* Moves one line alone. */
static void
one_line_moved (Block *self)
{
  const char *newline = strrchr (self->old_text, '\n');

  if (newline != NULL && newline[1] != '\0' && newline[1] != '\n')
    {
      g_autofree char *begin = g_strndup (self->old_text, (gsize) (newline - self->old_text));
      char *text = g_strdup_printf ("%s \n    %s", begin, newline + 1);

      g_free (self->old_text);
      self->old_text = text;
    }
}

/* --- Running ---------------------------------------------------------------------------------- */

typedef void (*Mistake) (Block *self);

static const struct
{
  const char *name;
  Mistake in_lines; /* (nullable) */
  Mistake in_texts; /* (nullable) */
  gboolean miss;    /* the old text is another one */
  guint least;      /* percent that must be applied */
} kinds[] = {
  { "exact", NULL, NULL, FALSE, 80 },
  { "blanks at line ends", end_blanks, NULL, FALSE, 80 },
  { "blanks at line ends of the file", file_blanks, NULL, FALSE, 70 },
  { "deeper", deeper, NULL, FALSE, 60 },
  { "shallower", shallower, NULL, FALSE, 50 },
  { "tabs for blanks", tabs, NULL, FALSE, 25 },
  { "blanks for tabs", file_tabs, NULL, FALSE, 20 },
  { "line ends", NULL, carriage_returns, FALSE, 80 },
  { "curly quotes", curly_quotes, NULL, FALSE, 60 },
  { "curly quotes of the file", file_curly_quotes, NULL, FALSE, 60 },
  { "dashes", long_dashes, NULL, FALSE, 60 },
  { "no-break spaces", no_break_spaces, NULL, FALSE, 60 },
  { "Unicode form", decomposed, NULL, FALSE, 60 },
  { "line numbers", NULL, numbers, FALSE, 60 },
  { "code fence", NULL, fenced, FALSE, 60 },
  { "escapes", NULL, escaped, FALSE, 40 },
  { "escaped quotes", NULL, escaped_quotes, FALSE, 60 },
  { "HTML entities", NULL, entities, FALSE, 60 },
  { "deeper, fence", deeper, fenced, FALSE, 50 },
  { "blanks, numbers", end_blanks, numbers, FALSE, 50 },
  { "shallower, line ends", shallower, carriage_returns, FALSE, 40 },
  { "curly quotes, escapes", curly_quotes, escaped, FALSE, 30 },
  { "file blanks, HTML", file_blanks, entities, FALSE, 50 },
  { "miss: a letter", NULL, one_letter, TRUE, 0 },
  { "miss: a line", NULL, line_missing, TRUE, 0 },
  { "miss: a blank within", NULL, blank_within, TRUE, 0 },
  { "miss: a line moved", NULL, one_line_moved, TRUE, 0 },
};

static char *
apply (Block *self, const char *file, gboolean *exact)
{
  g_autoptr (GPtrArray) edits =
      g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_text_edit_free);
  g_autofree char *note = NULL;
  gsize length;
  char *result;

  g_ptr_array_add (edits, _gadget_text_edit_new (self->old_text, self->new_text, FALSE));
  result = _gadget_text_edit_apply (file, strlen (file), self->path, edits, &length, &note, NULL);
  *exact = note == NULL;
  return result;
}

/* Returns whether a text without its last newline would end with another one. */
static gboolean
ends_blank (const Block *self)
{
  const char *old_line = "";
  const char *new_line = "";

  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = get_line (self, i);

      old_line = line->old_line != NULL ? line->old_line : old_line;
      new_line = line->new_line != NULL ? line->new_line : new_line;
    }
  return *old_line == '\0' || (*new_line == '\0' && get_line (self, 0)->new_line != NULL);
}

/* Returns some of a text around the first difference. */
static char *
cut (const char *text, const char *other)
{
  gsize at = 0;

  while (text[at] != '\0' && text[at] == other[at])
    at++;
  at -= MIN (at, 100);
  return g_strndup (text + at, 300);
}

static void
fail (const Block *self, guint kind, const char *wanted, const char *result)
{
  g_autofree char *wanted_part = cut (wanted, result);
  g_autofree char *result_part = cut (result, wanted);

  g_printerr ("%s, %s:\n--- old\n%s\n--- new\n%s\n--- wanted\n%s\n--- result\n%s\n",
              kinds[kind].name, self->path, self->old_text, self->new_text, wanted_part,
              result_part);
  g_test_fail ();
}

/* Returns whether the edit was applied. */
static gboolean
check_block (Block *self, guint kind)
{
  g_autofree char *actual = NULL;
  g_autofree char *wanted = NULL;
  g_autofree char *file = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *result = NULL;
  g_autofree char *untouched = NULL;
  gboolean exact;

  /* What is between fences ends with a newline. */
  self->newline = self->newline || kinds[kind].in_texts == fenced || ends_blank (self);
  if (kinds[kind].in_lines != NULL)
    kinds[kind].in_lines (self);
  actual = join (self, G_STRUCT_OFFSET (Line, actual), "\n");
  wanted = join (self, G_STRUCT_OFFSET (Line, wanted), "\n");
  self->old_text = join_text (self, G_STRUCT_OFFSET (Line, old_line));
  self->new_text = join_text (self, G_STRUCT_OFFSET (Line, new_line));
  if (!self->newline && *self->new_text == '\0')
    g_set_str (&wanted, "\n");
  untouched = g_strdup (self->old_text);
  if (kinds[kind].in_texts != NULL)
    kinds[kind].in_texts (self);
  if (*self->old_text == '\0')
    return FALSE;
  file = g_strconcat (self->before->str, actual, self->after->str, NULL);
  whole = g_strconcat (self->before->str, wanted, self->after->str, NULL);
  /* Whether the quotes of the new text are wanted cannot be known then. */
  if (kinds[kind].in_lines == curly_quotes
      && (strstr (file, "’") != NULL || strstr (file, "”") != NULL))
    return FALSE;
  result = apply (self, file, &exact);
  if (result == NULL || g_str_equal (result, whole))
    return result != NULL;
  /* What is in the file exactly is what was asked for. */
  if (exact)
    return FALSE;
  if (kinds[kind].miss && g_str_equal (untouched, self->old_text))
    return FALSE;
  fail (self, kind, whole, result);
  return FALSE;
}

static void
test_random (void)
{
  g_autoptr (GPtrArray) paths = list_files ();
  guint n_tried[G_N_ELEMENTS (kinds)] = { 0 };
  guint n_applied[G_N_ELEMENTS (kinds)] = { 0 };

  for (guint i = 0; i < N_BLOCKS;)
    {
      const guint kind = i % G_N_ELEMENTS (kinds);
      g_autoptr (Block) block = block_new (
          g_ptr_array_index (paths, (guint) g_test_rand_int_range (0, (int) paths->len)));

      if (block == NULL)
        continue;
      n_tried[kind]++;
      n_applied[kind] += check_block (block, kind) ? 1 : 0;
      i++;
    }
  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    {
      g_test_message ("%s: %u of %u applied", kinds[kind].name, n_applied[kind], n_tried[kind]);
      g_assert_cmpuint (n_applied[kind] * 100, >=, n_tried[kind] * kinds[kind].least);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/text-edits/random", test_random);
  return g_test_run ();
}
