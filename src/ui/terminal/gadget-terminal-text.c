/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text is appended as it comes. Only when the cursor moves back in the last line, this line is
 * split into cells, which are written to the text again at the end of each feed. A line that is too
 * long for that is ended instead. So everything before the last line never changes, and a line that
 * is overwritten is short. */

#define G_LOG_DOMAIN "gadget-terminal-text"

#include "config.h"

#include "gadget-sgr.h"
#include "gadget-terminal-text.h"

#include "common/gadget-bidi.h"

#include <string.h>

/* Limits of a line that can be overwritten. Its bytes fit into one chunk of the text
 * (gadget-chunks.h). */
#define MAX_CELLS 400
#define MAX_LINE_BYTES (MAX_CELLS * 8)

/* Cells that the cursor skips are filled with spaces: in total at most so many more than the bytes
 * of input. */
#define MAX_PADDING (64 * 1024)

/* A longer control sequence or string is not one; what follows is text again. */
#define MAX_SEQUENCE 256
#define MAX_STRING 4096

/* Further changes of the style are ignored. */
#define MAX_RUNS 65536

/* The state of the parser. */
typedef enum
{
  GROUND,
  ESCAPE,        /* after ESC */
  CONTROL,       /* in a control sequence: CSI … final byte */
  STRING,        /* in a string for the terminal, such as a title or a link */
  STRING_ESCAPE, /* after ESC in a string, which usually ends it */
} State;

typedef struct
{
  gsize start;
  GadgetTerminalStyle style;
} Run;

typedef struct
{
  gunichar character;
  gunichar mark; /* a combining character, or 0 */
  GadgetTerminalStyle style;
} Cell;

struct _GadgetTerminalText
{
  GString *text;
  GArray *runs; /* of Run, each up to the beginning of the next one */
  GadgetTerminalStyle style;

  State state;
  GString *sequence;
  guint n_string;

  gsize line;        /* where the last line begins */
  gboolean returned; /* a carriage return came, and the character after it has not come yet */
  GArray *cells;     /* (nullable) of Cell: the last line while it is overwritten */
  guint column;
  gsize n_fed;
  gsize n_padding;
};

static gboolean
is_same_style (const GadgetTerminalStyle *a, const GadgetTerminalStyle *b)
{
  return a->foreground == b->foreground && a->background == b->background && a->flags == b->flags;
}

static void
set_style_at_end (GadgetTerminalText *self, const GadgetTerminalStyle *style)
{
  const GadgetTerminalStyle plain = { 0 };
  const Run *last =
      self->runs->len > 0 ? &g_array_index (self->runs, Run, self->runs->len - 1) : NULL;
  Run run = { .start = self->text->len };

  if (self->runs->len < MAX_RUNS)
    run.style = *style;
  if (is_same_style (last != NULL ? &last->style : &plain, &run.style))
    return;
  if (last != NULL && last->start == run.start)
    g_array_set_size (self->runs, self->runs->len - 1);
  g_array_append_val (self->runs, run);
}

static void
append (GadgetTerminalText *self, const char *text, gsize length, const GadgetTerminalStyle *style)
{
  set_style_at_end (self, style);
  g_string_append_len (self->text, text, (gssize) length);
}

/* --- A line that is overwritten --- */

static void
add_cell (GadgetTerminalText *self, gunichar character, const GadgetTerminalStyle *style)
{
  Cell cell = { .character = character, .style = *style };

  if (g_unichar_iszerowidth (character) && self->cells->len > 0)
    g_array_index (self->cells, Cell, self->cells->len - 1).mark = character;
  else
    g_array_append_val (self->cells, cell);
}

static void
split_cb (gsize start, gsize end, const GadgetTerminalStyle *style, gpointer user_data)
{
  GadgetTerminalText *self = user_data;

  for (const char *at = self->text->str + start; at < self->text->str + end;
       at = g_utf8_next_char (at))
    add_cell (self, g_utf8_get_char (at), style);
}

/* Splits the last line into cells. FALSE when it is too long; then it is ended instead. */
static gboolean
split_line (GadgetTerminalText *self)
{
  const GadgetTerminalStyle plain = { 0 };

  if (self->cells != NULL)
    return TRUE;
  if (self->text->len - self->line > MAX_LINE_BYTES
      || g_utf8_strlen (self->text->str + self->line, -1) > MAX_CELLS)
    {
      append (self, "\n", 1, &plain);
      self->line = self->text->len;
      return FALSE;
    }
  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  gadget_terminal_text_foreach (self, self->line, self->text->len, split_cb, self);
  self->column = self->cells->len;
  return TRUE;
}

static void
write_cells (GadgetTerminalText *self)
{
  if (self->cells == NULL)
    return;
  g_string_truncate (self->text, self->line);
  while (self->runs->len > 0
         && g_array_index (self->runs, Run, self->runs->len - 1).start >= self->line)
    g_array_set_size (self->runs, self->runs->len - 1);
  for (guint i = 0; i < self->cells->len; i++)
    {
      const Cell *cell = &g_array_index (self->cells, Cell, i);

      set_style_at_end (self, &cell->style);
      g_string_append_unichar (self->text, cell->character);
      if (cell->mark != 0)
        g_string_append_unichar (self->text, cell->mark);
    }
}

static void
end_line (GadgetTerminalText *self)
{
  const GadgetTerminalStyle plain = { 0 };

  write_cells (self);
  g_clear_pointer (&self->cells, g_array_unref);
  append (self, "\n", 1, &plain);
  self->line = self->text->len;
  self->returned = FALSE;
}

/* Handles a pending carriage return. One before a line end has no effect. */
static void
handle_return (GadgetTerminalText *self)
{
  if (!self->returned)
    return;
  self->returned = FALSE;
  if (split_line (self))
    self->column = 0;
}

static void
fill (GadgetTerminalText *self, guint n_cells)
{
  const GadgetTerminalStyle plain = { 0 };

  while (self->cells->len < n_cells && self->n_padding < self->n_fed + MAX_PADDING)
    {
      const Cell cell = { .character = ' ', .style = plain };

      g_array_append_val (self->cells, cell);
      self->n_padding++;
    }
  self->column = MIN (self->column, self->cells->len);
}

static void
put (GadgetTerminalText *self, gunichar character)
{
  if (self->column >= MAX_CELLS)
    {
      end_line (self);
      if (!split_line (self))
        return;
    }
  fill (self, self->column);
  if (self->column >= self->cells->len || g_unichar_iszerowidth (character))
    {
      add_cell (self, character, &self->style);
      self->column = MIN (self->column + 1, self->cells->len);
      return;
    }
  g_array_index (self->cells, Cell, self->column) =
      (Cell) { .character = character, .style = self->style };
  self->column++;
}

static void
put_plain (GadgetTerminalText *self, const char *text, gsize length)
{
  if (length == 0)
    return;
  handle_return (self);
  if (self->cells == NULL)
    {
      append (self, text, length, &self->style);
      return;
    }
  for (const char *at = text; at < text + length; at = g_utf8_next_char (at))
    put (self, g_utf8_get_char (at));
}

/* Characters that reorder text are escaped, so that the order on the screen is that
 * of the text. */
static void
put_text (GadgetTerminalText *self, const char *text, gsize length)
{
  const char *end = text + length;
  const char *found;

  while ((found = gadget_bidi_find_control (text, (gsize) (end - text))) != NULL)
    {
      char shown[16];

      g_snprintf (shown, sizeof shown, "\\u%04x", g_utf8_get_char (found));
      put_plain (self, text, (gsize) (found - text));
      put_plain (self, shown, strlen (shown));
      text = found + 3;
    }
  put_plain (self, text, (gsize) (end - text));
}

/* --- Control sequences --- */

static void
erase (GadgetTerminalText *self, guint how)
{
  if (how == 0 && self->column < self->cells->len)
    g_array_set_size (self->cells, self->column);
  if (how == 2)
    g_array_set_size (self->cells, 0);
  for (guint i = 0; how == 1 && i < MIN (self->column + 1, self->cells->len); i++)
    g_array_index (self->cells, Cell, i) = (Cell) { .character = ' ' };
}

/* Runs a control sequence (ECMA-48, 8.3), as far as it has an effect within the line. */
static void
run_sequence (GadgetTerminalText *self, char final)
{
  const char *parameters = self->sequence->str;
  const guint n = (guint) MIN (g_ascii_strtoull (parameters, NULL, 10), MAX_CELLS);

  /* Private sequences, and those with intermediate bytes, mean something else. */
  if (strpbrk (parameters, "<=>?!\"#$%&'()*+,-./ ") != NULL)
    return;
  if (final == 'm')
    {
      gadget_sgr_apply (&self->style, parameters);
      return;
    }
  if (strchr ("KGCD", final) == NULL)
    return;
  handle_return (self);
  if (!split_line (self))
    return;
  if (final == 'K')
    erase (self, n);
  else if (final == 'G')
    self->column = MAX (n, 1) - 1;
  else if (final == 'C')
    self->column = MIN (self->column + MAX (n, 1), MAX_CELLS);
  else
    self->column -= MIN (self->column, MAX (n, 1));
}

static void
begin_escape (GadgetTerminalText *self, guchar byte)
{
  g_string_truncate (self->sequence, 0);
  self->n_string = 0;
  if (byte == '[')
    self->state = CONTROL;
  else if (strchr ("]PX^_", byte) != NULL)
    self->state = STRING;
  else if (byte < 0x20 || byte > 0x2f)
    /* A sequence of two bytes is complete; after an intermediate byte another one follows. */
    self->state = GROUND;
}

/* Returns whether the text begins with a control character: C0, DEL or C1, including line ends but
 * not tabs. */
static gboolean
is_control (const char *text, gsize length)
{
  const guchar byte = (guchar) *text;

  if (byte == 0xc2)
    return length > 1 && (guchar) text[1] < 0xa0;
  return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

/* Processes text outside of sequences. Returns how many bytes of TEXT were used, at least one. */
static gsize
handle_ground (GadgetTerminalText *self, const char *text, gsize length)
{
  const guchar byte = (guchar) *text;
  gsize n = 0;

  while (n < length && !is_control (text + n, length - n))
    n++;
  if (n > 0)
    {
      put_text (self, text, n);
      return n;
    }
  if (byte == '\n')
    end_line (self);
  else if (byte == '\r')
    self->returned = TRUE;
  else if (byte == '\b')
    {
      handle_return (self);
      if (split_line (self))
        self->column -= MIN (self->column, 1);
    }
  else if (byte == 0x1b)
    self->state = ESCAPE;
  else if (byte == 0xc2)
    {
      /* C1 controls are one character, encoded in two bytes: U+009B is ESC [. */
      begin_escape (self, (guchar) text[1] - 0x40);
      return 2;
    }
  return 1;
}

static void
handle_control (GadgetTerminalText *self, guchar byte)
{
  if (byte >= 0x40 && byte <= 0x7e)
    {
      run_sequence (self, (char) byte);
      self->state = GROUND;
    }
  else if (byte >= 0x20 && byte <= 0x3f && self->sequence->len < MAX_SEQUENCE)
    g_string_append_c (self->sequence, (char) byte);
  else
    self->state = GROUND;
}

/* A string ends at the end of its line at the latest, so that a missing terminator hides no more
 * than that. */
static gboolean
handle_string (GadgetTerminalText *self, guchar byte)
{
  if (byte == '\n' || ++self->n_string > MAX_STRING)
    {
      self->state = GROUND;
      return FALSE;
    }
  if (byte == 0x07)
    self->state = GROUND;
  else if (byte == 0x1b)
    self->state = STRING_ESCAPE;
  return TRUE;
}

static gsize
handle_bytes (GadgetTerminalText *self, const char *text, gsize length)
{
  const guchar byte = (guchar) *text;

  switch (self->state)
    {
    case ESCAPE:
      if (byte == 0x1b)
        return 1;
      if (byte < 0x20 || byte >= 0x7f)
        {
          self->state = GROUND;
          return 0;
        }
      begin_escape (self, byte);
      return 1;
    case CONTROL:
      handle_control (self, byte);
      /* The byte that breaks off a sequence is processed again as text. */
      return self->state == GROUND && (byte < 0x20 || byte >= 0x7f) ? 0 : 1;
    case STRING:
      return handle_string (self, byte) ? 1 : 0;
    case STRING_ESCAPE:
      self->state = byte == '\\' ? GROUND : ESCAPE;
      return byte == '\\' ? 1 : 0;
    case GROUND:
    default:
      return handle_ground (self, text, length);
    }
}

/* --- Public --- */

GadgetTerminalText *
gadget_terminal_text_new (void)
{
  GadgetTerminalText *self = g_new0 (GadgetTerminalText, 1);

  self->text = g_string_new (NULL);
  self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  self->sequence = g_string_new (NULL);
  return self;
}

void
gadget_terminal_text_free (GadgetTerminalText *self)
{
  g_string_free (self->text, TRUE);
  g_string_free (self->sequence, TRUE);
  g_array_unref (self->runs);
  g_clear_pointer (&self->cells, g_array_unref);
  g_free (self);
}

gboolean
gadget_terminal_text_is_needed (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (text[i] != '\n' && is_control (text + i, length - i))
      return TRUE;
  return gadget_bidi_find_control (text, length) != NULL;
}

/**
 * gadget_terminal_text_feed:
 * @text: the next output, whole characters of valid UTF-8
 * @length: its length in bytes
 */
void
gadget_terminal_text_feed (GadgetTerminalText *self, const char *text, gsize length)
{
  g_return_if_fail (self != NULL && (text != NULL || length == 0));

  self->n_fed += length;
  for (gsize at = 0; at < length;)
    at += handle_bytes (self, text + at, length - at);
  write_cells (self);
}

/**
 * gadget_terminal_text_get:
 *
 * Returns: (transfer none): the text, valid until more is fed
 */
const char *
gadget_terminal_text_get (GadgetTerminalText *self, gsize *length)
{
  *length = self->text->len;
  return self->text->str;
}

/* Returns the last run that begins at or before @at; the number of runs if there is none. */
static guint
find_run (GadgetTerminalText *self, gsize at)
{
  guint low = 0;
  guint high = self->runs->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (g_array_index (self->runs, Run, middle).start <= at)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? low - 1 : self->runs->len;
}

void
gadget_terminal_text_foreach (GadgetTerminalText *self, gsize start, gsize end,
                              GadgetTerminalFunc func, gpointer user_data)
{
  const GadgetTerminalStyle plain = { 0 };
  guint index = find_run (self, start);

  /* The text before the first run has no style. */
  if (index == self->runs->len)
    {
      const gsize first =
          self->runs->len > 0 ? g_array_index (self->runs, Run, 0).start : self->text->len;

      if (start < MIN (first, end))
        func (start, MIN (first, end), &plain, user_data);
      index = 0;
    }
  for (; index < self->runs->len; index++)
    {
      const Run *run = &g_array_index (self->runs, Run, index);
      const gsize next =
          index + 1 < self->runs->len ? g_array_index (self->runs, Run, index + 1).start : end;

      if (run->start >= end)
        return;
      if (MAX (run->start, start) < MIN (next, end))
        func (MAX (run->start, start), MIN (next, end), &run->style, user_data);
    }
}
