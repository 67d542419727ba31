/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-attachment.h"

#include "common/gadget-visible.h"

#define MESSAGE_KEY "gadget-attachments"

struct _GadgetAttachment
{
  gatomicrefcount ref_count;
  GadgetPicture *picture; /* (nullable) */
  char *name;             /* of a text */
  char *text;
  gsize size;
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
 *
 * Returns: (transfer full):
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
 * @name: its file's
 * @text: valid UTF-8
 * @size: its file's, in bytes, which need not be that of the text
 *
 * Returns: (transfer full):
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

const char *
gadget_attachment_get_text (const GadgetAttachment *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->text;
}

/* A name that cannot be taken for the end of the tag, or for several lines. */
static char *
dup_plain_name (const char *name)
{
  g_autofree char *visible = gadget_visible_dup (name);

  return g_strdelimit (g_steal_pointer (&visible), "<>\"\r\n", '_');
}

/**
 * gadget_attachment_dup_words:
 *
 * Returns: (transfer full): its text, with its name, so that it is told from what the user says
 */
char *
gadget_attachment_dup_words (const GadgetAttachment *self)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (self != NULL && self->text != NULL, NULL);

  name = dup_plain_name (self->name);
  return g_strdup_printf ("<attached-file name=\"%s\">\n%s%s</attached-file>", name, self->text,
                          g_str_has_suffix (self->text, "\n") ? "" : "\n");
}

/* --- Of messages ------------------------------------------------------------------------------ */

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
 * Returns: (transfer full) (element-type GadgetAttachment): an empty list that owns what is in it
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
 * Returns: (transfer none) (nullable):
 */
GPtrArray *
gadget_attachments_get (gpointer message)
{
  g_return_val_if_fail (G_IS_OBJECT (message), NULL);
  return g_object_get_data (message, MESSAGE_KEY);
}

/**
 * gadget_attachments_set:
 * @message: a turn, an item or a queued message that nobody has seen yet
 * @attachments: (nullable): not to be changed any more
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
 */
gboolean
gadget_attachments_have_picture (const GPtrArray *attachments)
{
  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    if (gadget_attachment_get_picture (g_ptr_array_index (attachments, i)) != NULL)
      return TRUE;
  return FALSE;
}
