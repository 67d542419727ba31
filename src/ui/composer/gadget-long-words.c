/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Wraps words that fill many lines: a key, a picture as text, a file without line breaks. Where a
 * word may be broken only if it does not fit, Pango shapes all of the rest again for each line: 50
 * kB take three seconds, and the window does not react meanwhile. So a paragraph with such a word
 * may be broken anywhere, which takes a hundredth of that. */

#define G_LOG_DOMAIN "gadget-long-words"

#include "config.h"

#include "gadget-long-words.h"

/* In characters; about ten lines. */
#define LONG_WORD 1000

/* Tells whether there is a long word; wide characters do not count, since lines are broken between
 * them anyway. */
static gboolean
has_long_word (const GtkTextIter *start, const GtkTextIter *end)
{
  g_autofree char *text = gtk_text_iter_get_slice (start, end);
  guint length = 0;

  for (const char *at = text; *at != '\0' && length < LONG_WORD; at = g_utf8_next_char (at))
    {
      const gunichar c = g_utf8_get_char (at);

      length = g_unichar_isspace (c) || g_unichar_iswide (c) ? 0 : length + 1;
    }
  return length >= LONG_WORD;
}

static void
check_line (GtkTextBuffer *buffer, const GtkTextIter *place, GtkTextTag *tag)
{
  GtkTextIter start = *place;
  GtkTextIter end = *place;

  gtk_text_iter_set_line_offset (&start, 0);
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  if (gtk_text_iter_get_line_offset (&end) >= LONG_WORD && has_long_word (&start, &end))
    gtk_text_buffer_apply_tag (buffer, tag, &start, &end);
  else if (gtk_text_iter_has_tag (&start, tag))
    gtk_text_buffer_remove_tag (buffer, tag, &start, &end);
}

static void
inserted_cb (GtkTextBuffer *buffer, const GtkTextIter *end, const char *text, int length,
             GtkTextTag *tag)
{
  GtkTextIter start = *end;
  GtkTextTag *unbroken =
      gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), "without-hyphens");

  gtk_text_iter_backward_chars (&start, (int) g_utf8_strlen (text, length));
  gtk_text_buffer_apply_tag (buffer, unbroken, &start, end);
  do
    check_line (buffer, &start, tag);
  while (gtk_text_iter_forward_line (&start) && gtk_text_iter_compare (&start, end) <= 0);
}

static void
deleted_cb (GtkTextBuffer *buffer, const GtkTextIter *place, const GtkTextIter *end,
            GtkTextTag *tag)
{
  check_line (buffer, place, tag);
}

void
gadget_long_words_watch (GtkTextBuffer *buffer)
{
  GtkTextTag *tag;

  g_return_if_fail (GTK_IS_TEXT_BUFFER (buffer));
  gtk_text_buffer_create_tag (buffer, "without-hyphens", "insert-hyphens", FALSE, NULL);
  tag = gtk_text_buffer_create_tag (buffer, "long-word", "wrap-mode", GTK_WRAP_CHAR, NULL);
  g_signal_connect_after (buffer, "insert-text", G_CALLBACK (inserted_cb), tag);
  g_signal_connect_after (buffer, "delete-range", G_CALLBACK (deleted_cb), tag);
}
