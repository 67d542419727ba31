/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-output-decoder"

#include "config.h"

#include "gadget-output-decoder.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

struct _GadgetOutputDecoder
{
  GString *pending; /* at most the first 3 bytes of one character, between two pushes */
};

/* gadget_output_decoder_new () returns a decoder that has seen no bytes (transfer full).
 * gadget_output_decoder_free () drops a character that was cut, and does not accept %NULL. */
GadgetOutputDecoder *
gadget_output_decoder_new (void)
{
  GadgetOutputDecoder *self = g_new0 (GadgetOutputDecoder, 1);

  self->pending = g_string_new (NULL);
  return self;
}

void
gadget_output_decoder_free (GadgetOutputDecoder *self)
{
  g_string_free (self->pending, TRUE);
  g_free (self);
}

/* Returns whether more bytes could still complete a character. (GLib reports a NUL as an incomplete
 * character.) */
static gboolean
is_cut (const char *bytes, gsize length)
{
  return *bytes != '\0' && g_utf8_get_char_validated (bytes, (gssize) length) == (gunichar) -2;
}

/**
 * gadget_output_decoder_push:
 * @self: the decoder
 * @bytes: (nullable): the next bytes, which may end within a character
 * @length: the length of @bytes
 * @last: no bytes follow: a character that is still incomplete becomes U+FFFD
 * @text: the decoded text is appended to it
 *
 * Decodes the next bytes.
 */
void
gadget_output_decoder_push (GadgetOutputDecoder *self, const char *bytes, gsize length,
                            gboolean last, GString *text)
{
  const char *at;
  const char *end;

  g_return_if_fail (self != NULL && text != NULL && (bytes != NULL || length == 0));

  g_string_append_len (self->pending, bytes, (gssize) length);
  at = self->pending->str;
  end = at + self->pending->len;
  while (at < end)
    {
      const char *valid_end;

      g_utf8_validate_len (at, (gsize) (end - at), &valid_end);
      g_string_append_len (text, at, valid_end - at);
      at = valid_end;
      if (at == end || (!last && is_cut (at, (gsize) (end - at))))
        break;
      g_string_append (text, REPLACEMENT);
      at++;
    }
  g_string_erase (self->pending, 0, at - self->pending->str);
}
