/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An earlier message is edited. What was being written is put aside, on disk too, and comes back
 * afterwards; the edited text is no draft of the chat's, unless there is no turn any more that it
 * could replace. Should the program end meanwhile, it is one: the store has it behind what was put
 * aside, as long as it is another text than the message. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

/* Not as a change that can be undone: undoing would mix the two texts. */
static void
set_text (GadgetComposer *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter end;

  gtk_text_buffer_begin_irreversible_action (buffer);
  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_end_irreversible_action (buffer);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
}

/**
 * gadget_composer_begin_edit:
 * @text: of the message
 * @attachments: (nullable) (element-type GadgetAttachment): of it
 *
 * Shows the message in the place of what is being written, until gadget_composer_end_edit (). Of a
 * message that is being edited already nothing is kept.
 *
 * Returns: %FALSE, and nothing is done, while something that was attached, or the draft of
 *   the chat, is still being read
 */
gboolean
gadget_composer_begin_edit (GadgetComposer *self, const char *text, GPtrArray *attachments)
{
  g_return_val_if_fail (GADGET_IS_COMPOSER (self) && text != NULL, FALSE);

  if (gadget_attachment_list_is_reading (self->attachments))
    return FALSE;
  if (self->put_aside == NULL)
    {
      /* What is still to come would be mixed with the message. */
      if (!_gadget_composer_keeps_draft (self))
        return FALSE;
      _gadget_composer_save_draft (self);
      self->put_aside = gadget_composer_dup_text (self);
      self->attachments_aside = gadget_composer_dup_attachments (self);
    }
  g_set_str (&self->edited, text);
  g_clear_pointer (&self->attachments_edited, g_ptr_array_unref);
  self->attachments_edited = attachments != NULL ? g_ptr_array_ref (attachments) : NULL;
  set_text (self, text);
  gadget_attachment_list_clear (self->attachments);
  gadget_attachment_list_add (self->attachments, attachments);
  return TRUE;
}

static gboolean
is_blank (const char *text)
{
  while (g_unichar_isspace (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  return *text == '\0';
}

static void
forget_edited (GadgetComposer *self)
{
  g_clear_pointer (&self->edited, g_free);
  g_clear_pointer (&self->attachments_edited, g_ptr_array_unref);
}

static gboolean
are_same (const GPtrArray *a, const GPtrArray *b)
{
  const guint n = a != NULL ? a->len : 0;

  if (n != (b != NULL ? b->len : 0))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (g_ptr_array_index (a, i) != g_ptr_array_index (b, i))
      return FALSE;
  return TRUE;
}

/**
 * gadget_composer_holds:
 * @attachments: (nullable) (element-type GadgetAttachment):
 *
 * Returns: whether this is written in it and attached, and nothing else, nor on its way
 */
gboolean
gadget_composer_holds (GadgetComposer *self, const char *text, GPtrArray *attachments)
{
  g_autofree char *written = NULL;
  g_autoptr (GPtrArray) attached = NULL;

  g_return_val_if_fail (GADGET_IS_COMPOSER (self) && text != NULL, FALSE);

  written = gadget_composer_dup_text (self);
  attached = gadget_composer_dup_attachments (self);
  return g_str_equal (written, text) && are_same (attached, attachments)
         && !gadget_attachment_list_is_reading (self->attachments);
}

/**
 * gadget_composer_is_draft_empty:
 *
 * Returns: as gadget_composer_is_empty (), but while an earlier message is edited of what was put
 *   aside for it
 */
gboolean
gadget_composer_is_draft_empty (GadgetComposer *self)
{
  g_return_val_if_fail (GADGET_IS_COMPOSER (self), TRUE);

  if (self->put_aside == NULL)
    return gadget_composer_is_empty (self);
  return self->attachments_aside == NULL && is_blank (self->put_aside);
}

/* Before what was put aside; FALSE when no earlier message is edited. */
gboolean
_gadget_composer_bring_back_aside (GadgetComposer *self, const char *text, GPtrArray *attachments)
{
  g_autofree char *aside = g_steal_pointer (&self->put_aside);
  g_autoptr (GPtrArray) attachments_aside = NULL;

  if (aside == NULL)
    return FALSE;
  attachments_aside = g_steal_pointer (&self->attachments_aside);
  self->put_aside = is_blank (aside) ? g_strdup (text) : _gadget_composer_join_texts (text, aside);
  self->attachments_aside = _gadget_composer_join_attachments (attachments_aside, attachments);
  _gadget_composer_draft_changed (self);
  return TRUE;
}

/**
 * gadget_composer_end_edit:
 *
 * Shows again what was being written before. Without a message that is edited it does nothing.
 */
void
gadget_composer_end_edit (GadgetComposer *self)
{
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) attachments = NULL;

  g_return_if_fail (GADGET_IS_COMPOSER (self));

  text = g_steal_pointer (&self->put_aside);
  attachments = g_steal_pointer (&self->attachments_aside);
  if (text == NULL)
    return;
  forget_edited (self);
  set_text (self, text);
  gadget_attachment_list_clear (self->attachments);
  gadget_attachment_list_add (self->attachments, attachments);
  _gadget_composer_draft_changed (self);
  /* What was sent, or given up, is nowhere else any more. */
  _gadget_composer_save_draft (self);
}

/**
 * gadget_composer_keep_edit:
 *
 * Makes the message that is edited the draft of the chat, behind what was being written before.
 * Without a message that is edited it does nothing.
 */
void
gadget_composer_keep_edit (GadgetComposer *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter end;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) attachments = NULL;

  g_return_if_fail (GADGET_IS_COMPOSER (self));

  text = g_steal_pointer (&self->put_aside);
  attachments = g_steal_pointer (&self->attachments_aside);
  if (text == NULL)
    return;
  forget_edited (self);
  gadget_composer_bring_back (self, text, attachments);
  buffer = gtk_text_view_get_buffer (self->text);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  /* There may be nothing that came back. */
  _gadget_composer_draft_changed (self);
}
