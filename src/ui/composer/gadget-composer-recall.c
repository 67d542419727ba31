/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Up brings back what was said in this chat before, as long as nothing is written: the last
 * message, then the one before it; Down goes back again, and at last to the empty text. Once a
 * recalled message is changed it is what is being written, and the keys move in it as ever. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

static const char *
get_prompt (GadgetSession *session, guint index)
{
  return gadget_turn_get_prompt (gadget_session_get_turn (session, index));
}

/* The message that is so many back, the last one being 1; what was said several times in a row is
 * one. */
static const char *
find_prompt (GadgetSession *session, guint back)
{
  const char *last = "";

  for (guint i = gadget_session_get_n_turns (session); i > 0; i--)
    {
      const char *prompt = get_prompt (session, i - 1);

      if (*prompt == '\0' || g_str_equal (prompt, last))
        continue;
      if (--back == 0)
        return prompt;
      last = prompt;
    }
  return NULL;
}

/* Nothing, or just what was recalled. */
static gboolean
is_unchanged (GadgetComposer *self)
{
  g_autofree char *text = gadget_composer_dup_text (self);

  return *text == '\0' || g_strcmp0 (text, self->recalled_text) == 0;
}

/* Whether the cursor is on the same line, as it is seen, as the beginning or the end. */
static gboolean
is_at_edge (GadgetComposer *self, gboolean end)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter cursor;
  GtkTextIter edge;
  GdkRectangle at;
  GdkRectangle there;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  if (end)
    gtk_text_buffer_get_end_iter (buffer, &edge);
  else
    gtk_text_buffer_get_start_iter (buffer, &edge);
  gtk_text_view_get_iter_location (self->text, &cursor, &at);
  gtk_text_view_get_iter_location (self->text, &edge, &there);
  return at.y == there.y;
}

static void
show (GadgetComposer *self, guint back, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter end;

  self->recalled = back;
  g_set_str (&self->recalled_text, text);
  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  gtk_text_view_scroll_mark_onscreen (self->text, gtk_text_buffer_get_insert (buffer));
}

/**
 * _gadget_composer_can_recall:
 * @back: Up, else Down
 *
 * Returns: whether the key means that now
 */
gboolean
_gadget_composer_can_recall (GadgetComposer *self, gboolean back)
{
  if (self->session == NULL || !is_unchanged (self) || !is_at_edge (self, !back))
    return FALSE;
  if (gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->text)) == 0)
    self->recalled = 0;
  return self->recalled > 0 || (back && find_prompt (self->session, 1) != NULL);
}

void
_gadget_composer_recall (GadgetComposer *self, gboolean back)
{
  const guint place = back ? self->recalled + 1 : self->recalled - 1;
  const char *text = place > 0 ? find_prompt (self->session, place) : "";
  g_autofree char *prompt = g_strdup (text);

  /* There is none before the first: the text stays. */
  if (prompt != NULL)
    show (self, place, prompt);
}
