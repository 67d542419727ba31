/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps the first HEAD_SIZE bytes and the last TAIL_SIZE bytes of a text. The end is a circular
 * buffer; a character whose beginning was overwritten in it is dropped when the text is read. */

#define G_LOG_DOMAIN "gadget-output-ring"

#include "config.h"

#include "gadget-output-ring.h"

#include <string.h>

struct _GadgetOutputRing
{
  gsize head_size;
  gsize tail_size;
  GString *head;
  char *tail;      /* circular buffer of TAIL_SIZE bytes */
  gsize tail_at;   /* where the next byte goes */
  guint64 n_after; /* number of bytes that came after the head */
};

/**
 * gadget_output_ring_new:
 * @head_size: how many bytes of the beginning are kept
 * @tail_size: how many bytes of the end are kept, at least 1
 *
 * Returns: (transfer full): an empty ring
 */
GadgetOutputRing *
gadget_output_ring_new (gsize head_size, gsize tail_size)
{
  GadgetOutputRing *self;

  g_return_val_if_fail (tail_size > 0, NULL);

  self = g_new0 (GadgetOutputRing, 1);
  self->head_size = head_size;
  self->tail_size = tail_size;
  self->head = g_string_new (NULL);
  self->tail = g_malloc (tail_size);
  return self;
}

/* gadget_output_ring_free: frees the output, too; @self must not be %NULL. */
void
gadget_output_ring_free (GadgetOutputRing *self)
{
  g_string_free (self->head, TRUE);
  g_free (self->tail);
  g_free (self);
}

static gboolean
is_continuation (char byte)
{
  return ((guchar) byte & 0xc0) == 0x80;
}

/* Returns how many bytes of TEXT still fit into the head, whole characters only. */
static gsize
fit_head (GadgetOutputRing *self, const char *text, gsize length)
{
  gsize fits = self->n_after > 0 ? 0 : self->head_size - self->head->len;

  if (fits >= length)
    return length;
  while (fits > 0 && is_continuation (text[fits]))
    fits--;
  return fits;
}

static void
append_tail (GadgetOutputRing *self, const char *text, gsize length)
{
  self->n_after += length;
  if (length > self->tail_size)
    {
      text += length - self->tail_size;
      length = self->tail_size;
    }

  gsize first = MIN (length, self->tail_size - self->tail_at);

  memcpy (self->tail + self->tail_at, text, first);
  memcpy (self->tail, text + first, length - first);
  self->tail_at = (self->tail_at + length) % self->tail_size;
}

/**
 * gadget_output_ring_append:
 * @self: the ring
 * @text: valid UTF-8
 * @length: the length of @text in bytes
 *
 * Returns: how many bytes of @text went into the head; the others went into the tail
 */
gsize
gadget_output_ring_append (GadgetOutputRing *self, const char *text, gsize length)
{
  gsize fits;

  g_return_val_if_fail (self != NULL && (text != NULL || length == 0), 0);

  fits = fit_head (self, text, length);
  g_string_append_len (self->head, text, (gssize) fits);
  if (fits < length)
    append_tail (self, text + fits, length - fits);
  return fits;
}

/**
 * gadget_output_ring_get_total:
 *
 * Returns: how many bytes were appended in total
 */
guint64
gadget_output_ring_get_total (GadgetOutputRing *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->head->len + self->n_after;
}

/**
 * gadget_output_ring_dup_tail:
 * @self: the ring
 * @n_left_out: (out): number of bytes that are missing between the head and the returned text
 *
 * Returns: (transfer full): the part that was kept of what came after the head
 */
char *
gadget_output_ring_dup_tail (GadgetOutputRing *self, guint64 *n_left_out)
{
  g_autoptr (GString) text = NULL;
  gsize cut = 0;

  g_return_val_if_fail (self != NULL && n_left_out != NULL, NULL);

  text = g_string_new (NULL);
  if (self->n_after >= self->tail_size)
    g_string_append_len (text, self->tail + self->tail_at,
                         (gssize) (self->tail_size - self->tail_at));
  g_string_append_len (text, self->tail, (gssize) self->tail_at);

  /* The circular buffer may have overwritten the first bytes of a character. */
  while (self->n_after > self->tail_size && cut < text->len && is_continuation (text->str[cut]))
    cut++;
  g_string_erase (text, 0, (gssize) cut);
  *n_left_out = self->n_after - text->len;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * gadget_output_ring_dup_text:
 *
 * Returns: (transfer full): the whole text, or its beginning and its end with a line between them
 *   that says how much was left out
 */
char *
gadget_output_ring_dup_text (GadgetOutputRing *self)
{
  g_autofree char *tail = NULL;
  guint64 n_left_out;

  g_return_val_if_fail (self != NULL, NULL);

  tail = gadget_output_ring_dup_tail (self, &n_left_out);
  if (n_left_out == 0)
    return g_strconcat (self->head->str, tail, NULL);
  return g_strdup_printf ("%s\n[%" G_GUINT64_FORMAT " bytes left out]\n%s", self->head->str,
                          n_left_out, tail);
}
