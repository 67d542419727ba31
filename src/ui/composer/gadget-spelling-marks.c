/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Marks misspelled words. DELAY_MS after a change of the text, the cursor or the dictionary the
 * whole text is checked in an idle, in slices of SLICE_US, so that no frame is late; then the marks
 * are updated. Each word is looked up once and its result kept, so that checking a text again costs
 * next to nothing. */

#define G_LOG_DOMAIN "gadget-spelling"

#include "config.h"

#include "gadget-spelling-private.h"

#define DELAY_MS 150
#define SLICE_US 3000
#define MAX_KNOWN 20000
/* A text with more misspelled words is in another language, or no prose, and gets no marks. Pango
 * takes seconds for a paragraph with thousands of them. */
#define MAX_WRONG 500

/* Offsets in characters. */
typedef struct
{
  int start;
  int end;
} Range;

static GtkTextBuffer *
get_buffer (GadgetSpelling *self)
{
  return gtk_text_view_get_buffer (self->view);
}

/* --- The marks -------------------------------------------------------------------------------- */

static gboolean
is_marked (GadgetSpelling *self, const GtkTextIter *start, const GtkTextIter *end)
{
  GtkTextIter toggle = *start;

  return gtk_text_iter_starts_tag (start, self->tag)
         && gtk_text_iter_forward_to_tag_toggle (&toggle, self->tag)
         && gtk_text_iter_equal (&toggle, end);
}

static gboolean
is_clear (GadgetSpelling *self, const GtkTextIter *start, const GtkTextIter *end)
{
  GtkTextIter toggle = *start;

  return !gtk_text_iter_has_tag (start, self->tag)
         && (!gtk_text_iter_forward_to_tag_toggle (&toggle, self->tag)
             || gtk_text_iter_compare (&toggle, end) >= 0);
}

/* Updates the marks where they differ, because each change makes the text view lay out the line
 * again. */
static void
mark (GadgetSpelling *self)
{
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextIter done;
  GtkTextIter start;
  GtkTextIter end;
  GtkTextIter cursor;

  gtk_text_buffer_get_start_iter (buffer, &done);
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  for (guint i = 0; i < self->wrong->len; i++)
    {
      const Range *range = &g_array_index (self->wrong, Range, i);

      gtk_text_buffer_get_iter_at_offset (buffer, &start, range->start);
      gtk_text_buffer_get_iter_at_offset (buffer, &end, range->end);
      /* The word at the cursor may not be complete yet, so it gets no mark, but keeps the one that
       * it has. */
      if (!gtk_text_iter_has_tag (&start, self->tag) && gtk_text_iter_compare (&start, &cursor) <= 0
          && gtk_text_iter_compare (&cursor, &end) <= 0)
        continue;
      if (!is_clear (self, &done, &start))
        gtk_text_buffer_remove_tag (buffer, self->tag, &done, &start);
      if (!is_marked (self, &start, &end))
        gtk_text_buffer_apply_tag (buffer, self->tag, &start, &end);
      done = end;
    }
  gtk_text_buffer_get_end_iter (buffer, &end);
  if (!is_clear (self, &done, &end))
    gtk_text_buffer_remove_tag (buffer, self->tag, &done, &end);
}

/* --- Checking --------------------------------------------------------------------------------- */

static gboolean
is_right (GadgetSpelling *self, const GadgetSpellingWord *word)
{
  g_autofree char *text = g_strndup (word->text, word->length);
  gpointer known;
  gboolean right;

  if (g_hash_table_lookup_extended (self->known, text, NULL, &known))
    return GPOINTER_TO_INT (known);
  right = spelling_checker_check_word (self->checker, text, (gssize) word->length);
  if (g_hash_table_size (self->known) >= MAX_KNOWN)
    g_hash_table_remove_all (self->known);
  g_hash_table_insert (self->known, g_steal_pointer (&text), GINT_TO_POINTER (right));
  return right;
}

static void
begin_pass (GadgetSpelling *self)
{
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextIter start;
  GtkTextIter end;

  g_array_set_size (self->wrong, 0);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  if (self->checker != NULL
      && gtk_text_buffer_get_char_count (buffer) <= GADGET_SPELLING_MAX_CHARACTERS)
    /* A slice has a character for each embedded object, so that its offsets are the buffer's. */
    self->text = gtk_text_buffer_get_slice (buffer, &start, &end, TRUE);
  else
    self->text = g_strdup ("");
  gadget_spelling_reader_init (&self->reader, self->text);
}

static gboolean
pass_cb (gpointer user_data)
{
  GadgetSpelling *self = user_data;
  const gint64 end = g_get_monotonic_time () + SLICE_US;
  GadgetSpellingWord word;

  if (self->text == NULL)
    begin_pass (self);
  while (self->wrong->len <= MAX_WRONG && gadget_spelling_reader_next (&self->reader, &word))
    {
      const Range range = { (int) word.offset, (int) (word.offset + word.n_characters) };

      if (!is_right (self, &word))
        g_array_append_val (self->wrong, range);
      if (g_get_monotonic_time () >= end)
        return G_SOURCE_CONTINUE;
    }
  if (self->wrong->len > MAX_WRONG)
    g_array_set_size (self->wrong, 0);
  g_clear_pointer (&self->text, g_free);
  self->pass_id = 0;
  mark (self);
  return G_SOURCE_REMOVE;
}

static void
delayed_cb (gpointer user_data)
{
  GadgetSpelling *self = user_data;

  self->pass_id = g_idle_add_full (G_PRIORITY_LOW, pass_cb, self, NULL);
  g_source_set_name_by_id (self->pass_id, "[gadget] look at the spelling");
}

/* Checks the text soon: the text, the cursor or the dictionary has changed. */
static void
check (GadgetSpelling *self)
{
  g_clear_handle_id (&self->pass_id, g_source_remove);
  g_clear_pointer (&self->text, g_free);
  /* The view may be disposed already. */
  if (self->tag == NULL)
    return;
  if (gtk_text_buffer_get_char_count (get_buffer (self)) > 0)
    _gadget_spelling_begin (self);
  self->pass_id = g_timeout_add_once (DELAY_MS, delayed_cb, self);
  g_source_set_name_by_id (self->pass_id, "[gadget] look at the spelling soon");
}

void
_gadget_spelling_recheck (GadgetSpelling *self)
{
  if (self->known != NULL)
    g_hash_table_remove_all (self->known);
  check (self);
}

/* Tells whether there is a marked word at @at, and returns its bounds in @start and @end. */
gboolean
_gadget_spelling_is_wrong (GadgetSpelling *self, const GtkTextIter *at, GtkTextIter *start,
                           GtkTextIter *end)
{
  *start = *at;
  *end = *at;
  if (!gtk_text_iter_has_tag (at, self->tag) && !gtk_text_iter_ends_tag (at, self->tag))
    return FALSE;
  if (!gtk_text_iter_starts_tag (at, self->tag))
    gtk_text_iter_backward_to_tag_toggle (start, self->tag);
  if (gtk_text_iter_has_tag (at, self->tag))
    gtk_text_iter_forward_to_tag_toggle (end, self->tag);
  return TRUE;
}

void
_gadget_spelling_init_marks (GadgetSpelling *self)
{
  GtkTextBuffer *buffer = get_buffer (self);

  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->wrong = g_array_new (FALSE, FALSE, sizeof (Range));
  self->tag = g_object_ref (
      gtk_text_buffer_create_tag (buffer, NULL, "underline", PANGO_UNDERLINE_ERROR, NULL));
  g_signal_connect_object (buffer, "changed", G_CALLBACK (check), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (buffer, "notify::cursor-position", G_CALLBACK (check), self,
                           G_CONNECT_SWAPPED);
}

void
_gadget_spelling_drop_marks (GadgetSpelling *self)
{
  g_clear_handle_id (&self->pass_id, g_source_remove);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->wrong, g_array_unref);
  g_clear_object (&self->tag);
}
