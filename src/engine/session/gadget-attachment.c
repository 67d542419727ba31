/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Attachments, and the lists of them that messages have. Attachments are immutable, with an atomic
 * reference count. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-attachment.h"

#include "common/gadget-visible.h"

#define MESSAGE_KEY "gadget-attachments"

struct _GadgetAttachment
{
  gatomicrefcount ref_count;
  GadgetPicture *picture; /* (nullable): NULL for a text */
  char *name;             /* (nullable): name of a text's file */
  char *text;             /* (nullable): NULL for a picture */
  gsize size;             /* size of a text's file, in bytes */
};

static GadgetAttachment *
attachment_new (void)
{
  GadgetAttachment *self = g_new0 (GadgetAttachment, 1);

  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

/**
 * gadget_attachment_new_picture:
 * @picture: a reference is kept
 *
 * Returns: (transfer full): a picture to send with a message
 */
GadgetAttachment *
gadget_attachment_new_picture (GadgetPicture *picture)
{
  GadgetAttachment *self;

  g_return_val_if_fail (picture != NULL, NULL);

  self = attachment_new ();
  self->picture = gadget_picture_ref (picture);
  return self;
}

/**
 * gadget_attachment_new_text:
 * @name: the name of the file
 * @text: valid UTF-8; copied
 * @size: the size of the file in bytes, which may differ from that of the text
 *
 * Returns: (transfer full): a text to send with a message
 */
GadgetAttachment *
gadget_attachment_new_text (const char *name, const char *text, gsize size)
{
  GadgetAttachment *self;

  g_return_val_if_fail (name != NULL && text != NULL, NULL);

  self = attachment_new ();
  self->name = g_strdup (name);
  self->text = g_strdup (text);
  self->size = size;
  return self;
}

/* gadget_attachment_ref () and gadget_attachment_unref () may be called on any thread; neither
 * accepts %NULL. */
GadgetAttachment *
gadget_attachment_ref (GadgetAttachment *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gadget_attachment_unref (GadgetAttachment *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->picture, gadget_picture_unref);
  g_free (self->name);
  g_free (self->text);
  g_free (self);
}

const char *
gadget_attachment_get_name (const GadgetAttachment *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->picture != NULL ? gadget_picture_get_name (self->picture) : self->name;
}

gsize
gadget_attachment_get_size (const GadgetAttachment *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->picture != NULL ? gadget_picture_get_size (self->picture) : self->size;
}

GadgetPicture *
gadget_attachment_get_picture (const GadgetAttachment *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->picture;
}

/* gadget_attachment_get_text: returns the text, which belongs to the attachment; %NULL for a
 * picture. (transfer none) */
const char *
gadget_attachment_get_text (const GadgetAttachment *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->text;
}

/* Returns the name without characters that could end the tag or make several lines. */
static char *
dup_plain_name (const char *name)
{
  g_autofree char *visible = gadget_visible_escape (name);

  return g_strdelimit (g_steal_pointer (&visible), "<>\"\r\n", '_');
}

/**
 * gadget_attachment_dup_model_text:
 *
 * Returns: (transfer full): the text between tags with the name of the file, so that the model can
 *   tell it from the user's message. Only for a text.
 */
char *
gadget_attachment_dup_model_text (const GadgetAttachment *self)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (self != NULL && self->text != NULL, NULL);

  name = dup_plain_name (self->name);
  return g_strdup_printf ("<attached-file name=\"%s\">\n%s%s</attached-file>", name, self->text,
                          g_str_has_suffix (self->text, "\n") ? "" : "\n");
}

/* --- Attachments of messages ------------------------------------------------------------------ */

static void
unref_attachment (gpointer attachment)
{
  gadget_attachment_unref (attachment);
}

static void
unref_array (gpointer array)
{
  g_ptr_array_unref (array);
}

/**
 * gadget_attachments_new:
 *
 * Returns: (transfer full) (element-type GadgetAttachment): an empty list that owns its elements
 */
GPtrArray *
gadget_attachments_new (void)
{
  return g_ptr_array_new_with_free_func (unref_attachment);
}

/**
 * gadget_attachments_get:
 * @message: a turn, an item or a queued message
 *
 * Returns: (transfer none) (nullable) (element-type GadgetAttachment): the attachments of the
 *   message
 */
GPtrArray *
gadget_attachments_get (gpointer message)
{
  g_return_val_if_fail (G_IS_OBJECT (message), NULL);
  return g_object_get_data (message, MESSAGE_KEY);
}

/**
 * gadget_attachments_set:
 * @message: a turn, an item or a queued message that has not been shown or sent yet
 * @attachments: (nullable): a reference is kept; must not be changed afterwards
 *
 * Sets the attachments of a message.
 */
void
gadget_attachments_set (gpointer message, GPtrArray *attachments)
{
  g_return_if_fail (G_IS_OBJECT (message));

  if (attachments != NULL && attachments->len > 0)
    g_object_set_data_full (message, MESSAGE_KEY, g_ptr_array_ref (attachments), unref_array);
  else
    g_object_set_data (message, MESSAGE_KEY, NULL);
}

/**
 * gadget_attachments_have_picture:
 * @attachments: (nullable) (element-type GadgetAttachment):
 *
 * Returns: whether one of the attachments is a picture
 */
gboolean
gadget_attachments_have_picture (const GPtrArray *attachments)
{
  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    if (gadget_attachment_get_picture (g_ptr_array_index (attachments, i)) != NULL)
      return TRUE;
  return FALSE;
}
