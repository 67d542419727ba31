/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the formats of several dialects need: addresses, and the writing of JSON. */

#pragma once

#include "session/gadget-request.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

char     *gadget_dialect_make_url     (const char       *base_url,
                                       const char       *default_path,
                                       const char       *path);
void      gadget_dialect_add_string   (JsonBuilder      *builder,
                                       const char       *name,
                                       const char       *value);
void      gadget_dialect_add_boolean  (JsonBuilder      *builder,
                                       const char       *name,
                                       gboolean          value);
gboolean  gadget_dialect_add_json     (JsonBuilder      *builder,
                                       const char       *name,
                                       const char       *text);
void      gadget_dialect_begin_object (JsonBuilder      *builder,
                                       const char       *name);
void      gadget_dialect_begin_array  (JsonBuilder      *builder,
                                       const char       *name);
char     *gadget_dialect_dup_base64   (const GadgetPart *image);
char     *gadget_dialect_dup_data_url (const GadgetPart *image);
char     *gadget_dialect_dup_image_words (const GadgetPart *image);
GBytes   *gadget_dialect_to_bytes     (JsonBuilder      *builder);

G_END_DECLS
