/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recalls messages of the chat while the composer is empty: Up shows the last message, then the one
 * before it; Down goes back, and at last to the empty text. When a recalled message was changed it
 * is a draft, and the keys move the cursor again. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

static const char *
get_prompt (GadgetSession *session, guint index)
{
  return gadget_turn_get_prompt (gadget_session_get_turn (session, index));
}

/* Returns the message that is @back messages before the end, 1 being the last; the same message
 * several times in a row counts once. (nullable) */
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

/* Tells whether the text is empty, or exactly the recalled message. */
static gboolean
is_unchanged (GadgetComposer *self)
{
  g_autofree char *text = gadget_composer_dup_text (self);

  return *text == '\0' || g_strcmp0 (text, self->recalled_text) == 0;
}

/* Tells whether the cursor is on the first or, with @end, the last line on the screen. */
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
  self->recalled = back;
  g_set_str (&self->recalled_text, text);
  _gadget_composer_set_text (self, text);
  gtk_text_view_scroll_mark_onscreen (
      self->text, gtk_text_buffer_get_insert (gtk_text_view_get_buffer (self->text)));
}

/**
 * _gadget_composer_can_recall:
 * @back: %TRUE for Up, %FALSE for Down
 *
 * Returns: whether the key recalls a message now
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

  /* At the first message nothing is left to recall, and the text stays. */
  if (prompt != NULL)
    show (self, place, prompt);
}
