/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-dialect.h"

void
gadget_dialect_add_headers (const GadgetDialect *self, GadgetHttpRequest *request, const char *key)
{
  const char *prefix = self->key_prefix != NULL ? self->key_prefix : "";

  if (key != NULL)
    gadget_http_request_take_key (request, self->key_header, g_strconcat (prefix, key, NULL));
  for (guint i = 0; self->headers != NULL && self->headers[i] != NULL; i += 2)
    gadget_http_request_add_header (request, self->headers[i], self->headers[i + 1]);
}
