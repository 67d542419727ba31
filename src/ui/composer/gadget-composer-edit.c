/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Editing an earlier message. The draft is put aside, and comes back afterwards; it stays saved
 * meanwhile. The edited text is not a draft, except when the turn that it would replace is gone.
 * But in case the program ends meanwhile, the store has it after the draft, if it was changed. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

/**
 * gadget_composer_begin_edit:
 * @text: the text of the message
 * @attachments: (nullable) (element-type GadgetAttachment): its attachments
 *
 * Shows the message in place of the draft, until gadget_composer_end_edit (). When another message
 * is being edited already, its changes are dropped.
 *
 * Returns: %FALSE, without doing anything, while an attachment or the draft of the chat is still
 * being read
 */
gboolean
gadget_composer_begin_edit (GadgetComposer *self, const char *text, GPtrArray *attachments)
{
  g_return_val_if_fail (GADGET_IS_COMPOSER (self) && text != NULL, FALSE);

  if (gadget_attachment_list_is_reading (self->attachments))
    return FALSE;
  if (self->saved_draft_text == NULL)
    {
      /* The stored draft, once read, would be mixed with the message. */
      if (!_gadget_composer_keeps_draft (self))
        return FALSE;
      _gadget_composer_save_draft (self);
      self->saved_draft_text = gadget_composer_dup_text (self);
      self->saved_draft_attachments = gadget_composer_dup_attachments (self);
    }
  g_set_str (&self->edited_text, text);
  g_clear_pointer (&self->edited_attachments, g_ptr_array_unref);
  self->edited_attachments = attachments != NULL ? g_ptr_array_ref (attachments) : NULL;
  _gadget_composer_set_text (self, text);
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
  g_clear_pointer (&self->edited_text, g_free);
  g_clear_pointer (&self->edited_attachments, g_ptr_array_unref);
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
 * Returns: whether the composer has exactly this text and these attachments, and reads no others
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
 * Returns: whether the draft is empty; while an earlier message is edited, the draft that was put
 * aside for it
 */
gboolean
gadget_composer_is_draft_empty (GadgetComposer *self)
{
  g_return_val_if_fail (GADGET_IS_COMPOSER (self), TRUE);

  if (self->saved_draft_text == NULL)
    return gadget_composer_is_empty (self);
  return self->saved_draft_attachments == NULL && is_blank (self->saved_draft_text);
}

/* Puts a message before the draft that was put aside. Returns FALSE when no earlier message is
 * edited. */
gboolean
_gadget_composer_bring_back_aside (GadgetComposer *self, const char *text, GPtrArray *attachments)
{
  g_autofree char *aside = g_steal_pointer (&self->saved_draft_text);
  g_autoptr (GPtrArray) saved_draft_attachments = NULL;

  if (aside == NULL)
    return FALSE;
  saved_draft_attachments = g_steal_pointer (&self->saved_draft_attachments);
  self->saved_draft_text =
      is_blank (aside) ? g_strdup (text) : _gadget_composer_join_texts (text, aside);
  self->saved_draft_attachments =
      _gadget_composer_join_attachments (saved_draft_attachments, attachments);
  _gadget_composer_draft_changed (self);
  return TRUE;
}

/**
 * gadget_composer_end_edit:
 *
 * Ends the edit and shows the draft again. Does nothing when no message is edited.
 */
void
gadget_composer_end_edit (GadgetComposer *self)
{
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) attachments = NULL;

  g_return_if_fail (GADGET_IS_COMPOSER (self));

  text = g_steal_pointer (&self->saved_draft_text);
  attachments = g_steal_pointer (&self->saved_draft_attachments);
  if (text == NULL)
    return;
  forget_edited (self);
  _gadget_composer_set_text (self, text);
  gadget_attachment_list_clear (self->attachments);
  gadget_attachment_list_add (self->attachments, attachments);
  _gadget_composer_draft_changed (self);
  /* The stored draft must not have the edited text any more, which was sent or discarded. */
  _gadget_composer_save_draft (self);
}

/**
 * gadget_composer_keep_edit:
 *
 * Ends the edit and makes the edited text a part of the draft, after what was put aside. Does
 * nothing when no message is edited.
 */
void
gadget_composer_keep_edit (GadgetComposer *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter end;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) attachments = NULL;

  g_return_if_fail (GADGET_IS_COMPOSER (self));

  text = g_steal_pointer (&self->saved_draft_text);
  attachments = g_steal_pointer (&self->saved_draft_attachments);
  if (text == NULL)
    return;
  forget_edited (self);
  gadget_composer_bring_back (self, text, attachments);
  buffer = gtk_text_view_get_buffer (self->text);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  /* The text need not have changed, when nothing was put aside. */
  _gadget_composer_draft_changed (self);
}
